// Composes the text of a shader stage from files: #include, parts for stages, definitions and conditions.
//
// Lines keep their order, and for each line of the result it is known which file and line it comes from: so messages of
// the driver can name the place.
//
// Conditions (#if, #ifdef) are evaluated as far as they are known, and what is left out is not in the result: so an
// #include inside of them is conditional too, and the null device, which has no preprocessor, sees the same declarations
// as the others. Conditions with names that only the driver knows (FILO_GL45, GL_…) stay in the text.

#ifndef FILO_GFX3D_COMPOSE_H
#define FILO_GFX3D_COMPOSE_H

#include <filo/containers.h>
#include <filo/gpu.h>
#include <filo/strings.h>

#define GFX3D_LABEL 64

typedef enum Gfx3dStage { GFX3D_STAGE_VERTEX = 1, GFX3D_STAGE_FRAGMENT = 2 } Gfx3dStage;

typedef struct Gfx3dSource {
    const char *label; // name in messages
    const char *text;  // NULL: nothing is included, which is no error
} Gfx3dSource;

typedef struct Gfx3dTextFile {
    char label[GFX3D_LABEL];
} Gfx3dTextFile;

typedef struct Gfx3dTextRun { // lines of the result from `line` on, counted from 1, are those of a file
    uint32_t line, file, file_line;
} Gfx3dTextRun;

typedef struct Gfx3dText {
    FiloBuilder text;
    FiloArray(Gfx3dTextFile) files; // [0] is the one that includes the others
    FiloArray(Gfx3dTextRun) runs;
    int parts; // a bit of Gfx3dStage for each that the files have, whatever stage was composed
} Gfx3dText;

typedef struct Gfx3dComposeDesc {
    Gfx3dSource source;
    Gfx3dStage stage;
    const char *defines; // "A B=2"; NULL: none
    // Finds a file that is included. An error is reported at the place of the #include.
    FiloResult (*open)(Gfx3dSource *source, const char *name, void *user);
    void *user;
    const FiloAllocator *allocator;
} Gfx3dComposeDesc;

// FILO_ERROR_DATA with file and line: "flag.glsl:3: …". `text` is empty then. Free it by gfx3d_text_free. A file is
// included once, by its name; includes of it after the first are left out. Any thread.
FiloResult gfx3d_compose(Gfx3dText *text, const Gfx3dComposeDesc *desc);
void gfx3d_text_free(Gfx3dText *text);

// A message of the device about a pipeline of these texts, with the place in the files instead of the line in the text:
// "flag.glsl:7: `wve' undeclared".
FiloResult gfx3d_text_error(const FiloResult *result, const Gfx3dText *vertex, const Gfx3dText *fragment);

// Whether a text defines the function `void name(`.
bool gfx3d_text_has_function(const char *text, const char *name);

// The uniforms that a text declares, used or not. Blocks are left out. False without memory.
typedef FiloArray(FiloUniformInfo) Gfx3dUniforms;
bool gfx3d_text_uniforms(const char *text, Gfx3dUniforms *uniforms);

#endif
