// The same comments and strings hide nothing: what follows them differs.
/* #if 0 */
const char *text = "/*";
const char *raw = R"(//)";
#if 1 // "
#ifdef __CUDA_ARCH__ /* and a comment
that goes on */
typedef double value_t;
#else // #endif
typedef float value_t;
#endif
#endif
__device__ value_t last; //~ arch-dependent-signature "last"
const char *more = "*/";

__global__ void store(value_t value) { //~ arch-dependent-signature "store"
    last = value;
}
