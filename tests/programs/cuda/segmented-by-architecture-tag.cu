// [cuda] architecture tags inherit, overloads take the nearest
template <int Arch, class T> __global__ void k() {}
struct Sm70 { static constexpr int value = 70; };
struct Sm80 : Sm70 { static constexpr int value = 80; };
struct Sm90 : Sm80 { static constexpr int value = 90; };
template <class T> void run(Sm70 tag, T) { k<decltype(tag)::value, T><<<1, 1>>>(); }
template <class T> void run(Sm80, T *) { k<Sm80::value, T><<<1, 1>>>(); }
template <class T> struct Op { template <class A> static void go(A a) { run(a, T()); } };
template <class F> void dispatch(int cc, F f) { if (cc >= 90) f(Sm90{}); else if (cc >= 80) f(Sm80{}); else f(Sm70{}); }
int main(int argc, char **) {
  dispatch(argc, [](auto arch) { Op<float>::go(arch); });
  dispatch(argc, [](auto arch) { Op<int *>::go(arch); });
}
