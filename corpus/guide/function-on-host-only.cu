// The guide's third restriction: with separate compilation, a function with external linkage may not
// be defined in some passes and missing from others. (Nothing breaks here; the guide forbids it all the same.)
//@ rdc
//@ nvcc: agrees because no device pass keeps a host function: the guide forbids what does no harm here
void warm_up(void);

#if !defined(__CUDA_ARCH__)
void warm_up(void) {} //~[host] arch-dependent-definition "warm_up"
#endif

int main() {
    warm_up();
    return 0;
}
