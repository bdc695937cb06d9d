// The loops over constraints for processors with AVX2.

#ifdef __x86_64__
#    define KERNEL_AVX2   1
#    define KERNEL_TARGET __attribute__((target("avx2")))
#    define KERNEL_TABLE  physics2d_kernels_avx2
#    include "physics2d/kernels.h"
#else
typedef int Physics2dNoAvx2; // a source must not be empty
#endif
