// [over.best.ics] which of T&, const T& and T&& takes what a function returns
template <class T, int N> __global__ void k() {}
template <class T> void go(T &) { k<T, 1><<<1, 1>>>(); }
template <class T> void go(const T &) { k<T, 2><<<1, 1>>>(); }
template <class T> void go(T &&) { k<T, 3><<<1, 1>>>(); }
int by_value();
float &by_reference();
const char &by_const();
double &&by_rvalue();
struct S { long m; static short s; };
S make();
int main() {
  go(by_value());
  go(by_reference());
  go(by_const());
  go(by_rvalue());
  go(make().m);
  S s;
  go(s.m);
  go(S::s);
}
