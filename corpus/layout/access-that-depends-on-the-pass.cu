// Members are public to device code and private to the host's: where they stand does not depend on that.
#ifdef __CUDA_ARCH__
#define OPEN_TO_KERNELS public
#else
#define OPEN_TO_KERNELS private
#endif

class Cursor {
public:
    Cursor() = default;
    int position() const { return position_; }
    OPEN_TO_KERNELS:
    int position_ = 0;
    int limit_ = 0;
};

__global__ void advance(Cursor *cursor, Cursor start) {
#ifdef __CUDA_ARCH__
    cursor->position_ = start.position_ + 1;
#endif
}

void run(Cursor *cursor) {
    advance<<<1, 1>>>(cursor, Cursor());
}
