// Rays, casts and overlaps: questions about where the last step left the bodies.

#include "physics2d/physics2d.h"

typedef struct Question {
    const Physics2dWorld *phys;
    FiloFilter2 filter;
    FiloVec2 from, move;
    const Physics2dHull *hull; // what moves; a ray is a point
    float fraction;            // of the first hit so far
    uint32_t shape;            // 0: none
    FiloVec2 point, normal;
} Question;

// The data of a world, with trees that are up to date; NULL if there is none.
static Physics2dWorld *ready(const FiloWorld *world) {
    Physics2dWorld *phys = physics2d_world(world);
    if (phys == NULL || (phys->restored && !physics2d_derive(phys))) return NULL;
    if ((phys->moving_stale || phys->resting_stale) && !physics2d_trees_update(phys)) return NULL;
    return phys;
}

static bool counts(const Question *question, uint32_t index) {
    const Physics2dShape *shape = &question->phys->saved.shapes.items[index];
    const FiloFilter2 *filter = &question->filter;
    if (shape->used != PHYSICS2D_USED || ((shape->flags & FILO_SHAPE_SENSOR) != 0 && !filter->sensors))
        return false;
    if (filter->layers != 0 && (filter->layers & shape->layers) == 0) return false;
    return filter->except.id == 0 ||
           question->phys->saved.bodies.items[shape->body].entity != filter->except.id;
}

// In coordinates relative to the beginning of the way, so that accuracy does not depend on where that is.
static void hull_of(const Question *question, uint32_t index, Physics2dHull *hull) {
    const Physics2dSaved *saved = &question->phys->saved;
    const Physics2dShape *shape = &saved->shapes.items[index];
    const Physics2dBody *body = &saved->bodies.items[shape->body];
    physics2d_hull_of(hull, shape, &saved->polygons.items[shape->polygon],
                      filo_vec2(body->px - question->from.x, body->py - question->from.y), body->c, body->s);
}

// ---- Rays -------------------------------------------------------------------------------------------------

// The time at which a ray from the origin enters a circle; above 1 if it does not.
static float ray_circle(FiloVec2 move, FiloVec2 centre, float radius) {
    float a = filo_vec2_dot(move, move), b = filo_vec2_dot(move, centre),
          c = filo_vec2_dot(centre, centre) - radius * radius;
    if (c <= 0) return 0;
    float root = b * b - a * c;
    if (root < 0 || b <= 0) return 2;
    return c / (b + filo_sqrt(root));
}

static float ray_hull(const Physics2dHull *hull, FiloVec2 move, FiloVec2 *normal) {
    float best = 2;
    if (physics2d_hull_contains(hull, filo_vec2(0, 0))) {
        *normal = filo_vec2(0, 0);
        return 0;
    }
    for (uint32_t i = 0; hull->radius > 0 && i < hull->count; i++) {
        float t = ray_circle(move, hull->v[i], hull->radius);
        if (t >= best) continue;
        best = t;
        *normal = filo_vec2_normalise(filo_vec2_sub(filo_vec2_scale(move, t), hull->v[i]));
    }
    for (uint32_t i = 0; hull->count > 1 && i < hull->count; i++) {
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

static void keep(Question *question, uint32_t index, float fraction, FiloVec2 point, FiloVec2 normal) {
    if (fraction > question->fraction ||
        (fraction == question->fraction && question->shape != 0 && index > question->shape))
        return;
    question->fraction = fraction;
    question->shape = index;
    question->point = point;
    question->normal = normal;
}

static void test_ray(uint32_t index, void *user) {
    Question *question = user;
    if (!counts(question, index)) return;
    Physics2dHull hull;
    FiloVec2 normal = { 0, 0 };
    hull_of(question, index, &hull);
    float t = ray_hull(&hull, question->move, &normal);
    if (t <= 1) keep(question, index, t, filo_vec2_scale(question->move, t), normal);
}

static bool answer(const Question *question, FiloHit2 *hit) {
    if (question->shape == 0) return false;
    const Physics2dSaved *saved = &question->phys->saved;
    const Physics2dShape *shape = &saved->shapes.items[question->shape];
    *hit = (FiloHit2){ .shape = { shape->entity },
                       .body = { saved->bodies.items[shape->body].entity },
                       .point = filo_vec2_add(question->from, question->point),
                       .normal = question->normal,
                       .fraction = question->fraction };
    return true;
}

static bool is_sane(FiloVec2 p) { return filo_abs(p.x) <= PHYSICS2D_FAR && filo_abs(p.y) <= PHYSICS2D_FAR; }

bool filo_physics2_ray(const FiloWorld *world, FiloVec2 from, FiloVec2 to, const FiloFilter2 *filter,
                       FiloHit2 *hit) {
    const Physics2dWorld *phys = ready(world);
    if (phys == NULL || !FILO_CHECK(hit != NULL, "pass a FiloHit2 for what the ray hits")) return false;
    *hit = (FiloHit2){ 0 };
    if (!is_sane(from) || !is_sane(to)) return false;
    Question question = { .phys = phys, .from = from, .move = filo_vec2_sub(to, from), .fraction = 1 };
    if (filter != NULL) question.filter = *filter;
    phys->kernels->ray(&phys->resting, from, question.move, filo_vec2(0, 0), &question.fraction, test_ray,
                       &question);
    phys->kernels->ray(&phys->moving, from, question.move, filo_vec2(0, 0), &question.fraction, test_ray,
                       &question);
    return answer(&question, hit);
}

// ---- Casts ------------------------------------------------------------------------------------------------

static void test_cast(uint32_t index, void *user) {
    Question *question = user;
    if (!counts(question, index)) return;
    Physics2dHull hull;
    Physics2dDistance found;
    float t;
    hull_of(question, index, &hull);
    if (!physics2d_cast_hull(question->hull, question->move, &hull, 0.001f, &t, &found) || t > 1) return;
    FiloVec2 normal = t > 0 ? filo_vec2_negate(found.normal) : filo_vec2(0, 0);
    keep(question, index, t, filo_vec2_add_scaled(found.b, normal, hull.radius), normal);
}

// The hull of a shape of the caller, around its transform's position; half the size of its box in `half`.
static bool build(const FiloShape2 *shape, const FiloTransform2 *at, Physics2dHull *hull, FiloVec2 *half) {
    Physics2dShape built = { 0 };
    Physics2dPolygon polygon;
    const char *problem = "pass a shape, and its transform";
    if (shape == NULL || at == NULL || !is_sane(at->position) || !(filo_abs(at->rotation) <= PHYSICS2D_FAR) ||
        !physics2d_shape_build(shape, &built, &polygon, &problem)) {
        (void)FILO_CHECK(false, "%s", problem);
        return false;
    }
    FiloSinCos turn = filo_sincos(at->rotation);
    physics2d_hull_of(hull, &built, &polygon, filo_vec2(0, 0), turn.cos, turn.sin);
    *half = filo_vec2(0, 0);
    for (uint32_t i = 0; i < hull->count; i++) {
        half->x = filo_max(half->x, filo_abs(hull->v[i].x) + hull->radius);
        half->y = filo_max(half->y, filo_abs(hull->v[i].y) + hull->radius);
    }
    return true;
}

bool filo_physics2_cast(const FiloWorld *world, const FiloShape2 *shape, const FiloTransform2 *from,
                        FiloVec2 move, const FiloFilter2 *filter, FiloHit2 *hit) {
    const Physics2dWorld *phys = ready(world);
    if (phys == NULL || !FILO_CHECK(hit != NULL, "pass a FiloHit2 for what the shape hits")) return false;
    *hit = (FiloHit2){ 0 };
    Physics2dHull hull;
    FiloVec2 half;
    if (!build(shape, from, &hull, &half) || !is_sane(move)) return false;
    Question question = { .phys = phys, .from = from->position, .move = move, .fraction = 1, .hull = &hull };
    if (filter != NULL) question.filter = *filter;
    half = filo_vec2_add(half, filo_vec2(0.001f, 0.001f));
    phys->kernels->ray(&phys->resting, from->position, move, half, &question.fraction, test_cast, &question);
    phys->kernels->ray(&phys->moving, from->position, move, half, &question.fraction, test_cast, &question);
    return answer(&question, hit);
}

// ---- Overlaps ---------------------------------------------------------------------------------------------

typedef struct Overlap {
    Question question;
    uint32_t after; // only slots above this
    uint32_t next;  // the lowest of these
    size_t count;
} Overlap;

static void test_overlap(uint32_t index, void *user) {
    Overlap *overlap = user;
    if (!counts(&overlap->question, index)) return;
    if (overlap->next != 0 && (index <= overlap->after || index >= overlap->next)) return;
    Physics2dHull hull;
    hull_of(&overlap->question, index, &hull);
    // Edges that cross have a distance of 0, up to rounding.
    if (physics2d_distance(overlap->question.hull, &hull).distance > 1e-5f) return;
    overlap->count++;
    if (overlap->next != 0) overlap->next = index;
}

static void search_overlap(const Physics2dWorld *phys, Overlap *overlap, FiloVec2 half) {
    float fraction = 1;
    FiloVec2 from = overlap->question.from;
    phys->kernels->ray(&phys->resting, from, filo_vec2(0, 0), half, &fraction, test_overlap, overlap);
    phys->kernels->ray(&phys->moving, from, filo_vec2(0, 0), half, &fraction, test_overlap, overlap);
}

size_t filo_physics2_overlap(const FiloWorld *world, const FiloShape2 *shape, const FiloTransform2 *at,
                             const FiloFilter2 *filter, FiloEntity *shapes, size_t capacity) {
    const Physics2dWorld *phys = ready(world);
    Physics2dHull hull;
    FiloVec2 half;
    if (phys == NULL || !FILO_CHECK(shapes != NULL || capacity == 0, "pass an array for the entities") ||
        !build(shape, at, &hull, &half))
        return 0;
    Overlap overlap = { .question = { .phys = phys, .from = at->position, .hull = &hull } };
    if (filter != NULL) overlap.question.filter = *filter;
    search_overlap(phys, &overlap, half);
    size_t all = overlap.count;
    // The lowest slot above the last one, one after the other: an order without memory for all of them.
    for (size_t i = 0; i < FILO_MIN(all, capacity); i++) {
        overlap.next = PHYSICS2D_NONE;
        search_overlap(phys, &overlap, half);
        overlap.after = overlap.next;
        shapes[i] = (FiloEntity){ phys->saved.shapes.items[overlap.next].entity };
    }
    return all;
}
