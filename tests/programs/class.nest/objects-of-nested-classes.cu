// [class.nest] objects of nested classes, created by their simple names and as members: initializers, virtual functions, copies
template <class T, int N> __global__ void k(T) {}
template <class T> T made() { k<T, 1><<<1, 1>>>({}); return {}; }
template <class T> struct Local { struct In { T value = made<T>(); }; void go() { In in; } };
template <class T> struct Member { struct In { void (*run)(T) = [](T x) { k<T, 2><<<1, 1>>>(x); }; }; In in; };
template <class T> struct Derived { struct In { T value = made<T>(); }; struct Other : In {}; Other other; };
template <class T> struct Outer {
  struct Impl { virtual void go() { k<T, 3><<<1, 1>>>({}); } };
  static void make() { new Impl; }
};
struct Plain { template <class U> struct Sub { virtual void go() { k<U, 4><<<1, 1>>>({}); } }; };
template <class T> struct Part { Part() {} Part(const Part &) { k<T, 5><<<1, 1>>>({}); } };
template <class T> struct Copied { struct In { Part<T> part; }; In in; In get() const { return in; } };
int main() {
  Local<int>().go();
  Member<float> member;
  Derived<char> derived;
  Outer<long>::make();
  Plain::Sub<short> sub;
  Copied<double> copied;
  copied.get();
}
