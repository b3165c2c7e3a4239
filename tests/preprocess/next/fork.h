// Goes on to a header that depends on the pass.
#if __CUDA_ARCH__ >= 800
#define NEXT <fork.h>
#else
#define NEXT <chain.h>
#endif
#include_next NEXT
before the end of the first fork
