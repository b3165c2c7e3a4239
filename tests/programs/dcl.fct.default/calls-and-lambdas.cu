// [dcl.fct.default] default arguments that call, construct and hold lambdas
template <class T, int N> __global__ void k() {}
template <class T> int prepare() { k<T, 1><<<1, 1>>>(); return 0; }
struct Stream { Stream() { k<Stream, 2><<<1, 1>>>(); } };
void one(int = prepare<int>(), const Stream & = Stream()) {}
template <class T> void two(T, int = prepare<T>()) {}
void three(int (*f)() = [] { k<char, 3><<<1, 1>>>(); return 1; }) { f(); }
int main() {
  one();
  two(1.f);
  two(1.0, 2);
  three();
}
