// Host functions and variables under a guard, in a whole-program build: device passes generate no code for them.
#ifndef __CUDA_ARCH__
int verbosity = 1;

void report(const char *what, int value);

int clamp_blocks(int blocks) {
    return blocks > 65535 ? 65535 : blocks;
}
#endif

__global__ void work(int *out) {
    *out = 1;
}

void run(int blocks, int *out) {
#ifndef __CUDA_ARCH__
    if (verbosity > 1) report("blocks", blocks);
    blocks = clamp_blocks(blocks);
#endif
    work<<<blocks, 1>>>(out);
}
