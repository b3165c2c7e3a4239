// What only device passes have of host code at namespace scope and in classes: functions, one of them used by code that is
// lost with it, explicit instantiations, a member function, a test that registers itself.
#define TEST(name) static void name()

__global__ void fill(int *out) {
    *out = 1;
}

#if __CUDA_ARCH__ >= 900
int lost() { //~ host-code-behind-device-guard "host function `lost` has a definition that the host pass leaves out"
    return 1;
}
#endif

#ifdef __CUDA_ARCH__
template <class T>
void start(T *out) { //~ host-code-behind-device-guard "host function `start` has a definition"
    fill<<<1, 1>>>(out);
}
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
void run(int *out) { //~ host-code-behind-device-guard "host function `run` has a definition"
    start(out);
}
#endif

template <class T>
struct Pool {
    T *data;
    void clear() {
        data = nullptr;
    }
};

template <class T>
int bytes(int count) {
    return count * sizeof(T);
}

#if __CUDA_ARCH__ >= 900
template struct Pool<double>; //~ host-code-behind-device-guard "host template `Pool` has an explicit instantiation"
template int bytes<double>(int);
#endif

class Log {
public:
    int lines = 0;
#ifdef __CUDA_ARCH__
    void add() { //~ host-code-behind-device-guard "host function `add` has a definition in its class"
        ++lines;
    }
#endif
};

#if __CUDA_ARCH__ >= 800
TEST(fills) { //~ host-code-behind-device-guard "host function `fills` has a definition"
    fill<<<1, 1>>>(nullptr);
}
#endif
