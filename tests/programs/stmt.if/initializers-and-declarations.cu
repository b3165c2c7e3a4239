// [stmt.if] declarations in conditions of if, switch, while
template <class T, int N> __global__ void k() {}
template <class T> T *find(T) { k<T, 1><<<1, 1>>>(); return nullptr; }
template <class T> void go(T) { k<T, 2><<<1, 1>>>(); }
enum class E { a };
struct Pair { int i = 0; double d = 0; };
int main() {
  if (auto p = find(1)) go(p);
  if (auto q = find('c'); q != nullptr) go(*q);
  else go(q);
  switch (auto e = E::a; e) { case E::a: go(e); }
  while (float *f = find(2.f)) { go(f); break; }
  for (auto [i, d] = Pair{}; i < 1; ++i) go(d);
}
