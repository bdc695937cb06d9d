// The rules of the boids (Reynolds, 1987): cohesion, alignment, separation; and they flee from the hawk.
//
// The index copies positions and velocities in the order of its cells, so that finding neighbours is a loop over four
// arrays. Comparing all pairs is the same with a single cell that holds all boids.
//
// Four neighbours are processed at a time, each in a lane, and the lanes are added up in a fixed order at the end: the
// result has the same bits on every machine.

#include "boids.h"

#define AREA_PER_BOID 340.0f // square units

FILO_REFLECT(Boid, FILO_FIELD(FiloVec2, velocity))
FILO_REFLECT(Rules, FILO_FIELD(float, sight, .min = 1, .max = 200, .help = "how far a boid sees, in units"),
             FILO_FIELD(float, close, .min = 0, .max = 200,
                        .help = "boids separate if they are nearer than this"),
             FILO_FIELD(float, cohesion, .min = 0, .max = 10, .help = "towards the middle of its neighbours"),
             FILO_FIELD(float, alignment, .min = 0, .max = 10, .help = "in the direction of its neighbours"),
             FILO_FIELD(float, separation, .min = 0, .max = 50, .help = "away from those that are close"),
             FILO_FIELD(float, min_speed, .min = 0, .max = 300, .help = "in units a second"),
             FILO_FIELD(float, max_speed, .min = 1, .max = 300, .help = "in units a second"),
             FILO_FIELD(float, hawk_reach, .min = 1, .max = 500,
                        .help = "boids flee from a hawk that is nearer"),
             FILO_FIELD(float, hawk_fear, .min = 0, .max = 3000, .help = "how strongly they flee"),
             FILO_FIELD(uint32_t, count, .max = 5e6, .flags = FILO_FIELD_READ_ONLY))
FILO_REFLECT(Sky, FILO_FIELD(FiloVec2, half), FILO_FIELD(FiloVec2, hawk), FILO_FIELD(bool, hawk_active))

Rules boids_rules(void) {
    return (Rules){ .sight = BOIDS_SIGHT,
                    .close = 9,
                    .cohesion = 1.2f,
                    .alignment = 2,
                    .separation = 14,
                    .min_speed = 40,
                    .max_speed = 90,
                    .hawk_reach = 110,
                    .hawk_fear = 900 };
}

// ---- Neighbours -------------------------------------------------------------------------------------------

// Four floats, and four comparisons: all bits set for true. The compiler makes vector code of them.
typedef float Floats __attribute__((vector_size(16), aligned(4)));
typedef int32_t Mask __attribute__((vector_size(16)));
typedef int64_t Mask64 __attribute__((vector_size(16)));
#define LANES 4

typedef struct Neighbours { // sums over the neighbours of a boid, in lanes
    Mask count;             // negative
    Floats x, y, vx, vy, away_x, away_y;
} Neighbours;

// The lanes in the mask; 0 for the others.
static inline Floats masked(Floats values, Mask mask) { return (Floats)((Mask)values & mask); }

static inline void add_four(Neighbours *neighbours, const FiloSpatialItems *items, size_t k,
                            FiloVec2 position, const Rules *rules, Mask mask) {
    Floats dx = *(const Floats *)(items->x + k) - position.x,
           dy = *(const Floats *)(items->y + k) - position.y;
    Floats square = dx * dx + dy * dy;
    Mask near = (square < rules->sight * rules->sight) & mask;
    Mask64 any = (Mask64)near;
    if ((any[0] | any[1]) == 0) return; // the most frequent case
    Mask close = (square < rules->close * rules->close) & near;
    neighbours->count += near;
    neighbours->x += masked(dx, near);
    neighbours->y += masked(dy, near);
    neighbours->vx += masked(*(const Floats *)(items->values[0] + k), near);
    neighbours->vy += masked(*(const Floats *)(items->values[1] + k), near);
    neighbours->away_x -= masked(dx, close);
    neighbours->away_y -= masked(dy, close);
}

static Neighbours find_neighbours(const FiloSpatial *index, FiloVec2 position, const Rules *rules) {
    const Mask all = { -1, -1, -1, -1 }, lanes = { 0, 1, 2, 3 };
    const FiloSpatialItems *items = filo_spatial_items(index);
    FiloSpatialSearch search = filo_spatial_circle(index, position, rules->sight, FILO_ENTITY_NONE);
    Neighbours neighbours = { 0 };
    for (size_t k, end; filo_spatial_next_span(&search, &k, &end);) {
        for (; k + LANES <= end; k += LANES) add_four(&neighbours, items, k, position, rules, all);
        if (k == end) continue;
        // The rest: the last four items, with a mask for those that are in the span.
        size_t from = end >= LANES ? end - LANES : 0;
        add_four(&neighbours, items, from, position, rules,
                 (lanes >= (int32_t)(k - from)) & (lanes < (int32_t)(end - from)));
    }
    return neighbours;
}

static float total(Floats lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

static FiloVec2 total_of(Floats x, Floats y) { return filo_vec2(total(x), total(y)); }

// ---- Systems ----------------------------------------------------------------------------------------------

static void steer(FiloIter *it) {
    const FiloSpatial *index = it->user;
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    Boid *boid = filo_write(it, Boid);
    const Sky *sky = filo_read_global(it, Sky);
    const Rules rules = *filo_read_global(it, Rules);
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 position = transform[i].position;
        FiloVec2 *velocity = &boid[i].velocity;
        Neighbours neighbours = find_neighbours(index, position, &rules);
        int32_t count =
            -(neighbours.count[0] + neighbours.count[1] + neighbours.count[2] + neighbours.count[3]);
        float part = 1 / (float)FILO_MAX(count, 1); // the boid is among its neighbours
        FiloVec2 acceleration = filo_vec2_scale(total_of(neighbours.x, neighbours.y), part * rules.cohesion);
        FiloVec2 mean = filo_vec2_scale(total_of(neighbours.vx, neighbours.vy), part);
        acceleration = filo_vec2_add_scaled(acceleration, filo_vec2_sub(mean, *velocity), rules.alignment);
        acceleration = filo_vec2_add_scaled(acceleration, total_of(neighbours.away_x, neighbours.away_y),
                                            rules.separation);
        if (sky->hawk_active) {
            FiloVec2 flight = filo_vec2_sub(position, sky->hawk);
            float distance = filo_vec2_length(flight);
            if (distance < rules.hawk_reach)
                acceleration = filo_vec2_add_scaled(acceleration, filo_vec2_normalise(flight),
                                                    rules.hawk_fear * (1 - distance / rules.hawk_reach));
        }
        FiloVec2 v = filo_vec2_add_scaled(*velocity, acceleration, it->delta);
        float speed = filo_vec2_length(v);
        *velocity = filo_vec2_scale(
            v, filo_clamp(speed, rules.min_speed, filo_max(rules.min_speed, rules.max_speed)) /
                   filo_max(speed, 1e-3f));
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
        // A teleport, so that the jump is not drawn as a movement.
        if (!filo_vec2_equal(to, t->position)) filo_transform2_teleport(t, &previous[i], to);
    }
}

// ---- Messages ---------------------------------------------------------------------------------------------

static void create_boid(FiloIter *it, FiloVec2 half, uint32_t index) {
    FiloRandom random = filo_random_keyed(filo_world_seed(it->world), it->tick, 1, index);
    FiloVec2 position = { .x = filo_random_float_range(&random, -half.x, half.x) };
    position.y = filo_random_float_range(&random, -half.y, half.y); // each number in a statement of its own
    float angle = filo_random_float_range(&random, -FILO_PI, FILO_PI);
    FiloColor color = filo_color_from_hsv(0.5f + 0.2f * filo_random_float(&random), 0.55f, 1, 1);
    filo_create(
        it->changes, FILO_SET(FiloTransform2, .position = position, .rotation = angle),
        FILO_SET(Boid, filo_vec2_scale(filo_vec2_from_angle(angle), boids_rules().max_speed)),
        FILO_SET(FiloSprite, .image = filo_name("boid"), .color = color, .flags = FILO_SPRITE_LINEAR));
}

// A recording is a file, and may be damaged: what would take all time or memory is limited.
static void set_rules(FiloIter *it, const FiloEvent *event) {
    Rules *rules = filo_edit_global(it->world, Rules);
    uint32_t count = 0;
    *rules = *(const Rules *)event->payload;
    rules->count = FILO_MIN(rules->count, 5000000u);
    rules->sight = filo_clamp(rules->sight, 1, 200);
    FiloEach boid = filo_iter_each_over(it, it->user);
    while (filo_each_next(&boid))
        if (count++ >= rules->count) filo_destroy(it->changes, boid.entity);
    const FiloVec2 half = filo_get_global(it->world, Sky)->half;
    for (; count < rules->count; count++) create_boid(it, half, count);
}

bool boids_handle_messages(FiloWorld *world) {
    FiloQuery *boids = filo_query(world, FILO_WITH(Boid));
    const FiloWorldHandlerDesc handler = { .event = filo_name(BOIDS_RULES),
                                           .type = FILO_TYPE(Rules),
                                           .run = set_rules,
                                           .user = boids,
                                           .extra_access = { FILO_WRITE(Rules), FILO_READ(Sky) } };
    return boids != NULL && filo_world_handle(world, &handler).generation != 0;
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
        boid[i].velocity = filo_vec2_scale(filo_vec2_from_angle(t->rotation), boids_rules().max_speed);
        sprite[i].color = filo_color_from_hsv(0.5f + 0.2f * filo_random_float(&random), 0.55f, 1, 1);
    }
}

static bool add_systems(Boids *boids) {
    const FiloSystemDesc steering = { .name = "steer",
                                      .run = steer,
                                      .parallel = true,
                                      .user = boids->index,
                                      .query.terms = { FILO_READ(FiloTransform2), FILO_WRITE(Boid),
                                                       FILO_READ(Sky), FILO_READ(Rules) },
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
    float height = filo_sqrt((float)count * AREA_PER_BOID * 9 / 16);
    Sky sky = { .half = { height * 16 / 9 / 2, height / 2 } };
    Rules rules = boids_rules();
    rules.count = (uint32_t)count;
    filo_component(world, Boid);
    filo_component(world, Sky, .storage = FILO_STORAGE_GLOBAL, .default_value = &sky);
    filo_component(world, Rules, .storage = FILO_STORAGE_GLOBAL, .default_value = &rules);
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
    bool ok = add_systems(boids) &&
              filo_entity_create_block(world, &(FiloBlockDesc){ .count = count,
                                                                .values = with,
                                                                .value_count = FILO_COUNT_OF(with),
                                                                .fill = fill,
                                                                .user = &sky });
    if (ok) return r;
    boids_end(boids);
    return filo_error(FILO_ERROR_MEMORY, "no memory for %zu boids", count);
}

void boids_end(Boids *boids) { filo_spatial_destroy(boids->index); }

// A dart that points to the right.
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
