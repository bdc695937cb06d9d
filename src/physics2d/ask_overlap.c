// Which shapes overlap a shape or contain a point.

#include "physics2d/ask.h"

typedef struct Overlap {
    Physics2dAsk ask;
    const Physics2dHull *hull;
    bool stop;     // searches for the first shape at which the filter's function stops
    uint64_t last; // slots above this do not count
    Physics2dFirst found;
} Overlap;

static void test(uint32_t slot, void *user) {
    Overlap *overlap = user;
    const Physics2dAsk *ask = &overlap->ask;
    if (slot > overlap->last || !physics2d_ask_counts(ask, slot)) return;
    Physics2dHull hull;
    physics2d_ask_hull(ask, slot, &hull);
    // Edges that cross have a distance of 0, up to rounding.
    if (physics2d_distance(overlap->hull, &hull).distance > 1e-5f) return;
    if (ask->filter.choose != NULL) {
        FiloHit2 hit = { .shape = physics2d_ask_shape(ask, slot),
                         .body = physics2d_ask_body(ask, slot),
                         .point = ask->from };
        FiloFilterAnswer2 answer = ask->filter.choose(&hit, ask->filter.user);
        if (answer == FILO_FILTER_IGNORE) return;
        if (overlap->stop && answer == FILO_FILTER_STOP) overlap->last = slot;
    }
    FiloEntity item = { slot };
    if (!overlap->stop) physics2d_first_add(&overlap->found, &item);
}

static bool is_before(const void *a, const void *b) {
    return ((const FiloEntity *)a)->id < ((const FiloEntity *)b)->id;
}

static size_t list(Overlap *overlap, FiloVec2 half, FiloEntity *shapes, size_t capacity) {
    const Physics2dAsk *ask = &overlap->ask;
    overlap->last = UINT64_MAX;
    overlap->found = (Physics2dFirst){
        .items = shapes, .size = sizeof *shapes, .capacity = capacity, .before = is_before
    };
    for (int pass = ask->filter.choose != NULL ? 0 : 1; pass < 2; pass++) {
        float fraction = 1;
        overlap->stop = pass == 0;
        physics2d_ask_trees(ask->phys, ask->from, filo_vec2(0, 0), half, &fraction, test, overlap);
    }
    physics2d_first_sort(&overlap->found);
    for (size_t i = 0; i < overlap->found.count; i++)
        shapes[i] = physics2d_ask_shape(ask, (uint32_t)shapes[i].id);
    return overlap->found.all;
}

size_t filo_physics2_overlap(const FiloWorld *world, const FiloShape2 *shape, const FiloTransform2 *at,
                             const FiloFilter2 *filter, FiloEntity *shapes, size_t capacity) {
    Physics2dHull hull;
    Overlap overlap = { .hull = &hull };
    FiloVec2 half;
    if (!FILO_CHECK(shapes != NULL || capacity == 0, "pass an array for the entities") ||
        !physics2d_ask_begin(&overlap.ask, world, filter, filo_vec2(0, 0)) ||
        !physics2d_ask_build(shape, at, &hull, &half))
        return 0;
    overlap.ask.from = at->position;
    return list(&overlap, half, shapes, capacity);
}

// A shape of nothing but points with a radius, around `at`.
static size_t overlap_hull(const FiloWorld *world, const Physics2dHull *hull, FiloVec2 half, FiloVec2 at,
                           const FiloFilter2 *filter, FiloEntity *shapes, size_t capacity) {
    Overlap overlap = { .hull = hull };
    if (!FILO_CHECK(shapes != NULL || capacity == 0, "pass an array for the entities") ||
        !physics2d_ask_begin(&overlap.ask, world, filter, at) || !physics2d_is_sane(at) ||
        !physics2d_is_sane(half))
        return 0;
    return list(&overlap, half, shapes, capacity);
}

size_t filo_physics2_overlap_point(const FiloWorld *world, FiloVec2 point, const FiloFilter2 *filter,
                                   FiloEntity *shapes, size_t capacity) {
    return filo_physics2_overlap_circle(world, point, 0, filter, shapes, capacity);
}

size_t filo_physics2_overlap_circle(const FiloWorld *world, FiloVec2 centre, float radius,
                                    const FiloFilter2 *filter, FiloEntity *shapes, size_t capacity) {
    if (!FILO_CHECK(radius >= 0 && radius <= PHYSICS2D_FAR, "pass a radius from 0 to 1e7, not %g",
                    (double)radius))
        return 0;
    Physics2dHull hull = { .count = 1, .radius = radius };
    return overlap_hull(world, &hull, filo_vec2(radius, radius), centre, filter, shapes, capacity);
}

size_t filo_physics2_overlap_box(const FiloWorld *world, FiloVec2 a, FiloVec2 b, const FiloFilter2 *filter,
                                 FiloEntity *shapes, size_t capacity) {
    FiloVec2 half = { 0.5f * filo_abs(b.x - a.x), 0.5f * filo_abs(b.y - a.y) };
    FiloVec2 centre = { a.x + 0.5f * (b.x - a.x), a.y + 0.5f * (b.y - a.y) };
    Physics2dHull hull = { .count = 4,
                           .v = { { -half.x, -half.y }, { half.x, -half.y }, half, { -half.x, half.y } } };
    return overlap_hull(world, &hull, half, centre, filter, shapes, capacity);
}
