// The loops over constraints for every processor, and the choice between them.

#define KERNEL_AVX2 0
#define KERNEL_TARGET
#define KERNEL_TABLE physics2d_kernels_plain
#include "physics2d/kernels.h"

const Physics2dKernels *physics2d_kernels_best(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) return &physics2d_kernels_avx2;
#endif
    return &physics2d_kernels_plain;
}
