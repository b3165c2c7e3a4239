// [over.ics.rank] a pointer is converted to one to the same type with the fewest added qualifiers, and drops none
template <int N, class T> __global__ void k() {}
template <class T> struct Of {};
template <class T> constexpr auto typed(void *) { return Of<T>{}; }
template <class T> constexpr auto typed(void const *) { return Of<T const>{}; }
template <class I> constexpr auto iterator(I) { return Of<Of<I>>{}; }
template <class T> constexpr auto iterator(void const *) { return Of<T const>{}; }
template <class T> constexpr auto iterator(void *) { return Of<T>{}; }
template <class T> constexpr auto iterator(decltype(nullptr)) { return Of<T[2]>{}; }
template <class T> constexpr auto variadic(void *, T) { return Of<T>{}; }
template <class T> constexpr auto variadic(...) { return Of<T[3]>{}; }
struct Base {};
struct Derived : Base {};
Of<int> of_base(Base *);
Of<char> of_base(Base const *);
Of<int> of_void(void *);
Of<char> of_void(void const *);
Of<int> of_volatile(volatile int *);
Of<char> of_volatile(const volatile int *);
Of<int> text(char *);
Of<int> either(char *, int);
Of<char> either(const char *, int);
template <class T> void all(T *changing, T const *constant) {
  k<1, decltype(typed<T>(changing))><<<1, 1>>>();
  k<2, decltype(typed<T>(constant))><<<1, 1>>>();
  k<3, decltype(iterator<T>(changing))><<<1, 1>>>();
  k<4, decltype(iterator<T>(constant))><<<1, 1>>>();
  k<5, decltype(iterator<T>(nullptr))><<<1, 1>>>();
  k<6, decltype(iterator(constant))><<<1, 1>>>();
  k<7, decltype(variadic<T>(changing, *changing))><<<1, 1>>>();
  k<8, decltype(variadic<T>(constant, *changing))><<<1, 1>>>();
}
int main() {
  float value = 0;
  all(&value, &value);
  Derived derived;
  Derived const &constant = derived;
  k<9, decltype(of_base(&derived))><<<1, 1>>>();
  k<10, decltype(of_base(&constant))><<<1, 1>>>();
  k<11, decltype(of_void(&derived))><<<1, 1>>>();
  k<12, decltype(of_void(&constant))><<<1, 1>>>();
  k<13, decltype(of_void("text"))><<<1, 1>>>();
  volatile int changing = 0;
  k<14, decltype(of_volatile(&changing))><<<1, 1>>>();
  k<15, decltype(text("text"))><<<1, 1>>>();
  k<16, decltype(either("text", 1))><<<1, 1>>>();
}
