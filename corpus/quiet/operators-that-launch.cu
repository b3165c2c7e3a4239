// Operators launch, for the same type in all passes.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
typedef float Scalar;
#else
using Scalar = float;
#endif

template <class T>
__global__ void fill(T *data) {
    *data = T();
}

namespace lin {
template <class T>
struct Vector {
    T *data;

    Vector &operator+=(const Vector &) {
        fill<T><<<1, 1>>>(data);
        return *this;
    }

    T *operator[](int) {
        fill<T *><<<1, 1>>>(nullptr);
        return data;
    }
};

template <class T>
Vector<T> operator*(T, Vector<T> right) {
    fill<T **><<<1, 1>>>(nullptr);
    return right;
}
}

template <class T>
struct Lazy {
    T operator*() const {
        fill<const T **><<<1, 1>>>(nullptr);
        return T();
    }
};

struct Queue { };

template <class T>
Queue &operator<<(Queue &queue, T *) {
    fill<T ***><<<1, 1>>>(nullptr);
    return queue;
}

lin::Vector<Scalar> make();

void run(lin::Vector<Scalar> vector, Lazy<Scalar> lazy, Queue &queue) {
    vector += vector;
    Scalar *first = vector[0];
    auto twice = *lazy * make();
    queue << first << twice.data;
}
