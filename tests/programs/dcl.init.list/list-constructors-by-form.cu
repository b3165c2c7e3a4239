// [dcl.init.list] braces prefer the constructor that takes a list where its elements convert, parentheses do not
#include <initializer_list>
template <class T, int N> __global__ void k() {}
template <class E> struct Key {};
template <class T> struct Row {
  Row(std::initializer_list<T>) { k<T, 1><<<1, 1>>>(); }
  Row(T, int) { k<T, 2><<<1, 1>>>(); }
  Row(Key<T>, Key<T>) { k<T, 3><<<1, 1>>>(); }
  explicit Row(int *) { k<T, 4><<<1, 1>>>(); }
};
template <class T> struct Owner {
  Row<T> row;
  Owner(int) : row{T(1), 2} {}
  Owner(short) : row(T(1), 2) {}
};
void take(Row<long>) {}
int main() {
  Row<int> a{1, 2};
  Row<float> b(1.0f, 2);
  Row<char> c{Key<char>(), Key<char>()};
  Row<short> d = {1, 2, 3};
  int *p = nullptr;
  Row<double> e{p};
  take({1, 2});
  Owner<signed char> f(1);
  Owner<unsigned char> g(short(1));
}
