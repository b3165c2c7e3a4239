// Enumerations with and without their underlying type spelled out, and an enumerator more on one side.
#ifdef __CUDA_ARCH__
enum Mode : unsigned { kRead, kWrite, kPrefetch };
enum class Scope : int { Block, Grid };
#else
enum Mode : unsigned int { kRead, kWrite };
enum class Scope { Block, Grid };
#endif

struct Request {
    Mode mode;
    Scope scope;
};

template <Mode M, Scope S>
__global__ void serve(Request request, int *out) {
    *out = request.mode == M && request.scope == S;
}

void run(Request request, int *out) {
    serve<kWrite, Scope::Grid><<<1, 1>>>(request, out);
}
