// [class.inhctor.init] an inherited constructor leaves the other parts to their default member initializers
template <class T, int N> __global__ void k(T) {}
template <class T> T made() { k<T, 1><<<1, 1>>>({}); return {}; }
template <class T> struct Part { Part() { k<T, 2><<<1, 1>>>({}); } };
template <class T> struct Base { Base() {} explicit Base(T x) { k<T, 3><<<1, 1>>>(x); } template <class U> Base(T, U u) { k<U, 4><<<1, 1>>>(u); } };
template <class T> struct Derived : Base<T> { using Base<T>::Base; T value = made<T>(); };
struct Plain { Plain(int) {} };
struct OfPlain : Plain { using Plain::Plain; Part<bool> part; };
int main() {
  Derived<int> a;
  Derived<float> b(1.f);
  Derived<char> c('c', 1.);
  OfPlain d(1);
}
