// [temp.arg] explicit arguments of template parameters that have no name come before those that are deduced
template <int N, class T> __global__ void k(T *) {}
template <class Tag, class /*stable*/, class T> void sort(T *p) { k<sizeof(Tag), T><<<1, 1>>>(p); }
template <int, class, int N, class T> void scan(T *p) { k<N><<<1, 1>>>(p); }
template <class, class T> struct Second { using type = T; };
template <class, class T> typename Second<int, T>::type *pick() { return nullptr; }
int main() {
  sort<char, int>((float *)nullptr);
  sort<double, char>((int *)nullptr);
  scan<1, char, 2>((double *)nullptr);
  k<3><<<1, 1>>>(pick<char, long>());
}
