// filo/model.h: reads 3D models: OBJ with MTL, and glTF 2.0 (.gltf, .glb), as Blender exports them.
//
//     FiloModel *model;
//     FiloResult r = filo_model_load(&model, "robot.glb", NULL);
//     if (r.code != FILO_OK) filo_log_warn("game", "%s", r.message); // "robot.glb: accessor 3: …", "rock.obj:17: …"
//     for (uint32_t i = 0; i < model->mesh_count; i++) printf("%s\n", model->meshes[i].name);
//     filo_model_destroy(model);
//
// A model is data: meshes, materials, images, a tree of nodes, skins, animations, cameras and lights. Games rarely use it
// directly: filo/gfx3d.h loads models as assets, draws their meshes, and makes prefabs of their nodes. It is for tools,
// servers and other renderers.
//
// Files need not be trusted. An invalid file is an error that names the file, the place and the cause; files outside of
// the model's folder are never opened, also if a symbolic link leads there. Names are unique in their list (a second "Leg" is "Leg.2"), and never empty.
// Functions are for any thread.

#ifndef FILO_MODEL_H
#define FILO_MODEL_H

#include <filo/files.h>
#include <filo/mesh.h>
#include <filo/pose.h>

FILO_BEGIN_DECLS

#define FILO_MODEL_NONE UINT32_MAX // for indices: none

typedef enum FiloSurfaceMode {
    FILO_SURFACE_OPAQUE,
    FILO_SURFACE_MASK,  // pixels with an alpha below `cutoff` are not drawn
    FILO_SURFACE_BLEND, // sorted and blended
} FiloSurfaceMode;

// One texture of a material.
typedef struct FiloModelTexture {
    uint32_t image;               // of the model; FILO_MODEL_NONE: no texture
    FiloWrap wrap_u, wrap_v;      // beyond the edges
    bool nearest;                 // the nearest texel instead of a linear filter
    float scale;                  // of normals, or strength of occlusion; 1 is plain
    FiloVec2 uv_offset, uv_scale; // KHR_texture_transform; {0, 0} and {1, 1} are plain
    float uv_rotation;            // radians, after the scale
} FiloModelTexture;

// Metallic-roughness, linear colours. MTL is converted to it.
typedef struct FiloModelMaterial {
    const char *name;
    FiloVec4 color; // straight
    float metallic, roughness;
    FiloVec3 emissive;
    FiloModelTexture color_map;              // sRGB
    FiloModelTexture metallic_roughness_map; // green: roughness, blue: metallic
    FiloModelTexture normal_map, occlusion_map, emissive_map;
    FiloSurfaceMode mode;
    float cutoff;
    bool double_sided, unlit;
} FiloModelMaterial;

typedef struct FiloModelImage {
    const char *name;
    const char *path;  // relative to the model's folder; NULL: embedded
    const void *bytes; // of an embedded file (PNG, JPEG, WebP); NULL: outside
    size_t size;
} FiloModelImage;

typedef struct FiloModelMesh {
    const char *name;
    FiloMeshData data; // parts refer to materials of the model; UINT32_MAX: the default material
} FiloModelMesh;

// Lights of glTF (KHR_lights_punctual).
typedef enum FiloModelLightKind { FILO_MODEL_SUN, FILO_MODEL_POINT, FILO_MODEL_SPOT } FiloModelLightKind;
typedef struct FiloModelLight {
    const char *name;
    FiloModelLightKind kind;
    FiloVec3 color;                 // linear
    float intensity;                // lux for suns, candela for others
    float range;                    // 0: no limit
    float inner_angle, outer_angle; // of spots: radians from the axis
} FiloModelLight;
typedef struct FiloModelCamera {
    const char *name;
    bool orthographic;
    float field_of_view; // vertical, radians
    float height;        // of an orthographic picture, units
    float near, far;     // far 0: none
} FiloModelCamera;

typedef struct FiloModelNode {
    const char *name;
    uint32_t parent; // a lower index than its own: parents come first. FILO_MODEL_NONE: a root
    FiloVec3 position;
    FiloQuat rotation;
    FiloVec3 scale;
    uint32_t mesh, skin, camera, light; // FILO_MODEL_NONE: none
    bool joint;                         // of a skin
    bool hidden;                        // it, or a node above it: its mesh is not shown
} FiloModelNode;

typedef struct FiloModel {
    const char *name; // of the file
    FiloModelMesh *meshes;
    FiloModelMaterial *materials;
    FiloModelImage *images;
    FiloModelNode *nodes;
    FiloModelLight *lights;
    FiloModelCamera *cameras;
    uint32_t mesh_count, material_count, image_count, node_count, light_count, camera_count;
    FiloSkeleton skeleton; // of all nodes, in the same order (filo/pose.h)
    FiloSkin *skins;
    FiloClip *clips; // animations
    uint32_t skin_count, clip_count;
    // Files that it was read from, besides itself: buffers, MTL files. For reloading. Relative to the model's folder.
    const char **files;
    uint32_t file_count;
    size_t memory;  // bytes of everything
    void *internal; // private
} FiloModel;

typedef struct FiloModelOptions {
    FiloMeshOptimise optimise; // of each mesh; all zero: the meshes are as they are in the file
    bool no_tangents;          // otherwise they are computed for meshes with a normal map
    float scale;               // of the whole model; 0: 1
    size_t memory_limit;       // bytes; 0: 1 GiB. A file that needs more is FILO_ERROR_LIMIT
    // Opens files beside the model; NULL: from disk, in the folder of the path. `path` is relative, without "..", and
    // uses "/". The bytes are freed by filo_file_free with the allocator.
    FiloResult (*open)(FiloFileData *data, const char *path, const FiloAllocator *allocator, void *user);
    void *user;
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloModelOptions;

// Reads a file; its extension gives the format: obj, gltf, glb. `options` may be NULL, here and below. On failure `model`
// is NULL. A file has at most 32,768 meshes and as many nodes, and an OBJ file 65,536 materials: FILO_ERROR_LIMIT.
FiloResult filo_model_load(FiloModel **model, const char *path, const FiloModelOptions *options);
// The same from memory. `name` gives the format, and is used in messages. Without `open`, files beside it are not found:
// a missing MTL file or image is a warning in the log, a missing buffer is an error.
FiloResult filo_model_decode(FiloModel **model, const void *bytes, size_t size, const char *name,
                             const FiloModelOptions *options);
void filo_model_destroy(FiloModel *model); // NULL is allowed

// The index of a name; FILO_MODEL_NONE if there is none.
uint32_t filo_model_find_mesh(const FiloModel *model, const char *name);
uint32_t filo_model_find_node(const FiloModel *model, const char *name);
uint32_t filo_model_find_clip(const FiloModel *model, const char *name);
uint32_t filo_model_find_material(const FiloModel *model, const char *name);
// The matrix of a node in the model, through its parents, as in the file (not animated).
FiloMat4 filo_model_node_matrix(const FiloModel *model, uint32_t node);
// One mesh of all nodes that have one, transformed by their nodes: the whole model in its bind pose, without a skin.
FiloResult filo_model_flatten(FiloMeshData *mesh, const FiloModel *model, const FiloAllocator *allocator);

FILO_END_DECLS

#endif
