//@ rdc
extern __device__ int next_power(int);

__global__ void grow(int *out) {
    *out = next_power(1);
}

int main() {
    grow<<<1, 1>>>(nullptr);
    return 0;
}
