// filo/material.h: materials and shaders for meshes.
//
// A material is data: a shader, values and textures. As a file, "brick.material":
//
//     {
//         "filo": "material",
//         "color": [0.9, 0.4, 0.3, 1],           linear; or "#e0a080", sRGB
//         "roughness": 0.8,
//         "color_map": "brick.png",
//         "normal_map": "brick_normal.png"
//     }
//
//     filo_create(world, FILO_SET(FiloMesh, .mesh = filo_name("wall.obj"), .material = filo_name("brick.material")));
//
// or made by the program:
//
//     FiloResult r = filo_gfx3d_add_material(gfx, filo_name("gold"), &(FiloMaterialDesc){
//         .values = { FILO_VEC4("color", 1, 0.76f, 0.33f, 1), FILO_FLOAT("metallic", 1), FILO_FLOAT("roughness", 0.3f) } });
//
// or part of a model: "robot.glb#materials/Steel".
//
// Values and textures of the standard shader, and what they are if they are not given:
//
//   color 1 1 1 1    metallic 0    roughness 0.7    emissive 0 0 0    normal_scale 1    occlusion_strength 1
//   uv_scale 1 1     uv_offset 0 0     uv_rotation 0 (radians; offset + rotated(scale × uv))
//   color_map, metallic_roughness_map (green, blue), normal_map, occlusion_map (red), emissive_map
//
// and of the material itself: "mode" ("opaque", "mask", "blend", "add"), "cutoff", "double_sided", "unlit",
// "own_light", "no_shadow", "shader", "defines" (["SNOW", "LAYERS=3"], for #if in the shader). A texture may be an object: { "image":
// "x.png", "clamp": true (or "mirror": true), "nearest": true, "linear": true } ("linear": its values are not colours, so they are not converted
// from sRGB; the standard maps know it by themselves).
//
// A material with a shader of its own, "flag.material": { "filo": "material", "shader": "flag.glsl", "wave": 0.3 }. The
// shader changes a vertex, a surface, or both, and declares uniforms, whose values are those of the material:
//
//     //! vertex
//     uniform float wave;
//     void vertex(inout FiloVertex v) { v.position.y += wave * sin(v.position.x * 4.0 + frame.time); }
//     //! fragment
//     void surface(inout FiloSurface s) { s.color.rgb *= 0.5 + 0.5 * s.uv.y; }
//
// Everything else (instances, skinning, lights, shadows, fog, depth) is added around it, in as many variants as are
// needed, which are compiled when they are drawn for the first time. #include "wind.glsl" inserts another file of the
// assets, once. docs/materials.md lists FiloVertex, FiloSurface and `frame`.
//
// A value must have the type of its uniform. A material that has another is refused with a message that names shader,
// uniform and both types; so is a value that the shader does not have. A uniform that the material does not give is zero,
// a texture white. Materials, shaders and images are reloaded when their file changes. A broken one keeps the last good
// version, and its error is in the log and on the screen. What never was right is shown with magenta and black squares.

#ifndef FILO_MATERIAL_H
#define FILO_MATERIAL_H

#include <filo/gpu.h>
#include <filo/model.h>
#include <filo/strings.h>

FILO_BEGIN_DECLS

typedef struct FiloGfx3d FiloGfx3d;

#define FILO_MATERIAL_VALUES   16
#define FILO_MATERIAL_TEXTURES 8

typedef struct FiloMaterialValue {
    const char *name;     // of the uniform; NULL ends the list
    FiloUniformType type; // FLOAT, VEC2, VEC3, VEC4 or INT (also for a bool)
    float value[4];
} FiloMaterialValue;
#define FILO_FLOAT(name_, x)                                                                                 \
    {                                                                                                        \
        (name_), FILO_UNIFORM_FLOAT, { (x) }                                                                 \
    }
#define FILO_VEC2(name_, x, y)                                                                               \
    {                                                                                                        \
        (name_), FILO_UNIFORM_VEC2, { (x), (y) }                                                             \
    }
#define FILO_VEC3(name_, x, y, z)                                                                            \
    {                                                                                                        \
        (name_), FILO_UNIFORM_VEC3, { (x), (y), (z) }                                                        \
    }
#define FILO_VEC4(name_, x, y, z, w)                                                                         \
    {                                                                                                        \
        (name_), FILO_UNIFORM_VEC4, { (x), (y), (z), (w) }                                                   \
    }

typedef struct FiloMaterialTexture {
    const char *name;    // of the uniform; NULL ends the list
    FiloName image;      // a file of the assets, or of filo_gfx3d_add_texture or filo_gfx3d_target_create
    FiloTexture texture; // instead of an image: of the program's own, which must exist as long as it is used
    bool clamp, mirror;  // beyond the edges; otherwise it repeats
    bool nearest;        // the nearest texel; otherwise filtered, with mipmaps
    bool linear;         // not sRGB
} FiloMaterialTexture;

typedef enum FiloMaterialMode {
    FILO_MATERIAL_OPAQUE,
    FILO_MATERIAL_MASK,  // what has an alpha below the cutoff is not drawn
    FILO_MATERIAL_BLEND, // sorted by distance, and blended
    FILO_MATERIAL_ADD,
} FiloMaterialMode;

typedef struct FiloMaterialDesc {
    const char *shader; // an asset, "flag.glsl"; NULL: the standard shader
    const char *source; // or its text; then `shader` is the name in messages (NULL: the name of the material)
    const char *defines; // for its #if and #ifdef, "SNOW LAYERS=3": a variant of the shader; NULL: none
    FiloMaterialMode mode;
    float cutoff; // 0: 0.5
    bool double_sided, no_shadow;
    bool unlit;     // shows color + emissive as they are: without light, exposure and tone mapping
    bool own_light; // shows them as light, exposed and tone mapped: lamps, and shaders that compute light
    FiloMaterialValue values[FILO_MATERIAL_VALUES];
    FiloMaterialTexture textures[FILO_MATERIAL_TEXTURES];
} FiloMaterialDesc;

// Adds a material that the program made, or replaces the one of that name. Everything is copied. FILO_ERROR_DATA if the
// shader does not compile, or a value does not fit it; a material that was there stays as it was. With an asset as shader,
// this is found out when that is loaded, and logged. Main thread, outside of passes.
FiloResult filo_gfx3d_add_material(FiloGfx3d *gfx, FiloName name, const FiloMaterialDesc *desc);

// Change a value of a material, also of one from a file or model, until that is reloaded. FILO_ERROR_NOT_FOUND if there is
// no such material, or its file is not loaded yet; FILO_ERROR_DATA for another type than the shader's: "flag.glsl:
// \"wave\" is a vec2, but a float was set"; FILO_ERROR_LIMIT for more values than a material has. Main thread, and not
// between filo_gfx3d_extract and filo_gfx3d_render.
FiloResult filo_material_set_float(FiloGfx3d *gfx, FiloName material, const char *name, float value);
FiloResult filo_material_set_int(FiloGfx3d *gfx, FiloName material, const char *name, int value); // or a bool
FiloResult filo_material_set_vec2(FiloGfx3d *gfx, FiloName material, const char *name, FiloVec2 value);
FiloResult filo_material_set_vec3(FiloGfx3d *gfx, FiloName material, const char *name, FiloVec3 value);
FiloResult filo_material_set_vec4(FiloGfx3d *gfx, FiloName material, const char *name, FiloVec4 value);
// Another image for a texture; clamping and filter stay as they were.
FiloResult filo_material_set_texture(FiloGfx3d *gfx, FiloName material, const char *name, FiloName image);

// Adds a texture that the program made, for materials by its name, or replaces the one of that name. The pixels are copied;
// they have straight alpha, and are sRGB unless `linear`. FILO_ERROR_LIMIT for more pixels than the device supports,
// FILO_ERROR_MEMORY without memory. Main thread, as above.
FiloResult filo_gfx3d_add_texture(FiloGfx3d *gfx, FiloName name, const FiloPixels *pixels, bool linear);

FILO_END_DECLS

#endif
