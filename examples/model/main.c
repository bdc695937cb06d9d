// Model: a detailed mesh, coloured by its normals. It shows
//   - a mesh made by code: a knot with a skin of scales, 345,600 triangles (FiloMeshData, filo_gfx3d_add_mesh);
//   - a shader that changes the surface, assets/normals.glsl: it is loaded again when it is saved;
//   - a camera that orbits, a sun, and a floor that receives its shadow.
//
// Drag with the left button to turn, with the right one to move, and turn the wheel.
//
// Try: ./dev run model
//      ./dev run model --turns 3 --loops 4        another knot
//      ./dev run model --plain                    lit, without colours
//      ./dev run model --backend gl --headless --frames 1 --shot model.png

#include <filo/filo.h>

#define ALONG   1440 // points along the knot, and around its tube
#define AROUND  120
#define ROWS    120 // of scales along the knot: an even number, as every other row is shifted by half a scale
#define COLUMNS 12  // of scales around the tube

typedef struct Show {
    int turns, loops; // around the axis, and through the hole
    bool plain;
} Show;

// ---- The mesh -------------------------------------------------------------------------------------------------------

static FiloVec3 knot(const Show *show, float t) {
    FiloSinCos turn = filo_sincos((float)show->turns * t), loop = filo_sincos((float)show->loops * t);
    float radius = 2 + loop.cos;
    return filo_vec3(radius * turn.cos, loop.sin, radius * turn.sin);
}

// Fills `times` with values of t from 0 to 2 π that are equally far apart along the knot.
static void divide_evenly(float *times, const Show *show) {
    enum { STEPS = 8 * ALONG };
    static float lengths[STEPS + 1];
    for (int i = 1; i <= STEPS; i++)
        lengths[i] = lengths[i - 1] + filo_vec3_distance(knot(show, FILO_TAU * (float)(i - 1) / STEPS),
                                                         knot(show, FILO_TAU * (float)i / STEPS));
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

static void place_vertices(FiloMeshData *mesh, const Show *show) {
    static float times[ALONG + 1];
    divide_evenly(times, show);
    for (uint32_t i = 0; i <= ALONG; i++) {
        float t = times[i], along = (float)i / ALONG * ROWS;
        FiloVec3 centre = knot(show, t), next = knot(show, t + 0.001f);
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

static FiloResult make_knot(FiloMeshData *mesh, const Show *show) {
    FiloResult r = filo_mesh_create(mesh,
                                    &(FiloMeshDesc){ .vertices = (ALONG + 1) * (AROUND + 1),
                                                     .indices = ALONG * AROUND * 6,
                                                     .arrays = FILO_MESH_NORMALS | FILO_MESH_UVS },
                                    NULL);
    if (r.code != FILO_OK) return r;
    place_vertices(mesh, show);
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

// ---- Setup ----------------------------------------------------------------------------------------------------------

static FiloResult add_materials(FiloGfx3d *gfx) {
    FiloResult r = filo_gfx3d_add_material(
        gfx, filo_name("normals"),
        &(FiloMaterialDesc){ .shader = "normals.glsl", .values = { FILO_FLOAT("roughness", 0.45f) } });
    if (r.code == FILO_OK)
        r = filo_gfx3d_add_material(gfx, filo_name("plain"),
                                    &(FiloMaterialDesc){ .values = { FILO_VEC4("color", 0.6f, 0.55f, 0.5f, 1),
                                                                     FILO_FLOAT("roughness", 0.35f) } });
    if (r.code == FILO_OK)
        r = filo_gfx3d_add_material(
            gfx, filo_name("floor"),
            &(FiloMaterialDesc){
                .values = { FILO_VEC4("color", 0.1f, 0.11f, 0.13f, 1), FILO_FLOAT("roughness", 0.7f) } });
    return r;
}

static FiloResult create(FiloApp *app) {
    const Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    FiloGfx3d *gfx = filo_app_gfx3d(app);
    FiloMeshData mesh;
    FiloResult r = make_knot(&mesh, show);
    if (r.code == FILO_OK) r = filo_gfx3d_add_mesh(gfx, filo_name("knot"), &mesh);
    filo_mesh_free(&mesh, NULL); // it was copied
    if (r.code == FILO_OK) r = add_materials(gfx);
    if (r.code != FILO_OK) return r;
    filo_create(world, FILO_SET(FiloMesh, .mesh = filo_name("knot"),
                                .material = filo_name(show->plain ? "plain" : "normals")));
    filo_create(world, FILO_SET(FiloTransform3, .position = { 0, -1.6f, 0 }, .scale = { 400, 1, 400 }),
                FILO_SET(FiloMesh, .mesh = filo_name("plane"), .material = filo_name("floor")));
    filo_create(
        world,
        FILO_SET(FiloTransform3, .rotation = filo_quat_look(filo_vec3(-0.6f, -1, -0.5f), filo_vec3(0, 1, 0))),
        FILO_SET(FiloLight, .shadows = true, .intensity = 2.6f, .shadow_distance = 30));
    const FiloColor dusk = filo_color_from_hex(0x14171EFF);
    filo_create(world, FILO_SET(FiloCamera3, .field_of_view = 0.75f, .background = dusk),
                FILO_SET(FiloOrbit, .centre = { 0, -0.1f, 0 }, .distance = 8.2f, .yaw = 0.5f, .pitch = -0.45f,
                         .spin = 0.3f));
    filo_set_global(world, FiloEnvironment, .no_sky = true, .ambient_color = filo_color_from_hex(0x8890A0FF),
                    .fog_color = dusk, .fog_density = 0.06f, .bloom = 0.1f);
    return r;
}

int main(int argc, char **argv) {
    static Show show = { .turns = 2, .loops = 3 };
    const FiloFlag flags[] = {
        { "turns", "how often the knot goes around its axis", .integer = &show.turns, .min = 1, .max = 12 },
        { "loops", "how often it goes through its hole", .integer = &show.loops, .min = 1, .max = 12 },
        { "plain", "without the colours of normals", .on = &show.plain },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "model",
                                    .summary = "A detailed mesh, coloured by its normals",
                                    .gfx3d = true,
                                    .asset_folder = FILO_EXAMPLE_ASSETS,
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .user = &show,
                                    .create = create });
}
