// [basic.lookup.elab] a class that an elaborated-type-specifier alone declares is known, and has no definition
#include <type_traits>
template <int Number, class T>
__global__ void typed() {}
template <int Number, bool Holds>
__global__ void query() {}

typedef struct opaque_handle *handle_t;
namespace inner {
struct hidden *make();
void take(union variant *);
}  // namespace inner
struct later *find();
struct later {
  int value;
};

struct Environment {};
struct Converts {
  operator handle_t() const;
};

template <class Env, std::enable_if_t<!std::is_convertible<Env, handle_t>::value, int> = 0>
void run(Env) {
  typed<1, Env><<<1, 1>>>();
}
void run(handle_t) {
  typed<2, handle_t><<<1, 1>>>();
}

template <class A>
void take_of(void (*)(A *)) {
  typed<3, A><<<1, 1>>>();
}

void launch(handle_t handle) {
  run(Environment{});
  run(handle);
  run(Converts{});
  typed<4, decltype(inner::make())><<<1, 1>>>();
  typed<5, decltype(find())><<<1, 1>>>();
  take_of(&inner::take);
  query<1, std::is_same<handle_t, struct opaque_handle *>::value><<<1, 1>>>();
  query<2, sizeof(find()->value) == 4><<<1, 1>>>();
}
