// FlashAttention's traits: a type alias and two constants of a class template differ by pass, and the
// kernel uses them in its body only. Its name and its parameters are the same in every pass.
struct half_like {
    unsigned short bits;
};
struct bfloat_like {
    unsigned short bits;
};

template <int HeadDim, int BlockM, typename ElementT = half_like>
struct ForwardTraits {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    using Element = ElementT;
    static constexpr bool Has_cp_async = true;
#else
    using Element = half_like;
    static constexpr bool Has_cp_async = false;
#endif
    static constexpr int kSmemBytes = HeadDim * BlockM * int(sizeof(Element));
};

struct ForwardParams {
    const void *q;
    void *out;
    int seqlen;
};

template <typename Traits>
__global__ void forward(ForwardParams params) {
    using Element = typename Traits::Element;
    extern __shared__ char smem[];
    Element *tile = reinterpret_cast<Element *>(smem);
    if constexpr (Traits::Has_cp_async) tile[threadIdx.x] = static_cast<const Element *>(params.q)[threadIdx.x];
    static_cast<Element *>(params.out)[threadIdx.x] = tile[threadIdx.x];
}

void run_forward(ForwardParams params) {
    using Traits = ForwardTraits<64, 128>;
    forward<Traits><<<params.seqlen / 128, 128, Traits::kSmemBytes>>>(params);
    using Bf16Traits = ForwardTraits<64, 128, bfloat_like>;
    forward<Bf16Traits><<<params.seqlen / 128, 128, Bf16Traits::kSmemBytes>>>(params);
}
