// [over.over] overloaded member functions and operators by the type of the pointer
template <int N> __global__ void k() {}
struct Exec {
  void run(int) { k<1><<<1, 1>>>(); }
  void run(double) { k<2><<<1, 1>>>(); }
  void run(int) const { k<3><<<1, 1>>>(); }
  template <class T> void run(T *) { k<4><<<1, 1>>>(); }
  template <class T> void only(T *) { k<5 + sizeof(T)><<<1, 1>>>(); }
};
int main() {
  void (Exec::*p)(double) = &Exec::run;
  void (Exec::*q)(int) const = &Exec::run;
  void (Exec::*r)(char *) = &Exec::only;
}
