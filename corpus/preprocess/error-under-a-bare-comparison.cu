// The macro counts as 0 on the host, whose pass the `#error` therefore stops: there is no host left to compare with,
// and the analysis says so.
//@ incomplete: compilation stops at an `#error` on the host
#if __CUDA_ARCH__ < 800
#error "this file needs sm_80" //~ pass-only-failure "stops the compilation for the host"
#endif

__global__ void tick(int *out) {
    *out += 1;
}

void run(int *out) {
    tick<<<1, 1>>>(out);
}
