// Includes under a set of passes: guards, once, next, computed names.
#ifdef __CUDA_ARCH__
#include "once.h"
#include "guard.h"
#endif
#include "once.h"
#include "guard.h"
#include "once.h"
#include "guard.h"
#if __CUDA_ARCH__ >= 800
#define HEADER "guard.h"
#elif defined(__CUDA_ARCH__)
#define HEADER "plain.h"
#else
#define HEADER <plain.h>
#endif
#define WHERE ampere
#undef GUARD_H
#include HEADER
#define ANGLED(x) <x.h>
#include ANGLED(plain)
#import "imported.h"
#import "imported.h"
#include <chain.h>
#include <fork.h>
__INCLUDE_LEVEL__
f(
#include "plain.h"
)
