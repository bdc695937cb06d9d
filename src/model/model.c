// Models: reading a file by its extension, completing what the readers have filled, searching, and flattening.

#include "model/model.h"

#include <filo/check.h>
#include <filo/log.h>

#include <stdio.h>
#include <string.h>

void model_warn(ModelReader *reader, const char *format, ...) {
    if (!model_may_warn(reader)) return;
    char message[FILO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    bool last = ++reader->warnings == MODEL_WARNINGS;
    filo_log_warn("model", "%s%s", message, last ? " (more warnings about this file are not logged)" : "");
}

// ---- Completing -----------------------------------------------------------------------------------------

static bool has_normal_map(const FiloModel *model, const FiloMeshData *mesh) {
    for (uint32_t i = 0; i < mesh->part_count; i++) {
        uint32_t material = mesh->parts[i].material;
        if (material < model->material_count &&
            model->materials[material].normal_map.image != FILO_MODEL_NONE)
            return true;
    }
    return false;
}

// Replaces the mesh by one that has tangents too, and computes them.
static FiloResult add_tangents(ModelReader *reader, FiloMeshData *mesh) {
    FiloMeshData larger;
    FiloResult r =
        model_mesh_create(reader, &larger,
                          &(FiloMeshDesc){ .vertices = mesh->vertex_count,
                                           .indices = mesh->indices != NULL ? mesh->index_count : 0,
                                           .parts = mesh->part_count,
                                           .levels = mesh->level_count,
                                           .arrays = model_mesh_arrays(mesh) | FILO_MESH_TANGENTS });
    if (r.code != FILO_OK) return r;
    model_mesh_copy_arrays(&larger, mesh);
    reader->memory -= mesh->memory_size;
    filo_mesh_free(mesh, reader->allocator);
    *mesh = larger;
    filo_mesh_update_tangents(mesh);
    return filo_ok();
}

static FiloResult optimise(ModelReader *reader, FiloModelMesh *mesh) {
    const FiloMeshOptimise *options = &reader->options->optimise;
    if (!options->weld && !options->reorder && options->levels < 2) return filo_ok();
    reader->memory -= mesh->data.memory_size;
    FiloResult r = filo_mesh_optimise(&mesh->data, options, reader->allocator);
    reader->memory += mesh->data.memory_size;
    return r.code == FILO_OK ? r
                             : filo_error(r.code, "%s: mesh \"%s\": %s", reader->name, mesh->name, r.message);
}

static FiloResult complete_meshes(ModelReader *reader) {
    FiloModel *model = reader->model;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        FiloModelMesh *mesh = &model->meshes[i];
        bool wanted = !reader->options->no_tangents && has_normal_map(model, &mesh->data);
        FiloResult r = filo_ok();
        if (wanted && mesh->data.tangents == NULL && mesh->data.normals != NULL && mesh->data.uvs != NULL)
            r = add_tangents(reader, &mesh->data);
        if (r.code == FILO_OK) r = optimise(reader, mesh);
        if (r.code != FILO_OK) return r;
        filo_mesh_update_bounds(&mesh->data);
    }
    return filo_ok();
}

static FiloResult make_skeleton(ModelReader *reader) {
    FiloModel *model = reader->model;
    uint32_t count = model->node_count;
    if (count == 0) return filo_ok();
    uint32_t *parents = MODEL_NEW(reader, uint32_t, count);
    const char **names = parents != NULL ? MODEL_NEW(reader, const char *, count) : NULL;
    FiloVec3 *positions = names != NULL ? MODEL_NEW(reader, FiloVec3, count) : NULL;
    FiloQuat *rotations = positions != NULL ? MODEL_NEW(reader, FiloQuat, count) : NULL;
    FiloVec3 *scales = rotations != NULL ? MODEL_NEW(reader, FiloVec3, count) : NULL;
    if (scales == NULL) return reader->result;
    for (uint32_t i = 0; i < count; i++) {
        const FiloModelNode *node = &model->nodes[i];
        parents[i] = node->parent;
        names[i] = node->name;
        positions[i] = node->position;
        rotations[i] = node->rotation;
        scales[i] = node->scale;
    }
    model->skeleton = (FiloSkeleton){ count, parents, names, positions, rotations, scales };
    return filo_ok();
}

// Multiplies every length of the model, so that no node gets another scale.
static void scale_model(FiloModel *model, float scale) {
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t v = 0; v < model->meshes[i].data.vertex_count; v++)
            model->meshes[i].data.positions[v] = filo_vec3_scale(model->meshes[i].data.positions[v], scale);
    for (uint32_t i = 0; i < model->node_count; i++)
        model->nodes[i].position = filo_vec3_scale(model->nodes[i].position, scale);
    for (uint32_t i = 0; i < model->light_count; i++) model->lights[i].range *= scale;
    for (uint32_t i = 0; i < model->camera_count; i++) {
        model->cameras[i].near *= scale;
        model->cameras[i].far *= scale;
        model->cameras[i].height *= scale;
    }
    // Only readers of models write these arrays, so they may be changed until the model is returned.
    for (uint32_t i = 0; i < model->skin_count; i++)
        for (uint32_t j = 0; j < model->skins[i].joint_count; j++) {
            FiloMat34 *matrix = (FiloMat34 *)&model->skins[i].inverse_bind[j];
            for (int row = 0; row < 3; row++) matrix->m[4 * row + 3] *= scale;
        }
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const FiloClip *clip = &model->clips[i];
        FiloVec3 *positions = (FiloVec3 *)clip->positions;
        for (size_t k = 0; k < (size_t)clip->row_count * clip->position_count; k++)
            positions[k] = filo_vec3_scale(positions[k], scale);
    }
}

static FiloResult complete(ModelReader *reader) {
    FiloModel *model = reader->model;
    float scale = reader->options->scale;
    if (scale != 0.0f && scale != 1.0f) scale_model(model, scale);
    FiloResult r = make_skeleton(reader);
    if (r.code == FILO_OK) r = complete_meshes(reader);
    if (r.code != FILO_OK || reader->file_count == 0) return r;
    model->files = MODEL_NEW(reader, const char *, reader->file_count);
    if (model->files == NULL) return reader->result;
    memcpy(model->files, reader->files, reader->file_count * sizeof *model->files);
    model->file_count = (uint32_t)reader->file_count;
    return filo_ok();
}

// ---- Reading --------------------------------------------------------------------------------------------

static FiloResult decode_with(ModelReader *reader) {
    FiloModel *model = reader->model;
    const char *file = filo_path_name(reader->name);
    model->name = model_copy_text(reader, file, strlen(file));
    if (model->name == NULL) return reader->result;
    FiloResult r =
        filo_path_has_extension(reader->name, "obj") ? model_obj_decode(reader) : model_gltf_decode(reader);
    return r.code == FILO_OK ? complete(reader) : r;
}

// `folder` NULL: files beside the model are opened by options->open only.
static FiloResult decode(FiloModel **model, const void *bytes, size_t size, const char *name,
                         const char *folder, const FiloModelOptions *options) {
    static const FiloModelOptions none = { 0 };
    *model = NULL;
    if (options == NULL) options = &none;
    if (!(options->scale >= 0.0f && options->scale <= 1e9f))
        return FILO_MISTAKE("the scale of a model is a number above 0, or 0 for 1");
    if (!filo_path_has_extension(name, "obj") && !filo_path_has_extension(name, "gltf") &&
        !filo_path_has_extension(name, "glb"))
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: not a model: the extension is not obj, gltf or glb",
                          name);
    const FiloAllocator *allocator = options->allocator != NULL ? options->allocator : filo_heap();
    ModelStore *store = filo_alloc_zero(allocator, sizeof *store, 0);
    if (store == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the model", name);
    store->allocator = allocator;
    store->model.internal = store;
    ModelReader reader = { .model = &store->model,
                           .bytes = bytes,
                           .size = size,
                           .name = name,
                           .options = options,
                           .allocator = allocator,
                           .memory_limit = options->memory_limit != 0 ? options->memory_limit : FILO_GIB(1),
                           .folder = folder };
    FiloResult r = decode_with(&reader);
    model_temporary_free(&reader, reader.files, reader.file_capacity * sizeof *reader.files);
    store->model.memory = reader.memory + sizeof *store;
    if (r.code == FILO_OK)
        *model = &store->model;
    else
        filo_model_destroy(&store->model);
    return r;
}

FiloResult filo_model_decode(FiloModel **model, const void *bytes, size_t size, const char *name,
                             const FiloModelOptions *options) {
    if (model == NULL) return FILO_MISTAKE("pass a pointer for the model that is read");
    *model = NULL;
    if (name == NULL || (bytes == NULL && size > 0))
        return FILO_MISTAKE("pass the bytes of a model and a name, whose extension gives the format");
    return decode(model, bytes != NULL ? bytes : "", size, name, NULL, options);
}

FiloResult filo_model_load(FiloModel **model, const char *path, const FiloModelOptions *options) {
    if (model == NULL) return FILO_MISTAKE("pass a pointer for the model that is read");
    *model = NULL;
    if (path == NULL) return FILO_MISTAKE("pass the path of a model");
    char folder[FILO_PATH_SIZE];
    FiloFileData data;
    FiloFileReadDesc desc = { 0 };
    if (options != NULL) {
        desc.allocator = options->allocator;
        desc.limit = options->memory_limit;
    }
    if (!filo_path_folder(folder, sizeof folder, path))
        return filo_error(FILO_ERROR_LIMIT, "%s: the path is too long", path);
    FiloResult r = filo_file_read(&data, path, &desc);
    if (r.code != FILO_OK) return r;
    r = decode(model, data.bytes, data.size, path, folder, options);
    filo_file_free(&data);
    return r;
}

void filo_model_destroy(FiloModel *model) {
    if (model == NULL) return;
    ModelStore *store = model->internal;
    if (!FILO_CHECK(store != NULL, "destroy only models that filo_model_load or filo_model_decode returned"))
        return;
    const FiloAllocator *allocator = store->allocator;
    for (uint32_t i = 0; i < model->mesh_count; i++) filo_mesh_free(&model->meshes[i].data, allocator);
    for (ModelBlock *block = store->blocks, *next; block != NULL; block = next) {
        next = block->next;
        filo_free(allocator, block, block->size, 0);
    }
    filo_free(allocator, store, sizeof *store, 0);
}

// ---- Searching ------------------------------------------------------------------------------------------

// Each list has structs of another type, all of which begin with their name or have it at the same offset.
static uint32_t find(const void *list, uint32_t count, size_t stride, const char *name) {
    for (uint32_t i = 0; i < count; i++) {
        const char *text;
        memcpy(&text, (const char *)list + i * stride, sizeof text);
        if (strcmp(text, name) == 0) return i;
    }
    return FILO_MODEL_NONE;
}

_Static_assert(offsetof(FiloModelMesh, name) == 0 && offsetof(FiloModelNode, name) == 0 &&
                   offsetof(FiloClip, name) == 0 && offsetof(FiloModelMaterial, name) == 0,
               "find reads the name at the beginning of each struct");

static bool can_find(const FiloModel *model, const char *name) {
    return FILO_CHECK(model != NULL && name != NULL, "pass a model, and the name to find in it");
}

uint32_t filo_model_find_mesh(const FiloModel *model, const char *name) {
    if (!can_find(model, name)) return FILO_MODEL_NONE;
    return find(model->meshes, model->mesh_count, sizeof *model->meshes, name);
}

uint32_t filo_model_find_node(const FiloModel *model, const char *name) {
    if (!can_find(model, name)) return FILO_MODEL_NONE;
    return find(model->nodes, model->node_count, sizeof *model->nodes, name);
}

uint32_t filo_model_find_clip(const FiloModel *model, const char *name) {
    if (!can_find(model, name)) return FILO_MODEL_NONE;
    return find(model->clips, model->clip_count, sizeof *model->clips, name);
}

uint32_t filo_model_find_material(const FiloModel *model, const char *name) {
    if (!can_find(model, name)) return FILO_MODEL_NONE;
    return find(model->materials, model->material_count, sizeof *model->materials, name);
}

FiloMat4 filo_model_node_matrix(const FiloModel *model, uint32_t node) {
    FiloMat4 matrix = filo_mat4_identity();
    if (!FILO_CHECK(model != NULL && node < model->node_count,
                    "pass a model, and the index of one of its nodes"))
        return matrix;
    for (uint32_t i = node;;) {
        const FiloModelNode *n = &model->nodes[i];
        matrix = filo_mat4_mul(filo_mat4_from_parts(n->position, n->rotation, n->scale), matrix);
        if (n->parent >= i) return matrix; // a root
        i = n->parent;
    }
}

// ---- Flattening -----------------------------------------------------------------------------------------

// A mesh without its skin. The vertices of a skin are in the space of the model already; its node does not move them.
static void take_mesh(const FiloModel *model, uint32_t node, FiloMeshData *data, FiloMat4 *matrix) {
    const FiloModelNode *n = &model->nodes[node];
    *data = model->meshes[n->mesh].data;
    *matrix = data->joints != NULL && n->skin != FILO_MODEL_NONE ? filo_mat4_identity()
                                                                 : filo_model_node_matrix(model, node);
    data->joints = NULL;
    data->weights = NULL;
}

static bool is_shown(const FiloModel *model, const FiloModelNode *node) {
    return node->mesh < model->mesh_count && !node->hidden;
}

FiloResult filo_model_flatten(FiloMeshData *mesh, const FiloModel *model, const FiloAllocator *allocator) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh for the result, and a model");
    *mesh = (FiloMeshData){ 0 };
    if (model == NULL) return FILO_MISTAKE("pass a mesh for the result, and a model");
    size_t count = 0;
    for (uint32_t i = 0; i < model->node_count; i++) count += is_shown(model, &model->nodes[i]);
    size_t each = sizeof(FiloMeshData) + sizeof(FiloMat4) + sizeof(FiloMeshData *);
    FiloMeshData *datas = filo_alloc(allocator, each * (count + 1), 0);
    if (datas == NULL)
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory to flatten the model", model->name);
    FiloMat4 *matrices = (FiloMat4 *)(void *)(datas + count + 1);
    const FiloMeshData **list = (const FiloMeshData **)(void *)(matrices + count + 1);
    size_t filled = 0;
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (!is_shown(model, &model->nodes[i])) continue;
        take_mesh(model, i, &datas[filled], &matrices[filled]);
        list[filled] = &datas[filled];
        filled++;
    }
    FiloResult r = filo_mesh_merge(mesh, list, matrices, filled, allocator);
    filo_free(allocator, datas, each * (count + 1), 0);
    return r;
}
