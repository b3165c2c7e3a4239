// [except] the noexcept operator of calls, constructors and conditions
template <int N> __global__ void k() {}
void f() noexcept;
void g();
struct A { A() noexcept; ~A(); };
struct B { B(); };
template <class T> void go() { k<noexcept(T())><<<1, 1>>>(); }
int main() {
  k<noexcept(f()) + 10><<<1, 1>>>();
  k<noexcept(g()) + 20><<<1, 1>>>();
  k<noexcept(1 + 2) + 30><<<1, 1>>>();
  go<A>();
  go<B>();
}
