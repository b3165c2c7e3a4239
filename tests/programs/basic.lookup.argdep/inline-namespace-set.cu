// [basic.lookup.argdep] an inline namespace and the one around it are searched together
template <int N> __global__ void k() {}
namespace sdk {
inline namespace abi2 {
struct Stream {};
void flush(Stream) { k<2><<<1, 1>>>(); }
}
namespace abi1 { void flush(Stream) { k<1><<<1, 1>>>(); } }
void drain(Stream) { k<3><<<1, 1>>>(); }
}
int main() {
  sdk::Stream s;
  flush(s);
  drain(s);
}
