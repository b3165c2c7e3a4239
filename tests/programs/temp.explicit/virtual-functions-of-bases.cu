// [temp.explicit] the bases of an explicitly instantiated class have virtual tables
template <class T, int N> __global__ void k() {}
template <class T> struct Root { virtual void a() { k<T, 1><<<1, 1>>>(); } virtual ~Root() {} void plain() { k<T, 2><<<1, 1>>>(); } };
template <class T> struct Middle : Root<T> { virtual void b() { k<T, 3><<<1, 1>>>(); } };
template <class T> struct Last : Middle<T> { void b() override { k<T, 4><<<1, 1>>>(); } };
template struct Last<int>;
template struct Middle<float>;
