// Host functions of every kind that lose code: a constructor, a destructor, an operator, one with a trailing return type, one
// whose body is a `try` block, a lambda, one with the linkage of C, a static member of a template, and all groups of a chain.
//@ targets: 80,90
__global__ void plain(int *out) {
    *out = 1;
}

struct Buffer {
    Buffer(int *given);
    ~Buffer();
    int operator()(int index) const;
    int *data;
};

Buffer::Buffer(int *given) : data(given) {
#ifdef __CUDA_ARCH__
    plain<<<1, 1>>>(data); //~ host-code-behind-device-guard "host function `Buffer` has a kernel launch"
#endif
}

Buffer::~Buffer() {
#ifdef __CUDA_ARCH__
    data = nullptr; //~[host] host-code-behind-device-guard "host function `~Buffer` has statements"
#endif
}

int Buffer::operator()(int index) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    index *= 2; //~[host] host-code-behind-device-guard "host function `operator()` has statements"
#endif
    return data[index];
}

auto trailing(int value) -> int {
#if __CUDA_ARCH__ >= 800
    value += 1; //~[host] host-code-behind-device-guard "host function `trailing` has statements"
#endif
    return value;
}

int tried(int value) try {
#if defined(__CUDA_ARCH__)
    value += 1; //~[host] host-code-behind-device-guard "host function `tried` has statements"
#endif
    return value;
} catch (...) {
    return 0;
}

extern "C" void with_c_linkage(int *out) {
#if __CUDA_ARCH__ >= 900
    plain<<<2, 1>>>(out); //~ host-code-behind-device-guard "host function `with_c_linkage` has a kernel launch"
#elif __CUDA_ARCH__ >= 800
    plain<<<1, 1>>>(out);
#endif
}

template <class T>
struct Launcher {
    static void run(T *out) {
#if __CUDA_ARCH__ >= 800
        plain<<<1, 1>>>(out); //~ host-code-behind-device-guard "host function `run` has a kernel launch"
#endif
    }
};

int main() {
    auto start = [](int *out) {
#if __CUDA_ARCH__ >= 800
        plain<<<1, 1>>>(out); //~ host-code-behind-device-guard "host function `main` has a kernel launch"
#endif
    };
    start(nullptr);
    Launcher<int>::run(nullptr);
}
