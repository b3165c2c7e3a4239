// [class.friend], [basic.lookup.argdep] friends that a class defines
template <class T, int N> __global__ void k() {}
namespace n {
template <class T> struct S {
  friend void go(S &) { k<T, 1><<<1, 1>>>(); }
  friend void two(S, int, int) { k<T, 2><<<1, 1>>>(); }
  template <class U> friend void tpl(S, U) { k<U, 3><<<1, 1>>>(); }
  friend S operator+(S a, S) { k<T, 4><<<1, 1>>>(); return a; }
  friend bool operator==(const S &, const S &) { k<T, 5><<<1, 1>>>(); return true; }
  struct In { friend void inner(In) { k<T, 6><<<1, 1>>>(); } };
  friend int begin(S) { k<T, 7><<<1, 1>>>(); return 0; }
};
struct Plain { template <class T> struct M { friend void of(M) { k<T, 8><<<1, 1>>>(); } }; };
}
template <class T> void f(T s) { go(s); two(s, 1, 2); tpl(s, 1L); s + s; (void)(s == s); begin(s); }
template <class T> void g(T s) { inner(s); }
template <class T> struct Der : n::S<T> { };
template <class T> struct Box { T inside; void run() { go(inside); } };
struct Member { template <class T> void go(T s) { two(s, 3, 4); } };
int main() {
  f(n::S<int>()); g(n::S<char>::In()); Der<float> d; go(d); of(n::Plain::M<int>());
  Box<n::S<short>>().run(); Member().go(n::S<unsigned>());
}
