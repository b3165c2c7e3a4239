// [cuda] a module object takes function pointers of templates, overloaded by casts
template <class T, int N> __global__ void k(T *p) {}
template <class T> void forward(T *p, int n) { k<T, 1><<<1, 1>>>(p); }
void forward(void *p) { k<char, 2><<<1, 1>>>(nullptr); }
template <class T> float loss(const T *, T) { k<T, 3><<<1, 1>>>(nullptr); return 0; }
struct Module {
  template <class F> Module &def(const char *, F &&) { return *this; }
  template <class R, class... A> Module &raw(const char *, R (*)(A...)) {
    k<R, sizeof...(A)><<<1, 1>>>(nullptr);
    return *this;
  }
};
void init(Module &m) {
  m.def("a", &forward<float>).def("b", static_cast<void (*)(void *)>(&forward)).raw("loss", loss<double>);
  m.def("l", [](int n) { forward((short *)nullptr, n); });
}
