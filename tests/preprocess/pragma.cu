// push_macro and pop_macro, _Pragma, #line, and directives nobody knows in dead groups.
#define A one
#ifdef __CUDA_ARCH__
#pragma push_macro("A")
#undef A
#define A two
#endif
A
#pragma push_macro("A")
#undef A
A
#pragma pop_macro("A")
A
#pragma pop_macro("A")
A
#define DO(x) _Pragma("push_macro(\"A\")") x _Pragma("unroll")
DO(a) _Pragma("GCC diagnostic push") b
#undef A
_Pragma("pop_macro(\"A\")")
A
#line 100 "other.cu"
__LINE__ __FILE__
__LINE__
# 7 "third.cu"
__LINE__
#
#ident "x"
#warning a warning
#if 0
#nonsense
#endif
