// [over.match.class.deduct] constructors whose parameters are written with member types deduce the class's arguments
template <int N, class T> __global__ void k() {}
template <class T> struct Bare { using type = T; };
struct Layout { using Index = int; };
template <class E, class L> struct Ref {
  using Element = E;
  using Shape = L;
  using Pointer = Element *;
  using Mutable = Ref<typename Bare<Element>::type, Shape>;
  Ref() {}
  Ref(Pointer, Shape const &) {}
  template <class Magic = int> Ref(Mutable const &, Magic = 0) {}
};
template <class T> struct Span {
  using value_type = T;
  using pointer = value_type *;
  using length = int;
  Span(pointer, length) {}
  template <int N> Span(value_type (&)[N]) {}
};
template <class T, class I> struct Indexed {
  using layout = I;
  Indexed(T, layout, typename layout::Index = 0) {}
};
template <class T> struct Callable {
  using result = T;
  Callable(result (*)(int)) {}
};
// The parameter of the constructor hides the member.
template <class T> struct Hidden {
  using U = T *;
  template <class U> Hidden(T, U) {}
};
float twice(int);
int main() {
  float values[4];
  Ref ref(&values[0], Layout{});
  k<1, decltype(ref)><<<1, 1>>>();
  Span span(values + 1, 3);
  k<2, decltype(span)><<<1, 1>>>();
  Span whole(values);
  k<3, decltype(whole)><<<1, 1>>>();
  Indexed indexed('a', Layout{}, 3);
  k<4, decltype(indexed)><<<1, 1>>>();
  k<5, decltype(Callable(&twice))><<<1, 1>>>();
  k<6, decltype(Hidden(2.0, 'a'))><<<1, 1>>>();
}
