// Any bytes as an OBJ file: it is refused with a message, or its meshes are in order and stay so when they are optimised.

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

// Every library is this one; none is outside of the folder.
static FiloResult open_library(FiloFileData *file, const char *path, const FiloAllocator *allocator,
                               void *user) {
    static const char library[] = "newmtl a\nKd 1 0 0\nmap_Kd a.png\nnorm n.png\nnewmtl b\nd 0.5\n";
    FILO_UNUSED(user);
    if (path[0] == '/' || strncmp(path, "..", 3) == 0 || strncmp(path, "../", 3) == 0 ||
        strstr(path, "/../") != NULL)
        abort();
    *file = (FiloFileData){ .size = sizeof library - 1, .capacity = sizeof library, .allocator = allocator };
    file->bytes = filo_alloc(allocator, sizeof library, 0);
    if (file->bytes == NULL) abort();
    memcpy(file->bytes, library, sizeof library);
    return filo_ok();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FiloModel *model;
    FiloModelOptions options = { .memory_limit = FILO_MIB(16), .open = open_library };
    if (size % 4 == 0) options.optimise = (FiloMeshOptimise){ .weld = true, .reorder = true, .levels = 3 };
    FiloResult r = filo_model_decode(&model, data, size, "fuzz.obj", &options);
    if (r.code != FILO_OK) {
        if (model != NULL || strncmp(r.message, "fuzz.obj", 8) != 0) abort();
        return 0;
    }
    if (model->mesh_count == 0 || model->memory > FILO_MIB(16)) abort();
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const FiloMeshData *mesh = &model->meshes[i].data;
        if (filo_mesh_check(mesh, "fuzz").code != FILO_OK) abort();
        if (mesh->index_count == 0 && !options.optimise.weld)
            abort(); // welding removes triangles without area
        for (uint32_t p = 0; p < mesh->part_count; p++)
            if (mesh->parts[p].material != UINT32_MAX && mesh->parts[p].material >= model->material_count)
                abort();
        if (filo_model_find_mesh(model, model->meshes[i].name) != i) abort();
    }
    FiloMeshData flat;
    if (filo_model_flatten(&flat, model, NULL).code != FILO_OK) abort();
    filo_mesh_free(&flat, NULL);
    filo_model_destroy(model);
    return 0;
}
