// [temp.deduct.call] a parameter of a nested type is not deduced, and converts
template <class T> __global__ void k(T *p, T v) {}
template <class T> struct identity { using type = T; };
template <class T> using same_t = typename identity<T>::type;
template <class T> void fill(T *p, same_t<T> v) { k<<<1, 1>>>(p, v); }
template <class T, int N> void clamp_to(same_t<T>, T (&a)[N]) { k<T><<<1, 1>>>(a, N); }
int main() {
  fill((double *)nullptr, 0);
  fill((unsigned char *)nullptr, 2.5f);
  short a[4];
  clamp_to(7L, a);
}
