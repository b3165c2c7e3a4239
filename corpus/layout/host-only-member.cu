// A debugging member that only the host has shifts the member behind it.
struct Request { //~[host] arch-dependent-layout "Request"
    int id;
#ifndef __CUDA_ARCH__
    void *debug_info;
#endif
    int length;
};

__global__ void serve(Request request, int *out) {
    *out = request.length;
}

int main() {
    serve<<<1, 1>>>(Request{}, nullptr);
    return 0;
}
