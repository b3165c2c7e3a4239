// [over.call.object] calls of objects that expressions give: elements, what pointers point to, conditional operators
template <class T> __global__ void k() {}
struct L { template <class T> void operator()(T) const { k<T><<<1,1>>>(); } };
typedef void (*F)(int);
void g(F *fs, F f, void (*(*p)[3])(int)) { fs[0](1); (*f)(2); (true ? f : fs[1])(3); (*p)[1](2); }
template <class T> void h(T *t, F f) { (*f)(1); t[0](1); (t ? *t : t[1])(2.0f); }
int main() { L l[2]; h(l, 0); auto x = [](auto y) { k<char><<<1,1>>>(); }; (*&x)(1); }
