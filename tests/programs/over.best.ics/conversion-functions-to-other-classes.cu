// [over.match.copy] a conversion function to another class makes no object of this one, and no second conversion follows
template <class T, int N> __global__ void k() {}
struct Sequential {};
struct Parallel {};
struct Derived : Parallel {};
struct ToSequential { operator Sequential() const; };
struct ToDerived { operator Derived() const; };
struct Tag : ToSequential {};
struct FromSequential { FromSequential(Sequential); };
template <class T> T &&declared() noexcept;
template <class T> void take(T);
template <class From, class To, class = void> struct Converts { static constexpr int value = 0; };
template <class From, class To>
struct Converts<From, To, decltype(take<To>(declared<From>()))> { static constexpr int value = 1; };
template <class From, class To> struct Pair {};
template <class From, class To> void both() {
  k<Pair<From, To>, Converts<From, To>::value><<<1, 1>>>();
}
int main() {
  both<Tag, Parallel>();
  both<Tag, Sequential>();
  both<ToDerived, Parallel>();
  both<ToDerived, Derived>();
  both<ToSequential, Derived>();
  both<Tag, FromSequential>();
  both<Sequential, FromSequential>();
}
