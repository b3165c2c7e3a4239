// [class.virtual] a factory by type name returns unique_ptrs to class templates
#include <memory>
template <class T, int N> __global__ void k() {}
struct Op { virtual ~Op() = default; virtual void run(int) = 0; };
template <class T> struct Relu : Op { void run(int) override { k<T, 1><<<1, 1>>>(); } };
template <class T> struct Scale : Op {
  T s;
  explicit Scale(T s) : s(s) {}
  void run(int) override { k<T, 2><<<1, 1>>>(); }
};
template <template <class> class O, class... A> std::unique_ptr<Op> make(int type, A... a) {
  if (type == 0) return std::make_unique<O<float>>(float(a)...);
  return std::unique_ptr<Op>(new O<double>(double(a)...));
}
template <template <class> class O> std::unique_ptr<Op> plain() { return std::make_unique<O<int>>(); }
int main(int argc, char **) { make<Scale>(argc, 2)->run(1); plain<Relu>()->run(2); }
