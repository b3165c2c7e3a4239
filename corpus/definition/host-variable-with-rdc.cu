// A host variable with external linkage that device passes do not define. The guide's third restriction
// names variables too.
//@ rdc
//@ nvcc: agrees because the variable is the host's own, of which no device pass keeps anything
#ifndef __CUDA_ARCH__
int launch_count = 0; //~[host] arch-dependent-definition "launch_count"
#endif

__global__ void work() {}

int main() {
    work<<<1, 1>>>();
    return 0;
}
