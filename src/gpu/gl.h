// What the backends for OpenGL 4.5 and 3.3 share. Functions here need nothing above 3.3, or what they have
// asked for.

#ifndef FILO_GPU_GL_H
#define FILO_GPU_GL_H

#include "gpu/device.h"

#include <epoxy/gl.h>

typedef struct FiloGlFormat {
    GLenum internal, format, type;
} FiloGlFormat;
FiloGlFormat filo_gl_format(FiloTextureFormat format);
static inline GLenum filo_gl_texture_target(const FiloGpuTexture *texture) {
    return texture->layers > 0 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
}
GLint filo_gl_min_filter(const FiloGpuTexture *texture);

typedef struct FiloGlAttribute {
    GLint count;
    GLenum type;
    bool whole, normalized; // an integer in the shader; 0 to 1
} FiloGlAttribute;
FiloGlAttribute filo_gl_attribute(FiloAttributeFormat format);

// Forgets errors that others left behind, so that those of the next calls are ours.
void filo_gl_clear_errors(void);
// What came of them: FILO_ERROR_MEMORY, or FILO_ERROR_IO with the error's name.
FiloResult filo_gl_outcome(const char *kind, const char *label, size_t bytes);
const char *filo_gl_error_name(GLenum error);
// Checks the framebuffer that is bound, or the named one on 4.5, by its status.
FiloResult filo_gl_framebuffer_outcome(const FiloGpuTarget *target, GLenum status);
void filo_gl_label(FiloGpu *gpu, GLenum kind, uint32_t name, const char *label);

void filo_gl_bind_program(FiloGpu *gpu, uint32_t name);
void filo_gl_bind_vertex_array(FiloGpu *gpu, uint32_t name);
// Before the object is deleted: it is bound no more.
void filo_gl_forget_texture(FiloGpu *gpu, uint32_t name);

// Entries of the tables.
void filo_gl_close(FiloGpu *gpu);
void filo_gl_check(FiloGpu *gpu, const char *call);
void filo_gl_buffer_destroy(FiloGpu *gpu, FiloGpuBuffer *buffer);
void filo_gl_ring_nothing(FiloGpu *gpu, FiloGpuBuffer *buffer);
void filo_gl_ring_no_range(FiloGpu *gpu, FiloGpuBuffer *buffer, size_t offset, size_t size);
void filo_gl_ring_no_verify(FiloGpu *gpu, FiloGpuRing *ring, FiloGpuRingPart *part, FiloGpuBuffer *buffer);
void filo_gl_texture_destroy(FiloGpu *gpu, FiloGpuTexture *texture);
void filo_gl_target_destroy(FiloGpu *gpu, FiloGpuTarget *target);
FiloResult filo_gl_read(FiloGpu *gpu, const FiloGpuTarget *target, int x, int y, const FiloPixels *into);
FiloResult filo_gl_program_create(FiloGpu *gpu, const FiloGpuPipeline *pipeline, FiloGpuProgram *program,
                                  const char *vertex, const char *fragment);
void filo_gl_program_destroy(FiloGpu *gpu, FiloGpuProgram *program);
void filo_gl_pipeline_destroy(FiloGpu *gpu, FiloGpuPipeline *pipeline);
void filo_gl_uniform_set(FiloGpu *gpu, FiloGpuPipeline *pipeline, const FiloGpuUniform *uniform, int element,
                         const float *value);
void filo_gl_texture_set(FiloGpu *gpu, const FiloGpuUniform *uniform, const FiloGpuTexture *texture);
void filo_gl_begin_pass(FiloGpu *gpu, const FiloGpuTarget *target, const FiloGpuPass *pass);
void filo_gl_end_pass(FiloGpu *gpu);
void filo_gl_set_viewport(FiloGpu *gpu, FiloGpuArea area);
void filo_gl_set_scissor(FiloGpu *gpu, FiloGpuArea area);
void filo_gl_use(FiloGpu *gpu, FiloGpuPipeline *pipeline);
void filo_gl_set_vertices(FiloGpu *gpu, int slot, const FiloGpuBuffer *buffer, size_t offset);
void filo_gl_set_indices(FiloGpu *gpu, const FiloGpuBuffer *buffer);
void filo_gl_end_frame(FiloGpu *gpu, uint64_t frame);
bool filo_gl_frame_done(FiloGpu *gpu, uint64_t frame, bool wait);
void filo_gl_finish(FiloGpu *gpu);
FiloResult filo_gl_timer_create(FiloGpu *gpu, FiloGpuTimerData *timer);
void filo_gl_timer_mark(FiloGpu *gpu, FiloGpuTimerData *timer, uint32_t pair, int end);
bool filo_gl_timer_read(FiloGpu *gpu, FiloGpuTimerData *timer, uint32_t pair, double *ms);
void filo_gl_timer_destroy(FiloGpu *gpu, FiloGpuTimerData *timer);
void filo_gl_push_label(FiloGpu *gpu, const char *label);
void filo_gl_pop_label(FiloGpu *gpu);

// Of a draw: everything but the vertices, and the call itself.
void filo_gl_prepare_draw(FiloGpu *gpu, const FiloGpuDraw *draw);
void filo_gl_issue_draw(const FiloGpuDraw *draw);

// What both versions do alike, in their tables of functions.
#define FILO_GL_COMMON                                                                                       \
    .close = filo_gl_close, .check = filo_gl_check, .ring_take = filo_gl_ring_no_range,                      \
    .ring_verify = filo_gl_ring_no_verify, .texture_destroy = filo_gl_texture_destroy,                       \
    .target_destroy = filo_gl_target_destroy, .read = filo_gl_read,                                          \
    .program_create = filo_gl_program_create, .program_destroy = filo_gl_program_destroy,                    \
    .pipeline_destroy = filo_gl_pipeline_destroy, .uniform_set = filo_gl_uniform_set,                        \
    .texture_set = filo_gl_texture_set, .begin_pass = filo_gl_begin_pass, .end_pass = filo_gl_end_pass,      \
    .set_viewport = filo_gl_set_viewport, .set_scissor = filo_gl_set_scissor, .use = filo_gl_use,            \
    .set_vertices = filo_gl_set_vertices, .set_indices = filo_gl_set_indices,                                \
    .end_frame = filo_gl_end_frame, .frame_done = filo_gl_frame_done, .finish = filo_gl_finish,              \
    .timer_create = filo_gl_timer_create, .timer_mark = filo_gl_timer_mark,                                  \
    .timer_read = filo_gl_timer_read, .timer_destroy = filo_gl_timer_destroy,                                \
    .push_label = filo_gl_push_label, .pop_label = filo_gl_pop_label

#endif
