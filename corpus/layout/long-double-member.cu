// No macro at all: a `long double` takes sixteen bytes on the host and is a `double` on the GPU, so that what stands
// behind it is read from elsewhere.
// `sizeof` is the host's in every pass, and that is what the judge compares; the parameter in PTX is smaller.
//@ nvcc: agrees because `sizeof` is the host's in every pass, and the class is not compared in PTX
struct Tolerance { //~[host] arch-dependent-layout "Tolerance"
    long double epsilon;
    int iterations;
};

__global__ void refine(Tolerance tolerance, int *out) {
    *out = tolerance.iterations;
}

void run(int *out) {
    refine<<<1, 1>>>(Tolerance{1e-9L, 40}, out);
}
