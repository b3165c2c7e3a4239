// [except] launches in try, in handlers, in what is thrown, and in function-try-blocks
#include <stdexcept>
template <class T, int N> __global__ void k() {}
template <class T> struct Error { Error() { k<T, 1><<<1, 1>>>(); } Error(const Error &) {} ~Error() {} };
template <class T> void risky() { k<T, 2><<<1, 1>>>(); throw Error<T>(); }
void run() try {
  risky<float>();
} catch (const Error<float> &) {
  k<int, 3><<<1, 1>>>();
} catch (...) {
  k<int, 4><<<1, 1>>>();
  throw;
}
int main() {
  try { run(); } catch (std::runtime_error &e) { risky<char>(); }
}
