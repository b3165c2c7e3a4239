// [expr.const] the built-in functions of compilers that count and move bits, as <bit> and <numeric> call them
template <int N> __global__ void k() {}
constexpr unsigned divisor(unsigned m, unsigned n) {
    if (m == 0) return n;
    if (n == 0) return m;
    const int i = __builtin_ctz(m), j = __builtin_ctz(n);
    m >>= i;
    n >>= j;
    const int shift = i < j ? i : j;
    while (true) {
        if (m > n) { unsigned t = m; m = n; n = t; }
        n -= m;
        if (n == 0) return m << shift;
    }
}
constexpr bool evaluated() { return __builtin_is_constant_evaluated(); }
template <class T> constexpr int width(T t) { return sizeof(T) * 8 - (sizeof(T) == 8 ? __builtin_clzll(t) : __builtin_clz(t)); }
void host() {
    k<divisor(48, 36)><<<1, 1>>>();
    k<width(300u)><<<1, 1>>>();
    k<width(1ull << 40)><<<1, 1>>>();
    k<__builtin_popcount(0xffffu)><<<1, 1>>>();
    k<__builtin_popcountll(~0ull)><<<1, 1>>>();
    k<__builtin_ffs(8) + 100><<<1, 1>>>();
    k<__builtin_parity(7) + 200><<<1, 1>>>();
    k<__builtin_bswap32(0x01020000) + 300><<<1, 1>>>();
    k<__builtin_bswap16(0x0102) + 400><<<1, 1>>>();
    k<__builtin_ctzl(1ul << 33) + 500><<<1, 1>>>();
    k<__builtin_expect(600, 1)><<<1, 1>>>();
    k<evaluated() ? 701 : 702><<<1, 1>>>();
    auto zeros = __builtin_ctz(512u);
    k<sizeof(zeros) + 800><<<1, 1>>>();
}
