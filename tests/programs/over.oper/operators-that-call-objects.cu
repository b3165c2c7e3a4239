// [over.match.oper] operators of which only the operands' call operators lead to kernels, at once or by a conversion
template <class T, int N> __global__ void k(T) {}
template <class T> struct Value {
  T value;
  template <class F> auto operator>>=(F f) const { return f(value); }
};
struct Step { template <class T> Value<float> operator()(T x) const { k<T, 1><<<1, 1>>>(x); return {1.f}; } };
template <class F> struct Adapted {
  F f;
  template <class X> friend auto operator|(X x, const Adapted &a) { return a.f(x); }
};
template <class F> auto adapt(F f) { return Adapted<F>{f}; }
struct Launch { template <class T> double operator()(T x) const { k<T, 2><<<1, 1>>>(x); return 1; } };
template <class T> struct Task { void operator()() { k<T, 3><<<1, 1>>>({}); } };
struct Erased { Erased() {} template <class F> Erased(F f) { f(); } };
struct Queue {
  Queue &operator<<(Erased) { return *this; }
  Queue &operator[](Erased) { return *this; }
  Queue &operator+=(const Erased &) { return *this; }
};
Queue operator+(Queue queue, Erased) { return queue; }
template <class V, class F> void in_template(V v, F f) { v >>= f; }
int main() {
  (Value<int>{1} >>= Step{}) >>= Step{};
  in_template(Value<long>{}, Step{});
  3u | adapt(Launch{});
  Adapted<Launch> launch{};
  'c' | launch;
  Queue queue;
  queue << Task<int>{};
  queue[Task<float>{}];
  queue += Task<char>{};
  queue + Task<short>{};
  Erased erased;
  erased = Task<long>{};
}
