// [basic.lookup.qual] a qualified name that its namespace has not is looked up where using-directives lead
template <int N> __global__ void k() {}
namespace impl { void run(int) { k<1><<<1, 1>>>(); } void only(int) { k<2><<<1, 1>>>(); } }
namespace api { using namespace impl; void run(long) { k<3><<<1, 1>>>(); } }
int main() {
  api::run(0);
  api::only(0);
}
