// [over.match] overloads on const, reference qualifiers and on the static member
#include <utility>
template <int N> __global__ void k() {}
struct View {
  void map() & { k<1><<<1, 1>>>(); }
  void map() const & { k<2><<<1, 1>>>(); }
  void map() && { k<3><<<1, 1>>>(); }
  static void at(int) { k<4><<<1, 1>>>(); }
  void at(double) const { k<5><<<1, 1>>>(); }
};
const View &get();
int main() {
  View v;
  v.map();
  std::move(v).map();
  get().map();
  v.at(1);
  get().at(1.0);
  View::at(2);
}
