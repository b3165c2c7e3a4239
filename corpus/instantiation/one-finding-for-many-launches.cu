// One guard hides three launches of one instantiation: one cause, one finding, at the first of them.
template <class T>
__global__ void step(T *data) {
    *data += T(1);
}

void run(int *data) {
#ifndef __CUDA_ARCH__
    step<<<1, 1>>>(data); //~ arch-dependent-instantiation "step"
    step<<<1, 1>>>(data);
    step<int><<<2, 2>>>(data);
#endif
}
