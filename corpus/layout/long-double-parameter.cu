// A kernel that takes a `long double` itself: the host passes an 80-bit number, the GPU reads the first eight bytes
// of it as a `double`. nvcc warns of the type wherever device code does something with it.
// The judge compares what `sizeof` says, which is the host's size in every pass.
//@ nvcc: agrees because `sizeof` is the host's in every pass, and the parameter is not compared with PTX
__global__ void threshold(long double limit, int *out) { //~[host] arch-dependent-layout "long double"
    *out = limit > 0;
}

void run(int *out) {
    threshold<<<1, 1>>>(0.5L, out);
}
