// Searching the bounding volume hierarchy: rays, nearest points, boxes.
//
// The tests of boxes are in floats, with rounding errors of a few units in the last place. They err on the side of visiting
// a box too many, so the result is exactly that of testing all triangles.

#include "model/bvh/bvh.h"

#include "model/mesh/mesh.h"

#include <filo/check.h>

#ifdef __SSE2__
#    include <emmintrin.h>
#endif

#define SLACK          1.000002f     // covers the rounding errors of a box's distances along a ray
#define DISTANCE_SLACK (1.0 + 1e-12) // and those of squared distances in doubles

static bool is_bvh(const FiloBvh *bvh) {
    return FILO_CHECK_MADE(bvh != NULL, "pass the hierarchy that filo_bvh_create made");
}

FiloAabb3 filo_bvh_bounds(const FiloBvh *bvh) { return is_bvh(bvh) ? bvh->bounds : (FiloAabb3){ 0 }; }
size_t filo_bvh_triangle_count(const FiloBvh *bvh) { return is_bvh(bvh) ? bvh->triangle_count : 0; }
size_t filo_bvh_memory(const FiloBvh *bvh) {
    if (!is_bvh(bvh)) return 0;
    return sizeof *bvh + bvh->node_capacity * sizeof *bvh->nodes +
           bvh->triangle_count * sizeof *bvh->triangles;
}

// ---- Rays -----------------------------------------------------------------------------------------------

// The origin and the inverse direction of a ray, and which side of a box it enters along each axis: where that side begins
// in the bounds of a node. The inverse of 0 is infinite: the product with a distance is then infinite with the right sign.
// For a ray in the plane of a side it is NaN, which the comparisons below ignore, so that the side counts as inside.
typedef struct Slabs {
    float origin[3], inverse[3];
    int near[3]; // 0: the low side; 2: the high side
} Slabs;

static Slabs slabs_of(FiloRay3 ray) {
    Slabs slabs = { { ray.origin.x, ray.origin.y, ray.origin.z }, { 0 }, { 0 } };
    const float direction[3] = { ray.direction.x, ray.direction.y, ray.direction.z };
    for (int axis = 0; axis < 3; axis++) {
        slabs.inverse[axis] = 1.0f / direction[axis];
        slabs.near[axis] = slabs.inverse[axis] < 0.0f ? 2 : 0;
    }
    return slabs;
}

// The distances at which the ray enters both children; FLT_MAX for those that it misses, or enters beyond `limit`.
static inline void enter_children(const Slabs *slabs, const ModelBvhNode *node, float limit, float entry[2]) {
#ifdef __SSE2__
    __m128 enter = _mm_setzero_ps(), leave = _mm_set1_ps(limit);
    for (int axis = 0; axis < 3; axis++) {
        int near = slabs->near[axis];
        // The sides where the ray enters both children, then those where it leaves them.
        __m128 sides =
            _mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)(node->bounds[axis] + near));
        sides = _mm_loadh_pi(sides, (const __m64 *)(const void *)(node->bounds[axis] + (2 - near)));
        __m128 t = _mm_mul_ps(_mm_sub_ps(sides, _mm_set1_ps(slabs->origin[axis])),
                              _mm_set1_ps(slabs->inverse[axis]));
        enter = _mm_max_ps(t, enter);
        leave = _mm_min_ps(t, leave);
    }
    leave = _mm_mul_ps(_mm_movehl_ps(leave, leave), _mm_set1_ps(SLACK));
    __m128 hit = _mm_cmple_ps(enter, leave);
    __m128 result = _mm_or_ps(_mm_and_ps(hit, enter), _mm_andnot_ps(hit, _mm_set1_ps(FLT_MAX)));
    _mm_storel_pi((__m64 *)(void *)entry, result);
#else
    for (int side = 0; side < 2; side++) {
        float enter = 0.0f, leave = limit;
        for (int axis = 0; axis < 3; axis++) {
            const float *bounds = node->bounds[axis];
            int near = slabs->near[axis];
            enter = filo_max((bounds[near + side] - slabs->origin[axis]) * slabs->inverse[axis], enter);
            leave = filo_min((bounds[2 - near + side] - slabs->origin[axis]) * slabs->inverse[axis], leave);
        }
        entry[side] = enter <= leave * SLACK ? enter : FLT_MAX;
    }
#endif
}

// Tests the triangles of a leaf. Returns the place of the nearest one among them, or the old one.
static inline uint32_t test_leaf(const FiloBvh *bvh, const ModelRay *ray, uint32_t first, uint32_t count,
                                 ModelHit *hit, uint32_t place) {
    for (uint32_t i = first; i < first + count; i++)
        if (model_ray_triangle(ray, bvh->triangles[i].corners, bvh->triangles[i].number, hit)) place = i;
    return place;
}

typedef struct Visit {
    uint32_t child, count;
    float entry;
} Visit;

// The place of the triangle that is hit; UINT32_MAX: none. With `any`, the first one that is found.
static inline uint32_t search_ray(const FiloBvh *bvh, FiloRay3 ray, ModelHit *hit, bool any) {
    ModelRay prepared;
    if (!model_ray_prepare(&prepared, ray) || !(hit->distance > 0.0f)) return UINT32_MAX;
    uint32_t place = UINT32_MAX;
    if (bvh->node_count == 0) return test_leaf(bvh, &prepared, 0, (uint32_t)bvh->triangle_count, hit, place);
    Slabs slabs = slabs_of(ray);
    Visit stack[MODEL_BVH_DEPTH];
    size_t size = 0;
    stack[size++] = (Visit){ 0, 0, 0.0f };
    while (size > 0) {
        Visit visit = stack[--size];
        if (visit.entry > hit->distance * SLACK) continue;
        if (visit.count > 0) {
            place = test_leaf(bvh, &prepared, visit.child, visit.count, hit, place);
            if (any && place != UINT32_MAX) return place;
            continue;
        }
        const ModelBvhNode *node = &bvh->nodes[visit.child];
        float entry[2];
        enter_children(&slabs, node, hit->distance, entry);
        // The farther one first, so that the nearer one is visited first.
        int far = entry[0] > entry[1] ? 0 : 1, near = 1 - far;
        if (entry[far] < FLT_MAX) stack[size++] = (Visit){ node->child[far], node->count[far], entry[far] };
        if (entry[near] < FLT_MAX)
            stack[size++] = (Visit){ node->child[near], node->count[near], entry[near] };
    }
    return place;
}

bool filo_bvh_ray(const FiloBvh *bvh, FiloRay3 ray, float limit, FiloRayHit *hit) {
    if (!FILO_CHECK(hit != NULL, "pass a place for the hit")) return false;
    *hit = (FiloRayHit){ 0 };
    if (!is_bvh(bvh)) return false;
    ModelHit found = { .distance = limit, .triangle = UINT32_MAX };
    uint32_t place = search_ray(bvh, ray, &found, false);
    if (place == UINT32_MAX) return false;
    model_hit_finish(hit, &found, bvh->triangles[place].corners);
    return true;
}

bool filo_bvh_blocked(const FiloBvh *bvh, FiloRay3 ray, float limit) {
    if (!is_bvh(bvh)) return false;
    ModelHit found = { .distance = limit, .triangle = UINT32_MAX };
    return search_ray(bvh, ray, &found, true) != UINT32_MAX;
}

// ---- Nearest points -------------------------------------------------------------------------------------

// The squared distance from a point to the box of a child.
static double box_distance(const ModelBvhNode *node, int side, ModelVec3d point) {
    const double p[3] = { point.x, point.y, point.z };
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double low = node->bounds[axis][side] - p[axis], high = p[axis] - node->bounds[axis][2 + side];
        double off = low > high ? low : high;
        if (off > 0.0) sum += off * off;
    }
    return sum;
}

typedef struct Nearest {
    ModelVec3d point;
    double squared; // of the nearest triangle so far, or the square of the limit
    double u, v;
    uint32_t place, number;
} Nearest;

// Whether the box of a triangle is farther away than the nearest one: much faster than the distance of the triangle itself.
static bool is_farther(const Nearest *nearest, const FiloVec3 c[3]) {
    FiloVec3 low = filo_vec3_min(filo_vec3_min(c[0], c[1]), c[2]);
    FiloVec3 high = filo_vec3_max(filo_vec3_max(c[0], c[1]), c[2]);
    ModelVec3d below = model_sub3d(model_vec3d(low), nearest->point);
    ModelVec3d above = model_sub3d(nearest->point, model_vec3d(high));
    double x = below.x > above.x ? below.x : above.x, y = below.y > above.y ? below.y : above.y;
    double z = below.z > above.z ? below.z : above.z;
    x = x > 0.0 ? x : 0.0;
    y = y > 0.0 ? y : 0.0;
    z = z > 0.0 ? z : 0.0;
    return (x * x + y * y) + z * z > nearest->squared * DISTANCE_SLACK;
}

static void nearest_in_leaf(const FiloBvh *bvh, uint32_t first, uint32_t count, Nearest *nearest) {
    for (uint32_t i = first; i < first + count; i++) {
        const ModelBvhTriangle *triangle = &bvh->triangles[i];
        if (is_farther(nearest, triangle->corners)) continue;
        double u, v, squared = model_nearest_on_triangle(nearest->point, triangle->corners, &u, &v);
        uint32_t number = triangle->number;
        if (!(squared < nearest->squared || (squared == nearest->squared && number < nearest->number)))
            continue;
        *nearest = (Nearest){ nearest->point, squared, u, v, i, number };
    }
}

typedef struct NearVisit {
    double squared;
    uint32_t child, count;
} NearVisit;

static void search_nearest(const FiloBvh *bvh, Nearest *nearest) {
    if (bvh->node_count == 0) {
        nearest_in_leaf(bvh, 0, (uint32_t)bvh->triangle_count, nearest);
        return;
    }
    NearVisit stack[MODEL_BVH_DEPTH];
    size_t size = 0;
    stack[size++] = (NearVisit){ 0.0, 0, 0 };
    while (size > 0) {
        NearVisit visit = stack[--size];
        if (visit.squared > nearest->squared * DISTANCE_SLACK) continue;
        if (visit.count > 0) {
            nearest_in_leaf(bvh, visit.child, visit.count, nearest);
            continue;
        }
        const ModelBvhNode *node = &bvh->nodes[visit.child];
        double squared[2] = { box_distance(node, 0, nearest->point), box_distance(node, 1, nearest->point) };
        int far = squared[0] > squared[1] ? 0 : 1, near = 1 - far;
        stack[size++] = (NearVisit){ squared[far], node->child[far], node->count[far] };
        stack[size++] = (NearVisit){ squared[near], node->child[near], node->count[near] };
    }
}

bool filo_bvh_nearest(const FiloBvh *bvh, FiloVec3 point, float limit, FiloRayHit *hit) {
    if (!FILO_CHECK(hit != NULL, "pass a place for the hit")) return false;
    *hit = (FiloRayHit){ 0 };
    if (!is_bvh(bvh) || !(limit >= 0.0f) || !model_vec3_is_finite(point)) return false;
    Nearest nearest = { .point = model_vec3d(point), .place = UINT32_MAX, .number = UINT32_MAX };
    nearest.squared = (double)limit * limit;
    search_nearest(bvh, &nearest);
    if (nearest.place == UINT32_MAX) return false;
    const FiloVec3 *corners = bvh->triangles[nearest.place].corners;
    ModelHit found = { (float)__builtin_sqrt(nearest.squared), nearest.number, (float)nearest.u,
                       (float)nearest.v, false };
    model_hit_finish(hit, &found, corners);
    hit->back = filo_vec3_dot(filo_vec3_sub(point, corners[0]), hit->normal) < 0.0f;
    return true;
}

// ---- Boxes ----------------------------------------------------------------------------------------------

static bool child_overlaps(const ModelBvhNode *node, int side, const float low[3], const float high[3]) {
    for (int axis = 0; axis < 3; axis++)
        if (!(node->bounds[axis][side] <= high[axis] && node->bounds[axis][2 + side] >= low[axis]))
            return false;
    return true;
}

static bool triangle_overlaps(const FiloVec3 c[3], FiloAabb3 box) {
    FiloVec3 low = filo_vec3_min(filo_vec3_min(c[0], c[1]), c[2]);
    FiloVec3 high = filo_vec3_max(filo_vec3_max(c[0], c[1]), c[2]);
    return low.x <= box.max.x && high.x >= box.min.x && low.y <= box.max.y && high.y >= box.min.y &&
           low.z <= box.max.z && high.z >= box.min.z;
}

typedef bool (*FoundFunction)(uint32_t triangle, const FiloVec3 corners[3], void *user);

// False if the function returned false.
static bool report_leaf(const FiloBvh *bvh, uint32_t first, uint32_t count, FiloAabb3 box,
                        FoundFunction found, void *user) {
    for (uint32_t i = first; i < first + count; i++) {
        const ModelBvhTriangle *triangle = &bvh->triangles[i];
        if (triangle_overlaps(triangle->corners, box) && !found(triangle->number, triangle->corners, user))
            return false;
    }
    return true;
}

void filo_bvh_overlaps(const FiloBvh *bvh, FiloAabb3 box, FoundFunction found, void *user) {
    if (!FILO_CHECK(found != NULL, "pass a function that is called for each triangle") || !is_bvh(bvh))
        return;
    if (bvh->node_count == 0) {
        report_leaf(bvh, 0, (uint32_t)bvh->triangle_count, box, found, user);
        return;
    }
    const float low[3] = { box.min.x, box.min.y, box.min.z }, high[3] = { box.max.x, box.max.y, box.max.z };
    Visit stack[MODEL_BVH_DEPTH];
    size_t size = 0;
    stack[size++] = (Visit){ 0 };
    while (size > 0) {
        Visit visit = stack[--size];
        if (visit.count > 0) {
            if (!report_leaf(bvh, visit.child, visit.count, box, found, user)) return;
            continue;
        }
        const ModelBvhNode *node = &bvh->nodes[visit.child];
        for (int side = 1; side >= 0; side--)
            if (child_overlaps(node, side, low, high))
                stack[size++] = (Visit){ node->child[side], node->count[side], 0.0f };
    }
}
