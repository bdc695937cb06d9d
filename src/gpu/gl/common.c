// The parts that are the same on OpenGL 4.5 and 3.3: errors, formats, fences, timers, labels, reading pixels.

#include "gpu/gl/gl.h"

#include <string.h>

// ---- Errors -------------------------------------------------------------------------------------------

// A lost context returns errors without end.
#define MAX_ERRORS 8

static const char *error_name(GLenum error) {
    switch (error) {
    case GL_INVALID_ENUM: return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE: return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION: return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION: return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY: return "GL_OUT_OF_MEMORY";
    case GL_CONTEXT_LOST: return "GL_CONTEXT_LOST";
    default: return "an unknown error";
    }
}

void gpu_gl_check(FiloGpu *gpu, const char *call) {
    FILO_UNUSED(gpu);
    for (int i = 0; i < MAX_ERRORS; i++) {
        GLenum error = glGetError();
        if (error == GL_NO_ERROR) return;
        filo_log_error("gpu", "%s: %s", call, error_name(error));
    }
}

void gpu_gl_clear_errors(void) {
    for (int i = 0; i < MAX_ERRORS && glGetError() != GL_NO_ERROR; i++) {}
}

FiloResult gpu_gl_result(const char *kind, const char *label, size_t bytes) {
    GLenum error = glGetError();
    if (error == GL_NO_ERROR) return filo_ok();
    gpu_gl_clear_errors();
    if (error == GL_OUT_OF_MEMORY)
        return filo_error(FILO_ERROR_MEMORY, "%s \"%s\": no GPU memory for %zu bytes", kind, label, bytes);
    return filo_error(FILO_ERROR_IO, "%s \"%s\": the driver says %s", kind, label, error_name(error));
}

// ---- Formats ------------------------------------------------------------------------------------------

GpuGlFormat gpu_gl_format(FiloTextureFormat format) {
    switch (format) {
    case FILO_TEXTURE_R8: return (GpuGlFormat){ GL_R8, GL_RED, GL_UNSIGNED_BYTE };
    case FILO_TEXTURE_RGBA16F: return (GpuGlFormat){ GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT };
    case FILO_TEXTURE_DEPTH24:
        return (GpuGlFormat){ GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT };
    case FILO_TEXTURE_RGBA8_SRGB: return (GpuGlFormat){ GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE };
    case FILO_TEXTURE_RG8: return (GpuGlFormat){ GL_RG8, GL_RG, GL_UNSIGNED_BYTE };
    case FILO_TEXTURE_R16: return (GpuGlFormat){ GL_R16, GL_RED, GL_UNSIGNED_SHORT };
    case FILO_TEXTURE_R32F: return (GpuGlFormat){ GL_R32F, GL_RED, GL_FLOAT };
    case FILO_TEXTURE_R11G11B10F:
        return (GpuGlFormat){ GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV };
    case FILO_TEXTURE_DEPTH32F: return (GpuGlFormat){ GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT };
    case FILO_TEXTURE_RGBA8: break;
    }
    return (GpuGlFormat){ GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE };
}

static GLint min_filter(const GpuTexture *texture) {
    if (texture->levels == 1) return texture->linear ? GL_LINEAR : GL_NEAREST;
    return texture->linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_NEAREST;
}

GpuGlAttribute gpu_gl_attribute(FiloAttributeFormat format) {
    static const GpuGlAttribute attributes[] = {
        [FILO_ATTRIBUTE_FLOAT] = { 1, GL_FLOAT, false, false },
        [FILO_ATTRIBUTE_FLOAT2] = { 2, GL_FLOAT, false, false },
        [FILO_ATTRIBUTE_FLOAT3] = { 3, GL_FLOAT, false, false },
        [FILO_ATTRIBUTE_FLOAT4] = { 4, GL_FLOAT, false, false },
        [FILO_ATTRIBUTE_UBYTE4] = { 4, GL_UNSIGNED_BYTE, true, false },
        [FILO_ATTRIBUTE_UBYTE4_UNIT] = { 4, GL_UNSIGNED_BYTE, false, true },
        [FILO_ATTRIBUTE_USHORT2] = { 2, GL_UNSIGNED_SHORT, true, false },
        [FILO_ATTRIBUTE_USHORT4] = { 4, GL_UNSIGNED_SHORT, true, false },
        [FILO_ATTRIBUTE_UINT] = { 1, GL_UNSIGNED_INT, true, false },
        [FILO_ATTRIBUTE_SHORT2_UNIT] = { 2, GL_SHORT, false, true },
        [FILO_ATTRIBUTE_SHORT4_UNIT] = { 4, GL_SHORT, false, true },
        [FILO_ATTRIBUTE_USHORT2_UNIT] = { 2, GL_UNSIGNED_SHORT, false, true },
        [FILO_ATTRIBUTE_HALF2] = { 2, GL_HALF_FLOAT, false, false },
        [FILO_ATTRIBUTE_HALF4] = { 4, GL_HALF_FLOAT, false, false },
    };
    return attributes[format];
}

// ---- Objects ------------------------------------------------------------------------------------------

static GLint64 buffer_size(const FiloGpu *gpu, GLuint name) {
    GLint64 size = 0;
    if (gpu->limits.kind == FILO_GPU_GL45) {
        glGetNamedBufferParameteri64v(name, GL_BUFFER_SIZE, &size);
    } else {
        glBindBuffer(GL_COPY_READ_BUFFER, name);
        glGetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &size);
    }
    return size;
}

FiloResult gpu_gl_buffer_borrow(FiloGpu *gpu, GpuBuffer *buffer, uint64_t native) {
    GLuint name = (GLuint)native;
    if (name != native || !glIsBuffer(name))
        return FILO_MISTAKE("buffer \"%s\": the context has no buffer %llu", buffer->label,
                            (unsigned long long)native);
    size_t size = (size_t)buffer_size(gpu, name);
    if (buffer->size == 0) buffer->size = size;
    if (size == 0 || buffer->size > size)
        return FILO_MISTAKE("buffer \"%s\": it is to have %zu bytes, and buffer %u has %zu", buffer->label,
                            buffer->size, name, size);
    buffer->name = name;
    return filo_ok();
}

// The name of a texture may be used again, so the cache must not have it.
static void forget_texture(FiloGpu *gpu, GLuint name) {
    for (int i = 0; i < GPU_SAMPLERS; i++)
        if (gpu->gl.textures[i] == name) gpu->gl.textures[i] = 0;
}

void gpu_gl_buffer_destroy(FiloGpu *gpu, GpuBuffer *buffer) {
    for (int i = 0; i < FILO_GPU_TEXEL_FORMATS; i++)
        if (buffer->texels[i] != 0) forget_texture(gpu, buffer->texels[i]);
    glDeleteTextures(FILO_GPU_TEXEL_FORMATS, buffer->texels); // 0 is allowed
    if (!buffer->borrowed) glDeleteBuffers(1, &buffer->name); // unmaps it too
}

// Needs an extension, and OpenGL 4.6; then the limit is above 1.
static void set_anisotropy(const FiloGpu *gpu, GLuint which, float anisotropy) {
    if (gpu->limits.kind == FILO_GPU_GL45)
        glTextureParameterf(which, GL_TEXTURE_MAX_ANISOTROPY, anisotropy);
    else
        glTexParameterf(which, GL_TEXTURE_MAX_ANISOTROPY, anisotropy);
}

FiloResult gpu_gl_texture_made(FiloGpu *gpu, const GpuTexture *texture, GLuint name,
                               void (*set)(GLuint which, GLenum parameter, GLint value), GLuint which) {
    FiloResult result = gpu_gl_result("texture", texture->label, texture->bytes);
    if (result.code != FILO_OK) {
        glDeleteTextures(1, &name);
        return result;
    }
    static const GLint wraps[] = { [FILO_WRAP_CLAMP] = GL_CLAMP_TO_EDGE,
                                   [FILO_WRAP_REPEAT] = GL_REPEAT,
                                   [FILO_WRAP_MIRROR] = GL_MIRRORED_REPEAT };
    set(which, GL_TEXTURE_WRAP_S, wraps[texture->wrap_u]);
    set(which, GL_TEXTURE_WRAP_T, wraps[texture->wrap_v]);
    set(which, GL_TEXTURE_MAG_FILTER, texture->linear ? GL_LINEAR : GL_NEAREST);
    set(which, GL_TEXTURE_MIN_FILTER, min_filter(texture));
    // Mipmaps are not used before they are generated or written.
    set(which, GL_TEXTURE_MAX_LEVEL, texture->top_level);
    if (texture->compare) {
        set(which, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        set(which, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    }
    if (texture->anisotropy > 1) set_anisotropy(gpu, which, texture->anisotropy);
    gpu_gl_label(gpu, GL_TEXTURE, name, texture->label);
    return filo_ok();
}

void gpu_gl_texture_destroy(FiloGpu *gpu, GpuTexture *texture) {
    forget_texture(gpu, texture->name);
    glDeleteTextures(1, &texture->name);
}

// Creates the texture of the texels when it is needed for the first time.
FiloResult gpu_gl_texels_set(FiloGpu *gpu, const GpuUniform *uniform, GpuBuffer *buffer,
                             FiloTexelFormat format) {
    static const GLenum formats[] = { GL_R8UI, GL_R16UI, GL_R32UI, GL_RGBA32UI };
    FILO_UNUSED(uniform);
    GLuint *name = &buffer->texels[format];
    if (*name != 0) return filo_ok();
    gpu_gl_clear_errors();
    if (gpu->limits.kind == FILO_GPU_GL45) {
        glCreateTextures(GL_TEXTURE_BUFFER, 1, name);
        glTextureBuffer(*name, formats[format], buffer->name);
    } else {
        glGenTextures(1, name);
        glActiveTexture(GPU_GL_UPLOAD_UNIT);
        glBindTexture(GL_TEXTURE_BUFFER, *name);
        glTexBuffer(GL_TEXTURE_BUFFER, formats[format], buffer->name);
    }
    FiloResult result = gpu_gl_result("texels of buffer", buffer->label, buffer->size);
    if (result.code == FILO_OK) {
        gpu_gl_label(gpu, GL_TEXTURE, *name, buffer->label);
        return result;
    }
    glDeleteTextures(1, name);
    *name = 0;
    return result;
}

void gpu_gl_target_destroy(FiloGpu *gpu, GpuTarget *target) {
    FILO_UNUSED(gpu);
    glDeleteFramebuffers(1, &target->name);
}

FiloResult gpu_gl_framebuffer_result(const GpuTarget *target, GLenum status) {
    if (status == GL_FRAMEBUFFER_COMPLETE) return filo_ok();
    return filo_error(FILO_ERROR_UNSUPPORTED, "render target \"%s\": this device cannot draw to it (0x%x)",
                      target->label, status);
}

// ---- Reading pixels -----------------------------------------------------------------------------------

static void flip_rows(const FiloPixels *pixels) {
    for (int y = 0; y < pixels->height / 2; y++) {
        FiloColor *a = filo_pixels_at(pixels, 0, y), *b = filo_pixels_at(pixels, 0, pixels->height - 1 - y);
        for (int x = 0; x < pixels->width; x++) {
            FiloColor color = a[x];
            a[x] = b[x];
            b[x] = color;
        }
    }
}

FiloResult gpu_gl_read(FiloGpu *gpu, const GpuTarget *target, int x, int y, const FiloPixels *into) {
    gpu_gl_clear_errors();
    // GL counts the rows of the window from the bottom. The first row of a target is the upper one: see pass.c.
    int row = target != NULL ? y : gpu->window_height - y - into->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target != NULL ? target->name : 0);
    glPixelStorei(GL_PACK_ROW_LENGTH, into->stride);
    glReadPixels(x, row, into->width, into->height, GL_RGBA, GL_UNSIGNED_BYTE, into->data);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    // Restore the framebuffer of the current pass.
    const GpuTarget *current = gpu->pass.active ? gpu_target_at(gpu, gpu->pass.target) : NULL;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, current != NULL ? current->name : 0);
    FiloResult result = gpu_gl_result("reading", target != NULL ? target->label : "window", 0);
    if (result.code == FILO_OK && target == NULL) flip_rows(into);
    return result;
}

// ---- Frames -------------------------------------------------------------------------------------------

void gpu_gl_end_frame(FiloGpu *gpu, uint64_t frame) {
    // Only rings need to know whether a frame is done.
    gpu->gl.fences[frame % GPU_FENCES] =
        gpu->rings != NULL ? glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0) : NULL;
}

bool gpu_gl_frame_done(FiloGpu *gpu, uint64_t frame, bool wait) {
    void **fence = &gpu->gl.fences[frame % GPU_FENCES];
    if (*fence == NULL) return true;
    const GLuint64 second = 1000000000;
    GLenum status = GL_TIMEOUT_EXPIRED;
    for (int tries = 0; tries < 10 && status == GL_TIMEOUT_EXPIRED; tries++) {
        status = glClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, wait ? second : 0);
        if (!wait) break;
    }
    if (status == GL_TIMEOUT_EXPIRED && !wait) return false;
    if (status == GL_TIMEOUT_EXPIRED || status == GL_WAIT_FAILED)
        filo_log_error("gpu", "the GPU does not finish frame %llu; going on", (unsigned long long)frame);
    glDeleteSync(*fence);
    *fence = NULL;
    return true;
}

void gpu_gl_finish(FiloGpu *gpu) {
    FILO_UNUSED(gpu);
    glFinish();
}

FiloResult gpu_gl_fence_create(FiloGpu *gpu, GpuFence *fence) {
    FILO_UNUSED(gpu);
    fence->sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (fence->sync != NULL) return filo_ok();
    return filo_error(FILO_ERROR_MEMORY, "fence \"%s\": the driver has no memory for it", fence->label);
}

bool gpu_gl_fence_wait(FiloGpu *gpu, GpuFence *fence, int64_t timeout_ns) {
    const int64_t second = 1000000000; // drivers limit the time of one call
    GLenum status;
    do {
        int64_t part = timeout_ns < 0 ? second : FILO_MIN(timeout_ns, second);
        status = glClientWaitSync(fence->sync, GL_SYNC_FLUSH_COMMANDS_BIT, (GLuint64)part);
        if (timeout_ns > 0) timeout_ns -= part;
    } while (status == GL_TIMEOUT_EXPIRED && timeout_ns != 0);
    if (status == GL_TIMEOUT_EXPIRED) return false;
    if (status == GL_WAIT_FAILED) filo_log_error("gpu", "fence \"%s\": the driver cannot wait", fence->label);
    gpu_gl_fence_destroy(gpu, fence);
    return true;
}

void gpu_gl_fence_destroy(FiloGpu *gpu, GpuFence *fence) {
    FILO_UNUSED(gpu);
    glDeleteSync(fence->sync); // NULL is allowed
    fence->sync = NULL;
}

// ---- Timers and labels --------------------------------------------------------------------------------

FiloResult gpu_gl_timer_create(FiloGpu *gpu, GpuTimer *timer) {
    FILO_UNUSED(gpu);
    GLint bits = 0;
    glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    if (bits == 0)
        return filo_error(FILO_ERROR_UNSUPPORTED, "timer \"%s\": this device cannot measure times",
                          timer->label);
    glGenQueries(2 * GPU_QUERIES, &timer->names[0][0]);
    return filo_ok();
}

void gpu_gl_timer_mark(FiloGpu *gpu, GpuTimer *timer, uint32_t pair, int end) {
    FILO_UNUSED(gpu);
    glQueryCounter(timer->names[pair][end], GL_TIMESTAMP);
}

bool gpu_gl_timer_read(FiloGpu *gpu, GpuTimer *timer, uint32_t pair, double *ms) {
    FILO_UNUSED(gpu);
    GLint available = 0;
    glGetQueryObjectiv(timer->names[pair][1], GL_QUERY_RESULT_AVAILABLE, &available);
    if (!available) return false;
    GLuint64 times[2];
    for (int i = 0; i < 2; i++) glGetQueryObjectui64v(timer->names[pair][i], GL_QUERY_RESULT, &times[i]);
    *ms = times[1] > times[0] ? (double)(times[1] - times[0]) * 1e-6 : 0;
    return true;
}

void gpu_gl_timer_destroy(FiloGpu *gpu, GpuTimer *timer) {
    FILO_UNUSED(gpu);
    glDeleteQueries(2 * GPU_QUERIES, &timer->names[0][0]);
}

void gpu_gl_label(FiloGpu *gpu, GLenum kind, uint32_t name, const char *label) {
    if (gpu->gl.has_debug) glObjectLabel(kind, name, -1, label);
}

void gpu_gl_push_label(FiloGpu *gpu, const char *label) {
    if (gpu->gl.has_debug) glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, label);
}

void gpu_gl_pop_label(FiloGpu *gpu) {
    if (gpu->gl.has_debug) glPopDebugGroup();
}
