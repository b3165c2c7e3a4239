// [expr.prim.lambda] what lambdas return is initialized as their return types say, and their parameters have default arguments
template <class T, int N> __global__ void k(T) {}
template <class T> T made() { k<T, 1><<<1, 1>>>({}); return {}; }
template <class T> struct Moved { Moved() {} Moved(const Moved &) { k<T, 2><<<1, 1>>>({}); } Moved(Moved &&) { k<T, 3><<<1, 1>>>({}); } };
template <class T> struct Wide { operator Moved<T>() const { k<T, 4><<<1, 1>>>({}); return {}; } };
int main() {
  auto moves = [] { Moved<int> one; return one; };
  auto converts = []() -> Moved<float> { return Wide<float>(); };
  auto uses = [](auto x, int y = made<char>()) { return y; };
  auto given = [](auto x, int y = made<short>()) { return y; };
  moves();
  converts();
  uses(1);
  return given(1, 2);
}
