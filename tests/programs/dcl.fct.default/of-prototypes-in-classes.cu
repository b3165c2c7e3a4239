// [dcl.fct.default] a member's default argument where the class declares it and where it defines it
template <class T, int N> __global__ void k() {}
template <class T> int tick(int n) { k<T, 1><<<1, 1>>>(); return n; }
struct Declared { void go(float = tick<char>(4)); };
void Declared::go(float) {}
struct Defined { void go(float = tick<short>(4)) {} };
int main() {
  Declared d;
  d.go();
  Defined().go();
}
