// [temp.friend] friend function templates and operators defined in a class template
template <class T, int N> __global__ void k() {}
template <class T> struct M {
  template <class U> friend void mul(M, U) { k<T, sizeof(U)><<<1, 1>>>(); }
  friend M operator+(M a, M) { k<T, 100><<<1, 1>>>(); return a; }
  friend bool operator==(const M &, const M &) { k<T, 200><<<1, 1>>>(); return true; }
};
int main() {
  mul(M<int>{}, 'c');
  mul(M<float>{}, 1.0);
  M<char>{} + M<char>{};
  bool b = M<short>{} == M<short>{};
}
