// A conversion that sm_90 has stands beside a multiplication with an operand of another precision, which it lacks.
//@ targets: 80,90,100
__device__ void pack(unsigned short *packed, unsigned short value) {
#if __CUDA_ARCH__ >= 1000
    asm volatile("{\n\t"
                 ".reg .b16 x;\n\t"
                 ".reg .f32 y;\n\t"
                 "mov.b16 x, %1;\n\t"
                 "fma.rn.f32.f16 y, x, x, 0f00000000;\n\t"
                 "cvt.rn.satfinite.e4m3x2.f32 %0, y, y;\n\t"
                 "}"
                 : "=h"(*packed)
                 : "h"(value));
#else
    __trap();
#endif
}

__global__ void run(unsigned short *out) {
    pack(out, *out);
}
