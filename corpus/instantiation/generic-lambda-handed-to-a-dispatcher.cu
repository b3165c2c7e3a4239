// The function that says nothing about the architecture launches; which types its lambda is called with is decided two
// function templates further down, and depends on the pass there.
#include <utility>

#if __CUDA_ARCH__ >= 900
using accurate = double;
#else
using accurate = float;
#endif

template <class T>
__global__ void fill(T *data, T value) {
    data[threadIdx.x] = value;
}

template <class Body>
void by_kind(int kind, Body &&body) {
    if (kind == 0) {
        body(int());
    } else {
        body(accurate());
    }
}

template <class Body>
void dispatch(int kind, Body &&body) {
    by_kind(kind, std::forward<Body>(body));
}

void run(void *data, int kind) {
    dispatch(kind, [&](auto zero) {
        using element = decltype(zero);
        fill<<<1, 32>>>(static_cast<element *>(data), zero); //~ arch-dependent-instantiation "fill<float>"
    });
}
