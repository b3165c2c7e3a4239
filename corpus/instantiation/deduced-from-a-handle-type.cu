// The argument is deduced from a handle whose typedef names another opaque class per pass.
struct DeviceStream;
struct HostStream;

#ifdef __CUDA_ARCH__
typedef DeviceStream *stream_handle;
#else
typedef HostStream *stream_handle;
#endif

template <class Handle>
__global__ void is_open(Handle handle, int *out) {
    *out = handle != nullptr;
}

int main() {
    is_open<<<1, 1>>>(stream_handle(nullptr), (int *)nullptr); //~ arch-dependent-instantiation "is_open"
    return 0;
}
