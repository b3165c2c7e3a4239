// Constructors that are templates launch, for the same types in all passes.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
typedef float Scalar;
#else
using Scalar = float;
#endif

template <class T>
__global__ void fill(T *data) {
    *data = T();
}

struct Job {
    template <class T>
    explicit Job(T *data, int = 1) {
        fill<T><<<1, 1>>>(data);
    }
};

struct Named : Job {
    using Job::Job;

    const char *name = "job";
};

void take(const Job &);

void run(Scalar *data, const Scalar **table, int count) {
    Job job(data);
    Named named{table, count};
    take(Job(&table, 2));
}
