// [class.static.data] inline static members and their initializers, of classes and templates
template <class T, int N> __global__ void k() {}
template <class T> int launch() { k<T, 1><<<1, 1>>>(); return 1; }
struct Plain { inline static int a = launch<int>(); static int b; };
int Plain::b = launch<float>();
template <class T> struct Temp {
  inline static int used = launch<T>();
  inline static int unused = launch<T *>();
  static int get() { return used; }
};
int main() { return Temp<char>::get(); }
