// The kernels of extraction for processors with AVX2: vectors of 32 bytes.

#ifdef __x86_64__
#    define KERNEL_LANES  8
#    define KERNEL_TARGET __attribute__((target("avx2")))
#    define KERNEL_TABLE  gfx3d_kernels_avx2
#    include "gfx3d/extract/kernels.h"
#else
typedef int Gfx3dNoAvx2; // a source must not be empty
#endif
