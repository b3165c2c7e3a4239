// An enumeration takes the bytes of its underlying type, by value and in a device variable; its name is the same.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
enum class Mode : short { off, on };
enum Level : long { low, high };
#else
enum class Mode : int { off, on }; //~[sm_90] arch-dependent-layout "Mode"
enum Level : char { low, high }; //~[sm_90] arch-dependent-layout "Level"
#endif

__device__ Level level;

__global__ void set(int *out, Mode mode) {
    *out = static_cast<int>(mode) + level;
}

void run(int *out) {
    set<<<1, 1>>>(out, Mode::on);
}
