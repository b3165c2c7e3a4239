// A class template registers each class that is derived from it: its constructor uses a static member, whose
// initializer is instantiated by that.
template <class T>
__global__ void probe(T *object) {
    (void)object;
}

template <class T>
bool enroll() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    probe<T><<<1, 1>>>(nullptr); //~[host,sm_90] arch-dependent-instantiation "probe<Circle>"
#endif
    return true;
}

template <class T>
struct Registered {
    static bool enrolled;
    Registered() {
        if (!enrolled)
            enrolled = true;
    }
};

template <class T>
bool Registered<T>::enrolled = enroll<T>();

struct Circle : Registered<Circle> {};

void use() {
    Circle circle;
    (void)circle;
}
