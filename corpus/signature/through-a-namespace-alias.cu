// The parameter's type is named through an alias of a namespace, which is another namespace on sm_90.
namespace detail {
namespace sm80 {
struct Fragment {
    float x[4];
};
} // namespace sm80
namespace sm90 {
struct Fragment {
    float x[8];
};
} // namespace sm90
} // namespace detail

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
namespace arch = detail::sm90;
#else
namespace arch = detail::sm80;
#endif

__global__ void load(arch::Fragment *out) { //~[sm_90] arch-dependent-signature "`load` takes `(detail::sm90::Fragment *)`"
    out->x[0] = 0;
}
