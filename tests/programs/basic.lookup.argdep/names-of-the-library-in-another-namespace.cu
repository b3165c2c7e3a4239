// An unqualified call that only argument-dependent look-up resolves is the one of its class's namespace.
namespace lib {
struct F { template<class T> void operator()(T) const; };
template<class T> __global__ void wrong(T){}
template<class T> __global__ void right(T){}
template<class T> void F::operator()(T x) const { wrong<<<1,1>>>(x); }
template<class G, class T> void invoke(const G&, T x){ right<<<1,1>>>(x); }
struct V { template<class T> void operator()(T) const {} };
template<class G, class T> void apply(const G&, T x){ right<<<1,1>>>(x); }
}
void g(){ invoke(lib::F{}, 1); apply(lib::F{}, 2L); }
