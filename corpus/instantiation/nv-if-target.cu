// libcu++'s `NV_IF_TARGET` is a conditional like any other: device passes do not see this launch.
#include <nv/target>

template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

__host__ __device__ void reset(int *data) {
    NV_IF_TARGET(NV_IS_HOST, (clear<<<1, 1>>>(data);)) //~[host] arch-dependent-instantiation "clear"
}

int main() {
    reset(nullptr);
    return 0;
}
