// Controlling expressions ([cpp.cond]): each line below an #if says which answer is right.
#define YES 1
#define NO 0
#define EMPTY
#define CALL(a, b) ((a) + (b))
#define HAS(x) defined(x)
#if YES && !NO and not NO or 0
true_1
#endif
#if -1 > 0u
true_2
#endif
#if (2 + 3 * 4 - 10 / 2 % 3) == 12 && (1 << 4 | 1) == 17 && (~0 ^ 5) == ~5
true_3
#endif
#if 0 && 1 / 0
false_4
#elif 1 || 1 / 0
true_4
#endif
#if 1 ? 2 : (1 / 0)
true_5
#endif
#if (0 ? -1 : 0u) - 1 > 0
true_6
#endif
#if 'a' == 97 && '\n' == 10 && '\x41' == 'A' && '\377' < 0 && 'ab' == 24930 && L'\xff' == 255 && u8'a' == 97
true_7
#endif
#if 0x10 == 020 && 0b101 == 5 && 1'000 == 1000 && 10ull == 10 && 0xFFFFFFFFFFFFFFFF == -1
true_8
#endif
#if undefined_name == 0 && true && !false
true_9
#endif
#if defined YES && defined(NO) && !defined(UNKNOWN) && HAS(UNKNOWN) == 0 && defined EMPTY
true_10
#endif
#if CALL(1, CALL(2, 3)) == 6
true_11
#endif
#if (-8) >> 1 == -4 && (-1 >> 63) == -1 && (1 << 63) < 0 && -7 / 2 == -3 && -7 % 2 == -1
true_12
#endif
#if 9223372036854775807 + 1 < 0 && 18446744073709551615u > 0
true_13
#endif
#if YES compl 0
#elif 1
bad_syntax_is_false
#endif
#if __has_include(<nv/target>) && !__has_include("no/such.h") && __has_include(<type_traits>)
true_14
#endif
#define TARGET_HEADER <nv/target>
#if __has_include(TARGET_HEADER) && defined(__has_include) && defined __has_cpp_attribute
true_15
#endif
#if __has_cpp_attribute(nodiscard) >= 201603 && !__has_cpp_attribute(no::such) && __has_cpp_attribute(gnu::unused)
true_16
#endif
#if __has_builtin(__builtin_expect) && !__has_builtin(__builtin_no_such) && __has_attribute(always_inline)
true_17
#endif
#if 1 == 1L && 1 , 2
true_19
#endif
#if 1
taken
#elif garbage ( [ "
never
#else
never
#endif
#if 0
don't
#if "nested
#else
#elif
#endif
#bogus
#else
other
#endif
#ifdef UNKNOWN
#elifdef YES
elifdef
#else
gcc_11_knows_it_too
#endif
#if __CUDA_ARCH__ >= 900
hopper
#elif __CUDA_ARCH__ >= 800
ampere
#elif defined __CUDA_ARCH__
older
#else
host
#endif
#if defined(__CUDA_ARCH__) && CALL(__CUDA_ARCH__, 10) == 760
turing
#endif
#if L'é' == 233 && L'\u00e9' == 233 && U'\U000000e9' == u'é'
wide
#endif
