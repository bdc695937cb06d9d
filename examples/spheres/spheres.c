// Spheres that bounce off each other and the walls of a box. Each computes its next state from the past of all: those that it
// touches push it, by the same rule on both sides. None of them writes anything else, so all are computed at once.

#include "spheres.h"

FILO_REFLECT(Sphere, FILO_FIELD(FiloVec3, position), FILO_FIELD(float, radius),
             FILO_FIELD(FiloVec3, velocity), FILO_FIELD(float, flash))

static float mass(float radius) { return radius * radius * radius; }

// What a sphere that touches another does to its velocity and position. Only if they approach each other.
static void collide(const Sphere *past, Sphere *next, FiloVec3 position, float radius, FiloVec3 velocity) {
    FiloVec3 apart = filo_vec3_sub(past->position, position);
    float distance = filo_vec3_length(apart);
    if (distance == 0.0f) return; // at the same place: no direction
    FiloVec3 normal = filo_vec3_scale(apart, 1 / distance);
    float speed = filo_vec3_dot(filo_vec3_sub(past->velocity, velocity), normal);
    float share = mass(radius) / (mass(past->radius) + mass(radius));
    // They are moved apart by what they overlap, the lighter one further.
    float overlap = past->radius + radius - distance;
    next->position = filo_vec3_add(next->position, filo_vec3_scale(normal, overlap * share));
    if (speed >= 0.0f) return;
    next->velocity = filo_vec3_sub(next->velocity, filo_vec3_scale(normal, 2 * speed * share));
    next->flash = 1;
}

// Keeps one coordinate between the walls.
static void bounce(float *position, float *velocity, float limit) {
    if (*position > limit) {
        *position = limit;
        *velocity = -filo_abs(*velocity);
    } else if (*position < -limit) {
        *position = -limit;
        *velocity = filo_abs(*velocity);
    }
}

static void move(const Sphere *past, Sphere *next, float half, float delta) {
    next->position = filo_vec3_add(next->position, filo_vec3_scale(next->velocity, delta));
    float limit = half - past->radius;
    bounce(&next->position.x, &next->velocity.x, limit);
    bounce(&next->position.y, &next->velocity.y, limit);
    bounce(&next->position.z, &next->velocity.z, limit);
    next->flash *= 0.92f;
}

// ---- All pairs ------------------------------------------------------------------------------------------------------

#define BLOCK 64u

// Some spheres as columns, so that the compiler compares several at a time.
typedef struct Block {
    float x[BLOCK], y[BLOCK], z[BLOCK], radius[BLOCK];
    size_t count;
} Block;

static void fill_block(Block *block, const Sphere *spheres, size_t count) {
    block->count = count;
    for (size_t i = 0; i < BLOCK; i++) {
        const Sphere *s = &spheres[i < count ? i : 0];
        block->x[i] = s->position.x;
        block->y[i] = s->position.y;
        block->z[i] = s->position.z;
        block->radius[i] = i < count ? s->radius : -1e30f; // touches nothing
    }
}

static bool touches(const Block *block, const Sphere *s, size_t j) {
    float dx = s->position.x - block->x[j], dy = s->position.y - block->y[j],
          dz = s->position.z - block->z[j];
    float reach = s->radius + block->radius[j];
    return dx * dx + dy * dy + dz * dz < reach * reach && reach > 0.0f;
}

static void meet(const Block *block, const Sphere *others, const Sphere *past, Sphere *next) {
    int some = 0;
    for (size_t j = 0; j < BLOCK; j++) some |= touches(block, past, j); // without branches: it is vectorised
    if (!some) return;
    for (size_t j = 0; j < block->count; j++)
        if (&others[j] != past && touches(block, past, j))
            collide(past, next, others[j].position, others[j].radius, others[j].velocity);
}

static void step_pairs(FiloIter *it) {
    const Spheres *spheres = it->user;
    const Sphere *past = filo_read(it, Sphere);
    Sphere *next = filo_write_next(it, Sphere);
    for (size_t i = 0; i < it->count; i++) next[i] = past[i];
    FiloIter all = filo_iter_over(it, filo_iter_extra_query(it, 0));
    while (filo_iter_next(&all)) {
        const Sphere *others = filo_read(&all, Sphere);
        for (size_t begin = 0; begin < all.count; begin += BLOCK) {
            Block block;
            fill_block(&block, others + begin, all.count - begin < BLOCK ? all.count - begin : BLOCK);
            for (size_t i = 0; i < it->count; i++) meet(&block, others + begin, &past[i], &next[i]);
        }
    }
    for (size_t i = 0; i < it->count; i++) move(&past[i], &next[i], spheres->half, it->delta);
}

// ---- With the index ----------------------------------------------------------------------------------------------------

static void step_indexed(FiloIter *it) {
    const Spheres *spheres = it->user;
    const FiloSpatialItems *items = filo_spatial_items(spheres->index);
    const Sphere *past = filo_read(it, Sphere);
    Sphere *next = filo_write_next(it, Sphere);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        FiloSpatialSearch near =
            filo_spatial_sphere(spheres->index, past[i].position, past[i].radius, filo_iter_entity(it, i));
        while (filo_spatial_next(&near)) {
            uint32_t k = near.hit.item;
            FiloVec3 velocity = filo_vec3(items->values[0][k], items->values[1][k], items->values[2][k]);
            collide(&past[i], &next[i], near.hit.position3, items->radii[k], velocity);
        }
        move(&past[i], &next[i], spheres->half, it->delta);
    }
}

// ---- Setup ---------------------------------------------------------------------------------------------------------------

static FiloResult add_index(Spheres *spheres, FiloWorld *world) {
    FiloResult r =
        filo_spatial_create(&spheres->index, world,
                            &(FiloSpatialDesc){ .name = "spheres",
                                                .dimensions = 3,
                                                .position = FILO_SPATIAL_FIELD(Sphere, "position"),
                                                .radius = FILO_SPATIAL_FIELD(Sphere, "radius"),
                                                .values = { FILO_SPATIAL_FIELD(Sphere, "velocity.x"),
                                                            FILO_SPATIAL_FIELD(Sphere, "velocity.y"),
                                                            FILO_SPATIAL_FIELD(Sphere, "velocity.z") },
                                                .cell_size = 2.4f });
    if (r.code == FILO_OK) filo_spatial_system_add(spheres->index, NULL);
    return r;
}

FiloResult spheres_begin(Spheres *spheres, FiloWorld *world, const SpheresDesc *desc) {
    *spheres = (Spheres){ .half = 1.6f * filo_pow((float)desc->count, 1.0f / 3) };
    FiloObjectDesc kind = { .name = "sphere",
                            .state = FILO_STATE_OF(Sphere),
                            .user = spheres,
                            .sequential = desc->sequential,
                            .step = desc->all_pairs ? step_pairs : step_indexed };
    FiloResult r = filo_object_prepare(world, &kind); // registers the state, which index and view name
    if (r.code == FILO_OK && !desc->all_pairs) r = add_index(spheres, world);
    if (r.code != FILO_OK) return r;
    if (desc->all_pairs)
        kind.views[0].terms[0] = (FiloTerm)FILO_READ(Sphere);
    else
        kind.extra_access[0] = (FiloTerm)FILO_SPATIAL_READ(spheres->index);
    FiloObjectKind added;
    r = filo_object_kind_add(&added, world, &kind);
    if (r.code != FILO_OK) return r;
    for (size_t i = 0; i < desc->count; i++) {
        FiloRandom random = filo_random_keyed(filo_world_seed(world), 0, 0, i);
        float radius = filo_random_float_range(&random, 0.35f, 1);
        float x = filo_random_float_range(&random, -1, 1), y = filo_random_float_range(&random, -1, 1);
        float z = filo_random_float_range(&random, -1, 1), limit = spheres->half - radius;
        float v[3];
        filo_random_in_sphere(&random, v);
        FiloVec3 velocity = filo_vec3_scale(filo_vec3(v[0], v[1], v[2]), 8);
        filo_create(world, FILO_SET(Sphere, .position = { x * limit, y * limit, z * limit }, .radius = radius,
                                    .velocity = velocity));
    }
    return filo_ok();
}

void spheres_end(Spheres *spheres) {
    filo_spatial_destroy(spheres->index);
    spheres->index = NULL;
}

static void add_energy(void *result, FiloEntity object, const void *state, void *user) {
    (void)object;
    (void)user;
    const Sphere *s = state;
    *(double *)result += 0.5 * (double)(mass(s->radius) * filo_vec3_dot(s->velocity, s->velocity));
}

double spheres_energy(FiloWorld *world) {
    double energy = 0;
    filo_objects_fold(world, Sphere, &energy, add_energy, NULL);
    return energy;
}
