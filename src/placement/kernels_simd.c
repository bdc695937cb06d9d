// The loops over cells with vectors of 16 bytes, which every x86-64 (SSE2) and aarch64 (NEON) has.

#define KERNEL_LANES 4
#define KERNEL_TARGET
#define KERNEL_TABLE placement_kernels_simd
#include "placement/kernels.h"
