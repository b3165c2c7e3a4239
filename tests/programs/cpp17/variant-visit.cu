// [cpp17] std::visit calls a generic lambda for each alternative
#include <variant>
template <class T> __global__ void k() {}
template <class... F> struct overloaded : F... { using F::operator()...; };
template <class... F> overloaded(F...) -> overloaded<F...>;
using Any = std::variant<float *, double *, int *>;
void run(Any any) {
  std::visit([](auto *p) { k<std::remove_pointer_t<decltype(p)>><<<1, 1>>>(); }, any);
}
void other(std::variant<char, short> v) {
  std::visit(overloaded{[](char) { k<char *><<<1, 1>>>(); }, [](short) { k<short *><<<1, 1>>>(); }}, v);
}
