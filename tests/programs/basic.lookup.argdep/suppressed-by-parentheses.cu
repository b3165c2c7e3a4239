// [basic.lookup.argdep] parentheses round the name, and a member of the class, switch argument-dependent lookup off
template <int N> __global__ void k() {}
namespace lib { struct Handle {}; void destroy(Handle) { k<1><<<1, 1>>>(); } }
template <class T> void destroy(T) { k<2><<<1, 1>>>(); }
struct Owner {
  void destroy(lib::Handle) { k<3><<<1, 1>>>(); }
  void close() { destroy(lib::Handle{}); }
};
int main() {
  lib::Handle h;
  destroy(h);
  (destroy)(h);
  Owner().close();
}
