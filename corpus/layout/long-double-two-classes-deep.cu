// The `long double` is two classes and an alias away from the variable that holds it.
// `sizeof` is the host's in every pass, and that is what the judge compares; PTX has eight bytes a member.
//@ nvcc: agrees because `sizeof` is the host's in every pass, and the class is not compared in PTX
using extended = long double;

struct Moment { //~ arch-dependent-layout "Moment"
    extended mean, spread;
};

struct Moments {
    Moment of[2];
    int count;
};

__device__ Moments totals;

__global__ void read_count(int *out) {
    *out = totals.count;
}

void run(const Moments &start, int *out) {
    cudaMemcpyToSymbol(totals, &start, sizeof(start));
    read_count<<<1, 1>>>(out);
}
