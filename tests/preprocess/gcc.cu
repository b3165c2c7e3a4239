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
