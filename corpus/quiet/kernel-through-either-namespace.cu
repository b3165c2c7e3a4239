// Each arm brings the kernel in through another namespace; it is the same kernel behind both.
namespace kernels {
template <class T>
__global__ void scale(T *data) {
    data[threadIdx.x] *= T(2);
}
}
namespace fast {
using kernels::scale;
}
namespace portable {
using namespace kernels;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
namespace ops = fast;
#else
namespace ops = portable;
#endif

void run(float *data) {
    ops::scale<float><<<1, 32>>>(data);
}
