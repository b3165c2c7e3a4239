// A using-directive by pass: the same name is another class in another namespace.
namespace narrow {
struct Options {
    int *flags;
};
}
namespace wide {
struct Options {
    int *flags;
};
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using namespace wide;
#else
using namespace narrow;
#endif

__global__ void reset(Options options) { //~[sm_80] arch-dependent-signature "`reset` takes `(narrow::Options)`"
    *options.flags = 0;
}

void run(Options options) {
    reset<<<1, 1>>>(options);
}
