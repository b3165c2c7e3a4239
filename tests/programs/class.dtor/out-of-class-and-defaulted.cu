// [class.dtor] destructors defined outside the class, or defaulted there
template <class T, int N> __global__ void k() {}
template <class T> struct Ctx { ~Ctx(); };
template <class T> Ctx<T>::~Ctx() { k<T, 1><<<1, 1>>>(); }
struct Plain { Ctx<float> c; ~Plain(); };
Plain::~Plain() = default;
template <class T> struct Outer { struct Inner { ~Inner(); }; Inner in; };
template <class T> Outer<T>::Inner::~Inner() { k<T, 2><<<1, 1>>>(); }
int main() {
  Outer<char> o;
}
