// What launchers spread from their packs is spelled by pass and of the same types, or what differs in a pack goes to a plain
// kernel, which converts it; a pack that is not known makes no launch another one.
#include <utility>

#if __CUDA_ARCH__ >= 900
typedef int signed count_type;
typedef double real;
#else
typedef int count_type;
typedef float real;
#endif

template <class T>
__global__ void fill(T *data, int count) {
    data[threadIdx.x] = count;
}

__global__ void scale(float *data, double factor) {
    data[threadIdx.x] *= factor;
}

template <class... Arguments>
void launch_fill(Arguments &&...arguments) {
    fill<<<1, 32>>>(std::forward<Arguments>(arguments)...);
}

template <class... Arguments>
void launch_scale(Arguments... arguments) {
    scale<<<1, 32>>>(arguments...);
}

template <class Pair, class... Arguments>
void nobody_calls(Pair pair, Arguments... arguments) {
    fill<<<1, 32>>>(pair.get(arguments)...);
}

void run(count_type *counts, float *data) {
    launch_fill(counts, count_type(3));
    launch_scale(data, real(2));
}
