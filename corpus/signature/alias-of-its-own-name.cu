// `using T = T;` names the outer `T`: an alias is declared after its type. The outer one changes.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using Index = long long;
#else
using Index = int;
#endif

namespace layout {
using Index = Index;
}

__global__ void fill(layout::Index count) {} //~[sm_90] arch-dependent-signature "fill"
