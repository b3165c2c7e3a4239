// [temp.inst] class templates that call each other, one declared first and defined last
template <class T, int N> __global__ void k() {}
template <class T> struct Encoder;
template <class T> struct Decoder { void run(int n) { if (n) Encoder<T>().run(n - 1); k<T, 1><<<1, 1>>>(); } };
template <class T> struct Encoder { void run(int n) { if (n) Decoder<T>().run(n - 1); k<T, 2><<<1, 1>>>(); } };
template <class T> void late(T);
void early() { late(1.f); late('c'); }
template <class T> void late(T) { k<T, 3><<<1, 1>>>(); }
int main() { Encoder<double>().run(3); }
