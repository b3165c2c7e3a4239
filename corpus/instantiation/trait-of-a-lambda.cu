// No macro here: for the host a lambda for both sides that captures is a wrapper of nvcc's, which is not trivially
// copyable, and the template argument made from that is not the same.
#include <type_traits>

template <bool Trivial>
__global__ void transfer(int *out) {
    *out = Trivial;
}

template <class F>
void launch_with(F body, int *out) {
    transfer<std::is_trivially_copyable<F>::value><<<1, 1>>>(out); //~[host] arch-dependent-instantiation "transfer<false>"
    (void)body;
}

void run(int offset, int *out) {
    launch_with([=] __host__ __device__(int index) { return index + offset; }, out);
}
