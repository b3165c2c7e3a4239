// [except] noexcept(e) in signatures, function types and specializations by it
template <class T, int N> __global__ void k() {}
template <class T> struct Info { static constexpr int value = 0; };
template <class R, class... A> struct Info<R(A...)> { static constexpr int value = 1; };
template <class R, class... A> struct Info<R(A...) noexcept> { static constexpr int value = 2; };
void plain(int) noexcept(false);
void safe(int) noexcept(true);
template <class T> void cond(T) noexcept(sizeof(T) == 4) { k<T, 5><<<1, 1>>>(); }
template <class F> void go(F *) { k<int, Info<F>::value><<<1, 1>>>(); }
int main() {
  k<float, Info<int>::value><<<1, 1>>>();
  k<float, Info<void(int)>::value><<<1, 1>>>();
  cond(1);
  cond(2.0);
}
