// Definitions and conditions of the preprocessor of GLSL, for composing shaders.

#ifndef FILO_GFX3D_CONDITION_H
#define FILO_GFX3D_CONDITION_H

#include <filo/containers.h>
#include <filo/strings.h>

typedef struct Gfx3dDefine {
    FiloString name;
    int64_t value;
    bool number; // the value is a number
    bool maybe;  // defined or not: it depends on a condition that is not known
} Gfx3dDefine;
typedef FiloArray(Gfx3dDefine) Gfx3dDefines;

typedef enum Gfx3dTruth { GFX3D_FALSE, GFX3D_TRUE, GFX3D_UNKNOWN } Gfx3dTruth;

// "NAME value", the text after #define. `maybe`: inside of a condition that is not known. The text must outlive the list.
// False without memory.
bool gfx3d_defines_add(Gfx3dDefines *defines, FiloString text, bool maybe);
void gfx3d_defines_remove(Gfx3dDefines *defines, FiloString name, bool maybe);
Gfx3dTruth gfx3d_defined(const Gfx3dDefines *defines, FiloString name);
// The value of an expression after #if: integers, names, defined, ! && || == != < > <= >= + - and parentheses. What it does
// not understand is unknown.
Gfx3dTruth gfx3d_condition(const Gfx3dDefines *defines, FiloString expression);
// The first word of a text, and the rest without blanks around.
FiloString gfx3d_word(FiloString text, FiloString *rest);

#endif
