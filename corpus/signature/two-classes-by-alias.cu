// cuCollections once named one class on the host and another on the device through one alias.
struct HostView {
    const int *begin;
};
struct DeviceView {
    const int *begin;
};

#if defined(__CUDA_ARCH__)
using View = DeviceView;
#else
using View = HostView;
#endif

__global__ void scan(View view, int *out) { //~[sm_80,sm_90] arch-dependent-signature "scan"
    *out = *view.begin;
}

int main() {
    scan<<<1, 1>>>(View{nullptr}, nullptr);
    return 0;
}
