// A member that only the host has, at the very end: the shared members lie where they should, but the sizes
// differ, and an array of such objects is read out of step.
struct Request { //~[sm_80,sm_90] arch-dependent-layout "Request"
    int id;
    int length;
#ifndef __CUDA_ARCH__
    void *debug_info;
#endif
};

__global__ void serve(Request request, int *out) {
    *out = request.length;
}

int main() {
    serve<<<1, 1>>>(Request{}, nullptr);
    return 0;
}
