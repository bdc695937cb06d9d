// Model: a detailed mesh, coloured by its normals.
//
// Shows: a mesh made by code (FiloMeshData), a shader that changes the surface, a camera that orbits.
//
// Try: drag with the left button, turn the wheel. --knot 3 --knot-turns 5 ties another knot.

#include <filo/filo.h>

// ---- The mesh -----------------------------------------------------------------------------------------------

// A tube along a torus knot, with a pattern of scales: `around` × `along` quads.
static FiloVec3 knot(float t, float p, float q) {
    float r = 2 + filo_cos(q * t);
    return filo_vec3(r * filo_cos(p * t), filo_sin(q * t) * 1.2f, r * filo_sin(p * t));
}

static FiloResult make_knot(FiloMeshData *mesh, int p, int q) {
    const uint32_t along = 1600, around = 72;
    FiloResult r = filo_mesh_create(mesh,
                                    &(FiloMeshDesc){ .vertices = (along + 1) * (around + 1),
                                                     .indices = along * around * 6,
                                                     .arrays = FILO_MESH_NORMALS | FILO_MESH_UVS },
                                    NULL);
    if (r.code != FILO_OK) return r;
    for (uint32_t i = 0; i <= along; i++) {
        float t = FILO_TAU * (float)i / (float)along, step = 0.001f;
        FiloVec3 centre = knot(t, (float)p, (float)q);
        FiloVec3 forward = filo_vec3_normalise(filo_vec3_sub(knot(t + step, (float)p, (float)q), centre));
        FiloVec3 side = filo_vec3_normalise(filo_vec3_cross(forward, filo_vec3(0, 1, 0)));
        FiloVec3 up = filo_vec3_cross(side, forward);
        for (uint32_t j = 0; j <= around; j++) {
            float a = FILO_TAU * (float)j / (float)around;
            float bumps = 0.04f * filo_sin(8 * a) * filo_sin(180 * t) + 0.06f * filo_sin(3 * a + 40 * t);
            FiloVec3 out =
                filo_vec3_add(filo_vec3_scale(side, filo_cos(a)), filo_vec3_scale(up, filo_sin(a)));
            uint32_t v = i * (around + 1) + j;
            mesh->positions[v] = filo_vec3_add_scaled(centre, out, 0.45f + bumps);
            mesh->uvs[v] = filo_vec2((float)j / (float)around, (float)i / (float)along * 40);
        }
    }
    uint32_t *index = mesh->indices;
    for (uint32_t i = 0; i < along; i++)
        for (uint32_t j = 0; j < around; j++) {
            uint32_t a = i * (around + 1) + j, b = a + around + 1;
            const uint32_t quad[6] = { a, a + 1, b, b, a + 1, b + 1 };
            for (int k = 0; k < 6; k++) *index++ = quad[k];
        }
    filo_mesh_update_normals(mesh);
    filo_mesh_update_bounds(mesh);
    return r;
}

// ---- Setup --------------------------------------------------------------------------------------------------

static int64_t knot_p = 2, knot_q = 3;

static FiloResult create(FiloApp *app) {
    FiloMeshData mesh;
    FiloResult r = make_knot(&mesh, (int)knot_p, (int)knot_q);
    if (r.code != FILO_OK) return r;
    r = filo_gfx3d_add_mesh(filo_app_gfx3d(app), filo_name("knot"), &mesh);
    filo_mesh_free(&mesh, NULL);
    if (r.code != FILO_OK) return r;
    FiloWorld *world = filo_app_world(app);
    filo_create(world, FILO_SET(FiloMesh, .mesh = filo_name("knot")));
    filo_create(world,
                FILO_SET(FiloTransform3, .position = { 0, 3, 8 },
                         .rotation = filo_quat_look(filo_vec3(0, -3, -8), filo_vec3(0, 1, 0))),
                FILO_SET(FiloCamera3, .far = 100),
                FILO_SET(FiloOrbit, .distance = 8.5f, .pitch = -0.4f, .spin = 0.3f));
    return r;
}

int main(int argc, char **argv) {
    return filo_run(argc, argv, &(FiloAppDesc){ .name = "model", .gfx3d = true, .create = create });
}
