// The type differs deep inside a parameter: in the signature of a callback that a pointer names.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using hash_key_t = unsigned long long;
#else
using hash_key_t = unsigned int;
#endif

using Hash = unsigned (*)(hash_key_t);

__global__ void rehash(Hash hash, unsigned *out) { //~ arch-dependent-signature "rehash"
    *out = hash(threadIdx.x);
}

void run(Hash hash, unsigned *out) {
    rehash<<<1, 1>>>(hash, out);
}
