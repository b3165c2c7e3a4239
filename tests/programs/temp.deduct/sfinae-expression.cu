// [temp.deduct] decltype of an expression over the argument's members chooses the launcher
template <class T, int N> __global__ void k() {}
struct Dense { float *data() const { return nullptr; } };
struct Sparse { int *indices() const { return nullptr; } int nnz = 0; };
template <class M> auto go(const M &m) -> decltype(m.data(), void()) { k<decltype(m.data()), 1><<<1, 1>>>(); }
template <class M> auto go(const M &m) -> decltype(void(m.indices() + m.nnz)) { k<M, 2><<<1, 1>>>(); }
int main() {
  go(Dense{});
  go(Sparse{});
}
