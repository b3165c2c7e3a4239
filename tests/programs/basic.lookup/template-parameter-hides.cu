// [basic.lookup] a template parameter hides a namespace's name, and a member of a known base hides the parameter
template <class T, int N> __global__ void k() {}
struct T {};
struct Known { using U = short; };
template <class T> void one() { k<T, 1><<<1, 1>>>(); }
template <class U> struct Holder : Known { static void go() { k<U, 2><<<1, 1>>>(); } };
void two() { k<T, 3><<<1, 1>>>(); }
int main() {
  one<float>();
  Holder<double>::go();
  two();
}
