// The types of <cstddef> on x86-64 Linux, in our own words.
#pragma once

typedef unsigned long size_t;
typedef long ptrdiff_t;
#ifndef NULL
#define NULL __null
#endif

namespace std {
using ::size_t;
using ::ptrdiff_t;
using nullptr_t = decltype(nullptr);
enum class byte : unsigned char {};
}
