// [class.mem] anonymous unions and structs, bit-fields: the types of their members
template <class T> __global__ void k() {}
template <class T> void go(T) { k<T><<<1, 1>>>(); }
struct Packed {
  union { float f; int i; };
  struct { short s[2]; } pair;
  unsigned flag : 1;
  bool on : 1;
};
int main() {
  Packed p{};
  go(p.f);
  go(p.pair.s);
  go(p.flag);
  go(p.on);
  go(&p.i);
}
