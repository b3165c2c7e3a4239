// [over.match] the argument is itself an overloaded function
template <class T, int N> __global__ void k() {}
template <class T> void run(T) { k<T, 1><<<1, 1>>>(); }
void run(float) { k<float, 2><<<1, 1>>>(); }
void with_int(void (*f)(int)) { f(1); }
template <class A> void with(void (*f)(A), A a) { f(a); }
int main() {
  with_int(run);
  with<double>(run, 1.0);
  void (*p)(char) = &run;
  auto q = static_cast<void (*)(long)>(run<long>);
}
