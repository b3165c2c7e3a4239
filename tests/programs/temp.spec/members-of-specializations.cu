// [temp.spec] explicit specializations of member functions, members templates and static members
template <class T, int N> __global__ void k() {}
template <class T> struct A {
  void f() { k<T, 1><<<1, 1>>>(); }
  template <class U> void g() { k<U, 2><<<1, 1>>>(); }
  static constexpr int n = 3;
};
template <> void A<int>::f() { k<int, 10><<<1, 1>>>(); }
template <> template <> void A<int>::g<char>() { k<char, 20><<<1, 1>>>(); }
int main() {
  A<int>{}.f();
  A<float>{}.f();
  A<int>{}.g<char>();
  A<int>{}.g<short>();
  A<float>{}.g<char>();
}
