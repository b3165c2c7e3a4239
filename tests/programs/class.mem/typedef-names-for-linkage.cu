// [class.mem] C-style typedefs of structs, functions and arrays
template <class T> __global__ void k() {}
typedef struct { int a; } Plain;
typedef struct Node { struct Node *next; } Node, *NodePtr;
typedef float Row[4];
typedef void Fn(int);
template <class T> void go(T) { k<T><<<1, 1>>>(); }
template <class T> void exact() { k<T><<<1, 1>>>(); }
int main() {
  go(Plain{});
  NodePtr n = nullptr;
  go(n);
  go(n->next->next);
  Row rows[2];
  go(rows[1]);
  exact<Row>();
  exact<Fn *>();
}
