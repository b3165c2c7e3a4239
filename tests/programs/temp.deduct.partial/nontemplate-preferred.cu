// [temp.deduct.partial] a function is better than an equally good template's specialization
template <class T, int N> __global__ void k() {}
template <class T> void go(T) { k<T, 1><<<1, 1>>>(); }
void go(int) { k<int, 2><<<1, 1>>>(); }
template <> void go<char>(char) { k<char, 3><<<1, 1>>>(); }
int main() {
  go(1);
  go<>(1);
  go<int>(1);
  go(1L);
  go('c');
  short s = 1;
  go(s);
}
