// The asset type "model", and meshes that are in model files: "rock.obj" is a whole file, "robot.glb#Arm" one mesh of it.

#include "gfx3d/meshes/meshes.h"

#include <filo/files.h>
#include <filo/log.h>

#include "base/file_system.h"
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

#define LEVELS 5

// ---- The asset type -------------------------------------------------------------------------------------------

FiloResult gfx3d_model_place(Gfx3dModelPlace *place, const FiloAssets *assets, const char *name) {
    *place = (Gfx3dModelPlace){ .assets = assets };
    const char *slash = strrchr(name, '/');
    size_t length = slash != NULL ? (size_t)(slash - name) + 1 : 0;
    if (length >= sizeof place->folder) return filo_error(FILO_ERROR_LIMIT, "%s: the path is too long", name);
    memcpy(place->folder, name, length);
    return filo_ok();
}

FiloResult gfx3d_model_open_beside(FiloFileData *data, const char *path, const FiloAllocator *allocator,
                                   void *user) {
    const Gfx3dModelPlace *place = user;
    const char *assets = filo_assets_folder(place->assets);
    char full[FILO_PATH_SIZE];
    int length = snprintf(full, sizeof full, "%s/%s%s", assets, place->folder, path);
    if (length < 0 || (size_t)length >= sizeof full)
        return filo_error(FILO_ERROR_LIMIT, "%s%s: the path is too long", place->folder, path);
    FiloResult r = base_fs_check_inside(full, assets);
    return r.code == FILO_OK ? filo_file_read(data, full, &(FiloFileReadDesc){ .allocator = allocator }) : r;
}

static const char *extension_of(const char *file) {
    const char *dot = strrchr(file, '.');
    return dot != NULL ? dot + 1 : "";
}

// A model is loaded again when a file beside it changes: these are assets, too, of the type "model part".
static void depend_on_parts(const FiloAssetBytes *bytes, const FiloModel *model, const char *folder) {
    for (uint32_t i = 0; i < model->file_count; i++) {
        const char *extension = extension_of(model->files[i]);
        char name[FILO_PATH_SIZE];
        int length = snprintf(name, sizeof name, "%s%s", folder, model->files[i]);
        bool known = strcmp(extension, "mtl") == 0 || strcmp(extension, "bin") == 0;
        if (known && length > 0 && (size_t)length < sizeof name)
            (void)filo_assets_depend(bytes->assets, bytes->asset, name);
    }
}

static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    Gfx3dModelPlace place;
    FiloResult r = gfx3d_model_place(&place, bytes->assets, bytes->name);
    if (r.code != FILO_OK) return r;
    FiloModelAsset *asset = filo_alloc_zero(bytes->allocator, sizeof *asset, 0);
    if (asset == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory", bytes->name);
    const FiloModelOptions options = { .optimise = { .weld = true, .reorder = true, .levels = LEVELS },
                                       .open = gfx3d_model_open_beside,
                                       .user = &place,
                                       .allocator = bytes->allocator };
    r = filo_model_decode(&asset->model, bytes->bytes, bytes->size, bytes->name, &options);
    if (r.code == FILO_OK && asset->model->mesh_count > 0) {
        r = filo_model_flatten(&asset->whole, asset->model, bytes->allocator);
        if (r.code == FILO_OK && (asset->model->mesh_count > 1 || asset->whole.level_count <= 1))
            r = filo_mesh_optimise(&asset->whole, &options.optimise, bytes->allocator);
    }
    if (r.code != FILO_OK) {
        filo_mesh_free(&asset->whole, bytes->allocator);
        filo_model_destroy(asset->model);
        filo_free(bytes->allocator, asset, sizeof *asset, 0);
        return r;
    }
    depend_on_parts(bytes, asset->model, place.folder);
    *data = asset;
    return r;
}

// Of a part only the version counts. The model reads it again.
static FiloResult decode_part(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(bytes);
    FILO_UNUSED(user);
    static char something;
    *data = &something;
    return filo_ok();
}

static void free_part(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(data);
    FILO_UNUSED(allocator);
    FILO_UNUSED(user);
}

static void free_model(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    FiloModelAsset *asset = data;
    filo_mesh_free(&asset->whole, allocator);
    filo_model_destroy(asset->model);
    filo_free(allocator, asset, sizeof *asset, 0);
}

static size_t model_size(const void *data, void *user) {
    FILO_UNUSED(user);
    const FiloModelAsset *asset = data;
    return asset->model->memory + asset->whole.memory_size;
}

FiloResult gfx3d_models_register(FiloAssets *assets) {
    FiloResult r = filo_assets_register(assets, &(FiloAssetType){ .name = "model",
                                                                  .extensions = { "obj", "gltf", "glb" },
                                                                  .decode = decode,
                                                                  .size = model_size,
                                                                  .free = free_model });
    if (r.code == FILO_OK)
        r = filo_assets_register(assets, &(FiloAssetType){ .name = "model part",
                                                           .extensions = { "mtl", "bin" },
                                                           .decode = decode_part,
                                                           .free = free_part });
    return r.code == FILO_ERROR_EXISTS ? filo_ok() : r;
}

// ---- Meshes of models -------------------------------------------------------------------------------------------

FiloResult gfx3d_models_init(FiloGfx3d *gfx) {
    return gfx->assets != NULL ? gfx3d_models_register(gfx->assets) : filo_ok();
}

void gfx3d_models_deinit(FiloGfx3d *gfx) {
    if (gfx->assets == NULL) return;
    filo_array_each (&gfx->meshes->list, mesh) filo_assets_unload(gfx->assets, mesh->asset);
}

// The part of a name before "#".
static void file_of(char *out, size_t size, const char *name) {
    size_t length = strcspn(name, "#");
    length = FILO_MIN(length, size - 1);
    memcpy(out, name, length);
    out[length] = 0;
}

static bool has_extension(const char *file) {
    const char *extension = extension_of(file);
    return strcmp(extension, "obj") == 0 || strcmp(extension, "gltf") == 0 || strcmp(extension, "glb") == 0;
}

// ---- Meshes that do not exist -------------------------------------------------------------------------------

#define PROBLEM_SIZE 512

// The built-in mesh that is meant by another usual name; NULL: none.
static const char *usual_name(const char *name) {
    static const char *const names[][2] = {
        { "cube", "box" }, { "ball", "sphere" }, { "quad", "plane" }, { "donut", "torus" }
    };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        if (strcmp(name, names[i][0]) == 0) return names[i][1];
    return NULL;
}

// A file that is loaded, but does not have the mesh of that name.
static FiloResult no_such_part(const FiloModel *model, const char *part) {
    BaseSuggestion suggestion = base_suggest(filo_string(part));
    for (uint32_t i = 0; i < model->mesh_count; i++)
        base_suggest_offer(&suggestion, filo_string(model->meshes[i].name));
    char meant[BASE_SUGGEST_SIZE];
    return filo_error(FILO_ERROR_NOT_FOUND, "%s: the file has no mesh \"%s\"%s", model->name, part,
                      base_suggest_print(&suggestion, meant));
}

// The sentence about a mesh that is missing. Empty if its file could not be loaded, which the assets report.
static const char *describe_missing(const FiloGfx3d *gfx, const Gfx3dMesh *mesh, char text[PROBLEM_SIZE]) {
    char file[FILO_PATH_SIZE], meant[BASE_SUGGEST_SIZE];
    const char *name = filo_name_text(mesh->name), *usual = usual_name(name);
    file_of(file, sizeof file, name);
    text[0] = '\0';
    if (has_extension(file)) {
        const char *part = strchr(name, '#');
        if (gfx->assets == NULL)
            (void)snprintf(text, PROBLEM_SIZE, "the mesh \"%s\" cannot be loaded: the renderer has no assets",
                           name);
        else if (part != NULL && filo_asset_state(gfx->assets, mesh->asset) == FILO_ASSET_READY) {
            const FiloModelAsset *asset = filo_asset_data(gfx->assets, mesh->asset);
            (void)snprintf(text, PROBLEM_SIZE, "%s", no_such_part(asset->model, part + 1).message);
        }
        return text;
    }
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    filo_array_each (&gfx->meshes->list, other)
        if (other->loaded) base_suggest_offer(&suggestion, filo_name_string(other->name));
    base_suggest_print(&suggestion, meant);
    if (usual != NULL) (void)snprintf(meant, sizeof meant, ": did you mean \"%s\"?", usual);
    (void)snprintf(text, PROBLEM_SIZE,
                   "there is no mesh \"%s\"%s (add it by filo_gfx3d_add_mesh, or name a file that ends in "
                   ".obj, .gltf or .glb)",
                   name, meant);
    return text;
}

void gfx3d_models_request(FiloGfx3d *gfx, Gfx3dMesh *mesh) {
    char file[FILO_PATH_SIZE], text[PROBLEM_SIZE];
    file_of(file, sizeof file, filo_name_text(mesh->name));
    mesh->requested = true;
    mesh->missing = !has_extension(file) || gfx->assets == NULL;
    if (mesh->missing)
        filo_log_warn("gfx3d", "%s", describe_missing(gfx, mesh, text));
    else
        mesh->asset = filo_assets_load_as(gfx->assets, "model", file);
}

void gfx3d_meshes_problems(const FiloGfx3d *gfx, FiloLines *lines) {
    char text[PROBLEM_SIZE];
    filo_array_each (&gfx->meshes->list, mesh)
        if (mesh->missing && describe_missing(gfx, mesh, text)[0] != '\0') filo_lines_add(lines, "%s", text);
}

// Batches of it are made again, with the material of errors.
static void set_missing(FiloGfx3d *gfx, Gfx3dMesh *mesh) {
    if (mesh->missing || mesh->loaded) return;
    mesh->missing = true;
    gfx->mesh_generation++;
}

// ---- Files --------------------------------------------------------------------------------------------------

void gfx3d_models_forget(FiloGfx3d *gfx, Gfx3dMesh *mesh) {
    if (mesh->asset.id != 0) filo_assets_unload(gfx->assets, mesh->asset);
    mesh->asset = (FiloAsset){ 0 };
    mesh->version = 0;
    mesh->requested = mesh->missing = false;
}

void gfx3d_models_begin(FiloGfx3d *gfx) {
    gfx->meshes->series = true;
    gfx->meshes->former = NULL;
}

void gfx3d_models_end(FiloGfx3d *gfx) { gfx->meshes->series = false; }

// Adds the materials of a model. Within a series, its next mesh finds them. False without memory.
static bool add_materials(FiloGfx3d *gfx, const FiloModel *model) {
    Gfx3dMeshes *meshes = gfx->meshes;
    if (meshes->series && meshes->former == model) return true;
    filo_array_clear(&meshes->materials);
    for (uint32_t i = 0; i < model->material_count; i++)
        if (!filo_array_push(&meshes->materials, gfx3d_material_add_from_model(gfx, model, i))) return false;
    meshes->former = model;
    meshes->next_part = 0;
    return true;
}

// Within a series, the next mesh of the file is looked at first.
static uint32_t find_part(FiloGfx3d *gfx, const FiloModel *model, const char *name) {
    uint32_t *next = &gfx->meshes->next_part;
    bool found = *next < model->mesh_count && strcmp(model->meshes[*next].name, name) == 0;
    if (!found) *next = filo_model_find_mesh(model, name);
    return *next != FILO_MODEL_NONE ? (*next)++ : FILO_MODEL_NONE;
}

// Fills the slot of one mesh from its file.
static FiloResult fill(FiloGfx3d *gfx, uint32_t index, const FiloModelAsset *asset) {
    const char *name = filo_name_text(gfx->meshes->list.items[index].name);
    const char *part = strchr(name, '#');
    const FiloModel *model = asset->model;
    const FiloMeshData *data = &asset->whole;
    bool ok = add_materials(gfx, model);
    if (part != NULL) {
        uint32_t found = find_part(gfx, model, part + 1);
        if (found == FILO_MODEL_NONE) return no_such_part(model, part + 1);
        data = &model->meshes[found].data;
    }
    const Gfx3dMeshes *meshes = gfx->meshes;
    gfx->uploaded += (size_t)data->vertex_count * sizeof(Gfx3dVertex) + (size_t)data->index_count * 4;
    FiloResult r =
        ok ? gfx3d_mesh_fill(gfx, index,
                             &(Gfx3dLevelSource){ .data = data,
                                                  .materials = meshes->materials.items,
                                                  .material_count = (uint32_t)meshes->materials.count },
                             1)
           : filo_error(FILO_ERROR_MEMORY, "%s: no memory for materials", model->name);
    return r;
}

// Without memory, the last good version stays, and the next frame tries again. That is logged once.
static void update(FiloGfx3d *gfx, uint32_t index, uint32_t version) {
    FiloResult r = fill(gfx, index, filo_asset_data(gfx->assets, gfx3d_mesh_at(gfx, index)->asset));
    Gfx3dMesh *mesh = gfx3d_mesh_at(gfx, index);
    bool again = r.code == FILO_ERROR_MEMORY;
    if (r.code != FILO_OK && !mesh->refused) filo_log_warn("gfx3d", "%s", r.message);
    mesh->refused = again;
    if (again) return;
    mesh->version = version;
    if (r.code != FILO_OK) set_missing(gfx, mesh);
}

void gfx3d_models_update_mesh(FiloGfx3d *gfx, uint32_t index) {
    Gfx3dMesh *mesh = gfx3d_mesh_at(gfx, index);
    if (mesh->asset.id == 0) return;
    if (filo_asset_state(gfx->assets, mesh->asset) == FILO_ASSET_FAILED) set_missing(gfx, mesh);
    uint32_t version = filo_asset_version(gfx->assets, mesh->asset);
    if (version != mesh->version) update(gfx, index, version);
}

// What is over the limit keeps its box, or its last version, until the next extraction.
void gfx3d_models_update(FiloGfx3d *gfx) {
    gfx3d_models_begin(gfx);
    for (uint32_t i = 0; i < gfx->meshes->list.count && gfx->uploaded < gfx->upload_limit; i++)
        gfx3d_models_update_mesh(gfx, i);
    gfx3d_models_end(gfx);
}
