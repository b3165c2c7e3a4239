// A mixin that holds a counter on the host if profiling is on, which no pass of this unit turns on.
#ifndef PROFILE_LAUNCHES
#define PROFILE_LAUNCHES 0
#endif

template <bool Enabled>
struct Profile {};
template <>
struct Profile<true> {
    unsigned long long cycles;
};

struct Task : Profile<(PROFILE_LAUNCHES > 0)> {
    int first, last;
#if PROFILE_LAUNCHES && !defined(__CUDA_ARCH__)
    const char *label;
#endif
};

__global__ void execute(Task task, int *out) {
    *out = task.last - task.first;
}

void run(Task task, int *out) {
    execute<<<1, 1>>>(task, out);
}
