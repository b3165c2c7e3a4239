// The names of a default argument are looked up where it stands, not where the function was declared first.
template<class T> __global__ void k(T){}
template<class T> void f(T x) { k<<<1,1>>>(x); }
struct W { template<class T> W(T x) { f(x); } };
long one(...);
void use(int, W);
short one(int);
void use(int, W = one(1));
float two(...);
void use2(int a, W b, W c);
void use2(int a, W b, W c = W(two('c')));
char two(char);
void use2(int a, W b = W(two('c')), W c);
void g() { use(1); use2(1); }
