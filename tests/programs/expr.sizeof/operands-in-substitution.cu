// [expr.sizeof] [temp.deduct] sizeof and alignof of classes that are not defined, and of operands that are not valid
template <class... T> __global__ void k() {}
template <int N> struct Is {};
template <class...> using Void = void;
template <class T> T &&made();
typedef struct Opaque_st *Opaque;
struct Declared;
struct Defined {
  int field;
  struct Inner;
  using type = char;
};
struct Defined::Inner {
  short value;
};
template <class T> struct Primary;
template <> struct Primary<int> {
  int list[3];
};
template <class T> struct Primary<T *> {
  T *first;
};
template <class T> struct Pointee;
template <class T> struct Pointee<T *> {
  using type = T;
};
template <class T, class = void> struct Complete {
  using type = Is<0>;
};
template <class T> struct Complete<T, Void<decltype(sizeof(T))>> {
  using type = Is<1>;
};
template <class T, unsigned long = 1> struct Sized {
  using type = Is<2>;
};
template <class T> Is<3> aligned(...);
template <class T, unsigned long N = alignof(T)> Is<N * 0 + 4> aligned(int);
template <class T> Is<5> nested(...);
template <class T> auto nested(int) -> decltype(sizeof(typename T::type), Is<6>());
template <class T> Is<7> fielded(...);
template <class T, class = decltype(sizeof(made<T>().field))> Is<8> fielded(int);
template <class T> Is<9> compared(...);
template <class T, bool B = (sizeof(T) > 4)> Is<B ? 10 : 11> compared(int);
template <class T> void all() {
  k<T *, typename Complete<T>::type><<<1, 1>>>();
  k<T *, decltype(aligned<T>(0))><<<1, 1>>>();
  k<T *, decltype(nested<T>(0))><<<1, 1>>>();
  k<T *, decltype(fielded<T &>(0))><<<1, 1>>>();
  k<T *, decltype(compared<T>(0))><<<1, 1>>>();
}
int main() {
  all<Pointee<Opaque>::type>();
  all<Declared>();
  all<Defined>();
  all<Defined::Inner>();
  all<Primary<char>>();
  all<Primary<int>>();
  all<Primary<int *>>();
  all<long>();
  all<long[2]>();
}
