// Shaders as text: what a compiler says about them, and what they declare.

#ifndef FILO_GPU_SHADER_TEXT_H
#define FILO_GPU_SHADER_TEXT_H

#include "gpu/device.h"

// The result for a shader that did not compile, from the driver's log. `stage` is "vertex", "fragment" or
// "linking".
FiloResult gpu_shader_error(const char *label, const char *stage, const char *log);

// Where the text has a line "#version", counted from 1; 0 if it has none.
int gpu_shader_version_line(const char *text);

// What the null device does instead of compiling: an error for a text without a main function, and for an
// #error that is under no condition.
FiloResult gpu_shader_look(const char *label, const char *stage, const char *text);

// Adds the uniforms that are declared in the text, and used somewhere in it. False without memory.
bool gpu_shader_uniforms(const char *text, GpuUniforms *uniforms);

// Puts uniforms into the order of their names, and finds places for their values and texture units. False if
// there are more textures than units; `*floats` is the room that their values need.
bool gpu_uniforms_arrange(GpuUniforms *uniforms, size_t *floats, int *textures);

#endif
