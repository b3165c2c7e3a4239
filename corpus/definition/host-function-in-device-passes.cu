// The function is defined in every pass but the host's, the only one whose object would hold it.
//@ rdc
//@ nvcc: agrees because no device pass keeps a host function, and the host's object only lacks a symbol
void log_launch(void);

#ifdef __CUDA_ARCH__
void log_launch(void) {} //~[host] arch-dependent-definition "log_launch"
#endif

int main() {
    log_launch();
    return 0;
}
