// Rays, and shapes that are cast: the first hit, or all of them.
//
// Hits have an order, by fraction and then by slot, so the answer does not depend on the order in which a tree is searched.

#include "physics2d/ask.h"

#define TOUCH 0.001f // a cast shape stops this far away, of lengths of a metre

typedef enum Wanted {
    WANTED_FIRST, // each hit is the last one that counts
    WANTED_STOP,  // each hit at which the filter's function says so is the last one that counts
    WANTED_ALL,
} Wanted;

typedef struct Cast {
    Physics2dAsk ask;
    FiloVec2 move;
    const Physics2dHull *hull; // NULL: a ray
    Wanted wanted;
    float touch;
    Physics2dWay way;
    float fraction; // hits beyond this do not count, and trees ignore what is there
    uint32_t slot;  // nor those at `fraction` in slots above this
    FiloHit2 hit;   // the first one
    bool found;
    Physics2dFirst *all; // shapes are slots here
} Cast;

// ---- Rays -------------------------------------------------------------------------------------------------

// The time at which a ray from the origin enters a circle; above 1 if it does not. By the point of the ray that is nearest
// to the centre: the difference of large squares would not be exact for circles that are far away.
static float ray_circle(FiloVec2 move, FiloVec2 centre, float radius) {
    float square = filo_vec2_dot(move, move), along = filo_vec2_dot(move, centre);
    if (filo_vec2_dot(centre, centre) <= radius * radius) return 0;
    if (along <= 0) return 2; // also without a way
    float nearest = along / square;
    FiloVec2 beside = filo_vec2_add_scaled(centre, move, -nearest);
    float half = radius * radius - filo_vec2_dot(beside, beside);
    return half < 0 ? 2 : filo_max(nearest - filo_sqrt(half / square), 0);
}

static bool is_inside(const Physics2dHull *hull) {
    if (physics2d_hull_contains(hull, filo_vec2(0, 0))) return true;
    Physics2dHull point = { .count = 1 };
    return hull->radius > 0 && physics2d_distance(&point, hull).distance <= 0;
}

static float ray_hull(const Physics2dHull *hull, FiloVec2 move, FiloVec2 *normal) {
    float best = 2;
    *normal = filo_vec2(0, 0);
    if (hull->count == 1) {
        best = ray_circle(move, hull->v[0], hull->radius);
        if (best > 0) *normal = filo_vec2_normalise(filo_vec2_sub(filo_vec2_scale(move, best), hull->v[0]));
        return best;
    }
    if (is_inside(hull)) return 0;
    for (uint32_t i = 0; hull->radius > 0 && i < hull->count; i++) {
        float t = ray_circle(move, hull->v[i], hull->radius);
        if (t >= best) continue;
        best = t;
        *normal = filo_vec2_normalise(filo_vec2_sub(filo_vec2_scale(move, t), hull->v[i]));
    }
    for (uint32_t i = 0; i < hull->count; i++) {
        FiloVec2 p = hull->v[i], edge = filo_vec2_sub(hull->v[i + 1 < hull->count ? i + 1 : 0], p);
        FiloVec2 n = filo_vec2_normalise(filo_vec2(edge.y, -edge.x));
        p = filo_vec2_add_scaled(p, n, hull->radius);
        float down = -filo_vec2_dot(move, n), height = -filo_vec2_dot(p, n);
        if (down <= 0 || height < 0 || height > down * filo_min(best, 1)) continue;
        float t = height / down, along = filo_vec2_dot(filo_vec2_sub(filo_vec2_scale(move, t), p), edge);
        if (along < 0 || along > filo_vec2_dot(edge, edge)) continue;
        best = t;
        *normal = n;
    }
    return best;
}

// ---- Hits -------------------------------------------------------------------------------------------------

static void shorten(Cast *cast, float fraction, uint32_t slot) {
    cast->fraction = fraction;
    cast->slot = slot;
}

static void test(uint32_t slot, void *user) {
    Cast *cast = user;
    const Physics2dAsk *ask = &cast->ask;
    if (!physics2d_ask_counts(ask, slot)) return;
    Physics2dHull hull;
    physics2d_ask_hull(ask, slot, &hull);
    float t;
    FiloVec2 normal = { 0, 0 }, point;
    if (cast->hull == NULL) {
        t = filo_max(ray_hull(&hull, cast->move, &normal), physics2d_ask_enter(ask, &cast->way, slot));
        point = filo_vec2_scale(cast->move, t);
    } else {
        Physics2dDistance found;
        if (!physics2d_cast_hull(cast->hull, cast->move, &hull, cast->touch, &t, &found)) return;
        if (t > 0) normal = filo_vec2_negate(found.normal);
        point = filo_vec2_add_scaled(found.b, normal, hull.radius);
        t = filo_max(t, physics2d_ask_enter(ask, &cast->way, slot));
    }
    if (!(t <= 1) || t > cast->fraction || (t == cast->fraction && slot > cast->slot)) return;
    FiloHit2 hit = { .shape = physics2d_ask_shape(ask, slot),
                     .body = physics2d_ask_body(ask, slot),
                     .point = filo_vec2_add(ask->from, point),
                     .normal = normal,
                     .fraction = t };
    FiloFilterAnswer2 answer = FILO_FILTER_TAKE;
    if (ask->filter.choose != NULL) answer = ask->filter.choose(&hit, ask->filter.user);
    if (answer == FILO_FILTER_IGNORE) return;
    if (cast->wanted == WANTED_FIRST || (cast->wanted == WANTED_STOP && answer == FILO_FILTER_STOP))
        shorten(cast, t, slot);
    cast->hit = hit;
    cast->found = true;
    hit.shape.id = slot;
    if (cast->wanted == WANTED_ALL) physics2d_first_add(cast->all, &hit);
}

static void search(Cast *cast, FiloVec2 half, Wanted wanted) {
    float margin = cast->hull != NULL ? cast->touch : 0;
    cast->wanted = wanted;
    cast->way = physics2d_ask_way(&cast->ask, cast->move, filo_vec2_add(half, filo_vec2(margin, margin)));
    physics2d_ask_trees(cast->ask.phys, cast->ask.from, cast->move, cast->way.margin, &cast->fraction, test,
                        cast);
}

static bool is_before(const void *a, const void *b) {
    const FiloHit2 *x = a, *y = b;
    return x->fraction != y->fraction ? x->fraction < y->fraction : x->shape.id < y->shape.id;
}

static size_t search_all(Cast *cast, FiloVec2 half, FiloHit2 *hits, size_t capacity) {
    Physics2dFirst all = { .items = hits, .size = sizeof *hits, .capacity = capacity, .before = is_before };
    cast->all = &all;
    if (cast->ask.filter.choose != NULL) search(cast, half, WANTED_STOP);
    search(cast, half, WANTED_ALL);
    physics2d_first_sort(&all);
    for (size_t i = 0; i < all.count; i++)
        hits[i].shape = physics2d_ask_shape(&cast->ask, (uint32_t)hits[i].shape.id);
    return all.all;
}

// ---- Questions --------------------------------------------------------------------------------------------

static bool begin_ray(Cast *cast, const FiloWorld *world, FiloVec2 from, FiloVec2 to,
                      const FiloFilter2 *filter) {
    *cast = (Cast){ .move = filo_vec2_sub(to, from), .fraction = 1, .slot = PHYSICS2D_NONE };
    return physics2d_ask_begin(&cast->ask, world, filter, from) && physics2d_is_sane(from) &&
           physics2d_is_sane(to);
}

static bool begin_shape(Cast *cast, const FiloWorld *world, const FiloShape2 *shape,
                        const FiloTransform2 *from, FiloVec2 move, const FiloFilter2 *filter,
                        Physics2dHull *hull, FiloVec2 *half) {
    *cast = (Cast){ .move = move, .fraction = 1, .slot = PHYSICS2D_NONE, .hull = hull };
    if (!physics2d_ask_begin(&cast->ask, world, filter, filo_vec2(0, 0)) ||
        !physics2d_ask_build(shape, from, hull, half))
        return false;
    cast->ask.from = from->position;
    cast->touch = TOUCH * physics2d_unit(cast->ask.phys);
    return physics2d_is_sane(move);
}

bool filo_physics2_ray(const FiloWorld *world, FiloVec2 from, FiloVec2 to, const FiloFilter2 *filter,
                       FiloHit2 *hit) {
    Cast cast;
    if (!FILO_CHECK(hit != NULL, "pass a FiloHit2 for what the ray hits")) return false;
    *hit = (FiloHit2){ 0 };
    if (!begin_ray(&cast, world, from, to, filter)) return false;
    search(&cast, filo_vec2(0, 0), WANTED_FIRST);
    *hit = cast.hit;
    return cast.found;
}

size_t filo_physics2_ray_all(const FiloWorld *world, FiloVec2 from, FiloVec2 to, const FiloFilter2 *filter,
                             FiloHit2 *hits, size_t capacity) {
    Cast cast;
    if (!FILO_CHECK(hits != NULL || capacity == 0, "pass an array for the hits") ||
        !begin_ray(&cast, world, from, to, filter))
        return 0;
    return search_all(&cast, filo_vec2(0, 0), hits, capacity);
}

bool filo_physics2_cast(const FiloWorld *world, const FiloShape2 *shape, const FiloTransform2 *from,
                        FiloVec2 move, const FiloFilter2 *filter, FiloHit2 *hit) {
    Cast cast;
    Physics2dHull hull;
    FiloVec2 half;
    if (!FILO_CHECK(hit != NULL, "pass a FiloHit2 for what the shape hits")) return false;
    *hit = (FiloHit2){ 0 };
    if (!begin_shape(&cast, world, shape, from, move, filter, &hull, &half)) return false;
    search(&cast, half, WANTED_FIRST);
    *hit = cast.hit;
    return cast.found;
}

size_t filo_physics2_cast_all(const FiloWorld *world, const FiloShape2 *shape, const FiloTransform2 *from,
                              FiloVec2 move, const FiloFilter2 *filter, FiloHit2 *hits, size_t capacity) {
    Cast cast;
    Physics2dHull hull;
    FiloVec2 half;
    if (!FILO_CHECK(hits != NULL || capacity == 0, "pass an array for the hits") ||
        !begin_shape(&cast, world, shape, from, move, filter, &hull, &half))
        return 0;
    return search_all(&cast, half, hits, capacity);
}
