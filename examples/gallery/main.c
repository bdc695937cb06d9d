// Gallery: a courtyard in the evening, lit by the sun and by lanterns.
//
// Shows: materials from files, textures and a mesh made by code, models from glTF files as prefabs, animated figures,
// something attached to a hand, a sun with shadows, point lights, a shader that moves vertices, glass, particles.
//
// Try: hold the right mouse button and look around, W A S D to walk. Change a .material or .glsl file in
// examples/gallery/assets while it runs. F3 shows numbers.

#include "gallery.h"

#include <stdio.h>

static FiloQuat turn(float angle) { return filo_quat_from_axis_angle(filo_vec3(0, 1, 0), angle); }

static FiloName material(const char *name) {
    char file[64];
    snprintf(file, sizeof file, "%s.material", name);
    return filo_name(file);
}

static void place_turned(FiloWorld *world, const char *mesh, const char *look, FiloVec3 position,
                         FiloVec3 size, FiloQuat rotation) {
    filo_create(world, FILO_SET(FiloTransform3, .position = position, .scale = size, .rotation = rotation),
                FILO_SET(FiloMesh, .mesh = filo_name(mesh), .material = material(look)));
}

static void place(FiloWorld *world, const char *mesh, const char *look, FiloVec3 position, FiloVec3 size) {
    place_turned(world, mesh, look, position, size, (FiloQuat){ 0 });
}

// ---- Components and systems -----------------------------------------------------------------------------------

typedef struct Stroll { // walks in a circle
    float radius, angle, speed;
} Stroll;
FILO_REFLECT(Stroll, FILO_FIELD(float, radius), FILO_FIELD(float, angle), FILO_FIELD(float, speed))

static void stroll(FiloIter *it) {
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    Stroll *walk = filo_write(it, Stroll);
    for (size_t i = 0; i < it->count; i++) {
        walk[i].angle = filo_angle_wrap(walk[i].angle + it->delta * walk[i].speed / walk[i].radius);
        float a = walk[i].angle;
        transform[i].position = filo_vec3(walk[i].radius * filo_cos(a), 0, -walk[i].radius * filo_sin(a));
        transform[i].rotation = turn(a + FILO_PI);
    }
}

// ---- The building -----------------------------------------------------------------------------------------------

static void build_hall(FiloWorld *world) {
    place(world, "plane", "floor", filo_vec3(0, 0, 0), filo_vec3(24, 1, 24));
    for (int side = -1; side <= 1; side += 2) {
        for (int i = -3; i <= 3; i++) {
            float x = (float)i * 3, z = (float)side * 6;
            place(world, "cylinder", "stone", filo_vec3(x, 2.2f, z), filo_vec3(0.62f, 4.0f, 0.62f));
            place(world, "box", "stone", filo_vec3(x, 0.12f, z), filo_vec3(1, 0.24f, 1));
            place(world, "box", "stone", filo_vec3(x, 4.3f, z), filo_vec3(0.95f, 0.25f, 0.95f));
            if (i < 3 && side < 0)
                filo_create(world,
                            FILO_SET(FiloTransform3, .position = { x + 1.5f, 4.2f, z + 0.1f },
                                     .scale = { 1.5f, 1, 1 }),
                            FILO_SET(FiloMesh, .mesh = filo_name("banner"), .material = material("banner"),
                                     .color = i % 2 == 0 ? filo_color(89, 128, 255, 255) : FILO_COLOR_WHITE));
        }
        place(world, "box", "stone", filo_vec3(0, 4.7f, (float)side * 6), filo_vec3(20.5f, 0.55f, 1.1f));
    }
    place(world, "box", "stone", filo_vec3(0, 2.4f, -9), filo_vec3(24, 4.8f, 0.5f));
    for (int step = 0; step < 3; step++)
        place(world, "cylinder", "stone", filo_vec3(0, 0.12f + 0.22f * (float)step, 0),
              filo_vec3(3.6f - 0.8f * (float)step, 0.24f, 3.6f - 0.8f * (float)step));
}

static void show_materials(FiloWorld *world) {
    const char *const looks[] = { "gold", "chrome", "copper", "clay", "lacquer", "glass" };
    for (int i = 0; i < 6; i++) {
        float x = (float)(i % 3 - 1) * 3, z = i < 3 ? -3.6f : 3.6f;
        place(world, "box", "stone", filo_vec3(x, 0.55f, z), filo_vec3(0.8f, 1.1f, 0.8f));
        if (i % 3 == 2)
            place_turned(world, "torus", looks[i], filo_vec3(x, 1.55f, z), filo_vec3(0.75f, 0.75f, 0.75f),
                         filo_quat_from_axis_angle(filo_vec3(1, 0.4f, 0), 1.35f));
        else
            place(world, "sphere", looks[i], filo_vec3(x, 1.55f, z), filo_vec3(0.85f, 0.85f, 0.85f));
    }
    place_turned(world, "knot", "bronze", filo_vec3(0, 1.75f, 0), filo_vec3(1.15f, 1.15f, 1.15f),
                 filo_quat_from_axis_angle(filo_vec3(1, 0, 0.3f), 1.2f));
}

// ---- Figures and lanterns ---------------------------------------------------------------------------------------

static void put_lantern(FiloWorld *world, FiloEntity prefab, FiloVec3 position, float scale) {
    (void)filo_instance(world, prefab,
                        FILO_SET(FiloTransform3, .position = position, .scale = { scale, scale, scale }));
    filo_create(world, FILO_SET(FiloTransform3, .position = filo_vec3_add(position, filo_vec3(0, 0.35f, 0))),
                FILO_SET(FiloLight, .kind = FILO_LIGHT_POINT, .color = filo_color(255, 158, 71, 255),
                         .intensity = 5, .range = 7));
}

static FiloEntity add_figure(FiloWorld *world, FiloEntity prefab, FiloVec3 position, float angle,
                             const char *clip, float time) {
    FiloEntity figure =
        filo_instance(world, prefab, FILO_SET(FiloTransform3, .position = position, .rotation = turn(angle)));
    if (figure.id == 0) return figure; // no memory
    FiloFigure *play = filo_edit(world, figure, FiloFigure);
    play->clip = filo_name(clip);
    play->time = time;
    return figure;
}

static FiloResult add_models(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    FiloEntity figure, lantern;
    FiloResult r = filo_gfx3d_prefab(&figure, filo_app_gfx3d(app), "figure.glb");
    if (r.code == FILO_OK) r = filo_gfx3d_prefab(&lantern, filo_app_gfx3d(app), "lantern.glb");
    if (r.code != FILO_OK) return r;
    for (int i = -1; i <= 1; i += 2) {
        put_lantern(world, lantern, filo_vec3((float)i * 4.5f, 0, 4.9f), 1.6f);
        put_lantern(world, lantern, filo_vec3((float)i * 4.5f, 0, -5.0f), 1.6f);
    }
    add_figure(world, figure, filo_vec3(1.7f, 0, 3.2f), 2.6f, "wave", 0.4f);
    add_figure(world, figure, filo_vec3(-2.6f, 0, 1.9f), 2.2f, "idle", 1.1f);
    FiloEntity walker = add_figure(world, figure, filo_vec3(0, 0, 0), 0, "walk", 0);
    filo_set(world, walker, Stroll, .radius = 5, .angle = 2.5f, .speed = 1.3f);
    FiloEntity carried =
        filo_instance(world, lantern, FILO_SET(FiloTransform3, .scale = { 0.5f, 0.5f, 0.5f }));
    filo_set(world, carried, FiloAttach, .joint = filo_name("right hand"),
             .offset = { .position = { 0, -0.35f, 0 }, .scale = { 0.45f, 0.45f, 0.45f } });
    filo_entity_set_parent(world, carried, walker);
    return r;
}

// ---- Light, camera ------------------------------------------------------------------------------------------------

static void add_light(FiloWorld *world) {
    filo_create(world,
                FILO_SET(FiloTransform3,
                         .rotation = filo_quat_look(filo_vec3(-0.75f, -0.55f, -0.5f), filo_vec3(0, 1, 0))),
                FILO_SET(FiloLight, .kind = FILO_LIGHT_SUN, .shadows = true,
                         .color = filo_color(255, 219, 173, 255), .intensity = 4, .shadow_distance = 40));
    filo_set_global(world, FiloEnvironment, .haze = 0.12f, .ambient = 0.8f, .fog_density = 0.006f,
                    .bloom = 0.25f);
    filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 3, -2 }),
                FILO_SET(FiloParticles, .rate = 40, .seconds = 9, .age = 20, .box = { 16, 5, 9 },
                         .velocity = { 0.08f, 0.03f, 0 }, .spread = { 0.1f, 0.06f, 0.1f }, .size = 0.03f,
                         .add = true, .color = filo_color(128, 102, 64, 128)));
    filo_create(world, FILO_SET(FiloTransform3, .position = { 5.4f, 1.9f, 5.3f }),
                FILO_SET(FiloCamera3, .field_of_view = 1.05f, .far = 200),
                FILO_SET(FiloFlight, .yaw = 0.78f, .pitch = -0.04f, .speed = 3));
}

static FiloResult add_meshes(FiloGfx3d *gfx) {
    FiloMeshData banner;
    FiloResult r =
        filo_mesh_plane(&banner, &(FiloPlaneDesc){ .size = { 1, 3 }, .columns = 6, .rows = 16 }, NULL);
    if (r.code != FILO_OK) return r;
    // The plane looks up: turned so that it hangs down from its upper edge.
    FiloMat4 hang = filo_mat4_mul(filo_mat4_translate(filo_vec3(0, -1.5f, 0)),
                                  filo_mat4_rotate(filo_vec3(1, 0, 0), FILO_HALF_PI));
    filo_mesh_transform(&banner, &hang);
    r = filo_gfx3d_add_mesh(gfx, filo_name("banner"), &banner);
    filo_mesh_free(&banner, NULL);
    return r.code == FILO_OK ? gallery_add_sculpture(gfx) : r;
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Stroll);
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "stroll",
                                       .run = stroll,
                                       .query.terms = { FILO_WRITE(FiloTransform3), FILO_WRITE(Stroll) } });
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    FiloResult r = gallery_add_textures(filo_app_gfx3d(app));
    if (r.code == FILO_OK) r = add_meshes(filo_app_gfx3d(app));
    if (r.code == FILO_OK) r = add_models(app);
    if (r.code != FILO_OK) return r;
    build_hall(filo_app_world(app));
    show_materials(filo_app_world(app));
    add_light(filo_app_world(app));
    return r;
}

int main(int argc, char **argv) {
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "gallery",
                                    .summary = "a courtyard with figures, in the evening",
                                    .window = { .width = 960, .height = 540 },
                                    .asset_folder = FILO_EXAMPLE_ASSETS,
                                    .gfx3d = true,
                                    .define = define,
                                    .create = create });
}
