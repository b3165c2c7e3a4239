// [temp.explicit] nested classes, their members and variable templates instantiated explicitly
template <class T, int N> __global__ void k() {}
template <class T> struct Outer {
  template <class U> struct Inner { void go() { k<U, sizeof(T)><<<1, 1>>>(); } void also(); };
  void untouched() { k<T, -1><<<1, 1>>>(); }
};
template <class T> template <class U> void Outer<T>::Inner<U>::also() { k<U, 10 * sizeof(T)><<<1, 1>>>(); }
template struct Outer<double>::Inner<char>;
template <class T> bool make() { k<T, 99><<<1, 1>>>(); return true; }
template <class T> bool registered = make<T>();
template bool registered<short>;
