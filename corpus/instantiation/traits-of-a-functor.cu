// The kernel's arguments are what a class template says of a functor's call operator: of a class's, and of a lambda's.
template <class F>
struct Traits : Traits<decltype(&F::operator())> { };

template <class C, class R, class... Parameters>
struct Traits<R (C::*)(Parameters...) const> {
    using result = R;
    static constexpr int arity = sizeof...(Parameters);
};

template <class T, int Arity>
__global__ void apply() { }

template <class F>
void launch(const F &) {
    constexpr int arity = Traits<F>::arity;
    apply<typename Traits<F>::result, arity + 1><<<1, 1>>>(); //~[host,sm_90] arch-dependent-instantiation "`apply<double, 2>` (and 1 more)"
}

struct Sum {
    float operator()(float left, float right) const { return left + right; }
};

void use() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    launch(Sum());
    launch([](int value) { return value * 2.0; });
#endif
}
