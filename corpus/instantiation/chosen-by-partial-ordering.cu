// The more specialized template takes the call: the one whose parameter is repeated. A template template parameter has a
// default argument, and a string literal is an array.
template <class T>
struct Vector { };

template <class T, int Width = 1>
__global__ void scale() { }

template <class T, class U>
void run(T, Vector<U>) {
    scale<U, 1><<<1, 1>>>();
}

template <class T>
void run(T, Vector<T>) {
    scale<T, 2><<<1, 1>>>(); //~[host,sm_90] arch-dependent-instantiation "`scale<int, 2>` (and 2 more)"
}

template <class T, template <class> class Policy = Vector>
void wrap(T) {
    scale<Policy<T>><<<1, 1>>>();
}

template <class T>
void name(const T &) {
    scale<T, 4><<<1, 1>>>();
}

void use() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    run(1, Vector<int>());
    wrap(1.0L);
    name("ab");
#endif
}
