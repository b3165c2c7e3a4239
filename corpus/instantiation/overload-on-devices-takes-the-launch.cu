// A plain kernel that only device passes see takes the launch away from the template: the host instantiates
// `scale<float>`, the device passes call `scale(float)` and generate no template.
template <class T>
__global__ void scale(T factor) {
    (void)factor;
}

#ifdef __CUDA_ARCH__
__global__ void scale(float factor) {
    (void)factor;
}
#endif

int main() {
    scale<<<1, 1>>>(2.0f); //~[host] arch-dependent-instantiation "scale<float>"
    return 0;
}
