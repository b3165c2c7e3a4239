// [over.over] a target type gives the template arguments that a template-id leaves out
template <class T, int N> __global__ void k(const void *, T *) {}
template <class T> using Convert = void (*)(const void *, T *);
template <int N, class T> void run(const void *x, T *y) { k<T, N><<<1, 1>>>(x, y); }
template <int N, class T> struct Runner {
  template <class U, class V> static void go(const void *, V *) { k<V, N + int(sizeof(U))><<<1, 1>>>(nullptr, (V *)nullptr); }
};
Convert<float> returned(int n) {
  switch (n) {
    case 1: return run<1>;
    case 2: return &run<2>;
    default: return nullptr;
  }
}
void take(Convert<short> f) {}
template <class T> void registered(Convert<T> f = run<8>) {}
template <class T> struct Table {
  Convert<T> entries[2] = {run<9>, &run<10>};
  Convert<T> get() { return run<11>; }
};
int main() {
  Convert<int> initialized = run<3>;
  Convert<char> assigned;
  assigned = run<4>;
  take(run<5>);
  take(run<6, short>);
  auto cast = static_cast<Convert<double>>(run<7>);
  registered<long>();
  Table<unsigned> table;
  table.get();
  Convert<bool> list[] = {run<12>, &run<13>};
  Convert<signed char> member = Runner<20, int>::go<char>;
}
