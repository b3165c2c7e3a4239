// FlashAttention's traits again. `forward` uses them in its body and is fine; `copy_out` takes a pointer
// to the element type, which is bfloat16 on the GPU and half on the host for the same traits.
struct half_like {
    unsigned short bits;
};
struct bfloat_like {
    unsigned short bits;
};

template <int HeadDim, typename ElementT>
struct ForwardTraits {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    using Element = ElementT;
    static constexpr bool Has_cp_async = true;
#else
    using Element = half_like;
    static constexpr bool Has_cp_async = false;
#endif
};

using Traits = ForwardTraits<64, bfloat_like>;

template <typename T>
__global__ void forward(void *out) {
    static_cast<typename T::Element *>(out)->bits = T::Has_cp_async;
}

__global__ void copy_out(Traits::Element *out) { //~[host] arch-dependent-signature "copy_out"
    out->bits = 0;
}

void run_forward(void *out) {
    forward<Traits><<<1, 32>>>(out);
    copy_out<<<1, 32>>>(static_cast<Traits::Element *>(out));
}
