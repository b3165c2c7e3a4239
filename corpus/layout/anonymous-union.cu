// One alternative of an anonymous union is for the host only.
struct Value { //~ arch-dependent-layout "Value"
    int kind;
    union {
        int number;
#ifndef __CUDA_ARCH__
        const char *text[2];
#endif
    };
};

__global__ void print(Value value, int *out) {
    *out = value.number;
}

int main() {
    print<<<1, 1>>>(Value{}, nullptr);
    return 0;
}
