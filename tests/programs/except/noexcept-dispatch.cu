// [except] noexcept as a constant in template arguments and conditions
template <class T, int N> __global__ void k() {}
struct Safe { void go() noexcept; };
struct Risky { void go(); Risky(const Risky &) noexcept(false); };
template <class T> void run(T &t) {
  k<T, noexcept(t.go())><<<1, 1>>>();
  if constexpr (noexcept(T(static_cast<const T &>(t)))) k<T, 2><<<1, 1>>>();
  else k<T, 3><<<1, 1>>>();
}
void use(Safe &s, Risky &r) {
  run(s);
  run(r);
}
