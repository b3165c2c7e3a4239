// [temp.inst] member functions of a class template make objects of its argument
template <class T, int N> __global__ void k() {}
template <class T> struct Made { explicit Made(T) { k<T, 1><<<1, 1>>>(); } };
template <class T> struct Slot {
  T *made = nullptr;
  template <class... A> T &emplace(A... a) { made = new T(a...); return *made; }
  void reset(int n) { T other(n); }
};
int main() {
  Slot<Made<int>> slot;
  slot.emplace(1);
  Slot<Made<float>> other;
  other.reset(1);
}
