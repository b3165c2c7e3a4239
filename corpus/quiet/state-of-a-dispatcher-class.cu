// A class template that launches through members, static functions and a chain of calls, with members of other names in
// other passes: what they launch is the same.
template <class T, int N>
__global__ void transform(T *data) {
    data[threadIdx.x] *= N;
}

template <class T>
class Dispatcher {
  public:
    explicit Dispatcher(T *data) : data_(data) {}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    Dispatcher &apply(int threads) { return step<3>(threads); }
#else
    Dispatcher &apply(int count) {
        launch<3>(data_, count);
        return *this;
    }
#endif

    template <int N>
    Dispatcher &step(int threads) {
        launch<N>(data_, threads);
        return *this;
    }

  private:
    template <int N>
    static void launch(T *data, int threads) {
        transform<T, N><<<1, threads>>>(data);
    }

    T *data_;
};

void run(float *data, double *wide) {
    Dispatcher<float>(data).apply(32).step<4>(64);
    Dispatcher<double> dispatcher(wide);
    dispatcher.step<4>(32);
}
