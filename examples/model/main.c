// Model: a detailed mesh, coloured by its normals. It shows
//   - a mesh made by code: a knot with a skin of scales, 345,600 triangles (knot.c; FiloMeshData, filo_gfx3d_add_mesh);
//   - or any OBJ, glTF or GLB file, with its size, its triangles, and how long it took to load;
//   - a shader that changes the surface, assets/normals.glsl: it is loaded again when it is saved;
//   - a camera that orbits, a sun, and a floor that receives its shadow.
//
// Drag with the left button to turn, with the right one to move, and turn the wheel.
//
// Try: ./dev run model
//      ./dev run model --file ~/Downloads/dragon.obj
//      ./dev run model --file castle.glb --plain  with its own materials
//      ./dev run model --turns 3 --loops 4        another knot
//      ./dev run model --plain                    lit, without colours
//      ./dev run model --backend gl --headless --frames 1 --shot model.png

#include <filo/filo.h>
#include <stdio.h>
#include <string.h>

#include "knot.h"

typedef struct Show {
    Knot knot;
    bool plain;
    const char *file; // flag; NULL: the knot
    FiloVec3 size;    // what is on the screen
    uint32_t triangles, vertices;
    double seconds; // that it took to load, with its textures
    float shown_height;
} Show;

#define FLOOR (-1.6f)
#define WIDTH 5.0f // of what is shown of a file, in the longest of its directions

// ---- The mesh -------------------------------------------------------------------------------------------------------

static void count(Show *show, const FiloMeshData *mesh) {
    uint32_t corners = mesh->indices != NULL ? mesh->index_count : mesh->vertex_count;
    if (mesh->part_count > 0 && mesh->level_count > 1) { // the first level is the mesh itself
        corners = 0;
        for (uint32_t i = 0; i < mesh->part_count; i++) corners += mesh->parts[i].count;
    }
    show->triangles = corners / 3;
    show->vertices = mesh->vertex_count;
    show->size = filo_vec3_sub(mesh->bounds.max, mesh->bounds.min);
}

static FiloResult create_knot(FiloApp *app, Show *show) {
    FiloMeshData mesh;
    FiloResult r = knot_make(&mesh, &show->knot);
    if (r.code == FILO_OK) r = filo_gfx3d_add_mesh(filo_app_gfx3d(app), filo_name("knot"), &mesh);
    if (r.code == FILO_OK) count(show, &mesh);
    filo_mesh_free(&mesh, NULL); // it was copied
    filo_create(filo_app_world(app), FILO_SET(FiloMesh, .mesh = filo_name("knot"),
                                              .material = filo_name(show->plain ? "plain" : "normals")));
    return r;
}

// A file of any size stands on the floor, in the middle.
static FiloResult create_file(FiloApp *app, Show *show) {
    FiloAssets *assets = filo_app_assets(app);
    const char *name = filo_path_name(show->file);
    if (!filo_path_has_extension(name, "obj") && !filo_path_has_extension(name, "gltf") &&
        !filo_path_has_extension(name, "glb"))
        return filo_error(FILO_ERROR_ARGUMENT, "%s: is neither .obj nor .gltf nor .glb", show->file);
    int64_t start = filo_time_ns();
    FiloAsset asset = filo_assets_load(assets, name);
    FiloResult r = filo_assets_wait(assets, asset);
    if (r.code != FILO_OK) return r;
    filo_assets_wait_all(assets); // its textures
    show->seconds = (double)(filo_time_ns() - start) * 1e-9;
    const FiloMeshData *mesh = &((const FiloModelAsset *)filo_asset_data(assets, asset))->whole;
    if (mesh->vertex_count == 0) return filo_error(FILO_ERROR_DATA, "%s: has no mesh", show->file);
    count(show, mesh);
    float scale = WIDTH / filo_max(filo_max(show->size.x, show->size.y), filo_max(show->size.z, 1e-6f));
    FiloVec3 low = mesh->bounds.min, middle = filo_aabb3_centre(mesh->bounds);
    show->shown_height = scale * show->size.y;
    filo_create(filo_app_world(app),
                FILO_SET(FiloTransform3, .scale = { scale, scale, scale },
                         .position = { -scale * middle.x, FLOOR - scale * low.y, -scale * middle.z }),
                FILO_SET(FiloMesh, .mesh = filo_name(name),
                         .material = show->plain ? (FiloName){ 0 } : filo_name("normals")));
    return filo_ok();
}

// ---- Setup ----------------------------------------------------------------------------------------------------------

// The assets of a file are those beside it, so the shader is read from the folder of this example.
static FiloResult add_normals(FiloGfx3d *gfx, const Show *show) {
    FiloMaterialDesc desc = { .shader = "normals.glsl", .values = { FILO_FLOAT("roughness", 0.45f) } };
    if (show->file == NULL) return filo_gfx3d_add_material(gfx, filo_name("normals"), &desc);
    FiloFileData file;
    FiloResult r = filo_file_read(&file, FILO_EXAMPLE_ASSETS "/normals.glsl", NULL);
    if (r.code != FILO_OK) return r;
    static char source[8192];
    (void)snprintf(source, sizeof source, "%.*s", (int)file.size, file.text);
    desc.source = source;
    r = filo_gfx3d_add_material(gfx, filo_name("normals"), &desc);
    filo_file_free(&file);
    return r;
}

static FiloResult add_materials(FiloGfx3d *gfx, const Show *show) {
    FiloResult r = add_normals(gfx, show);
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
    Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    FiloResult r = add_materials(filo_app_gfx3d(app), show);
    if (r.code == FILO_OK) r = show->file != NULL ? create_file(app, show) : create_knot(app, show);
    if (r.code != FILO_OK) return r;
    filo_create(world, FILO_SET(FiloTransform3, .position = { 0, FLOOR, 0 }, .scale = { 400, 1, 400 }),
                FILO_SET(FiloMesh, .mesh = filo_name("plane"), .material = filo_name("floor")));
    filo_create(
        world,
        FILO_SET(FiloTransform3, .rotation = filo_quat_look(filo_vec3(-0.6f, -1, -0.5f), filo_vec3(0, 1, 0))),
        FILO_SET(FiloLight, .shadows = true, .intensity = 2.6f, .shadow_distance = 30));
    const FiloColor dusk = filo_color_from_hex(0x14171EFF);
    float middle = show->file != NULL ? FLOOR + 0.5f * show->shown_height : -0.1f;
    filo_create(world, FILO_SET(FiloCamera3, .field_of_view = 0.75f, .background = dusk),
                FILO_SET(FiloOrbit, .centre = { 0, middle, 0 }, .distance = 8.2f, .yaw = 0.5f,
                         .pitch = show->file != NULL ? -0.25f : -0.45f, .spin = 0.3f));
    filo_set_global(world, FiloEnvironment, .no_sky = true, .ambient_color = filo_color_from_hex(0x8890A0FF),
                    .fog_color = dusk, .fog_density = 0.06f, .bloom = 0.1f);
    return r;
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Show *show = filo_app_user(app);
    if (show->file == NULL) return;
    filo_draw_text(draw, 14, 12, 2, FILO_COLOR_WHITE, filo_path_name(show->file));
    filo_draw_format(draw, 14, 36, 2, FILO_COLOR_GREY, "%u triangles, %u vertices", show->triangles,
                     show->vertices);
    filo_draw_format(draw, 14, 60, 2, FILO_COLOR_GREY, "%.4g x %.4g x %.4g, loaded in %.2f s",
                     (double)show->size.x, (double)show->size.y, (double)show->size.z, show->seconds);
}

// ---- Main -----------------------------------------------------------------------------------------------------------

// The folder of --file, so that textures and materials beside it are found: the app opens its assets before flags are read.
static const char *asset_folder(int argc, char **argv) {
    static char folder[1024];
    const char *file = NULL;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--file=", 7) == 0) file = argv[i] + 7;
        if (strcmp(argv[i], "--file") == 0 && i + 1 < argc) file = argv[i + 1];
    }
    if (file == NULL || !filo_path_folder(folder, sizeof folder, file)) return FILO_EXAMPLE_ASSETS;
    return folder;
}

int main(int argc, char **argv) {
    static Show show = { .knot = { .turns = 2, .loops = 3 } };
    const FiloFlag flags[] = {
        { "file", "a model: OBJ, glTF or GLB", .path = &show.file },
        { "turns", "how often the knot goes around its axis", .integer = &show.knot.turns, .min = 1,
          .max = 12 },
        { "loops", "how often it goes through its hole", .integer = &show.knot.loops, .min = 1, .max = 12 },
        { "plain", "without the colours of normals: a file with its own materials", .on = &show.plain },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "model",
                                    .summary = "A detailed mesh, coloured by its normals",
                                    .gfx3d = true,
                                    .asset_folder = asset_folder(argc, argv),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .user = &show,
                                    .create = create,
                                    .draw = draw });
}
