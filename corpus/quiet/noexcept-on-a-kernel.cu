// nvcc accepts an exception specification on no kernel, in whatever pass: nothing to compare.
//@ nvcc: disagrees because it rejects an exception specification on a kernel in every pass
#ifdef __CUDA_ARCH__
#define MAY_NOT_THROW noexcept
#else
#define MAY_NOT_THROW
#endif

__global__ void tick(int *out) MAY_NOT_THROW {
    *out += 1;
}

void run(int *out) {
    tick<<<1, 1>>>(out);
}
