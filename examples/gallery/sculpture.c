// A sculpture: a ribbon that winds around a torus, three times through it and twice around.

#include "gallery.h"

#define ALONG  320
#define AROUND 20

static FiloVec3 centre_line(float t) {
    float r = 0.62f + 0.26f * filo_cos(3 * t);
    return filo_vec3(r * filo_cos(2 * t), 0.42f * filo_sin(3 * t), r * filo_sin(2 * t));
}

FiloResult gallery_add_sculpture(FiloGfx3d *gfx) {
    FiloMeshData mesh;
    FiloResult r =
        filo_mesh_create(&mesh,
                         &(FiloMeshDesc){ .vertices = (ALONG + 1) * (AROUND + 1),
                                          .indices = ALONG * AROUND * 6,
                                          .arrays = FILO_MESH_NORMALS | FILO_MESH_TANGENTS | FILO_MESH_UVS },
                         NULL);
    if (r.code != FILO_OK) return r;
    for (uint32_t i = 0; i <= ALONG; i++) {
        float t = FILO_TAU * (float)(i % ALONG) / ALONG;
        FiloVec3 at = centre_line(t),
                 forward = filo_vec3_normalise(filo_vec3_sub(centre_line(t + 0.01f), at));
        FiloVec3 side = filo_vec3_normalise(filo_vec3_cross(forward, at)),
                 up = filo_vec3_cross(side, forward);
        for (uint32_t j = 0; j <= AROUND; j++) {
            float a = FILO_TAU * (float)(j % AROUND) / AROUND;
            uint32_t v = i * (AROUND + 1) + j;
            FiloVec3 p = filo_vec3_add_scaled(at, side, 0.17f * filo_cos(a));
            mesh.positions[v] = filo_vec3_add_scaled(p, up, 0.1f * filo_sin(a));
            mesh.uvs[v] = filo_vec2((float)j / AROUND, 8 * (float)i / ALONG);
        }
    }
    uint32_t *index = mesh.indices;
    for (uint32_t i = 0; i < ALONG; i++)
        for (uint32_t j = 0; j < AROUND; j++) {
            uint32_t a = i * (AROUND + 1) + j, b = a + AROUND + 1;
            const uint32_t quad[6] = { a, b, a + 1, b, b + 1, a + 1 };
            for (int k = 0; k < 6; k++) *index++ = quad[k];
        }
    filo_mesh_update_normals(&mesh);
    filo_mesh_update_tangents(&mesh);
    r = filo_gfx3d_add_mesh(gfx, filo_name("knot"), &mesh);
    filo_mesh_free(&mesh, NULL);
    return r;
}
