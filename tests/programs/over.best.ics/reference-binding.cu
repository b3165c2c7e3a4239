// [over.best.ics] rvalue references bind rvalues, const references the rest; less qualified is better
#include <utility>
template <int N> __global__ void k() {}
struct M {};
void f(const M &) { k<1><<<1, 1>>>(); }
void f(M &&) { k<2><<<1, 1>>>(); }
void f(M &) { k<3><<<1, 1>>>(); }
void g(const int *) { k<4><<<1, 1>>>(); }
void g(int *) { k<5><<<1, 1>>>(); }
void h(const M *const &) { k<6><<<1, 1>>>(); }
void h(void *) { k<7><<<1, 1>>>(); }
M make();
int main() {
  M m;
  const M c;
  f(m);
  f(c);
  f(make());
  f(std::move(m));
  int i;
  const int j = 0;
  g(&i);
  g(&j);
  h(&m);
}
