// The author wanted new GPUs to run one kernel and old ones the other. The host always takes the `#else`, and
// the kernel it launches exists on no GPU of this build.
template <class T>
__global__ void fast_copy(T *out) {
    *out = T(1);
}
template <class T>
__global__ void slow_copy(T *out) {
    *out = T(2);
}

void copy(float *out) {
#if __CUDA_ARCH__ >= 800
    fast_copy<<<1, 1>>>(out);
#else
    slow_copy<<<1, 1>>>(out); //~[host] arch-dependent-instantiation "slow_copy"
#endif
}

int main() {
    copy(nullptr);
    return 0;
}
