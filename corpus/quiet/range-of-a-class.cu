// Loops over ranges give what has the same type in all passes.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
typedef float Scalar;
#else
using Scalar = float;
#endif

template <class T>
__global__ void fill(T *data) {
    *data = T();
}

template <class T>
struct Cursor {
    T *at;

    T &operator*() const { return *at; }
    Cursor &operator++() {
        ++at;
        return *this;
    }
    bool operator!=(const Cursor &other) const { return at != other.at; }
};

template <class T>
struct Chunks {
    T *first, *last;

    Cursor<T *> begin() { return {&first}; }
    Cursor<T *> end() { return {&last}; }
};

template <class T>
void launch(T &) {
    fill<T><<<1, 1>>>(nullptr);
}

void run(Chunks<Scalar> chunks, Scalar one) {
    for (auto &chunk : chunks)
        launch(chunk);
    for (auto value : {one, one})
        launch(value);
    const Scalar *table[3] = {};
    for (auto &entry : table) {
        launch(entry);
    }
}
