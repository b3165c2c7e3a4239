// [class.nest] nested classes that are defined outside of classes in capitals, and types that these qualify
template <class T> __global__ void k(T *) {}
struct RNG { struct Impl; static RNG::Impl *make(); typedef int INT; template <class T> struct IN; RNG::INT member; };
struct RNG::Impl { template <class T> void go(T *t) { k<<<1, 1>>>(t); } RNG::INT value() { k<<<1, 1>>>((short **)nullptr); return 0; } };
template <class T> struct RNG::IN { RNG::INT go(T *t) { k<<<1, 1>>>(t); return 0; } };
RNG::Impl *RNG::make() { return nullptr; }
static RNG::INT plain(float *p) { RNG::make()->go(p); return 0; }
const RNG::INT other(double *p) { RNG::IN<double>().go(p); return 0; }
inline RNG::Impl get() { RNG::Impl i; i.go((char *)nullptr); return i; }
namespace NS { struct A { template <class T> void go(T *t) { k<<<1, 1>>>(t); } }; template <class T> struct B {}; }
NS::A a() { NS::A one; one.go((int *)nullptr); return one; }
extern NS::A named;
template <> struct NS::B<int> { template <class T> void go(T *t) { k<<<1, 1>>>(t); } };
NS::A *b(NS::B<int> x) { x.go((long *)nullptr); return nullptr; }
struct D : NS::A { NS::A base; void run() { NS::A::go((unsigned *)nullptr); base.NS::A::go((unsigned **)nullptr); } };
