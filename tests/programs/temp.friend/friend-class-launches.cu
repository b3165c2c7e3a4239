// [temp.friend] a friend class template uses private launchers
template <class T, int N> __global__ void k() {}
template <class T> class Secret {
  template <int N> static void launch() { k<T, N><<<1, 1>>>(); }
  static constexpr int size = 12;
  template <class U> friend struct Runner;
};
template <class U> struct Runner { void go() { Secret<U>::template launch<Secret<U>::size>(); } };
int main() { Runner<float>().go(); }
