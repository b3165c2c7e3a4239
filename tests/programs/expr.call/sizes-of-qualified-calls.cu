// [expr.sizeof] the size of a call of a qualified name, which reads like a function type, and of a variable template that asks whether such a call is valid
template <int N> __global__ void k() {}
template <class T> T &&value_of();
template <class...> using nothing = void;
template <bool, class> struct where {};
template <class T> struct where<true, T> { using type = T; };
template <class T> struct policy {};
struct own : policy<own> {};
namespace generic {
void pick();
template <class, class... T> constexpr bool exists_for = false;
template <class... T> constexpr bool exists_for<nothing<decltype(pick(value_of<T &>()...))>, T...> = true;
template <class... T> constexpr bool exists = exists_for<void, T...>;
template <class A, class B, typename where<!exists<A, B>, int>::type = 0>
short pick(policy<A> &, policy<B> &);
template <class A, class B, typename where<!exists<B, A>, int>::type = 0>
char pick(policy<A> &, B &);
int plain(own &);
template <class T> double same(T &, int);
}
struct table { char (*rows)[3]; static long long of(own &, own *); };
own one;
int main() {
  k<sizeof(generic::pick(one, one))><<<1, 1>>>();
  k<1 + sizeof(generic::plain(one))><<<1, 1>>>();
  constexpr int size = sizeof(generic::same<own>(one, 1)) + sizeof(table::of(one, &one));
  k<size><<<1, 1>>>();
  k<40 + sizeof(own (*)(own))><<<1, 1>>>();
}
