// Rays with single triangles, boxes and spheres: see ray.h.

#include "model/bvh/ray.h"

#include "model/mesh/mesh.h"

#include <filo/check.h>

bool model_ray_prepare(ModelRay *out, FiloRay3 ray) {
    if (!model_vec3_is_finite(ray.origin) || !model_vec3_is_finite(ray.direction)) return false;
    out->origin = model_vec3d(ray.origin);
    out->direction = model_vec3d(ray.direction);
    double squared = model_dot3d(out->direction, out->direction);
    out->inverse_length_squared = 1.0 / squared;
    return squared > 0.0;
}

static double clamp01(double x) { return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x; }

// The weight of b of the point of a segment that is nearest to p, and the squared distance.
static double nearest_on_segment(ModelVec3d p, ModelVec3d a, ModelVec3d b, double *weight) {
    ModelVec3d ab = model_sub3d(b, a), ap = model_sub3d(p, a);
    double squared = model_dot3d(ab, ab);
    *weight = squared > 0.0 ? clamp01(model_dot3d(ap, ab) / squared) : 0.0;
    ModelVec3d rest = model_add_scaled3d(ap, ab, -*weight);
    return model_dot3d(rest, rest);
}

double model_nearest_on_triangle(ModelVec3d point, const FiloVec3 *corners, double *u, double *v) {
    ModelVec3d a = model_vec3d(corners[0]), b = model_vec3d(corners[1]), c = model_vec3d(corners[2]);
    ModelVec3d ab = model_sub3d(b, a), ac = model_sub3d(c, a), ap = model_sub3d(point, a);
    ModelVec3d normal = model_cross3d(ab, ac);
    double squared = model_dot3d(normal, normal);
    if (squared > 0.0) {
        double wc = model_dot3d(model_cross3d(ab, ap), normal) / squared;
        double wb = model_dot3d(model_cross3d(ap, ac), normal) / squared;
        if (wb >= 0.0 && wc >= 0.0 && wb + wc <= 1.0) {
            double height = model_dot3d(ap, normal);
            *u = wb;
            *v = wc;
            return height * height / squared;
        }
    }
    // The nearest point is on an edge.
    double w_ab, w_bc, w_ca;
    double d_ab = nearest_on_segment(point, a, b, &w_ab), d_bc = nearest_on_segment(point, b, c, &w_bc);
    double d_ca = nearest_on_segment(point, c, a, &w_ca);
    if (d_ab <= d_bc && d_ab <= d_ca) {
        *u = w_ab;
        *v = 0.0;
        return d_ab;
    }
    if (d_bc <= d_ca) {
        *u = 1.0 - w_bc;
        *v = w_bc;
        return d_bc;
    }
    *u = 0.0;
    *v = 1.0 - w_ca;
    return d_ca;
}

void model_hit_finish(FiloRayHit *out, const ModelHit *hit, const FiloVec3 *corners) {
    ModelVec3d a = model_vec3d(corners[0]);
    ModelVec3d n =
        model_cross3d(model_sub3d(model_vec3d(corners[1]), a), model_sub3d(model_vec3d(corners[2]), a));
    double squared = model_dot3d(n, n);
    // The square root of a double is correctly rounded on every machine.
    double s = squared > 0.0 ? 1.0 / __builtin_sqrt(squared) : 0.0;
    *out = (FiloRayHit){ .distance = hit->distance, .triangle = hit->triangle, .u = hit->u, .v = hit->v };
    out->normal = filo_vec3((float)(n.x * s), (float)(n.y * s), (float)(n.z * s));
    out->back = hit->back;
}

bool filo_ray_triangle(FiloRay3 ray, const FiloVec3 corners[3], float limit, FiloRayHit *hit) {
    if (!FILO_CHECK(corners != NULL && hit != NULL,
                    "pass the corners of a triangle, and a place for the hit"))
        return false;
    *hit = (FiloRayHit){ 0 };
    ModelRay prepared;
    ModelHit found = { .distance = limit, .triangle = UINT32_MAX };
    if (!model_ray_prepare(&prepared, ray) || !model_ray_triangle(&prepared, corners, 0, &found))
        return false;
    model_hit_finish(hit, &found, corners);
    return true;
}

// Cuts the interval of a ray to that between two planes. False if nothing is left.
static bool cut(double origin, double direction, double low, double high, double *from, double *to) {
    if (direction == 0.0) return origin >= low && origin <= high;
    double a = (low - origin) / direction, b = (high - origin) / direction;
    double near = a < b ? a : b, far = a < b ? b : a;
    if (near > *from) *from = near;
    if (far < *to) *to = far;
    return *from <= *to;
}

bool filo_ray_aabb3(FiloRay3 ray, FiloAabb3 box, float limit, float *distance) {
    if (!FILO_CHECK(distance != NULL, "pass a place for the distance")) return false;
    *distance = 0.0f;
    ModelRay r;
    if (!model_ray_prepare(&r, ray)) return false;
    double from = 0.0, to = limit;
    if (!cut(r.origin.x, r.direction.x, box.min.x, box.max.x, &from, &to)) return false;
    if (!cut(r.origin.y, r.direction.y, box.min.y, box.max.y, &from, &to)) return false;
    if (!cut(r.origin.z, r.direction.z, box.min.z, box.max.z, &from, &to)) return false;
    *distance = (float)from;
    return *distance < limit;
}

bool filo_ray_sphere(FiloRay3 ray, FiloVec3 centre, float radius, float limit, float *distance) {
    if (!FILO_CHECK(distance != NULL, "pass a place for the distance")) return false;
    *distance = 0.0f;
    ModelRay r;
    if (!model_ray_prepare(&r, ray) || !(radius >= 0.0f)) return false;
    ModelVec3d to_centre = model_sub3d(model_vec3d(centre), r.origin);
    double rr = (double)radius * radius;
    if (model_dot3d(to_centre, to_centre) <= rr) return limit > 0.0f; // begins inside
    double middle = model_dot3d(to_centre, r.direction) * r.inverse_length_squared;
    ModelVec3d off = model_add_scaled3d(to_centre, r.direction, -middle);
    double rest = rr - model_dot3d(off, off);
    if (!(middle >= 0.0 && rest >= 0.0)) return false;
    float hit = (float)(middle - __builtin_sqrt(rest * r.inverse_length_squared));
    if (!(hit < limit)) return false;
    *distance = hit > 0.0f ? hit : 0.0f;
    return true;
}
