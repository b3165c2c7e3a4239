// [temp.friend] a friend function defined in a class template exists once for each instantiation
template <class T, int N> __global__ void k() {}
template <class T, int N> struct Counter {
  friend void tick(Counter) { k<T, N><<<1, 1>>>(); }
  friend int operator~(Counter) { k<T, -N><<<1, 1>>>(); return 0; }
};
template struct Counter<char, 9>;
int main() {
  Counter<int, 1> a;
  Counter<float, 2> b;
  tick(a);
  tick(b);
  ~a;
}
