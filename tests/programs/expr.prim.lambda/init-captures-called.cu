// [expr.prim.lambda.capture] objects that init-captures of lambdas, generic or not, hold and the body calls
template <class T> __global__ void k(T) {}
struct F { template <class T> void operator()(T t) const { k<T><<<1, 1>>>(t); } };
struct H { F f; };
void host(H &h) { auto lambda = [g = h.f](long t) { g(t); }; lambda(1L);  auto l2 = [&g = h.f](auto t) { g(t); }; l2(1.0); F own; auto l3 = [own](auto t) { own(t); }; l3('c'); auto l4 = [f = own](auto t) { f(t); }; l4(1.0f);}
