// Variables that only device passes see, and that register nothing: of devices, constants, without an initializer, and one of
// which the host has another.
struct Registrar {
    Registrar(const char *name, void (*run)());
};

void run_plain();

constexpr int doubled(int value) {
    return 2 * value;
}

#if defined(__CUDA_ARCH__)
static const int tile = doubled(32);
constexpr int rows = doubled(16);
static int unused;
extern int elsewhere;
static Registrar one("device", run_plain);
#else
static Registrar one("host", run_plain);
#endif

__global__ void fill(int *out) {
#if defined(__CUDA_ARCH__)
    *out = tile + rows;
#endif
}
