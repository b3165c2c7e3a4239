// [over.oper] operator-> is applied until a pointer comes
template <class T> __global__ void k() {}
struct Node { template <class T> void go(T) { k<T><<<1, 1>>>(); } };
struct Inner { Node n; Node *operator->() { return &n; } };
struct Outer { Inner i; Inner &operator->() { return i; } };
int main() {
  Outer o;
  o->go(1);
  Inner{}->go('c');
}
