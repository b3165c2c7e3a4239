// Variadic macros: the standard's, GNU's, and __VA_OPT__ ([cpp.subst]).
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test) ? puts(#test) : printf(__VA_ARGS__))
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);
#define gnu(format, ...) printf(format, ## __VA_ARGS__)
gnu("a") gnu("a",) gnu("a", 1) gnu("a", 1, 2)
#define only(...) f(0, ## __VA_ARGS__)
only() only(1) only(1, 2) only(,)
#define named(format, args...) printf(format, ## args) #args
named("a") named("a", b) named("a", b, c)
#define nopaste(format, ...) printf(format, __VA_ARGS__)
nopaste("a") nopaste("a",)
#define F(...) f(0 __VA_OPT__(,) __VA_ARGS__)
#define G(X, ...) f(0, X __VA_OPT__(,) __VA_ARGS__)
#define SDEF(sname, ...) S sname __VA_OPT__(= { __VA_ARGS__ })
#define EMP
F(a, b, c) F() F(EMP) G(a, b, c) G(a, ) G(a)
SDEF(foo); SDEF(bar, 1, 2);
#define H2(X, Y, ...) __VA_OPT__(X ## Y,) __VA_ARGS__
#define H3(X, ...) #__VA_OPT__(X##X X##X)
#define H5(x, ...) a __VA_OPT__(x) ## b
H2(a, b, c, d) H3(, 0) H3(x) H5(1) 
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define COUNT_(a, b, c, d, e, n, ...) n
COUNT(a) COUNT(a, b) COUNT(a, (b, c), d)
#define FIRST(a, ...) a
#define REST(a, ...) __VA_ARGS__
FIRST(REST(1, 2, 3), 4) FIRST(1) REST(1)
#define LAUNCH(kernel, ...) kernel<<<1, 2>>>(__VA_ARGS__)
LAUNCH(k) LAUNCH(k, 1, 2)
