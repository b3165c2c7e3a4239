// `__grid_constant__` says where a parameter lives, not what it is.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define PARAM_MODIFIER __grid_constant__
#else
#define PARAM_MODIFIER
#endif

struct alignas(64) TensorMap {
    char opaque[128];
};

__global__ void load(const PARAM_MODIFIER TensorMap map, char *out) {
    *out = map.opaque[threadIdx.x];
}

int main() {
    load<<<1, 1>>>(TensorMap{}, nullptr);
    return 0;
}
