// [over.oper] prefix and postfix increment, comma, logical operators of class type
template <int N> __global__ void k() {}
struct It {
  It &operator++() { k<1><<<1, 1>>>(); return *this; }
  It operator++(int) { k<2><<<1, 1>>>(); return *this; }
  It &operator*() { k<3><<<1, 1>>>(); return *this; }
  bool operator!=(const It &) const { k<4><<<1, 1>>>(); return false; }
};
It &operator,(It &a, int) { k<5><<<1, 1>>>(); return a; }
bool operator&&(It, It) { k<6><<<1, 1>>>(); return true; }
struct Range { It begin() { return {}; } It end() { return {}; } };
void walk() { for (auto &i : Range{}) (void)i; }
int main() {
  It i;
  i++;
  i, 5;
  i && i;
}
