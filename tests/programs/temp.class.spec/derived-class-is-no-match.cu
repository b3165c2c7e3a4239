// [temp.deduct.type] a class derived from Base<T> does not match the pattern Base<T> of a partial specialization
template <class T, int N> __global__ void k() {}
template <class T> struct Base { };
struct Leaf : Base<int> { };
template <class T> struct Traits { static constexpr int value = 1; };
template <class T> struct Traits<Base<T>> { static constexpr int value = 2; };
template <class T> struct Traits<Base<T> *> { static constexpr int value = 3; };
int main() {
  k<Leaf, Traits<Leaf>::value><<<1, 1>>>();
  k<Base<int>, Traits<Base<int>>::value><<<1, 1>>>();
  k<Leaf *, Traits<Leaf *>::value><<<1, 1>>>();
  k<Base<int> *, Traits<Base<int> *>::value><<<1, 1>>>();
}
