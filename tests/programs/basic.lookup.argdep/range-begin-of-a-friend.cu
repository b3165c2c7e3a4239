// [basic.lookup.argdep] free begin and end that launch, found for the range of a for statement
template <int N> __global__ void k() {}
namespace g {
struct Graph { int *p = nullptr; };
int *begin(Graph &graph) { k<1><<<1, 1>>>(); return graph.p; }
int *end(Graph &graph) { k<2><<<1, 1>>>(); return graph.p; }
int *begin(const Graph &graph) { k<3><<<1, 1>>>(); return graph.p; }
}
int main() {
  g::Graph graph;
  for (int v : graph) (void)v;
}
