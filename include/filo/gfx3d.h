// filo/gfx3d.h: draws the meshes of a world in space.
//
//     #include <filo/filo.h>
//
//     static FiloResult create(FiloApp *app) {
//         FiloWorld *world = filo_app_world(app);
//         filo_create(world, FILO_SET(FiloMesh, .mesh = filo_name("torus")));
//         filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 2, 5 }), FILO_ADD(FiloCamera3), FILO_ADD(FiloOrbit));
//         filo_create(world,
//                     FILO_SET(FiloTransform3, .rotation = filo_quat_look(filo_vec3(-1, -2, -1), filo_vec3(0, 1, 0))),
//                     FILO_SET(FiloLight, .kind = FILO_LIGHT_SUN, .shadows = true));
//         return filo_ok();
//     }
//
//     int main(int argc, char **argv) {
//         return filo_run(argc, argv, &(FiloAppDesc){ .name = "ring", .gfx3d = true, .create = create });
//     }
//
// Components are in filo/components3d.h, materials in filo/material.h, animated figures in filo/figure.h, large terrain in
// filo/ground.h.
//
// How it works. Extraction runs on all workers over the chunks of the world that have meshes: it leaves out what no camera
// sees (frustum, range), chooses levels of detail, and writes an instance of 64 bytes for each visible mesh directly to
// memory of the GPU, grouped by mesh and material: visible rows are counted per group first, so nothing is sorted. All
// meshes are in one vertex and one index buffer, so that everything with one material is drawn by one call. Chunks in which nothing has
// changed or moved are not built again. Shadows, opaque surfaces, sky, blended surfaces and effects are drawn in this order
// in linear colours (HDR), then tone mapped, smoothed (FXAA) and written to the window or a target.
//
// It needs a GPU with OpenGL 4.5 or 3.3 (software is enough), or the null device, which does everything but draw. The CPU
// rasteriser of the 2D renderer does not draw in space: a program with --backend cpu ends with a message.

#ifndef FILO_GFX3D_H
#define FILO_GFX3D_H

#include <filo/assets.h>
#include <filo/components3d.h>
#include <filo/figure.h>
#include <filo/gpu.h>
#include <filo/ground.h>
#include <filo/material.h>
#include <filo/mesh.h>
#include <filo/modules.h>

FILO_BEGIN_DECLS

typedef struct FiloGfx3dDesc {
    FiloWorld *world;
    FiloAssets *assets; // NULL: only meshes and materials that the program adds
    FiloGpu *gpu;
    int shadow_size;     // pixels of a cascade's side; 0: 1024
    int shadow_cascades; // 1 to 4; 0: 3
    float detail_error;  // pixels by which a level of detail may differ from the full mesh; 0: 1
    bool no_fxaa;
    bool depth_prepass;             // draws depth first: pays where many expensive surfaces cover each other
    float render_scale;             // size of the picture in 3D by that of the window; 0: 1
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloGfx3dDesc;

// Calls filo_transform_register, registers the components of filo/components3d.h and filo/figure.h, and adds their systems. Between
// ticks; may be called again. `assets` NULL: figures stand still. False without memory.
bool filo_gfx3d_register(FiloWorld *world, FiloAssets *assets);

FiloResult filo_gfx3d_create(FiloGfx3d **gfx, const FiloGfx3dDesc *desc);
void filo_gfx3d_destroy(FiloGfx3d *gfx); // before its world, assets and gpu. NULL is allowed

// ---- A frame ----------------------------------------------------------------------------------------------

typedef struct FiloExtract3 {
    int width, height; // of the picture, in pixels
    float blend;       // 0: as of the previous tick, 1: as of the last tick
    float time;        // seconds, for shaders
} FiloExtract3;
// Between ticks, on the main thread. What there is no memory for is missing in the picture, and reported.
void filo_gfx3d_extract(FiloGfx3d *gfx, const FiloExtract3 *extract);
// Draws what was extracted to the window and to targets. Main thread. True if a camera drew to the window, which is
// filled then.
bool filo_gfx3d_render(FiloGfx3d *gfx);

typedef struct FiloGfx3dStats { // of the last frame
    size_t meshes;              // entities with FiloMesh, and instances of FiloInstances
    size_t visible;             // instances drawn by cameras, without shadows
    size_t instances;           // with those in shadows
    size_t rebuilt;             // instances that were computed in this extraction; the others were cached
    size_t draws;               // draw calls
    uint64_t triangles;
    size_t lights, figures, particles;
    double extract_ms, cull_ms, write_ms, render_ms;
} FiloGfx3dStats;
FiloGfx3dStats filo_gfx3d_stats(const FiloGfx3d *gfx);

// ---- Meshes of the program --------------------------------------------------------------------------------

// A level of detail with vertices and materials of its own: a billboard for a far tree.
typedef struct FiloMeshLevel {
    const FiloMeshData *data;
    float distance; // from this distance on. That of [0] is 0, and each is larger than the one before
    const FiloName *materials; // by FiloMeshPart.material; NULL: those of the entity, or the default
    uint32_t material_count;
} FiloMeshLevel;

// Adds a mesh under a name, or replaces the one of that name: entities with it are drawn with the new one from the next
// extraction on. The data is copied. The data's own levels (FiloMeshData.level_count) are used too, up to FILO_MESH_LEVELS in
// all: between two distances, the coarsest one is drawn whose error is small enough (FiloGfx3dDesc.detail_error). Without
// normals, which is logged once, a vertex looks up; levels without joints, in a mesh with others, follow the first joint. FILO_ERROR_DATA for
// invalid data (filo_mesh_check) and for a level without vertices or triangles, FILO_ERROR_MEMORY, FILO_ERROR_LIMIT; the
// mesh of that name is then as before. Main thread.
FiloResult filo_gfx3d_add_mesh(FiloGfx3d *gfx, FiloName name, const FiloMeshData *data);
FiloResult filo_gfx3d_add_mesh_levels(FiloGfx3d *gfx, FiloName name, const FiloMeshLevel *levels,
                                      size_t count);
// Frees a mesh; nothing happens if there is none. Entities with it are drawn as a chequered box from the next extraction on,
// until one of that name is added. The mesh of a file is loaded again if an entity still has it. "box" cannot be removed.
// Main thread.
void filo_gfx3d_remove_mesh(FiloGfx3d *gfx, FiloName name);
// Writes vertices of a mesh again, from `first` on: for water, cloth and the like. Vertices count through all levels that
// were added. All arrays of `data` have as many vertices; those that are NULL are written as in filo_gfx3d_add_mesh,
// except for joints, which stay. Triangles and bounds stay: make the mesh with bounds that are large enough for what will be
// written. FILO_ERROR_NOT_FOUND if there is no such mesh, FILO_ERROR_DATA for numbers that are not finite. Main thread.
FiloResult filo_gfx3d_update_mesh(FiloGfx3d *gfx, FiloName name, uint32_t first, const FiloMeshData *data);
// The bounds of a mesh, in its coordinates. False, and all zero, until it is loaded, which this begins. Main thread.
bool filo_gfx3d_mesh_bounds(FiloGfx3d *gfx, FiloName name, FiloAabb3 *bounds);

// ---- Many instances that are not entities -----------------------------------------------------------------

// For trees, grass and stones that are too many for the world: 32 bytes each. They are culled and have levels of detail as
// entities have; those of a set share the parts of space (`cell`) by which they are culled first.
typedef struct FiloInstance {
    FiloVec3 position;
    float scale;
    uint32_t rotation;  // filo_instance_rotation
    FiloColor color;    // all zero counts as white
    uint16_t mesh;      // of the set's list
    uint16_t flags;     // FiloMeshFlags
    uint16_t values[2]; // FiloMesh.values, 0 to 65535 for 0 to 1
} FiloInstance;
// A rotation in 32 bits: three components with 10 bits each, which of four was left out in 2. It is off by less than a
// quarter of a degree. The identity is 0.
uint32_t filo_instance_rotation(FiloQuat rotation);

typedef struct FiloInstances {
    uint32_t id;
} FiloInstances; // {0} is none

typedef struct FiloInstancesDesc {
    const char *label;
    const FiloName *meshes;    // up to 256
    const FiloName *materials; // of each mesh; NULL: their own
    uint32_t mesh_count;
    float range; // beyond this distance from the camera they are not drawn; 0: no limit
    float fade;  // part of the range in which they shrink to nothing, 0 to 1
    float cell;  // side of the parts of space, units; 0: 32
} FiloInstancesDesc;
// Creates an empty set. FILO_ERROR_MEMORY, FILO_ERROR_LIMIT. Main thread, as for all functions of sets.
FiloResult filo_gfx3d_instances_create(FiloInstances *instances, FiloGfx3d *gfx,
                                       const FiloInstancesDesc *desc);
// Replaces all instances of a set. They are copied, and divided into cells. Without memory (FILO_ERROR_MEMORY) the set has
// the instances that it had. Main thread, between ticks.
FiloResult filo_gfx3d_instances_set(FiloGfx3d *gfx, FiloInstances instances, const FiloInstance *list,
                                    size_t count);
void filo_gfx3d_instances_show(FiloGfx3d *gfx, FiloInstances instances, bool on);
void filo_gfx3d_instances_destroy(FiloGfx3d *gfx, FiloInstances instances);

// ---- Pictures to draw to ----------------------------------------------------------------------------------

// Creates a picture that cameras draw to instead of the screen: FiloCamera3.target. It is a texture for materials by its
// name, and for sprites by filo_gfx2d_show_texture. Main thread; it lives as long as the renderer.
FiloResult filo_gfx3d_target_create(uint32_t *target, FiloGfx3d *gfx, FiloName name, int width, int height);
FiloTexture filo_gfx3d_target_texture(const FiloGfx3d *gfx, uint32_t target);

// ---- Screen and world -------------------------------------------------------------------------------------

// The ray through a pixel, as of the last extraction: of the screen, or of the camera's target. It begins at the camera
// (orthographic: at its near plane), and its direction has length 1. `camera` {0}: the first camera of the screen. If the
// camera was not extracted, the ray begins at the origin and goes along −z. Main thread.
FiloRay3 filo_gfx3d_ray(const FiloGfx3d *gfx, FiloEntity camera, FiloVec2 pixel);
// The pixel of a position, and its distance along the view as z; z is not positive behind the camera. All zero if the
// camera was not extracted. Main thread.
FiloVec3 filo_gfx3d_to_screen(const FiloGfx3d *gfx, FiloEntity camera, FiloVec3 position);

typedef struct FiloPick {
    FiloEntity entity;
    FiloRayHit hit;            // the triangle is of the full mesh; the normal is in its coordinates
    FiloVec3 position, normal; // in the world
} FiloPick;
// The nearest mesh of an active entity that a ray hits below `limit`, exact to the triangle:
//
//     FiloPick pick;
//     FiloRay3 ray = filo_gfx3d_ray(gfx, (FiloEntity){ 0 }, input->mouse);
//     if (filo_gfx3d_pick(gfx, ray, 1000, &pick)) select_entity(pick.entity);
//
// Entities are where they are now, not as they were drawn. Hidden meshes are left out, and so are those that are not
// loaded. Skinned meshes are hit as they are at rest. Instances of FiloInstances, terrain and effects are not picked.
// The first pick of a mesh builds its tree of triangles (filo_bvh_create). Between ticks, main thread. False: none.
bool filo_gfx3d_pick(FiloGfx3d *gfx, FiloRay3 ray, float limit, FiloPick *pick);

// ---- Lines ------------------------------------------------------------------------------------------------

// Immediate drawing in space, for debugging: shown by all cameras in the next frame that is rendered, then forgotten. A
// line is one pixel wide. At most a million lines in a frame. Main thread, at any time.
void filo_lines3_line(FiloGfx3d *gfx, FiloVec3 from, FiloVec3 to, FiloColor color);
void filo_lines3_box(FiloGfx3d *gfx, FiloAabb3 box, FiloColor color);
// Three circles.
void filo_lines3_sphere(FiloGfx3d *gfx, FiloVec3 centre, float radius, FiloColor color);
// x red, y green, z blue.
void filo_lines3_axes(FiloGfx3d *gfx, const FiloMat4 *matrix, float length);
// In the plane y = 0, around the origin.
void filo_lines3_grid(FiloGfx3d *gfx, float size, float step, FiloColor color);
// What a camera sees, from the near to the far plane.
void filo_lines3_frustum(FiloGfx3d *gfx, const FiloMat4 *view_projection, FiloColor color);
// Whether the lines that follow, in this frame, are drawn over everything instead of being hidden by what is in front.
void filo_lines3_through(FiloGfx3d *gfx, bool through);

// The data of assets of type "model" (obj, gltf, glb), which filo_gfx3d_register registers.
typedef struct FiloModelAsset {
    FiloModel *model;
    FiloMeshData whole; // all nodes as one mesh: filo_model_flatten
} FiloModelAsset;

// ---- Models -----------------------------------------------------------------------------------------------

// Makes a prefab of a model file (filo/figure.h), or returns the one that exists. Waits until the file is loaded. Its name
// in the world is that of the file. Between ticks, main thread.
FiloResult filo_gfx3d_prefab(FiloEntity *prefab, FiloGfx3d *gfx, const char *file);

// ---- As a module ------------------------------------------------------------------------------------------

// The module "gfx3d" (filo/modules.h), which an app has with FiloAppDesc.gfx3d. It provides the object FiloGfx3d, needs
// FiloWorld and FiloGpu, and uses FiloAssets. It draws at FILO_RENDER_WORLD.
typedef struct FiloGfx3dModule {
    FiloGfx3dDesc desc; // `world`, `assets`, `gpu` and `allocator` are set by the module
    FiloHeap heap;      // private, like the rest
    FiloGfx3d *gfx;
} FiloGfx3dModule;
// For filo_modules_register. `module` must not move as long as it is registered.
FiloModuleDesc filo_gfx3d_module(FiloGfx3dModule *module);

FILO_END_DECLS

#endif
