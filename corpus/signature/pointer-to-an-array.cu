// The parameter points to rows whose length differs. The prototype reads like a variable with an initializer.
#ifdef __CUDA_ARCH__
constexpr int columns = 32;
#else
constexpr int columns = 16;
#endif

__global__ void transpose(float (*matrix)[columns]);

int main() {
    transpose<<<1, 1>>>(nullptr);
    return 0;
}

__global__ void transpose(float (*matrix)[columns]) { //~[host] arch-dependent-signature "[16]"
    matrix[0][1] = matrix[1][0];
}
