// [temp.deduct.call] class and member types are deduced from pointers to members
template <class C, class M> __global__ void k() {}
struct Body { float mass; int id; double energy() const { return 0; } };
template <class C, class M> void sort_by(M C::*) { k<C, M><<<1, 1>>>(); }
template <class C, class R> void call(R (C::*)() const) { k<C *, R><<<1, 1>>>(); }
int main() {
  sort_by(&Body::mass);
  sort_by(&Body::id);
  call(&Body::energy);
}
