__global__ void walk(int *out) { *out = 2; }
