// [temp.deduct] leading arguments are given, the others deduced
template <class A, class B, class C> __global__ void k(B *b, C c) {}
template <class Acc, class In, class Out> void reduce(In *in, Out *out) { k<Acc><<<1, 1>>>(in, out); }
template <int N, class... T> void pack(T... t) { (k<char[N]><<<1, 1>>>(&t, t), ...); }
int main() {
  reduce<double>((float *)nullptr, (int *)nullptr);
  reduce<float, short>((short *)nullptr, (char *)nullptr);
  pack<3>(1, 2.0);
  pack<4, long>(1, 'c');
}
