// [cpp20] abbreviated member templates, auto parameters in constructors and static functions
// std: c++20
template <class T, int N> __global__ void k() {}
struct Queue {
  Queue(auto *p) { k<decltype(p), 1><<<1, 1>>>(); }
  void push(auto v, int = 0) { k<decltype(v), 2><<<1, 1>>>(); }
  static void each(auto... v) { (k<decltype(v), 3><<<1, 1>>>(), ...); }
  void ref(const auto &v);
};
void Queue::ref(const auto &v) { k<decltype(v), 4><<<1, 1>>>(); }
int main() {
  float f;
  Queue q(&f);
  q.push(1u);
  Queue::each('c', 2.0);
  q.ref(3L);
}
