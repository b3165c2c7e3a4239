// [basic.lookup] a dependent call finds an overload declared after the template by its argument only
template <class T, int N> __global__ void k() {}
template <class T> void stage(T) { k<T, 0><<<1, 1>>>(); }
template <class T> void pipeline(T v) { stage(v); }
namespace user { struct Tag {}; void stage(Tag) { k<Tag, 1><<<1, 1>>>(); } }
void stage(int) { k<int, 2><<<1, 1>>>(); }
int main() {
  pipeline(user::Tag{});
  pipeline(1);
}
