// [basic.lookup.argdep] the namespaces of a class template's arguments are searched too
template <class T, int N> __global__ void k() {}
namespace containers { template <class T> struct Vec {}; }
namespace physics {
struct Particle {};
template <class V> void advance(V) { k<V, 1><<<1, 1>>>(); }
void sort(containers::Vec<Particle>) { k<Particle, 2><<<1, 1>>>(); }
}
int main() {
  containers::Vec<physics::Particle> v;
  advance(v);
  sort(v);
}
