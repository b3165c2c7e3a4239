// Constructors that are templates launch: of the class itself, and one that is inherited.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Scalar = double;
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
        fill<T><<<1, 1>>>(data); //~[host,sm_90] arch-dependent-instantiation "`fill<const double *>` (and 2 more)"
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
