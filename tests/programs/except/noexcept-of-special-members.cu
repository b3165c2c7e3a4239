// [except] exception specifications of implicit members, operators, templates and conversions as constants
// std: c++17
template <class T, int N> __global__ void k() {}
struct Plain { int a; };
struct Throws { Throws(const Throws &); Throws(Throws &&) noexcept; Throws() noexcept(false); };
struct Holds { Throws inner; };
struct Base { ~Base() noexcept(false); };
struct Derived : Base { int n; };
template <bool Safe> struct Op {
  Op operator+(Op) const;
  friend bool operator==(const Op &, const Op &) noexcept(Safe) { return true; }
  int operator[](int) const noexcept;
  void call() const noexcept(!Safe);
};
template <class T> void copied() {
  k<T, noexcept(T(static_cast<const T &>(*(T *)nullptr)))><<<1, 1>>>();
  k<T, 10 + noexcept(T(static_cast<T &&>(*(T *)nullptr)))><<<1, 1>>>();
}
template <class T> T &&declared() noexcept;
template <class T> void operators() {
  k<T, 20 + noexcept(declared<T>() == declared<T>())><<<1, 1>>>();
  k<T, 30 + noexcept(declared<T>()[1])><<<1, 1>>>();
  k<T, 40 + noexcept(declared<T>().call())><<<1, 1>>>();
  if constexpr (noexcept(declared<T>().call()) && !noexcept(declared<T>() == declared<T>())) k<T, 50><<<1, 1>>>();
}
template <class... T> void all(T... values) noexcept((noexcept(T(values)) && ...)) {}
int main() {
  copied<Plain>();
  copied<Throws>();
  copied<Holds>();
  copied<Derived>();
  operators<Op<true>>();
  operators<Op<false>>();
  k<char, 60 + noexcept(1 + 2 * 3)><<<1, 1>>>();
  k<char, 70 + noexcept(Plain{1})><<<1, 1>>>();
  k<char, 80 + noexcept(throw 1)><<<1, 1>>>();
}
