// Makes the meshes, materials, images and nodes of a model from the lists of an OBJ file.

#include "model/obj/obj.h"

#include <string.h>

static uint32_t object_end(const ModelObjReader *obj, size_t object, size_t list_end, size_t offset) {
    if (object + 1 >= obj->objects.count) return (uint32_t)list_end;
    uint32_t first;
    memcpy(&first, (const char *)&obj->objects.data[object + 1] + offset, sizeof first);
    return first;
}

// ---- Parts ----------------------------------------------------------------------------------------------

// Which part has a material, while the parts of an object are made. The last element is for no material.
typedef struct PartTable {
    uint32_t *part, *object; // for each material: the part, valid if `object` is that of the table
    size_t size;             // bytes of both
    uint32_t material_count;
} PartTable;

static uint32_t *slot_of(PartTable *table, uint32_t material) {
    return &table->part[material < table->material_count ? material : table->material_count];
}

// How many indices a run has.
static uint32_t run_length(const ModelObjReader *obj, uint32_t run, uint32_t runs_end, uint32_t indices_end) {
    return (run + 1 < runs_end ? obj->runs.data[run + 1].first_index : indices_end) -
           obj->runs.data[run].first_index;
}

// Counts the parts of an object: one for each material, in the order of their first use.
static uint32_t count_parts(ModelObjReader *obj, PartTable *table, uint32_t object, uint32_t runs_end,
                            uint32_t indices_end) {
    uint32_t parts = 0;
    for (uint32_t r = obj->objects.data[object].first_run; r < runs_end; r++) {
        if (run_length(obj, r, runs_end, indices_end) == 0) continue;
        uint32_t *slot = slot_of(table, obj->runs.data[r].material);
        uint32_t *owner = table->object + (slot - table->part);
        if (*owner == object) continue;
        *owner = object;
        *slot = parts++;
    }
    return parts;
}

// Copies the indices of an object, sorted by parts.
static void fill_parts(ModelObjReader *obj, PartTable *table, uint32_t object, uint32_t runs_end,
                       uint32_t indices_end, FiloMeshData *mesh) {
    uint32_t first_run = obj->objects.data[object].first_run;
    for (uint32_t r = first_run; r < runs_end; r++) {
        uint32_t count = run_length(obj, r, runs_end, indices_end);
        if (count == 0) continue;
        FiloMeshPart *part = &mesh->parts[*slot_of(table, obj->runs.data[r].material)];
        part->count += count;
        part->material = obj->runs.data[r].material;
    }
    for (uint32_t p = 0, end = 0; p < mesh->part_count; p++) {
        mesh->parts[p].first = end;
        end += mesh->parts[p].count;
        mesh->parts[p].count = 0;
    }
    for (uint32_t r = first_run; r < runs_end; r++) {
        uint32_t count = run_length(obj, r, runs_end, indices_end);
        if (count == 0) continue;
        FiloMeshPart *part = &mesh->parts[*slot_of(table, obj->runs.data[r].material)];
        memcpy(mesh->indices + part->first + part->count, obj->indices.data + obj->runs.data[r].first_index,
               count * sizeof(uint32_t));
        part->count += count;
    }
}

// ---- Vertices -------------------------------------------------------------------------------------------

static FiloVec3 normal_of(const ModelObjReader *obj, uint32_t index) {
    FiloVec3 normal = (index & MODEL_OBJ_GENERATED) != 0 ? obj->smooth.data[index & ~MODEL_OBJ_GENERATED].sum
                                                         : obj->normals.data[index];
    normal = filo_vec3_normalise(normal);
    return filo_vec3_dot(normal, normal) > 0.0f ? normal : filo_vec3(0.0f, 1.0f, 0.0f);
}

static void fill_vertices(const ModelObjReader *obj, uint32_t first, FiloMeshData *mesh) {
    const ModelObjVertex *vertices = obj->vertices.data + first;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const ModelObjPosition *p = &obj->positions.data[vertices[i].position];
        mesh->positions[i] = filo_vec3(p->x, p->y, p->z);
        mesh->normals[i] = normal_of(obj, vertices[i].normal);
    }
    if (mesh->uvs != NULL)
        for (uint32_t i = 0; i < mesh->vertex_count; i++)
            mesh->uvs[i] = vertices[i].uv != MODEL_OBJ_NONE ? obj->uvs.data[vertices[i].uv] : filo_vec2(0, 0);
    if (mesh->colors != NULL)
        for (uint32_t i = 0; i < mesh->vertex_count; i++)
            mesh->colors[i] = obj->colors.data[vertices[i].position];
}

static FiloResult build_mesh(ModelObjReader *obj, PartTable *table, uint32_t object, FiloMeshData *mesh) {
    const ModelObjObject *o = &obj->objects.data[object];
    uint32_t vertices_end =
        object_end(obj, object, obj->vertices.count, offsetof(ModelObjObject, first_vertex));
    uint32_t indices_end = object_end(obj, object, obj->indices.count, offsetof(ModelObjObject, first_index));
    uint32_t runs_end = object_end(obj, object, obj->runs.count, offsetof(ModelObjObject, first_run));
    FiloMeshDesc desc = { .vertices = vertices_end - o->first_vertex,
                          .indices = indices_end - o->first_index,
                          .parts = count_parts(obj, table, object, runs_end, indices_end),
                          .arrays = FILO_MESH_NORMALS };
    if (o->has_uvs) desc.arrays |= FILO_MESH_UVS;
    if (obj->has_colors) desc.arrays |= FILO_MESH_COLORS;
    FiloResult r = model_mesh_create(obj->reader, mesh, &desc);
    if (r.code != FILO_OK) return r;
    fill_vertices(obj, o->first_vertex, mesh);
    fill_parts(obj, table, object, runs_end, indices_end, mesh);
    return filo_ok();
}

// ---- The model ------------------------------------------------------------------------------------------

static FiloResult name_object(ModelObjReader *obj, ModelNames *names, FiloString name, uint32_t mesh) {
    FiloModel *model = obj->reader->model;
    const char *unique = model_unique_name(obj->reader, names, name.data, name.length, "object");
    if (unique == NULL) return obj->reader->result;
    model->meshes[mesh].name = unique;
    model->nodes[mesh] = (FiloModelNode){ .name = unique,
                                          .parent = FILO_MODEL_NONE,
                                          .rotation = filo_quat_identity(),
                                          .scale = filo_vec3(1, 1, 1),
                                          .mesh = mesh,
                                          .skin = FILO_MODEL_NONE,
                                          .camera = FILO_MODEL_NONE,
                                          .light = FILO_MODEL_NONE };
    return filo_ok();
}

static FiloResult build_meshes(ModelObjReader *obj, PartTable *table) {
    FiloModel *model = obj->reader->model;
    ModelNames names = { 0 };
    FiloResult r = filo_ok();
    for (uint32_t i = 0; i < obj->objects.count && r.code == FILO_OK; i++) {
        r = name_object(obj, &names, obj->objects.data[i].name, i);
        if (r.code == FILO_OK) r = build_mesh(obj, table, i, &model->meshes[i].data);
        if (r.code == FILO_OK) model->mesh_count = model->node_count = i + 1;
    }
    model_names_free(obj->reader, &names);
    return r;
}

static FiloResult copy_materials(ModelObjReader *obj) {
    FiloModel *model = obj->reader->model;
    if (obj->materials.count > 0) {
        model->materials = MODEL_NEW(obj->reader, FiloModelMaterial, obj->materials.count);
        if (model->materials == NULL) return obj->reader->result;
        memcpy(model->materials, obj->materials.data, obj->materials.count * sizeof *model->materials);
        model->material_count = (uint32_t)obj->materials.count;
    }
    if (obj->images.count > 0) {
        model->images = MODEL_NEW(obj->reader, FiloModelImage, obj->images.count);
        if (model->images == NULL) return obj->reader->result;
        memcpy(model->images, obj->images.data, obj->images.count * sizeof *model->images);
        model->image_count = (uint32_t)obj->images.count;
    }
    return filo_ok();
}

FiloResult model_obj_build(ModelObjReader *obj) {
    ModelReader *reader = obj->reader;
    // An object without faces at the end; others were replaced by the next one.
    if (obj->objects.data[obj->objects.count - 1].first_index == obj->indices.count) obj->objects.count--;
    if (obj->objects.count == 0) return filo_error(FILO_ERROR_DATA, "%s: has no faces", reader->name);
    FiloResult r = copy_materials(obj);
    if (r.code != FILO_OK) return r;
    reader->model->meshes = MODEL_NEW(reader, FiloModelMesh, obj->objects.count);
    reader->model->nodes =
        reader->model->meshes != NULL ? MODEL_NEW(reader, FiloModelNode, obj->objects.count) : NULL;
    if (reader->model->nodes == NULL) return reader->result;
    PartTable table = { .material_count = (uint32_t)obj->materials.count };
    size_t slots = obj->materials.count + 1;
    table.size = 2 * slots * sizeof(uint32_t);
    table.part = model_temporary(reader, NULL, 0, table.size);
    if (table.part == NULL) return reader->result;
    table.object = table.part + slots;
    memset(table.part, 0xFF, table.size);
    r = build_meshes(obj, &table);
    model_temporary_free(reader, table.part, table.size);
    return r;
}
