// [class.copy.ctor] which copies are trivial: the constructor that copies decides, not the assignment
template <class T, int N> __global__ void k() {}
struct Plain { int a; float b[2]; };
struct Copied { Copied(const Copied &) {} };
struct Assigned { Assigned(const Assigned &) = default; Assigned &operator=(const Assigned &) { return *this; } };
struct Moved { Moved(const Moved &) = default; Moved(Moved &&) {} };
struct Holds { Copied inner; };
struct Derived : Copied { int n; };
struct Virtual { virtual void f(); };
struct Destroyed { ~Destroyed() {} };
struct Refers { int &to; };
struct Deleted { Deleted(const Deleted &) = delete; };
template <class U> struct Wrapped { U inner; };
template <class T> using Constant = const T &;
template <class T> void all() {
  k<T, __is_trivially_constructible(T, Constant<T>)><<<1, 1>>>();
  k<T, 10 + __is_trivially_constructible(T, T)><<<1, 1>>>();
}
int main() {
  all<Plain>();
  all<Copied>();
  all<Assigned>();
  all<Moved>();
  all<Holds>();
  all<Derived>();
  all<Virtual>();
  all<Destroyed>();
  all<Refers>();
  all<Deleted>();
  all<Wrapped<Copied>>();
  all<Wrapped<Plain>>();
}
