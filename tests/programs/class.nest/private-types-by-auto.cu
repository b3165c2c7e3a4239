// [class.nest] nested classes named by auto, friends and members only
template <class T, int N> __global__ void k() {}
class Pool {
public:
  struct Stats { int used; };
  enum State { idle, busy = 5 };
  Stats stats() const { return {}; }
  template <class F> void visit(F f) { f(stats(), busy); }
  struct Iterator { struct Tag {}; using tag = Tag; };
};
template <class T> void go(T) { k<T, 1><<<1, 1>>>(); }
int main() {
  Pool pool;
  auto s = pool.stats();
  go(s);
  go(s.used);
  pool.visit([](auto st, auto state) { k<decltype(st), 2><<<1, 1>>>(); go(state); });
  k<Pool::Iterator::tag, Pool::busy><<<1, 1>>>();
}
