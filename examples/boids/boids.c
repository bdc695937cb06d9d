// The rules of the boids: stay together, fly alike, keep a distance, flee from the hawk.
//
// The index copies positions and velocities in the order of its cells, so that looking around is a loop over
// four arrays. To look at all pairs is the same with a single cell that holds everybody.
//
// Four are looked at at a time, each in a lane of its own, and lanes are added up in a fixed order at the end:
// the result has the same bits on every machine.

#include "boids.h"

#define CLOSE      9.0f // nearer than this is too near
#define SLOWEST    40.0f
#define FASTEST    90.0f
#define TOGETHER   1.2f // weights of the wishes
#define ALIKE      2.0f
#define APART      14.0f
#define HAWK_REACH 110.0f
#define HAWK_FEAR  900.0f
#define ROOM       340.0f // square units for each

FILO_REFLECT(Boid, FILO_FIELD(FiloVec2, velocity))
FILO_REFLECT(Sky, FILO_FIELD(FiloVec2, half), FILO_FIELD(FiloVec2, hawk), FILO_FIELD(bool, hawk_is_out))

// ---- Looking around ---------------------------------------------------------------------------------------

// Four floats, and the answers to four questions: all bits set for yes. The compiler makes vector code of them.
typedef float Floats __attribute__((vector_size(16), aligned(4)));
typedef int32_t Answers __attribute__((vector_size(16)));
typedef int64_t Halves __attribute__((vector_size(16)));
#define LANES 4

typedef struct Flock { // what one boid sees: sums, in lanes
    Answers count;     // below zero
    Floats x, y, vx, vy, away_x, away_y;
} Flock;

// Those of the lanes that are wanted; 0 for the others.
static inline Floats only(Floats values, Answers wanted) { return (Floats)((Answers)values & wanted); }

static inline void look_at(Flock *flock, const FiloSpatialItems *items, size_t k, FiloVec2 here,
                           Answers asked) {
    Floats dx = *(const Floats *)(items->x + k) - here.x, dy = *(const Floats *)(items->y + k) - here.y;
    Floats square = dx * dx + dy * dy;
    Answers seen = (square < BOIDS_SIGHT * BOIDS_SIGHT) & asked;
    Halves any = (Halves)seen;
    if ((any[0] | any[1]) == 0) return; // as it is most of the time
    Answers close = (square < CLOSE * CLOSE) & seen;
    flock->count += seen;
    flock->x += only(dx, seen);
    flock->y += only(dy, seen);
    flock->vx += only(*(const Floats *)(items->values[0] + k), seen);
    flock->vy += only(*(const Floats *)(items->values[1] + k), seen);
    flock->away_x -= only(dx, close);
    flock->away_y -= only(dy, close);
}

static Flock look_around(const FiloSpatial *index, FiloVec2 here) {
    const Answers all = { -1, -1, -1, -1 }, lanes = { 0, 1, 2, 3 };
    const FiloSpatialItems *items = filo_spatial_items(index);
    FiloSpatialSearch search = filo_spatial_circle(index, here, BOIDS_SIGHT, FILO_ENTITY_NONE);
    Flock flock = { 0 };
    for (size_t k, end; filo_spatial_next_span(&search, &k, &end);) {
        for (; k + LANES <= end; k += LANES) look_at(&flock, items, k, here, all);
        if (k == end) continue;
        // The last few: the four that end with them, if there are four.
        size_t from = end >= LANES ? end - LANES : 0;
        look_at(&flock, items, from, here, (lanes >= (int32_t)(k - from)) & (lanes < (int32_t)(end - from)));
    }
    return flock;
}

static float total(Floats lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

static FiloVec2 total_of(Floats x, Floats y) { return filo_vec2(total(x), total(y)); }

// ---- Systems ----------------------------------------------------------------------------------------------

static void steer(FiloIter *it) {
    const FiloSpatial *index = it->user;
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    Boid *boid = filo_write(it, Boid);
    const Sky *sky = filo_read_global(it, Sky);
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 here = transform[i].position;
        FiloVec2 *velocity = &boid[i].velocity;
        Flock flock = look_around(index, here);
        int32_t count = -(flock.count[0] + flock.count[1] + flock.count[2] + flock.count[3]);
        float part = 1 / (float)FILO_MAX(count, 1); // it sees itself too
        FiloVec2 wish = filo_vec2_scale(total_of(flock.x, flock.y), part * TOGETHER);
        FiloVec2 mean = filo_vec2_scale(total_of(flock.vx, flock.vy), part);
        wish = filo_vec2_add_scaled(wish, filo_vec2_sub(mean, *velocity), ALIKE);
        wish = filo_vec2_add_scaled(wish, total_of(flock.away_x, flock.away_y), APART);
        if (sky->hawk_is_out) {
            FiloVec2 flight = filo_vec2_sub(here, sky->hawk);
            float distance = filo_vec2_length(flight);
            if (distance < HAWK_REACH)
                wish = filo_vec2_add_scaled(wish, filo_vec2_normalise(flight),
                                            HAWK_FEAR * (1 - distance / HAWK_REACH));
        }
        FiloVec2 v = filo_vec2_add_scaled(*velocity, wish, it->delta);
        float speed = filo_vec2_length(v);
        *velocity = filo_vec2_scale(v, filo_clamp(speed, SLOWEST, FASTEST) / filo_max(speed, 1e-3f));
    }
}

static void fly(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    const Boid *boid = filo_read(it, Boid);
    FiloPreviousTransform2 *previous = filo_write(it, FiloPreviousTransform2);
    const FiloVec2 half = filo_read_global(it, Sky)->half;
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *t = &transform[i];
        FiloVec2 v = boid[i].velocity;
        t->position = filo_vec2_add_scaled(t->position, v, it->delta);
        t->rotation = filo_vec2_angle(v);
        FiloVec2 to = t->position;
        if (filo_abs(to.x) > half.x) to.x -= filo_copy_sign(2 * half.x, to.x);
        if (filo_abs(to.y) > half.y) to.y -= filo_copy_sign(2 * half.y, to.y);
        // Nothing is drawn on the way across.
        if (!filo_vec2_equal(to, t->position)) filo_transform2_teleport(t, &previous[i], to);
    }
}

// ---- Setup ------------------------------------------------------------------------------------------------

static void fill(FiloIter *it, void *user) {
    const Sky *sky = user;
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    Boid *boid = filo_write(it, Boid);
    FiloSprite *sprite = filo_write(it, FiloSprite);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_random_keyed(filo_world_seed(it->world), 0, 0, it->first + i);
        FiloTransform2 *t = &transform[i];
        t->position.x = filo_random_float_range(&random, -sky->half.x, sky->half.x);
        t->position.y = filo_random_float_range(&random, -sky->half.y, sky->half.y);
        t->rotation = filo_random_float_range(&random, -FILO_PI, FILO_PI);
        boid[i].velocity = filo_vec2_scale(filo_vec2_from_angle(t->rotation), FASTEST);
        sprite[i].color = filo_color_from_hsv(0.5f + 0.2f * filo_random_float(&random), 0.55f, 1, 1);
    }
}

static bool add_systems(Boids *boids) {
    const FiloSystemDesc steering = { .name = "steer",
                                      .run = steer,
                                      .parallel = true,
                                      .user = boids->index,
                                      .query.terms = { FILO_READ(FiloTransform2), FILO_WRITE(Boid),
                                                       FILO_READ(Sky) },
                                      .extra_access = { FILO_SPATIAL_READ(boids->index) } };
    const FiloSystemDesc flying = { .name = "fly",
                                    .run = fly,
                                    .parallel = true,
                                    .query.terms = { FILO_WRITE(FiloTransform2), FILO_READ(Boid),
                                                     FILO_READ(Sky), FILO_WRITE(FiloPreviousTransform2) } };
    return filo_spatial_system_add(boids->index, NULL).id != 0 &&
           filo_system_add(boids->world, &steering).id != 0 && filo_system_add(boids->world, &flying).id != 0;
}

FiloResult boids_begin(Boids *boids, FiloWorld *world, size_t count, bool all_pairs) {
    *boids = (Boids){ .world = world };
    float height = filo_sqrt((float)count * ROOM * 9 / 16);
    Sky sky = { .half = { height * 16 / 9 / 2, height / 2 } };
    filo_component(world, Boid);
    filo_component(world, Sky, .storage = FILO_STORAGE_GLOBAL, .default_value = &sky);
    FiloSpatialDesc desc = { .name = "boids",
                             .position = FILO_SPATIAL_FIELD(FiloTransform2, "position"),
                             .query.terms = { FILO_WITH(Boid) },
                             .values = { FILO_SPATIAL_FIELD(Boid, "velocity.x"),
                                         FILO_SPATIAL_FIELD(Boid, "velocity.y") },
                             .cell_size = all_pairs ? 1e9f : BOIDS_SIGHT };
    FiloResult r = filo_spatial_create(&boids->index, world, &desc);
    if (r.code != FILO_OK) return r;
    const FiloComponentValue with[] = { FILO_ADD(FiloTransform2), FILO_ADD(Boid),
                                        FILO_SET(FiloSprite, .image = filo_name("boid"),
                                                 .flags = FILO_SPRITE_LINEAR) };
    bool good = add_systems(boids) &&
                filo_entity_create_block(world, &(FiloBlockDesc){ .count = count,
                                                                  .values = with,
                                                                  .value_count = FILO_COUNT_OF(with),
                                                                  .fill = fill,
                                                                  .user = &sky });
    if (good) return r;
    boids_end(boids);
    return filo_error(FILO_ERROR_MEMORY, "no memory for %zu boids", count);
}

void boids_end(Boids *boids) { filo_spatial_destroy(boids->index); }

// A dart, pointing to the right.
bool boids_art(FiloAssets *assets) {
    FiloPixels p;
    if (!filo_pixels_create(&p, 12, 8, NULL)) return false;
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 12; x++) {
            float across = filo_abs((float)y - 3.5f), along = (float)x + 0.5f;
            float inside = filo_min((11.5f - along) * 0.36f - across, across * 1.4f + along - 2);
            *filo_pixels_at(&p, x, y) = filo_color_fade(FILO_COLOR_WHITE, filo_clamp01(inside + 0.5f));
        }
    }
    FiloAsset asset = filo_assets_add_pixels(assets, "boid", &p);
    filo_pixels_free(&p, NULL);
    return asset.id != 0;
}
