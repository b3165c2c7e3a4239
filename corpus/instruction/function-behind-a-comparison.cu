// The headers declare the reduction from sm_80 on, and the condition lets sm_75 in: the front end does not know the name.
//@ targets: 75,80
__global__ void run(unsigned *out) {
#if __CUDA_ARCH__ >= 700
    *out = __reduce_add_sync(~0u, *out); //~[sm_75] unsupported-instruction "`__reduce_add_sync` is reached on sm_75, which lacks it: sm_80 and later have it"
#endif
}
