// How long a table and a text are is a constant, which here has one element more on new GPUs and the host.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
static const int widths[] = {1, 2, 4};
#define NAME "hopper"
#else
static const int widths[] = {1, 2};
#define NAME "ampere "
#endif

template <int Count>
__global__ void scan(float *data) {
    data[Count] = 0;
}
template <int Count>
__global__ void sort(float *data) {
    data[Count] = 1;
}
template <int Count>
__global__ void label(float *data) {
    data[Count] = 2;
}

template <class T, int Count>
void launch(const T (&)[Count], float *data) {
    sort<Count><<<1, 1>>>(data); //~[sm_80] arch-dependent-instantiation "sort<3>"
}

void run(float *data) {
    scan<sizeof(widths) / sizeof(widths[0])><<<1, 1>>>(data); //~[sm_80] arch-dependent-instantiation "scan<3>"
    launch(widths, data);
    label<sizeof(NAME)><<<1, 1>>>(data); //~[sm_80] arch-dependent-instantiation "label<7>"
}
