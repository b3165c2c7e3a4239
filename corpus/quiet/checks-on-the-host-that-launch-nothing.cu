// Checks that only the host makes, in operators that no call spells. Their functions are named as others that launch are.
#include <algorithm>
#include <cstdlib>

template <class T>
__global__ void fill(T *out) {
    *out = T(1);
}

namespace lib {
template <class T>
T max(T *out, int count) {
    fill<T><<<count, 1>>>(out);
    return T(0);
}
}

template <class T>
struct Lazy {
    T *out;
    int size() const {
        fill<T><<<1, 1>>>(out);
        return 1;
    }
};

template <class T>
struct Eager {
    int size() const { return 8; }
};

template <class T>
struct Plan {
    static int get(T *out) { return out ? 1 : 0; }
};

template <class T>
struct Launching {
    static int get(T *out) {
        fill<T><<<1, 1>>>(out);
        return 2;
    }
};

template <class T>
struct Stream {
    T *data;
    void operator->*(Eager<T> eager) {
#ifndef __CUDA_ARCH__
        if (eager.size() != 8) {
            std::abort();
        }
#endif
    }
    void operator->*(int count) {
#ifndef __CUDA_ARCH__
        if (std::max(count, 4) != 4) {
            std::abort();
        }
#endif
    }
    void operator->*(bool checked) {
#ifndef __CUDA_ARCH__
        if (checked && Plan<T>::get(data) > 1) {
            std::abort();
        }
#endif
    }
};

double run(Stream<float> stream, double *out) {
    stream ->* Eager<float>();
    stream ->* 4;
    stream ->* true;
    Lazy<double>{out}.size();
    Launching<double>::get(out);
    return lib::max(out, 2);
}
