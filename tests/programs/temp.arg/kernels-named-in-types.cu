// [temp.arg] a type that names a kernel as a template argument instantiates it, and so does a call through that argument
template <class T, int N> __global__ void scale() {}
template <auto Kernel> struct Op {
  template <class... A> static void run(A... a) { Kernel<<<1, 1>>>(a...); }
};
using Alias = Op<&scale<char, 1>>;
struct Member { using Type = Op<&scale<char, 2>>; };
typedef Op<&scale<char, 3>> Typedef;
struct Derived : Op<&scale<char, 4>> {};
template <class T> using OfParameter = Op<&scale<T, 5>>;
template <class T> struct DerivedOfParameter : Op<&scale<T, 6>> {};
template <class T> void local() { using Local = Op<&scale<T, 7>>; }
void declared(Op<&scale<char, 8>> *);
int main() {
  local<int>();
  Alias::run();
  OfParameter<float>::run();
  DerivedOfParameter<double>::run();
}
