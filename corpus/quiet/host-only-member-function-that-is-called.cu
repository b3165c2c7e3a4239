// Every pass parses the host's functions, so the call below has no such member on the GPUs' passes. nvcc says so; no
// kernel, variable or layout depends on it.
//@ nvcc: disagrees because the device passes parse the host's call, and fail for want of the member
struct Extent {
    int width;
#ifndef __CUDA_ARCH__
    int area() const { return width * width; }
#endif
};

__global__ void resize(Extent extent, int *out) {
    *out = extent.width;
}

int run(Extent extent, int *out) {
    resize<<<1, 1>>>(extent, out);
    return extent.area();
}
