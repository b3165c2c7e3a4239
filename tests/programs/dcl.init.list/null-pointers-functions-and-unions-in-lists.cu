// [over.ics.list] elements of a list: null pointer constants, functions, arrays, and the members of anonymous unions
#include <initializer_list>
template <class T, int N> __global__ void k() {}
struct Named {
  const char *name;
  int size;
};
struct Slot {
  union {
    int whole;
    float part;
  };
  int size;
};
struct View {
  const int *first;
  unsigned long size;
};
struct Callback {
  void (*called)(int);
  int times;
};
struct Made {
  Made(int *) {}
  Made(const char *, Callback) {}
};
struct Far {
  Far(Named, Named, Named) {}
};
template <class T> struct Row {
  Row() {}
  explicit Row(const Far &) { k<T, 1><<<1, 1>>>(); }
  Row(const Row &) { k<T, 2><<<1, 1>>>(); }
  Row(std::initializer_list<T>) { k<T, 3><<<1, 1>>>(); }
};
void twice(int) {}
template <class T> void once(int) {}
void take(Named) { k<Named, 4><<<1, 1>>>(); }
void take(Far) { k<Far, 4><<<1, 1>>>(); }
void make(Made) { k<Made, 5><<<1, 1>>>(); }
void make(Far) { k<Far, 5><<<1, 1>>>(); }
void hold(Slot) { k<Slot, 6><<<1, 1>>>(); }
void hold(Far) { k<Far, 6><<<1, 1>>>(); }
void call(Callback) { k<Callback, 7><<<1, 1>>>(); }
void call(Far) { k<Far, 7><<<1, 1>>>(); }
void see(View) { k<View, 8><<<1, 1>>>(); }
void see(Far) { k<Far, 8><<<1, 1>>>(); }
void point(int *) { k<int *, 9><<<1, 1>>>(); }
void point(Far) { k<Far, 9><<<1, 1>>>(); }
int main() {
  const int data[3] = {1, 2, 3};
  take({0, 1});
  take({"name", 1});
  make({0});
  make({0, {0, 1}});
  hold({1, 2});
  call({twice, 2});
  see({data, 3});
  point({0});
  Row<Named> a{{0, 1}, {nullptr, 2}, {"c", 3}};
  Row<Slot> b{{1, 2}, {3, 4}};
  Row<Callback> c{{0, 1}, {twice, 2}, {once<int>, 3}};
  Row<View> d{{data, 3}, {0, 0}};
  Row<Made> e{{0}, {nullptr}, {0, {twice, 2}}};
  Row<int *> f{{0}, {}, {nullptr}};
}
