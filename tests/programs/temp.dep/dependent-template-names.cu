// [temp.dep] template disambiguators behind ., -> and ::
template <class T, int N> __global__ void k() {}
struct Backend {
  template <class T> struct Api {
    template <int N> static void run() { k<T, N><<<1, 1>>>(); }
    template <int N> Api &set() { k<T, -N><<<1, 1>>>(); return *this; }
  };
  template <class T> Api<T> api() { return {}; }
};
template <class B> void use(B b, B *p) {
  b.template api<float>().template set<2>().template set<3>();
  p->template api<int>().template run<4>();
  B::template Api<char>::template run<5>();
  using A = typename B::template Api<double>;
  A::template run<6>();
}
int main() { Backend b; use(b, &b); }
