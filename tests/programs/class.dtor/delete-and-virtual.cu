// [class.dtor] delete expressions through base pointers call virtual destructors
template <class T, int N> __global__ void k() {}
struct Node { virtual ~Node() { k<Node, 0><<<1, 1>>>(); } };
template <class T> struct Leaf : Node { ~Leaf() override { k<T, 1><<<1, 1>>>(); } };
template <class T> struct Plain { ~Plain() { k<T, 2><<<1, 1>>>(); } };
int main() {
  Node *n = new Leaf<float>;
  delete n;
  Plain<int> *p = nullptr;
  delete p;
  Plain<char> *q = nullptr;
  delete[] q;
}
