// [temp.deduct] a name that is missing in a discarded statement of a called function makes no substitution fail
template <int N> __global__ void k() {}
template <bool B, class T = void> struct enable_if { };
template <class T> struct enable_if<true, T> { using type = T; };
template <class T> struct part;
template <class A, class B> struct duo { };
template <class A, class B> struct part<duo<A, B>> { static constexpr int value = 2; };
template <class T> struct is_duo { static constexpr bool value = false; };
template <class A, class B> struct is_duo<duo<A, B>> { static constexpr bool value = true; };
template <class T> constexpr bool large() {
  if constexpr (is_duo<T>::value) { return part<T>::value > 1; } else { constexpr bool big = sizeof(T) > 4; return big; }
}
template <class T, class = void> struct Op { static constexpr int value = 1; };
template <class T> struct Op<T, typename enable_if<true && not large<T>()>::type> { static constexpr int value = 2; };
int main() {
  k<Op<int>::value><<<1, 1>>>();
  k<Op<double>::value + 10><<<1, 1>>>();
  k<Op<duo<int, int>>::value + 20><<<1, 1>>>();
}
