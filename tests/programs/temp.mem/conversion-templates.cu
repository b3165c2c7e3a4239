// [temp.mem] conversion function templates deduce their result
template <class T, int N> __global__ void k() {}
struct Any {
  template <class T> operator T *() const { k<T, 1><<<1, 1>>>(); return nullptr; }
  template <class T> operator T &() const { k<T, 2><<<1, 1>>>(); static T t; return t; }
};
void take(const float *) {}
int main() {
  int *p = Any{};
  take(Any{});
  double &d = Any{};
}
