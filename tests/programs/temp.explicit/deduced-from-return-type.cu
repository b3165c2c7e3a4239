// [temp.deduct.decl] explicit instantiations and specializations whose template arguments only the return type tells
template <class T> __global__ void k(T) {}
template <class T> struct E {};
template <class T> E<T> *create(int) { k<T><<<1, 1>>>(T()); return nullptr; }
template <class T> T plain(int) { k<T *><<<1, 1>>>(nullptr); return T(); }
template <class T> auto trailing(int) -> E<T> { k<T **><<<1, 1>>>(nullptr); return {}; }
template <class T, class U> E<T> both(U) { k<E<T>><<<1, 1>>>({}); k<E<U>><<<1, 1>>>({}); return {}; }
struct Maker { template <class T> static const E<T> &get(); };
template <class T> const E<T> &Maker::get() { k<const T *><<<1, 1>>>(nullptr); static E<T> one; return one; }
template <class T> E<T> special(int) { k<T ***><<<1, 1>>>(nullptr); return {}; }
template <> E<long> special(int) { k<E<long> *><<<1, 1>>>(nullptr); return {}; }
template E<float> *create(int);
template E<double> *create(int);
template double plain(int);
template auto trailing(int) -> E<short>;
template E<char> both(int);
template const E<unsigned> &Maker::get();
template E<unsigned char> special(int);
void host() { special<long>(1); }
