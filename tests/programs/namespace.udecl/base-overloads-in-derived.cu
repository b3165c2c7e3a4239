// [namespace.udecl] a class brings its base's overloads and hides the one with the same parameters
template <class T, int N> __global__ void k() {}
struct Base {
  void run(int) { k<int, 0><<<1, 1>>>(); }
  void run(float) { k<float, 0><<<1, 1>>>(); }
  template <class T> void run(T *) { k<T, 0><<<1, 1>>>(); }
};
struct Derived : Base {
  using Base::run;
  void run(int) { k<int, 1><<<1, 1>>>(); }
  void run(const char *) { k<char, 1><<<1, 1>>>(); }
};
int main() {
  Derived d;
  d.run(1);
  d.run(1.f);
  d.run((double *)nullptr);
  d.run("text");
}
