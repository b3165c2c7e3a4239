// [over.oper] operators build an expression type, whose assignment launches
template <class E, class T> __global__ void assign(T *out, E e) {}
template <class E> struct Expr { const E &self() const { return static_cast<const E &>(*this); } };
template <class Op, class A, class B> struct Bin : Expr<Bin<Op, A, B>> { A a; B b; Bin(A a, B b) : a(a), b(b) {} };
template <class T> struct Lit : Expr<Lit<T>> { T v; explicit Lit(T v) : v(v) {} };
struct Plus {};
struct Times {};
template <class A, class B> Bin<Plus, A, B> operator+(const Expr<A> &a, const Expr<B> &b) {
  return {a.self(), b.self()};
}
template <class A> Bin<Times, Lit<float>, A> operator*(float s, const Expr<A> &a) { return {Lit<float>(s), a.self()}; }
template <class T> struct Vec : Expr<Vec<T>> {
  T *p = nullptr;
  template <class E> Vec &operator=(const Expr<E> &e) { assign<E, T><<<1, 1>>>(p, e.self()); return *this; }
};
int main() {
  Vec<float> x, y, z;
  z = x + y;
  z = 2.f * x + y;
}
