// [basic.lookup] the body of a member defined outside its class sees the class's types and statics first
template <class T, int N> __global__ void scale(T *p) {}
using value_t = double;
constexpr int block = 32;
struct Plan {
  using value_t = float;
  static constexpr int block = 128;
  void execute();
  value_t *get();
};
void Plan::execute() { scale<value_t, block><<<1, block>>>(get()); }
Plan::value_t *Plan::get() {
  scale<value_t, ::block><<<1, 1>>>(nullptr);
  return nullptr;
}
void outside() { scale<value_t, block><<<1, 1>>>(nullptr); }
