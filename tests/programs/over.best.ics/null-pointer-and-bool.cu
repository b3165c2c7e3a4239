// [over.best.ics] a literal zero, nullptr and pointers against bool and integers
template <int N> __global__ void k() {}
void f(float *) { k<1><<<1, 1>>>(); }
void f(int) { k<2><<<1, 1>>>(); }
void g(bool) { k<3><<<1, 1>>>(); }
void g(const void *) { k<4><<<1, 1>>>(); }
void h(float *, int = 0) { k<5><<<1, 1>>>(); }
void h(bool, char) { k<6><<<1, 1>>>(); }
int main() {
  f(0);
  f(nullptr);
  g("text");
  g(0.5);
  h(0);
  h(nullptr, 1);
}
