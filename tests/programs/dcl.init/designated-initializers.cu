// [dcl.init] designated initializers choose and initialize members
// std: c++20
template <class T, int N> __global__ void k() {}
template <class T> struct Tag { Tag(T) { k<T, 1><<<1, 1>>>(); } Tag() { k<T, 2><<<1, 1>>>(); } };
struct Config { Tag<int> a; Tag<float> b; Tag<char> c{'x'}; };
int main() {
  Config one{.a = 1, .b = 2.0f};
  Config two{.a = {}, .b = {}, .c = {}};
}
