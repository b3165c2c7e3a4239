// [temp.mem.class] member class templates and their specializations that are defined outside the class
template <class T, int N> __global__ void k() {}
template <class T, int N> void run() { k<T, N><<<1, 1>>>(); }
template <class T> struct Outer {
  struct Plain;
  template <class U> struct Inner;
  template <class U> struct Both { static void go() { run<U, 1>(); } };
  template <class U> static int number;
};
template <class T> struct Outer<T>::Plain { static void go() { run<T, 2>(); } };
template <class T> template <class U> struct Outer<T>::Inner { static void go() { run<U, 3>(); } };
template <class T> template <class U> struct Outer<T>::Inner<U *> { static void go() { run<U, 4>(); } };
template <class T> template <class U> struct Outer<T>::Both<U *> { static void go() { run<T, 5>(); } };
template <> struct Outer<char>::Plain { static void go() { run<char, 6>(); } };
template <> template <class U> struct Outer<char>::Inner { static void go() { run<U, 7>(); } };
template <> template <> struct Outer<char>::Both<long> { static void go() { run<long, 8>(); } };
namespace library {
struct Holder { template <class U> struct Held; };
}
template <class U> struct library::Holder::Held { static void go() { run<U, 9>(); } };
template <class U> struct library::Holder::Held<U &> { static void go() { run<U, 10>(); } };
template <class T, class U> void all() {
  Outer<T>::Plain::go();
  Outer<T>::template Inner<U>::go();
  Outer<T>::template Both<U>::go();
}
int main() {
  all<int, float>();
  all<int, short *>();
  all<char, double>();
  Outer<char>::Both<long>::go();
  library::Holder::Held<unsigned>::go();
  library::Holder::Held<bool &>::go();
}
