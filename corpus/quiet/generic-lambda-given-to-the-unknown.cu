// A generic lambda goes into an object of which nothing here says with what it calls it, and one that is called with a type
// by pass launches a plain kernel, and a template with the same arguments in every pass.
#include <functional>

#if __CUDA_ARCH__ >= 900
typedef double accurate;
#else
typedef float accurate;
#endif

template <class T>
__global__ void finish(T *data) {
    data[threadIdx.x] = T();
}

__global__ void plain(float *data) {
    data[threadIdx.x] = 0;
}

template <class Body>
void here(Body body) {
    body(accurate());
    body(0);
}

void run(float *data, int *counts) {
    std::function<void(float *)> stored = [=](auto pointer) { finish<<<1, 32>>>(pointer); };
    stored(data);
    here([=](auto value) {
        plain<<<1, 32>>>(data + int(value));
        finish<<<1, 32>>>(counts);
        finish<<<1, 32>>>(data);
    });
}
