// A constructor template that takes another specialization of its class is a converting constructor.
template<class T> __global__ void k(T) {}
template<class T>
struct pointer {
    T* at;
    explicit pointer(T* at) : at(at) {}
    template<class U>
    pointer(pointer<U> const& other) : at(reinterpret_cast<T*>(other.at)) {}
};
void use(pointer<float> p, int) { k<<<1, 1>>>(p.at); }
void use(pointer<float>, const char*) { k<<<1, 1>>>('c'); }
template<class T>
struct box {
    box& operator=(pointer<T> const& other) {
        k<<<1, 1>>>(other);
        return *this;
    }
    box& operator=(const T*) {
        k<<<1, 1>>>(short());
        return *this;
    }
};
void go(int* at) {
    use(pointer<int>(at), 1);
    box<double> boxed;
    boxed = pointer<int>(at);
}
