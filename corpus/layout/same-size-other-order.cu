// Both arms have the same members, in another order: every size agrees and every member is somebody else.
//@ nvcc: agrees because sizes and alignments are compared, and only offsets differ
struct Range { //~ arch-dependent-layout "Range"
#ifdef __CUDA_ARCH__
    int end;
    int begin;
#else
    int begin;
    int end;
#endif
};

__global__ void walk(Range range, int *out) {
    *out = range.end - range.begin;
}

int main() {
    walk<<<1, 1>>>(Range{0, 8}, nullptr);
    return 0;
}
