// [basic.lookup] enumerators belong to the scope around an unscoped enumeration
template <int N> __global__ void k() {}
enum Layout { Row = 4, Col = 7 };
struct Conv {
  enum Layout { Row = 11, Tiled };
  static void go() { k<Row><<<1, 1>>>(); k<::Row><<<1, 1>>>(); k<Col><<<1, 1>>>(); }
};
enum class Mode { Row = 40 };
int main() {
  Conv::go();
  k<Conv::Tiled><<<1, 1>>>();
  k<int(Mode::Row)><<<1, 1>>>();
}
