// [temp.deduct.call] a function's name deduces a pointer to function and what is in its type
template <class R, class A> __global__ void k() {}
float scale(int) { return 0; }
template <class R, class A> void apply(R (*)(A)) { k<R, A><<<1, 1>>>(); }
template <class R, class A> void apply_ref(R (&)(A)) { k<R *, A *><<<1, 1>>>(); }
template <class F> void any(F) { k<F, int><<<1, 1>>>(); }
int main() {
  apply(scale);
  apply(&scale);
  apply_ref(scale);
  any(scale);
}
