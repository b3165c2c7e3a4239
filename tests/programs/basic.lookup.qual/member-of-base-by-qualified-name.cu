// [basic.lookup.qual] a call qualified by a base class is that class's, virtual or not
template <int N> __global__ void k() {}
struct Solver {
  virtual void step() { k<1><<<1, 1>>>(); }
  template <int N> void iterate() { k<N><<<1, 1>>>(); }
};
struct Newton : Solver {
  void step() override { k<2><<<1, 1>>>(); Solver::step(); }
  template <int N> void iterate() { k<-N><<<1, 1>>>(); }
  void both() { iterate<7>(); Solver::iterate<8>(); this->Solver::template iterate<9>(); }
};
int main() {
  Newton n;
  n.both();
  n.Solver::iterate<10>();
}
