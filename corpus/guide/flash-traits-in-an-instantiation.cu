// FlashAttention's traits with the constant as a template argument: the host asks for the kernel without
// asynchronous copies, and no device pass generates it.
template <int HeadDim>
struct ForwardTraits {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    static constexpr bool Has_cp_async = true;
#else
    static constexpr bool Has_cp_async = false;
#endif
};

template <typename Traits, bool UseCpAsync>
__global__ void forward(float *out) {
    *out = UseCpAsync;
}

void run_forward(float *out) {
    using Traits = ForwardTraits<64>;
    forward<Traits, Traits::Has_cp_async><<<1, 32>>>(out); //~[host] arch-dependent-instantiation "forward"
}
