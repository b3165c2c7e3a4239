// [namespace.unnamed] kernels and launchers in unnamed namespaces, of the same name in nested ones
namespace { template <class T> __global__ void k() {} template <class T> void run() { k<T><<<1, 1>>>(); } }
namespace lib {
namespace { template <class T> __global__ void k() {} template <class T> void run() { k<T><<<1, 1>>>(); } }
void go() { run<int>(); ::run<float>(); }
namespace detail { namespace { void more() { k<char><<<1, 1>>>(); } } void call() { more(); } }
}
static void unused() { run<double>(); }
int main() { lib::go(); lib::detail::call(); }
