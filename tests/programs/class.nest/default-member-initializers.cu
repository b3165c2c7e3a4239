// [class.nest] a nested class with a default member initializer is all that leads to a kernel
template <class T> __global__ void k() {}
template <class T> T made() { k<T><<<1, 1>>>(); return {}; }
template <class T> struct Local { struct In { T value = made<T>(); }; void go() { In in; } };
template <class T> struct Returned { struct In { T value = made<T>(); }; static In go() { return {}; } };
template <class T> struct Member { class In { T value = made<T>(); public: In() = default; }; In in[2]; Member() : in() {} };
int main() {
  Local<int>().go();
  Returned<float>::go();
  Member<char> member;
}
