// [temp.param] parameters without names, and functions with the names of std::invoke, std::apply and std::visit
template <int, class...> __global__ void mark() {}
template <class, int> __global__ void two() {}
template <class, class T = int, int...> __global__ void three() {}
struct G { constexpr int operator()() const { return 1; } };
template <int N> __global__ void k() {}
namespace lib { template <class G, class T> void invoke(G, T) { k<sizeof(T)><<<1,1>>>(); } 
template <class G, class T> void apply(G, T) { k<10+sizeof(T)><<<1,1>>>(); } 
template <class G, class T> void visit(G, T) { k<20+sizeof(T)><<<1,1>>>(); } 
void go() { invoke(G{}, 'a'); apply(G{}, 'c'); visit(G{}, 'd'); } }
void f() { mark<3, int, float><<<1,1>>>(); mark<4><<<1,1>>>(); two<int, 3><<<1,1>>>(); three<int><<<1,1>>>();three<int,char,1,2><<<1,1>>>(); }
