// Extended lambdas in instances of templates, members and functions of unnamed namespaces: every pass has the same kernels,
// whatever the functions are called and return.
template <class F>
__global__ void apply(F body) {
    body(1);
}

template <class F>
void each(F body) {
    apply<<<1, 1>>>(body);
}

template <class T>
void smooth(T *data) {
    each([=] __device__(int i) { data[i] = 1; });
}

template <class T, int N>
struct Scaled {
    template <class U>
    void run(U factor, T *data) {
        each([=] __device__(int i) { data[i] = factor; });
    }
};

namespace space {
template <class T>
T filled(T *data, const int value) {
    each([=] __device__(int i) { data[i] = value; });
    return T();
}
}

namespace {
template <class T>
const T *hidden(T *data) {
    each([=] __device__(int i) { data[i] = 2; });
    return data;
}
}

template <class T>
unsigned int counted(T (*)(int), T *data) {
    each([=] __device__(int i) { data[i] = 2; });
    return 0;
}

struct Field {
    int *data;
    void fill(int value) {
        each([=] __device__(int i) { data[i] = value; });
    }
};

struct Functor {
    template <class T>
    void operator()(T *data) const {
        each([=] __device__(int i) { data[i] = 1; });
    }
};

int next(int value);

void run(float *floats, int *integers) {
    smooth(floats);
    smooth(integers);
    Scaled<float, 3>().run(2, floats);
    space::filled(floats, 3);
    hidden(integers);
    counted(next, integers);
    Functor()(integers);
    Field{integers}.fill(2);
    each([=] __device__(int i) { floats[i] = 1; });
}
