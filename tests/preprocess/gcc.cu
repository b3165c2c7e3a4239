// Where GCC and clang part: GCC is followed. __LINE__ is the first line of an invocation, clang says its
// last. Arguments are expanded in the order of their uses.
#define LINE __LINE__
#define CALL(x) x LINE __LINE__
CALL(
  LINE
  __LINE__
)
#define ALIAS CALL
ALIAS(
  LINE
  CALL(__LINE__)
) LINE
#define WITHOUT
ALIAS(WITHOUT
  CALL(LINE)
  WITHOUT) LINE
#ifdef __has_feature
asks
#endif
#define HERE(a) a __LINE__
#define WITH(name) name(1) name(2)
#define AS_IS(x) x
#define INNER(name) AS_IS(name(1))
#define OPENS HERE(
WITH(
  HERE
)
AS_IS(
  WITH(
    HERE
  )
  LINE
)
AS_IS(HERE
)(
  __LINE__
)
OPENS
  __LINE__
)
INNER(
  HERE
)
#define SWAPPED(x, y) y x
#define OPTIONAL(x, y, ...) __VA_OPT__(y) x
#define PASTED(x, y, ...) __VA_OPT__(y ## x) z
SWAPPED(__COUNTER__ a, __COUNTER__ b)
OPTIONAL(__COUNTER__ a, __COUNTER__ b, __COUNTER__ c)
OPTIONAL(__COUNTER__ a, __COUNTER__ b)
PASTED(__COUNTER__ a, __COUNTER__ b, __COUNTER__ c)
__COUNTER__
CALL(__FILE__
#line 100 "renamed.cu"
) __FILE__
#define xstr(...) str(__VA_ARGS__)
#define str(...) #__VA_ARGS__
#define FIRST(x, ...) x
#define BOTH(x, y...) f(x, y)
xstr(BOTH(FIRST () int)) xstr(BOTH(FIRST () FIRST() int)) xstr(BOTH( FIRST()int)) xstr(BOTH(FIRST(), FIRST () int))
#if 'é' == 50089 && '\u00e9' == 50089 && '\u00e9a' == 12822881
bytes
#endif
#assert colour(red  green)
#ifdef __CUDA_ARCH__
#assert colour ( blue )
#endif
#define blue 1
#define ASK #colour( red   green )
#if ASK && !#colour(redgreen) && !#taste(blue)
asserted
#endif
#if #colour(blue) + 1 == 2
asserted on the device
#elif ! #taste
not asserted on the host
#endif
#if __CUDA_ARCH__ >= 800
#unassert colour(blue)
#else
#unassert colour
#endif
#if #colour
asserted still
#endif
#sccs "a string"
#define PLAIN(x) x
#define ALL(...) __VA_ARGS__
#define PAIR(...) [__VA_ARGS__ | __VA_ARGS__]
#define NAMED PLAIN
#define NAMED_ALL ALL
#define NAMED_PAIR PAIR
#define WHERE(e) e __LINE__
#define WHERE_TOO(e) WHERE(e)
NAMED(
  x
  WHERE(1)
)
PLAIN(
  NAMED(
    WHERE(2)
  )
)
NAMED(
  NAMED(
    WHERE(3)
  )
)
PLAIN(
  PLAIN(
    NAMED(
      WHERE(4)
    )
  )
)
NAMED_ALL(
  a, NAMED_ALL(
    b, WHERE_TOO(5)
  ), WHERE_TOO(6)
)
PAIR(
  __LINE__ NAMED_PAIR(
    __LINE__
    PAIR( __LINE__
      WHERE_TOO(7)
    )
  )
)
NAMED_PAIR(
  PAIR(
    NAMED_PAIR(
      WHERE(8) __LINE__
    )
  )
)
