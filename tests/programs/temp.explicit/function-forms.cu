// [temp.explicit] forms of explicit instantiation of function templates: arguments given, deduced, partly
template <class T, int N> __global__ void k() {}
template <class T> void one(T *, int) { k<T, 1><<<1, 1>>>(); }
template <int N, class T> void two(T) { k<T, N><<<1, 1>>>(); }
namespace ns { template <class T> T three(const T &v) { k<T, 3><<<1, 1>>>(); return v; } }
template void one<float>(float *, int);
template void one<>(double *, int);
template void one(int *, int);
template void two<8>(char);
template short ns::three(const short &);
template long ns::three<long>(const long &);
