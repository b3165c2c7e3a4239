// `__COUNTER__` counts the uses before it, and one of those exists in device passes only.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#ifdef __CUDA_ARCH__
static const int JOIN(device_only_, __COUNTER__) = 0;
#endif

template <int Id>
__global__ void traced(int *out) {
    *out = Id;
}

int main() {
    traced<__COUNTER__><<<1, 1>>>((int *)nullptr); //~ arch-dependent-instantiation "traced"
    return 0;
}
