// [class.dtor] implicit destructors run those of members and bases
template <class T, int N> __global__ void k() {}
template <class T> struct Free { ~Free() { k<T, 1><<<1, 1>>>(); } };
struct Base { Free<char> f; };
struct Derived : Base, private Free<short> { Free<int> a[2]; };
template <class T> struct Holder { Free<T> held; ~Holder() { k<T, 2><<<1, 1>>>(); } };
union Never { Free<long> f; Never() {} ~Never() {} };
int main() {
  Derived d;
  Holder<float> h;
  Never n;
}
