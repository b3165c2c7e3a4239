// Guards that keep targets from what they have, which then do nothing or what older ones do, and guards that let in
// targets that are not compiled for and lack it.
//@ targets: 75,80,90,100
__device__ int on_one_number_only(int value) {
#if __CUDA_ARCH__ == 800 //~[sm_90,sm_100] guard-misses-target "`#if __CUDA_ARCH__ == 800` keeps `__reduce_add_sync` from sm_90 and sm_100"
    value = __reduce_add_sync(~0u, value);
#endif
    return value;
}

__device__ void below_the_next(unsigned to, const void *from, int *slot) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 1000 //~[sm_100] guard-misses-target "from sm_100, which has them"
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from));
    asm volatile("cp.async.commit_group;");
#else
    *slot = *static_cast<const int *>(from);
#endif
}

#if __CUDA_ARCH__ >= 900
#define HAS_ASYNC_COPY 1
#else
#define HAS_ASYNC_COPY 0
#endif

__device__ void wait_for_all() {
    asm volatile("bar.sync 0;");
}

__device__ void by_a_derived_macro(unsigned to, const void *from, int *slot) {
#if HAS_ASYNC_COPY //~[sm_80] guard-misses-target "keeps `cp.async.ca.shared.global` from sm_80"
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from));
    wait_for_all();
#else
    *slot = *static_cast<const int *>(from);
#endif
}

#if __CUDA_ARCH__ >= 900 //~[sm_80] guard-misses-target "keeps `__reduce_max_sync` from sm_80"
__device__ unsigned largest(unsigned value) {
    return __reduce_max_sync(~0u, value);
}
#else
__device__ unsigned largest(unsigned value) {
    for (int lane = 16; lane > 0; lane /= 2) {
        unsigned other = __shfl_xor_sync(~0u, value, lane);
        value = other > value ? other : value;
    }
    return value;
}
#endif

__device__ void a_hint(unsigned nanoseconds) {
#if __CUDA_ARCH__ == 800 //~[sm_75,sm_90,sm_100] guard-misses-target "keeps `__nanosleep` from sm_75, sm_90 and sm_100"
    __nanosleep(nanoseconds);
#endif
}

__device__ void for_what_is_not_compiled(unsigned nanoseconds) {
#if __CUDA_ARCH__ >= 600 //~ guard-misses-target "`#if __CUDA_ARCH__ >= 600` lets sm_60 to sm_62 in, which lack `nanosleep.u32`"
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
#endif
}

__global__ void run(unsigned to, int *out) {
    below_the_next(to, out, out + 1);
    by_a_derived_macro(to, out, out + 2);
    a_hint(to);
    for_what_is_not_compiled(to);
    out[3] = largest(on_one_number_only(*out));
}
