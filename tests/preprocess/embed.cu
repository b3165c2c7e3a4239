// Files as numbers: parameters, names made by macros, under a set of passes.
#embed "three.bin"
;
#ifdef __CUDA_ARCH__
#define LIMIT (__CUDA_ARCH__ / 400)
#define NAME "three.bin"
#else
#define LIMIT 1
#define NAME <one.bin>
#endif
#embed "three.bin" limit(LIMIT) prefix(LIMIT, ) suffix(, LIMIT)
;
#embed "none.bin" if_empty(LIMIT nothing) prefix(not this)
;
#embed NAME __limit__(1 + 1 * 0)
;
#define REST "three.bin" limit(1) __suffix__(, 9 (,))
#embed REST
;
f(
#embed "three.bin" clang::offset(1)
)
;
#embed "three.bin" limit(0) if_empty(zero)
;
#embed <one.bin>
;
#embed "one.bin"
;
#if __has_embed("three.bin") == 1 && __has_embed("two.bin") == 0 && __has_embed("none.bin") == 2
found
#endif
#if __has_embed(NAME) && __has_embed(<one.bin>) && __has_embed("three.bin" limit(0)) == 2
found too
#endif
#if __has_embed("three.bin" unheard(0)) == 0 && __has_embed(REST) == 1
known
#endif
