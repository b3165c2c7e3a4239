// [namespace.udecl] a using-declaration of a base's conversion function
template <class T, int N> __global__ void k() {}
struct Handle {
  operator float *() { k<float, 1><<<1, 1>>>(); return nullptr; }
  operator int() { k<int, 2><<<1, 1>>>(); return 0; }
};
struct Device : private Handle { using Handle::operator float *; };
void take(float *) {}
int main() {
  Device d;
  take(d);
}
