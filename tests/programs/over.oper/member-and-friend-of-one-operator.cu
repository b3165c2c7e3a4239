// [over.oper] an operator has a member for one kind of operand and a function or a friend for another; the address-of operator
template <int N, class T> __global__ void k(T *) {}
template <class D> struct Facade {
  D operator-(long n) const { return static_cast<const D &>(*this); }
  D operator+(long n) const { return static_cast<const D &>(*this); }
  friend D operator+(long n, const Facade &f) { return static_cast<const D &>(f); }
};
template <class A, class B> long operator-(const Facade<A> &, const Facade<B> &) { return 0; }
struct Iterator : Facade<Iterator> { };
template <class T> struct Reference {
  T *operator&() const { return nullptr; }
  int operator&(int) const { return 0; }
};
template <class T> struct Pointer {
  Reference<T> operator*() const { return {}; }
};
template <int N, class T> void go(T) { k<N, T><<<1, 1>>>(nullptr); }
template <int N, class T> void raw(T *p) { k<N><<<1, 1>>>(p); }
int main() {
  Iterator a, b;
  go<1>(a - b);
  go<2>(a - 1);
  go<3>(1 + a);
  go<4>(a + 1);
  Pointer<float> p;
  raw<5>(&*p);
  go<6>(*p & 1);
}
