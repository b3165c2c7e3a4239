// [temp.class.spec] a specialization for templates of constants is none for templates of types, and the other way round
template <int N, class T> __global__ void k() {}
template <class T> struct Same { using type = T; };
template <class T> struct Underlying : Same<T> { };
template <unsigned long G, unsigned I, template <unsigned long, unsigned> class W> struct Underlying<W<G, I>> : W<G, I> { };
template <class A> struct Outer {
  template <class S, class E = void> class Select { };
  using Kernel = Select<A>;
};
template <class A, class B> struct Pair { };
template <unsigned long G, unsigned I> struct Wrapper { using type = char[I]; };
template <class T> struct Kind { using type = long; };
template <template <class, class> class W, class A, class B> struct Kind<W<A, B>> { using type = B; };
int main() {
  k<1, Underlying<Outer<int>::Kernel>::type><<<1, 1>>>();
  k<2, Underlying<Pair<int, float>>::type><<<1, 1>>>();
  k<3, Underlying<Wrapper<3, 5>>::type><<<1, 1>>>();
  k<4, Kind<Wrapper<3, 5>>::type><<<1, 1>>>();
  k<5, Kind<Pair<int, float>>::type><<<1, 1>>>();
}
