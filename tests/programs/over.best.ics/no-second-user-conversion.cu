// [over.best.ics]/4 where a converting constructor's parameter would need a user-defined conversion itself
template <class T, int N> __global__ void k() {}
struct FromInt { FromInt(int); };
struct Outer { Outer(FromInt); };
struct Base {};
struct Derived : Base {};
struct FromBase { FromBase(Base const &); };
struct ToBase { operator Base() const; };
struct ToInt { operator int() const; };
struct Any { template <class T> Any(T const &); };
struct OfAny { OfAny(Any); };
struct Pair { Pair(FromInt, int = 0); };
template <class T> struct Ref { T *p; Ref(T *q = nullptr); template <class U> Ref(Ref<U> const &other); operator T &() const; };
template <class T> struct View { View(Ref<T>); };
struct Args { Args(int, Ref<float const>, Ref<float>, Outer); };
struct Member { int v; };
struct OfMember { OfMember(int Member::*); };
struct Twice { Twice(OfMember); };
struct Bool { Bool(bool); };
struct OfBool { OfBool(Bool); };
template <class F, class T, class = void> struct Converts { static constexpr int value = 0; };
template <class T> void take(T);
template <class F, class T> struct Converts<F, T, decltype(take<T>(*static_cast<F *>(nullptr)))> { static constexpr int value = 1; };
template <int N> struct Size { char of[N]; };
Size<1> outer(Outer); Size<2> outer(...);
Size<1> pair(Pair); Size<2> pair(...);
Size<1> twice(Twice); Size<2> twice(...);
Size<1> either(Outer); Size<2> either(FromInt);
Size<1> better(View<float>); Size<2> better(Ref<float>); Size<3> better(...);
void go() {
  k<Size<1>, sizeof(outer(1)) + 10 * sizeof(outer(FromInt(1))) + 100 * sizeof(pair(1)) + 1000 * sizeof(twice(nullptr))><<<1, 1>>>();
  k<Size<2>, sizeof(either(1)) + 10 * sizeof(better(static_cast<float *>(nullptr)))><<<1, 1>>>();
  k<char, Converts<int, Outer>::value><<<1, 1>>>();
  k<short, Converts<FromInt, Outer>::value><<<1, 1>>>();
  k<int, Converts<Derived, FromBase>::value + 10 * Converts<ToBase, FromBase>::value><<<1, 1>>>();
  k<long, Converts<int, OfAny>::value + 10 * Converts<Any, OfAny>::value + 100 * Converts<int, Any>::value><<<1, 1>>>();
  k<float, Converts<int, Pair>::value + 10 * Converts<FromInt, Pair>::value><<<1, 1>>>();
  k<double, Converts<ToInt, FromInt>::value + 10 * Converts<ToInt, int>::value + 100 * Converts<ToInt, double>::value><<<1, 1>>>();
  k<unsigned, Converts<float *, Ref<float>>::value + 10 * Converts<float *, View<float>>::value + 100 * Converts<Ref<float>, View<float>>::value><<<1, 1>>>();
  k<Bool, Converts<int, Bool>::value + 10 * Converts<int, OfBool>::value + 100 * Converts<int *, Bool>::value + 1000 * Converts<int *, OfBool>::value><<<1, 1>>>();
  k<Ref<int>, Converts<decltype(nullptr), OfMember>::value + 10 * Converts<decltype(nullptr), Twice>::value><<<1, 1>>>();
  k<Ref<char>, Converts<Ref<int>, Ref<char>>::value + 10 * Converts<Ref<int>, int>::value + 100 * Converts<Ref<int>, FromInt>::value><<<1, 1>>>();
}
