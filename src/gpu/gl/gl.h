// What the backends for OpenGL 4.5 and 3.3 share. Functions here need OpenGL 3.3, or check the version or extension
// that they need.

#ifndef FILO_GPU_GL_H
#define FILO_GPU_GL_H

#include "gpu/device.h"

#include <epoxy/gl.h>

// A texture unit that no pipeline uses, for changes.
#define GPU_GL_UPLOAD_UNIT (GL_TEXTURE0 + GPU_SAMPLERS)

typedef struct GpuGlFormat {
    GLenum internal, format, type;
} GpuGlFormat;
GpuGlFormat gpu_gl_format(FiloTextureFormat format);
static inline GLenum gpu_gl_texture_target(const GpuTexture *texture) {
    return texture->layers > 0 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
}
// Ends the creation of a texture: its result, its parameters, its label. `set`: glTexParameteri or glTextureParameteri,
// `which`: the target or name for it. A texture that failed is deleted.
FiloResult gpu_gl_texture_made(FiloGpu *gpu, const GpuTexture *texture, GLuint name,
                               void (*set)(GLuint which, GLenum parameter, GLint value), GLuint which);

typedef struct GpuGlAttribute {
    GLint count;
    GLenum type;
    bool integer, normalized; // type in the shader: an integer; a float from 0 or -1 to 1
} GpuGlAttribute;
GpuGlAttribute gpu_gl_attribute(FiloAttributeFormat format);

// Discards earlier errors of the context, so that gpu_gl_result reports only those of the calls in between.
void gpu_gl_clear_errors(void);
// The last error as a result: FILO_ERROR_MEMORY, or FILO_ERROR_IO with its name.
FiloResult gpu_gl_result(const char *kind, const char *label, size_t bytes);
// The status of a framebuffer as a result.
FiloResult gpu_gl_framebuffer_result(const GpuTarget *target, GLenum status);
void gpu_gl_label(FiloGpu *gpu, GLenum kind, uint32_t name, const char *label);

void gpu_gl_bind_program(FiloGpu *gpu, uint32_t name);
void gpu_gl_bind_vertex_array(FiloGpu *gpu, uint32_t name);

// Functions of GpuBackend.
void gpu_gl_close(FiloGpu *gpu);
void gpu_gl_check(FiloGpu *gpu, const char *call);
FiloResult gpu_gl_buffer_borrow(FiloGpu *gpu, GpuBuffer *buffer, uint64_t native);
void gpu_gl_buffer_destroy(FiloGpu *gpu, GpuBuffer *buffer);
void gpu_gl_texture_destroy(FiloGpu *gpu, GpuTexture *texture);
void gpu_gl_target_destroy(FiloGpu *gpu, GpuTarget *target);
FiloResult gpu_gl_read(FiloGpu *gpu, const GpuTarget *target, int x, int y, const FiloPixels *into);
FiloResult gpu_gl_program_create(FiloGpu *gpu, const GpuPipeline *pipeline, GpuProgram *program,
                                 const GpuShaders *shaders);
void gpu_gl_program_destroy(FiloGpu *gpu, GpuProgram *program);
void gpu_gl_pipeline_destroy(FiloGpu *gpu, GpuPipeline *pipeline);
void gpu_gl_uniform_set(FiloGpu *gpu, GpuPipeline *pipeline, const GpuUniform *uniform, int element,
                        const float *value);
FiloResult gpu_gl_texels_set(FiloGpu *gpu, const GpuUniform *uniform, GpuBuffer *buffer,
                             FiloTexelFormat format);
void gpu_gl_begin_pass(FiloGpu *gpu, const GpuTarget *target, const FiloGpuPass *pass);
void gpu_gl_end_pass(FiloGpu *gpu);
void gpu_gl_set_viewport(FiloGpu *gpu, GpuArea area);
void gpu_gl_set_scissor(FiloGpu *gpu, GpuArea area);
void gpu_gl_use(FiloGpu *gpu, GpuPipeline *pipeline);
void gpu_gl_set_vertices(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset);
void gpu_gl_set_indices(FiloGpu *gpu, const GpuBuffer *buffer);
void gpu_gl_set_block(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset, size_t size);
void gpu_gl_end_frame(FiloGpu *gpu, uint64_t frame);
bool gpu_gl_frame_done(FiloGpu *gpu, uint64_t frame, bool wait);
void gpu_gl_finish(FiloGpu *gpu);
FiloResult gpu_gl_fence_create(FiloGpu *gpu, GpuFence *fence);
bool gpu_gl_fence_wait(FiloGpu *gpu, GpuFence *fence, int64_t timeout_ns);
void gpu_gl_fence_destroy(FiloGpu *gpu, GpuFence *fence);
FiloResult gpu_gl_timer_create(FiloGpu *gpu, GpuTimer *timer);
void gpu_gl_timer_mark(FiloGpu *gpu, GpuTimer *timer, uint32_t pair, int end);
bool gpu_gl_timer_read(FiloGpu *gpu, GpuTimer *timer, uint32_t pair, double *ms);
void gpu_gl_timer_destroy(FiloGpu *gpu, GpuTimer *timer);
void gpu_gl_push_label(FiloGpu *gpu, const char *label);
void gpu_gl_pop_label(FiloGpu *gpu);

// Binds what the units of the program read.
void gpu_gl_bind_samplers(FiloGpu *gpu, const GpuProgram *program, const GpuSampler *samplers);
// Sets all state for a draw except vertices and indices.
void gpu_gl_prepare_draw(FiloGpu *gpu, const GpuDraw *draw);
GLenum gpu_gl_mode(const GpuPipeline *pipeline);
// The draw call. Without `first_instance`, which needs OpenGL 4.2.
void gpu_gl_issue_draw(const GpuDraw *draw);

// Functions of GpuBackend that need OpenGL 4.5.
void gpu_gl_begin_compute(FiloGpu *gpu, const FiloGpuPass *pass);
void gpu_gl_end_compute(FiloGpu *gpu);
void gpu_gl_dispatch(FiloGpu *gpu, const GpuDispatch *dispatch);
void gpu_gl_barrier(FiloGpu *gpu, uint32_t barriers);

// The functions that both backends share.
#define GPU_GL_COMMON                                                                                        \
    .close = gpu_gl_close, .check = gpu_gl_check, .texture_destroy = gpu_gl_texture_destroy,                 \
    .target_destroy = gpu_gl_target_destroy, .read = gpu_gl_read, .program_create = gpu_gl_program_create,   \
    .program_destroy = gpu_gl_program_destroy, .pipeline_destroy = gpu_gl_pipeline_destroy,                  \
    .uniform_set = gpu_gl_uniform_set, .begin_pass = gpu_gl_begin_pass, .end_pass = gpu_gl_end_pass,         \
    .set_viewport = gpu_gl_set_viewport, .set_scissor = gpu_gl_set_scissor, .use = gpu_gl_use,               \
    .set_vertices = gpu_gl_set_vertices, .set_indices = gpu_gl_set_indices, .set_block = gpu_gl_set_block,   \
    .end_frame = gpu_gl_end_frame, .frame_done = gpu_gl_frame_done, .finish = gpu_gl_finish,                 \
    .timer_create = gpu_gl_timer_create, .timer_mark = gpu_gl_timer_mark, .timer_read = gpu_gl_timer_read,   \
    .timer_destroy = gpu_gl_timer_destroy, .push_label = gpu_gl_push_label, .pop_label = gpu_gl_pop_label,   \
    .buffer_borrow = gpu_gl_buffer_borrow, .texels_set = gpu_gl_texels_set,                                  \
    .fence_create = gpu_gl_fence_create, .fence_wait = gpu_gl_fence_wait,                                    \
    .fence_destroy = gpu_gl_fence_destroy

#endif
