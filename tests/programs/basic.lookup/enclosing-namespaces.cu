// [basic.lookup] an unqualified call is looked up from the innermost namespace outwards
template <int N> __global__ void k() {}
template <class T> void run(T) { k<0><<<1, 1>>>(); }
namespace lib {
template <class T> void run(T) { k<1><<<1, 1>>>(); }
namespace detail {
void run(int) { k<2><<<1, 1>>>(); }
void use_int() { run(2.5); }
}
namespace impl {
void use_lib() { run(2.5); }
}
}
int main() {
  lib::detail::use_int();
  lib::impl::use_lib();
}
