// [over.match] braces prefer initializer_list constructors, then the others
#include <initializer_list>
template <int N> __global__ void k() {}
struct Dims {
  Dims(std::initializer_list<int>) { k<1><<<1, 1>>>(); }
  Dims(int, int) { k<2><<<1, 1>>>(); }
  Dims() { k<3><<<1, 1>>>(); }
};
struct Plain {
  Plain(int, double) { k<4><<<1, 1>>>(); }
  explicit Plain(const char *) { k<5><<<1, 1>>>(); }
};
void take(Dims) {}
void take(Plain, int) {}
int main() {
  Dims a{1, 2};
  Dims b(1, 2);
  Dims c{};
  take({4, 5, 6});
  take({1, 2.0}, 0);
}
