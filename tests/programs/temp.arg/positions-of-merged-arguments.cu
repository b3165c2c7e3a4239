// The names of a default template argument are looked up where it stands.
template<class T> __global__ void k(){}
char one(...);
template<class T, class U> struct A;
template<class T, class U = decltype(one(1))> struct A;
short one(int);
template<class T = decltype(one(1)), class U> struct A { static void go() { k<T><<<1,1>>>(); k<U*><<<1,1>>>(); } };
void g() { A<>::go(); }
