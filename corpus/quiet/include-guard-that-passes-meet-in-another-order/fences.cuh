#ifndef FENCES_CUH
#define FENCES_CUH

struct of_block {};
struct of_cluster {};

static inline __device__ void fence(of_block) {
    asm volatile("fence.acq_rel.cta;" ::: "memory");
}

static inline __device__ void fence(of_cluster) {
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
}

#endif
