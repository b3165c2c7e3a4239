// [over.call.object] function objects that a template calls or passes on, got by names that do not spell their class
template <class T, int N> __global__ void k() {}
struct Launch {
  template <class T> void operator()(T) const { k<T, 0><<<1, 1>>>(); }
};
// A variable, and functions that return one.
const Launch launcher{};
Launch made() { return {}; }
inline auto deduced() { return Launch(); }
const Launch &referred();
// Classes that hold one, give one, or are one.
struct Holder {
  Launch held;
};
struct Giver {
  Launch give() const { return {}; }
  static Launch shared() { return {}; }
  static const Launch fixed;
};
const Launch Giver::fixed{};
struct Derived : Launch {};
using Alias = Launch;
template <class T> struct Of {
  using type = Launch;
  static type get() { return {}; }
};
template <class F, class T> void pass(F f, T value) { f(value); }
template <class F, class T> void twice(F f, T value) { pass(f, value); }
template <class T> void by_variable(T value) { launcher(value); }
template <class T> void by_variable_passed(T value) { twice(launcher, value); }
template <class T> void by_function(T value) { made()(value); }
template <class T> void by_auto(T value) {
  auto f = deduced();
  twice(f, value);
}
template <class T> void by_reference(T value) {
  auto &f = referred();
  f(value);
}
template <class H, class T> void by_member(H holder, T value) { holder.held(value); }
template <class G, class T> void by_member_function(const G &giver, T value) {
  auto f = giver.give();
  twice(f, value);
}
template <class T> void by_static_function(T value) { twice(Giver::shared(), value); }
template <class T> void by_static_member(T value) { Giver::fixed(value); }
template <class T> void by_trait(T value) {
  auto f = Of<T>::get();
  twice(f, value);
}
template <class F = Alias, class T> void by_default(T value) { F()(value); }
template <class T> void by_alias(T value) {
  using Local = typename Of<T>::type;
  Local f;
  twice(f, value);
}
template <class T> void by_local_class(T value) {
  struct Local : Derived {};
  Local f;
  twice(f, value);
}
template <class A, class T> void by_element(A &all, T value) { all[0](value); }
template <class P, class T> void by_pointer(P pointer, T value) { (*pointer)(value); }
template <class T> void by_lambda(T value) {
  auto f = made();
  auto inner = [f](auto given) { twice(f, given); };
  inner(value);
}
struct Outer {
  Holder holder;
  template <class T> void run(T value) { twice(holder.held, value); }
};
template <class O, class T> void by_outer(O outer, T value) { outer.run(value); }
int main() {
  by_variable(char());
  by_variable_passed(short());
  by_function(int());
  by_auto(long());
  by_reference(float());
  Holder holder;
  by_member(holder, double());
  Giver giver;
  by_member_function(giver, (signed char)0);
  by_static_function((unsigned char)0);
  by_static_member((unsigned short)0);
  by_trait(0u);
  by_default(0ul);
  Derived derived;
  twice(derived, 0ll);
  Outer outer;
  by_outer(outer, 0ull);
  by_alias((char *)0);
  by_local_class((short *)0);
  Launch all[1];
  by_element(all, (int *)0);
  by_pointer(&all[0], (long *)0);
  by_lambda((float *)0);
  auto again = made();
  twice(again, true);
}
const Launch &referred() { return launcher; }
