// The third restriction kept: the function is defined in every pass and only its body depends on the macro.
//@ rdc
#include <cstdio>

void warm_up(void) {
#if !defined(__CUDA_ARCH__)
    std::puts("warming up");
#endif
}

int main() {
    warm_up();
    return 0;
}
