// The built-in GLSL files, src/gfx3d/shaders/*.glsl, which are part of the library.

#ifndef FILO_GFX3D_SHADER_TEXT_H
#define FILO_GFX3D_SHADER_TEXT_H

typedef struct Gfx3dShaderFile {
    const char *name; // "light.glsl"
    const char *text;
} Gfx3dShaderFile;

// Sorted by name; ends with NULL. Written by cmake/FiloEmbedShaders.cmake.
extern const Gfx3dShaderFile gfx3d_shader_files[];

// The text of a built-in file; NULL: there is none of that name. Any thread.
const char *gfx3d_shader_text(const char *name);

#endif
