// One macro of the project lets sm_120 through to all of them: one finding, at the first.
//@ targets: 90,120,120a
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1200
#define PROJECT_SM120 1
#endif

template <int N>
__device__ void convert(unsigned short *out, float low, float high) {
#ifdef PROJECT_SM120
    asm("cvt.rn.satfinite.e2m3x2.f32 %0, %1, %2;" : "=h"(out[0]) : "f"(low), "f"(high)); //~[sm_120] unsupported-instruction "and 2 more instructions are reached on sm_120, which lacks them: only the `a` and `f` targets of sm_100, sm_101, sm_103, sm_107, sm_110, sm_120 and sm_121 have them"
#endif
#ifdef PROJECT_SM120
    asm("cvt.rn.satfinite.e3m2x2.f32 %0, %1, %2;" : "=h"(out[1]) : "f"(low), "f"(high));
    asm("cvt.rz.satfinite.ue8m0x2.f32 %0, %1, %2;" : "=h"(out[2]) : "f"(low), "f"(high));
#endif
}

__global__ void run(unsigned short *out) {
    convert<1>(out, 1.0f, 2.0f);
}
