// The renderer: FiloGfx3d, and how its parts work together.
//
//   systems/    components and their registration; camera controls. They do not need a renderer
//   meshes/     meshes by name → ranges of the vertex and index buffers; models as assets
//   materials/  materials by name, textures, shaders and their variants
//   extract/    entities and instance sets → views with lists of instances in GPU memory
//   lights/     sun, cascades, points, spots, environment: the Frame block
//   figures/    poses of figures → joint matrices in GPU memory; prefabs of models
//   effects/    billboards, particles, lines
//   ground/     terrain
//   render/     views → picture: passes, sky, tone mapping, FXAA
//   module.c    the renderer as a module of an app
//
// A frame: filo_gfx3d_extract reads the world and fills the views. filo_gfx3d_render draws them. The world is not read
// after the extraction, so the next tick may run meanwhile.

#ifndef FILO_GFX3D_RENDERER_H
#define FILO_GFX3D_RENDERER_H

#include "gfx3d/materials/shader_text.h"

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/gfx3d.h>
#include <filo/modules.h>
#include <filo/query.h>
#include <filo/system.h>

#define GFX3D_NONE UINT32_MAX

#define GFX3D_REGISTER "filo_gfx3d_register(world, assets)" // FiloType.registered_by of the components

// ---- Vertices and instances ---------------------------------------------------------------------------------

// Buffer 0 of the vertex shader. All meshes have this layout.
typedef struct Gfx3dVertex {
    FiloVec3 position;
    int16_t normal[4];  // −32767 to 32767
    int16_t tangent[4]; // w: the sign of the bitangent
    FiloVec2 uv;
    FiloColor color;
} Gfx3dVertex;

// Buffer 2, of skinned meshes.
typedef struct Gfx3dVertexSkin {
    uint16_t joints[4];
    uint8_t weights[4]; // their sum is 255
} Gfx3dVertexSkin;

// Buffer 1: an instance, written by workers. One cache line.
typedef struct Gfx3dInstance {
    FiloMat34 matrix; // from the mesh to the world
    FiloColor color;
    uint32_t joints; // of a skinned mesh: its first matrix in the joint buffer, in matrices
    FiloVec2 values;
} Gfx3dInstance;

// ---- Meshes (meshes/) ---------------------------------------------------------------------------------------

typedef struct Gfx3dMeshPart {
    uint32_t first, count; // indices in the index buffer
    uint32_t material;     // index of a material; GFX3D_NONE: the default
} Gfx3dMeshPart;

typedef struct Gfx3dMeshLevel {
    uint32_t first_part, part_count; // of Gfx3dMesh.parts
    int32_t base_vertex;             // in the vertex buffer
    float error;                     // units of the mesh
    float distance;                  // used from this distance on, if the error is small enough too
} Gfx3dMeshLevel;

typedef struct Gfx3dMesh {
    FiloName name;
    Gfx3dMeshPart *parts;
    uint32_t part_count; // of all levels
    uint32_t level_count;
    Gfx3dMeshLevel levels[FILO_MESH_LEVELS];
    FiloAabb3 bounds;
    float reach;  // of the vertex that is farthest from the origin: radius for culling
    bool skinned; // its vertices are in the skinned buffers
    bool used;    // the slot has a mesh
    bool loaded;  // it has the data of its name; otherwise it is shown as a placeholder
    // meshes/ only:
    bool requested; // its file is being loaded, or it has been reported that there is none
    bool refused;   // there was no memory for what was loaded
    bool missing;   // there is no such mesh, or no such file: it is shown as an error
    FiloAsset asset;
    uint32_t version;
    uint32_t part_capacity;
    uint32_t first_vertex, vertex_count, first_index, index_count; // its pieces of the buffers
    FiloMeshData data; // a copy of positions and indices, for picking
    FiloBvh *bvh;      // built when it is first needed
} Gfx3dMesh;

// ---- Materials (materials/) -----------------------------------------------------------------------------------

enum { GFX3D_MATERIAL_DEFAULT, GFX3D_MATERIAL_ERROR }; // indices of the first two materials

typedef enum Gfx3dPass {
    GFX3D_PASS_SHADOW, // depth only, front and back faces, biased
    GFX3D_PASS_DEPTH,  // depth pre-pass
    GFX3D_PASS_COLOR,
    GFX3D_PASSES
} Gfx3dPass;

// Variants of a shader that a draw needs.
enum {
    GFX3D_SKINNED = 1,
    GFX3D_WIREFRAME = 2,
    GFX3D_MARK_UNLIT = 4, // blended unlit surfaces are marked as such (render/render.h)
    GFX3D_MIRRORED = 8,   // the scale turns triangles over
};

typedef struct Gfx3dMaterials Gfx3dMaterials; // private to materials/
typedef struct Gfx3dMaterialInfo {
    FiloMaterialMode mode;
    bool casts_shadow;
    // Draws with equal keys need only one gfx3d_material_bind: pipeline and textures are the same. Sorted by these, draws
    // change pipelines rarely. By pass.
    uint32_t keys[GFX3D_PASSES];
} Gfx3dMaterialInfo;

FiloResult gfx3d_materials_init(FiloGfx3d *gfx);
void gfx3d_materials_deinit(FiloGfx3d *gfx);
// Once per extraction, on main: reloads what has changed, requests what is missing. Increases gfx->material_generation when
// the mode or a key of any material changes.
void gfx3d_materials_update(FiloGfx3d *gfx);
// Adds a line for each material and shader that is wrong now, for the screen. Main.
void gfx3d_materials_problems(const FiloGfx3d *gfx, FiloLines *lines);
// Whether the next update finds out that a material or texture does not exist, so that the picture changes.
bool gfx3d_materials_pending(const FiloGfx3d *gfx);
// The index of a material, added and requested if it is not known; of the default material for {0}. Main.
uint32_t gfx3d_material_find(FiloGfx3d *gfx, FiloName name);
Gfx3dMaterialInfo gfx3d_material_info(const FiloGfx3d *gfx, uint32_t material);
// The material of a model: "robot.glb#materials/Steel". Added by meshes/ when a model is loaded. Main.
uint32_t gfx3d_material_add_from_model(FiloGfx3d *gfx, const FiloModel *model, uint32_t material);
// Inside a pass: uses the pipeline of the material for this pass and variant, and sets its values and textures. False if
// it cannot be drawn.
bool gfx3d_material_bind(FiloGfx3d *gfx, uint32_t material, Gfx3dPass pass, uint32_t variant);

// Shader programs for other parts (ground, sky, effects): built-in text by name ("sky.glsl") or that of the caller, with
// #include of the built-in files. `defines` is "A B=2" or NULL. The pipeline has the blocks Frame (slot 0).
typedef struct Gfx3dProgramDesc {
    const char *label;
    const char *source; // text with "//! vertex" and "//! fragment"; NULL: the built-in file `label`
    const char *defines;
    FiloPipelineDesc pipeline; // everything but label, shaders and blocks
} Gfx3dProgramDesc;
FiloResult gfx3d_program_create(FiloPipeline *pipeline, FiloGfx3d *gfx, const Gfx3dProgramDesc *desc);

// Textures by name, for other parts. The texture of an image that is not loaded yet is a placeholder; `version` changes
// when it is replaced. Main.
typedef struct Gfx3dTextureKey {
    FiloName image;
    bool linear, nearest;
    FiloWrap wrap_u, wrap_v;
} Gfx3dTextureKey;
FiloTexture gfx3d_texture_find(FiloGfx3d *gfx, const Gfx3dTextureKey *key);
// Gives an existing texture a name for materials: a picture that cameras draw to. It is used as it is, whatever a key says,
// and must exist as long as the renderer, or until another one is given. Main.
void gfx3d_texture_give(FiloGfx3d *gfx, FiloName name, FiloTexture texture);
// Whether a material or another part has asked for a texture of this name.
bool gfx3d_texture_used(const FiloGfx3d *gfx, FiloName name);

// ---- Views (extract/) -------------------------------------------------------------------------------------------

typedef struct Gfx3dList {
    uint32_t first, count; // instances, in the instance buffer of this frame
} Gfx3dList;

typedef struct Gfx3dBlended { // a blended instance of a view, in the order of drawing: farthest first
    uint32_t list;            // what it is an instance of
    uint32_t instance;        // in the instance buffer
} Gfx3dBlended;

typedef struct Gfx3dView {
    FiloEntity camera;
    bool shadow;             // a cascade: depth only, of what casts shadows
    int cascade;             // of the cameras's sun
    uint32_t target;         // of filo_gfx3d_target_create; 0: the window
    int x, y, width, height; // viewport in pixels of the target
    FiloMat4 view, projection, view_projection;
    FiloVec4 planes[6]; // a x + b y + c z + d ≥ 0 inside; of length 1
    FiloVec3 eye;       // for shadows too: that of the camera, for levels of detail and ranges
    FiloVec3 forward;
    float pixels_per_unit; // at distance 1 (orthographic: everywhere): for levels of detail
    bool orthographic;
    float near, far;
    FiloCamera3 settings;
    Gfx3dList *lists; // by index of the list: gfx->list_count of them
    FiloArray(Gfx3dBlended) blended;
    size_t visible;
    FiloRingPiece frame_block;    // Gfx3dFrameBlock (lights/)
    struct Gfx3dView *shadows[4]; // of a camera: the views of its cascades; NULL: none
} Gfx3dView;

// A mesh with a material, as it is drawn. Each level of detail has a list: lists begin at `first_list`.
typedef struct Gfx3dBatch {
    uint64_t key;      // mesh and material names
    uint32_t mesh;     // index
    uint32_t material; // index; GFX3D_NONE: those of the mesh
    uint32_t flags;    // FiloMeshFlags that change how it is drawn
    uint32_t first_list;
    float reach;  // of the mesh
    bool blended; // all of its parts are blended: it is sorted
    bool casts_shadow;
    uint32_t level_count;
    float level_error[FILO_MESH_LEVELS], level_distance[FILO_MESH_LEVELS];
} Gfx3dBatch;

// ---- Renderer ---------------------------------------------------------------------------------------------------

typedef struct Gfx3dMeshes Gfx3dMeshes;
typedef struct Gfx3dExtraction Gfx3dExtraction;
typedef struct Gfx3dLights Gfx3dLights;
typedef struct Gfx3dFigures Gfx3dFigures;
typedef struct Gfx3dEffects Gfx3dEffects;
typedef struct Gfx3dGrounds Gfx3dGrounds;
typedef struct Gfx3dPasses Gfx3dPasses;

#define GFX3D_UPLOAD_LIMIT FILO_MIB(16)

struct FiloGfx3d {
    FiloGfx3dDesc desc; // with defaults
    FiloWorld *world;
    FiloJobs *jobs;
    FiloAssets *assets;
    FiloGpu *gpu;
    const FiloAllocator *allocator;

    Gfx3dMeshes *meshes;
    Gfx3dMaterials *materials;
    Gfx3dExtraction *extraction;
    Gfx3dLights *lights;
    Gfx3dFigures *figures;
    Gfx3dEffects *effects;
    Gfx3dGrounds *grounds;
    Gfx3dPasses *passes;

    uint32_t mesh_generation,
        material_generation; // increased when any of them changes in a way that batches see
    int width, height;       // of the picture
    float blend, time;
    bool extracted;
    bool for_file;       // the picture is for a file (--shot)
    size_t uploaded;     // bytes of meshes and textures of files, in this extraction
    size_t upload_limit; // more follow in the next one; a single one may be larger
    FiloConcealed *concealed;
    const FiloBits *concealed_bits; // by entity index: below an inactive entity, so not drawn; NULL: none
    FiloGpuRing *uniform_ring;      // FILO_BUFFER_UNIFORMS: frame blocks
    FiloArray(Gfx3dView *) views;   // shadows before their camera; in the order of drawing
    FiloGfx3dStats stats;
};

// ---- meshes/ ----

FiloResult gfx3d_meshes_init(FiloGfx3d *gfx);
void gfx3d_meshes_deinit(FiloGfx3d *gfx);
void gfx3d_meshes_update(FiloGfx3d *gfx); // once per extraction, on main
// Lines about meshes that do not exist. Main.
void gfx3d_meshes_problems(const FiloGfx3d *gfx, FiloLines *lines);
// Registers the asset type "model" (FiloModelAsset), unless it is.
FiloResult gfx3d_models_register(FiloAssets *assets);
// The index of a mesh, added and requested if it is not known. Main.
uint32_t gfx3d_mesh_find(FiloGfx3d *gfx, FiloName name);
// Valid until a mesh is added.
Gfx3dMesh *gfx3d_mesh_at(const FiloGfx3d *gfx, uint32_t index);
const FiloBvh *gfx3d_mesh_bvh(FiloGfx3d *gfx, uint32_t index); // NULL: it has none. Main
// Sets the vertex and index buffers, in a pass, after a pipeline.
void gfx3d_meshes_bind(FiloGfx3d *gfx, bool skinned);
// The attributes and buffers of a pipeline that draws meshes.
void gfx3d_vertex_layout(FiloPipelineDesc *desc, bool skinned);

// ---- extract/ ----

FiloResult gfx3d_extract_init(FiloGfx3d *gfx);
void gfx3d_extract_deinit(FiloGfx3d *gfx);
// Adds a view, zeroed but for its lists. NULL without memory.
Gfx3dView *gfx3d_view_add(FiloGfx3d *gfx);
// Fills planes and view_projection from view and projection.
void gfx3d_view_update(Gfx3dView *view);
// The matrix of an entity from its coordinates to those of the world, as it is drawn in this frame; `previous` and `world`
// may be NULL. Main.
FiloMat4 gfx3d_drawn_matrix(const FiloGfx3d *gfx, FiloEntity entity, const FiloTransform3 *transform,
                            const FiloPreviousTransform3 *previous, const FiloWorldTransform3 *world);
// Whether a sphere is outside of the view.
static inline bool gfx3d_view_misses(const Gfx3dView *view, FiloVec3 centre, float radius) {
    for (int i = 0; i < 6; i++)
        if (view->planes[i].x * centre.x + view->planes[i].y * centre.y + view->planes[i].z * centre.z +
                view->planes[i].w <
            -radius)
            return true;
    return false;
}
// Draws the opaque and masked lists of a view, in a pass; then, after the sky, the blended ones.
void gfx3d_draw_opaque(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPass pass);
void gfx3d_draw_blended(FiloGfx3d *gfx, const Gfx3dView *view);

// Whether an entity is below an inactive one, and is not drawn. Any thread in extraction.
static inline bool gfx3d_is_concealed(const FiloGfx3d *gfx, uint32_t entity_index) {
    return FILO_UNLIKELY(gfx->concealed_bits != NULL) && filo_bits_test(gfx->concealed_bits, entity_index);
}

// ---- lights/ ----

FiloResult gfx3d_lights_init(FiloGfx3d *gfx);
void gfx3d_lights_deinit(FiloGfx3d *gfx);
// Collects sun, lights and environment of the world. Before the views of cameras are made. Main.
void gfx3d_lights_extract(FiloGfx3d *gfx);
// Adds the views of a camera's cascades, if there is a sun with shadows. They are drawn before the camera.
void gfx3d_lights_add_shadows(FiloGfx3d *gfx, Gfx3dView *camera);
// Writes the frame block of every view. After all views are known. Main.
void gfx3d_lights_write_blocks(FiloGfx3d *gfx);
// In a pass, after a pipeline: sets block 0, and (color) the textures of shadows and sky.
void gfx3d_lights_bind(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPass pass);
bool gfx3d_sky_is_drawn(const FiloGfx3d *gfx, const Gfx3dView *view);
void gfx3d_sky_draw(FiloGfx3d *gfx, const Gfx3dView *view);
// The target of a cascade.
FiloRenderTarget gfx3d_shadow_target(FiloGfx3d *gfx, const Gfx3dView *view);
// How bright the picture of a view is: factor of its lit colours; strength of bloom, 0 to 1.
typedef struct Gfx3dExposure {
    float factor, bloom;
} Gfx3dExposure;
Gfx3dExposure gfx3d_lights_exposure(const FiloGfx3d *gfx, const Gfx3dView *view);

// ---- figures/ ----

FiloResult gfx3d_figures_init(FiloGfx3d *gfx);
void gfx3d_figures_deinit(FiloGfx3d *gfx);
// Computes the poses of all figures on the workers, and writes their joint matrices to GPU memory. Before the extraction
// of meshes.
void gfx3d_figures_extract(FiloGfx3d *gfx);
// The first joint matrix of an entity with FiloSkinned, in this frame; 0: a pose of identities. Of a figure that no
// view sees, matrices of zeroes, so that nothing of it is drawn. Any thread in extraction.
uint32_t gfx3d_figures_joints(const FiloGfx3d *gfx, FiloEntity entity);
// How far its skinned mesh reaches from its origin in any pose of the clips; 0: it has no figure. Any thread in extraction.
float gfx3d_figures_reach(const FiloGfx3d *gfx, uint32_t entity_index);
// In a pass, after a skinned pipeline: sets the joint buffer.
void gfx3d_figures_bind(FiloGfx3d *gfx);

// ---- effects/ ----

FiloResult gfx3d_effects_init(FiloGfx3d *gfx);
void gfx3d_effects_deinit(FiloGfx3d *gfx);
void gfx3d_effects_extract(FiloGfx3d *gfx);                     // after the views
void gfx3d_effects_draw(FiloGfx3d *gfx, const Gfx3dView *view); // in the colour pass, after blended meshes
void gfx3d_effects_end(FiloGfx3d *gfx);                         // after rendering: lines are forgotten
void gfx3d_effects_end_frame(FiloGfx3d *gfx); // of an app: lines are forgotten also if it was not rendered

// ---- ground/ ----

FiloResult gfx3d_grounds_init(FiloGfx3d *gfx);
void gfx3d_grounds_deinit(FiloGfx3d *gfx);
void gfx3d_grounds_extract(FiloGfx3d *gfx); // after the views: chooses squares
void gfx3d_grounds_problems(const FiloGfx3d *gfx, FiloLines *lines);
void gfx3d_grounds_draw(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPass pass);

// ---- render/ ----

FiloResult gfx3d_passes_init(FiloGfx3d *gfx);
void gfx3d_passes_deinit(FiloGfx3d *gfx);
// The size of a target of cameras in pixels; 0 is the window.
FiloIVec2 gfx3d_target_size(const FiloGfx3d *gfx, uint32_t target);
// The size of the picture that a view is drawn into: that of its viewport times the render scale.
FiloIVec2 gfx3d_picture_size(const FiloGfx3d *gfx, const Gfx3dView *view);
// Draws all views. True if the window was drawn to.
bool gfx3d_passes_draw(FiloGfx3d *gfx);

// ---- systems/ ----

bool gfx3d_components_register(FiloWorld *world);
bool gfx3d_cameras_register(FiloWorld *world);                     // control cameras, follow in 3D
bool gfx3d_figures_register(FiloWorld *world, FiloAssets *assets); // animate figures, attach to figures
bool gfx3d_particles_register(FiloWorld *world);                   // trace particles

#endif
