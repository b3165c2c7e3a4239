// Friends, `using` declarations, deleted functions, nested classes and enumerations that nothing holds: no bytes.
struct Base {
    int id;
    int get() const { return id; }
};

struct Handle : Base {
#ifdef __CUDA_ARCH__
    friend struct Debugger;
    using Base::get;
    struct Lane {
        int number[32];
    };
    enum class Phase : char { Load, Store };
#else
    Handle &operator=(const Handle &) = default;
    struct Owner {
        void *resources[4];
    };
    static int count;
#endif
    int slot;
};

__global__ void use(Handle handle, int *out) {
    *out = handle.slot + handle.id;
}

void run(Handle handle, int *out) {
    use<<<1, 1>>>(handle, out);
}
