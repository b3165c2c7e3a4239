// [over.call.object] function objects that no template is given: called by variables, results and members
template <class T, int N> __global__ void k() {}
struct Launch {
  template <class T> void operator()(T) const { k<T, 0><<<1, 1>>>(); }
};
const Launch launcher{};
Launch made();
struct Holder { Launch held; };
extern Holder holder;
int one() { launcher(1.0); return 0; }
int two() { made()(1); return 0; }
int three() { holder.held(1.0f); return 0; }
int four() { auto l = made(); l('c'); return 0; }
