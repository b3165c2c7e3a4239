// [temp.variadic] sizeof... of parameters and arguments, empty packs chosen against others
template <int N, int M> __global__ void k() {}
template <class... T, class... A> void go(void (*)(T...), A...) { k<sizeof...(T), sizeof...(A)><<<1, 1>>>(); }
template <int First = 0, int... Rest> void nums() { k<First, sizeof...(Rest)><<<1, 1>>>(); }
template <class... T> struct Box { template <int... I> void at() { k<sizeof...(T), (I + ... + 0)><<<1, 1>>>(); } };
void f();
void g(int, float);
int main() {
  go(f);
  go(g, 1, 2, 3);
  nums();
  nums<5, 6, 7>();
  Box<>().at<>();
  Box<int, char>().at<10, 20>();
}
