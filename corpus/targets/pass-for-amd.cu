// A pass for a GPU of AMD's, which nvcc does not make, is a pass like others: here its kernel takes something else than
// what the host hands over, and a kernel for NVIDIA's GPUs alone has nothing to register there.
//@ nvcc: agrees because it makes no pass for a GPU of AMD's
//@ targets: 86,gfx1030
#ifdef __AMDGCN__
using Lanes = unsigned long long;
#else
using Lanes = unsigned;
#endif

__global__ void vote(Lanes lanes, int *out) { //~ arch-dependent-signature "gfx1030"
    *out = lanes != 0;
}

#ifndef __AMDGCN__
__global__ void reduce(int *out) { //~ arch-dependent-definition "gfx1030"
    *out = 1;
}
#endif

void run(int *out) {
    vote<<<1, 32>>>(0, out);
    reduce<<<1, 32>>>(out);
}
