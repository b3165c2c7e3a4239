// [temp.mem] a virtual function calls a member template of a class template
template <class T, int N> __global__ void k() {}
struct Node { virtual void run() = 0; virtual ~Node() {} };
template <class T> struct Op : Node {
  template <bool V> void impl() { k<T, V ? 4 : 1><<<1, 1>>>(); }
  void run() override { impl<(sizeof(T) >= 4)>(); }
};
Node *make(int i) {
  if (i) return new Op<float>;
  return new Op<char>;
}
