// [class.ctor] a defaulted copy constructor copies the members and bases
template <class T, int N> __global__ void k() {}
template <class T> struct Part {
  Part() = default;
  Part(const Part &) { k<T, 1><<<1, 1>>>(); }
  Part &operator=(const Part &) { k<T, 2><<<1, 1>>>(); return *this; }
};
struct Whole : Part<char> { Part<float> member; int rest = 0; };
struct Assigned { Part<double> array[2]; };
int main() {
  Whole a;
  Whole b = a;
  Assigned c, d;
  c = d;
}
