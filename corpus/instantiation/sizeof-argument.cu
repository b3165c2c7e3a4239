// The argument is the size of a struct that has one member more on the GPU.
struct Record {
    int key;
#ifdef __CUDA_ARCH__
    int cached_hash;
#endif
};

template <int Bytes>
__global__ void copy_records(int *out) {
    *out = Bytes;
}

int main() {
    copy_records<sizeof(Record)><<<1, 1>>>((int *)nullptr); //~ arch-dependent-instantiation "copy_records"
    return 0;
}
