// Materials: how their parts work together.
//
//   shader_text.h      built-in GLSL files, which are part of the library
//   compose.h          the text of a stage from files, with the place of each line
//   program.c          pipelines of such texts
//   shaders.c          shaders of materials: their text, and which variants of them were compiled
//   variants.c         one variant: its definitions and fixed state
//   material_file.c    reads .material files into Gfx3dMaterialData
//   materials.c        materials by name; the life of one
//   check.c            compares the data of a material with its shader
//   resolve.c          computes what draws need
//   bind.c             sets pipeline, values and textures in a pass
//   texture_data.c     decodes images for textures
//   textures.c         textures by name
//   from_model.c       materials and images of models
//
// A material is data (Gfx3dMaterialData) that came from a file, the program or a model. It is resolved whenever the data,
// its shader or a texture has changed: the data that was resolved last is in use, and stays so if newer data is wrong.

#ifndef FILO_GFX3D_MATERIALS_H
#define FILO_GFX3D_MATERIALS_H

#include "gfx3d/materials/compose.h"
#include "gfx3d/renderer.h"

#include <filo/assets.h>

enum { GFX3D_BLOCK_FRAME, GFX3D_BLOCK_MATERIAL }; // slots of uniform blocks

// ---- Shaders ------------------------------------------------------------------------------------------------

// A file of the assets that shaders are made of: type "text".
typedef struct Gfx3dShaderAsset {
    FiloName name;
    FiloAsset asset;
} Gfx3dShaderAsset;
typedef FiloArray(uint32_t) Gfx3dFileList; // indices of Gfx3dMaterials.files

typedef struct Gfx3dIncludes { // for gfx3d_open_include
    FiloGfx3d *gfx;
    Gfx3dSource custom;   // what #include "custom" stands for
    Gfx3dFileList *files; // receives the assets that were included; NULL: not needed
    bool loading;         // result: an asset is not loaded yet
} Gfx3dIncludes;
FiloResult gfx3d_open_include(Gfx3dSource *source, const char *name, void *user);
// The same for assets (shaders.c).
FiloResult gfx3d_shader_file_open(Gfx3dSource *source, const char *name, Gfx3dIncludes *includes);
// Changes whenever one of the files does; 0 without files.
uint64_t gfx3d_shader_files_version(const FiloGfx3d *gfx, const Gfx3dFileList *files);

typedef struct Gfx3dProgramTexts {
    Gfx3dSource source;
    Gfx3dSource custom;
    const char *defines;
    Gfx3dFileList *files; // receives the assets that were included; NULL: not needed
    bool *loading;        // whether an asset is not loaded yet, so that it fails; NULL: not needed
} Gfx3dProgramTexts;
// Creates a pipeline, or replaces the shaders of one. Blocks are added to the description. On failure it is unchanged.
FiloResult gfx3d_program_make(FiloPipeline *pipeline, FiloGfx3d *gfx, const Gfx3dProgramTexts *texts,
                              const FiloPipelineDesc *desc);

// A variant of a shader, in bits. The lowest two are the pass, the next ones GFX3D_SKINNED and those after it.
enum {
    GFX3D_VARIANT_PASS = 3,
    GFX3D_VARIANT_DRAW = 2, // shift of GFX3D_SKINNED …
    GFX3D_VARIANT_MODE = 6, // shift of FiloMaterialMode
    GFX3D_VARIANT_UNLIT = 1 << 8,
    GFX3D_VARIANT_OWN_LIGHT = 1 << 9,
    GFX3D_VARIANT_DOUBLE_SIDED = 1 << 10,
    GFX3D_VARIANT_MAPS = 11, // shift: a bit for each standard map
    GFX3D_VARIANT_BITS = 16,
};

typedef struct Gfx3dVariant {
    uint32_t bits;
    FiloPipeline pipeline;    // {0}: it does not compile
    uint32_t version;         // of the shader's text that it was compiled from, or tried to
    uint32_t material, stamp; // whose values and textures are set
} Gfx3dVariant;

#define GFX3D_DEFINES 128 // letters of the definitions of a material

typedef struct Gfx3dShader {
    char label[GFX3D_LABEL];
    char defines[GFX3D_DEFINES]; // of the material: "SNOW LAYERS=3", or ""
    char *text;                  // of the program; NULL: a file, or the standard shader
    size_t text_size;
    uint32_t file; // of Gfx3dMaterials.files; GFX3D_NONE: none
    uint32_t references;
    bool ready;             // there was a text that compiles
    bool used;              // the slot has a shader
    uint32_t version;       // increases with every text that was tried
    uint64_t files_version; // sum of the versions of its files, when it was last tried
    bool has_vertex, has_surface;
    Gfx3dFileList files;
    Gfx3dUniforms uniforms; // that its text declares
    FiloArray(Gfx3dVariant) variants;
    FiloResult error; // of the last text
} Gfx3dShader;

// The shader of an asset, or of a text (`label` is its name in messages), with definitions; adds a reference. GFX3D_NONE
// without memory.
uint32_t gfx3d_shader_retain(FiloGfx3d *gfx, const char *label, const char *text, const char *defines);
void gfx3d_shader_release(FiloGfx3d *gfx, uint32_t shader); // GFX3D_NONE is allowed
// Takes over a text that was loaded or reloaded: `version` changes then.
void gfx3d_shader_update(FiloGfx3d *gfx, uint32_t shader);
void gfx3d_shaders_deinit(FiloGfx3d *gfx);
// A variant, compiled if it is needed for the first time; NULL without memory. Its pipeline is {0} if it does not compile.
Gfx3dVariant *gfx3d_shader_variant(FiloGfx3d *gfx, uint32_t shader, uint32_t bits);
// Compiles a variant, or compiles it again (variants.c).
FiloResult gfx3d_variant_make(FiloGfx3d *gfx, const Gfx3dShader *shader, Gfx3dVariant *variant);
// What is wrong with a definition of a material, "SNOW" or "LAYERS=3"; NULL: nothing.
const char *gfx3d_define_problem(FiloString define);
// Adds a definition to a list of them. False if it has no room.
bool gfx3d_define_add(char defines[GFX3D_DEFINES], FiloString define);
const char *gfx3d_shader_source(const FiloGfx3d *gfx, const Gfx3dShader *shader); // NULL: none, or not loaded

// ---- Material data --------------------------------------------------------------------------------------------

#define GFX3D_UNIFORM_NAME 48
#define GFX3D_IMAGE_NAME   256

typedef enum Gfx3dGiven {
    GFX3D_GIVEN_EXACT,  // by the program: the type is exact
    GFX3D_GIVEN_NUMBER, // in a file: a float, or an int if it is whole
    GFX3D_GIVEN_COLOR,  // "#rrggbb": a vec3 or a vec4
    GFX3D_GIVEN_BOOL,
} Gfx3dGiven;

typedef struct Gfx3dMaterialValue {
    char name[GFX3D_UNIFORM_NAME];
    FiloUniformType type;
    Gfx3dGiven given;
    float value[4]; // of an int, too
    int line, column;
} Gfx3dMaterialValue;

typedef struct Gfx3dMaterialTexture {
    char name[GFX3D_UNIFORM_NAME];
    FiloName image;
    FiloTexture texture; // instead of the image
    bool nearest, linear;
    FiloWrap wrap_u, wrap_v;
    int line, column;
} Gfx3dMaterialTexture;

typedef struct Gfx3dMaterialData {
    char shader[GFX3D_LABEL];    // "": the standard shader
    char defines[GFX3D_DEFINES]; // of the shader
    FiloMaterialMode mode;
    float cutoff;
    bool double_sided, unlit, own_light, no_shadow;
    uint32_t value_count, texture_count;
    Gfx3dMaterialValue values[FILO_MATERIAL_VALUES];
    Gfx3dMaterialTexture textures[FILO_MATERIAL_TEXTURES];
} Gfx3dMaterialData;

// Reads a .material file. `name` is used in messages. On failure `data` is unchanged. Any thread.
FiloResult gfx3d_material_decode(Gfx3dMaterialData *data, const char *text, size_t size, const char *name);

typedef struct Gfx3dStandardValue {
    const char *name;
    FiloUniformType type;
    float low, high;   // in files
    float standard[4]; // the value of a material that does not give it
    size_t offset;     // in Gfx3dMaterialBlock
} Gfx3dStandardValue;
typedef struct Gfx3dStandardMap {
    const char *name;
    bool linear;
} Gfx3dStandardMap;
#define GFX3D_STANDARD_VALUES 9
#define GFX3D_STANDARD_MAPS   5
extern const Gfx3dStandardValue gfx3d_standard_values[GFX3D_STANDARD_VALUES];
extern const Gfx3dStandardMap gfx3d_standard_maps[GFX3D_STANDARD_MAPS]; // in the order of bits of variants
const Gfx3dStandardValue *gfx3d_standard_value(const char *name);       // NULL: there is none
int gfx3d_standard_map(const char *name);                               // −1: there is none

// The uniform block `Material` of material.glsl.
typedef struct Gfx3dMaterialBlock {
    FiloVec4 color;
    float emissive[3];
    float metallic, roughness, normal_scale, occlusion_strength, cutoff;
    FiloVec2 uv_scale, uv_offset;
    float uv_rotation, unused[3]; // a block has whole vectors of four
} Gfx3dMaterialBlock;

// ---- Textures -------------------------------------------------------------------------------------------------

// The data of assets of type "texture": straight sRGB bytes, in which colours reach under what is transparent; or half
// floats.
typedef struct Gfx3dTextureData {
    int width, height;
    bool half;    // 8 bytes a pixel instead of 4
    bool is_data; // of the program: not in sRGB
    void *pixels;
} Gfx3dTextureData;
FiloResult gfx3d_texture_decode(Gfx3dTextureData **data, const void *bytes, size_t size, const char *name,
                                const FiloAllocator *allocator);
// Of straight (or premultiplied) pixels; NULL without memory.
Gfx3dTextureData *gfx3d_texture_copy(const FiloPixels *pixels, bool premultiplied,
                                     const FiloAllocator *allocator);
void gfx3d_texture_data_free(Gfx3dTextureData *data, const FiloAllocator *allocator); // NULL is allowed
size_t gfx3d_texture_data_size(const Gfx3dTextureData *data);
// Gives transparent pixels the colours of their neighbours.
void gfx3d_texture_bleed(uint8_t *pixels, int width, int height, const FiloAllocator *allocator);

typedef struct Gfx3dImage { // where textures of a name come from
    FiloName name;
    FiloAsset asset;        // {0}: not an asset
    uint32_t asset_version; // that was uploaded
    bool asset_failed;
    bool of_sprites;        // the asset is of type "image", because sprites have loaded it before
    bool failed;            // there is no GPU memory for it, or it cannot be one
    uint8_t missing;        // updates in which nothing was there for the name; 2: it was reported
    Gfx3dTextureData *data; // of the program
    const void *bytes;      // of gfx3d_texture_set_bytes: only to be compared
    size_t byte_count;
    uint64_t byte_mark; // hash of the last ones
    FiloTexture given;  // of gfx3d_texture_give
    uint32_t textures;  // the first of its list; GFX3D_NONE: none
} Gfx3dImage;

typedef struct Gfx3dTexture {
    uint32_t image;
    bool linear, nearest;
    FiloWrap wrap_u, wrap_v;
    FiloTexture texture; // {0}: a placeholder
    uint32_t next;       // of the same image
} Gfx3dTexture;

FiloResult gfx3d_textures_register(FiloAssets *assets);
FiloResult gfx3d_textures_init(FiloGfx3d *gfx);
void gfx3d_textures_deinit(FiloGfx3d *gfx);
void gfx3d_textures_update(FiloGfx3d *gfx);
void gfx3d_textures_problems(const FiloGfx3d *gfx, FiloLines *lines);
bool gfx3d_textures_pending(const FiloGfx3d *gfx); // see gfx3d_materials_pending
// The index of a texture, added and requested if it is not known. GFX3D_NONE without memory.
uint32_t gfx3d_texture_index(FiloGfx3d *gfx, const Gfx3dTextureKey *key);
// The current texture of an index; `normal`: the placeholder is a flat normal map. Never {0}, unless there is no GPU memory.
FiloTexture gfx3d_texture_at(const FiloGfx3d *gfx, uint32_t index, bool normal);
bool gfx3d_texture_failed(const FiloGfx3d *gfx, uint32_t index);
// Sets the bytes of an image file under a name: embedded in a model. Decoded on a worker.
void gfx3d_texture_set_bytes(FiloGfx3d *gfx, FiloName name, const void *bytes, size_t size);

// ---- Materials --------------------------------------------------------------------------------------------------

typedef enum Gfx3dMaterialSource {
    GFX3D_MATERIAL_MISSING, // a name that nothing was added for, yet
    GFX3D_MATERIAL_FILE,
    GFX3D_MATERIAL_MADE, // by the program, or of a model
} Gfx3dMaterialSource;

typedef struct Gfx3dSetTexture { // a texture of the data, as it is set
    uint32_t texture;            // index; GFX3D_NONE: `own`
    FiloTexture own;             // of the program
    bool normal;                 // a normal map
    FiloTexture shown;           // the current one
} Gfx3dSetTexture;

typedef struct Gfx3dMaterial {
    FiloName name;
    Gfx3dMaterialSource source;
    FiloAsset asset;
    uint32_t asset_version;
    Gfx3dMaterialData wanted; // the last data
    uint32_t wanted_shader;   // reference; 0: the standard shader
    uint32_t shader_version;  // of that shader, when `wanted` was compared with it
    bool changed;             // `wanted` is new
    Gfx3dMaterialData data;   // in use
    uint32_t shader;          // reference; 0: the standard shader
    bool good;                // `data` fits its shader; otherwise it stands in until the shader is loaded
    bool broken;              // there was no data that fits: it is shown as the error material
    bool reported;            // that there is no such material
    FiloResult error;         // of `wanted`
    // Resolved:
    Gfx3dMaterialInfo info;
    uint32_t bits; // of variants, without pass and draw
    uint32_t stamp;
    bool block_changed;
    Gfx3dMaterialBlock block;
    Gfx3dSetTexture textures[FILO_MATERIAL_TEXTURES]; // of data.textures
} Gfx3dMaterial;

struct Gfx3dMaterials {
    FiloArray(Gfx3dMaterial *) list;
    FiloMap by_name; // FiloName.id → uint32_t
    FiloArray(Gfx3dShader *) shaders;
    FiloArray(Gfx3dShaderAsset) files;
    FiloArray(Gfx3dImage) images;
    FiloMap images_by_name; // FiloName.id → uint32_t
    FiloArray(Gfx3dTexture) textures;
    FiloTexture white, flat, chequered;
    FiloTexture white_array;   // of one layer
    uint32_t texture_version;  // increases when any texture changes
    uint32_t textures_seen;    // by materials
    FiloBuffer blocks;         // a Gfx3dMaterialBlock every 256 bytes
    size_t block_count;        // that it has room for
    FiloArray(uint32_t) kinds; // shader << 16 | bits: groups of keys
};

// Compares data with a shader that is ready (check.c). FILO_ERROR_DATA: `name`, of a file, is in the message. Values are
// converted to the types of the shader.
FiloResult gfx3d_material_check(FiloGfx3d *gfx, Gfx3dMaterialData *data, uint32_t shader, const char *name);
// The value of that name; NULL: the data has none (resolve.c).
const Gfx3dMaterialValue *gfx3d_material_value(const Gfx3dMaterialData *data, const char *name);
// Computes block, textures and keys of the data in use (resolve.c).
void gfx3d_material_apply(FiloGfx3d *gfx, uint32_t material);
// Takes over textures that have changed.
void gfx3d_material_show_textures(const FiloGfx3d *gfx, Gfx3dMaterial *material);
// Bits of the variant for a pass, and (`shader`) of which shader it is.
uint32_t gfx3d_material_variant(const FiloGfx3d *gfx, const Gfx3dMaterial *material, Gfx3dPass pass,
                                uint32_t draw, uint32_t *shader);
// The same for data, in the colour pass.
uint32_t gfx3d_material_bits(const Gfx3dMaterialData *data);
// Sets all textures of the caller's own shader to white: of the pipeline in use (bind.c).
void gfx3d_set_white(FiloGfx3d *gfx, FiloPipeline pipeline);
// Writes the blocks that have changed to GPU memory (bind.c).
void gfx3d_material_write_blocks(FiloGfx3d *gfx);
// Adds data that the program made, or that of a model, or replaces that of the name. `text`: of the shader.
FiloResult gfx3d_material_put(FiloGfx3d *gfx, FiloName name, const Gfx3dMaterialData *data, const char *text,
                              uint32_t *index);
// The index without requesting it; GFX3D_NONE: none.
uint32_t gfx3d_material_lookup(const FiloGfx3d *gfx, FiloName name);

#endif
