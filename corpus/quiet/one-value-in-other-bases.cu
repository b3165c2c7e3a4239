// The same numbers as hexadecimal, octal, binary and character literals, with digit separators and suffixes, and by
// unsigned arithmetic that wraps.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define ROWS 0x80
#define COLUMNS 0200
#define DEPTH 0b1000'0000
#define FILL '\x41'
#define LIMIT 0xffff'ffffu
#define MASK ~0u
#else
#define ROWS 128u
#define COLUMNS 128ull
#define DEPTH 1'28L
#define FILL 'A'
#define LIMIT (0u - 1)
#define MASK 4294967295
#endif

template <int Rows, int Columns, int Depth, char Fill, unsigned Limit, unsigned Mask>
__global__ void fill(char *out) {
    out[(Rows * Columns + Depth) & Limit & Mask] = Fill;
}

void run(char *out) {
    fill<ROWS, COLUMNS, DEPTH, FILL, LIMIT, MASK><<<1, 1>>>(out);
}
