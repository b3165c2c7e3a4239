// [temp.constr] abbreviated function templates with constrained auto
// std: c++20
template <class T, int N> __global__ void k() {}
template <class T, int S> concept Sized = sizeof(T) == S;
void go(auto) { k<void, 0><<<1, 1>>>(); }
void go(Sized<4> auto v) { k<decltype(v), 1><<<1, 1>>>(); }
void pair(Sized<8> auto a, auto *b) { k<decltype(a), sizeof(*b)><<<1, 1>>>(); }
int main() {
  go('c');
  go(1.f);
  pair(2.0, (short *)nullptr);
}
