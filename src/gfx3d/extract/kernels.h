// Transforms of the world → spheres and instances, KERNEL_LANES rows at a time. A template: included with KERNEL_LANES (4 or
// 8), KERNEL_TARGET and KERNEL_TABLE defined.
//
// A transform is ten floats. Three vectors of four floats are loaded from each row, and transposed in groups of four rows,
// so that each vector then has the same field of several rows. The vector extensions of the compiler become SSE2, AVX2 or
// NEON. All give the same bits.

#include "gfx3d/extract/extract.h"

#if KERNEL_LANES == 8
typedef float Vec __attribute__((vector_size(32), may_alias, aligned(4))); // also for unaligned memory
typedef int32_t Mask __attribute__((vector_size(32)));
#    define SPLAT(v) ((Vec){ (v), (v), (v), (v), (v), (v), (v), (v) })
#    define SHUFFLE(a, b, i, j, k, l)                                                                        \
        __builtin_shufflevector((a), (b), (i) < 4 ? (i) : (i) + 4, (j) < 4 ? (j) : (j) + 4,                  \
                                (k) < 4 ? (k) : (k) + 4, (l) < 4 ? (l) : (l) + 4,                            \
                                (i) < 4 ? (i) + 4 : (i) + 8, (j) < 4 ? (j) + 4 : (j) + 8,                    \
                                (k) < 4 ? (k) + 4 : (k) + 8, (l) < 4 ? (l) + 4 : (l) + 8)
#else
typedef float Vec __attribute__((vector_size(16), may_alias, aligned(4)));
typedef int32_t Mask __attribute__((vector_size(16)));
#    define SPLAT(v)                  ((Vec){ (v), (v), (v), (v) })
#    define SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector((a), (b), (i), (j), (k), (l))
#endif
typedef float Quad __attribute__((vector_size(16), may_alias, aligned(4)));

#define AHEAD  2048 // bytes: memory that is needed soon is requested so far ahead
#define INLINE static inline __attribute__((always_inline)) KERNEL_TARGET

// The fields of several transforms.
typedef struct Lanes {
    Vec px, py, pz, qx, qy, qz, qw, sx, sy, sz;
} Lanes;

// A macro, because a function that returns a vector of 32 bytes has another calling convention without AVX.
#define PICK(mask, yes, no) ((Vec)(((Mask)(yes) & (mask)) | ((Mask)(no) & ~(mask))))

INLINE void transpose(Vec *a, Vec *b, Vec *c, Vec *d) {
    Vec t0 = SHUFFLE(*a, *b, 0, 4, 1, 5), t1 = SHUFFLE(*c, *d, 0, 4, 1, 5);
    Vec t2 = SHUFFLE(*a, *b, 2, 6, 3, 7), t3 = SHUFFLE(*c, *d, 2, 6, 3, 7);
    *a = SHUFFLE(t0, t1, 0, 1, 4, 5);
    *b = SHUFFLE(t0, t1, 2, 3, 6, 7);
    *c = SHUFFLE(t2, t3, 0, 1, 4, 5);
    *d = SHUFFLE(t2, t3, 2, 3, 6, 7);
}

// Four floats of a row, and of the row four further.
INLINE void load(Vec *v, const float *const rows[KERNEL_LANES], int row, int offset) {
#if KERNEL_LANES == 8
    Quad low = *(const Quad *)(rows[row] + offset), high = *(const Quad *)(rows[row + 4] + offset);
    *v = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    *v = *(const Quad *)(rows[row] + offset);
#endif
}

INLINE void store(float *const out[KERNEL_LANES], int row, int offset, const Vec *v) {
#if KERNEL_LANES == 8
    *(Quad *)(out[row] + offset) = __builtin_shufflevector(*v, *v, 0, 1, 2, 3);
    *(Quad *)(out[row + 4] + offset) = __builtin_shufflevector(*v, *v, 4, 5, 6, 7);
#else
    *(Quad *)(out[row] + offset) = *v;
#endif
}

// Loads rows of ten floats each, and replaces what counts as something else: a rotation of zeroes is the identity, a scale of
// zeroes is 1.
INLINE void load_lanes(Lanes *f, const float *const rows[KERNEL_LANES]) {
    Vec a[4], b[4], c[4];
    for (int i = 0; i < 4; i++) {
        load(&a[i], rows, i, 0);
        load(&b[i], rows, i, 4);
        load(&c[i], rows, i, 6);
    }
    transpose(&a[0], &a[1], &a[2], &a[3]);
    transpose(&b[0], &b[1], &b[2], &b[3]);
    transpose(&c[0], &c[1], &c[2], &c[3]);
    *f = (Lanes){ a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[2], c[3] };
    Vec zero = SPLAT(0), one = SPLAT(1);
    Mask no_rotation = (f->qx * f->qx + f->qy * f->qy + (f->qz * f->qz + f->qw * f->qw)) == zero;
    Mask no_scale = (f->sx == zero) & (f->sy == zero) & (f->sz == zero);
    f->qw = PICK(no_rotation, one, f->qw);
    f->sx = PICK(no_scale, one, f->sx);
    f->sy = PICK(no_scale, one, f->sy);
    f->sz = PICK(no_scale, one, f->sz);
}

// Blends from `f` to `now`; t is 0 to 1 for each row. The rotation need not have length 1 afterwards.
INLINE void blend_lanes(Lanes *f, const Lanes *now, const Vec *blend) {
    Vec t = *blend, u = SPLAT(1) - t;
    Vec dot = f->qx * now->qx + f->qy * now->qy + (f->qz * now->qz + f->qw * now->qw);
    Vec v = PICK(dot < SPLAT(0), -u, u);
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

// The transforms of rows as they are drawn.
INLINE void load_rows(Lanes *f, const Gfx3dRows *rows, const uint32_t row[KERNEL_LANES], float blend) {
    const float *now[KERNEL_LANES];
    for (int i = 0; i < KERNEL_LANES; i++) now[i] = (const float *)&rows->transforms[row[i]];
    if (!rows->moving || rows->previous == NULL || blend >= 1) {
        load_lanes(f, now);
        return;
    }
    Lanes last;
    load_lanes(&last, now);
    const float *before[KERNEL_LANES];
    bool all_valid = true;
    for (int i = 0; i < KERNEL_LANES; i++) {
        before[i] = (const float *)&rows->previous[row[i]];
        all_valid &= rows->previous[row[i]].valid;
    }
    Vec t = SPLAT(blend);
    if (!all_valid)
        for (int i = 0; i < KERNEL_LANES; i++) t[i] = rows->previous[row[i]].valid ? blend : 1.0f;
    load_lanes(f, before);
    blend_lanes(f, &last, &t);
}

INLINE void store_instances(const Lanes *f, const Gfx3dTail tails[KERNEL_LANES],
                            Gfx3dInstance *const out[KERNEL_LANES]) {
    // 2 / length² instead of 2: so the rotation need not be normalised.
    Vec one = SPLAT(1), n = SPLAT(2) / (f->qx * f->qx + f->qy * f->qy + (f->qz * f->qz + f->qw * f->qw));
    Vec x = f->qx * n, y = f->qy * n, z = f->qz * n;
    Vec xx = f->qx * x, yy = f->qy * y, zz = f->qz * z, xy = f->qx * y, xz = f->qx * z, yz = f->qy * z;
    Vec wx = f->qw * x, wy = f->qw * y, wz = f->qw * z;
    Vec m[12] = { (one - (yy + zz)) * f->sx, (xy - wz) * f->sy,         (xz + wy) * f->sz,         f->px,
                  (xy + wz) * f->sx,         (one - (xx + zz)) * f->sy, (yz - wx) * f->sz,         f->py,
                  (xz - wy) * f->sx,         (yz + wx) * f->sy,         (one - (xx + yy)) * f->sz, f->pz };
    float *to[KERNEL_LANES];
    for (int i = 0; i < KERNEL_LANES; i++) to[i] = out[i]->matrix.m;
    for (int r = 0; r < 12; r += 4) {
        transpose(&m[r], &m[r + 1], &m[r + 2], &m[r + 3]);
        for (int i = 0; i < 4; i++) store(to, i, r, &m[r + i]);
    }
    for (int i = 0; i < KERNEL_LANES; i++) *(Quad *)(to[i] + 12) = *(const Quad *)tails[i].floats;
}

// The signs of what scales turn over: those of all lanes together.
INLINE void add_signs(Mask *signs, const Lanes *f) { *signs |= (Mask)f->sx ^ (Mask)f->sy ^ (Mask)f->sz; }

INLINE bool any_sign(const Mask *signs) {
    int32_t any = 0;
    for (int i = 0; i < KERNEL_LANES; i++) any |= (*signs)[i];
    return any < 0;
}

// ---- The functions of the table ---------------------------------------------------------------------------------------

KERNEL_TARGET static void spheres(Gfx3dRows *rows, float blend) {
    const Mask no_sign = (Mask)SPLAT(0) + INT32_MAX;
    Mask signs = (Mask)SPLAT(0);
    for (uint32_t n = 0; n < rows->count; n += KERNEL_LANES) {
        uint32_t row[KERNEL_LANES];
        for (uint32_t i = 0; i < KERNEL_LANES; i++) row[i] = FILO_MIN(n + i, rows->count - 1);
        Lanes f;
        load_rows(&f, rows, row, blend);
        add_signs(&signs, &f);
        Vec sx = (Vec)((Mask)f.sx & no_sign), sy = (Vec)((Mask)f.sy & no_sign),
            sz = (Vec)((Mask)f.sz & no_sign);
        Vec most = PICK(sx > sy, sx, sy);
        most = PICK(most > sz, most, sz);
        Vec reach = *(const Vec *)(rows->radius + n);
        *(Vec *)(rows->x + n) = f.px;
        *(Vec *)(rows->y + n) = f.py;
        *(Vec *)(rows->z + n) = f.pz;
        *(Vec *)(rows->radius + n) = PICK(reach < SPLAT(0), reach, reach * most);
    }
    rows->turned = any_sign(&signs);
}

// Tails of rows: colour, joints and values.
INLINE void load_tails(const FiloGfx3d *gfx, const Gfx3dRows *rows, const uint32_t row[KERNEL_LANES],
                       Gfx3dTail tails[KERNEL_LANES]) {
    for (int i = 0; i < KERNEL_LANES; i++)
        if (rows->white && !rows->skinned)
            tails[i] = gfx3d_white_tail;
        else
            tails[i] = gfx3d_row_tail(gfx, rows, row[i]);
}

KERNEL_TARGET static void write_seen(const FiloGfx3d *gfx, const Gfx3dRows *rows, const Gfx3dVisible *seen,
                                     size_t count, uint32_t *next, Gfx3dInstance *instances) {
    Gfx3dInstance unused[KERNEL_LANES];
    for (size_t n = 0; n < count; n += KERNEL_LANES) {
        size_t last = FILO_MIN(count - n, (size_t)KERNEL_LANES) - 1;
        uint32_t row[KERNEL_LANES];
        Gfx3dInstance *out[KERNEL_LANES];
        for (size_t i = 0; i < KERNEL_LANES; i++) {
            const Gfx3dVisible *one = &seen[n + FILO_MIN(i, last)];
            row[i] = one->row;
            out[i] = i <= last ? &instances[next[one->list]++] : &unused[i];
        }
        Lanes f;
        Gfx3dTail tails[KERNEL_LANES];
        load_rows(&f, rows, row, gfx->blend);
        load_tails(gfx, rows, row, tails);
        store_instances(&f, tails, out);
    }
}

// Without culling. `next` NULL: to consecutive instances.
KERNEL_TARGET static void write_all(const FiloGfx3d *gfx, Gfx3dRows *rows, const uint32_t *first_lists,
                                    uint32_t *next, Gfx3dInstance *instances) {
    Gfx3dInstance unused[KERNEL_LANES];
    Gfx3dTail tails[KERNEL_LANES];
    for (int i = 0; i < KERNEL_LANES; i++) tails[i] = gfx3d_white_tail;
    Mask signs = (Mask)SPLAT(0);
    bool is_white = rows->white && !rows->skinned, all_drawn = rows->drawn_rows == rows->count;
    for (uint32_t n = 0; n < rows->count; n += KERNEL_LANES) {
        uint32_t row[KERNEL_LANES];
        Gfx3dInstance *out[KERNEL_LANES];
        bool is_whole = n + KERNEL_LANES <= rows->count;
        for (int line = 0; line < KERNEL_LANES * 40; line += 64) {
            __builtin_prefetch((const char *)&rows->transforms[n] + AHEAD + line);
            __builtin_prefetch((const char *)&rows->previous[n] + AHEAD + line);
        }
        for (uint32_t i = 0; i < KERNEL_LANES; i++) {
            row[i] = is_whole ? n + i : FILO_MIN(n + i, rows->count - 1);
            if (next == NULL)
                out[i] = is_whole || n + i < rows->count ? &instances[n + i] : &unused[i];
            else if ((is_whole || n + i < rows->count) &&
                     (all_drawn || rows->batches[row[i]] != GFX3D_NO_BATCH))
                out[i] = &instances[next[first_lists[rows->batches[row[i]]]]++];
            else
                out[i] = &unused[i];
        }
        Lanes f;
        load_rows(&f, rows, row, gfx->blend);
        if (!is_white) load_tails(gfx, rows, row, tails);
        add_signs(&signs, &f);
        store_instances(&f, tails, out);
    }
    rows->turned = any_sign(&signs);
}

const Gfx3dKernels KERNEL_TABLE = { .spheres = spheres, .write_seen = write_seen, .write_all = write_all };
