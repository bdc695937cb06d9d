// The kernels of extraction for every processor: vectors of 16 bytes.

#define KERNEL_LANES 4
#define KERNEL_TARGET
#define KERNEL_TABLE gfx3d_kernels_plain
#include "gfx3d/extract/kernels.h"

const Gfx3dTail gfx3d_white_tail = { .fields = { { 255, 255, 255, 255 }, 0, { 0, 0 } } };

const Gfx3dKernels *gfx3d_kernels_choose(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) return &gfx3d_kernels_avx2;
#endif
    return &gfx3d_kernels_plain;
}
