// Questions about where the last step left the bodies: what they have in common.

#include "physics2d/ask.h"

bool physics2d_is_sane(FiloVec2 p) {
    return filo_abs(p.x) <= PHYSICS2D_FAR && filo_abs(p.y) <= PHYSICS2D_FAR; // false for NaN
}

bool physics2d_ask_begin(Physics2dAsk *ask, const FiloWorld *world, const FiloFilter2 *filter,
                         FiloVec2 from) {
    const Physics2dWorld *phys = physics2d_world(world);
    *ask = (Physics2dAsk){ .phys = phys, .from = from };
    if (filter != NULL) ask->filter = *filter;
#ifndef NDEBUG
    // Reports a system that has not declared what it reads.
    if (phys != NULL && filo_global_get(world, filo_component_of(world, FILO_TYPE(FiloPhysics2))) == NULL)
        return false;
#endif
    return phys != NULL && !phys->restored && !phys->moving_stale && !phys->resting_stale;
}

bool physics2d_ask_counts(const Physics2dAsk *ask, uint32_t index) {
    const Physics2dShape *shape = &ask->phys->saved.shapes.items[index];
    const FiloFilter2 *filter = &ask->filter;
    if (shape->used != PHYSICS2D_USED || ((shape->flags & FILO_SHAPE_SENSOR) != 0 && !filter->sensors))
        return false;
    if (filter->layers != 0 && (filter->layers & shape->layers) == 0) return false;
    return filter->except.id == 0 || ask->phys->saved.bodies.items[shape->body].entity != filter->except.id;
}

void physics2d_ask_hull(const Physics2dAsk *ask, uint32_t index, Physics2dHull *hull) {
    const Physics2dSaved *saved = &ask->phys->saved;
    const Physics2dShape *shape = &saved->shapes.items[index];
    const Physics2dBody *body = &saved->bodies.items[shape->body];
    physics2d_hull_of(hull, shape, &saved->polygons.items[shape->polygon],
                      filo_vec2(body->px - ask->from.x, body->py - ask->from.y), body->c, body->s);
}

FiloEntity physics2d_ask_shape(const Physics2dAsk *ask, uint32_t index) {
    return (FiloEntity){ ask->phys->saved.shapes.items[index].entity };
}

FiloEntity physics2d_ask_body(const Physics2dAsk *ask, uint32_t index) {
    const Physics2dSaved *saved = &ask->phys->saved;
    return (FiloEntity){ saved->bodies.items[saved->shapes.items[index].body].entity };
}

void physics2d_ask_trees(const Physics2dWorld *phys, FiloVec2 from, FiloVec2 move, FiloVec2 margin,
                         float *fraction, void (*test)(uint32_t shape, void *user), void *user) {
    phys->kernels->ray(&phys->resting, from, move, margin, fraction, test, user);
    phys->kernels->ray(&phys->moving, from, move, margin, fraction, test, user);
}

Physics2dWay physics2d_ask_way(const Physics2dAsk *ask, FiloVec2 move, FiloVec2 margin) {
    FiloVec2 from = ask->from, rounding = { 4 * FLT_EPSILON * (filo_abs(from.x) + filo_abs(move.x)),
                                            4 * FLT_EPSILON * (filo_abs(from.y) + filo_abs(move.y)) };
    return (Physics2dWay){ { physics2d_inverse(move.x), physics2d_inverse(move.y) },
                           filo_vec2_add(margin, rounding) };
}

// See `ray` in kernels.h.
float physics2d_ask_enter(const Physics2dAsk *ask, const Physics2dWay *way, uint32_t shape) {
    const Physics2dBox *box = &ask->phys->saved.boxes.items[shape];
    FiloVec2 from = ask->from, margin = way->margin, inverse = way->inverse;
    float x0 = ((box->x0 - margin.x) - from.x) * inverse.x, x1 = ((box->x1 + margin.x) - from.x) * inverse.x;
    float y0 = ((box->y0 - margin.y) - from.y) * inverse.y, y1 = ((box->y1 + margin.y) - from.y) * inverse.y;
    return filo_max(filo_max(filo_min(x0, x1), filo_min(y0, y1)), 0);
}

bool physics2d_ask_build(const FiloShape2 *shape, const FiloTransform2 *at, Physics2dHull *hull,
                         FiloVec2 *half) {
    Physics2dShape built = { 0 };
    Physics2dPolygon polygon;
    const char *problem = "pass a shape, and its transform";
    if (shape == NULL || at == NULL || !physics2d_shape_build(shape, &built, &polygon, &problem)) {
        (void)FILO_CHECK(false, "%s", problem);
        return false;
    }
    if (!physics2d_is_sane(at->position) || !(filo_abs(at->rotation) <= PHYSICS2D_FAR)) return false;
    FiloSinCos turn = filo_sincos(at->rotation);
    physics2d_hull_of(hull, &built, &polygon, filo_vec2(0, 0), turn.cos, turn.sin);
    *half = filo_vec2(0, 0);
    for (uint32_t i = 0; i < hull->count; i++) {
        half->x = filo_max(half->x, filo_abs(hull->v[i].x) + hull->radius);
        half->y = filo_max(half->y, filo_abs(hull->v[i].y) + hull->radius);
    }
    return true;
}

// ---- The first of many ------------------------------------------------------------------------------------

static uint8_t *item_at(const Physics2dFirst *first, size_t i) {
    return (uint8_t *)first->items + i * first->size;
}

static void swap_items(const Physics2dFirst *first, size_t i, size_t k) {
    uint8_t *a = item_at(first, i), *b = item_at(first, k);
    for (size_t n = 0; n < first->size; n++) {
        uint8_t byte = a[n];
        a[n] = b[n];
        b[n] = byte;
    }
}

static void sink(const Physics2dFirst *first, size_t i, size_t count) {
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && first->before(item_at(first, child), item_at(first, child + 1))) child++;
        if (!first->before(item_at(first, i), item_at(first, child))) return;
        swap_items(first, i, child);
    }
}

void physics2d_first_add(Physics2dFirst *first, const void *item) {
    first->all++;
    if (first->capacity == 0) return;
    if (first->count == first->capacity) {
        if (!first->before(item, first->items)) return;
        memcpy(first->items, item, first->size);
        sink(first, 0, first->count);
        return;
    }
    size_t i = first->count++;
    memcpy(item_at(first, i), item, first->size);
    for (; i > 0 && first->before(item_at(first, (i - 1) / 2), item_at(first, i)); i = (i - 1) / 2)
        swap_items(first, i, (i - 1) / 2);
}

void physics2d_first_sort(Physics2dFirst *first) {
    for (size_t left = first->count; left > 1; left--) {
        swap_items(first, 0, left - 1);
        sink(first, 0, left - 1);
    }
}
