// [dcl.struct.bind]/3-5, [dcl.type.decltype]/1.1 the type of a name is that of the element with the object's cv-qualifiers, and no reference by itself
template <int N, class T> __global__ void k() {}
struct Row {
    int a;
    const char b;
    short &c;
    float d[3];
};
int main() {
    short other = 1;
    Row row{1, 'b', other, {1, 2, 3}};
    const Row fixed{1, 'b', other, {1, 2, 3}};
    auto &[a, b, c, d] = row;
    k<1, decltype(a)><<<1, 1>>>();
    k<2, decltype(b)><<<1, 1>>>();
    k<3, decltype(c)><<<1, 1>>>();
    k<4, decltype(d)><<<1, 1>>>();
    k<5, decltype((a))><<<1, 1>>>();
    auto &&[e, f, g, h] = fixed;
    k<6, decltype(e)><<<1, 1>>>();
    k<7, decltype(h)><<<1, 1>>>();
    k<8, decltype(g)><<<1, 1>>>();
    auto [i, j, l, m] = fixed;
    k<9, decltype(i)><<<1, 1>>>();
    k<10, decltype(j)><<<1, 1>>>();
    k<11, decltype(m)><<<1, 1>>>();
    const int pair[2] = {1, 2};
    auto [p, q] = pair;
    k<12, decltype(p)><<<1, 1>>>();
    auto &[r, s] = pair;
    k<13, decltype(r)><<<1, 1>>>();
    Row rows[1] = {row};
    for (const auto &[t, u, v, w] : rows) {
        k<14, decltype(t)><<<1, 1>>>();
        k<15, decltype((w))><<<1, 1>>>();
    }
    auto copy = a;
    k<16, decltype(copy)><<<1, 1>>>();
}
