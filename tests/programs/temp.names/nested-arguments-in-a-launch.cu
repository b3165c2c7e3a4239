// [temp.names] template-ids five deep in the arguments of a launch
template <class T> __global__ void k() {}
template <int N> struct num { };
template <class... T> struct tup { };
template <int N, class... T> struct nth;
template <class A, class... R> struct nth<0, A, R...> { using type = A; };
template <class A, class B, class... R> struct nth<1, A, B, R...> { using type = B; };
template <int N, class T> struct element;
template <int N, class... T> struct element<N, tup<T...>> { using type = typename nth<N, T...>::type; };
template <int N, class T> using element_t = typename element<N, T>::type;
template <class T> struct box { };
int main() {
  k<box<element_t<1, tup<num<3>, num<4>>>>><<<1, 1>>>();
  k<box<box<element_t<0, tup<tup<num<5>, num<6>>, num<7>>>>>><<<1, 1>>>();
}
