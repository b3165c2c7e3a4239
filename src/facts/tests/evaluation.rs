//! What constant expressions call and build: objects, arrays, addresses, floating-point values, lambdas.

use super::{check, values};

#[test]
fn floating_point_values_are_rounded_to_their_type() {
    values(
        "constexpr double ratio = 0.75; constexpr float scale(float x) { return x * 1.5f; } constexpr float third = 1.0f / 3;
         constexpr float table[] = {0.5f, 1e2f, 0x1.8p3f};
         constexpr int a = (int)(ratio * 128); constexpr int b = static_cast<int>(scale(3.0f)); constexpr int c = int(1e3 / 3); constexpr bool d = 0.1 + 0.2 == 0.3; constexpr bool e = 0.1f + 0.2f == 0.3f;
         constexpr bool f = 16777216.0f + 1.0f == 16777216.0f; constexpr bool g = third == 1.0 / 3; constexpr int h = -3.99; constexpr float i = third; constexpr double j = 1 / 4.0; constexpr int k = table[1] + table[2] * 1000;
         constexpr unsigned char l = 300.5; constexpr bool m = !0.0 && 0.5; constexpr long double n = 1.0L; constexpr float o = 1e30f * 1e30f; constexpr double p = 3;",
        "a = 96
         b = 4
         c = 333
         d = false
         e = true
         f = true
         g = false
         h = -3
         i = 0.33333334f
         j = 0.25
         k = 12100
         l = l
         m = true
         n = n
         o = o
         p = 3.0",
    );
}

#[test]
fn objects_are_initialized_by_lists_and_constructors() {
    values(
        "struct Tile { int m, n; constexpr int area() const { return m * n; } }; struct Plan { int x = 1, y = x + 1; Tile t[2] = {{3, 4}}; };
         struct Base { int b; constexpr Base(int x) : b(x * 2) {} constexpr Base(const char *) : b(-1) {} constexpr int twice() const { return b * 2; } };
         struct Derived : Base { int d = 5, e; constexpr Derived(int x) : Base{x}, e(d + b) { e *= 10; } constexpr Derived() : Derived(7) {} };
         struct Heir : Base { using Base::Base; int more = 3; }; struct Late { int v; constexpr Late(int n); }; constexpr Late::Late(int n) : v(n + 1) {}
         template <class T, int N> struct Array { T data[N]; constexpr int size() const { return N; } constexpr T &operator[](int i) { return data[i]; } constexpr const T &operator[](int i) const { return data[i]; } };
         constexpr Tile pick(int b) { return {b * 2, b}; } template <int N> constexpr Array<int, N> squares() { Array<int, N> all{}; for (int i = 0; i < all.size(); ++i) all[i] = i * i; return all; }
         constexpr Tile big{128, 64}, copy = big, picked = pick(8); constexpr Plan p0{}, p1{7}, p2{.y = 9}; constexpr Tile flat[2] = {1, 2, 3, 4}; constexpr int grid[2][3] = {{1, 2}, {4}};
         constexpr Derived one(4); constexpr Derived two; constexpr Heir heir(6); constexpr Late late(9); constexpr auto sq = squares<5>();
         constexpr int a = big.m + copy.n; constexpr int b = picked.m; constexpr int c = pick(50).n; constexpr int d = p0.x * 1000 + p0.y * 100 + p0.t[0].n * 10 + p0.t[1].m; constexpr int e = p1.y; constexpr int f = p2.x * 10 + p2.y;
         constexpr int g = flat[1].m; constexpr int h = grid[0][1] * 100 + grid[0][2] * 10 + grid[1][0]; constexpr int i = one.b * 10000 + one.e; constexpr int j = two.e; constexpr int k = heir.twice() + heir.more; constexpr int l = late.v;
         constexpr int m = sq[4] + sq.size() * 100; constexpr int n = Tile{3, 4}.area(); constexpr int o = big.area(); constexpr int p = Heir(\"x\").b;",
        "big = Tile{128, 64}
         sq = Array<int, 5>{int [5]{0, 1, 4, 9, 16}}
         a = 192
         b = 16
         c = 50
         d = 1240
         e = 8
         f = 19
         g = 3
         h = 204
         i = 80130
         j = 190
         k = 27
         l = 10
         m = 516
         n = 12
         o = 8192
         p = -1",
    );
}

#[test]
fn calls_change_what_their_references_and_pointers_denote() {
    values(
        "constexpr void bump(int &x) { ++x; } template <class T> constexpr void exchange(T &a, T &b) { T t = a; a = b; b = t; } constexpr int sizes[] = {32, 64, 128}; constexpr const int *middle = sizes + 1;
         struct Total { int v = 0; constexpr Total &add(int n) { v += n; return *this; } constexpr int operator()(int by) const { return v * by; } constexpr Total &operator+=(const Total &other) { v += other.v; return *this; } };
         constexpr int bumped(int n) { bump(n); bump(n); return n; } constexpr int chained(int n) { Total t; t.add(n).add(n * 2); Total u{1}; u += t; return u.v; }
         constexpr int sorted(int a, int b, int c) { int v[] = {a, b, c}; for (int i = 0; i < 3; i++) for (int j = i + 1; j < 3; ++j) if (v[j] < v[i]) exchange(v[i], v[j]); return v[0] * 100 + v[1] * 10 + v[2]; }
         constexpr int length(const char *s) { int n = 0; while (*s++) ++n; return n; } constexpr int summed(const int *from, const int *to) { int s = 0; while (from != to) s += *from++; return s; }
         template <unsigned long N> constexpr int whole(const int (&all)[N]) { int s = 0; for (int v : all) s += v; return s; } constexpr int listed() { int s = 0; for (auto v : {1, 2, 4}) s += v; return s; }
         struct Span { const int *first; int count; constexpr const int *begin() const { return first; } constexpr const int *end() const { return first + count; } }; constexpr int spanned(Span s) { int t = 0; for (const auto &v : s) t += v; return t; }
         struct Pair { int a, b; }; constexpr Pair step(int &n) { n += 10; return {n, n + 1}; } constexpr int taken() { int n = 0; auto [a, b] = step(n); Pair p{1, 2}; auto &[c, d] = p; c = 5; return n * 1000 + a * 20 + b + p.a; }
         constexpr int when(int n) { if (int q = n * 2; q > 5) return q; else if (auto z = q + 1) return z; return 0; }
         constexpr int a = bumped(40); constexpr int b = chained(3); constexpr int c = sorted(7, 3, 5); constexpr int d = length(\"hello\"); constexpr int e = summed(sizes, sizes + 2); constexpr int f = whole(sizes); constexpr int g = listed();
         constexpr int h = spanned({sizes, 3}); constexpr int i = taken(); constexpr int j = middle[1] * 1000 + *middle + middle[-1]; constexpr long k = &sizes[2] - middle; constexpr bool l = middle == &sizes[1] && middle != nullptr; constexpr int m = Total{4}(3); constexpr int n = when(4) * 10 + when(1); constexpr int o = sizes[3]; constexpr bool p = \"a\" == \"b\";",
        "middle = &sizes[1]
         a = 42
         b = 10
         c = 357
         d = 5
         e = 96
         f = 224
         g = 7
         h = 224
         i = 10216
         j = 128096
         k = 1
         l = true
         m = 12
         n = 83
         o = o
         p = p",
    );
}

#[test]
fn lambdas_packs_and_conversions_are_called() {
    values(
        "constexpr auto twice = [](int x) { return x * 2; }; constexpr auto widened = [](auto x) { return sizeof(x) + x; };
         constexpr int captured(int n) { int base = 5; auto copied = [base](int x) { return base + x; }; auto changed = [&](int x) { base += x; return base; }; changed(n); return copied(n) * 100 + base; }
         constexpr int nested(int n) { auto add = [](int a) { return [a](int b) { return a + b; }; }; auto apply = [](auto f, int x) { return f(f(x)); }; return apply(add(n), 100); }
         template <class F> constexpr int both(F f, int n) { return f(n) + f(n + 1); } template <class... T> constexpr int sum(T... t) { return (0 + ... + t); }
         template <class... T> constexpr int most(T... t) { int m = 0; ((m = t > m ? t : m), ...); return m; } template <class... T> constexpr int counted(T... t) { int all[] = {t...}; int s = 0; for (int x : all) s += x; return s + sizeof...(t); }
         struct Size { int n; constexpr operator int() const { return n; } }; constexpr Size size{12}; template <int N> struct Int { static constexpr int value = N; constexpr operator int() const { return value; } };
         struct Vec { int x, y; friend constexpr Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; } constexpr Vec operator*(int s) const { return Vec{x * s, y * s}; } constexpr bool operator==(const Vec &o) const { return x == o.x && y == o.y; } };
         struct Wide { long n; constexpr Wide(long l) : n(l) {} }; constexpr long width(Wide w) { return w.n + 1; } template <class T> constexpr int kind() { return 1; } template <> constexpr int kind<float>() { return 2; }
         enum Flag { One = 1, Four = 4 }; constexpr Flag operator|(Flag a, Flag b) { return Flag(int(a) + int(b) + 10); } template <class... T> constexpr Vec joined(T... t) { return (t + ...); }
         enum class Mode : char { A = 3, B }; constexpr int mode(Mode m) { switch (m) { case Mode::A: return 1; case Mode::B: return 2; } return 0; }
         constexpr int a = twice(21); constexpr int b = widened('\\x02'); constexpr int c = captured(6); constexpr int d = nested(7); constexpr int e = both([](int x) { return x * x; }, 3); constexpr int f = sum(1, 2, 3); constexpr int g = most(5, 7, 3); constexpr int h = counted(50, 60);
         constexpr int i = size * 2 + size; constexpr int j = Int<7>{} + Int<70>{} * 10; constexpr Vec k = Vec{1, 2} + Vec{3, 4} * 2; constexpr bool l = k == Vec{7, 10}; constexpr long m = width(61); constexpr int n = kind<int>() * 10 + kind<float>(); constexpr int o = mode(Mode::B); constexpr int p = One | Four; constexpr int q = joined(Vec{1, 2}, Vec{3, 4}, Vec{5, 6}).y;",
        "a = 42
         b = 3
         c = 1111
         d = 114
         e = 25
         f = 6
         g = 7
         h = 112
         i = 36
         j = 707
         k = Vec{7, 10}
         l = true
         m = 62
         n = 12
         o = 2
         p = 15
         q = 12",
    );
}

#[test]
fn what_is_not_known_leaves_no_value() {
    // The deepest calls need the stack that the threads of an analysis have.
    let deep = std::thread::Builder::new().stack_size(1 << 28).spawn(values_that_are_not_known);
    deep.expect("a thread starts").join().expect("the values are as expected");
}

fn values_that_are_not_known() {
    values(
        "int device(); union Bits { int i; float f; }; struct Field { int wide : 3; }; struct Virtual { virtual constexpr int get() const { return 1; } };
         struct Counted { int n; constexpr Counted(int v) : n(v) {} constexpr Counted(const Counted &other) : n(other.n + 1) {} }; constexpr int received(Counted c) { return c.n; }
         constexpr int text(std::string_view s) { return s == \"a\" ? 1 : 2; } constexpr int forgotten(int n) { int m = n; m = device(); return m; } constexpr int halfway(int n) { int m = 1; if (device()) m = n; return m; }
         constexpr int unused(int n) { int m = device(); if (n < 0) { (void)m; } return n; } constexpr int checked(int n) { assert(n > 0); return n; } constexpr long forever(long n) { for (;;) n = n * 3 + 1; return n; } constexpr int deep(int n) { return n ? deep(n - 1) + 1 : 0; }
         constexpr Counted original{4}; constexpr Counted duplicate{original};
         constexpr int a = Bits{1}.i; constexpr int b = Field{1}.wide; constexpr int c = Virtual{}.get(); constexpr int d = text(\"a\"); constexpr int e = forgotten(1); constexpr int f = halfway(2); constexpr int g = unused(3); constexpr int h = checked(4);
         constexpr int i = forever(1); constexpr int j = deep(100); constexpr int k = deep(100000); constexpr int l = duplicate.n; constexpr int m = received(Counted(7));",
        "a = a
         b = b
         c = c
         d = d
         e = e
         f = f
         g = 3
         h = 4
         i = i
         j = 100
         k = k
         l = 5
         m = 7",
    );
}

#[test]
fn enumerators_before_one_may_stand_in_its_value() {
    values(
        "enum class Policy : unsigned { none = 0, first = 1 << 0, second = 1 << 1, both = Policy::first | Policy::second, third = both + 1, all = Policy::both + Policy::third };
         template <class T> struct Holder { enum Sizes { one = sizeof(T), two = Holder::Sizes::one * 2, three = Holder<T>::two + Sizes::one }; };
         struct Later { enum Kind : int { low = 4, high = low + Kind::low, top = Later::high + Later::low }; };
         constexpr unsigned a = (unsigned)Policy::both; constexpr unsigned b = (unsigned)Policy::third; constexpr unsigned c = (unsigned)Policy::all;
         constexpr int d = Holder<double>::two; constexpr int e = Holder<char>::three; constexpr int f = Later::high; constexpr int g = Later::top;",
        "a = 3
         b = 4
         c = 7
         d = 16
         e = 3
         f = 8
         g = 12",
    );
}

#[test]
fn a_constructor_template_copies_no_object_of_its_class() {
    values(
        "int device(); struct Extent { int x, y; template <class X, class Y = int> constexpr Extent(X x, Y y = 1) : x(int(x)), y(int(y)) {} };
         constexpr Extent same(Extent of) { return of; } constexpr int width(Extent of) { return of.x; } constexpr Extent made() { int m = device(); return Extent(m, 3); }
         struct Size { int n; template <class... T> constexpr Size(Size of, T... more) : n(of.n + 10 * int(sizeof...(more))) {} constexpr Size(int of) : n(of) {} };
         constexpr Extent known(2, 5), copy = known;
         constexpr int a = same(known).x; constexpr int b = width(copy); constexpr int c = copy.y; constexpr int d = Extent(made()).x; constexpr int e = width(same(made())); constexpr int f = same(made()).y; constexpr int g = Size(Size(7), 1, 2).n; constexpr int h = Size(Size(7)).n;",
        "known = Extent{2, 5}
         copy = Extent{2, 5}
         a = 2
         b = 2
         c = 5
         d = d
         e = e
         f = 3
         g = 27
         h = 7",
    );
}

#[test]
fn template_arguments_of_class_type_are_compared_by_structure() {
    check(
        "struct Tile { int m, n; constexpr int area() const { return m * n; } };
         struct Plan { Tile t; int stages = 3; bool split = false; };
         #ifdef __CUDA_ARCH__
         constexpr int stages = 4;
         #else
         constexpr int stages = 2;
         #endif
         constexpr Plan make(int s) { Plan p{{s, s}}; p.stages = stages; p.split = s > 8; return p; }
         template <Plan P> __global__ void run() {}
         template <Tile T> __global__ void gemm() {}
         template <int N> __global__ void k() {}
         constexpr Plan big = make(16);
         template <Plan P> void launch() { run<P><<<1, 1>>>(); gemm<P.t><<<1, 1>>>(); k<P.t.area()><<<1, 1>>>(); }
         void all() { launch<big>(); launch<Plan{.t = {1, 2}, .stages = 9}>(); }",
        "80",
        "run<Plan{Tile{16, 16}, 2, true}> [host] at 13 from 14 because 3:#ifdef __CUDA_ARCH__
         run<Plan{Tile{16, 16}, 4, true}> [sm_80] at 13 from 14 because 3:#ifdef __CUDA_ARCH__",
    );
}
