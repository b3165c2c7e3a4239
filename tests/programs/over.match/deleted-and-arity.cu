// [over.match] deleted overloads are chosen never, arity and default arguments decide
template <class T, int N> __global__ void k() {}
template <class T> void launch(T, int = 1) { k<T, 2><<<1, 1>>>(); }
void launch(char) = delete;
void launch(char, int, int = 3) { k<char, 3><<<1, 1>>>(); }
void launch(double) { k<double, 1><<<1, 1>>>(); }
int main() {
  launch(1, 2);
  launch('c', 1);
  launch(1.0);
}
