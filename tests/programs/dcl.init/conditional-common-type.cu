// [dcl.init] the conditional operator's operands are converted to their common type
template <class T, int N> __global__ void k() {}
template <class T> void go(T) { k<T, 1><<<1, 1>>>(); }
struct B {};
struct D : B {};
int main(int argc, char **) {
  go(argc ? 1 : 2.5f);
  go(argc ? 'a' : short(1));
  D d;
  B b;
  go(argc ? &b : &d);
  go(argc ? nullptr : "text");
  go(argc ? 1u : -1);
}
