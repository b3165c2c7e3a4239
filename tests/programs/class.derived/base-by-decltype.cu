// [class.derived] the base class is the type of a call that overload resolution chooses
template <int N> __global__ void k() {}
template <bool B> struct truth { static constexpr bool value = B; };
template <class T> struct count;
template <class... T> struct list { };
template <class... T> struct count<list<T...>> { static constexpr int value = sizeof...(T); };
template <class T> auto has_count(T *) -> truth<(0 <= count<T>::value)>;
auto has_count(...) -> truth<false>;
template <class T> struct is_list : decltype(has_count((T *)0)) { };
int main() {
  k<is_list<list<int, char>>::value ? 1 : 2><<<1, 1>>>();
  k<is_list<int>::value ? 3 : 4><<<1, 1>>>();
}
