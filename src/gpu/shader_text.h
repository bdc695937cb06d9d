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

// The following read a filtered text.

// Adds the uniforms that the text declares and uses. False without memory.
bool gpu_shader_uniforms(const char *text, GpuUniforms *uniforms);

// Sets the bytes of the uniform blocks that the text declares, or the larger number if there is one already. Of blocks with
// structs it is too small.
void gpu_shader_blocks(const char *text, const char names[][GPU_LABEL], size_t sizes[FILO_GPU_BLOCKS]);

// A bit for each binding of a storage buffer that the text declares; bit 31 for larger ones too.
uint32_t gpu_shader_storage(const char *text);

#endif
