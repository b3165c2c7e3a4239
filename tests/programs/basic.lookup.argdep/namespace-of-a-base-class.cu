// [basic.lookup.argdep] the namespaces of base classes are searched
template <class T, int N> __global__ void k() {}
namespace core {
struct Node {};
template <class T> void visit(const T &) { k<T, 1><<<1, 1>>>(); }
void touch(const Node &) { k<Node, 2><<<1, 1>>>(); }
}
struct Leaf : core::Node {};
int main() {
  Leaf leaf;
  visit(leaf);
  touch(leaf);
}
