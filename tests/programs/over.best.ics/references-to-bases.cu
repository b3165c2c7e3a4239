// [over.best.ics] bindings to bases, to the nearer base first
template <class T, int N> __global__ void k() {}
struct A {};
struct B : A {};
struct C : B {};
template <int N> void hit() { k<int, N><<<1, 1>>>(); }
void go(const A &) { hit<1>(); }
void go(const B &) { hit<2>(); }
void go(B &&) { hit<3>(); }
void ptr(A *) { hit<4>(); }
void ptr(const void *) { hit<5>(); }
template <class T> void pick(T &&) { hit<6>(); }
void pick(const C &) { hit<7>(); }
int main() {
  C c;
  const C cc{};
  go(c);
  go(C{});
  ptr(&c);
  pick(c);
  pick(cc);
}
