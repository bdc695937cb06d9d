// What must hold for every glTF that the reader accepts, and for every one that it refuses.

#ifndef FILO_FUZZ_GLTF_CHECK_H
#define FILO_FUZZ_GLTF_CHECK_H

#include <filo/log.h>
#include <filo/model.h>

#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Warnings about what a file has and the reader skips take longer than reading it.
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    filo_log_set_filter(FILO_LOG_TERMINAL, "error");
    return 0;
}

#define FUZZ_EXPECT(condition)                                                                               \
    do {                                                                                                     \
        if (!(condition)) abort();                                                                           \
    } while (0)

static inline bool fuzz_is_index(uint32_t index, uint32_t count) {
    return index == FILO_MODEL_NONE || index < count;
}

static inline void fuzz_check_clip(const FiloModel *model, const FiloClip *clip) {
    FiloPose pose;
    FiloMat34 *matrices = calloc(model->node_count + 1u, sizeof *matrices);
    FUZZ_EXPECT(clip->row_count > 0 && clip->rate > 0.0f && clip->seconds >= 0.0f);
    FUZZ_EXPECT(matrices != NULL && filo_pose_create(&pose, &model->skeleton, NULL).code == FILO_OK);
    for (int i = 0; i <= 3; i++) {
        filo_pose_sample(&pose, &model->skeleton, clip, clip->seconds * (float)i / 3.0f);
        filo_pose_matrices(&pose, &model->skeleton, matrices);
    }
    for (uint32_t i = 0; i < clip->rotation_count * clip->row_count; i++) {
        float square = filo_quat_dot(clip->rotations[i], clip->rotations[i]);
        FUZZ_EXPECT(square > 0.99f && square < 1.01f);
        if (i >= clip->rotation_count)
            FUZZ_EXPECT(filo_quat_dot(clip->rotations[i], clip->rotations[i - clip->rotation_count]) >= 0.0f);
    }
    filo_pose_free(&pose, NULL);
    free(matrices);
}

static inline void fuzz_check_model(const FiloModel *model) {
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        FUZZ_EXPECT(filo_mesh_check(&model->meshes[i].data, "mesh").code == FILO_OK &&
                    model->meshes[i].name[0] != '\0');
        for (uint32_t p = 0; p < model->meshes[i].data.part_count; p++)
            FUZZ_EXPECT(fuzz_is_index(model->meshes[i].data.parts[p].material, model->material_count));
    }
    for (uint32_t i = 0; i < model->node_count; i++) {
        const FiloModelNode *n = &model->nodes[i];
        FUZZ_EXPECT(n->name[0] != '\0' && (n->parent == FILO_MODEL_NONE || n->parent < i));
        FUZZ_EXPECT(fuzz_is_index(n->mesh, model->mesh_count) && fuzz_is_index(n->skin, model->skin_count));
        FUZZ_EXPECT(fuzz_is_index(n->camera, model->camera_count) &&
                    fuzz_is_index(n->light, model->light_count));
        if (n->mesh == FILO_MODEL_NONE || n->skin == FILO_MODEL_NONE) continue;
        const FiloMeshData *mesh = &model->meshes[n->mesh].data;
        for (uint32_t v = 0; mesh->joints != NULL && v < mesh->vertex_count; v++)
            for (int k = 0; k < 4; k++)
                FUZZ_EXPECT(mesh->joints[v].index[k] < model->skins[n->skin].joint_count);
    }
    for (uint32_t i = 0; i < model->skin_count; i++)
        for (uint32_t k = 0; k < model->skins[i].joint_count; k++)
            FUZZ_EXPECT(model->skins[i].joints[k] < model->node_count);
    for (uint32_t i = 0; i < model->image_count; i++)
        FUZZ_EXPECT((model->images[i].path == NULL) != (model->images[i].bytes == NULL));
    for (uint32_t i = 0; i < model->clip_count; i++) fuzz_check_clip(model, &model->clips[i]);
}

// Reads bytes as a model of this name, with little memory.
static inline void fuzz_gltf(const void *bytes, size_t size, const char *name) {
    FiloModel *model;
    FiloResult r =
        filo_model_decode(&model, bytes, size, name, &(FiloModelOptions){ .memory_limit = FILO_MIB(4) });
    if (r.code == FILO_OK)
        fuzz_check_model(model);
    else
        FUZZ_EXPECT(model == NULL && r.message[0] != '\0');
    filo_model_destroy(model);
}

#endif
