// [temp.deduct.call] a pack deduced from trailing arguments, after explicitly given ones
template <class... T> __global__ void k() {}
template <class R, class... A> void call(R (*)(A...), A... ) { k<R, A...><<<1, 1>>>(); }
template <class First, class... Rest> void some(First, Rest...) { k<First, char, Rest...><<<1, 1>>>(); }
template <class... A> void given(A...) { k<A...><<<1, 1>>>(); }
int f(int, float);
int main() {
  call(f, 1, 2.f);
  some(1, 'c', 2.0);
  some('x');
  given<long, long>(1, 2, 3.f);
}
