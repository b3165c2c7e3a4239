// The two arms name the same members of the same types, so there is one layout.
struct Extent {
#ifdef __CUDA_ARCH__
    unsigned width;
    signed int height;
#else
    unsigned int width;
    int height;
#endif
};

__global__ void resize(Extent extent, unsigned *out) {
    *out = extent.width * extent.height;
}

int main() {
    resize<<<1, 1>>>(Extent{}, nullptr);
    return 0;
}
