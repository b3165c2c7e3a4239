// The class of the argument has members that come and go, none of them data, and the template arguments come from those
// that stay.
struct Grid {
    static constexpr int kDims = 3;
    using value_type = double;
    value_type spacing;
#ifdef __CUDA_ARCH__
    static constexpr int kWarps = 4;
    __device__ int warp() const { return threadIdx.x / 32; }
#else
    static constexpr int kThreads = 128;
#endif
};

template <class G, int Dims>
__global__ void sweep(G grid, typename G::value_type *out) {
    *out = grid.spacing * Dims;
}

template <class G>
void sweep_all(G grid, typename G::value_type *out) {
    sweep<G, G::kDims><<<1, 128>>>(grid, out);
}

void run(Grid grid, double *out) {
    sweep_all(grid, out);
}
