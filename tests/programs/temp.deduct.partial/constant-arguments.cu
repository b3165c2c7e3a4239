// [temp.deduct.partial] a template with a fixed value against a deduced one
template <class T, int N> __global__ void k() {}
template <int N> struct Int {};
template <int N> void go(Int<N>) { k<int, N><<<1, 1>>>(); }
void go(Int<0>) { k<void, 0><<<1, 1>>>(); }
template <class T, int N> struct Tile {};
template <class T, int N> void use(Tile<T, N>) { k<T, N><<<1, 1>>>(); }
template <class T> void use(Tile<T, 4>) { k<T, 400><<<1, 1>>>(); }
template <int N> void use(Tile<float, N>) { k<float, N * 1000><<<1, 1>>>(); }
int main() {
  go(Int<3>{});
  go(Int<0>{});
  use(Tile<int, 2>{});
  use(Tile<int, 4>{});
  use(Tile<float, 2>{});
}
