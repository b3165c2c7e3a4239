// Widths of bit-fields are layout too: on the GPU `length` shares no unit with `kind`.
#ifdef __CUDA_ARCH__
#define LENGTH_BITS 32
#else
#define LENGTH_BITS 24
#endif

struct Packet { //~ arch-dependent-layout "Packet"
    unsigned kind : 8;
    unsigned length : LENGTH_BITS;
};

__global__ void parse(Packet packet, unsigned *out) {
    *out = packet.length;
}

int main() {
    parse<<<1, 1>>>(Packet{}, nullptr);
    return 0;
}
