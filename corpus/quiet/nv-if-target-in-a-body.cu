// `NV_IF_TARGET` and `NV_DISPATCH_TARGET` in bodies choose statements, not declarations.
#include <nv/target>

template <class T>
__global__ void work(T *out) {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (*out = T(90);), (*out = T(80);))
}

__host__ __device__ int where() {
    NV_IF_TARGET(NV_IS_HOST, (return 0;), (return 1;))
}

void run(int *out) {
    work<<<1, 1>>>(out);
    *out = where();
}
