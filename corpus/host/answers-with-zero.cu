// The host compares 0: in the body of a host function, in a member function, in a template, and between two whole functions.
__global__ void old_way(int *out) {
    *out = 1;
}

__global__ void new_way(int *out) {
    *out = 2;
}

void launch(int *out) {
#if __CUDA_ARCH__ >= 900 //~[host,sm_80] misspelt-arch-macro "host function `launch` always takes `#else`, as sm_80 does"
    new_way<<<1, 1>>>(out);
#else
    old_way<<<1, 1>>>(out);
#endif
}

struct Plan {
    int tiles() const {
        int count = 1;
#if __CUDA_ARCH__ < 700 //~[host] misspelt-arch-macro "host function `tiles` always enters it, which no target does"
        count *= 2;
#elif __CUDA_ARCH__ < 900
        count *= 4;
#endif
        return count;
    }
};

template <class T>
int bytes(T) {
#if __CUDA_ARCH__ < 900 //~ misspelt-arch-macro "host function `bytes` always enters it"
    return 48 * 1024;
#else
    return 227 * 1024;
#endif
}

#if __CUDA_ARCH__ >= 800 //~ misspelt-arch-macro "host function `threads` always takes `#else`"
int threads() {
    return 256;
}
#else
int threads() {
    return 128;
}
#endif

int main() {
    int *out = nullptr;
    launch(out);
    return Plan{}.tiles() + bytes(1.0f) + threads();
}
