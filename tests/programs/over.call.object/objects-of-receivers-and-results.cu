// [over.call.object] function objects that receivers, function types, local functions and other givers give
template <class T, int N> __global__ void k() {}
struct Launch {
  template <class T> void operator()(T) const { k<T, 0><<<1, 1>>>(); }
};
void other() { Launch()(1.0); }
template <class F, class T> void call(const F &f, T t) { f(t); }
// Receivers.
struct Holder {
  Launch own;
  template <class T> void go(T t) { own(t); }
};
template <class F> struct Box {
  F own;
  template <class T> void go(T t) { own(t); }
};
template <class D> struct Base {
  template <class T> void go(T t) { static_cast<D *>(this)->impl(t); }
};
struct Crtp : Base<Crtp> {
  Launch own;
  template <class T> void impl(T t) { own(t); }
};
struct Statics {
  static Holder held;
  static Holder &get() { return held; }
  Holder some[2];
};
Holder Statics::held;
template <class F> Box<F> boxed(F) { return {}; }
void receivers() {
  Holder().go(char());
  (new Holder)->go(short());
  Statics::held.go(int());
  Statics::get().go(long());
  Statics s;
  s.some[1].go((signed char)0);
  Box<Launch>().go((unsigned char)0);
  boxed(Launch()).go((unsigned short)0);
  Crtp().go(0u);
}
// Function types.
void by_pointer(Launch (*made)()) {
  auto f = made();
  call(f, 0ul);
}
template <class S, class T> void by_type(T t) {
  S *made = nullptr;
  call(made(), t);
}
template <class S> struct Result;
template <class R, class... A> struct Result<R(A...)> {
  using type = R;
};
template <class S, class T> void by_result(T t) {
  typename Result<S>::type f;
  call(f, t);
}
template <class T> void by_local_function(T t) {
  Launch made();
  call(made(), t);
}
void types() {
  by_type<Launch()>(0ll);
  by_result<Launch(int)>(0ull);
  by_local_function(true);
}
// What gives what another gives.
const Launch launcher{};
auto &another = launcher;
auto &given() { return launcher; }
struct Gives {
  auto &get() const { return launcher; }
  static constexpr auto &fixed = launcher;
  decltype(launcher) own{};
};
template <class T> void by_another(T t) { another(t); }
template <class T> void by_given(T t) { given()(t); }
template <class G, class T> void by_member(const G &gives, T t) { call(gives.get(), t); }
template <class G, class T> void by_fixed(T t) { call(G::fixed, t); }
void givers() {
  by_another((char *)0);
  by_given((short *)0);
  call(given(), (int *)0);
  Gives gives;
  by_member(gives, (long *)0);
  by_fixed<Gives>((float *)0);
  call(gives.own, (double *)0);
}
Launch made() { return {}; }
