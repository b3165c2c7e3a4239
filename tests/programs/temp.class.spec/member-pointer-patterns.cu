// [temp.class.spec] specializations for pointers to members and for functions with qualifiers
template <class T, int N> __global__ void k() {}
template <class T> struct Traits;
template <class C, class T> struct Traits<T C::*> { using type = T; static constexpr int n = 1; };
template <class C, class R, class... A> struct Traits<R (C::*)(A...)> { using type = R; static constexpr int n = 10 + sizeof...(A); };
template <class C, class R, class... A> struct Traits<R (C::*)(A...) const> { using type = R; static constexpr int n = 20 + sizeof...(A); };
struct S { float x; int get(char); double peek() const; };
template <class M> void go(M) { k<typename Traits<M>::type, Traits<M>::n><<<1, 1>>>(); }
int main() {
  go(&S::x);
  go(&S::get);
  go(&S::peek);
}
