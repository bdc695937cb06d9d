// The store of meshes: one vertex buffer for plain meshes, one for skinned ones with a second stream, one index buffer.
//
//   meshes.c    the table of meshes by name, built-in ones, adding and removing
//   buffers.c   pieces of the GPU buffers, which grow by doubling
//   pack.c      FiloMeshData → Gfx3dVertex
//   models.c    the asset type "model", and meshes that are in model files

#ifndef FILO_GFX3D_MESHES_H
#define FILO_GFX3D_MESHES_H

#include "gfx3d/meshes/ranges.h"
#include "gfx3d/renderer.h"

#include <filo/files.h>

typedef struct Gfx3dMeshBuffer {
    FiloBuffer buffer;
    size_t item; // bytes
    FiloBufferUse use;
    const char *label;
} Gfx3dMeshBuffer;

struct Gfx3dMeshes {
    FiloArray(Gfx3dMesh) list;
    FiloMap by_name; // FiloName.id → uint32_t
    Gfx3dMeshBuffer vertices, indices, skinned_vertices, skins;
    Gfx3dRanges vertex_ranges, index_ranges, skinned_ranges;
    // Of a series of meshes that are filled one after the other: the model of the former one, its materials, and its next part.
    bool series;
    const FiloModel *former;
    FiloArray(uint32_t) materials;
    uint32_t next_part;
};

// A level as it is added: indices of `data` are relative to its own vertices.
typedef struct Gfx3dLevelSource {
    const FiloMeshData *data;
    float distance;
    const uint32_t *materials; // indices by FiloMeshPart.material; NULL: default
    uint32_t material_count;
} Gfx3dLevelSource;

// ---- buffers.c ----
FiloResult gfx3d_mesh_buffers_init(FiloGfx3d *gfx);
void gfx3d_mesh_buffers_deinit(FiloGfx3d *gfx);
// Takes pieces for a mesh. FILO_ERROR_MEMORY, FILO_ERROR_LIMIT.
FiloResult gfx3d_mesh_buffers_take(FiloGfx3d *gfx, Gfx3dMesh *mesh, uint32_t vertices, uint32_t indices,
                                   bool skinned);
void gfx3d_mesh_buffers_give(FiloGfx3d *gfx, const Gfx3dMesh *mesh);

// ---- pack.c ----
void gfx3d_pack_vertices(Gfx3dVertex *out, const FiloMeshData *data, uint32_t first, uint32_t count);
void gfx3d_pack_skins(Gfx3dVertexSkin *out, const FiloMeshData *data, uint32_t first, uint32_t count);

// ---- meshes.c ----
// Replaces what a slot shows. On failure the slot is unchanged.
FiloResult gfx3d_mesh_fill(FiloGfx3d *gfx, uint32_t index, const Gfx3dLevelSource *levels, size_t count);

// ---- models.c ----
// Where a model is: files beside it are opened there.
typedef struct Gfx3dModelPlace {
    const FiloAssets *assets;
    char folder[FILO_PATH_SIZE]; // of the model inside the folder of assets, with a "/" at its end; or ""
} Gfx3dModelPlace;
FiloResult gfx3d_model_place(Gfx3dModelPlace *place, const FiloAssets *assets, const char *name);
// FiloModelOptions.open; `user` is the place. Any thread.
FiloResult gfx3d_model_open_beside(FiloFileData *data, const char *path, const FiloAllocator *allocator,
                                   void *user);
FiloResult gfx3d_models_init(FiloGfx3d *gfx);
void gfx3d_models_deinit(FiloGfx3d *gfx);
// Begins to load the file of a mesh's name.
void gfx3d_models_request(FiloGfx3d *gfx, Gfx3dMesh *mesh);
// Unloads the file of a mesh, if it has one: its data stays.
void gfx3d_models_forget(FiloGfx3d *gfx, Gfx3dMesh *mesh);
// Between these, meshes of the same file that follow each other take time in proportion to their number. Files do not change.
void gfx3d_models_begin(FiloGfx3d *gfx);
void gfx3d_models_end(FiloGfx3d *gfx);
// Fills the slots of meshes whose files have been loaded or reloaded.
void gfx3d_models_update(FiloGfx3d *gfx);
// The same for one mesh.
void gfx3d_models_update_mesh(FiloGfx3d *gfx, uint32_t index);

#endif
