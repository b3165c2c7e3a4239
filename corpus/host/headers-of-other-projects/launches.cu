// Headers of other projects and copies of the toolkit's own: what is wrong with them is not this project's to mend.
// The header of its own has the same faults.
//@ targets: 75,80,90
#include "cuda_fp8.hpp"
#include "own.cuh"
#include "third_party/library.cuh"
