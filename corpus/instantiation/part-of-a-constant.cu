// A constant is an array or an aggregate; an element, a member, or what a member function makes of them is an argument.
struct Shape {
    int rows;
    int columns = 8;
    constexpr int area() const { return rows * columns; }
};
struct Plan {
    Shape tile;
    int stages[3];
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int widths[] = {16, 32, 64};
constexpr Shape shape{16};
constexpr Plan plan = {{4, 4}, {2, 3}};
#else
constexpr int widths[] = {16, 32, 48};
constexpr Shape shape{16, 4};
constexpr Plan plan = {{4, 2}, {2, 4}};
#endif

template <int N>
__global__ void element(float *data) {
    data[N] = 0;
}
template <int N>
__global__ void member(float *data) {
    data[N] = 1;
}
template <int N>
__global__ void computed(float *data) {
    data[N] = 2;
}
template <int N>
__global__ void nested(float *data) {
    data[N] = 3;
}

void run(float *data) {
    element<widths[2]><<<1, 1>>>(data); //~[sm_90] arch-dependent-instantiation "element<48>"
    member<shape.columns><<<1, 1>>>(data); //~[sm_90] arch-dependent-instantiation "member<4>"
    computed<shape.area()><<<1, 1>>>(data); //~[sm_90] arch-dependent-instantiation "computed<64>"
    nested<plan.stages[1] + plan.tile.columns><<<1, 1>>>(data); //~[sm_90] arch-dependent-instantiation "nested<6>"
}
