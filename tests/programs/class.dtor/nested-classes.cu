// [class.dtor] [class.nest] destructors and constructors of nested classes of class templates, by their simple names
template <class T, int N> __global__ void k(T) {}
template <class T> struct H { struct O { ~O() { k<T,2><<<1,1>>>({}); } }; void f() { O o; } };
template <class T> struct G { struct O { O() { k<T,3><<<1,1>>>({}); } }; O o; void f() { } };
int main() { H<char> b; b.f(); k<int,2><<<1,1>>>(1); G<char> g; k<int,3><<<1,1>>>(1); }
