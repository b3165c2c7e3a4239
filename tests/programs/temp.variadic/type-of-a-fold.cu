// [expr.prim.fold] the type of a fold-expression is what its operator makes of the elements one by one
template <int N> __global__ void k() {}
template <int V> struct C { static constexpr int value = V; };
template <int a, int b> __host__ __device__ constexpr C<a * b> operator*(C<a>, C<b>) { return {}; }
template <int a, int b> __host__ __device__ constexpr C<a - b> operator-(C<a>, C<b>) { return {}; }
template <class... T> __host__ __device__ constexpr auto product(T... t) { return (t * ...); }
template <class... T> __host__ __device__ constexpr auto left(T... t) { return (... - t); }
template <class... T> __host__ __device__ constexpr auto right(T... t) { return (t - ...); }
int main() {
  k<decltype(product(C<2>{}, C<3>{}, C<7>{}))::value><<<1, 1>>>();
  k<decltype(left(C<50>{}, C<8>{}, C<3>{}))::value><<<1, 1>>>();
  k<decltype(right(C<50>{}, C<8>{}, C<3>{}))::value><<<1, 1>>>();
}
