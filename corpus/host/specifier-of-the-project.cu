// Specifiers of functions by macros of the project that no header can change, or all of whose headers were read: the functions
// are the host's.
//@ targets: 80,90
#define PORTABLE_INLINE inline
#ifndef QUICK_FUNCTION
#define QUICK_FUNCTION inline
#endif

__global__ void plain(int *out) {
    *out = 1;
}

PORTABLE_INLINE void single(int *out) {
#ifdef __CUDA_ARCH__
    plain<<<1, 1>>>(out); //~ host-code-behind-device-guard "host function `single` has a kernel launch"
#endif
}

QUICK_FUNCTION void quick(int *out) {
#if __CUDA_ARCH__ >= 900
    plain<<<1, 1>>>(out); //~ host-code-behind-device-guard "host function `quick` has a kernel launch"
#endif
}

int main() {
    single(nullptr);
    quick(nullptr);
}
