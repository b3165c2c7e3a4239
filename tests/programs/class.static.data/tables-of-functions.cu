// [class.static.data] static tables of pointers to functions in class templates, and templates of static data members
template <class T, int N> __global__ void k(T) {}
template <class T, int N> void run(T x) { k<T, N><<<1, 1>>>(x); }
template <class T> struct Own {
  static void one(T x) { k<T, 1><<<1, 1>>>(x); }
  static void two(T x) { k<T, 2><<<1, 1>>>(x); }
  static constexpr void (*first)(T) = one;
  static inline void (*const both[])(T) = {&Own::one, two};
  static void go(T x) { first(x); }
  static void all(T x, int i) { both[i](x); }
};
template <class T> struct Outside {
  static void (*const table[])(T);
  static void (*single)(T);
  static const int count;
  static void go(T x, int i) { table[i](x); }
  static void once(T x) { single(x); }
};
template <class T> int counted() { k<T, 3><<<1, 1>>>({}); return 1; }
template <class T> void (*const Outside<T>::table[])(T) = {run<T, 4>, &run<T, 5>};
template <class T> void (*Outside<T>::single)(T) = &Own<T>::two;
template <class T> const int Outside<T>::count(counted<T>());
template <class T> struct Matrix {
  using F = void (*)(T);
  static constexpr F cells[2][2] = {{run<T, 6>, &run<T, 7>}, {run<T, 8>, [](T x) { k<T, 9><<<1, 1>>>(x); }}};
  static constexpr auto lambda = [](T x) { k<T, 10><<<1, 1>>>(x); };
  static void go(T x, int i, int j) { cells[i][j](x); }
  static void call(T x) { lambda(x); }
};
struct Plain {
  template <class T> static constexpr void (*hook)(T) = run<T, 11>;
  template <class T> inline static int ready = counted<T>();
  template <class T> static void go(T x) { hook<T>(x); }
};
int main() {
  Own<int>::go(1);
  Own<float>::all(1, 1);
  Outside<char>::go('c', 1);
  Outside<short>::once(1);
  Matrix<long>::go(1, 0, 1);
  Matrix<double>::call(1);
  Plain::go(true);
  return Outside<unsigned>::count + Plain::ready<unsigned char>;
}
