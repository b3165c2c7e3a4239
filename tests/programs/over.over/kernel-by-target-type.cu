// [over.over] an overloaded kernel template's address taken by the type of what holds it
template <class T> __global__ void scan(T *p) {}
template <class T> __global__ void scan(T *p, int n) {}
template <class T, class U> __global__ void scan(T *p, U *q) {}
using One = void (*)(float *);
using Two = void (*)(double *, int);
struct Table { One one; Two two; void (*three)(int *, char *); };
int main() {
  One a = scan;
  Two b = &scan;
  Table t = {scan, scan, scan};
  a<<<1, 1>>>(nullptr);
}
