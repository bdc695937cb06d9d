// Shapes: checks, mass and boxes.

#include "physics2d/physics2d.h"

static bool is_sane(float x) { return filo_abs(x) <= PHYSICS2D_FAR; } // false for NaN
static bool is_sane_point(FiloVec2 p) { return is_sane(p.x) && is_sane(p.y); }
static bool is_number(float x) { return filo_abs(x) <= FLT_MAX; }

// ---- Building ---------------------------------------------------------------------------------------------

static void set_normals(Physics2dPolygon *polygon, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        FiloVec2 edge = filo_vec2_sub(polygon->v[(i + 1) % count], polygon->v[i]);
        polygon->n[i] = filo_vec2_normalise(filo_vec2(edge.y, -edge.x));
    }
}

static float polygon_area(const Physics2dPolygon *polygon, uint32_t count, FiloVec2 *centre) {
    FiloVec2 origin = polygon->v[0], sum = { 0, 0 };
    float area = 0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        FiloVec2 a = filo_vec2_sub(polygon->v[i], origin), b = filo_vec2_sub(polygon->v[i + 1], origin);
        float triangle = 0.5f * filo_vec2_cross(a, b);
        sum = filo_vec2_add_scaled(sum, filo_vec2_add(a, b), triangle * (1.0f / 3.0f));
        area += triangle;
    }
    if (area > 0) *centre = filo_vec2_add_scaled(origin, sum, 1.0f / area);
    return area;
}

static const char *build_polygon(const FiloShape2 *from, Physics2dShape *shape, Physics2dPolygon *polygon) {
    uint32_t count = from->point_count;
    if (count < 3 || count > FILO_SHAPE_POINTS)
        return "a polygon has a point_count of 3 to 8; for more, use filo_physics2_add_outline";
    FiloVec2 centre = { 0, 0 };
    memcpy(polygon->v, from->points, count * sizeof(FiloVec2));
    float area = polygon_area(polygon, count, &centre);
    if (area < 0) {
        for (uint32_t i = 0; i < count; i++) polygon->v[i] = from->points[count - 1 - i];
        area = polygon_area(polygon, count, &centre);
    }
    if (!(area > PHYSICS2D_SMALLEST)) return "a polygon has an area";
    for (uint32_t i = 0; i < count; i++) // they are also in a line with any other
        if (filo_vec2_distance(polygon->v[i], polygon->v[(i + 1) % count]) < PHYSICS2D_SMALLEST)
            return "two neighbouring points of a polygon are equal";
    for (uint32_t i = 0; i < count; i++) {
        FiloVec2 a = polygon->v[i], b = polygon->v[(i + 1) % count];
        for (uint32_t k = 0; k < count; k++) {
            if (k == i || k == (i + 1) % count) continue;
            float side = filo_vec2_cross(filo_vec2_sub(b, a), filo_vec2_sub(polygon->v[k], a));
            if (!(side > 0))
                return "a polygon must be convex, without three points in a line; for others, use "
                       "filo_physics2_add_outline";
        }
    }
    shape->count = (uint8_t)count;
    shape->x = centre.x;
    shape->y = centre.y;
    set_normals(polygon, count);
    return NULL;
}

static const char *build_box(const FiloShape2 *from, Physics2dShape *shape, Physics2dPolygon *polygon) {
    FiloVec2 h = from->half_size;
    if (!is_sane_point(h) || h.x < PHYSICS2D_SMALLEST || h.y < PHYSICS2D_SMALLEST)
        return "a box has a half_size above 0";
    FiloVec2 corners[4] = { { -h.x, -h.y }, { h.x, -h.y }, { h.x, h.y }, { -h.x, h.y } };
    for (uint32_t i = 0; i < 4; i++) {
        FiloVec2 turned = from->angle != 0 ? filo_vec2_rotate(corners[i], from->angle) : corners[i];
        polygon->v[i] = filo_vec2_add(turned, from->centre);
    }
    shape->count = 4;
    shape->x = from->centre.x;
    shape->y = from->centre.y;
    set_normals(polygon, 4);
    return NULL;
}

static const char *build_line(const FiloShape2 *from, Physics2dShape *shape, Physics2dPolygon *polygon) {
    FiloVec2 a = from->points[0], b = from->points[1];
    bool segment = from->kind == FILO_SHAPE_SEGMENT;
    if (!segment && !(from->radius > PHYSICS2D_SMALLEST)) return "a capsule has a radius above 0";
    if (segment) shape->radius = 0;
    FiloVec2 middle = filo_vec2_scale(filo_vec2_add(a, b), 0.5f);
    shape->x = middle.x;
    shape->y = middle.y;
    if (filo_vec2_distance(a, b) < PHYSICS2D_SMALLEST) {
        if (segment) return "the two points of a segment differ";
        shape->kind = PHYSICS2D_CIRCLE; // a capsule without length
        shape->count = 1;
        return NULL;
    }
    shape->count = 2;
    polygon->v[0] = a;
    polygon->v[1] = b;
    set_normals(polygon, 2);
    if (segment) { // solid on its left side
        shape->ux = polygon->n[1].x;
        shape->uy = polygon->n[1].y;
        if (from->point_count == 4) {
            polygon->v[2] = from->points[2];
            polygon->v[3] = from->points[3];
            if (filo_vec2_distance(a, polygon->v[2]) >= PHYSICS2D_SMALLEST)
                shape->chain |= PHYSICS2D_CHAIN_BEFORE;
            if (filo_vec2_distance(b, polygon->v[3]) >= PHYSICS2D_SMALLEST)
                shape->chain |= PHYSICS2D_CHAIN_AFTER;
        }
    }
    return NULL;
}

static const char *check_numbers(const FiloShape2 *from) {
    if (!is_sane_point(from->centre) || !is_sane(from->angle))
        return "centre and angle are numbers below 1e7";
    for (uint32_t i = 0; i < FILO_SHAPE_POINTS; i++)
        if (!is_sane_point(from->points[i])) return "points are numbers below 1e7";
    if (!is_sane(from->radius) || from->radius < 0) return "a radius is not negative, and below 1e7";
    if (!is_number(from->density) || !is_number(from->friction) || !is_number(from->restitution) ||
        !is_number(from->rolling_resistance) || !is_number(from->surface_speed) ||
        !is_number(from->one_way.x) || !is_number(from->one_way.y))
        return "density, friction and the like are finite numbers";
    return NULL;
}

static FiloVec2 place_point(const Physics2dPlace *place, FiloVec2 p, FiloVec2 offset) {
    return filo_vec2_add(offset, place->angle != 0 ? filo_vec2_rotate(p, place->angle) : p);
}

bool physics2d_shape_build(const FiloShape2 *from, Physics2dShape *shape, Physics2dPolygon *polygon,
                           const char **problem) {
    memset(polygon, 0, sizeof *polygon);
    shape->density = from->density == 0 ? 1.0f : filo_max(from->density, 0.0f);
    shape->friction = from->friction == 0 ? 0.6f : filo_max(from->friction, 0.0f);
    shape->restitution = filo_clamp(from->restitution, 0.0f, 1.0f);
    shape->rolling = filo_max(from->rolling_resistance, 0.0f);
    shape->surface = from->surface_speed;
    shape->layers = from->layers != 0 ? from->layers : 1;
    shape->mask = from->mask != 0 ? from->mask : UINT32_MAX;
    shape->group = from->group;
    shape->flags = from->flags;
    shape->friction_mix =
        (uint8_t)((uint32_t)from->friction_mix <= FILO_MIX_MAXIMUM ? from->friction_mix : 0);
    shape->restitution_mix =
        (uint8_t)((uint32_t)from->restitution_mix <= FILO_MIX_MAXIMUM ? from->restitution_mix : 0);
    shape->radius = from->radius;
    shape->massless =
        from->kind == FILO_SHAPE_SEGMENT || from->density < 0 || (from->flags & FILO_SHAPE_SENSOR) != 0;
    *problem = check_numbers(from);
    if (*problem != NULL) return false;
    FiloVec2 up = filo_vec2_normalise(from->one_way);
    shape->ux = up.x;
    shape->uy = up.x == 0 && up.y == 0 ? 1 : up.y;
    switch (from->kind) {
    case FILO_SHAPE_CIRCLE:
        shape->kind = PHYSICS2D_CIRCLE;
        shape->count = 1;
        shape->x = from->centre.x;
        shape->y = from->centre.y;
        if (!(from->radius > PHYSICS2D_SMALLEST))
            *problem = "a circle, which is the default kind, has a radius above 0";
        break;
    case FILO_SHAPE_CAPSULE:
    case FILO_SHAPE_SEGMENT:
        shape->kind = PHYSICS2D_CAPSULE;
        *problem = build_line(from, shape, polygon);
        break;
    case FILO_SHAPE_BOX:
        shape->kind = PHYSICS2D_POLYGON;
        *problem = build_box(from, shape, polygon);
        break;
    case FILO_SHAPE_POLYGON:
        shape->kind = PHYSICS2D_POLYGON;
        *problem = build_polygon(from, shape, polygon);
        break;
    default: *problem = "its kind is one of FiloShapeKind";
    }
    return *problem == NULL;
}

bool physics2d_shape_place(Physics2dShape *shape, Physics2dPolygon *polygon, const Physics2dPlace *place,
                           const char **problem) {
    if (place->position.x == 0 && place->position.y == 0 && place->angle == 0) return true;
    if (!is_sane_point(place->position) || !is_sane(place->angle)) {
        *problem = "the transforms between it and its body are numbers below 1e7";
        return false;
    }
    FiloVec2 zero = { 0, 0 }, centre = place_point(place, filo_vec2(shape->x, shape->y), place->position),
             up = place_point(place, filo_vec2(shape->ux, shape->uy), zero);
    shape->x = centre.x;
    shape->y = centre.y;
    shape->ux = up.x;
    shape->uy = up.y;
    uint32_t points = shape->chain != 0 ? 4 : shape->count;
    for (uint32_t i = 0; i < points && shape->kind != PHYSICS2D_CIRCLE; i++) {
        polygon->v[i] = place_point(place, polygon->v[i], place->position);
        polygon->n[i] = place_point(place, polygon->n[i], zero);
    }
    return true;
}

// ---- Mass -------------------------------------------------------------------------------------------------

static FiloMass2 circle_mass(float radius, float density, FiloVec2 centre) {
    float mass = density * FILO_PI * radius * radius;
    return (FiloMass2){ mass, 0.5f * mass * radius * radius, centre };
}

static FiloMass2 capsule_mass(const Physics2dShape *shape, const Physics2dPolygon *polygon) {
    float r = shape->radius, length = filo_vec2_distance(polygon->v[0], polygon->v[1]);
    float box = shape->density * 2 * r * length, ends = shape->density * FILO_PI * r * r;
    // The two half circles: each has its centre of mass 4 r / 3 pi beyond the end.
    float off = 4.0f * r / (3.0f * FILO_PI), half = 0.5f * length;
    float inertia = box * (length * length + 4 * r * r) * (1.0f / 12.0f) +
                    ends * (0.5f * r * r + half * half + 2.0f * half * off);
    return (FiloMass2){ box + ends, inertia, { shape->x, shape->y } };
}

static FiloMass2 polygon_mass(const Physics2dShape *shape, const Physics2dPolygon *from) {
    Physics2dPolygon polygon = *from;
    // Round corners: the corners move outwards, which is a little too much.
    for (uint32_t i = 0; i < shape->count && shape->radius > 0; i++) {
        FiloVec2 middle = filo_vec2_add(from->n[i], from->n[(i + shape->count - 1u) % shape->count]);
        polygon.v[i] = filo_vec2_add_scaled(from->v[i], filo_vec2_normalise(middle), 1.2f * shape->radius);
    }
    FiloVec2 centre = { shape->x, shape->y };
    float area = polygon_area(&polygon, shape->count, &centre), sum = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        FiloVec2 a = filo_vec2_sub(polygon.v[i], centre),
                 b = filo_vec2_sub(polygon.v[(i + 1u) % shape->count], centre);
        sum += filo_vec2_cross(a, b) * (filo_vec2_dot(a, a) + filo_vec2_dot(a, b) + filo_vec2_dot(b, b));
    }
    return (FiloMass2){ shape->density * area, shape->density * sum * (1.0f / 12.0f), centre };
}

FiloMass2 physics2d_shape_mass(const Physics2dShape *shape, const Physics2dPolygon *polygon) {
    if (shape->massless) return (FiloMass2){ 0, 0, { shape->x, shape->y } };
    if (shape->kind == PHYSICS2D_CIRCLE)
        return circle_mass(shape->radius, shape->density, filo_vec2(shape->x, shape->y));
    return shape->kind == PHYSICS2D_CAPSULE ? capsule_mass(shape, polygon) : polygon_mass(shape, polygon);
}

// ---- Size -------------------------------------------------------------------------------------------------

Physics2dBox physics2d_shape_box(const Physics2dShape *shape, const Physics2dPolygon *polygon,
                                 const Physics2dBody *body) {
    float r = shape->radius;
    FiloVec2 low, high;
    if (shape->kind == PHYSICS2D_CIRCLE) {
        low = high =
            filo_vec2(body->c * shape->x - body->s * shape->y, body->s * shape->x + body->c * shape->y);
    } else {
        low = filo_vec2(FLT_MAX, FLT_MAX);
        high = filo_vec2(-FLT_MAX, -FLT_MAX);
        for (uint32_t i = 0; i < shape->count; i++) {
            FiloVec2 v = polygon->v[i],
                     turned = filo_vec2(body->c * v.x - body->s * v.y, body->s * v.x + body->c * v.y);
            low = filo_vec2_min(low, turned);
            high = filo_vec2_max(high, turned);
        }
    }
    return (Physics2dBox){ body->px + (low.x - r), body->py + (low.y - r), body->px + (high.x + r),
                           body->py + (high.y + r) };
}

void physics2d_shape_extents(const Physics2dShape *shape, const Physics2dPolygon *polygon, FiloVec2 centre,
                             float *extent, float *min_extent) {
    float far = filo_vec2_distance(filo_vec2(shape->x, shape->y), centre), near = 0;
    if (shape->kind != PHYSICS2D_CIRCLE)
        for (uint32_t i = 0; i < shape->count; i++)
            far = filo_max(far, filo_vec2_distance(polygon->v[i], centre));
    if (shape->kind == PHYSICS2D_POLYGON) {
        near = FLT_MAX;
        for (uint32_t i = 0; i < shape->count; i++) {
            FiloVec2 inside = filo_vec2_sub(polygon->v[i], filo_vec2(shape->x, shape->y));
            near = filo_min(near, filo_vec2_dot(inside, polygon->n[i]));
        }
    }
    *extent = filo_max(*extent, far + shape->radius);
    *min_extent = filo_min(*min_extent, near + shape->radius);
}
