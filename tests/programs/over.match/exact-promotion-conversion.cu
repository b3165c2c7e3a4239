// [over.match] exact match before promotion before conversion, argument by argument
template <int N> __global__ void k() {}
void f(int) { k<1><<<1, 1>>>(); }
void f(long long) { k<2><<<1, 1>>>(); }
void f(double) { k<3><<<1, 1>>>(); }
void g(float) { k<4><<<1, 1>>>(); }
void g(double) { k<5><<<1, 1>>>(); }
void h(unsigned char) { k<6><<<1, 1>>>(); }
void h(unsigned) { k<7><<<1, 1>>>(); }
void h(bool) { k<8><<<1, 1>>>(); }
enum T : unsigned char { t };
int main() {
  f('c');
  f(true);
  f(1.f);
  f(1LL);
  g(1.0);
  h(t);
  h(3u);
}
