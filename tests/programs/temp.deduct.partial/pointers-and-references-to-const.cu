// [temp.deduct.partial] references to const beside pointers: cv-qualifiers of what is referred to do not count
template <class T, int N> __global__ void k(T) {}
template <class T> void a(const T &) { k<T,1><<<1,1>>>({}); }  template <class T> void a(T *) { k<T,2><<<1,1>>>({}); }
template <class T> void b(T *) { k<T,12><<<1,1>>>({}); } template <class T> void b(const T &) { k<T,11><<<1,1>>>({}); }  
template <class T> void c(T) { k<T,21><<<1,1>>>({}); }  template <class T> void c(T *) { k<T,22><<<1,1>>>({}); }
template <class T> void d(T &) { k<T,31><<<1,1>>>({}); }  template <class T> void d(T *) { k<T,32><<<1,1>>>({}); }
template <class T> void e(const T &) { k<T,41><<<1,1>>>({}); }  template <class T> void e(const T *) { k<T,42><<<1,1>>>({}); }
template <class T> void f(T &&) { k<int,51><<<1,1>>>({}); }  template <class T> void f(T *) { k<int,52><<<1,1>>>({}); }
int main() { double x, *p; float y, *q; a(&x); a(p); b(&y); b(q); c(p); d(p); e(p); f(p); f(&x); const double *cp; a(cp); e(cp); }
