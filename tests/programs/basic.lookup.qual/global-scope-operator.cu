// [basic.lookup.qual] the leading :: skips the namespaces around
template <class T> __global__ void k() {}
struct Config {};
namespace app {
struct Config {};
template <class T> __global__ void k() {}
void go() {
  k<Config><<<1, 1>>>();
  ::k<::Config><<<1, 1>>>();
  app::k<::Config><<<1, 1>>>();
}
}
int main() { app::go(); }
