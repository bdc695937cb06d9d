// Normals and tangents from triangles.
//
// Both are sums over the triangles at a vertex, weighted by the angle of the triangle there, so that they do not depend on
// how a surface is divided into triangles. Tangents follow the method of MikkTSpace (M. Mikkelsen, "Simulation of Wrinkled
// Surfaces Revisited", 2008) for vertices that are given: the directions of u are projected into the plane of the vertex's
// normal and normalised before they are summed. Where triangles with a mirrored and with a plain texture share a vertex,
// those with the larger angle decide.

#include "model/mesh/mesh.h"

#include <filo/check.h>

#include <string.h>

// The angle between two directions of any length; 0 if one is too short.
static float angle_between(FiloVec3 a, FiloVec3 b) {
    FiloVec3 u = filo_vec3_normalise(a), v = filo_vec3_normalise(b);
    if (filo_vec3_dot(u, u) == 0.0f || filo_vec3_dot(v, v) == 0.0f) return 0.0f;
    return filo_acos(filo_vec3_dot(u, v));
}

static void add_face_normal(FiloMeshData *mesh, const uint32_t v[3]) {
    FiloVec3 p[3] = { mesh->positions[v[0]], mesh->positions[v[1]], mesh->positions[v[2]] };
    FiloVec3 face =
        filo_vec3_normalise(filo_vec3_cross(filo_vec3_sub(p[1], p[0]), filo_vec3_sub(p[2], p[0])));
    if (!model_vec3_is_finite(face)) return;
    for (int k = 0; k < 3; k++) {
        float angle = angle_between(filo_vec3_sub(p[(k + 1) % 3], p[k]), filo_vec3_sub(p[(k + 2) % 3], p[k]));
        mesh->normals[v[k]] = filo_vec3_add_scaled(mesh->normals[v[k]], face, angle);
    }
}

void filo_mesh_update_normals(FiloMeshData *mesh) {
    if (!FILO_CHECK(mesh != NULL &&
                        (mesh->vertex_count == 0 || (mesh->positions != NULL && mesh->normals != NULL)),
                    "create the mesh with FILO_MESH_NORMALS, to compute its normals"))
        return;
    if (mesh->vertex_count == 0) return;
    memset(mesh->normals, 0, mesh->vertex_count * sizeof *mesh->normals);
    uint32_t ranges = model_mesh_range_count(mesh), v[3];
    for (uint32_t r = 0; r < ranges; r++) {
        FiloMeshPart range = model_mesh_range(mesh, r);
        for (uint32_t i = 0; i < range.count; i += 3)
            if (model_mesh_triangle(mesh, range.first + i, v)) add_face_normal(mesh, v);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        FiloVec3 normal = filo_vec3_normalise(mesh->normals[i]);
        bool good = filo_vec3_dot(normal, normal) > 0.0f;
        mesh->normals[i] = good ? normal : filo_vec3(0.0f, 1.0f, 0.0f);
    }
}

// ---- Tangents -------------------------------------------------------------------------------------------

// v without its part along the unit vector `normal`, of length 1 or 0.
static FiloVec3 project(FiloVec3 v, FiloVec3 normal) {
    return filo_vec3_normalise(filo_vec3_add_scaled(v, normal, -filo_vec3_dot(v, normal)));
}

// The direction of u on a triangle, of length 1, and whether the texture is mirrored. Zero if it has no area there.
static FiloVec3 direction_of_u(const FiloMeshData *mesh, const uint32_t v[3], bool *mirrored) {
    FiloVec3 p0 = mesh->positions[v[0]];
    FiloVec3 e1 = filo_vec3_sub(mesh->positions[v[1]], p0), e2 = filo_vec3_sub(mesh->positions[v[2]], p0);
    FiloVec2 t0 = mesh->uvs[v[0]];
    FiloVec2 d1 = filo_vec2_sub(mesh->uvs[v[1]], t0), d2 = filo_vec2_sub(mesh->uvs[v[2]], t0);
    float area = filo_vec2_cross(d1, d2);
    // v points down, so the corners of a texture that is not mirrored go clockwise.
    *mirrored = area > 0.0f;
    if (!(filo_abs(area) > 0.0f)) return filo_vec3(0.0f, 0.0f, 0.0f);
    FiloVec3 u = filo_vec3_add_scaled(filo_vec3_scale(e1, d2.y), e2, -d1.y);
    u = filo_vec3_normalise(filo_vec3_scale(u, filo_sign(area)));
    return model_vec3_is_finite(u) ? u : filo_vec3(0.0f, 0.0f, 0.0f);
}

// Adds the tangent of a triangle to its corners whose `w`, the sum of angles with a sign, says that they are on its side.
static void add_tangent(FiloMeshData *mesh, const uint32_t v[3], bool weigh) {
    bool mirrored;
    FiloVec3 u = direction_of_u(mesh, v, &mirrored);
    if (filo_vec3_dot(u, u) == 0.0f) return;
    for (int k = 0; k < 3; k++) {
        FiloVec3 p = mesh->positions[v[k]], normal = mesh->normals[v[k]];
        FiloVec3 a = filo_vec3_sub(mesh->positions[v[(k + 1) % 3]], p);
        FiloVec3 b = filo_vec3_sub(mesh->positions[v[(k + 2) % 3]], p);
        float angle = angle_between(project(a, normal), project(b, normal));
        FiloVec4 *sum = &mesh->tangents[v[k]];
        if (weigh) {
            sum->w += mirrored ? -angle : angle;
        } else if ((sum->w < 0.0f) == mirrored) {
            FiloVec3 t = filo_vec3_scale(project(u, normal), angle);
            sum->x += t.x;
            sum->y += t.y;
            sum->z += t.z;
        }
    }
}

void filo_mesh_update_tangents(FiloMeshData *mesh) {
    if (!FILO_CHECK(
            mesh != NULL && (mesh->vertex_count == 0 || (mesh->positions != NULL && mesh->normals != NULL &&
                                                         mesh->uvs != NULL && mesh->tangents != NULL)),
            "create the mesh with FILO_MESH_NORMALS, FILO_MESH_UVS and FILO_MESH_TANGENTS, to compute "
            "its tangents"))
        return;
    if (mesh->vertex_count == 0) return;
    memset(mesh->tangents, 0, mesh->vertex_count * sizeof *mesh->tangents);
    uint32_t ranges = model_mesh_range_count(mesh), v[3];
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t r = 0; r < ranges; r++) {
            FiloMeshPart range = model_mesh_range(mesh, r);
            for (uint32_t i = 0; i < range.count; i += 3)
                if (model_mesh_triangle(mesh, range.first + i, v)) add_tangent(mesh, v, pass == 0);
        }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        FiloVec4 sum = mesh->tangents[i];
        FiloVec3 tangent = project(filo_vec4_xyz(sum), mesh->normals[i]);
        if (filo_vec3_dot(tangent, tangent) == 0.0f) tangent = filo_vec3_perpendicular(mesh->normals[i]);
        mesh->tangents[i] = filo_vec4_from_vec3(tangent, sum.w < 0.0f ? -1.0f : 1.0f);
    }
}
