// Opening the backend: the version and limits of the current GL context.

#include "gpu/gl/gl.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

// libepoxy ends the process if it is called without a context, so this checks first. A library that is not loaded
// cannot have created a context.
static bool library_has_context(const char *library, const char *function) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) return false;
    void *symbol = dlsym(handle, function);
    void *(*current)(void) = NULL;
    memcpy(&current, &symbol, sizeof current);
    bool found = current != NULL && current() != NULL;
    (void)dlclose(handle);
    return found;
}

static bool has_context(void) {
    return library_has_context("libEGL.so.1", "eglGetCurrentContext") ||
           library_has_context("libGLX.so.0", "glXGetCurrentContext") ||
           library_has_context("libGL.so.1", "glXGetCurrentContext");
}

static FiloResult choose_backend(FiloGpu *gpu, FiloGpuKind kind) {
    int version = epoxy_gl_version();
    const char *name = (const char *)glGetString(GL_VERSION);
    if (name == NULL) name = "?";
    if (!epoxy_is_desktop_gl())
        return filo_error(FILO_ERROR_UNSUPPORTED, "the context is not of desktop OpenGL, but \"%s\"", name);
    if (version < 33)
        return filo_error(FILO_ERROR_UNSUPPORTED, "OpenGL 3.3 is needed, and the context has %d.%d (\"%s\")",
                          version / 10, version % 10, name);
    if (kind == FILO_GPU_GL45 && version < 45)
        return filo_error(FILO_ERROR_UNSUPPORTED,
                          "OpenGL 4.5 was asked for, and the context has %d.%d (\"%s\")", version / 10,
                          version % 10, name);
    bool gl45 = kind != FILO_GPU_GL33 && version >= 45;
    gpu->backend = gl45 ? &gpu_backend_gl45 : &gpu_backend_gl33;
    gpu->limits.kind = gl45 ? FILO_GPU_GL45 : FILO_GPU_GL33;
    return filo_ok();
}

static void read_compute_limits(FiloGpuLimits *limits) {
    GLint slots = 0, shader_slots = 0;
    glGetIntegerv(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, &slots);
    glGetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &shader_slots);
    limits->storage_slots = FILO_MIN(FILO_MIN(slots, shader_slots), FILO_GPU_STORAGE_SLOTS);
    GLint64 size = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &size);
    limits->storage_size = (size_t)size;
    for (GLuint i = 0; i < 3; i++)
        glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, i, &limits->work_groups[i]);
    glGetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &limits->work_group_size);
    glGetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &limits->work_group_memory);
}

static void read_limits(FiloGpuLimits *limits) {
    bool gl45 = limits->kind == FILO_GPU_GL45;
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    (void)snprintf(limits->name, sizeof limits->name, "%s", renderer != NULL ? renderer : "?");
    static const char *const software[] = { "llvmpipe", "softpipe", "swrast", "SwiftShader" };
    for (size_t i = 0; i < FILO_COUNT_OF(software); i++)
        if (strstr(limits->name, software[i]) != NULL) limits->software = true;
    limits->persistent_maps = limits->compute = limits->storage = gl45;
    if (gl45) read_compute_limits(limits);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limits->texture_size);
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &limits->texture_layers);
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &limits->texels);
    limits->anisotropy = 1;
    if (epoxy_gl_version() >= 46 || epoxy_has_gl_extension("GL_ARB_texture_filter_anisotropic") ||
        epoxy_has_gl_extension("GL_EXT_texture_filter_anisotropic"))
        glGetFloatv(GL_MAX_TEXTURE_MAX_ANISOTROPY, &limits->anisotropy);
    GLint block_size = 0;
    glGetIntegerv(GL_MAX_UNIFORM_BLOCK_SIZE, &block_size);
    limits->block_size = (size_t)block_size;
    GLint viewport[2] = { 0, 0 }, buffer = 0;
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &buffer);
    limits->picture_size = FILO_MIN(FILO_MIN(viewport[0], viewport[1]), buffer);
}

// A driver that draws on the CPU allocates memory in every frame and frees it at the end. By default glibc returns it
// to the system at once, and the next frame gets it back by page faults; with llvmpipe, this made a frame take two to
// four times as long. So let the heap keep up to 256 MiB, and allocate blocks of up to 32 MiB from it. (Setting either
// threshold disables glibc's dynamic adjustment of both.)
static void raise_malloc_thresholds(void) {
#ifdef __GLIBC__
    (void)mallopt(M_TRIM_THRESHOLD, 256 << 20);
    (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

// ---- Driver messages ----------------------------------------------------------------------------------

static void GLAPIENTRY log_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                   const GLchar *text, const void *user) {
    FILO_UNUSED(id);
    FILO_UNUSED(length);
    FILO_UNUSED(user);
    if (type == GL_DEBUG_TYPE_PUSH_GROUP || type == GL_DEBUG_TYPE_POP_GROUP) return;
    // Compiler errors are in the result of filo_gpu_pipeline_create.
    if (source == GL_DEBUG_SOURCE_SHADER_COMPILER) severity = GL_DEBUG_SEVERITY_NOTIFICATION;
    switch (severity) {
    case GL_DEBUG_SEVERITY_HIGH: filo_log_error("gpu", "driver: %s", text); break;
    case GL_DEBUG_SEVERITY_MEDIUM: filo_log_warn("gpu", "driver: %s", text); break;
    case GL_DEBUG_SEVERITY_LOW: filo_log_info("gpu", "driver: %s", text); break;
    default: filo_log_debug("gpu", "driver: %s", text); break;
    }
}

FiloResult gpu_open_gl(FiloGpu *gpu, FiloGpuKind kind) {
    if (!has_context())
        return filo_error(FILO_ERROR_UNSUPPORTED,
                          "no OpenGL context is current on this thread: make one first");
    FiloResult result = choose_backend(gpu, kind);
    if (result.code != FILO_OK) return result;
    read_limits(&gpu->limits);
    if (gpu->limits.software) raise_malloc_thresholds();
    gpu->gl.has_debug = epoxy_gl_version() >= 43 || epoxy_has_gl_extension("GL_KHR_debug");
    gpu_gl_clear_errors();
    if (gpu->debug && gpu->gl.has_debug) {
        glEnable(GL_DEBUG_OUTPUT);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDebugMessageCallback(log_message, NULL);
    }
    return filo_ok();
}

void gpu_gl_close(FiloGpu *gpu) {
    for (int i = 0; i < GPU_FENCES; i++)
        if (gpu->gl.fences[i] != NULL) glDeleteSync(gpu->gl.fences[i]);
    if (gpu->debug && gpu->gl.has_debug) {
        glDebugMessageCallback(NULL, NULL);
        glDisable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDisable(GL_DEBUG_OUTPUT);
    }
}
