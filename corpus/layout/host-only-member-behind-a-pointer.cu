// The kernel gets a pointer to records that the host copies byte by byte; on the host they are longer.
struct Particle { //~[host] arch-dependent-layout "Particle"
    int id;
#ifndef __CUDA_ARCH__
    double last_energy;
#endif
    int cell;
};

__global__ void sort_particles(const Particle *particles, int *cells) {
    *cells = particles->cell;
}

void sort(const Particle *particles, int *cells) {
    sort_particles<<<1, 1>>>(particles, cells);
}
