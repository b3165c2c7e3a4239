// [class.access] constructors and destructors that are not public, and abstract classes, of which there are no objects
#include <type_traits>
template <int Number, bool Holds>
__global__ void query() {}

class Private {
  Private(int);

 public:
  Private(const char *);
};
struct Abstract {
  virtual void run() = 0;
};
struct Derived : Abstract {};
class Kept {
  ~Kept();

 public:
  Kept();
};

void launch() {
  query<1, std::is_constructible<Private, int>::value><<<1, 1>>>();
  query<2, std::is_constructible<Private, const char *>::value><<<1, 1>>>();
  query<3, std::is_constructible<Abstract>::value><<<1, 1>>>();
  query<4, std::is_constructible<Derived>::value><<<1, 1>>>();
  query<5, std::is_constructible<Kept>::value><<<1, 1>>>();
}
