// Arrays and aggregates that differ in other elements and members than those that are arguments.
struct Shape {
    int rows;
    int columns;
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int widths[] = {16, 32, 64};
constexpr Shape shape{.rows = 32, .columns = 4};
#else
constexpr int widths[] = {16, 32, 48};
constexpr Shape shape{.rows = 16, .columns = 4};
#endif

template <int N>
__global__ void fill(float *data) {
    data[N] = 0;
}

void run(float *data) {
    fill<widths[1]><<<widths[2], 1>>>(data);
    fill<shape.columns><<<shape.rows, 1>>>(data);
    fill<sizeof(widths)><<<1, 1>>>(data);
}
