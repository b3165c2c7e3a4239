// [cuda] kernels over half and CUDA's vector types, chosen by traits
#include <cuda_fp16.h>
#include <type_traits>
template <class T, class V, int N> __global__ void k(T *p) {}
template <class T> struct vec4 { using type = void; };
template <> struct vec4<float> { using type = float4; };
template <> struct vec4<__half> { using type = uint2; };
template <> struct vec4<int> { using type = int4; };
template <class T> void run(T *p) {
  k<T, typename vec4<T>::type, sizeof(typename vec4<T>::type) / sizeof(T)><<<1, 1>>>(p);
}
template <class T> constexpr bool is_half = std::is_same_v<T, half> || std::is_same_v<T, __half2>;
template <class T> void pick() { k<T, T, is_half<T>><<<1, 1>>>(nullptr); }
int main() {
  run((float *)nullptr);
  run((half *)nullptr);
  run((int *)nullptr);
  pick<__half2>();
  pick<double2>();
}
