// Two constants and two bit-fields, each pair in one declaration: the first constant depends on the pass, the launch
// takes the second.
struct Shape {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static constexpr int kStages = 4, kRows = 16;
    unsigned first : 3, second : 2 + 3;
#else
    static constexpr int kStages = 2, kRows = 16;
    unsigned first : 3, second : 5;
#endif
};

template <int Rows>
__global__ void load(Shape shape, float *data) {
    data[threadIdx.x * Rows] = shape.first + shape.second + Shape::kStages;
}

void run(Shape shape, float *data) {
    load<Shape::kRows><<<1, 32>>>(shape, data);
}
