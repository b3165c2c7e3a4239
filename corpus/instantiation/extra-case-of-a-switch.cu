// One case of a dispatch is for new GPUs. The host has it, sm_80 does not.
template <class T>
__global__ void fill(T *data) {
    *data = T(1);
}

#define FILL_AS(type)                                \
    {                                                \
        using scalar_t = type;                       \
        fill<scalar_t><<<1, 1>>>((scalar_t *)data);  \
    }

void dispatch(int kind, void *data) {
    switch (kind) {
    case 0:
        FILL_AS(float)
        break;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    case 1:
        FILL_AS(double) //~[sm_80] arch-dependent-instantiation "fill"
        break;
#endif
    }
}

int main() {
    dispatch(0, nullptr);
    return 0;
}
