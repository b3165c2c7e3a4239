// The macro as an expression in a kernel's body. The host's pass, where it is no number, parses that body too, and the
// build fails; names and types are the same.
//@ nvcc: disagrees because the host's pass parses the body, where the macro is no number
__global__ void report(int *out) {
    if (__CUDA_ARCH__ >= 900)
        *out = 1;
    else
        *out = 2;
}

void run(int *out) {
    report<<<1, 1>>>(out);
}
