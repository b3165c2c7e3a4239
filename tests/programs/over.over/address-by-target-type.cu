// [over.over] the target's type chooses from an overload set: initialization, assignment, return, cast, argument
template <class T, int N> __global__ void k() {}
template <class T> void run(T *) { k<T, 1><<<1, 1>>>(); }
void run(int) { k<int, 2><<<1, 1>>>(); }
void run(float) { k<float, 3><<<1, 1>>>(); }
using F = void (*)(float);
F pick() { return run; }
void take(void (*)(char *)) {}
int main() {
  void (*a)(double *) = run;
  F b;
  b = &run;
  take(run);
  auto c = static_cast<void (*)(short *)>(run);
  auto d = (void (*)(long *))run;
}
