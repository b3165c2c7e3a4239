// [expr.prim.lambda.capture], [basic.def.odr]/5: the constants around a lambda are there without a capture, whatever the
// object of the lambda knows: one lambda calls another, and a long one chooses between many.
template <class T> __global__ void probe() {}
template <int> struct C {};

template <class T, int M> constexpr auto in_a_lambda_that_is_called() {
    constexpr int rows = M;
    constexpr auto share = [&](int bytes, int stages, int bits) constexpr -> int { return bytes * 1024 / stages / rows / bits; };
    constexpr auto columns = [&]() constexpr -> int {
        auto bits = 8;
        if (bits == 8) { return share(32, 2, bits); }
        return share(16, 2, bits);
    }();
    return C<columns>{};
}

template <class T, int M> constexpr auto in_an_argument() {
    constexpr int rows = M;
    constexpr auto share = [&](int bytes, int stages, int bits) constexpr -> int { return bytes * 1024 / stages / rows / bits; };
    auto by_rows = C<rows>{};
    auto by_share = C<share(16, 2, 8)>{};
    static_assert(sizeof(by_rows) == 1);
    return by_share;
}

template <int M> constexpr auto with_a_reference() {
    constexpr int rows = M;
    int count = M + 1;
    auto own = [&] { return rows + count; };
    auto copied = [=] { return rows * 2; };
    return sizeof(own) > sizeof(copied) ? copied() : rows;
}

template <class T, int M, int N, bool Sparse> constexpr int chosen() {
    constexpr int bits = sizeof(T) * 8;
    constexpr auto tile = [&](bool wide) constexpr -> int {
        // The shared memory that is left for one stage, the columns that fit into it, and how they are split.
        constexpr int least_columns_of_one_stage = 8;
        constexpr int most_columns_of_one_stage = 256;
        if constexpr (Sparse) {
            if (wide && bits == 8) {
                if (M >= 256) { return N <= 64 ? most_columns_of_one_stage : most_columns_of_one_stage / 2; }
                if (M >= 128) { return N <= 64 ? most_columns_of_one_stage / 2 : most_columns_of_one_stage / 4; }
                return N <= 64 ? most_columns_of_one_stage / 4 : most_columns_of_one_stage / 8;
            }
            if (wide && bits == 16) {
                if (M >= 256) { return N <= 32 ? most_columns_of_one_stage / 2 : most_columns_of_one_stage / 4; }
                if (M >= 128) { return N <= 32 ? most_columns_of_one_stage / 4 : most_columns_of_one_stage / 8; }
                return N <= 32 ? most_columns_of_one_stage / 8 : most_columns_of_one_stage / 16;
            }
            return bits == 32 ? least_columns_of_one_stage * 3 : least_columns_of_one_stage;
        } else {
            if (!wide || bits == 64) { return least_columns_of_one_stage * 2; }
            int columns = most_columns_of_one_stage;
            for (int tried = most_columns_of_one_stage; tried > least_columns_of_one_stage; tried /= 2) {
                if (M * tried * bits / 8 > 32 * 1024) { columns = tried / 2; }
            }
            return columns;
        }
    };
    return tile(true) + tile(false);
}

void go() {
    probe<decltype(in_a_lambda_that_is_called<float, 4>())><<<1, 1>>>();
    probe<decltype(in_an_argument<float, 4>())><<<1, 1>>>();
    probe<C<with_a_reference<3>()>><<<1, 1>>>();
    probe<C<chosen<char, 128, 64, true>()>><<<1, 1>>>();
    probe<C<chosen<short, 256, 64, true>()>><<<1, 1>>>();
    probe<C<chosen<float, 128, 64, false>()>><<<1, 1>>>();
}
