// The points of the knot, the scales on its tube, and the mesh of both.

#include "knot.h"

#include <filo/filo.h>

#define ALONG   1440 // points along the knot, and around its tube
#define AROUND  120
#define ROWS    120 // of scales along the knot: an even number, as every other row is shifted by half a scale
#define COLUMNS 12  // of scales around the tube

static FiloVec3 point(const Knot *knot, float t) {
    FiloSinCos turn = filo_sincos((float)knot->turns * t), loop = filo_sincos((float)knot->loops * t);
    float radius = 2 + loop.cos;
    return filo_vec3(radius * turn.cos, loop.sin, radius * turn.sin);
}

// Fills `times` with values of t from 0 to 2 π that are equally far apart along the knot.
static void divide_evenly(float *times, const Knot *knot) {
    enum { STEPS = 8 * ALONG };
    static float lengths[STEPS + 1];
    for (int i = 1; i <= STEPS; i++)
        lengths[i] = lengths[i - 1] + filo_vec3_distance(point(knot, FILO_TAU * (float)(i - 1) / STEPS),
                                                         point(knot, FILO_TAU * (float)i / STEPS));
    for (int i = 0, step = 0; i <= ALONG; i++) {
        float wanted = lengths[STEPS] * (float)i / ALONG;
        while (step + 1 < STEPS && lengths[step + 1] < wanted) step++;
        float part = (wanted - lengths[step]) / (lengths[step + 1] - lengths[step]);
        times[i] = FILO_TAU * ((float)step + part) / STEPS;
    }
}

// The height of a scale that begins in `row`, at a point of the tube; below 0 outside of it. It rises towards its tip, which
// is round and lies over the next rows.
static float scale_height(float row, float along, float around) {
    float shift = filo_floor(row * 0.5f) * 2 == row ? 0 : 0.5f;
    float x = around + shift, y = (along - row) / 2.1f; // 0 at the root, 1 at the tip
    x = (x - filo_floor(x)) * 2 - 1;                    // −1 to 1 across
    float outline = 1 - 0.75f * x * x - y, keel = 1 - filo_abs(x);
    return outline > 0 ? 0.25f + 0.75f * y + 0.22f * keel * keel * y + 0.25f * filo_min(outline * 12, 1) : -1;
}

static float skin_height(float along, float around) {
    float row = filo_floor(along), height = 0;
    for (int i = 0; i < 3; i++) height = filo_max(height, scale_height(row - (float)i, along, around));
    return height;
}

static void place_vertices(FiloMeshData *mesh, const Knot *knot) {
    static float times[ALONG + 1];
    divide_evenly(times, knot);
    for (uint32_t i = 0; i <= ALONG; i++) {
        float t = times[i], along = (float)i / ALONG * ROWS;
        FiloVec3 centre = point(knot, t), next = point(knot, t + 0.001f);
        FiloVec3 forward = filo_vec3_normalise(filo_vec3_sub(next, centre));
        FiloVec3 side = filo_vec3_normalise(filo_vec3_cross(forward, filo_vec3(0, 1, 0)));
        FiloVec3 up = filo_vec3_cross(side, forward);
        for (uint32_t j = 0; j <= AROUND; j++) {
            FiloSinCos angle = filo_sincos(FILO_TAU * (float)j / AROUND);
            FiloVec3 out = filo_vec3_add(filo_vec3_scale(side, angle.cos), filo_vec3_scale(up, angle.sin));
            float height = skin_height(along, (float)j / AROUND * COLUMNS);
            uint32_t vertex = i * (AROUND + 1) + j;
            mesh->positions[vertex] = filo_vec3_add_scaled(centre, out, 0.4f + 0.075f * height);
            mesh->uvs[vertex] = filo_vec2((float)j / AROUND, along);
        }
    }
}

FiloResult knot_make(FiloMeshData *mesh, const Knot *knot) {
    FiloResult r = filo_mesh_create(mesh,
                                    &(FiloMeshDesc){ .vertices = (ALONG + 1) * (AROUND + 1),
                                                     .indices = ALONG * AROUND * 6,
                                                     .arrays = FILO_MESH_NORMALS | FILO_MESH_UVS },
                                    NULL);
    if (r.code != FILO_OK) return r;
    place_vertices(mesh, knot);
    uint32_t *index = mesh->indices;
    for (uint32_t i = 0; i < ALONG; i++)
        for (uint32_t j = 0; j < AROUND; j++) {
            uint32_t a = i * (AROUND + 1) + j, b = a + AROUND + 1;
            const uint32_t quad[6] = { a, b, a + 1, a + 1, b, b + 1 }; // counter-clockwise, seen from outside
            for (int k = 0; k < 6; k++) *index++ = quad[k];
        }
    filo_mesh_update_normals(mesh);
    filo_mesh_update_bounds(mesh);
    return filo_mesh_optimise(mesh, &(FiloMeshOptimise){ .reorder = true, .levels = 4 }, NULL);
}
