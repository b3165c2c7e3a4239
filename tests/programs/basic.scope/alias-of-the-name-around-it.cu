// [basic.scope.pdecl] an alias is declared after its type, so `using View = View<T>` names the template around the class, and T the class's own parameter
template <class T> __global__ void k() {}
template <class E, class L> struct View { using element = E; };
using Same = short;
template <class Element, class Layout> struct Tensor {
  using View = View<Element, Layout>;
  using element = typename View::element;
  View view() { return View(); }
};
template <class T> struct Outer {
  template <class U> struct Item {};
  struct Inner { using Item = Item<T>; };
};
struct Plain { using Same = Same; };
template <class T> void launch(T) { k<T><<<1, 1>>>(); }
int main() {
  Tensor<float, char> tensor;
  launch(tensor.view());
  k<Tensor<int, int>::element><<<1, 1>>>();
  k<Outer<long>::Inner::Item><<<1, 1>>>();
  k<Plain::Same><<<1, 1>>>();
}
