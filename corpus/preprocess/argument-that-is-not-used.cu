// The argument of the macro depends on the pass, and the replacement list does not use it, or only as it is spelled:
// `#` and `##` take arguments unexpanded.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define STAGES 4
#else
#define STAGES 2
#endif

#define IGNORE_SECOND(a, b) a
#define NAMED(suffix) store_##suffix
#define TEXT_OF(x) #x

template <int N>
__global__ void NAMED(STAGES)(char *out) {
    *out = TEXT_OF(STAGES)[N % sizeof(TEXT_OF(STAGES))];
}

template <int Length>
__global__ void measure(int *out) {
    *out = Length;
}

void run(char *out, int *length) {
    store_STAGES<IGNORE_SECOND(8, STAGES)><<<1, 1>>>(out);
    measure<sizeof(TEXT_OF(STAGES))><<<1, 1>>>(length);
}
