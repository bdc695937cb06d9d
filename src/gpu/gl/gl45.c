// OpenGL 4.5 core: objects are changed without binding them (direct state access), and rings and readback buffers are
// persistently mapped. compute.c has what only 4.5 has.

#include "gpu/gl/gl.h"

#include <string.h>

// ---- Buffers ------------------------------------------------------------------------------------------

static FiloResult buffer_create(FiloGpu *gpu, GpuBuffer *buffer, const void *data) {
    bool readback = buffer->use == FILO_BUFFER_READBACK, mapped = buffer->of_ring || readback;
    const GLbitfield map =
        (readback ? GL_MAP_READ_BIT : GL_MAP_WRITE_BIT) | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLbitfield flags = mapped ? map : buffer->constant ? 0 : GL_DYNAMIC_STORAGE_BIT;
    if (readback) flags |= GL_CLIENT_STORAGE_BIT; // in the memory of the CPU
    GLsizeiptr size = (GLsizeiptr)buffer->size;
    gpu_gl_clear_errors();
    glCreateBuffers(1, &buffer->name);
    glNamedBufferStorage(buffer->name, size, data, flags);
    FiloResult result = gpu_gl_result("buffer", buffer->label, buffer->size);
    if (result.code == FILO_OK && mapped) {
        buffer->memory = glMapNamedBufferRange(buffer->name, 0, size, map);
        if (buffer->memory == NULL) {
            result = gpu_gl_result("buffer", buffer->label, buffer->size);
            if (result.code == FILO_OK)
                result = filo_error(FILO_ERROR_MEMORY, "buffer \"%s\": cannot be mapped", buffer->label);
        }
    }
    if (result.code != FILO_OK)
        glDeleteBuffers(1, &buffer->name);
    else
        gpu_gl_label(gpu, GL_BUFFER, buffer->name, buffer->label);
    return result;
}

static void buffer_write(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, const void *data, size_t size) {
    FILO_UNUSED(gpu);
    glNamedBufferSubData(buffer->name, (GLintptr)offset, (GLsizeiptr)size, data);
}

static void buffer_copy(FiloGpu *gpu, GpuBuffer *to, size_t to_offset, const GpuBuffer *from,
                        size_t from_offset, size_t size) {
    FILO_UNUSED(gpu);
    glCopyNamedBufferSubData(from->name, to->name, (GLintptr)from_offset, (GLintptr)to_offset,
                             (GLsizeiptr)size);
}

static void buffer_read(FiloGpu *gpu, const GpuBuffer *buffer, size_t offset, void *into, size_t size) {
    FILO_UNUSED(gpu);
    glGetNamedBufferSubData(buffer->name, (GLintptr)offset, (GLsizeiptr)size, into);
}

static void set_storage(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset, size_t size) {
    FILO_UNUSED(gpu);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, (GLuint)slot, buffer->name, (GLintptr)offset,
                      (GLsizeiptr)size);
}

// ---- Textures -----------------------------------------------------------------------------------------

// Creates a GL texture like `texture`, but with `layers`.
static FiloResult make_texture(FiloGpu *gpu, const GpuTexture *texture, int layers, GLuint *name) {
    GpuGlFormat format = gpu_gl_format(texture->format);
    gpu_gl_clear_errors();
    glCreateTextures(gpu_gl_texture_target(texture), 1, name);
    if (layers > 0)
        glTextureStorage3D(*name, texture->levels, format.internal, texture->width, texture->height, layers);
    else
        glTextureStorage2D(*name, texture->levels, format.internal, texture->width, texture->height);
    return gpu_gl_texture_made(gpu, texture, *name, glTextureParameteri, *name);
}

static FiloResult texture_create(FiloGpu *gpu, GpuTexture *texture) {
    return make_texture(gpu, texture, texture->layers, &texture->name);
}

static void texture_write(FiloGpu *gpu, GpuTexture *texture, int level, int layer, GpuArea area,
                          const void *data, int stride) {
    FILO_UNUSED(gpu);
    if (level > texture->top_level) glTextureParameteri(texture->name, GL_TEXTURE_MAX_LEVEL, level);
    GpuGlFormat format = gpu_gl_format(texture->format);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, stride);
    if (texture->layers > 0)
        glTextureSubImage3D(texture->name, level, area.x, area.y, layer, area.width, area.height, 1,
                            format.format, format.type, data);
    else
        glTextureSubImage2D(texture->name, level, area.x, area.y, area.width, area.height, format.format,
                            format.type, data);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

static FiloResult texture_grow(FiloGpu *gpu, GpuTexture *texture, int layers) {
    GLuint larger;
    FiloResult result = make_texture(gpu, texture, layers, &larger);
    if (result.code != FILO_OK) return result;
    for (int level = 0; level < texture->levels; level++)
        glCopyImageSubData(texture->name, GL_TEXTURE_2D_ARRAY, level, 0, 0, 0, larger, GL_TEXTURE_2D_ARRAY,
                           level, 0, 0, 0, FILO_MAX(texture->width >> level, 1),
                           FILO_MAX(texture->height >> level, 1), texture->layers);
    gpu_gl_texture_destroy(gpu, texture);
    texture->name = larger;
    return filo_ok();
}

static void texture_make_mipmaps(FiloGpu *gpu, GpuTexture *texture) {
    FILO_UNUSED(gpu);
    glTextureParameteri(texture->name, GL_TEXTURE_MAX_LEVEL, texture->levels - 1);
    glGenerateTextureMipmap(texture->name);
}

// ---- Targets ------------------------------------------------------------------------------------------

static void attach(const GpuTarget *target, GLenum attachment, const GpuTexture *texture) {
    if (texture->layers > 0)
        glNamedFramebufferTextureLayer(target->name, attachment, texture->name, 0, target->layer);
    else
        glNamedFramebufferTexture(target->name, attachment, texture->name, 0);
}

static void target_attach(FiloGpu *gpu, GpuTarget *target) {
    const GpuTexture *color = gpu_texture_at(gpu, target->color);
    const GpuTexture *depth = gpu_texture_at(gpu, target->depth);
    if (color != NULL)
        attach(target, GL_COLOR_ATTACHMENT0, color);
    else
        glNamedFramebufferDrawBuffer(target->name, GL_NONE);
    if (depth != NULL) attach(target, GL_DEPTH_ATTACHMENT, depth);
}

static FiloResult target_create(FiloGpu *gpu, GpuTarget *target) {
    glCreateFramebuffers(1, &target->name);
    target_attach(gpu, target);
    FiloResult result =
        gpu_gl_framebuffer_result(target, glCheckNamedFramebufferStatus(target->name, GL_DRAW_FRAMEBUFFER));
    if (result.code != FILO_OK)
        gpu_gl_target_destroy(gpu, target);
    else
        gpu_gl_label(gpu, GL_FRAMEBUFFER, target->name, target->label);
    return result;
}

// ---- Vertices -----------------------------------------------------------------------------------------

static FiloResult pipeline_create(FiloGpu *gpu, GpuPipeline *pipeline) {
    GLuint array;
    glCreateVertexArrays(1, &array);
    pipeline->vertex_array = array;
    for (GLuint i = 0; i < FILO_GPU_ATTRIBUTES; i++) {
        const FiloAttribute *attribute = &pipeline->desc.attributes[i];
        if (attribute->format == FILO_ATTRIBUTE_NONE) continue;
        GpuGlAttribute format = gpu_gl_attribute(attribute->format);
        GLuint offset = (GLuint)attribute->offset;
        glEnableVertexArrayAttrib(array, i);
        glVertexArrayAttribBinding(array, i, (GLuint)attribute->buffer);
        if (format.integer)
            glVertexArrayAttribIFormat(array, i, format.count, format.type, offset);
        else
            glVertexArrayAttribFormat(array, i, format.count, format.type, format.normalized, offset);
    }
    for (GLuint i = 0; i < FILO_GPU_BUFFERS; i++)
        glVertexArrayBindingDivisor(array, i, pipeline->desc.buffers[i].per_instance ? 1 : 0);
    gpu_gl_label(gpu, GL_VERTEX_ARRAY, array, pipeline->label);
    return filo_ok();
}

// ---- Draws --------------------------------------------------------------------------------------------

static void prepare_draw(FiloGpu *gpu, const GpuDraw *d) {
    const GpuPipeline *pipeline = d->pipeline;
    gpu_gl_prepare_draw(gpu, d);
    if (gpu->gl.vertices_changed) {
        for (GLuint i = 0; i < FILO_GPU_BUFFERS; i++)
            if (d->vertices[i] != NULL)
                glVertexArrayVertexBuffer(pipeline->vertex_array, i, d->vertices[i]->name,
                                          (GLintptr)d->offsets[i], (GLsizei)pipeline->desc.buffers[i].stride);
        gpu->gl.vertices_changed = false;
    }
    if (gpu->gl.indices_changed && d->indices != NULL) {
        glVertexArrayElementBuffer(pipeline->vertex_array, d->indices->name);
        gpu->gl.indices_changed = false;
    }
}

static void issue_from(GLenum mode, const FiloDrawCommand *command) {
    glDrawElementsInstancedBaseVertexBaseInstance(
        mode, (GLsizei)command->count, GL_UNSIGNED_INT,
        (const void *)((uintptr_t)command->first * sizeof(uint32_t)), (GLsizei)command->instances,
        command->base_vertex, command->first_instance);
}

static void draw(FiloGpu *gpu, const GpuDraw *d) {
    prepare_draw(gpu, d);
    if (d->first_instance == 0)
        gpu_gl_issue_draw(d);
    else
        issue_from(gpu_gl_mode(d->pipeline),
                   &(FiloDrawCommand){ .count = (uint32_t)d->count,
                                       .instances = (uint32_t)d->instances,
                                       .first = (uint32_t)d->first,
                                       .base_vertex = d->base_vertex,
                                       .first_instance = (uint32_t)d->first_instance });
}

// Copies the commands to the ring. False without memory.
static bool upload_commands(FiloGpu *gpu, const FiloDrawCommand *commands, size_t count,
                            FiloRingPiece *piece) {
    if (gpu->commands == NULL) {
        FiloResult result = filo_gpu_ring_create(
            &gpu->commands, gpu,
            &(FiloRingDesc){ .label = "draw commands", .use = FILO_BUFFER_VERTICES, .size = FILO_KIB(16) });
        if (result.code != FILO_OK) return false;
    }
    if (!filo_gpu_ring_take(gpu, gpu->commands, count * sizeof *commands, piece)) return false;
    memcpy(piece->memory, commands, count * sizeof *commands);
    filo_gpu_ring_done(gpu, gpu->commands, piece);
    return piece->buffer.id != 0;
}

// Without memory for the commands it draws them one by one.
static uint32_t draw_list(FiloGpu *gpu, GpuDraw *d, const FiloDrawCommand *commands, size_t count) {
    GLenum mode = gpu_gl_mode(d->pipeline);
    FiloRingPiece piece;
    prepare_draw(gpu, d);
    if (!upload_commands(gpu, commands, count, &piece)) {
        uint32_t draws = 0;
        for (size_t i = 0; i < count; i++) {
            if (commands[i].count == 0 || commands[i].instances == 0) continue;
            issue_from(mode, &commands[i]);
            draws++;
        }
        return draws;
    }
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, gpu_buffer_at(gpu, piece.buffer)->name);
    glMultiDrawElementsIndirect(mode, GL_UNSIGNED_INT, (const void *)piece.offset, (GLsizei)count, 0);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
    return 1;
}

const GpuBackend gpu_backend_gl45 = {
    GPU_GL_COMMON,
    .buffer_create = buffer_create,
    .buffer_write = buffer_write,
    .buffer_copy = buffer_copy,
    .buffer_read = buffer_read,
    .buffer_destroy = gpu_gl_buffer_destroy,
    .texture_create = texture_create,
    .texture_write = texture_write,
    .texture_grow = texture_grow,
    .texture_make_mipmaps = texture_make_mipmaps,
    .target_create = target_create,
    .target_attach = target_attach,
    .pipeline_create = pipeline_create,
    .set_storage = set_storage,
    .draw = draw,
    .draw_list = draw_list,
    .begin_compute = gpu_gl_begin_compute,
    .end_compute = gpu_gl_end_compute,
    .dispatch = gpu_gl_dispatch,
    .barrier = gpu_gl_barrier,
};
