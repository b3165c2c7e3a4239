// [temp.constr] a requires expression written in the condition
// std: c++20
template <class T, int N> __global__ void k() {}
struct Async { void commit() {} };
struct Sync {};
template <class T> void run(T t) {
  if constexpr (requires { t.commit(); }) {
    t.commit();
    k<T, 1><<<1, 1>>>();
  } else if constexpr (requires { typename T::type; }) {
    k<T, 2><<<1, 1>>>();
  } else {
    k<T, 3><<<1, 1>>>();
  }
}
int main() {
  run(Async{});
  run(Sync{});
}
