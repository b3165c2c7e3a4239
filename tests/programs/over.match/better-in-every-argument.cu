// [over.match] the best candidate is better in one argument and not worse in any
template <int N> __global__ void k() {}
void f(int, double) { k<1><<<1, 1>>>(); }
void f(int, int) { k<2><<<1, 1>>>(); }
void f(double, double) { k<3><<<1, 1>>>(); }
void f(const char *, ...) { k<4><<<1, 1>>>(); }
void f(...) { k<5><<<1, 1>>>(); }
struct S {};
int main() {
  f(1, 2.5);
  f(1, 'c');
  f(1.f, 2.f);
  f("%d", 1);
  f(S{}, 1);
}
