// [basic.lookup] a class hidden by a function of the same name is named with struct
template <class T, int N> __global__ void k() {}
struct stat { static constexpr int fields = 13; };
void stat(int) { k<int, sizeof(struct stat)><<<1, 1>>>(); }
template <class T> void report() { k<char, T::fields><<<1, 1>>>(); }
int main() {
  stat(0);
  report<struct stat>();
}
