// [except.spec] whether destruction may throw, and exception specifications in the types of functions
template <int Number, class T, bool Holds>
__global__ void query() {}
template <class T>
__global__ void typed() {}

template <class T>
using identity = T;
template <class T>
extern identity<T &&(*)() noexcept> value_of;
template <class T>
extern identity<T &&(*)()> throwing_value_of;

template <class T, class = void>
inline constexpr bool destroys = false;
template <class T>
inline constexpr bool destroys<T, decltype(value_of<T>().~T())> = noexcept(value_of<T>().~T());

template <class F>
struct result_of;
template <class R, class... A>
struct result_of<R(A...)> {
  using type = R;
};
template <class R, class... A>
struct result_of<R(A...) noexcept> {
  using type = R *;
};

struct Throws {
  ~Throws() noexcept(false);
};
struct Defaulted {
  ~Defaulted() = default;
};
struct Around {
  Throws part;
};

int plain(float);
int silent(float) noexcept;

template <class T>
void all() {
  query<1, T, destroys<T>><<<1, 1>>>();
  query<2, T, noexcept(value_of<T>().~T())><<<1, 1>>>();
  query<3, T, noexcept(throwing_value_of<T>().~T())><<<1, 1>>>();
}

template <class R, class A>
void take(R (*)(A)) {
  typed<R><<<1, 1>>>();
}

void launch() {
  all<unsigned *>();
  all<Throws>();
  all<Defaulted>();
  all<Around>();
  typed<result_of<decltype(plain)>::type><<<1, 1>>>();
  typed<result_of<decltype(silent)>::type><<<1, 1>>>();
  take(plain);
  take(silent);
}
