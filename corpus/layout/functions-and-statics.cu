// Member functions that are not virtual, static members, nested types and constants take no room in an object.
struct Cursor {
    int position;
#ifdef __CUDA_ARCH__
    __device__ int warp() const { return position / 32; }
    static constexpr int kStride = 32;
    using difference_type = int;
#else
    int advance() const { return position + 1; }
    static constexpr int kStride = 1;
#endif
};

__global__ void seek(Cursor cursor, int *out) {
    *out = cursor.position;
}

int main() {
    seek<<<1, 1>>>(Cursor{}, nullptr);
    return 0;
}
