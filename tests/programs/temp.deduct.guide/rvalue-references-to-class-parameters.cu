// [temp.deduct.call] a constructor's rvalue reference to a parameter of the class template is no forwarding reference, one to a parameter of the constructor is
template <class T> __global__ void k() {}
template <class F> struct Wrap {
  Wrap(const F &) {}
  Wrap(F &&) {}
};
template <class F> struct Both {
  template <class G> Both(F, G &&) { k<G><<<1, 1>>>(); }
};
template <class... F> struct All {
  All(const F &...) {}
  All(F &&...) {}
};
template <class T> void launch(T) { k<T><<<1, 1>>>(); }
template <class F> void run(F f) { launch(Wrap(f)); }
struct plus {};
int main() {
  plus p;
  const long c = 1;
  launch(Wrap(p));
  launch(Wrap{c});
  launch(Wrap(1.5));
  run('c');
  launch(Both(1, p));
  launch(Both(1.f, 2));
  launch(All(p, 1, c));
  launch(All(2u, 'c'));
  launch(All(p, c));
}
