// A `switch` gives the tile of a data type, and new GPUs have a case of their own.
enum class Type { Half, Float, Double };

constexpr int tile_of(Type type) {
    switch (type) {
    case Type::Half:
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        return 256;
#endif
    case Type::Float:
        return 128;
    default:
        break;
    }
    return 64;
}

template <Type T, int Tile>
__global__ void multiply(float *data) {
    data[threadIdx.x % Tile] *= 2;
}

void run(float *data) {
    multiply<Type::Half, tile_of(Type::Half)><<<1, 32>>>(data); //~[sm_90] arch-dependent-instantiation "128"
    multiply<Type::Float, tile_of(Type::Float)><<<1, 32>>>(data);
    multiply<Type::Double, tile_of(Type::Double)><<<1, 32>>>(data);
}
