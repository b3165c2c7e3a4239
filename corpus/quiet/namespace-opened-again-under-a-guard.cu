// A namespace is opened again under a guard, with names that hide nothing that the launch uses, and directives lead to it.
namespace lib {
template <class T>
struct Policy {
    static constexpr int kTile = 8;
};

template <int Tile>
__global__ void convolve(float *data) {
    data[threadIdx.x] *= Tile;
}
}  // namespace lib

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
namespace lib {
namespace fast {
template <class T>
struct Tuning {
    static constexpr int kTile = 32;
};
}  // namespace fast
using namespace fast;
struct Hopper {};
}  // namespace lib
#endif

using namespace lib;

void run(float *data) {
    convolve<Policy<float>::kTile><<<1, 32>>>(data);
    lib::convolve<2 * lib::Policy<double>::kTile><<<1, 32>>>(data);
}
