// [over.match.oper] operators of arguments in members that share their name with one that launches
template <class T, int N> __global__ void k() {}
struct Both {
  template <class T> void run(T) { k<T, 0><<<1, 1>>>(); }
  template <class T> int operator+(T) const {
    k<T, 1><<<1, 1>>>();
    return 1;
  }
};
struct Adds {
  template <class F, class T> void run(F f, T t) { f + t; }
};
int main() {
  Both both;
  both.run(1.0);
  both + 1.0;
  Adds adds;
  adds.run(both, 1);
}
