// A virtual destructor for the host alone gives the host's objects a hidden first member. The kernel gets a
// pointer, which is harmless until somebody copies such an object to the GPU.
struct Shape { //~ arch-dependent-layout "Shape"
#ifndef __CUDA_ARCH__
    virtual ~Shape() {}
#endif
    int sides;
};

__global__ void count_sides(Shape *shape, int *out) {
    *out = shape->sides;
}

int main() {
    count_sides<<<1, 1>>>(nullptr, nullptr);
    return 0;
}
