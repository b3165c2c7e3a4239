// [temp.deduct.call] a derived class argument deduces the parameters of its base
template <class T, int R> __global__ void k() {}
template <class D, class T, int R> struct Expression { D &self() { return static_cast<D &>(*this); } };
struct Vec3 : Expression<Vec3, float, 3> {};
template <class T> struct Dense : Expression<Dense<T>, T, 2> {};
struct Named : Dense<double> {};
template <class D, class T, int R> void eval(Expression<D, T, R> &) { k<T, R><<<1, 1>>>(); k<D, R><<<1, 1>>>(); }
int main() {
  Vec3 v;
  eval(v);
  Dense<int> d;
  eval(d);
  Named n;
  eval(n);
}
