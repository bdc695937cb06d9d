// The nearest shape to a point, the nearest point of a body, and the distance of two bodies.

#include "physics2d/ask.h"

// ---- From a point -----------------------------------------------------------------------------------------

typedef struct Near {
    Physics2dAsk ask; // `from` is the point
    float limit;      // what is further away does not count
    uint32_t slot;    // the nearest; 0: none
    FiloNear2 near;
} Near;

static void test(Near *near, uint32_t slot) {
    const Physics2dAsk *ask = &near->ask;
    if (!physics2d_ask_counts(ask, slot)) return;
    Physics2dHull hull, point = { .count = 1 };
    physics2d_ask_hull(ask, slot, &hull);
    Physics2dDistance found = physics2d_distance(&point, &hull);
    float distance = filo_max(found.distance, 0);
    if (!(distance <= near->limit) || (distance == near->limit && near->slot != 0 && slot > near->slot))
        return;
    bool inside = !(found.distance > 0);
    FiloVec2 normal = inside ? filo_vec2(0, 0) : filo_vec2_negate(found.normal);
    FiloVec2 surface = inside ? filo_vec2(0, 0) : filo_vec2_add_scaled(found.b, normal, hull.radius);
    FiloNear2 candidate = { .shape = physics2d_ask_shape(ask, slot),
                            .body = physics2d_ask_body(ask, slot),
                            .point = filo_vec2_add(ask->from, surface),
                            .normal = normal,
                            .distance = distance };
    if (ask->filter.choose != NULL) {
        FiloHit2 hit = {
            .shape = candidate.shape, .body = candidate.body, .point = candidate.point, .normal = normal
        };
        if (ask->filter.choose(&hit, ask->filter.user) == FILO_FILTER_IGNORE) return;
    }
    near->limit = distance;
    near->slot = slot;
    near->near = candidate;
}

// Bits of the boxes that are not further away than the limit.
static unsigned near_boxes(const Near *near, const Physics2dNode *node) {
    FiloVec2 p = near->ask.from;
    float limit = near->limit * 1.0001f + 1e-6f;
    unsigned bits = 0;
    for (unsigned i = 0; i < PHYSICS2D_LANES; i++) {
        float x = filo_max(filo_max(node->x0[i] - p.x, p.x - node->x1[i]), 0),
              y = filo_max(filo_max(node->y0[i] - p.y, p.y - node->y1[i]), 0);
        if (x * x + y * y <= limit * limit) bits |= 1u << i;
    }
    return bits;
}

static void search_tree(Near *near, const Physics2dTree *tree) {
    if (tree->levels == 0) return;
    uint32_t stack[PHYSICS2D_LEVELS * PHYSICS2D_LANES], top = 0;
    uint8_t level_of[PHYSICS2D_LEVELS * PHYSICS2D_LANES];
    stack[top] = 0;
    level_of[top++] = (uint8_t)(tree->levels - 1);
    while (top > 0) {
        uint32_t index = stack[--top], level = level_of[top];
        unsigned bits = near_boxes(near, &tree->nodes.items[tree->first[level] + index]);
        for (; bits != 0; bits &= bits - 1) {
            uint32_t child = index * PHYSICS2D_LANES + (uint32_t)__builtin_ctz(bits);
            if (level > 0) {
                stack[top] = child;
                level_of[top++] = (uint8_t)(level - 1);
            } else if (child < tree->shapes.count) {
                test(near, tree->shapes.items[child]);
            }
        }
    }
}

bool filo_physics2_nearest(const FiloWorld *world, FiloVec2 point, float within, const FiloFilter2 *filter,
                           FiloNear2 *result) {
    Near near = { 0 };
    if (!FILO_CHECK(result != NULL, "pass a FiloNear2 for the nearest point")) return false;
    *result = (FiloNear2){ 0 };
    if (!physics2d_ask_begin(&near.ask, world, filter, point) || !physics2d_is_sane(point) || !(within >= 0))
        return false;
    near.limit = filo_min(within, 4 * PHYSICS2D_FAR);
    search_tree(&near, &near.ask.phys->resting);
    search_tree(&near, &near.ask.phys->moving);
    *result = near.near;
    return near.slot != 0;
}

// ---- Of bodies --------------------------------------------------------------------------------------------

// The shapes of an entity: all of a body, or those that are its own if it is none.
typedef struct Own {
    uint32_t slot;   // the first; 0: none
    uint64_t entity; // only of this; 0: of any
} Own;

static Own own_of(const Physics2dWorld *phys, FiloEntity entity) {
    const Physics2dSaved *saved = &phys->saved;
    uint32_t body = physics2d_body_slot(phys, entity);
    if (body != 0) return (Own){ .slot = saved->bodies.items[body].shape };
    uint32_t shape = physics2d_shape_slot(phys, entity);
    if (shape == 0) return (Own){ 0 };
    return (Own){ saved->bodies.items[saved->shapes.items[shape].body].shape, entity.id };
}

static bool is_own(const Physics2dWorld *phys, const Own *own, uint32_t slot) {
    const Physics2dShape *shape = &phys->saved.shapes.items[slot];
    return shape->used == PHYSICS2D_USED && (own->entity == 0 || shape->entity == own->entity);
}

bool filo_physics2_closest(const FiloWorld *world, FiloEntity entity, FiloVec2 point, FiloNear2 *result) {
    Near near = { .limit = 4 * PHYSICS2D_FAR };
    if (!FILO_CHECK(result != NULL, "pass a FiloNear2 for the nearest point")) return false;
    *result = (FiloNear2){ 0 };
    if (!physics2d_ask_begin(&near.ask, world, &(FiloFilter2){ .sensors = true }, point) ||
        !physics2d_is_sane(point))
        return false;
    const Physics2dWorld *phys = near.ask.phys;
    Own own = own_of(phys, entity);
    for (uint32_t i = own.slot; i != 0; i = phys->saved.shapes.items[i].next)
        if (is_own(phys, &own, i)) test(&near, i);
    *result = near.near;
    return near.slot != 0;
}

static FiloDistance2 measure(const Physics2dAsk *ask, uint32_t a, uint32_t b) {
    Physics2dHull first, second;
    physics2d_ask_hull(ask, a, &first);
    physics2d_ask_hull(ask, b, &second);
    Physics2dDistance found = physics2d_distance(&first, &second);
    FiloVec2 x = filo_vec2_add_scaled(found.a, found.normal, first.radius),
             y = filo_vec2_add_scaled(found.b, found.normal, -second.radius);
    FiloDistance2 result = { .shape_a = physics2d_ask_shape(ask, a), .shape_b = physics2d_ask_shape(ask, b) };
    if (found.distance > 0) {
        result.distance = found.distance;
        result.normal = found.normal;
    } else {
        x = y = filo_vec2_lerp(x, y, 0.5f);
    }
    result.point_a = filo_vec2_add(ask->from, x);
    result.point_b = filo_vec2_add(ask->from, y);
    return result;
}

bool filo_physics2_distance(const FiloWorld *world, FiloEntity a, FiloEntity b, FiloDistance2 *result) {
    Physics2dAsk ask;
    if (!FILO_CHECK(result != NULL, "pass a FiloDistance2 for the nearest points")) return false;
    *result = (FiloDistance2){ 0 };
    if (!physics2d_ask_begin(&ask, world, NULL, filo_vec2(0, 0))) return false;
    const Physics2dWorld *phys = ask.phys;
    const Physics2dShape *shapes = phys->saved.shapes.items;
    Own first = own_of(phys, a), second = own_of(phys, b);
    bool found = false;
    for (uint32_t i = first.slot; i != 0; i = shapes[i].next) {
        if (!is_own(phys, &first, i)) continue;
        const Physics2dBody *body = &phys->saved.bodies.items[shapes[i].body];
        ask.from = filo_vec2(body->px, body->py);
        for (uint32_t k = second.slot; k != 0; k = shapes[k].next) {
            if (!is_own(phys, &second, k)) continue;
            FiloDistance2 candidate = measure(&ask, i, k);
            if (found && candidate.distance >= result->distance) continue;
            *result = candidate;
            found = true;
        }
    }
    return found;
}
