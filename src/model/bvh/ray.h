// One ray and one triangle, and the point of a triangle that is nearest to another point.
//
// Both compute in doubles, so that the distance is right to the last bit of a float in nearly all cases, and does not
// depend on the order in which a tree is searched. The test of rays is that of Plücker coordinates: the sign of three
// volumes, one for each edge. Two triangles that share an edge compute exactly opposite volumes for it, so a ray cannot
// pass between them.

#ifndef FILO_MODEL_BVH_RAY_H
#define FILO_MODEL_BVH_RAY_H

#include <filo/mesh.h>

typedef struct ModelVec3d {
    double x, y, z;
} ModelVec3d;

static inline ModelVec3d model_vec3d(FiloVec3 v) { return (ModelVec3d){ v.x, v.y, v.z }; }
static inline ModelVec3d model_sub3d(ModelVec3d a, ModelVec3d b) {
    return (ModelVec3d){ a.x - b.x, a.y - b.y, a.z - b.z };
}
static inline double model_dot3d(ModelVec3d a, ModelVec3d b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
static inline ModelVec3d model_cross3d(ModelVec3d a, ModelVec3d b) {
    return (ModelVec3d){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
static inline ModelVec3d model_add_scaled3d(ModelVec3d a, ModelVec3d b, double s) {
    return (ModelVec3d){ a.x + b.x * s, a.y + b.y * s, a.z + b.z * s };
}

// A ray that has been prepared for many triangles.
typedef struct ModelRay {
    ModelVec3d origin, direction;
    double inverse_length_squared;
} ModelRay;

// What a ray hits first. The rest of a FiloRayHit is computed at the end (model_hit_finish).
typedef struct ModelHit {
    float distance;
    uint32_t triangle;
    float u, v;
    bool back;
} ModelHit;

// Whether the ray can hit anything: all numbers finite, the direction not zero.
bool model_ray_prepare(ModelRay *out, FiloRay3 ray);

// Tests a triangle. Of equal distances, the one with the lower number counts. `hit` has the limit, and the number
// UINT32_MAX, before the first one.
static inline bool model_ray_triangle(const ModelRay *ray, const FiloVec3 *corners, uint32_t triangle,
                                      ModelHit *hit) {
    ModelVec3d d = ray->direction;
    ModelVec3d a = model_sub3d(model_vec3d(corners[0]), ray->origin);
    ModelVec3d b = model_sub3d(model_vec3d(corners[1]), ray->origin);
    ModelVec3d c = model_sub3d(model_vec3d(corners[2]), ray->origin);
    double wa = model_dot3d(d, model_cross3d(c, b));
    double wb = model_dot3d(d, model_cross3d(a, c));
    double wc = model_dot3d(d, model_cross3d(b, a));
    bool front = wa >= 0.0 && wb >= 0.0 && wc >= 0.0, back = wa <= 0.0 && wb <= 0.0 && wc <= 0.0;
    if (!front && !back) return false;
    double sum = wa + wb + wc;
    if (!(sum < 0.0 || sum > 0.0)) return false;
    double along = (wa * model_dot3d(d, a) + wb * model_dot3d(d, b)) + wc * model_dot3d(d, c);
    float distance = (float)(along / sum * ray->inverse_length_squared);
    if (!(distance >= 0.0f) ||
        !(distance < hit->distance ||
          (distance == hit->distance && triangle < hit->triangle && hit->triangle != UINT32_MAX)))
        return false;
    *hit = (ModelHit){ distance, triangle, (float)(wb / sum), (float)(wc / sum), back };
    return true;
}

// The squared distance from a point to a triangle, and the weights u and v of the nearest point (C. Ericson, "Real-Time
// Collision Detection", 5.1.5). Also for triangles without area.
double model_nearest_on_triangle(ModelVec3d point, const FiloVec3 *corners, double *u, double *v);

// Fills the public hit.
void model_hit_finish(FiloRayHit *out, const ModelHit *hit, const FiloVec3 *corners);

#endif
