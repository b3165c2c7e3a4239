// The third restriction speaks of separate compilation: in a whole-program build no other object can
// look for the function, so the same text is allowed.
void warm_up(void);

#if !defined(__CUDA_ARCH__)
void warm_up(void) {}
#endif

int main() {
    warm_up();
    return 0;
}
