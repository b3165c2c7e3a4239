// [class.default.ctor] constants of classes with a defaulted default constructor and others, and of classes derived from them
template <int N, class T> __global__ void k() {}
template <int N> struct Int {};
template <int N> struct Stage {
  static constexpr int bytes = N;
  int more = 5;
  Stage() = default;
  explicit Stage(Int<N>) {}
};
template <int N> struct Derived : Stage<N> {};
struct Seven : Stage<7> {};
struct Deleted {
  int value;
  Deleted() = delete;
  constexpr Deleted(int given) : value(given) {}
};
template <int N> constexpr int taken(Stage<N> stage) { return N + stage.more; }
template <int N> constexpr int referred(Stage<N> const &stage) { return N + stage.more; }
constexpr int exact(Stage<7> stage) { return 100 + stage.more; }
int main() {
  k<taken(Derived<10>{}), char><<<1, 1>>>();
  k<referred(Derived<20>{}), char><<<1, 1>>>();
  k<taken(Seven{}), short><<<1, 1>>>();
  k<exact(Seven{}), short><<<1, 1>>>();
  k<taken(Stage<30>{}), int><<<1, 1>>>();
  constexpr Stage<40> local;
  k<referred(local), int><<<1, 1>>>();
  constexpr Deleted given(9);
  k<given.value, long><<<1, 1>>>();
}
