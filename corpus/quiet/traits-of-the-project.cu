// The project's own traits take away what differs between the passes: a reference, a `const`, a pointer, an array.
template <class T> struct Bare { using type = T; };
template <class T> struct Bare<T &> { using type = typename Bare<T>::type; };
template <class T> struct Bare<T &&> { using type = typename Bare<T>::type; };
template <class T> struct Bare<const T> { using type = typename Bare<T>::type; };
template <class T> struct Bare<T *> { using type = typename Bare<T>::type; };
template <class T, int N> struct Bare<T[N]> { using type = typename Bare<T>::type; };

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
typedef const float &spelled_t;
typedef double row_t[4];
#else
typedef float **spelled_t;
typedef const double &&row_t;
#endif

template <class T>
using bare_t = typename Bare<T>::type;

__global__ void store(bare_t<spelled_t> value, bare_t<row_t> *out) {
    *out = value;
}

template <class T>
__global__ void clear(T *out) {
    *out = T();
}

void run(double *out) {
    store<<<1, 1>>>(1.0f, out);
    clear<bare_t<row_t>><<<1, 1>>>(out);
}
