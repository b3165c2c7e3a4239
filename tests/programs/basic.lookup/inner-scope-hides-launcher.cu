// [basic.lookup] a block-scope variable of callable type hides the namespace's function template
template <class T, int N> __global__ void k(T *p) {}
template <class T> void launch(T *p) { k<T, 1><<<1, 1>>>(p); }
struct Tuned {
  template <class T> void operator()(T *p) const { k<T, 2><<<1, 1>>>(p); }
};
int main() {
  launch((float *)nullptr);
  {
    Tuned launch;
    launch((int *)nullptr);
    ::launch((char *)nullptr);
  }
  launch((double *)nullptr);
}
