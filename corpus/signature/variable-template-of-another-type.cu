// Each pass makes its own variable of the template: the host and sm_80 have `scratch<float>`, sm_90 has
// `scratch<double>`, and the symbol that the host asks for is not there.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using accumulate_t = double;
#else
using accumulate_t = float;
#endif

template <class T>
__device__ T scratch[32];

__global__ void clear_scratch() {
    scratch<accumulate_t>[threadIdx.x] = 0;
}

void *scratch_address() {
    clear_scratch<<<1, 32>>>();
    void *address = nullptr;
    cudaGetSymbolAddress(&address, scratch<accumulate_t>); //~[sm_90] arch-dependent-signature "scratch<float>"
    return address;
}
