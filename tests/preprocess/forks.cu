// Everything that makes passes part ways inside an expansion.
#define ID(x) x
#define TWICE(x) x x
#define JOIN(a, b) JOIN_(a, b)
#define JOIN_(a, b) a##b
#define STR(x) STR_(x)
#define STR_(x) #x
#if __CUDA_ARCH__ >= 800
#define REAL double
#define LOAD(p) ldg(p)
#define CLOSE )
#define OBJECT function
#elif defined(__CUDA_ARCH__)
#define REAL float
#define LOAD(p) (*(p))
#define CLOSE + 1 )
#define OBJECT(x) x
#else
#define LOAD host_load
#define CLOSE
#endif
#define function(x) called x
REAL a; TWICE(REAL) JOIN(kernel_, REAL)(LOAD(q)); STR(REAL LOAD(p));
TWICE(
  before
#if __CUDA_ARCH__ >= 900
  hopper
#undef LATE
#elif defined __CUDA_ARCH__
  device
#else
  host
#define LATE late
#endif
  REAL
)
LATE
OBJECT(1) OBJECT (2) ID(OBJECT)(3) ID(OBJECT(4)) OBJECT
ID(ID
#ifdef __CUDA_ARCH__
(LOAD)
#else
(other)
#endif
(5))
ID
#ifdef __CUDA_ARCH__
(no invocation)
#else
plain
#endif
JOIN(v, __CUDA_ARCH__) __CUDA_ARCH__ STR(__CUDA_ARCH__) STR(__CUDA_ARCH_LIST__)
#define VALUE JOIN(value_, __CUDA_ARCH__)
#define value_750 seven_fifty
#define value_900(x) [x]
VALUE(1) VALUE
#ifdef __CUDA_ARCH__
int c0 = __COUNTER__;
#endif
int c1 = __COUNTER__, c2 = ID(__COUNTER__) TWICE(__COUNTER__);
JOIN(name_, __COUNTER__)
#if __COUNTER__ == 4
four
#endif
__COUNTER__
#if defined(__CUDA_ARCH__)
#define SOMETIMES
#endif
#if __CUDA_ARCH__ == 900
#undef SOMETIMES
#endif
ID(SOMETIMES) ID(ID(x) SOMETIMES y)
ID(multi
  line REAL
  __LINE__ STR(__LINE__))
