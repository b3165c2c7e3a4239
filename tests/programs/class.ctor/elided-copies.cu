// [class.ctor] guaranteed elision: a prvalue initializes its object, no copy is made
template <class T, int N> __global__ void k() {}
template <class T> struct Event {
  Event(int) { k<T, 1><<<1, 1>>>(); }
  Event(const Event &) { k<T, 2><<<1, 1>>>(); }
};
Event<int> make() { return Event<int>(1); }
template <class T> T pass(T t) { return t; }
int main() {
  Event<int> a = make();
  Event<float> b = Event<float>(Event<float>(3));
  Event<char> c = pass(Event<char>(1));
}
