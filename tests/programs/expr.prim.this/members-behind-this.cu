// [expr.prim.this] members behind this
template <class T, int N> __global__ void k() {}
template <class T> struct B { void m() { k<T, 1><<<1, 1>>>(); } template <class U> void t() { k<U, 2><<<1, 1>>>(); } };
template <class T> struct D : B<T> {
  void a() { this->m(); }
  void b() { auto f = [this] { this->m(); }; f(); }
  void c() { auto f = [=](auto x) { this->template t<decltype(x)>(); }; f(1); f('a'); }
  void d() { struct L : B<short> { void go() { this->m(); } }; L().go(); }
  struct In : B<long> { void go() { this->m(); } };
  void e() { In().go(); (*this).m(); (this)->m(); }
};
template <class P> struct Mix : P { void run() { this->start(); this->template with<int>(); } };
struct Start { template <class T = char> void start() { k<T, 3><<<1, 1>>>(); } template <class T> void with() { k<T, 4><<<1, 1>>>(); } };
template <class Self> struct Crtp { void go() { static_cast<Self *>(this)->impl(); } };
struct Impl : Crtp<Impl> { template <class T = float> void impl() { k<T, 5><<<1, 1>>>(); } };
template <class T> struct Fn { void operator()() { k<T, 6><<<1, 1>>>(); } void go() { (*this)(); this->operator()(); } };
template <class T> struct Data { B<T> part; void go() { this->part.m(); } };
template <class T> struct Ptr { B<T> *part; B<T> *operator->() { return part; } void go() { (*this)->m(); } };
template <class T> struct Conv { operator B<T>() { return B<T>(); } };
int main() { D<int> d; d.a(); D<char> e; e.b(); e.c(); e.d(); D<float> g; g.e(); Mix<Start>().run(); Impl().go(); Fn<int>().go(); Data<double>().go(); Ptr<bool>().go(); }
