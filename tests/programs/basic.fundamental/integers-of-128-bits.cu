// [basic.fundamental] integers of 128 bits, and their names that no header declares
template <class T> __global__ void k(T) {}
template <class T, T S> __global__ void v() {}
template <class T> __global__ void s() {}
template <class T> struct is_signed { static constexpr bool value = T(-1) < T(0); };
template <int N> __global__ void n() {}
void f(__int128 a, __int128_t b, __uint128_t c) { k<<<1,1>>>(a); k<<<1,1>>>(b); k<<<1,1>>>(c); v<int, sizeof(c)><<<1,1>>>(); s<__int128_t *><<<1,1>>>(); s<unsigned __int128><<<1,1>>>(); n<sizeof(a + 1)><<<1,1>>>(); n<is_signed<__int128>::value + 20><<<1,1>>>(); s<decltype(a + 1ull)><<<1,1>>>(); s<decltype(c + a)><<<1,1>>>(); s<decltype(c + 1.0f)><<<1,1>>>(); }
