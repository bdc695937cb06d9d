// FiloParticles → quads: all particles of an emitter that exist at a moment. See particles.h.
//
// With drag d, velocity and position of a particle follow from v' = a − d v in closed form:
//   v(t) = v0 e^(−dt) + a (1 − e^(−dt)) / d,    x(t) = x0 + v0 (1 − e^(−dt)) / d + a (t − (1 − e^(−dt)) / d) / d

#include "gfx3d/effects/particles.h"
#include "gfx3d/effects/effects.h"
#include "gfx3d/extract/extract.h"

#include <filo/random.h>

#define FADE 10.0f // a tenth of its life

typedef struct Axes {
    FiloVec3 x, y, z;
} Axes;

// An emitter at the moment that is drawn.
typedef struct Emitter {
    const FiloParticles *p;
    double age;
    float life;
    Gfx3dEffectPose pose;
    Axes axes;         // now
    bool moves, turns; // in the life of its particles
    bool boxed;        // particles do not all begin at one point
    FiloQuat rotations[FILO_PARTICLE_TRACE];
    uint64_t seed;
    FiloVec4 color, end_color; // 0 to 255
    float size, end_size;
} Emitter;

typedef struct Born { // a particle at its beginning
    FiloVec3 position, velocity;
} Born;

static FiloVec4 to_vec4(FiloColor c) { return filo_vec4((float)c.r, (float)c.g, (float)c.b, (float)c.a); }

// Three values of 21 bits, −1 to 1.
static FiloVec3 three(uint64_t bits) {
    const float unit = 2.0f / 2097151.0f;
    return filo_vec3((float)(bits & 2097151u) * unit - 1, (float)(bits >> 21 & 2097151u) * unit - 1,
                     (float)(bits >> 42 & 2097151u) * unit - 1);
}

// ---- The emitter ----------------------------------------------------------------------------------------------

static void find_movement(Emitter *e) {
    const FiloParticles *p = e->p;
    if (p->trace_count == 0) return; // before its first tick
    for (int i = 0; i < FILO_PARTICLE_TRACE; i++) {
        e->moves = e->moves || !filo_vec3_equal(p->trace[i].position, p->last.position);
        e->turns = e->turns || p->trace[i].rotation != p->last.rotation;
    }
    e->moves = e->moves || !filo_vec3_equal(e->pose.position, p->last.position);
    if (e->turns)
        for (int i = 0; i < FILO_PARTICLE_TRACE; i++)
            e->rotations[i] = gfx3d_unpack_rotation(p->trace[i].rotation);
}

// Axes of the emitter's coordinates, with its scale.
static Axes axes_of(FiloQuat rotation, FiloVec3 scale) {
    return (Axes){ filo_quat_rotate(rotation, filo_vec3(scale.x, 0, 0)),
                   filo_quat_rotate(rotation, filo_vec3(0, scale.y, 0)),
                   filo_quat_rotate(rotation, filo_vec3(0, 0, scale.z)) };
}

static Emitter make_emitter(const FiloGfx3d *gfx, const Gfx3dEffectRows *rows, uint32_t row) {
    const FiloParticles *p = &rows->particles[row];
    Emitter e = { .p = p,
                  .age = p->age - (double)((1 - gfx->blend) * p->step),
                  .life = gfx3d_particle_life(p),
                  .pose = gfx3d_effect_pose(gfx, rows, row) };
    e.seed = filo_random_mix(p->seed != 0 ? p->seed : (uint64_t)rows->entity_indices[row] << 32 | 1u);
    float scale = filo_abs(e.pose.scale.x) * 0.5f; // quads have half sizes
    e.size = (p->size > 0 ? p->size : 0.2f) * scale;
    e.end_size = p->end_size > 0 ? p->end_size * scale : e.size;
    bool is_white = (p->color.r | p->color.g | p->color.b | p->color.a) == 0;
    e.color = is_white ? filo_vec4(255, 255, 255, 255) : to_vec4(p->color);
    e.end_color = to_vec4(p->end_color);
    e.axes = axes_of(e.pose.rotation, e.pose.scale);
    e.boxed = p->box.x != 0 || p->box.y != 0 || p->box.z != 0;
    find_movement(&e);
    return e;
}

// A sphere around all particles that may exist.
static float reach_of(const Emitter *e) {
    const FiloParticles *p = e->p;
    float scale =
        filo_max(filo_max(filo_abs(e->pose.scale.x), filo_abs(e->pose.scale.y)), filo_abs(e->pose.scale.z));
    float speed = (filo_vec3_length(p->velocity) + filo_vec3_length(p->spread)) * scale;
    float fall = filo_vec3_length(p->acceleration);
    float size = filo_max(e->size, e->end_size) * (1 + filo_clamp01(p->size_spread)) * 1.42f;
    float reach = filo_vec3_length(p->box) * 0.5f * scale + speed * e->life +
                  0.5f * fall * e->life * e->life + size + filo_max(p->stretch, 0) * (speed + fall * e->life);
    float trace = 0;
    for (int i = 0; e->moves && i < FILO_PARTICLE_TRACE; i++)
        trace = filo_max(trace, filo_vec3_distance_squared(p->trace[i].position, e->pose.position));
    return reach + filo_sqrt(trace);
}

// ---- One particle ---------------------------------------------------------------------------------------------

// Where the emitter was at a time: between two points of its trace, or between the last one and now.
static void pose_at(const Emitter *e, double time, FiloVec3 *position, FiloQuat *rotation) {
    const FiloParticles *p = e->p;
    double interval = gfx3d_particle_interval(p);
    uint64_t k = FILO_MIN(gfx3d_particle_points(p, time), p->trace_count) - 1;
    const FiloParticlePoint *from = &p->trace[k % FILO_PARTICLE_TRACE];
    double begin = (double)k * interval, length = interval;
    FiloVec3 to = e->pose.position;
    FiloQuat to_rotation = e->pose.rotation;
    if (k + 1 < p->trace_count) {
        to = p->trace[(k + 1) % FILO_PARTICLE_TRACE].position;
        to_rotation = e->rotations[(k + 1) % FILO_PARTICLE_TRACE];
    } else {
        length = e->age - begin;
    }
    float part = length > 1e-9 ? filo_clamp01((float)((time - begin) / length)) : 1;
    if (e->moves) *position = filo_vec3_lerp(from->position, to, part);
    if (e->turns) *rotation = filo_quat_nlerp(e->rotations[k % FILO_PARTICLE_TRACE], to_rotation, part);
}

static FiloVec3 along(const Axes *axes, FiloVec3 v) {
    return filo_vec3_add_scaled(filo_vec3_add_scaled(filo_vec3_scale(axes->x, v.x), axes->y, v.y), axes->z,
                                v.z);
}

static Born bear(const Emitter *e, double time, uint64_t number) {
    const FiloParticles *p = e->p;
    FiloVec3 position = e->pose.position;
    FiloQuat rotation = e->pose.rotation;
    Axes turned;
    const Axes *axes = &e->axes;
    if (e->moves || e->turns) pose_at(e, time, &position, &rotation);
    if (e->turns) {
        turned = axes_of(rotation, e->pose.scale);
        axes = &turned;
    }
    Born born = { position, p->velocity };
    if (e->boxed) {
        FiloVec3 in_box = filo_vec3_mul(p->box, three(filo_random_mix(e->seed + number * 4)));
        born.position = filo_vec3_add(position, along(axes, filo_vec3_scale(in_box, 0.5f)));
    }
    FiloVec3 spread = three(filo_random_mix(e->seed + number * 4 + 1));
    born.velocity = along(axes, filo_vec3_add(p->velocity, filo_vec3_mul(p->spread, spread)));
    return born;
}

// How a particle of this age has moved; `left` is e^(−drag × age).
static Born fly(const FiloParticles *p, Born born, float age, float left) {
    if (p->drag < 1e-4f)
        return (Born){ filo_vec3_add_scaled(filo_vec3_add_scaled(born.position, born.velocity, age),
                                            p->acceleration, 0.5f * age * age),
                       filo_vec3_add_scaled(born.velocity, p->acceleration, age) };
    float way = (1 - left) / p->drag;
    FiloVec3 position = filo_vec3_add_scaled(born.position, born.velocity, way);
    return (Born){ filo_vec3_add_scaled(position, p->acceleration, (age - way) / p->drag),
                   filo_vec3_add_scaled(filo_vec3_scale(born.velocity, left), p->acceleration, way) };
}

static FiloColor color_at(const Emitter *e, float part) {
    float fade = filo_min(1, filo_min(part, 1 - part) * FADE);
    FiloVec4 c = filo_vec4_scale(filo_vec4_lerp(e->color, e->end_color, part), fade);
    return (FiloColor){ (uint8_t)(c.x + 0.5f), (uint8_t)(c.y + 0.5f), (uint8_t)(c.z + 0.5f),
                        (uint8_t)(c.w + 0.5f) };
}

static int16_t to_short(float x) { return (int16_t)filo_round_to_int(x * 32767); }

static void build_particle(const Emitter *e, Gfx3dQuad *quad, uint64_t number, float age, float left) {
    const FiloParticles *p = e->p;
    Born now = fly(p, bear(e, e->age - (double)age, number), age, left);
    float part = age / e->life, size = filo_lerp(e->size, e->end_size, part);
    quad->centre = now.position;
    quad->color = color_at(e, part);
    if (p->size_spread > 0 || p->spin != 0) {
        FiloVec3 r = three(filo_random_mix(e->seed + number * 4 + 2));
        size *= 1 + filo_clamp01(p->size_spread) * r.x;
        if (p->spin != 0) {
            FiloSinCos turn = filo_sincos(FILO_PI * r.y + p->spin * r.z * age);
            quad->axis[0] = to_short(turn.cos);
            quad->axis[1] = to_short(turn.sin);
        }
    }
    quad->half = filo_vec2(size, size);
    float speed = p->stretch > 0 ? filo_vec3_length(now.velocity) : 0;
    quad->flags &= ~(uint32_t)GFX3D_QUAD_STRETCHED;
    if (speed <= 1e-6f) return;
    quad->flags |= GFX3D_QUAD_STRETCHED;
    quad->half.y += 0.5f * speed * p->stretch;
    quad->axis[0] = to_short(now.velocity.x / speed);
    quad->axis[1] = to_short(now.velocity.y / speed);
    quad->axis[2] = to_short(now.velocity.z / speed);
}

// ---- All of them ----------------------------------------------------------------------------------------------

// Particles that exist: from the number *first on. Particle n is born at the time n / rate.
static uint64_t count_particles(const Emitter *e, uint64_t *first) {
    const FiloParticles *p = e->p;
    double rate = (double)p->rate, end = e->age;
    if (!(rate > 0) || !(end >= 0)) return 0;
    if (p->stop > 0) end = FILO_MIN(end, (double)p->stop);
    double last = end * rate, before = (e->age - (double)e->life) * rate; // the last that has died
    if (!(last < 1e15)) return 0; // numbers without fractions: it cannot be
    uint64_t stop = (uint64_t)last + 1, begin = before >= 0 ? (uint64_t)before + 1 : 0;
    if (begin >= stop) return 0;
    if (stop - begin > GFX3D_PARTICLES_MAX) begin = stop - GFX3D_PARTICLES_MAX;
    *first = begin;
    return stop - begin;
}

static void build_emitter(const Emitter *e, Gfx3dEffectBlock *block, uint16_t image) {
    const FiloParticles *p = e->p;
    uint64_t first = 0, count = count_particles(e, &first);
    if (count == 0) return;
    if (!gfx3d_effect_quads_reserve(block, count)) {
        block->failed = true;
        return;
    }
    Gfx3dQuad common = { .flags = (p->lit ? GFX3D_QUAD_LIT : 0u) | (p->add ? GFX3D_QUAD_ADD : 0u),
                         .axis = { 32767 },
                         .brightness = p->brightness > 0 ? p->brightness : 1 };
    gfx3d_effect_frame_uv(p->frame, common.uv);
    // Ages differ by 1 / rate, so powers of e are found by multiplying, from the youngest on.
    double step = 1 / (double)p->rate, youngest = e->age - (double)(first + count - 1) * step;
    float drag = filo_max(p->drag, 0), left = filo_exp(-drag * (float)youngest),
          shrink = filo_exp(-drag / p->rate);
    Gfx3dQuad *quads = block->quads.items + block->quads.count;
    uint16_t *images = block->images.items + block->images.count;
    for (uint64_t i = count; i-- > 0; left *= shrink) {
        float age = filo_clamp((float)(e->age - (double)(first + i) * step), 0, e->life);
        quads[i] = common;
        images[i] = image;
        build_particle(e, &quads[i], first + i, age, left);
    }
    block->quads.count += count;
    block->images.count += count;
    block->particles += count;
}

void gfx3d_particles_build(const FiloGfx3d *gfx, const Gfx3dEffectRows *rows, Gfx3dEffectBlock *block) {
    for (uint32_t i = 0; i < rows->count && !block->failed; i++) {
        if (gfx3d_is_concealed(gfx, rows->entity_indices[i])) continue;
        Emitter e = make_emitter(gfx, rows, i);
        if (gfx3d_effect_unseen(gfx, e.pose.position, reach_of(&e), e.p->range)) continue;
        uint16_t image = gfx3d_effect_block_image(gfx, block, e.p->image);
        if (image != UINT16_MAX) build_emitter(&e, block, image);
    }
}
