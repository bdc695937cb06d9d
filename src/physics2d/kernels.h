// The loops over constraints and boxes, for vectors of eight floats. Included by kernels_plain.c and kernels_avx2.c, which
// define KERNEL_TARGET, KERNEL_TABLE and KERNEL_AVX2.
//
// Each lane is one contact. Lanes do not influence each other, and every operation is one that IEEE 754 defines, so the
// result does not depend on how wide the registers are. The compiler divides a vector of eight floats into two of four
// where the processor has no wider ones.

#include "physics2d/physics2d.h"

#if KERNEL_AVX2
#    include <immintrin.h>
#endif

typedef float F8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));
typedef float F4 __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline)) KERNEL_TARGET

INLINE F8 load(const float *from) { return *(const F8 *)(const void *)from; }
INLINE void store(float *to, F8 v) { *(F8 *)(void *)to = v; }
INLINE F8 all(float x) { return (F8){ x, x, x, x, x, x, x, x }; }

#if KERNEL_AVX2
INLINE F8 greatest(F8 a, F8 b) { return (F8)_mm256_max_ps((__m256)a, (__m256)b); }
INLINE F8 least(F8 a, F8 b) { return (F8)_mm256_min_ps((__m256)a, (__m256)b); }
INLINE F8 choose(I8 mask, F8 yes, F8 no) {
    return (F8)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
}
INLINE unsigned bits_of(const I8 *mask) { return (unsigned)_mm256_movemask_ps((__m256)*mask); }
#else
INLINE F8 choose(I8 mask, F8 yes, F8 no) { return (F8)(((I8)yes & mask) | ((I8)no & ~mask)); }
INLINE F8 greatest(F8 a, F8 b) { return choose(a > b, a, b); } // as the instruction: b if either is NaN
INLINE F8 least(F8 a, F8 b) { return choose(a < b, a, b); }
INLINE unsigned bits_of(const I8 *mask) {
    unsigned bits = 0;
    for (unsigned i = 0; i < PHYSICS2D_LANES; i++) bits |= ((unsigned)(*mask)[i] & 1u) << i;
    return bits;
}
#endif

// ---- Bodies -----------------------------------------------------------------------------------------------

#define ALL_LANES ((1u << PHYSICS2D_LANES) - 1)

// Eight bodies, a vector for each number.
typedef struct Bodies {
    F8 vx, vy, w, inv_mass, dx, dy, da, inv_inertia;
} Bodies;

#if KERNEL_AVX2
INLINE Bodies gather(const Physics2dState *states, const uint32_t *index) {
    __m256 r[8];
    for (int i = 0; i < 8; i++) r[i] = _mm256_load_ps(&states[index[i]].vx);
    __m256 a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpackhi_ps(r[0], r[1]);
    __m256 c = _mm256_unpacklo_ps(r[2], r[3]), d = _mm256_unpackhi_ps(r[2], r[3]);
    __m256 e = _mm256_unpacklo_ps(r[4], r[5]), f = _mm256_unpackhi_ps(r[4], r[5]);
    __m256 g = _mm256_unpacklo_ps(r[6], r[7]), h = _mm256_unpackhi_ps(r[6], r[7]);
    __m256 p0 = _mm256_shuffle_ps(a, c, 0x44), p1 = _mm256_shuffle_ps(a, c, 0xEE);
    __m256 p2 = _mm256_shuffle_ps(b, d, 0x44), p3 = _mm256_shuffle_ps(b, d, 0xEE);
    __m256 q0 = _mm256_shuffle_ps(e, g, 0x44), q1 = _mm256_shuffle_ps(e, g, 0xEE);
    __m256 q2 = _mm256_shuffle_ps(f, h, 0x44), q3 = _mm256_shuffle_ps(f, h, 0xEE);
    return (Bodies){ .vx = (F8)_mm256_permute2f128_ps(p0, q0, 0x20),
                     .vy = (F8)_mm256_permute2f128_ps(p1, q1, 0x20),
                     .w = (F8)_mm256_permute2f128_ps(p2, q2, 0x20),
                     .inv_mass = (F8)_mm256_permute2f128_ps(p3, q3, 0x20),
                     .dx = (F8)_mm256_permute2f128_ps(p0, q0, 0x31),
                     .dy = (F8)_mm256_permute2f128_ps(p1, q1, 0x31),
                     .da = (F8)_mm256_permute2f128_ps(p2, q2, 0x31),
                     .inv_inertia = (F8)_mm256_permute2f128_ps(p3, q3, 0x31) };
}

// Writes the lanes whose bits are set.
INLINE void scatter_some(Physics2dState *states, const uint32_t *index, unsigned lanes,
                         const Bodies *bodies) {
    __m256 vx = (__m256)bodies->vx, vy = (__m256)bodies->vy, w = (__m256)bodies->w,
           m = (__m256)bodies->inv_mass;
    __m256 a = _mm256_unpacklo_ps(vx, vy), b = _mm256_unpackhi_ps(vx, vy);
    __m256 c = _mm256_unpacklo_ps(w, m), d = _mm256_unpackhi_ps(w, m);
    __m256 r[4] = { _mm256_shuffle_ps(a, c, 0x44), _mm256_shuffle_ps(a, c, 0xEE),
                    _mm256_shuffle_ps(b, d, 0x44), _mm256_shuffle_ps(b, d, 0xEE) };
    if (lanes == ALL_LANES) {
        for (int i = 0; i < 4; i++) {
            _mm_store_ps(&states[index[i]].vx, _mm256_castps256_ps128(r[i]));
            _mm_store_ps(&states[index[i + 4]].vx, _mm256_extractf128_ps(r[i], 1));
        }
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        if ((lanes >> i & 1) != 0) _mm_store_ps(&states[index[i]].vx, _mm256_castps256_ps128(r[i]));
        if ((lanes >> (i + 4) & 1) != 0)
            _mm_store_ps(&states[index[i + 4]].vx, _mm256_extractf128_ps(r[i], 1));
    }
}
#else
typedef struct Square {
    F4 r[4];
} Square;

INLINE Square transpose(F4 a, F4 b, F4 c, F4 d) {
    F4 e = __builtin_shufflevector(a, b, 0, 4, 1, 5), f = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    F4 g = __builtin_shufflevector(c, d, 0, 4, 1, 5), h = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    return (Square){ { __builtin_shufflevector(e, g, 0, 1, 4, 5), __builtin_shufflevector(e, g, 2, 3, 6, 7),
                       __builtin_shufflevector(f, h, 0, 1, 4, 5),
                       __builtin_shufflevector(f, h, 2, 3, 6, 7) } };
}
INLINE F4 quarter(const float *from) { return *(const F4 *)(const void *)from; }
INLINE F8 join(F4 low, F4 high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }

INLINE Bodies gather(const Physics2dState *states, const uint32_t *index) {
    Square low[2], high[2];
    for (size_t k = 0; k < 2; k++) {
        const Physics2dState *a = &states[index[4 * k]], *b = &states[index[4 * k + 1]],
                             *c = &states[index[4 * k + 2]], *d = &states[index[4 * k + 3]];
        low[k] = transpose(quarter(&a->vx), quarter(&b->vx), quarter(&c->vx), quarter(&d->vx));
        high[k] = transpose(quarter(&a->dx), quarter(&b->dx), quarter(&c->dx), quarter(&d->dx));
    }
    return (Bodies){ .vx = join(low[0].r[0], low[1].r[0]),
                     .vy = join(low[0].r[1], low[1].r[1]),
                     .w = join(low[0].r[2], low[1].r[2]),
                     .inv_mass = join(low[0].r[3], low[1].r[3]),
                     .dx = join(high[0].r[0], high[1].r[0]),
                     .dy = join(high[0].r[1], high[1].r[1]),
                     .da = join(high[0].r[2], high[1].r[2]),
                     .inv_inertia = join(high[0].r[3], high[1].r[3]) };
}

INLINE void scatter_some(Physics2dState *states, const uint32_t *index, unsigned lanes,
                         const Bodies *bodies) {
    for (unsigned i = 0; i < PHYSICS2D_LANES; i++) {
        if ((lanes >> i & 1) == 0) continue;
        Physics2dState *state = &states[index[i]];
        state->vx = bodies->vx[i];
        state->vy = bodies->vy[i];
        state->w = bodies->w[i];
    }
}
#endif

// Writes the first lanes.
INLINE void scatter(Physics2dState *states, const uint32_t *index, unsigned lanes, const Bodies *bodies) {
    scatter_some(states, index, (1u << lanes) - 1, bodies);
}

// ---- Contacts ---------------------------------------------------------------------------------------------

// The tangent is the normal, turned by a quarter to the right: (ny, -nx).

INLINE void push_normal(Bodies *a, Bodies *b, const Physics2dPointLanes *point, F8 nx, F8 ny, F8 impulse) {
    F8 pa = a->inv_mass * impulse, pb = b->inv_mass * impulse;
    a->vx -= nx * pa;
    a->vy -= ny * pa;
    a->w -= a->inv_inertia * (load(point->an) * impulse);
    b->vx += nx * pb;
    b->vy += ny * pb;
    b->w += b->inv_inertia * (load(point->bn) * impulse);
}

INLINE void push_tangent(Bodies *a, Bodies *b, const Physics2dPointLanes *point, F8 nx, F8 ny, F8 impulse) {
    F8 pa = a->inv_mass * impulse, pb = b->inv_mass * impulse;
    a->vx -= ny * pa;
    a->vy += nx * pa;
    a->w -= a->inv_inertia * (load(point->at) * impulse);
    b->vx += ny * pb;
    b->vy -= nx * pb;
    b->w += b->inv_inertia * (load(point->bt) * impulse);
}

INLINE F8 normal_speed(const Bodies *a, const Bodies *b, const Physics2dPointLanes *point, F8 nx, F8 ny) {
    return (nx * (b->vx - a->vx) + ny * (b->vy - a->vy)) + (load(point->bn) * b->w - load(point->an) * a->w);
}

INLINE F8 tangent_speed(const Bodies *a, const Bodies *b, const Physics2dPointLanes *point, F8 nx, F8 ny) {
    return (ny * (b->vx - a->vx) - nx * (b->vy - a->vy)) + (load(point->bt) * b->w - load(point->at) * a->w);
}

INLINE F8 inverse(F8 k) {
    I8 positive = k > all(0);
    return (F8)((I8)(all(1) / choose(positive, k, all(1))) & positive);
}

INLINE void prepare_block(const Physics2dPass *pass, Physics2dBlock *block, unsigned points) {
    Bodies a = gather(pass->states, block->a), b = gather(pass->states, block->b);
    F8 mass = a.inv_mass + b.inv_mass;
    for (unsigned i = 0; i < points; i++) {
        Physics2dPointLanes *p = &block->points[i];
        F8 an = load(p->an), bn = load(p->bn), at = load(p->at), bt = load(p->bt);
        store(p->mass_n, inverse(mass + (a.inv_inertia * an * an + b.inv_inertia * bn * bn)));
        store(p->mass_t, inverse(mass + (a.inv_inertia * at * at + b.inv_inertia * bt * bt)));
        store(p->bounced, all(0));
    }
    if (block->rolls) store(block->rolling_mass, inverse(a.inv_inertia + b.inv_inertia));
}

INLINE void warm_start_block(const Physics2dPass *pass, Physics2dBlock *block, unsigned points) {
    Bodies a = gather(pass->states, block->a), b = gather(pass->states, block->b);
    F8 nx = load(block->nx), ny = load(block->ny);
    for (unsigned i = 0; i < points; i++) {
        const Physics2dPointLanes *p = &block->points[i];
        push_normal(&a, &b, p, nx, ny, load(p->impulse));
        push_tangent(&a, &b, p, nx, ny, load(p->friction_impulse));
    }
    if (block->rolls) {
        a.w -= a.inv_inertia * load(block->rolling_impulse);
        b.w += b.inv_inertia * load(block->rolling_impulse);
    }
    scatter(pass->states, block->a, block->lanes, &a);
    if (pass->write_b) scatter(pass->states, block->b, block->lanes, &b);
}

INLINE void solve_block(const Physics2dPass *pass, Physics2dBlock *block, unsigned points) {
    Bodies a = gather(pass->states, block->a), b = gather(pass->states, block->b);
    F8 nx = load(block->nx), ny = load(block->ny), friction = load(block->friction);
    F8 dx = b.dx - a.dx, dy = b.dy - a.dy, total = all(0);
    F8 along = nx * dx + ny * dy;

    if (block->rolls) {
        for (unsigned i = 0; i < points; i++) total += load(block->points[i].impulse);
        F8 most = load(block->rolling) * total, old = load(block->rolling_impulse);
        F8 impulse = old - load(block->rolling_mass) * (b.w - a.w);
        impulse = greatest(least(impulse, most), -most);
        store(block->rolling_impulse, impulse);
        a.w -= a.inv_inertia * (impulse - old);
        b.w += b.inv_inertia * (impulse - old);
    }
    // Friction first, because not to overlap is more important.
    for (unsigned i = 0; i < points; i++) {
        Physics2dPointLanes *p = &block->points[i];
        F8 old = load(p->friction_impulse), normal = load(p->impulse);
        if (block->bounces) normal += load(p->bounced);
        F8 most = friction * normal;
        F8 speed = tangent_speed(&a, &b, p, nx, ny) + load(block->surface);
        F8 impulse = greatest(least(old - load(p->mass_t) * speed, most), -most);
        store(p->friction_impulse, impulse);
        push_tangent(&a, &b, p, nx, ny, impulse - old);
    }
    F8 rate = all(pass->soft.rate), mass_scale = all(pass->soft.mass),
       impulse_scale = all(pass->soft.impulse);
    F8 fastest = all(-pass->constants->push_speed), inv_h = all(pass->constants->inv_h);
    for (unsigned i = 0; i < points; i++) {
        Physics2dPointLanes *p = &block->points[i];
        F8 s = load(p->separation) + (along + (load(p->bn) * b.da - load(p->an) * a.da));
        // Apart: the speed that closes the gap in a sub-step is allowed. Overlapping: a spring pushes apart.
        I8 is_apart = s > all(0);
        F8 bias = choose(is_apart, s * inv_h, greatest(rate * s, fastest));
        F8 scale = choose(is_apart, all(1), mass_scale), soft = (F8)((I8)impulse_scale & ~is_apart);
        F8 old = load(p->impulse), speed = normal_speed(&a, &b, p, nx, ny);
        F8 impulse = greatest((old - load(p->mass_n) * scale * (speed + bias)) - soft * old, all(0));
        if (block->bounces && !pass->use_bias) // what will bounce at the beginning of the next sub-step
            impulse = choose(is_apart & (load(block->restitution) > all(0)) &
                                 (speed < all(-pass->constants->restitution_speed)),
                             old, impulse);
        store(p->impulse, impulse);
        push_normal(&a, &b, p, nx, ny, impulse - old);
    }
    scatter(pass->states, block->a, block->lanes, &a);
    if (pass->write_b) scatter(pass->states, block->b, block->lanes, &b);
}

// Points that would touch within the sub-step leave as fast as they have come, times the restitution. These impulses are apart
// from those of the solver, which would take them back as soon as the points leave.
INLINE void bounce_block(const Physics2dPass *pass, Physics2dBlock *block, unsigned points) {
    if (!block->bounces) return;
    Bodies a = gather(pass->states, block->a), b = gather(pass->states, block->b);
    F8 nx = load(block->nx), ny = load(block->ny), restitution = load(block->restitution);
    F8 threshold = all(-pass->constants->restitution_speed), inv_h = all(pass->constants->inv_h);
    F8 along = nx * (b.dx - a.dx) + ny * (b.dy - a.dy);
    F8 wanted[2], impulse[2] = { all(0), all(0) };
    I8 any = (I8){ 0 };
    for (unsigned i = 0; i < points; i++) {
        Physics2dPointLanes *p = &block->points[i];
        if (pass->use_bias) store(p->bounced, all(0)); // the first pass of a sub-step
        F8 s = load(p->separation) + (along + (load(p->bn) * b.da - load(p->an) * a.da));
        F8 speed = normal_speed(&a, &b, p, nx, ny);
        I8 hits = (restitution > all(0)) & (speed < threshold) & (speed + s * inv_h < all(0));
        // A speed that no point has: it does not bounce.
        wanted[i] = choose(hits, -restitution * speed, all(-1e30f));
        any |= hits;
    }
    if (bits_of(&any) == 0) return;
    // One after the other, what is done at one point changes the speed of the other one; three times are enough for a box.
    for (unsigned pass_of_points = 0; pass_of_points < (points == 1 ? 1u : 4u); pass_of_points++)
        for (unsigned i = 0; i < points; i++) {
            const Physics2dPointLanes *p = &block->points[i];
            F8 speed = normal_speed(&a, &b, p, nx, ny), old = impulse[i];
            impulse[i] = greatest(old + load(p->mass_n) * (wanted[i] - speed), all(0));
            push_normal(&a, &b, p, nx, ny, impulse[i] - old);
        }
    for (unsigned i = 0; i < points; i++)
        store(block->points[i].bounced, load(block->points[i].bounced) + impulse[i]);
    scatter(pass->states, block->a, block->lanes, &a);
    if (pass->write_b) scatter(pass->states, block->b, block->lanes, &b);
}

#define LOOP(name)                                                                                           \
    KERNEL_TARGET static void name(const Physics2dPass *pass, uint8_t *blocks, size_t count,                 \
                                   unsigned points) {                                                        \
        if (points == 1)                                                                                     \
            for (size_t i = 0; i < count; i++)                                                               \
                name##_block(pass, (Physics2dBlock *)(void *)(blocks + i * PHYSICS2D_BLOCK_SIZE(1)), 1);     \
        else                                                                                                 \
            for (size_t i = 0; i < count; i++)                                                               \
                name##_block(pass, (Physics2dBlock *)(void *)(blocks + i * PHYSICS2D_BLOCK_SIZE(2)), 2);     \
    }
LOOP(prepare)
LOOP(warm_start)
LOOP(solve)
LOOP(bounce)

// ---- Hinges -----------------------------------------------------------------------------------------------

#include "physics2d/kernels_hinges.h"

// ---- Boxes ------------------------------------------------------------------------------------------------

KERNEL_TARGET static size_t overlap(const Physics2dTree *tree, const Physics2dBox *box, uint32_t *found,
                                    size_t capacity) {
    if (tree->levels == 0) return 0;
    uint32_t stack[PHYSICS2D_LEVELS * PHYSICS2D_LANES], top = 0, leaves = (uint32_t)tree->shapes.count;
    uint8_t level_of[PHYSICS2D_LEVELS * PHYSICS2D_LANES];
    F8 x0 = all(box->x0), y0 = all(box->y0), x1 = all(box->x1), y1 = all(box->y1);
    size_t count = 0;
    stack[top] = 0;
    level_of[top++] = (uint8_t)(tree->levels - 1);
    while (top > 0) {
        uint32_t index = stack[--top], level = level_of[top];
        const Physics2dNode *node = &tree->nodes.items[tree->first[level] + index];
        I8 both =
            (load(node->x0) <= x1) & (load(node->x1) >= x0) & (load(node->y0) <= y1) & (load(node->y1) >= y0);
        unsigned bits = bits_of(&both);
        for (; bits != 0; bits &= bits - 1) {
            uint32_t child = index * PHYSICS2D_LANES + (uint32_t)__builtin_ctz(bits);
            if (level > 0) {
                stack[top] = child;
                level_of[top++] = (uint8_t)(level - 1);
            } else if (child < leaves) {
                if (count == capacity) return capacity + 1;
                found[count++] = tree->shapes.items[child];
            }
        }
    }
    return count;
}

// Boxes are larger by `margin`, for shapes that move.
KERNEL_TARGET static void ray(const Physics2dTree *tree, FiloVec2 from, FiloVec2 move, FiloVec2 margin,
                              float *fraction, void (*test)(uint32_t shape, void *user), void *user) {
    if (tree->levels == 0) return;
    uint32_t stack[PHYSICS2D_LEVELS * PHYSICS2D_LANES], top = 0, leaves = (uint32_t)tree->shapes.count;
    uint8_t level_of[PHYSICS2D_LEVELS * PHYSICS2D_LANES];
    float ix = physics2d_inverse(move.x), iy = physics2d_inverse(move.y);
    F8 x = all(from.x), y = all(from.y), inv_x = all(ix), inv_y = all(iy), mx = all(margin.x),
       my = all(margin.y);
    stack[top] = 0;
    level_of[top++] = (uint8_t)(tree->levels - 1);
    while (top > 0) {
        uint32_t index = stack[--top], level = level_of[top];
        const Physics2dNode *node = &tree->nodes.items[tree->first[level] + index];
        F8 x0 = ((load(node->x0) - mx) - x) * inv_x, x1 = ((load(node->x1) + mx) - x) * inv_x;
        F8 y0 = ((load(node->y0) - my) - y) * inv_y, y1 = ((load(node->y1) + my) - y) * inv_y;
        F8 enter = greatest(greatest(least(x0, x1), least(y0, y1)), all(0));
        F8 leave = least(least(greatest(x0, x1), greatest(y0, y1)), all(*fraction));
        I8 both = (enter <= leave) & (load(node->x0) <= load(node->x1));
        for (unsigned bits = bits_of(&both); bits != 0; bits &= bits - 1) {
            uint32_t child = index * PHYSICS2D_LANES + (uint32_t)__builtin_ctz(bits);
            if (level > 0) {
                stack[top] = child;
                level_of[top++] = (uint8_t)(level - 1);
            } else if (child < leaves) {
                test(tree->shapes.items[child], user);
            }
        }
    }
}

const Physics2dKernels KERNEL_TABLE = { warm_start,  solve,        bounce, prepare,
                                        warm_hinges, solve_hinges, ray,    overlap };
