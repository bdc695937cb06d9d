// Any bytes as an MTL file: it is refused with a message, or its materials are in order.

#include <filo/filo.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    FILO_UNUSED(count);
    FILO_UNUSED(arguments);
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    return 0;
}

typedef struct Input {
    const uint8_t *data;
    size_t size;
} Input;

static FiloResult open_input(FiloFileData *file, const char *path, const FiloAllocator *allocator,
                             void *user) {
    const Input *input = user;
    FILO_UNUSED(path);
    *file = (FiloFileData){ .size = input->size, .capacity = input->size + 1, .allocator = allocator };
    file->bytes = filo_alloc(allocator, input->size + 1, 0);
    if (file->bytes == NULL) abort();
    if (input->size > 0) memcpy(file->bytes, input->data, input->size);
    file->bytes[input->size] = 0;
    return filo_ok();
}

static bool is_unit(float x) { return x >= 0.0f && x <= 1.0f; }

static void check_map(const FiloModel *model, const FiloModelTexture *map) {
    if (map->image != FILO_MODEL_NONE && map->image >= model->image_count) abort();
    if (map->scale != map->scale || map->uv_scale.x != map->uv_scale.x ||
        map->uv_offset.x != map->uv_offset.x)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char text[] =
        "mtllib folder/fuzz.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nusemtl a\nf 1/1 2/2 3/1\n";
    Input input = { data, size };
    FiloModel *model;
    FiloModelOptions options = { .memory_limit = FILO_MIB(16), .open = open_input, .user = &input };
    FiloResult r = filo_model_decode(&model, text, sizeof text - 1, "fuzz.obj", &options);
    if (r.code != FILO_OK) {
        if (model != NULL ||
            (strncmp(r.message, "folder/fuzz.mtl", 15) != 0 && strncmp(r.message, "fuzz.obj", 8) != 0))
            abort();
        return 0;
    }
    for (uint32_t i = 0; i < model->material_count; i++) {
        const FiloModelMaterial *m = &model->materials[i];
        if (!is_unit(m->roughness) || !is_unit(m->metallic) || !is_unit(m->color.w) || !(m->color.x >= 0.0f))
            abort();
        check_map(model, &m->color_map);
        check_map(model, &m->normal_map);
        check_map(model, &m->emissive_map);
        check_map(model, &m->metallic_roughness_map);
        if (filo_model_find_material(model, m->name) != i) abort();
    }
    for (uint32_t i = 0; i < model->image_count; i++) {
        const char *path = model->images[i].path;
        if (path[0] == '/' || path[0] == 0 || strncmp(path, "../", 3) == 0 || strstr(path, "/../") != NULL)
            abort();
    }
    if (filo_mesh_check(&model->meshes[0].data, "fuzz").code != FILO_OK) abort();
    filo_model_destroy(model);
    return 0;
}
