// OpenGL 3.3 core: an object is bound to be changed. The memory of a ring is on the heap, and ring_done copies a piece
// to the buffer. When a part is reused, its buffer is orphaned, so that copying never waits for the GPU.
//
// Buffers are bound as GL_COPY_WRITE_BUFFER, and textures to a unit that no pipeline uses, so that the bindings for
// draws do not change.

#include "gpu/gl/gl.h"

// ---- Buffers ------------------------------------------------------------------------------------------

static void buffer_destroy(FiloGpu *gpu, GpuBuffer *buffer) {
    filo_free(gpu->allocator, buffer->memory, buffer->size, 256);
    gpu_gl_buffer_destroy(gpu, buffer);
}

static FiloResult buffer_create(FiloGpu *gpu, GpuBuffer *buffer, const void *data) {
    if (buffer->of_ring) {
        buffer->memory = filo_alloc(gpu->allocator, buffer->size, 256);
        if (buffer->memory == NULL)
            return filo_error(FILO_ERROR_MEMORY, "buffer \"%s\": no memory for %zu bytes", buffer->label,
                              buffer->size);
    }
    gpu_gl_clear_errors();
    glGenBuffers(1, &buffer->name);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
    GLenum use = buffer->of_ring ? GL_STREAM_DRAW : buffer->constant ? GL_STATIC_DRAW : GL_DYNAMIC_DRAW;
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)buffer->size, data, use);
    FiloResult result = gpu_gl_result("buffer", buffer->label, buffer->size);
    if (result.code != FILO_OK)
        buffer_destroy(gpu, buffer);
    else
        gpu_gl_label(gpu, GL_BUFFER, buffer->name, buffer->label);
    return result;
}

static void buffer_write(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, const void *data, size_t size) {
    FILO_UNUSED(gpu);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
    glBufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)offset, (GLsizeiptr)size, data);
}

static void buffer_copy(FiloGpu *gpu, GpuBuffer *to, size_t to_offset, const GpuBuffer *from,
                        size_t from_offset, size_t size) {
    FILO_UNUSED(gpu);
    glBindBuffer(GL_COPY_READ_BUFFER, from->name);
    glBindBuffer(GL_COPY_WRITE_BUFFER, to->name);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)from_offset, (GLintptr)to_offset,
                        (GLsizeiptr)size);
}

static void buffer_read(FiloGpu *gpu, const GpuBuffer *buffer, size_t offset, void *into, size_t size) {
    FILO_UNUSED(gpu);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer->name);
    glGetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)offset, (GLsizeiptr)size, into);
}

static void ring_open(FiloGpu *gpu, GpuBuffer *buffer) {
    FILO_UNUSED(gpu);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)buffer->size, NULL, GL_STREAM_DRAW);
}

static void ring_done(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, size_t size) {
    if (size > 0) buffer_write(gpu, buffer, offset, (const uint8_t *)buffer->memory + offset, size);
}

// ---- Textures -----------------------------------------------------------------------------------------

static void bind(const GpuTexture *texture, GLuint name) {
    glActiveTexture(GPU_GL_UPLOAD_UNIT);
    glBindTexture(gpu_gl_texture_target(texture), name);
}

static void define_level(const GpuTexture *texture, int level, int layers) {
    GpuGlFormat format = gpu_gl_format(texture->format);
    int width = FILO_MAX(texture->width >> level, 1), height = FILO_MAX(texture->height >> level, 1);
    if (layers > 0)
        glTexImage3D(GL_TEXTURE_2D_ARRAY, level, (GLint)format.internal, width, height, layers, 0,
                     format.format, format.type, NULL);
    else
        glTexImage2D(GL_TEXTURE_2D, level, (GLint)format.internal, width, height, 0, format.format,
                     format.type, NULL);
}

// Creates a GL texture like `texture`, but with `layers`, and leaves it bound.
static FiloResult make_texture(FiloGpu *gpu, const GpuTexture *texture, int layers, GLuint *name) {
    gpu_gl_clear_errors();
    glGenTextures(1, name);
    bind(texture, *name);
    for (int level = 0; level < texture->levels; level++) define_level(texture, level, layers);
    return gpu_gl_texture_made(gpu, texture, *name, glTexParameteri, gpu_gl_texture_target(texture));
}

static FiloResult texture_create(FiloGpu *gpu, GpuTexture *texture) {
    return make_texture(gpu, texture, texture->layers, &texture->name);
}

static void texture_write(FiloGpu *gpu, GpuTexture *texture, int level, int layer, GpuArea area,
                          const void *data, int stride) {
    FILO_UNUSED(gpu);
    GpuGlFormat format = gpu_gl_format(texture->format);
    bind(texture, texture->name);
    if (level > texture->top_level)
        glTexParameteri(gpu_gl_texture_target(texture), GL_TEXTURE_MAX_LEVEL, level);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, stride);
    if (texture->layers > 0)
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, level, area.x, area.y, layer, area.width, area.height, 1,
                        format.format, format.type, data);
    else
        glTexSubImage2D(GL_TEXTURE_2D, level, area.x, area.y, area.width, area.height, format.format,
                        format.type, data);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

// Copies the old layers one by one, through a framebuffer.
static FiloResult texture_grow(FiloGpu *gpu, GpuTexture *texture, int layers) {
    GLuint larger, framebuffer;
    FiloResult result = make_texture(gpu, texture, layers, &larger);
    if (result.code != FILO_OK) return result;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    for (int level = 0; level <= texture->top_level; level++) {
        for (int layer = 0; layer < texture->layers; layer++) {
            glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture->name, level, layer);
            glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, layer, 0, 0,
                                FILO_MAX(texture->width >> level, 1), FILO_MAX(texture->height >> level, 1));
        }
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    gpu_gl_texture_destroy(gpu, texture);
    texture->name = larger;
    return filo_ok();
}

static void texture_make_mipmaps(FiloGpu *gpu, GpuTexture *texture) {
    FILO_UNUSED(gpu);
    GLenum target = gpu_gl_texture_target(texture);
    bind(texture, texture->name);
    glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, texture->levels - 1);
    glGenerateMipmap(target);
}

// ---- Targets ------------------------------------------------------------------------------------------

static void rebind_pass_target(FiloGpu *gpu) {
    const GpuTarget *current = gpu->pass.active ? gpu_target_at(gpu, gpu->pass.target) : NULL;
    glBindFramebuffer(GL_FRAMEBUFFER, current != NULL ? current->name : 0);
}

static void attach_one(const GpuTarget *target, GLenum attachment, const GpuTexture *texture) {
    if (texture->layers > 0)
        glFramebufferTextureLayer(GL_FRAMEBUFFER, attachment, texture->name, 0, target->layer);
    else
        glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture->name, 0);
}

static void attach(FiloGpu *gpu, GpuTarget *target) {
    const GpuTexture *color = gpu_texture_at(gpu, target->color);
    const GpuTexture *depth = gpu_texture_at(gpu, target->depth);
    glBindFramebuffer(GL_FRAMEBUFFER, target->name);
    if (color != NULL) {
        attach_one(target, GL_COLOR_ATTACHMENT0, color);
    } else {
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    if (depth != NULL) attach_one(target, GL_DEPTH_ATTACHMENT, depth);
}

static void target_attach(FiloGpu *gpu, GpuTarget *target) {
    attach(gpu, target);
    rebind_pass_target(gpu);
}

static FiloResult target_create(FiloGpu *gpu, GpuTarget *target) {
    glGenFramebuffers(1, &target->name);
    attach(gpu, target);
    FiloResult result = gpu_gl_framebuffer_result(target, glCheckFramebufferStatus(GL_FRAMEBUFFER));
    gpu_gl_label(gpu, GL_FRAMEBUFFER, target->name, target->label);
    rebind_pass_target(gpu);
    if (result.code != FILO_OK) gpu_gl_target_destroy(gpu, target);
    return result;
}

// ---- Vertices -----------------------------------------------------------------------------------------

static FiloResult pipeline_create(FiloGpu *gpu, GpuPipeline *pipeline) {
    glGenVertexArrays(1, &pipeline->vertex_array);
    uint32_t before = gpu->gl.vertex_array;
    gpu_gl_bind_vertex_array(gpu, pipeline->vertex_array);
    for (GLuint i = 0; i < FILO_GPU_ATTRIBUTES; i++) {
        const FiloAttribute *attribute = &pipeline->desc.attributes[i];
        if (attribute->format == FILO_ATTRIBUTE_NONE) continue;
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, pipeline->desc.buffers[attribute->buffer].per_instance ? 1 : 0);
    }
    gpu_gl_label(gpu, GL_VERTEX_ARRAY, pipeline->vertex_array, pipeline->label);
    gpu_gl_bind_vertex_array(gpu, gpu->pass.active ? before : 0);
    return filo_ok();
}

// Sets the attributes of the buffers that are per instance, or of all. There is no first instance in OpenGL 3.3, so buffers
// begin with it.
static void set_attributes(const GpuDraw *d, size_t first_instance, bool all) {
    for (GLuint i = 0; i < FILO_GPU_ATTRIBUTES; i++) {
        const FiloAttribute *attribute = &d->pipeline->desc.attributes[i];
        if (attribute->format == FILO_ATTRIBUTE_NONE) continue;
        const FiloVertexBuffer *layout = &d->pipeline->desc.buffers[attribute->buffer];
        if (!all && !layout->per_instance) continue;
        GpuGlAttribute format = gpu_gl_attribute(attribute->format);
        GLsizei stride = (GLsizei)layout->stride;
        size_t start = layout->per_instance ? first_instance * layout->stride : 0;
        const void *offset = (const void *)(d->offsets[attribute->buffer] + start + attribute->offset);
        glBindBuffer(GL_ARRAY_BUFFER, d->vertices[attribute->buffer]->name);
        if (format.integer)
            glVertexAttribIPointer(i, format.count, format.type, stride, offset);
        else
            glVertexAttribPointer(i, format.count, format.type, format.normalized, stride, offset);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static void set_buffers(FiloGpu *gpu, const GpuDraw *d) {
    uint32_t first = (uint32_t)d->first_instance;
    if (gpu->gl.vertices_changed || gpu->gl.first_instance != first)
        set_attributes(d, first, gpu->gl.vertices_changed);
    gpu->gl.vertices_changed = false;
    gpu->gl.first_instance = first;
    if (gpu->gl.indices_changed && d->indices != NULL) {
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, d->indices->name);
        gpu->gl.indices_changed = false;
    }
}

static void draw(FiloGpu *gpu, const GpuDraw *d) {
    gpu_gl_prepare_draw(gpu, d);
    set_buffers(gpu, d);
    gpu_gl_issue_draw(d);
}

static uint32_t draw_list(FiloGpu *gpu, GpuDraw *d, const FiloDrawCommand *commands, size_t count) {
    uint32_t draws = 0;
    gpu_gl_prepare_draw(gpu, d);
    for (size_t i = 0; i < count; i++) {
        if (commands[i].count == 0 || commands[i].instances == 0) continue;
        d->first = (int)commands[i].first;
        d->count = (int)commands[i].count;
        d->base_vertex = commands[i].base_vertex;
        d->first_instance = (int)commands[i].first_instance;
        d->instances = (int)commands[i].instances;
        set_buffers(gpu, d);
        gpu_gl_issue_draw(d);
        draws++;
    }
    return draws;
}

const GpuBackend gpu_backend_gl33 = {
    GPU_GL_COMMON,
    .buffer_create = buffer_create,
    .buffer_write = buffer_write,
    .buffer_copy = buffer_copy,
    .buffer_read = buffer_read,
    .buffer_destroy = buffer_destroy,
    .ring_open = ring_open,
    .ring_done = ring_done,
    .texture_create = texture_create,
    .texture_write = texture_write,
    .texture_grow = texture_grow,
    .texture_make_mipmaps = texture_make_mipmaps,
    .target_create = target_create,
    .target_attach = target_attach,
    .pipeline_create = pipeline_create,
    .draw = draw,
    .draw_list = draw_list,
};
