// Variables of the host that register something when the program starts, where only device passes see them.
struct Registrar {
    Registrar(const char *name, void (*run)());
};

int add_kernel(const char *name, void (*run)());

void run_plain();
void run_clusters();

static Registrar plain("plain", run_plain);

#if __CUDA_ARCH__ >= 900
static Registrar clusters("clusters", run_clusters); //~[host] host-code-behind-device-guard "host variable `clusters` has an initialization"
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
static int added = add_kernel("clusters", run_clusters); //~[host] host-code-behind-device-guard "host variable `added` has an initialization"
#endif

__global__ void fill(int *out) {
    *out = 1;
}
