// [over.match] calling an object that converts to a pointer to function
template <int N> __global__ void k() {}
void one(int) { k<1><<<1, 1>>>(); }
void two(double) { k<2><<<1, 1>>>(); }
template <class T> void three(T) { k<3><<<1, 1>>>(); }
struct Callable {
  using I = void (*)(int);
  using D = void (*)(double);
  operator I() const { k<10><<<1, 1>>>(); return one; }
  operator D() const { k<20><<<1, 1>>>(); return two; }
};
struct Generic { using F = void (*)(char); operator F() const { return three<char>; } };
int main() {
  Callable c;
  c(1.0);
  Generic()('x');
}
