// [temp.explicit] an explicit instantiation of a class instantiates every member that is no template
template <class T, int N> __global__ void k() {}
template <class T> class Engine {
  void hidden() { k<T, 1><<<1, 1>>>(); }
public:
  Engine() { k<T, 2><<<1, 1>>>(); }
  ~Engine() { k<T, 3><<<1, 1>>>(); }
  template <class U> void member_template() { k<U, 4><<<1, 1>>>(); }
  static void helper() { k<T, 5><<<1, 1>>>(); }
  struct Inner { void go() { k<T, 6><<<1, 1>>>(); } };
  friend void friendly(Engine) { k<T, 7><<<1, 1>>>(); }
  void later();
};
template <class T> void Engine<T>::later() { k<T, 8><<<1, 1>>>(); }
template class Engine<float>;
