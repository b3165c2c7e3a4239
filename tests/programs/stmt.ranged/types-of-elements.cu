// [stmt.ranged] the loop's variable has the type of what the iterator gives
#include <array>
#include <map>
#include <vector>
template <class T> __global__ void k() {}
template <class T> void go(T) { k<T><<<1, 1>>>(); }
template <class T> struct Range {
  struct It {
    T *p;
    T &operator*() { return *p; }
    It &operator++() { return *this; }
    bool operator!=(It) { return false; }
  };
  It begin() { return {}; }
  It end() { return {}; }
};
int main() {
  for (auto v : Range<float>{}) go(v);
  for (auto &v : std::vector<short *>{}) go(v);
  for (const auto &[key, value] : std::map<int, double>{}) go(value);
  char text[3] = {};
  for (auto c : text) go(c);
  std::array<long, 2> a{};
  for (auto &&e : a) go(&e);
}
