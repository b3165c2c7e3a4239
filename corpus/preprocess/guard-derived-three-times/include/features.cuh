#pragma once
#include "arch.cuh"

#define HAS_CLUSTERS (MY_ARCH >= 900)
