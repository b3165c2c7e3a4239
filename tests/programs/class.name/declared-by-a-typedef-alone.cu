// [class.name] [basic.scope.pdecl] classes that an elaborated type specifier declares, with no definition or a later one
template <class T, int N> __global__ void k() {}
typedef struct Never_st *Never;
typedef struct Later_st *Later;
namespace inner {
typedef struct Never_inner_st *Never;
}
template <int N, class T> struct Steps {
  static constexpr unsigned long count = Steps<N - 1, T>::count + Steps<N - 2, T>::count;
};
template <class T> struct Steps<0, T> {
  static constexpr unsigned long count = 0;
};
template <class T> struct Steps<1, T> {
  static constexpr unsigned long count = 1;
};
template <int N, class T> constexpr unsigned long steps = steps<N - 1, T> + steps<N - 2, T>;
template <class T> constexpr unsigned long steps<0, T> = 0;
template <class T> constexpr unsigned long steps<1, T> = 2;
struct Owner {
  int field;
  void call();
};
template <class T> struct Pointee;
template <class T> struct Pointee<T *> {
  using type = T;
};
struct Later_st {
  int first;
  long second[3];
};
template <class T> void go() {
  k<T, steps<50, T> % 1000><<<1, 1>>>();
  k<T, Steps<51, T>::count % 1000><<<1, 1>>>();
}
int main() {
  go<Never>();
  go<inner::Never>();
  go<Later>();
  go<int Owner::*>();
  go<void (Owner::*)()>();
  k<Later, sizeof(Pointee<Later>::type)><<<1, 1>>>();
}
