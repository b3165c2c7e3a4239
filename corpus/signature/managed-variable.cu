// A managed variable is one object that host and device share; here they disagree about its type.
#ifdef __CUDA_ARCH__
using flags_t = unsigned long long;
#else
using flags_t = unsigned int;
#endif

__managed__ flags_t flags; //~ arch-dependent-signature "flags"

__global__ void raise_flag() {
    flags |= 1;
}

int main() {
    raise_flag<<<1, 1>>>();
    cudaDeviceSynchronize();
    return flags != 1;
}
