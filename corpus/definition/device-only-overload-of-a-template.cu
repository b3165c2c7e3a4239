// A plain kernel that only device passes see takes the launch away from the template: the host instantiates
// `scale<float>`, the device passes have `scale(float)`. The plain kernel is the cause, and the one finding.
template <class T>
__global__ void scale(T factor) {
    (void)factor;
}

#ifdef __CUDA_ARCH__
__global__ void scale(float factor) { //~[host] arch-dependent-definition "scale"
    (void)factor;
}
#endif

int main() {
    scale<<<1, 1>>>(2.0f);
    return 0;
}
