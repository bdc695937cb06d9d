// What a mover feels: the first thing on its way, and what it overlaps.
//
// A mover keeps a gap to everything. A way ends where 0.9 of it are left, and then goes back until the whole gap is there.
// So what a mover moves along, at the distance of the gap, is not in its way, whatever rounding does.

#include "physics2d/mover.h"

typedef struct Search {
    Physics2dMover *mover;
    FiloVec2 move;
    float length;
    Physics2dWay way;
    Physics2dKeep keep;
    float cull; // what trees ignore: `reach` of the touch
    Physics2dTouch touch;
    // Of overlaps:
    bool hard, found;
    float separation;
    FiloVec2 normal;
    uint32_t slot;
} Search;

FiloEntity physics2d_mover_body(const Physics2dMover *mover, uint32_t shape) {
    return physics2d_ask_body(&mover->ask, shape);
}

static const Physics2dShape *shape_at(const Physics2dMover *mover, uint32_t slot) {
    return &mover->ask.phys->saved.shapes.items[slot];
}

static bool counts(const Physics2dMover *mover, uint32_t slot) {
    const Physics2dShape *shape = shape_at(mover, slot);
    uint64_t body = physics2d_mover_body(mover, slot).id;
    if (!physics2d_shapes_collide(&mover->shape, shape) || (shape->flags & FILO_SHAPE_SENSOR) != 0)
        return false;
    if ((shape->flags & FILO_SHAPE_ONE_WAY) != 0 && (mover->component->flags & FILO_MOVER_DROP) != 0)
        return false;
    return body != mover->self && (mover->ignored == 0 || body != mover->ignored);
}

// ---- One way ----------------------------------------------------------------------------------------------

// The solid side of a one-way shape.
static FiloVec2 solid_side(const Physics2dMover *mover, uint32_t slot, const Physics2dHull *hull) {
    const Physics2dShape *shape = shape_at(mover, slot);
    const Physics2dBody *body = &mover->ask.phys->saved.bodies.items[shape->body];
    if (hull->count == 2 && hull->radius == 0)
        return filo_vec2_normalise(filo_vec2_perpendicular(filo_vec2_sub(hull->v[1], hull->v[0])));
    FiloVec2 side = { shape->ux, shape->uy };
    if (side.x == 0 && side.y == 0) side.y = 1;
    return filo_vec2(body->c * side.x - body->s * side.y, body->s * side.x + body->c * side.y);
}

// How deep a one-way shape may be in the mover and still carry it: as far as it moved in this tick.
static float allowed_depth(const Physics2dMover *mover, uint32_t slot, FiloVec2 side) {
    const FiloBody2 *body = filo_get(mover->world, physics2d_mover_body(mover, slot), FiloBody2);
    float speed = body != NULL ? filo_vec2_dot(body->velocity, side) : 0;
    return mover->gap + filo_max(speed, 0) * mover->delta;
}

// Whether a one-way shape holds a mover that touches it with this normal and was this far away.
static bool holds(const Physics2dMover *mover, uint32_t slot, const Physics2dHull *hull, FiloVec2 normal,
                  float distance) {
    FiloVec2 side = solid_side(mover, slot, hull);
    float least = physics2d_mover_body(mover, slot).id == mover->floor ? 0.3f : 0.8f;
    return filo_vec2_dot(normal, side) >= least && distance >= -allowed_depth(mover, slot, side);
}

static bool is_one_way(const Physics2dMover *mover, uint32_t slot) {
    return (shape_at(mover, slot)->flags & FILO_SHAPE_ONE_WAY) != 0;
}

// ---- Floors and walls -------------------------------------------------------------------------------------

// The normals of the two faces at a corner of a polygon. False if the point is none.
static bool find_corner(const Physics2dHull *hull, FiloVec2 point, FiloVec2 *before, FiloVec2 *after) {
    if (hull->count < 3 || hull->radius > 0) return false;
    for (uint32_t i = 0; i < hull->count; i++) {
        if (filo_vec2_distance_squared(hull->v[i], point) > 1e-8f) continue;
        FiloVec2 last = hull->v[i > 0 ? i - 1 : hull->count - 1],
                 next = hull->v[i + 1 < hull->count ? i + 1 : 0];
        FiloVec2 in = filo_vec2_sub(hull->v[i], last), out = filo_vec2_sub(next, hull->v[i]);
        *before = filo_vec2_normalise(filo_vec2(in.y, -in.x));
        *after = filo_vec2_normalise(filo_vec2(out.y, -out.x));
        return true;
    }
    return false;
}

// Whether a point is the edge of something that can be walked on; `ahead`: with a side that is in the way.
static bool is_edge(const Physics2dMover *mover, const Physics2dHull *hull, FiloVec2 point, FiloVec2 normal,
                    bool ahead) {
    FiloVec2 faces[2];
    bool top = false, side = false;
    if (find_corner(hull, point, &faces[0], &faces[1])) {
        for (int i = 0; i < 2; i++) {
            bool flat = filo_vec2_dot(faces[i], mover->up) >= mover->slope;
            top = top || flat;
            side =
                side || (!flat && (!ahead || filo_vec2_dot(faces[i], mover->right) * mover->direction <= 0));
        }
        return top && side;
    }
    // The end of a segment.
    return hull->count == 2 && hull->radius == 0 && filo_vec2_dot(normal, mover->up) < mover->slope &&
           filo_vec2_dot(normal, mover->up) > 0.01f &&
           filo_min(filo_vec2_distance_squared(hull->v[0], point),
                    filo_vec2_distance_squared(hull->v[1], point)) <= 1e-8f;
}

// While the mover walks, the edge of a step that is low enough is a floor to walk up, and a higher one is a wall.
static Physics2dSide side_of(const Physics2dMover *mover, const Physics2dHull *hull, FiloVec2 point,
                             FiloVec2 normal, float height) {
    float rise = filo_vec2_dot(normal, mover->up);
    if ((mover->component->flags & FILO_MOVER_FLOATING) != 0) return PHYSICS2D_SIDE_WALL;
    bool uphill = filo_vec2_dot(normal, mover->right) * mover->direction <= 0;
    if (mover->walks && uphill && rise < 0.9999f && is_edge(mover, hull, point, normal, true))
        return height <= mover->step_height - 0.5f * mover->gap ? PHYSICS2D_SIDE_FLOOR : PHYSICS2D_SIDE_WALL;
    if (rise >= mover->slope) return PHYSICS2D_SIDE_FLOOR;
    return rise <= -mover->slope ? PHYSICS2D_SIDE_CEILING : PHYSICS2D_SIDE_WALL;
}

// ---- Ways -------------------------------------------------------------------------------------------------

static void test_way(uint32_t slot, void *user) {
    Search *search = user;
    const Physics2dMover *mover = search->mover;
    if (!counts(mover, slot)) return;
    Physics2dHull hull, moved = mover->hull;
    physics2d_ask_hull(&mover->ask, slot, &hull);
    float near = 0.9f * mover->gap, t = 0, first = 0, approach = 0;
    Physics2dDistance found = { 0 };
    for (int i = 0; i < 32; i++) {
        for (uint32_t k = 0; k < moved.count; k++)
            moved.v[k] = filo_vec2_add_scaled(mover->hull.v[k], search->move, t);
        found = physics2d_distance(&moved, &hull);
        if (i == 0) first = found.distance;
        approach = filo_vec2_dot(search->move, found.normal);
        if (approach <= 1e-4f * search->length) return; // along it or away from it, or deep inside
        if (found.distance <= near) break;
        t += (found.distance - 0.9f * near) / approach;
        if (!(t <= search->touch.reach)) return;
    }
    if (found.distance > 4 * near) return; // passes by
    FiloVec2 normal = filo_vec2_negate(found.normal);
    if (is_one_way(mover, slot) && !holds(mover, slot, &hull, normal, first)) return;
    FiloVec2 point = filo_vec2_add_scaled(found.b, normal, hull.radius);
    float reach = filo_max(t, physics2d_ask_enter(&mover->ask, &search->way, slot));
    Physics2dTouch touch = { .shape = slot, .reach = reach, .normal = normal, .point = point };
    touch.t = filo_max(t - (mover->gap - found.distance) / approach, 0);
    touch.height = filo_vec2_dot(filo_vec2_add_scaled(point, search->move, -t), mover->up) + mover->feet;
    touch.side = side_of(mover, &hull, found.b, normal, touch.height);
    touch.edge = is_edge(mover, &hull, found.b, normal, false);
    if (search->keep == PHYSICS2D_KEEP_FLOORS && touch.side != PHYSICS2D_SIDE_FLOOR) return;
    if (!(reach <= search->touch.reach) ||
        (reach == search->touch.reach && search->touch.shape != 0 && slot > search->touch.shape))
        return;
    search->touch = touch;
    search->cull = reach;
}

Physics2dTouch physics2d_mover_cast(Physics2dMover *mover, FiloVec2 move, Physics2dKeep keep) {
    Search search = { .mover = mover,
                      .move = move,
                      .length = filo_vec2_length(move),
                      .keep = keep,
                      .cull = 1,
                      .touch = { .t = 1, .reach = 1 } };
    if (!(search.length > 0)) return search.touch;
    // The last part of the way may be within the gap of what is behind it.
    search.way =
        physics2d_ask_way(&mover->ask, move, filo_vec2_add(mover->half, filo_vec2(mover->gap, mover->gap)));
    physics2d_ask_trees(mover->ask.phys, mover->ask.from, move, search.way.margin, &search.cull, test_way,
                        &search);
    return search.touch;
}

// ---- Overlaps ---------------------------------------------------------------------------------------------

// The deepest point of the manifold of the mover and a shape. False if they are further apart than the gap.
static bool collide(const Physics2dMover *mover, uint32_t slot, float *separation, FiloVec2 *normal) {
    const Physics2dSaved *saved = &mover->ask.phys->saved;
    const Physics2dShape *shape = shape_at(mover, slot);
    const Physics2dBody *body = &saved->bodies.items[shape->body];
    const Physics2dPolygon *polygon = &saved->polygons.items[shape->polygon];
    Physics2dManifold manifold;
    bool first = mover->shape.kind >= shape->kind;
    if (first)
        physics2d_collide(&mover->shape, &mover->polygon, &mover->body, shape, polygon, body, mover->gap,
                          &manifold);
    else
        physics2d_collide(shape, polygon, body, &mover->shape, &mover->polygon, &mover->body, mover->gap,
                          &manifold);
    if (manifold.count == 0) return false;
    *separation = manifold.points[0].separation;
    if (manifold.count > 1) *separation = filo_min(*separation, manifold.points[1].separation);
    const Physics2dBody *frame = first ? &mover->body : body;
    FiloVec2 n = manifold.normal;
    n = filo_vec2(frame->c * n.x - frame->s * n.y, frame->s * n.x + frame->c * n.y);
    *normal = first ? filo_vec2_negate(n) : n;
    return true;
}

static void test_overlap(uint32_t slot, void *user) {
    Search *search = user;
    const Physics2dMover *mover = search->mover;
    const Physics2dShape *shape = shape_at(mover, slot);
    if (!counts(mover, slot)) return;
    if (search->hard && mover->ask.phys->saved.bodies.items[shape->body].kind == FILO_BODY_DYNAMIC) return;
    float separation;
    FiloVec2 normal;
    if (!collide(mover, slot, &separation, &normal) || separation >= 0.5f * mover->gap) return;
    if (search->found &&
        (separation > search->separation || (separation == search->separation && slot > search->slot)))
        return;
    if (is_one_way(mover, slot)) {
        Physics2dHull hull;
        physics2d_ask_hull(&mover->ask, slot, &hull);
        if (!holds(mover, slot, &hull, normal, separation)) return;
    }
    search->found = true;
    search->separation = separation;
    search->normal = normal;
    search->slot = slot;
}

bool physics2d_mover_overlap(Physics2dMover *mover, bool hard, float *separation, FiloVec2 *normal) {
    Search search = { .mover = mover, .hard = hard };
    float fraction = 1;
    mover->body.px = mover->ask.from.x;
    mover->body.py = mover->ask.from.y;
    FiloVec2 margin = filo_vec2_add(mover->half, filo_vec2(mover->gap, mover->gap));
    physics2d_ask_trees(mover->ask.phys, mover->ask.from, filo_vec2(0, 0), margin, &fraction, test_overlap,
                        &search);
    *separation = search.separation;
    *normal = search.normal;
    return search.found;
}
