// What only device passes have in functions that only the host runs: a label of a dispatcher, a call in a member function,
// a launch behind a macro derived from the architecture, a return in a template.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define HAS_CLUSTERS 1
#endif

__global__ void plain(int *out) {
    *out = 1;
}

__global__ void cluster(int *out) {
    *out = 2;
}

enum class Way { Plain, Cluster };

void dispatch(Way way, int *out) {
    switch (way) {
#if __CUDA_ARCH__ >= 900
    case Way::Cluster: //~ host-code-behind-device-guard "host function `dispatch` has a label of a `switch`"
        break;
#endif
    case Way::Plain:
        plain<<<1, 1>>>(out);
        break;
    }
}

struct Runner {
    int *out;
    int runs = 0;

    __device__ int limit() const {
#if __CUDA_ARCH__ >= 900
        return 8;
#endif
        return 4;
    }

    void count() {
#ifdef __CUDA_ARCH__
        ++runs; //~[host] host-code-behind-device-guard "host function `count` has statements"
#endif
    }
};

namespace gpu {
template <class T>
int run(T *out) {
#ifdef HAS_CLUSTERS
    cluster<<<1, 1>>>(out); //~ host-code-behind-device-guard "host function `run` has a kernel launch"
#elif __CUDA_ARCH__ >= 800
    return 1;
#endif
    return 0;
}
}

int main() {
    int *out = nullptr;
    dispatch(Way::Plain, out);
    Runner{out}.count();
    return gpu::run(out);
}
