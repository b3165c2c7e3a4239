// [temp.arg.nontype] variables that are no constants as arguments: what converts them reads none of them; a reference is to the variable
template <auto V> struct C {
    static constexpr auto value = V;
    using value_type = decltype(V);
    __host__ __device__ constexpr operator value_type() const { return value; }
};
struct Three : C<3> {};
struct Wide {
    int rows;
    __host__ __device__ constexpr operator int() const { return 7; }
};

template <int N> __global__ void k() {}
template <int N, class T> __global__ void typed() {}
template <const C<5> &R> __global__ void refers() {}
template <class T> __global__ void chosen() {}

template <class... T> struct list {};
template <class A, class... T> struct list<A, T...> {
    A first;
    list<T...> rest;
};
template <unsigned long I, class A, class... T> __host__ __device__ constexpr auto get(const list<A, T...> &all) {
    if constexpr (I == 0) {
        return all.first;
    } else {
        return get<I - 1>(all.rest);
    }
}
template <class T, class... Rest> constexpr T get(const list<Rest...> &) { return T(); }

template <class T> C<1> find(const T &) { return {}; }

C<5> fifth;
C<5> other;
__device__ C<6> sixth;

template <class S> auto pick(const S &all) {
    auto at = find(all);
    typed<at, decltype(get<at>(all))><<<1, 1>>>();
    return get<at>(all);
}

int main() {
    C<2> two;
    auto eight = C<8>{};
    Three three;
    Wide wide{1};
    k<two><<<1, 1>>>();
    k<eight><<<1, 1>>>();
    k<three><<<1, 1>>>();
    k<wide><<<1, 1>>>();
    k<fifth><<<1, 1>>>();
    refers<fifth><<<1, 1>>>();
    refers<other><<<1, 1>>>();
    list<float, double, char> all;
    auto one = pick(all);
    chosen<decltype(one)><<<1, 1>>>();
    auto inner = [](const auto &values, auto at) {
        auto found = find(values);
        chosen<C<found + at>><<<1, 1>>>();
        return get<found>(values);
    };
    auto short_list = list<short, unsigned>{};
    chosen<decltype(inner(short_list, eight))><<<1, 1>>>();
    inner(short_list, eight);
    C<'x'> letter;
    k<letter><<<1, 1>>>();
}
