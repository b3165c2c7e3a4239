// [cpp20] policies checked by concepts, with defaults where a member is missing
// std: c++20
template <class T, int B, int S> __global__ void k() {}
template <class P> concept HasBlock = requires { P::block; };
template <class P> concept HasStages = requires { { P::stages } ; requires P::stages > 1; };
template <class P> consteval int block() { if constexpr (HasBlock<P>) return P::block; else return 128; }
template <class P> consteval int stages() { if constexpr (HasStages<P>) return P::stages; else return 1; }
template <class T, class P> void run() { k<T, block<P>(), stages<P>()><<<1, 1>>>(); }
struct Default {};
struct Big { static constexpr int block = 512; static constexpr int stages = 1; };
struct Deep { static constexpr int stages = 4; };
int main() {
  run<float, Default>();
  run<float, Big>();
  run<int, Deep>();
}
