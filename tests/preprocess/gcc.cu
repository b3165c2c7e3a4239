// Where GCC and clang part: GCC is followed. __LINE__ is the first line of an invocation, clang says its
// last.
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
