// The built-in GLSL files by name.

#include "gfx3d/materials/shader_text.h"

#include <stddef.h>
#include <string.h>

const char *gfx3d_shader_text(const char *name) {
    for (const Gfx3dShaderFile *file = gfx3d_shader_files; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0) return file->text;
    return NULL;
}
