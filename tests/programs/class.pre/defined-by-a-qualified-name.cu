// [class.pre] [expr.sizeof] where classes that are declared first are defined: by a qualified name, in another namespace, later
template <class T, int N> __global__ void k() {}
template <class T> constexpr int size(...) { return 2; }
template <class T, unsigned long = sizeof(T)> constexpr int size(int) { return 1; }
namespace n { struct Out; template <class T> struct OutT; struct Late; struct Fr { friend struct Friended; }; }
struct n::Out { int a; };
template <class T> struct n::OutT { T a; };
namespace n { struct Friended { int x; }; }
struct A { struct B; struct B { int v; }; template <class T> struct C; struct D; };
template <class T> struct A::C { T v; };
struct A::D { int v; };
union U; union U { int a; };
typedef struct Tag Alias; struct Tag { int z; };
extern "C" { struct Cs; struct Cs { int q; }; }
inline namespace v1 { struct In; } 
struct v1::In { int a; };
namespace n { inline namespace w { struct Deep; } }
struct n::Deep { int a; };
namespace m = n;
struct m::Late { int a; };
void go() {
  k<int, size<n::Out>(0)><<<1, 1>>>(); k<char, size<n::OutT<int>>(0)><<<1, 1>>>(); k<short, size<n::Friended>(0)><<<1, 1>>>();
  k<long, size<A::B>(0)><<<1, 1>>>(); k<float, size<A::C<int>>(0)><<<1, 1>>>(); k<double, size<A::D>(0)><<<1, 1>>>();
  k<U, size<U>(0)><<<1, 1>>>(); k<unsigned, size<Alias>(0)><<<1, 1>>>(); 
  k<Cs, size<Cs>(0)><<<1, 1>>>(); k<int *, size<In>(0)><<<1, 1>>>(); k<char *, size<n::Deep>(0)><<<1, 1>>>(); k<short *, size<n::Late>(0)><<<1, 1>>>();
  
}
