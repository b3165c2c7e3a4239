// [class.virtual] functions that override those of another specialization of the same template
template <class T, int N> __global__ void k(T) {}
template <int N> struct A : A<N - 1> { void v() override { k<int, N><<<1, 1>>>(0); } };
template <> struct A<0> { virtual void v() {} };
template <class T> struct B { virtual void v() {} };
template <class T> struct B<T *> : B<T> { void v() override { k<T, 6><<<1, 1>>>({}); } };
template <class T> struct C : B<T> { void v() override { k<T, 7><<<1, 1>>>({}); } };
struct I { virtual void a() = 0; };
struct X : I { void a() override {} };
template <class Base> struct Deco : Base { void a() override { Base::a(); k<Base *, 4><<<1, 1>>>(0); } };
int main() {
    A<2> a;
    B<unsigned *> p;
    k<char, 6><<<1, 1>>>('c');
    C<float> c;
    k<char, 7><<<1, 1>>>(0);
    k<int, 5><<<1, 1>>>(0);
    Deco<Deco<X>> d;
    k<void *, 4><<<1, 1>>>(0);
}
