// [expr.type.conv] the operand of a functional cast to void or to a fundamental type is in the immediate context
template <class T, int N> __global__ void k() {}
template <class T, int N> void run() { k<T, N><<<1, 1>>>(); }
template <class T> T &&value();
template <class T, class = void> struct Constant { static void go() { run<T, 1>(); } };
template <class T> struct Constant<T, decltype(void(T::constant))> { static void go() { run<T, 2>(); } };
template <class T, class = void> struct Called { static void go() { run<T, 3>(); } };
template <class T> struct Called<T, decltype(void(value<T>().call()))> { static void go() { run<T, 4>(); } };
template <class T, class = void> struct Made { static void go() { run<T, 5>(); } };
template <class T> struct Made<T, decltype(void(T().call()))> { static void go() { run<T, 6>(); } };
template <class T, class = int> struct Sized { static void go() { run<T, 7>(); } };
template <class T> struct Sized<T, decltype(int(T::constant))> { static void go() { run<T, 8>(); } };
template <class T> auto choose(int) -> decltype(void(value<T>().call())) { run<T, 9>(); }
template <class T> void choose(...) { run<T, 10>(); }
template <class T> auto pick(T of, int) -> decltype(bool(of), int()) { run<T, 11>(); return 0; }
template <class T> void pick(T, ...) { run<T, 12>(); }
template <class T> void all() {
  Constant<T>::go();
  Called<T>::go();
  Made<T>::go();
  Sized<T>::go();
  choose<T>(0);
  pick(T(), 0);
}
struct Empty {};
struct Full { static const int constant = 1; void call(); explicit operator bool() const; };
int main() { all<Empty>(); all<Full>(); }
