// [except.handle] an exception object is copied from what is thrown, and into what a handler declares
template <class T, int N> __global__ void k() {}
template <class T> struct Copied { Copied() {} Copied(const Copied &) { k<T, 1><<<1, 1>>>(); } void say() { k<T, 2><<<1, 1>>>(); } };
template <class T> struct Destroyed { ~Destroyed() { k<T, 3><<<1, 1>>>(); } };
template <class T> struct Holder { Copied<T> part; };
void caught() {
  try {
  } catch (Copied<int> error) {
    error.say();
  } catch (Destroyed<long> error) {
  } catch (const Copied<char> &error) {
  }
}
int main() {
  Copied<float> error;
  Holder<double> holder;
  try { throw error; } catch (...) {}
  try { throw holder; } catch (...) { throw; }
}
