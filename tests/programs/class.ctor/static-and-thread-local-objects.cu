// [class.ctor] constructors of namespace-scope objects, static locals and inline variables
template <class T, int N> __global__ void k() {}
template <class T> struct Init { Init() { k<T, 1><<<1, 1>>>(); } void use() { k<T, 2><<<1, 1>>>(); } };
static Init<int> at_namespace;
namespace { Init<char> anonymous; }
inline Init<short> shared;
Init<float> &instance() {
  static Init<float> object;
  return object;
}
template <class T> Init<T> &lazy() {
  static Init<T> object;
  return object;
}
int main() {
  instance().use();
  lazy<double>();
  extern Init<long> elsewhere;
}
