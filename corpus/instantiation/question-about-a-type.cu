// Compilers answer questions about types by themselves: what is an enumeration, a union, the same type.
enum class Mode { Fast, Exact };
union Bits {
    float number;
    unsigned word;
};
struct Pair {
    float first, second;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Choice = Mode;
using Data = Bits;
using Plain = int;
#else
using Choice = int;
using Data = Pair;
using Plain = signed;
#endif

template <class T>
struct Kind {
    static constexpr bool is_enum = __is_enum(T);
    static constexpr int shape = __is_union(T) ? 2 : __is_class(T) ? 1 : 0;
};
template <class A, class B>
constexpr bool same = __is_same(A, B);

template <bool>
struct Width {
    static constexpr int value = 8;
};
template <>
struct Width<true> {
    static constexpr int value = 4;
};
// As a template argument it reads like the type of a function.
template <class T>
struct WidthOf : Width<__is_enum(T)> {};

template <bool Named>
__global__ void select(int *data) {
    *data = Named;
}
template <int Shape>
__global__ void pack(int *data) {
    *data = Shape;
}
template <int Width>
__global__ void widen(int *data) {
    *data = Width;
}
template <bool Same>
__global__ void copy(int *data) {
    *data = Same;
}

void run(int *data) {
    select<Kind<Choice>::is_enum><<<1, 1>>>(data); //~[sm_80] arch-dependent-instantiation "select<true>"
    pack<Kind<Data>::shape><<<1, 1>>>(data); //~[sm_80] arch-dependent-instantiation "pack<2>"
    widen<WidthOf<Choice>::value><<<1, 1>>>(data); //~[sm_80] arch-dependent-instantiation "widen<4>"
    // The same type spelled in two ways.
    copy<same<Plain, int>><<<1, 1>>>(data);
}
