// Only device passes align the class to 16 bytes; the parameters behind it move.
#ifdef __CUDA_ARCH__
#define VECTOR_ALIGN alignas(16)
#else
#define VECTOR_ALIGN
#endif

struct VECTOR_ALIGN Color { //~ arch-dependent-layout "Color"
    float r, g, b, a;
};

__global__ void paint(int x, Color color, float *out) {
    *out = color.r + x;
}

int main() {
    paint<<<1, 1>>>(1, Color{}, nullptr);
    return 0;
}
