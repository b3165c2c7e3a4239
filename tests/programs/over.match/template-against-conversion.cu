// [over.match] an exact template against a function that needs a conversion
template <class T, int N> __global__ void k() {}
void run(double) { k<double, 0><<<1, 1>>>(); }
template <class T> void run(T) { k<T, 1><<<1, 1>>>(); }
struct Base {};
struct Derived : Base {};
void visit(const Base &) { k<Base, 2><<<1, 1>>>(); }
template <class T> void visit(const T &) { k<T, 3><<<1, 1>>>(); }
void over(Base *) { k<Base, 4><<<1, 1>>>(); }
void over(const void *) { k<void, 5><<<1, 1>>>(); }
void over(bool) { k<bool, 6><<<1, 1>>>(); }
int main() {
  run(1.0);
  run(1);
  visit(Derived{});
  Derived d;
  visit(static_cast<const Base &>(d));
  over(&d);
  over((int *)nullptr);
}
