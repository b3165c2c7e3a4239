// [basic.scope.pdecl]/7 classes that elaborated type specifiers declare before their definitions
template <class T, int N> __global__ void k() {}
typedef struct First FirstAlias;
using SecondAlias = struct Second;
void take(struct Third *);
struct Outer {
  struct Fourth *pointer;
};
template <class L, class T> void plus(T t) {
  L left;
  left + t;
}
template <class L, class T> void called(T t) { L()(t); }
template <class T> void first(T t) { plus<FirstAlias>(t); }
template <class T> void second(T t) { plus<SecondAlias>(t); }
template <class T> void third(T t) { plus<Third>(t); }
template <class T> void fourth(T t) { called<Fourth>(t); }
struct First {
  template <class T> int operator+(T) {
    k<T, 1><<<1, 1>>>();
    return 1;
  }
};
struct Second {
  template <class T> int operator+(T) {
    k<T, 2><<<1, 1>>>();
    return 1;
  }
};
struct Third {
  template <class T> int operator+(T) {
    k<T, 3><<<1, 1>>>();
    return 1;
  }
};
struct Fourth {
  template <class T> void operator()(T) { k<T, 4><<<1, 1>>>(); }
};
int main() {
  first(1);
  second(1);
  third(1);
  fourth(1);
}
