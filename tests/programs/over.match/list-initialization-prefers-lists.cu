// [over.match] initializer_list constructors come first in list-initialization
#include <initializer_list>
template <class T, int N> __global__ void k() {}
template <class T> struct Vec {
  Vec(std::initializer_list<T>) { k<T, 1><<<1, 1>>>(); }
  Vec(T, T) { k<T, 2><<<1, 1>>>(); }
  Vec() { k<T, 3><<<1, 1>>>(); }
};
int main() {
  Vec<int> a{1, 2};
  Vec<float> b(1.0f, 2.0f);
  Vec<char> c{};
  Vec<double> d = {1.0};
}
