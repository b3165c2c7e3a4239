// [basic.scope.block] a result is deduced with the names in scope at the return statement, not with those of other blocks
template <class T, int N> __global__ void k() {}
struct A { int a; };
float *size(A *);
template <class T> auto nested(T *t) { { int size = 1; (void)size; } auto s = size(t); return s; }
template <class T> auto loop(T *t) { for (int size = 0; size < 2; ++size) {} auto s = size(t); return s; }
template <class T> auto condition(T *t) { if (int size = 1) { (void)size; } auto s = size(t); return s; }
template <class T> auto within(T *t) { if (t) { auto s = size(t); return s; } { int s = 0; (void)s; } return size(t); }
template <class T> auto lambda(T *t) { { int size = 1; auto l = [] { return 1; }; l(); (void)size; } return size(t); }
template <int N, class T> void show(T) { k<T, N><<<1, 1>>>(); }
int main() {
  A *a = nullptr;
  show<0>(nested(a));
  show<1>(loop(a));
  show<2>(condition(a));
  show<3>(within(a));
  show<4>(lambda(a));
}
