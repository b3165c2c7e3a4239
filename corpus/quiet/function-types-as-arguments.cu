// Template arguments that are types of functions and read like calls, beside a constant that differs.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int kStages = 4;
#else
constexpr int kStages = 2;
#endif

struct Half {
    unsigned short bits;
};
using Value = Half;

template <class Signature>
struct Operation;

template <class Result, class... Arguments>
struct Operation<Result(Arguments...)> {
    using type = Result;
    static constexpr int kArity = sizeof...(Arguments);
};

template <class Signature, int Arity = Operation<Signature>::kArity>
__global__ void apply(typename Operation<Signature>::type *out) {
    out[threadIdx.x % Arity] = {};
    (void)kStages;
}

void run(Half *out, float *other) {
    apply<Half(Value)><<<1, 1>>>(out);
    apply<float(Half, int)><<<1, 1>>>(other);
    apply<Value(Half, Value, Half *)><<<1, 1>>>(out);
}
