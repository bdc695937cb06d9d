// Spheres: hundreds of them bounce off each other and the walls of a box. It shows
//   - pure objects: each computes its next state from the past of all others, on all workers at once;
//   - the same result on any number of threads, and with --sequential on one;
//   - a spatial index in space for many spheres, built over the past;
//   - readers of the same states: a system shows them as meshes;
//   - a camera that the player turns: FiloOrbit.
//
// Dragging with the left button turns the camera, the wheel moves it. Space stops it.
//
// Try: ./dev run spheres                                 600, all pairs compared
//      ./dev run spheres --count 10000                   with the index
//      ./dev run spheres --count 100000 --headless --frames 60 --hash --threads 8
//      ./dev run spheres --sequential --stats --headless --frames 200
//
// The rules are in spheres.c.

#include "spheres.h"

#define ALL_PAIRS_UP_TO 2000
#define SPIN            0.15f // radians a second

typedef struct Show {
    uint64_t count;
    bool index, sequential; // flags
    Spheres spheres;
} Show;

// ---- Systems ------------------------------------------------------------------------------------------------

static void stop(FiloIter *it) {
    FiloOrbit *orbit = filo_write(it, FiloOrbit);
    bool pressed = filo_input_pressed(filo_read_global(it, FiloInput), FILO_KEY_SPACE);
    for (size_t i = 0; i < it->count && pressed; i++) orbit[i].spin = orbit[i].spin == 0 ? SPIN : 0;
}

// The colour of a sphere depends on its height. A collision makes it white for a moment.
static void show_spheres(FiloIter *it) {
    const Spheres *spheres = it->user;
    const Sphere *sphere = filo_read(it, Sphere);
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    FiloMesh *mesh = filo_write(it, FiloMesh);
    for (size_t i = 0; i < it->count; i++) {
        float size = 2 * sphere[i].radius, height = sphere[i].position.y / spheres->half;
        transform[i].position = sphere[i].position;
        transform[i].scale = filo_vec3(size, size, size);
        FiloColor color = filo_color_from_hsv(0.55f + 0.25f * height, 0.7f, 0.9f, 1);
        mesh[i].color = filo_color_lerp(color, FILO_COLOR_WHITE, 0.7f * sphere[i].flash);
    }
}

// ---- Setup --------------------------------------------------------------------------------------------------

// A glossy ball, with levels of detail for those that are far away.
static FiloResult add_ball(FiloGfx3d *gfx) {
    FiloMeshData ball;
    FiloResult r = filo_mesh_sphere(&ball, &(FiloSphereDesc){ .sectors = 24, .rings = 12 }, NULL);
    if (r.code == FILO_OK)
        r = filo_mesh_optimise(&ball, &(FiloMeshOptimise){ .levels = 5, .max_error = 0.2f }, NULL);
    if (r.code == FILO_OK) r = filo_gfx3d_add_mesh(gfx, filo_name("ball"), &ball);
    if (r.code == FILO_OK)
        r = filo_gfx3d_add_material(gfx, filo_name("gloss"),
                                    &(FiloMaterialDesc){ .values = { FILO_FLOAT("roughness", 0.3f) } });
    filo_mesh_free(&ball, NULL);
    return r;
}

// Gives every sphere its mesh.
static bool add_meshes(FiloWorld *world) {
    FiloQuery *query = filo_query(world, FILO_READ(Sphere));
    filo_query_add_all(query, filo_component_of(world, FILO_TYPE(FiloMesh)));
    filo_query_release(query);
    query = filo_query(world, FILO_WRITE(FiloMesh), FILO_WITH(Sphere));
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        FiloMesh *mesh = filo_write(&it, FiloMesh);
        for (size_t i = 0; i < it.count; i++)
            mesh[i] = (FiloMesh){ .mesh = filo_name("ball"), .material = filo_name("gloss") };
    }
    filo_query_release(query);
    return filo_out_of_memory_count() == 0;
}

static void create_scene(FiloWorld *world, float half) {
    *(FiloEnvironment *)filo_global_edit(world, filo_component_of(world, FILO_TYPE(FiloEnvironment))) =
        (FiloEnvironment){ .no_sky = true, .ambient_color = filo_color_from_hex(0x5A6A90FF) };
    FiloQuat down = filo_quat_look(filo_vec3(-0.5f, -1, -0.35f), filo_vec3(0, 1, 0));
    filo_create(world, FILO_SET(FiloTransform3, .rotation = down),
                FILO_SET(FiloLight, .shadows = true, .shadow_distance = 6 * half));
    filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 0.8f * half, 3.3f * half }),
                FILO_SET(FiloCamera3, .far = 20 * half, .background = filo_color_from_hex(0x0D1220FF)),
                FILO_SET(FiloOrbit, .spin = SPIN));
}

static FiloResult create(FiloApp *app) {
    Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    FiloResult r = add_ball(filo_app_gfx3d(app));
    if (r.code == FILO_OK)
        r = spheres_begin(&show->spheres, world,
                          &(SpheresDesc){ .count = show->count,
                                          .all_pairs = !show->index && show->count <= ALL_PAIRS_UP_TO,
                                          .sequential = show->sequential });
    if (r.code != FILO_OK) return r;
    if (!add_meshes(world)) return filo_error(FILO_ERROR_MEMORY, "spheres: no memory");
    filo_system_add(world,
                    &(FiloSystemDesc){ "stop", stop, .phase = FILO_PHASE_INPUT,
                                       .query.terms = { FILO_WRITE(FiloOrbit), FILO_READ(FiloInput) } });
    filo_system_add(world, &(FiloSystemDesc){ "show spheres", show_spheres, .parallel = true,
                                              .user = &show->spheres, .phase = FILO_PHASE_AFTER,
                                              .query.terms = { FILO_READ(Sphere), FILO_WRITE(FiloTransform3),
                                                               FILO_WRITE(FiloMesh) } });
    create_scene(world, show->spheres.half);
    return filo_ok();
}

static void draw_box(FiloApp *app) {
    const Show *show = filo_app_user(app);
    float h = show->spheres.half;
    filo_lines3_box(filo_app_gfx3d(app), (FiloAabb3){ { -h, -h, -h }, { h, h, h } },
                    filo_color_from_hex(0x8FA3D0FF));
}

static void end(FiloApp *app) {
    Show *show = filo_app_user(app);
    spheres_end(&show->spheres);
}

// ---- Main ---------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Show show = { .count = 600 };
    const FiloFlag flags[] = {
        { "count", "how many spheres", .unsigned_integer = &show.count, .min = 1, .max = 1e6 },
        { "index", "use the spatial index for few spheres too", .on = &show.index },
        { "sequential", "compute them one after the other", .on = &show.sequential },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "spheres",
                                    .summary = "Spheres bounce off each other.",
                                    .window = { .title = "Spheres", .width = 960, .height = 720 },
                                    .gfx3d = true,
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .create = create,
                                    .extract = draw_box,
                                    .end = end,
                                    .user = &show });
}
