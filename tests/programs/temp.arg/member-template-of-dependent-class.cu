// [temp.arg] a member template of a dependent class as a template template argument
template <class T, int N> __global__ void k() {}
template <class... T> struct List {};
struct Quote { template <class... T> using call = List<T...>; };
template <template <class...> class F, class... T> struct Apply { using type = F<T...>; };
struct Indirect {
  template <template <class...> class F, class... T> using call = F<T...>;
};
template <bool> struct Select { template <template <class...> class F, class... T> using call = F<T...>; };
template <class F, class... T> using call_directly = typename Apply<F::template call, T...>::type;
template <class F, class... T>
using call_indirectly = typename Select<sizeof(List<F, T...> *) != 0>::template call<F::template call, T...>;
template <class F> void go() {
  k<call_directly<F, int, char>, 1><<<1, 1>>>();
  k<call_indirectly<F, float>, 2><<<1, 1>>>();
  k<Indirect::call<F::template call, short>, 3><<<1, 1>>>();
}
int main() { go<Quote>(); }
