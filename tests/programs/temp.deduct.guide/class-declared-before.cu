// The constructors that class template argument deduction looks at are those of the definition.
template<class T> __global__ void k(T) {}
template<class>
class zip;
template<class T>
constexpr bool is_zip = false;
template<class T>
constexpr bool is_zip<zip<T>> = true;
template<class F>
class zip {
    F function;

public:
    constexpr zip(const F& function) : function(function) {}
    constexpr zip(F&& function) : function(static_cast<F&&>(function)) {}
};
template<class T> void launch(T x) { k<<<1, 1>>>(x); }
struct op {};
void go(const op& given) {
    auto made = zip{op{}};
    launch(made);
    launch(zip(3));
    const auto other = zip(given);
    launch(&other);
}
