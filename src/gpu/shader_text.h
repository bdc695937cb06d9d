// Shader source text: compiler messages about it, and its declarations.

#ifndef FILO_GPU_SHADER_TEXT_H
#define FILO_GPU_SHADER_TEXT_H

#include "gpu/device.h"

// The result for a shader that did not compile, from the driver's log. `stage` is "vertex shader", "fragment shader",
// "compute shader" or "linking".
FiloResult gpu_shader_error(const char *label, const char *stage, const char *log);

// Number of the line with "#version", counted from 1; 0 if there is none.
int gpu_shader_version_line(const char *text);

// The null device's substitute for compiling. Copies the text to `filtered`, of the same size, with blanks instead of the
// lines that conditions leave out. Fails for a text without a main function, and for an #error that is not left out, unless
// its condition is not understood.
FiloResult gpu_shader_filter(const char *label, const char *stage, const char *text, char *filtered);

// Adds what a filtered text declares: the uniforms that it uses, the bytes of its uniform blocks, or the larger number if there is
// one already (of blocks with structs it is too small), and a bit for each binding of a storage buffer, bit 31 for larger ones
// too. Takes time in proportion to the text. False without memory.
bool gpu_shader_read(const char *text, const char blocks[][GPU_LABEL], GpuProgram *program);

#endif
