// [temp.inst] an instantiation is found through members, statics, returns and defaults of several templates
template <class T, int N> __global__ void k() {}
template <class T> struct Alloc { static T *get() { k<T, 1><<<1, 1>>>(); return nullptr; } };
template <class T, class A = Alloc<T>> struct Buffer { T *p = A::get(); T *data() { return p; } };
template <class T> struct Model { Buffer<T> weights; Buffer<T *> rows; T *raw() { return weights.data(); } };
template <class M> auto predict(M &m) { k<decltype(m.raw()), 2><<<1, 1>>>(); return *m.raw(); }
int main() {
  Model<float> m;
  auto r = predict(m);
  k<decltype(r), 3><<<1, 1>>>();
}
