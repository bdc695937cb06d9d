// Four rows at a time: transforms of the world → spheres and instances.
//
// A transform is ten floats. Three vectors of four floats are loaded from each of four rows, and transposed, so that each
// vector then has the same field of four rows. The vector extensions of the compiler become SSE2 or NEON.

#ifndef FILO_GFX3D_BUILD_H
#define FILO_GFX3D_BUILD_H

#include "gfx3d/extract/extract.h"

#ifdef __SSE2__
#    include <emmintrin.h>
#endif

typedef float Gfx3dVec __attribute__((vector_size(16), may_alias, aligned(4))); // also for unaligned memory
typedef int32_t Gfx3dMask __attribute__((vector_size(16)));

// The fields of four transforms.
typedef struct Gfx3dFour {
    Gfx3dVec px, py, pz, qx, qy, qz, qw, sx, sy, sz;
} Gfx3dFour;

static inline Gfx3dVec gfx3d_splat(float v) { return (Gfx3dVec){ v, v, v, v }; }
static inline Gfx3dVec gfx3d_pick(Gfx3dMask mask, Gfx3dVec yes, Gfx3dVec no) {
    return (Gfx3dVec)(((Gfx3dMask)yes & mask) | ((Gfx3dMask)no & ~mask));
}

static inline bool gfx3d_any(Gfx3dMask mask) {
#ifdef __SSE2__
    return _mm_movemask_ps((__m128)mask) != 0;
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

static inline void gfx3d_transpose(Gfx3dVec *a, Gfx3dVec *b, Gfx3dVec *c, Gfx3dVec *d) {
    Gfx3dVec t0 = __builtin_shufflevector(*a, *b, 0, 4, 1, 5),
             t1 = __builtin_shufflevector(*c, *d, 0, 4, 1, 5);
    Gfx3dVec t2 = __builtin_shufflevector(*a, *b, 2, 6, 3, 7),
             t3 = __builtin_shufflevector(*c, *d, 2, 6, 3, 7);
    *a = __builtin_shufflevector(t0, t1, 0, 1, 4, 5);
    *b = __builtin_shufflevector(t0, t1, 2, 3, 6, 7);
    *c = __builtin_shufflevector(t2, t3, 0, 1, 4, 5);
    *d = __builtin_shufflevector(t2, t3, 2, 3, 6, 7);
}

// Loads four rows of ten floats each, and replaces what counts as something else: a rotation of zeroes is the identity, a
// scale of zeroes is 1.
static inline void gfx3d_load_four(Gfx3dFour *f, const float *const rows[4]) {
    Gfx3dVec a0 = *(const Gfx3dVec *)rows[0], a1 = *(const Gfx3dVec *)rows[1],
             a2 = *(const Gfx3dVec *)rows[2], a3 = *(const Gfx3dVec *)rows[3];
    Gfx3dVec b0 = *(const Gfx3dVec *)(rows[0] + 4), b1 = *(const Gfx3dVec *)(rows[1] + 4),
             b2 = *(const Gfx3dVec *)(rows[2] + 4), b3 = *(const Gfx3dVec *)(rows[3] + 4);
    Gfx3dVec c0 = *(const Gfx3dVec *)(rows[0] + 6), c1 = *(const Gfx3dVec *)(rows[1] + 6),
             c2 = *(const Gfx3dVec *)(rows[2] + 6), c3 = *(const Gfx3dVec *)(rows[3] + 6);
    gfx3d_transpose(&a0, &a1, &a2, &a3);
    gfx3d_transpose(&b0, &b1, &b2, &b3);
    gfx3d_transpose(&c0, &c1, &c2, &c3);
    *f = (Gfx3dFour){ a0, a1, a2, a3, b0, b1, b2, b3, c2, c3 };
    Gfx3dVec zero = gfx3d_splat(0), one = gfx3d_splat(1);
    Gfx3dMask no_rotation = (f->qx * f->qx + f->qy * f->qy + (f->qz * f->qz + f->qw * f->qw)) == zero;
    Gfx3dMask no_scale = (f->sx == zero) & (f->sy == zero) & (f->sz == zero);
    if (gfx3d_any(no_rotation)) f->qw = gfx3d_pick(no_rotation, one, f->qw);
    if (gfx3d_any(no_scale)) {
        f->sx = gfx3d_pick(no_scale, one, f->sx);
        f->sy = gfx3d_pick(no_scale, one, f->sy);
        f->sz = gfx3d_pick(no_scale, one, f->sz);
    }
}

// Blends from `f` to `now`; t is 0 to 1 for each row. The rotation need not have length 1 afterwards.
static inline void gfx3d_blend_four(Gfx3dFour *f, const Gfx3dFour *now, Gfx3dVec t) {
    Gfx3dVec u = gfx3d_splat(1) - t, zero = gfx3d_splat(0);
    Gfx3dVec dot = f->qx * now->qx + f->qy * now->qy + (f->qz * now->qz + f->qw * now->qw);
    Gfx3dVec v = gfx3d_pick(dot < zero, -u, u);
    f->px = f->px * u + now->px * t;
    f->py = f->py * u + now->py * t;
    f->pz = f->pz * u + now->pz * t;
    f->qx = f->qx * v + now->qx * t;
    f->qy = f->qy * v + now->qy * t;
    f->qz = f->qz * v + now->qz * t;
    f->qw = f->qw * v + now->qw * t;
    f->sx = f->sx * u + now->sx * t;
    f->sy = f->sy * u + now->sy * t;
    f->sz = f->sz * u + now->sz * t;
}

// The transforms of four rows as they are drawn. Rows without parents only.
static inline void gfx3d_rows_four(Gfx3dFour *f, const Gfx3dRows *rows, const uint32_t row[4], float blend) {
    const float *now[4];
    for (int i = 0; i < 4; i++) now[i] = (const float *)&rows->transforms[row[i]];
    if (!rows->moving || rows->previous == NULL || blend >= 1) {
        gfx3d_load_four(f, now);
        return;
    }
    Gfx3dFour last;
    gfx3d_load_four(&last, now);
    const float *before[4];
    bool all_valid = true;
    for (int i = 0; i < 4; i++) {
        before[i] = (const float *)&rows->previous[row[i]];
        all_valid &= rows->previous[row[i]].valid;
    }
    Gfx3dVec t = gfx3d_splat(blend);
    if (!all_valid)
        for (int i = 0; i < 4; i++) t[i] = rows->previous[row[i]].valid ? blend : 1.0f;
    gfx3d_load_four(f, before);
    gfx3d_blend_four(f, &last, t);
}

// The last 16 bytes of an instance.
typedef union Gfx3dTail {
    struct {
        FiloColor color;
        uint32_t joints;
        FiloVec2 values;
    } fields;
    float floats[4];
} Gfx3dTail;

// Writes four instances.
// `out` is aligned to 16 bytes. (Stores that bypass the caches were 10 % slower here.)
static inline void gfx3d_store_four(const Gfx3dFour *f, const Gfx3dTail tails[4],
                                    Gfx3dInstance *const out[4]) {
    // 2 / length² instead of 2: so the rotation need not be normalised.
    Gfx3dVec one = gfx3d_splat(1);
    Gfx3dVec n = gfx3d_splat(2) / (f->qx * f->qx + f->qy * f->qy + (f->qz * f->qz + f->qw * f->qw));
    Gfx3dVec x = f->qx * n, y = f->qy * n, z = f->qz * n;
    Gfx3dVec xx = f->qx * x, yy = f->qy * y, zz = f->qz * z, xy = f->qx * y, xz = f->qx * z, yz = f->qy * z;
    Gfx3dVec wx = f->qw * x, wy = f->qw * y, wz = f->qw * z;
    Gfx3dVec m[12] = {
        (one - (yy + zz)) * f->sx, (xy - wz) * f->sy,         (xz + wy) * f->sz,         f->px,
        (xy + wz) * f->sx,         (one - (xx + zz)) * f->sy, (yz - wx) * f->sz,         f->py,
        (xz - wy) * f->sx,         (yz + wx) * f->sy,         (one - (xx + yy)) * f->sz, f->pz
    };
    for (int r = 0; r < 12; r += 4) gfx3d_transpose(&m[r], &m[r + 1], &m[r + 2], &m[r + 3]);
    for (int i = 0; i < 4; i++) {
        float *to = out[i]->matrix.m;
        *(Gfx3dVec *)(to) = m[i];
        *(Gfx3dVec *)(to + 4) = m[4 + i];
        *(Gfx3dVec *)(to + 8) = m[8 + i];
        *(Gfx3dVec *)(to + 12) = *(const Gfx3dVec *)tails[i].floats;
    }
}

#endif
