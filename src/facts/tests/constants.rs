//! Values of constant expressions, and sizes of types, by pass.

use super::values;

#[test]
fn arithmetic() {
    values(
        "constexpr int a = 1 + 2 * 3 - 8 / 3 % 2; constexpr unsigned b = 0u - 1; const long c = 1l << 40; constexpr int d = 7 >> 1 | 8 & 12 ^ 3; constexpr bool e = 3 > 2 && !(1 == 2);
         constexpr int f = -7 / 2, g = -7 % 3, h = ~0; constexpr unsigned char i = 300; constexpr int j = 2147483647; constexpr unsigned l = 1u << 31; constexpr long long m = -1 >> 1;
         constexpr bool n = -1 < 0u; constexpr int o = (unsigned char)257 + (int)3.9; constexpr int p = 'a' + '\\n'; constexpr int q = 0x1F + 010 + 0b11 + 1'000; constexpr int r = true ? 3 : 1 / 0;
         constexpr bool s = 5; constexpr int t = 5 and 0; constexpr auto u = 4u; static const int v{9}; constexpr int w(8); constexpr signed char x = 200; constexpr long y = 0xFFFFFFFF; constexpr long z = -2147483648;",
        "a = 7
         b = 4294967295
         c = 1099511627776
         d = 11
         e = true
         f = -3
         g = -1
         h = -1
         i = 44
         j = 2147483647
         l = 2147483648
         m = -1
         n = false
         p = 107
         q = 1042
         r = 3
         s = true
         t = 0
         u = 4
         v = 9
         w = 8
         x = -56
         y = 4294967295
         z = -2147483648",
    );
}

#[test]
fn enumerators() {
    values(
        "enum { A, B = 4, C, D = B * 2 + A, F = sizeof(int) }; enum class E : unsigned char { X = 255, Y = X - 1 }; enum G { G0 = A + 10, G1 }; namespace n { enum { K = 7 }; }
         struct S { enum { M = 3, N = M + 1 }; static constexpr int V = N * 2; };
         constexpr int a = C; constexpr int b = D; constexpr int c = static_cast<int>(E::Y); constexpr int d = G1; constexpr int e = G::G1 + n::K; constexpr int f = S::V + S::M; constexpr int g = int(E::X); constexpr int h = F;",
        "C = 5
         a = 5
         b = 8
         c = 254
         d = 11
         e = 18
         f = 11
         g = 255
         h = 4",
    );
}

#[test]
fn constants_of_templates() {
    values(
        "template <class T> constexpr int bits = sizeof(T) * 8; template <> constexpr int bits<bool> = 1; template <int N> struct F { static constexpr int v = N * F<N - 1>::v; }; template <> struct F<0> { static constexpr int v = 1; };
         template <class A, class B> struct same { static constexpr bool value = false; }; template <class A> struct same<A, A> { static constexpr bool value = true; };
         template <class A, class B> constexpr bool same_v = same<A, B>::value; template <class T, T v> struct integral { static constexpr T value = v; }; struct yes : integral<bool, true> { };
         template <class... T> constexpr int count = sizeof...(T);
         constexpr int a = bits<short>; constexpr int b = bits<bool>; constexpr int c = F<5>::v; constexpr bool d = same<int, int>::value; constexpr bool e = same_v<int, char>; constexpr bool f = yes::value; constexpr int g = count<int, char, float>;
         constexpr bool h = same_v<int *, int *>; template <> struct same<float, double> { enum { value = 1 }; }; constexpr bool i = same_v<float, double>;",
        "a = 16
         b = 1
         c = 120
         d = true
         e = false
         f = true
         g = 3
         h = true
         i = true",
    );
}

#[test]
fn constexpr_functions() {
    values(
        "constexpr int twice(int x) { return x * 2; } template <class T> constexpr int size() { return sizeof(T); } template <int N> constexpr int pick() { if constexpr (N > 3) return 1; else return 2; }
         constexpr int local(int x) { const int y = x + 1; constexpr int z = 3; return y * z; } constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
         struct S { static constexpr int f(int x) { return x - 1; } static constexpr int n = 5; }; constexpr int branch(int x) { if (x > 3) return 1; return 2; } constexpr int loop(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
         constexpr unsigned char narrow(int x) { return x; } constexpr int deflt(int x, int y = 4) { return x + y; } int ordinary() { return 3; } constexpr int mutated(int x) { x = x + 1; return x; }
         template <class T> constexpr int of(T x) { return sizeof(x); } constexpr int chain(int a) { if (a == 80) { return 8; } else if (a == 90) { return 9; } else { return 0; } }
         constexpr int a = twice(4) + 1; constexpr int b = size<double>(); constexpr int c = pick<4>() * 10 + pick<3>(); constexpr int d = local(3); constexpr int e = fib(7); constexpr int f = S::f(S::n);
         constexpr int g = branch(4); constexpr int h = branch(3); constexpr int i = narrow(300); constexpr int j = deflt(1); constexpr int l = of('c'); constexpr int m = chain(90); constexpr int n = chain(1);",
        "a = 9
         b = 8
         c = 12
         d = 12
         e = 13
         f = 4
         g = 1
         h = 2
         i = 44
         j = 5
         l = 1
         m = 9
         n = 0",
    );
}

#[test]
fn expressions_that_are_not_constant_have_no_value() {
    values(
        "int v = 3; const int c = f(); extern const int x;
         constexpr int endless(int n) { while (true) n ^= 1; return n; } constexpr int stored(int n) { int all[2] = {}; all[n] = n; return n; }
         constexpr int open(int n) { int y = 1; if (unknown) { y = n; } return y; } constexpr int thrown(int n) { if (n > 2) throw n; return n; }
         constexpr int nothing(int n) { while (n > 5) { return n; } }
         int ordinary() { return 3; } constexpr int a = v; constexpr int b = endless(3); constexpr int d = stored(1); constexpr int e = open(1); constexpr int f = thrown(3); constexpr int o = nothing(5); constexpr int g = 1 / 0; constexpr int h = unknown; constexpr int i = ordinary();
         constexpr bool j = unknown && false; constexpr bool k = false && unknown; constexpr bool l = true || unknown; constexpr bool m = unknown || true; constexpr bool n = 1 && unknown;",
        "v = v
         c = c
         x = x
         a = a
         b = b
         d = 1
         e = e
         f = f
         o = o
         g = g
         h = h
         i = i
         j = false
         k = false
         l = true
         m = true
         n = n",
    );
}

#[test]
fn constexpr_functions_run() {
    values(
        "constexpr int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
         constexpr int next(int x) { x = x + 1; return x; }
         constexpr int branch(int x) { int y = 1; if (x > 1) { int y = 7; y += 1; } else if (x) { y = 2; } else y = 3; return y; }
         constexpr int log2(unsigned n) { int bits = -1; do { ++bits; } while (n >>= 1); return bits; }
         constexpr int odd(int n) { int s = 0, i = 0; while (true) { if (++i_ > n) break; } return s; }
         constexpr int skip(int n) { int s = 0; for (int i = 0, j = n; i < j; ++i, --j) { if (i % 2) continue; if (s > 100) break; s += j; } return s; }
         constexpr int size(int kind) { switch (kind) { case 0: return 1; case 1: case 2: { int wide = 4; return wide; } case 3: kind = 8; default: kind += 1; break; } return kind; }
         constexpr int wrap(int n) { unsigned char small = 250; small += n; return small; }
         constexpr int checked(int n) { if (n < 0) throw n; static_assert(sizeof(int) == 4, \"\"); using wide = long; return n + sizeof(wide); }
         constexpr int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
         template <class T, int N> constexpr int bytes() { int all = 0; for (int i = 0; i < N; ++i) { all += sizeof(T); } return all; }
         template <int... N> struct All { static constexpr int sum = (N + ... + 100), less = (N - ...), product = (... * N); static constexpr bool every = (... && (N > 0)); };
         constexpr int a = sum(5); constexpr int b = next(3); constexpr int c = branch(2); constexpr int d = branch(1); constexpr int e = branch(0); constexpr int f = log2(300);
         constexpr int g = odd(3); constexpr int h = skip(9); constexpr int i = size(0); constexpr int j = size(2); constexpr int k = size(3); constexpr int l = size(9); constexpr int m = wrap(10); constexpr int n = checked(2);
         constexpr int o = gcd(12, 18); constexpr int p = bytes<double, 3>(); constexpr int q = All<1, 2, 3>::sum; constexpr int r = All<1, 2, 4>::less; constexpr int s = All<2, 3, 4>::product; constexpr bool t = All<>::every; constexpr bool u = All<1, 0>::every;",
        "a = 10
         b = 4
         c = 1
         d = 2
         e = 3
         f = 8
         g = g
         h = 21
         i = 1
         j = 4
         k = 9
         l = 10
         m = 4
         n = 10
         o = 6
         p = 24
         q = 106
         r = 3
         s = 24
         t = true
         u = false",
    );
}

#[test]
fn sizeof_and_alignof() {
    values(
        "struct S { char c; double d; }; struct alignas(32) A { int x; }; extern S s; int arr[6]; template <class T> struct H { T a, b; }; typedef short T2[5];
         constexpr int a = sizeof(S); constexpr int b = alignof(S); constexpr int c = sizeof(s.c); constexpr int d = sizeof arr / sizeof(arr[0]); constexpr int e = alignof(A) + sizeof(A); constexpr int f = sizeof(H<S>); constexpr int g = sizeof(T2); constexpr int h = sizeof(S *);
         constexpr int i = sizeof(int &); constexpr int j = sizeof(float4); constexpr int l = sizeof(long double);",
        "a = 16
         b = 8
         c = 1
         d = 6
         e = 64
         f = 32
         g = 10
         h = 8
         i = 4
         j = 16",
    );
}
