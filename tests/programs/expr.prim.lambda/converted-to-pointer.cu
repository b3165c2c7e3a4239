// [expr.prim.lambda] captureless lambdas as function pointers, in tables and defaults
template <class T> __global__ void k() {}
using fn = void (*)(int);
struct Entry { const char *name; fn run; };
static const Entry table[] = {
    {"a", [](int) { k<int><<<1, 1>>>(); }},
    {"b", +[](int) { k<float><<<1, 1>>>(); }},
};
template <class T> fn make() { return [](int) { k<T><<<1, 1>>>(); }; }
fn global = [](int) { k<char><<<1, 1>>>(); };
int main() {
  table[0].run(1);
  make<double>()(2);
  void (*generic)(short) = [](auto v) { k<decltype(v) *><<<1, 1>>>(); };
}
