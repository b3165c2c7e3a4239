// A run-time dispatch over types whose lambda is the same in every pass.
template <class T>
__global__ void fill(T *data) {
    *data = T(1);
}

template <class F>
void dispatch(int kind, F body) {
    if (kind == 0)
        body(float{});
    else
        body(double{});
}

void run(int kind, void *data) {
    dispatch(kind, [&](auto tag) {
        using scalar_t = decltype(tag);
        fill<scalar_t><<<1, 1>>>((scalar_t *)data);
    });
}

int main() {
    run(0, nullptr);
    return 0;
}
