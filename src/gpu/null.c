// The null device: draws nothing, stores bytes, records calls.
//
// It models a GPU that is two frames behind: a frame is done when two later ones have ended, when
// filo_gpu_null_complete is called, or when a function waits for it. Of every part of a ring it has two sets of bytes:
// those that the program writes, and a copy of each piece, made by filo_gpu_ring_done. Between pieces, and in pieces
// that have just been taken, both are GPU_NULL_UNWRITTEN. So both are equal when the GPU has finished with the part, and still
// when the part is used next. If they differ, the program wrote to a piece that the GPU was reading, or past the end of
// a piece. null_compute.c has dispatches, fences and readback buffers.

#include "gpu/null.h"
#include "gpu/shader_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Recording calls -------------------------------------------------------------------------------------

// Calls beyond FILO_GPU_NULL_CALLS are dropped, so that the memory of a server does not grow. Without memory, the call
// is dropped too.
void gpu_null_record(FiloGpu *gpu, const char *format, ...) {
    GpuNull *null = gpu->null;
    if (null->calls.count >= FILO_GPU_NULL_CALLS) return;
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    size_t bytes = FILO_MIN((size_t)length, sizeof line - 1) + 1;
    size_t start = null->text.count;
    if (filo_array_push_many(&null->text, line, bytes) && !filo_array_push(&null->calls, start))
        null->text.count = start;
}

static bool is_null(const FiloGpu *gpu) {
    return GPU_CHECK(gpu) && FILO_CHECK(gpu->null != NULL, "only the null device can tell: FILO_GPU_NULL");
}

size_t filo_gpu_null_call_count(const FiloGpu *gpu) { return is_null(gpu) ? gpu->null->calls.count : 0; }

const char *filo_gpu_null_call(const FiloGpu *gpu, size_t index) {
    if (!is_null(gpu) || index >= gpu->null->calls.count) return NULL;
    return gpu->null->text.items + gpu->null->calls.items[index];
}

void filo_gpu_null_forget(FiloGpu *gpu) {
    if (!is_null(gpu)) return;
    filo_array_clear(&gpu->null->text);
    filo_array_clear(&gpu->null->calls);
}

// ---- Lifetime and frames -------------------------------------------------------------------------------------

static void close_null(FiloGpu *gpu) {
    filo_array_deinit(&gpu->null->text);
    filo_array_deinit(&gpu->null->calls);
    filo_array_deinit(&gpu->null->writes);
    filo_free(gpu->allocator, gpu->null, sizeof *gpu->null, 0);
}

static void end_frame(FiloGpu *gpu, uint64_t frame) {
    gpu_null_record(gpu, "end_frame %llu", (unsigned long long)frame);
    if (!gpu->null->hold && frame >= 2) gpu->null->done = FILO_MAX(gpu->null->done, frame - 1);
}

static bool frame_done(FiloGpu *gpu, uint64_t frame, bool wait) {
    if (wait && frame >= gpu->null->done) {
        gpu_null_record(gpu, "wait for frame %llu", (unsigned long long)frame);
        gpu->null->done = frame + 1;
    }
    return frame < gpu->null->done;
}

static void finish(FiloGpu *gpu) {
    gpu_null_record(gpu, "finish");
    gpu->null->done = gpu->frame;
    gpu_null_complete_commands(gpu, gpu->null->command);
}

void filo_gpu_null_complete(FiloGpu *gpu, uint64_t frame) {
    if (!is_null(gpu)) return;
    if (!FILO_CHECK(frame < gpu->frame, "frame %llu has not ended yet", (unsigned long long)frame)) return;
    gpu->null->done = FILO_MAX(gpu->null->done, frame + 1);
    gpu_set_completed(gpu, gpu->null->done);
}

void filo_gpu_null_hold(FiloGpu *gpu, bool hold) {
    if (is_null(gpu)) gpu->null->hold = hold;
}

// ---- Buffers ------------------------------------------------------------------------------------------

static void buffer_destroy(FiloGpu *gpu, GpuBuffer *buffer) {
    gpu_null_record(gpu, "buffer_destroy \"%s\"", buffer->label);
    filo_free(gpu->allocator, buffer->memory, buffer->size, 256);
    filo_free(gpu->allocator, buffer->copy, buffer->size, 256);
}

static FiloResult buffer_create(FiloGpu *gpu, GpuBuffer *buffer, const void *data) {
    buffer->memory = filo_alloc(gpu->allocator, buffer->size, 256);
    bool has_copy = buffer->of_ring || buffer->use == FILO_BUFFER_READBACK;
    if (has_copy) buffer->copy = filo_alloc(gpu->allocator, buffer->size, 256);
    if (buffer->memory == NULL || (has_copy && buffer->copy == NULL)) {
        filo_free(gpu->allocator, buffer->memory, buffer->size, 256);
        filo_free(gpu->allocator, buffer->copy, buffer->size, 256);
        return filo_error(FILO_ERROR_MEMORY, "buffer \"%s\": no memory for %zu bytes", buffer->label,
                          buffer->size);
    }
    if (data != NULL)
        memcpy(buffer->memory, data, buffer->size);
    else
        memset(buffer->memory, GPU_NULL_UNWRITTEN, buffer->size);
    if (buffer->use == FILO_BUFFER_READBACK) memset(buffer->copy, GPU_NULL_UNWRITTEN, buffer->size);
    gpu_null_record(gpu, "buffer_create \"%s\" %zu", buffer->label, buffer->size);
    return filo_ok();
}

static void buffer_write(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, const void *data, size_t size) {
    memcpy((uint8_t *)buffer->memory + offset, data, size);
    gpu_null_record(gpu, "buffer_write \"%s\" %zu %zu", buffer->label, offset, size);
}

static void ring_open(FiloGpu *gpu, GpuBuffer *buffer) {
    // Checks ring.c, not the program: independent of GpuRingPart.in_flight.
    (void)FILO_CHECK(buffer->used_in <= gpu->null->done,
                     "ring \"%s\": a part is used again while the GPU still reads it for frame %llu",
                     buffer->label, (unsigned long long)buffer->used_in - 1);
    buffer->used_in = gpu->frame + 1;
    gpu_null_record(gpu, "ring_open \"%s\" %zu", buffer->label, buffer->size);
}

static void ring_take(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, size_t size) {
    FILO_UNUSED(gpu);
    memset((uint8_t *)buffer->memory + offset, GPU_NULL_UNWRITTEN, size);
    memset((uint8_t *)buffer->copy + offset, GPU_NULL_UNWRITTEN, size);
}

static void ring_done(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, size_t size) {
    memcpy((uint8_t *)buffer->copy + offset, (uint8_t *)buffer->memory + offset, size);
    gpu_null_record(gpu, "ring_done \"%s\" %zu %zu", buffer->label, offset, size);
}

static void ring_verify(const FiloGpuRing *ring, const GpuRingPart *part, GpuBuffer *buffer) {
    if (memcmp(buffer->memory, buffer->copy, part->used) == 0) return;
    size_t at = 0;
    while (((uint8_t *)buffer->memory)[at] == ((uint8_t *)buffer->copy)[at]) at++;
    (void)FILO_CHECK(
        false,
        "ring \"%s\": byte %zu of frame %llu's part was written after its piece had been handed in, "
        "or past the end of one; write only into pieces that were taken in this frame",
        ring->label, at, (unsigned long long)part->frame);
    memcpy(buffer->copy, buffer->memory, part->used);
}

const void *filo_gpu_null_buffer_data(const FiloGpu *gpu, FiloBuffer handle, size_t *size) {
    if (size != NULL) *size = 0;
    if (!is_null(gpu)) return NULL;
    const GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL,
                    "filo_gpu_null_buffer_data: this buffer has been destroyed, or never was"))
        return NULL;
    if (size != NULL) *size = buffer->size;
    return gpu_null_bytes(buffer);
}

// ---- Textures and targets -----------------------------------------------------------------------------

static size_t layer_bytes(const GpuTexture *texture) {
    return (size_t)texture->width * (size_t)texture->height * gpu_pixel_size(texture->format);
}

static size_t texture_bytes(const GpuTexture *texture) {
    return layer_bytes(texture) * (size_t)FILO_MAX(texture->layers, 1);
}

static FiloResult texture_create(FiloGpu *gpu, GpuTexture *texture) {
    texture->memory = filo_alloc_zero(gpu->allocator, texture_bytes(texture), 0);
    if (texture->memory == NULL)
        return filo_error(FILO_ERROR_MEMORY, "texture \"%s\": no memory for %zu bytes", texture->label,
                          texture_bytes(texture));
    gpu_null_record(gpu, "texture_create \"%s\" %d x %d x %d", texture->label, texture->width,
                    texture->height, texture->layers);
    return filo_ok();
}

static void texture_write(FiloGpu *gpu, GpuTexture *texture, int level, int layer, GpuArea area,
                          const void *data, int stride) {
    if (level > 0) {
        gpu_null_record(gpu, "texture_write \"%s\" level %d layer %d: %d x %d at %d %d", texture->label,
                        level, layer, area.width, area.height, area.x, area.y);
        return;
    }
    size_t pixel = gpu_pixel_size(texture->format);
    for (int row = 0; row < area.height; row++) {
        size_t first = (size_t)(area.y + row) * (size_t)texture->width + (size_t)area.x;
        memcpy((uint8_t *)texture->memory + (size_t)layer * layer_bytes(texture) + first * pixel,
               (const uint8_t *)data + (size_t)row * (size_t)stride * pixel, (size_t)area.width * pixel);
    }
    gpu_null_record(gpu, "texture_write \"%s\" layer %d: %d x %d at %d %d", texture->label, layer, area.width,
                    area.height, area.x, area.y);
}

static FiloResult texture_grow(FiloGpu *gpu, GpuTexture *texture, int layers) {
    size_t old_size = texture_bytes(texture), size = layer_bytes(texture) * (size_t)layers;
    uint8_t *memory = filo_resize(gpu->allocator, texture->memory, old_size, size, 0);
    if (memory == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for %zu bytes", size);
    memset(memory + old_size, 0, size - old_size);
    texture->memory = memory;
    gpu_null_record(gpu, "texture_grow \"%s\" %d", texture->label, layers);
    return filo_ok();
}

static void texture_make_mipmaps(FiloGpu *gpu, GpuTexture *texture) {
    gpu_null_record(gpu, "texture_make_mipmaps \"%s\"", texture->label);
}

static void texture_destroy(FiloGpu *gpu, GpuTexture *texture) {
    gpu_null_record(gpu, "texture_destroy \"%s\"", texture->label);
    filo_free(gpu->allocator, texture->memory, texture_bytes(texture), 0);
}

const void *filo_gpu_null_texture_data(const FiloGpu *gpu, FiloTexture handle, int layer) {
    if (!is_null(gpu)) return NULL;
    const GpuTexture *texture = gpu_texture_at(gpu, handle);
    if (!FILO_CHECK(texture != NULL,
                    "filo_gpu_null_texture_data: this texture has been destroyed, or never was"))
        return NULL;
    if (!FILO_CHECK(layer >= 0 && layer < FILO_MAX(texture->layers, 1), "texture \"%s\": no layer %d of %d",
                    texture->label, layer, texture->layers))
        return NULL;
    return (const uint8_t *)texture->memory + (size_t)layer * layer_bytes(texture);
}

static FiloResult target_create(FiloGpu *gpu, GpuTarget *target) {
    gpu_null_record(gpu, "target_create \"%s\" %d x %d", target->label, target->width, target->height);
    return filo_ok();
}

static void target_destroy(FiloGpu *gpu, GpuTarget *target) {
    gpu_null_record(gpu, "target_destroy \"%s\"", target->label);
}

// Reads the bytes that were written to the texture. The window, and formats other than RGBA8, read as zeroes.
static FiloResult read_pixels(FiloGpu *gpu, const GpuTarget *target, int x, int y, const FiloPixels *into) {
    gpu_null_record(gpu, "read \"%s\" %d x %d at %d %d", target != NULL ? target->label : "window",
                    into->width, into->height, x, y);
    filo_pixels_fill(into, (FiloColor){ 0 });
    const GpuTexture *texture = target != NULL ? gpu_texture_at(gpu, target->color) : NULL;
    if (texture == NULL || texture->format != FILO_TEXTURE_RGBA8) return filo_ok();
    const uint8_t *layer = (const uint8_t *)texture->memory + (size_t)target->layer * layer_bytes(texture);
    for (int row = 0; row < into->height; row++) {
        size_t first = (size_t)(y + row) * (size_t)texture->width + (size_t)x;
        memcpy(filo_pixels_at(into, 0, row), layer + first * 4, (size_t)into->width * 4);
    }
    return filo_ok();
}

// ---- Pipelines ----------------------------------------------------------------------------------------

static FiloResult read_shader(FiloGpu *gpu, const GpuPipeline *pipeline, const char *stage, const char *text,
                              GpuProgram *program) {
    if (text == NULL) return filo_ok();
    size_t size = strlen(text) + 1;
    char *filtered = filo_alloc(gpu->allocator, size, 1);
    if (filtered == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its text", pipeline->label);
    FiloResult result = gpu_shader_filter(pipeline->label, stage, text, filtered);
    if (result.code == FILO_OK && !gpu_shader_read(filtered, pipeline->blocks, program))
        result = filo_error(FILO_ERROR_MEMORY, "%s: no memory for its uniforms", pipeline->label);
    filo_free(gpu->allocator, filtered, size, 1);
    return result;
}

static FiloResult program_create(FiloGpu *gpu, const GpuPipeline *pipeline, GpuProgram *program,
                                 const GpuShaders *shaders) {
    FiloResult result = read_shader(gpu, pipeline, "vertex shader", shaders->vertex, program);
    if (result.code == FILO_OK)
        result = read_shader(gpu, pipeline, "fragment shader", shaders->fragment, program);
    if (result.code == FILO_OK)
        result = read_shader(gpu, pipeline, "compute shader", shaders->compute, program);
    if (result.code != FILO_OK) return result;
    gpu_null_record(gpu, "program_create \"%s\"", pipeline->label);
    return gpu_program_layout(gpu, program, pipeline->label);
}

static FiloResult pipeline_create(FiloGpu *gpu, GpuPipeline *pipeline) {
    gpu_null_record(gpu, "pipeline_create \"%s\"", pipeline->label);
    return filo_ok();
}

static void pipeline_destroy(FiloGpu *gpu, GpuPipeline *pipeline) {
    gpu_null_record(gpu, "pipeline_destroy \"%s\"", pipeline->label);
}

// A blank and a number. `value` has the bits of an integer if the type has integers.
static int print_number(char *text, size_t size, FiloUniformType type, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    switch (type) {
    case FILO_UNIFORM_INT:
    case FILO_UNIFORM_IVEC2:
    case FILO_UNIFORM_IVEC4: return snprintf(text, size, " %d", (int32_t)bits);
    case FILO_UNIFORM_UINT:
    case FILO_UNIFORM_UVEC2:
    case FILO_UNIFORM_UVEC4: return snprintf(text, size, " %u", bits);
    default: return snprintf(text, size, " %g", (double)value);
    }
}

static void uniform_set(FiloGpu *gpu, GpuPipeline *pipeline, const GpuUniform *uniform, int element,
                        const float *value) {
    FILO_UNUSED(pipeline);
    char text[160] = "";
    size_t length = 0;
    for (int i = 0; i < gpu_uniform_floats(uniform->info.type) && length < sizeof text; i++)
        length += (size_t)print_number(text + length, sizeof text - length, uniform->info.type, value[i]);
    if (uniform->info.count > 1)
        gpu_null_record(gpu, "set %s[%d]%s", uniform->info.name, element, text);
    else
        gpu_null_record(gpu, "set %s%s", uniform->info.name, text);
}

static void texture_set(FiloGpu *gpu, const GpuUniform *uniform, const GpuTexture *texture) {
    gpu_null_record(gpu, "set %s \"%s\"", uniform->info.name, texture->label);
}

static FiloResult texels_set(FiloGpu *gpu, const GpuUniform *uniform, GpuBuffer *buffer,
                             FiloTexelFormat format) {
    static const char *const names[] = { "R8UI", "R16UI", "R32UI", "RGBA32UI" };
    gpu_null_record(gpu, "set %s \"%s\" %s", uniform->info.name, buffer->label, names[format]);
    return filo_ok();
}

// ---- Passes -------------------------------------------------------------------------------------------

static void begin_pass(FiloGpu *gpu, const GpuTarget *target, const FiloGpuPass *pass) {
    const char *cleared = !pass->clear || (pass->keep_color && pass->keep_depth) ? ""
                          : pass->keep_color                                     ? " clear depth"
                          : pass->keep_depth                                     ? " clear color"
                                                                                 : " clear";
    gpu_null_record(gpu, "begin_pass \"%s\" %d x %d%s", target != NULL ? target->label : "window",
                    gpu->pass.width, gpu->pass.height, cleared);
}
static void end_pass(FiloGpu *gpu) { gpu_null_record(gpu, "end_pass"); }
static void set_viewport(FiloGpu *gpu, GpuArea area) {
    gpu_null_record(gpu, "viewport %d %d %d %d", area.x, area.y, area.width, area.height);
}
static void set_scissor(FiloGpu *gpu, GpuArea area) {
    gpu_null_record(gpu, "scissor %d %d %d %d", area.x, area.y, area.width, area.height);
}
static void use(FiloGpu *gpu, GpuPipeline *pipeline) { gpu_null_record(gpu, "use \"%s\"", pipeline->label); }
static void set_vertices(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset) {
    gpu_null_record(gpu, "vertices %d \"%s\" %zu", slot, buffer->label, offset);
}
static void set_indices(FiloGpu *gpu, const GpuBuffer *buffer) {
    gpu_null_record(gpu, "indices \"%s\"", buffer->label);
}
static void set_storage(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset, size_t size) {
    gpu_null_record(gpu, "storage %d \"%s\" %zu %zu", slot, buffer->label, offset, size);
}

static void set_block(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset, size_t size) {
    gpu_null_record(gpu, "block %d \"%s\" %zu %zu", slot, buffer->label, offset, size);
}

static uint32_t draw_list(FiloGpu *gpu, GpuDraw *d, const FiloDrawCommand *commands, size_t count) {
    FILO_UNUSED(d);
    gpu_null_record(gpu, "draw_indexed_list %zu", count);
    for (size_t i = 0; i < count; i++)
        gpu_null_record(gpu, "command %u %u + %d x %u from %u", commands[i].first, commands[i].count,
                        commands[i].base_vertex, commands[i].instances, commands[i].first_instance);
    return 1;
}

static void draw(FiloGpu *gpu, const GpuDraw *d) {
    if (d->indices == NULL)
        gpu_null_record(gpu, "draw %d %d x %d", d->first, d->count, d->instances);
    else if (d->first_instance > 0)
        gpu_null_record(gpu, "draw_indexed %d %d + %d x %d from %d", d->first, d->count, d->base_vertex,
                        d->instances, d->first_instance);
    else
        gpu_null_record(gpu, "draw_indexed %d %d + %d x %d", d->first, d->count, d->base_vertex,
                        d->instances);
}

// ---- Timers and labels --------------------------------------------------------------------------------

static FiloResult timer_create(FiloGpu *gpu, GpuTimer *timer) {
    gpu_null_record(gpu, "timer_create \"%s\"", timer->label);
    return filo_ok();
}
static void timer_mark(FiloGpu *gpu, GpuTimer *timer, uint32_t pair, int end) {
    FILO_UNUSED(pair);
    gpu_null_record(gpu, "timer_%s \"%s\"", end ? "end" : "begin", timer->label);
}
static bool timer_read(FiloGpu *gpu, GpuTimer *timer, uint32_t pair, double *ms) {
    FILO_UNUSED(gpu);
    FILO_UNUSED(timer);
    FILO_UNUSED(pair);
    *ms = 0;
    return true;
}
static void timer_destroy(FiloGpu *gpu, GpuTimer *timer) {
    gpu_null_record(gpu, "timer_destroy \"%s\"", timer->label);
}
static void push_label(FiloGpu *gpu, const char *label) { gpu_null_record(gpu, "push_label %s", label); }
static void pop_label(FiloGpu *gpu) { gpu_null_record(gpu, "pop_label"); }

const GpuBackend gpu_backend_null = {
    .close = close_null,
    .buffer_create = buffer_create,
    .buffer_write = buffer_write,
    .buffer_copy = gpu_null_buffer_copy,
    .buffer_read = gpu_null_buffer_read,
    .buffer_destroy = buffer_destroy,
    .ring_open = ring_open,
    .ring_take = ring_take,
    .ring_done = ring_done,
    .ring_verify = ring_verify,
    .texture_create = texture_create,
    .texture_write = texture_write,
    .texture_grow = texture_grow,
    .texture_make_mipmaps = texture_make_mipmaps,
    .texture_destroy = texture_destroy,
    .target_create = target_create,
    .target_destroy = target_destroy,
    .read = read_pixels,
    .program_create = program_create,
    .pipeline_create = pipeline_create,
    .pipeline_destroy = pipeline_destroy,
    .uniform_set = uniform_set,
    .texture_set = texture_set,
    .texels_set = texels_set,
    .begin_pass = begin_pass,
    .end_pass = end_pass,
    .set_viewport = set_viewport,
    .set_scissor = set_scissor,
    .use = use,
    .set_vertices = set_vertices,
    .set_indices = set_indices,
    .set_storage = set_storage,
    .set_block = set_block,
    .draw = draw,
    .draw_list = draw_list,
    .begin_compute = gpu_null_begin_compute,
    .end_compute = end_pass,
    .dispatch = gpu_null_dispatch,
    .barrier = gpu_null_barrier,
    .fence_create = gpu_null_fence_create,
    .fence_wait = gpu_null_fence_wait,
    .fence_destroy = gpu_null_fence_destroy,
    .end_frame = end_frame,
    .frame_done = frame_done,
    .finish = finish,
    .timer_create = timer_create,
    .timer_mark = timer_mark,
    .timer_read = timer_read,
    .timer_destroy = timer_destroy,
    .push_label = push_label,
    .pop_label = pop_label,
};

FiloResult gpu_open_null(FiloGpu *gpu) {
    gpu->null = filo_alloc_zero(gpu->allocator, sizeof *gpu->null, 0);
    if (gpu->null == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the null device");
    filo_array_init(&gpu->null->text, gpu->allocator);
    filo_array_init(&gpu->null->calls, gpu->allocator);
    filo_array_init(&gpu->null->writes, gpu->allocator);
    gpu->backend = &gpu_backend_null;
    gpu->limits = (FiloGpuLimits){
        .kind = FILO_GPU_NULL,
        .name = "null",
        .persistent_maps = true,
        .compute = true,
        .storage = true,
        .storage_slots = FILO_GPU_STORAGE_SLOTS,
        .storage_size = (size_t)1 << 30,
        .work_groups = { 65535, 65535, 65535 },
        .work_group_size = 1024,
        .work_group_memory = 32768,
        .texture_size = 16384,
        .texture_layers = 2048,
        .texels = 1 << 27,
        .anisotropy = 16,
        .block_size = 1 << 16,
        .picture_size = 16384,
    };
    return filo_ok();
}
