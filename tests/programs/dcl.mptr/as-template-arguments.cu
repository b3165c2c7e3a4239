// [dcl.mptr] the types of pointers to members
template <int N, class... T> __global__ void k() {}
struct Owner {
  int field;
  int *pointer;
  int list[3];
  const long fixed = 1;
  void call();
  int counted(int, float) const;
  int *given(char *);
};
template <class T> struct Holder {
  T value;
  T get() const;
};
template <int N, class C, class M> void of(M C::*) {
  k<N, C, M><<<1, 1>>>();
}
template <int N, class T> void same(T) {
  k<N, T, const T *, T *><<<1, 1>>>();
}
int main() {
  same<1>(&Owner::field);
  same<2>(&Owner::pointer);
  same<3>(&Owner::list);
  same<14>(&Owner::fixed);
  same<4>(&Owner::call);
  same<5>(&Owner::counted);
  same<6>(&Owner::given);
  same<7>(&Holder<float>::value);
  same<8>(&Holder<int Owner::*>::value);
  same<9>(&Holder<int Owner::*>::get);
  of<10>(&Owner::field);
  of<11>(&Owner::pointer);
  of<12>(&Holder<short>::value);
}
