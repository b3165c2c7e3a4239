// [basic.lookup.argdep] a customisation point object calls the overload for a tag that it finds by its arguments
#include <utility>
template <class T, int N> __global__ void k() {}
namespace cpo {
struct launch_t {
  template <class X> void operator()(X &&x) const { tag_invoke(*this, std::forward<X>(x)); }
};
inline constexpr launch_t launch{};
}
namespace mine {
struct Job {};
void tag_invoke(cpo::launch_t, Job &) { k<Job, 1><<<1, 1>>>(); }
void tag_invoke(cpo::launch_t, Job &&) { k<Job, 2><<<1, 1>>>(); }
template <class T> struct Batch { friend void tag_invoke(cpo::launch_t, const Batch &) { k<T, 3><<<1, 1>>>(); } };
}
int main() {
  mine::Job job;
  cpo::launch(job);
  cpo::launch(mine::Job{});
  cpo::launch(mine::Batch<float>{});
}
