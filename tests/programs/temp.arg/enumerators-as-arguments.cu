// [temp.arg] scoped and unscoped enumerators, casts between them and arithmetic
enum class Op : unsigned char { add, mul = 4, fma };
enum Flags { none = 0, tail = 1, vec = 2 };
template <Op O, int F> __global__ void k() {}
template <Op O> struct Next { static constexpr Op value = static_cast<Op>(static_cast<int>(O) + 1); };
template <Op O> void go() {
  k<O, tail | vec><<<1, 1>>>();
  k<Next<O>::value, (O == Op::mul ? vec : none)><<<1, 1>>>();
}
int main() {
  go<Op::add>();
  go<Op::mul>();
}
