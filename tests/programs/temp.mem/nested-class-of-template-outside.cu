// [temp.mem] nested classes of class templates defined outside, with base and members
template <class T, int N> __global__ void k() {}
template <class T> struct Device {
  struct Stream;
  template <int P> struct Queue;
  Stream *make();
};
template <class T> struct Device<T>::Stream {
  void sync() { k<T, 1><<<1, 1>>>(); }
  void never() { k<T, 2><<<1, 1>>>(); }
};
template <class T> template <int P> struct Device<T>::Queue : Device<T>::Stream {
  void push() { this->sync(); k<T, P><<<1, 1>>>(); }
};
template <class T> typename Device<T>::Stream *Device<T>::make() { k<T, 3><<<1, 1>>>(); return new Stream; }
int main() {
  Device<float>().make();
  Device<double>::Queue<10>().push();
}
