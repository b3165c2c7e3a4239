// Guards round instructions that more targets have than enter: what else is in the group needs them, the others have a
// better way or one of their own, or the group that they take is no stand-in for targets without the instruction.
//@ targets: 75,80,90,100
__device__ void newer_have_a_better_way(unsigned to, const void *from, unsigned bar, int *slot) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::"r"(to),
                 "l"(from), "r"(bar));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
#else
    *slot = *static_cast<const int *>(from);
#endif
}

__device__ void with_an_instruction_of_new_gpus(unsigned to, const void *from, int *slot) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
    asm volatile("griddepcontrol.wait;" ::: "memory");
#else
    *slot = *static_cast<const int *>(from);
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ void cluster_barrier() {
    asm volatile("barrier.cluster.arrive.aligned;");
}
#endif

__device__ void with_a_call_that_needs_more(unsigned to, const void *from, int *slot) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
    cluster_barrier();
#else
    *slot = *static_cast<const int *>(from);
#endif
}

__device__ int a_group_for_each(int value) {
#if __CUDA_ARCH__ == 800
    value = __reduce_add_sync(~0u, value);
#elif __CUDA_ARCH__ >= 900
    value = value * 32;
#endif
    return value;
}

__device__ int in_two_conditionals(int value) {
#if __CUDA_ARCH__ == 800
    value = __reduce_add_sync(~0u, value);
#endif
#if __CUDA_ARCH__ != 800
    value = value * 32;
#endif
    return value;
}

__device__ int left_to_the_project(int value) {
#if (__CUDA_ARCH__ == 800 && defined(FAST_ON_AMPERE)) || __CUDA_ARCH__ >= 900
    value = __reduce_add_sync(~0u, value);
#else
    value = value * 32;
#endif
    return value;
}

__device__ int what_the_table_asks_for(int value) {
#if __CUDA_ARCH__ >= 800
    value = __reduce_add_sync(~0u, value);
#endif
    return value;
}

struct Tile {
    __device__ int for_hopper(int value) const {
        return value;
    }
};

__device__ int with_a_member_function(int value, Tile tile) {
#if __CUDA_ARCH__ == 900
    value = __reduce_add_sync(~0u, tile.for_hopper(value));
#endif
    return value;
}

__global__ void run(unsigned to, int *out) {
    newer_have_a_better_way(to, out, to, out + 1);
    with_an_instruction_of_new_gpus(to, out, out + 2);
    with_a_call_that_needs_more(to, out, out + 3);
    out[4] = a_group_for_each(in_two_conditionals(what_the_table_asks_for(left_to_the_project(with_a_member_function(*out, Tile())))));
}

// Rounding to nearest even needs sm_90, unlike rounding away from zero.
__device__ unsigned rounded_to_even(unsigned value) {
#if __CUDA_ARCH__ >= 900
    asm volatile("cvt.rn.tf32.f32 %0, %1;" : "=r"(value) : "r"(value));
#else
    value += 0xfff;
#endif
    return value;
}

// This shape needs sm_90, unlike m8n8k4 of the same types.
__device__ void multiplied(double *d, double a, double b) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%4}, {%5}, {%0,%1,%2,%3};"
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                 : "d"(a), "d"(b));
#else
    d[0] += a * b;
#endif
}
