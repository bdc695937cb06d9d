// The null device: draws nothing, keeps bytes, writes down what it was asked to do.
//
// It models a card that is behind: a frame is done when two further ones have ended, or when somebody says so
// (filo_gpu_null_complete) or waits. Of every part of a ring it keeps two sets of bytes: those that the
// program writes, and a copy that is made of each piece when it is handed in. Between pieces, and in pieces
// that are handed out, both hold FRESH. So as long as nobody writes where he must not, both are equal when
// the card has done with the part, and again when the part is used next; where they are not, somebody wrote
// to a piece that the card was reading, or past the end of one.

#include "gpu/shader_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FRESH 0xDB

struct GpuNull {
    FiloArray(char) text;    // calls, each with its zero
    FiloArray(size_t) calls; // where they start
    bool hold;
    uint64_t done; // frames below this one are, if anybody asks
};

// ---- Writing down -------------------------------------------------------------------------------------

// Calls above FILO_GPU_NULL_CALLS are dropped, so that a server may run for ever; so are those for which
// there is no memory.
static void note(FiloGpu *gpu, const char *format, ...) FILO_PRINTF(2, 3);
static void note(FiloGpu *gpu, const char *format, ...) {
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

// ---- Life, frames -------------------------------------------------------------------------------------

static void close_null(FiloGpu *gpu) {
    filo_array_deinit(&gpu->null->text);
    filo_array_deinit(&gpu->null->calls);
    filo_free(gpu->allocator, gpu->null, sizeof *gpu->null, 0);
}

static void check_nothing(FiloGpu *gpu, const char *call) {
    FILO_UNUSED(gpu);
    FILO_UNUSED(call);
}

static void end_frame(FiloGpu *gpu, uint64_t frame) {
    note(gpu, "end_frame %llu", (unsigned long long)frame);
    if (!gpu->null->hold && frame >= 2) gpu->null->done = FILO_MAX(gpu->null->done, frame - 1);
}

static bool frame_done(FiloGpu *gpu, uint64_t frame, bool wait) {
    if (wait && frame >= gpu->null->done) {
        note(gpu, "wait for frame %llu", (unsigned long long)frame);
        gpu->null->done = frame + 1;
    }
    return frame < gpu->null->done;
}

static void finish(FiloGpu *gpu) {
    note(gpu, "finish");
    gpu->null->done = gpu->frame;
}

void filo_gpu_null_complete(FiloGpu *gpu, uint64_t frame) {
    if (!is_null(gpu)) return;
    if (!FILO_CHECK(frame < gpu->frame, "frame %llu has not ended yet", (unsigned long long)frame)) return;
    gpu->null->done = FILO_MAX(gpu->null->done, frame + 1);
    gpu_complete(gpu, gpu->null->done);
}

void filo_gpu_null_hold(FiloGpu *gpu, bool hold) {
    if (is_null(gpu)) gpu->null->hold = hold;
}

// ---- Buffers ------------------------------------------------------------------------------------------

static void buffer_destroy(FiloGpu *gpu, GpuBuffer *buffer) {
    note(gpu, "buffer_destroy \"%s\"", buffer->label);
    filo_free(gpu->allocator, buffer->memory, buffer->size, 256);
    filo_free(gpu->allocator, buffer->copy, buffer->size, 256);
}

static FiloResult buffer_create(FiloGpu *gpu, GpuBuffer *buffer, const void *data) {
    buffer->memory = filo_alloc(gpu->allocator, buffer->size, 256);
    if (buffer->of_ring) buffer->copy = filo_alloc(gpu->allocator, buffer->size, 256);
    if (buffer->memory == NULL || (buffer->of_ring && buffer->copy == NULL)) {
        filo_free(gpu->allocator, buffer->memory, buffer->size, 256);
        filo_free(gpu->allocator, buffer->copy, buffer->size, 256);
        return filo_error(FILO_ERROR_MEMORY, "buffer \"%s\": no memory for %zu bytes", buffer->label,
                          buffer->size);
    }
    if (data != NULL)
        memcpy(buffer->memory, data, buffer->size);
    else
        memset(buffer->memory, FRESH, buffer->size);
    note(gpu, "buffer_create \"%s\" %zu", buffer->label, buffer->size);
    return filo_ok();
}

static void buffer_write(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, const void *data, size_t size) {
    memcpy((uint8_t *)buffer->memory + offset, data, size);
    note(gpu, "buffer_write \"%s\" %zu %zu", buffer->label, offset, size);
}

static void ring_open(FiloGpu *gpu, GpuBuffer *buffer) {
    // Ours to get right; noticed here, whatever the ring believes.
    (void)FILO_CHECK(buffer->used_in <= gpu->null->done,
                     "ring \"%s\": a part is used again while the card still reads it for frame %llu",
                     buffer->label, (unsigned long long)buffer->used_in - 1);
    buffer->used_in = gpu->frame + 1;
    note(gpu, "ring_open \"%s\" %zu", buffer->label, buffer->size);
}

static void ring_take(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, size_t size) {
    FILO_UNUSED(gpu);
    memset((uint8_t *)buffer->memory + offset, FRESH, size);
    memset((uint8_t *)buffer->copy + offset, FRESH, size);
}

static void ring_done(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, size_t size) {
    memcpy((uint8_t *)buffer->copy + offset, (uint8_t *)buffer->memory + offset, size);
    note(gpu, "ring_done \"%s\" %zu %zu", buffer->label, offset, size);
}

static void ring_verify(FiloGpu *gpu, FiloGpuRing *ring, GpuRingPart *part, GpuBuffer *buffer) {
    FILO_UNUSED(gpu);
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
    return buffer->memory;
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
    note(gpu, "texture_create \"%s\" %d x %d x %d", texture->label, texture->width, texture->height,
         texture->layers);
    return filo_ok();
}

static void texture_write(FiloGpu *gpu, GpuTexture *texture, int layer, GpuArea area, const void *data,
                          int stride) {
    size_t pixel = gpu_pixel_size(texture->format);
    for (int row = 0; row < area.height; row++) {
        size_t place = (size_t)(area.y + row) * (size_t)texture->width + (size_t)area.x;
        memcpy((uint8_t *)texture->memory + (size_t)layer * layer_bytes(texture) + place * pixel,
               (const uint8_t *)data + (size_t)row * (size_t)stride * pixel, (size_t)area.width * pixel);
    }
    note(gpu, "texture_write \"%s\" layer %d: %d x %d at %d %d", texture->label, layer, area.width,
         area.height, area.x, area.y);
}

static FiloResult texture_grow(FiloGpu *gpu, GpuTexture *texture, int layers) {
    size_t old = texture_bytes(texture), wanted = layer_bytes(texture) * (size_t)layers;
    uint8_t *memory = filo_resize(gpu->allocator, texture->memory, old, wanted, 0);
    if (memory == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for %zu bytes", wanted);
    memset(memory + old, 0, wanted - old);
    texture->memory = memory;
    note(gpu, "texture_grow \"%s\" %d", texture->label, layers);
    return filo_ok();
}

static void texture_make_mipmaps(FiloGpu *gpu, GpuTexture *texture) {
    note(gpu, "texture_make_mipmaps \"%s\"", texture->label);
}

static void texture_destroy(FiloGpu *gpu, GpuTexture *texture) {
    note(gpu, "texture_destroy \"%s\"", texture->label);
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
    note(gpu, "target_create \"%s\" %d x %d", target->label, target->width, target->height);
    return filo_ok();
}

static void target_attach(FiloGpu *gpu, GpuTarget *target) {
    FILO_UNUSED(gpu);
    FILO_UNUSED(target);
}

static void target_destroy(FiloGpu *gpu, GpuTarget *target) {
    note(gpu, "target_destroy \"%s\"", target->label);
}

// What was written to the texture; of the window, and of formats that are no colours, nothing.
static FiloResult read_pixels(FiloGpu *gpu, const GpuTarget *target, int x, int y, const FiloPixels *into) {
    note(gpu, "read \"%s\" %d x %d at %d %d", target != NULL ? target->label : "window", into->width,
         into->height, x, y);
    filo_pixels_fill(into, (FiloColor){ 0 });
    const GpuTexture *texture = target != NULL ? gpu_texture_at(gpu, target->color) : NULL;
    if (texture == NULL || texture->format != FILO_TEXTURE_RGBA8) return filo_ok();
    const uint8_t *layer = (const uint8_t *)texture->memory + (size_t)target->layer * layer_bytes(texture);
    for (int row = 0; row < into->height; row++) {
        size_t place = (size_t)(y + row) * (size_t)texture->width + (size_t)x;
        memcpy(filo_pixels_at(into, 0, row), layer + place * 4, (size_t)into->width * 4);
    }
    return filo_ok();
}

// ---- Pipelines ----------------------------------------------------------------------------------------

static FiloResult program_create(FiloGpu *gpu, const GpuPipeline *pipeline, GpuProgram *program,
                                 const char *vertex, const char *fragment) {
    FiloResult result = gpu_shader_look(pipeline->label, "vertex shader", vertex);
    if (result.code == FILO_OK) result = gpu_shader_look(pipeline->label, "fragment shader", fragment);
    if (result.code != FILO_OK) return result;
    if (!gpu_shader_uniforms(vertex, &program->uniforms) ||
        !gpu_shader_uniforms(fragment, &program->uniforms))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its uniforms", pipeline->label);
    note(gpu, "program_create \"%s\"", pipeline->label);
    return filo_ok();
}

static void program_destroy(FiloGpu *gpu, GpuProgram *program) {
    FILO_UNUSED(gpu);
    FILO_UNUSED(program);
}

static FiloResult pipeline_create(FiloGpu *gpu, GpuPipeline *pipeline) {
    note(gpu, "pipeline_create \"%s\"", pipeline->label);
    return filo_ok();
}

static void pipeline_destroy(FiloGpu *gpu, GpuPipeline *pipeline) {
    note(gpu, "pipeline_destroy \"%s\"", pipeline->label);
}

static void uniform_set(FiloGpu *gpu, GpuPipeline *pipeline, const GpuUniform *uniform, int element,
                        const float *value) {
    FILO_UNUSED(pipeline);
    char text[160] = "";
    size_t length = 0;
    bool whole = uniform->info.type == FILO_UNIFORM_INT || uniform->info.type == FILO_UNIFORM_IVEC2;
    for (int i = 0; i < gpu_uniform_floats(uniform->info.type) && length < sizeof text; i++) {
        int32_t number;
        memcpy(&number, &value[i], sizeof number);
        length += (size_t)(whole ? snprintf(text + length, sizeof text - length, " %d", number)
                                 : snprintf(text + length, sizeof text - length, " %g", (double)value[i]));
    }
    if (uniform->info.count > 1)
        note(gpu, "set %s[%d]%s", uniform->info.name, element, text);
    else
        note(gpu, "set %s%s", uniform->info.name, text);
}

static void texture_set(FiloGpu *gpu, const GpuUniform *uniform, const GpuTexture *texture) {
    note(gpu, "set %s \"%s\"", uniform->info.name, texture->label);
}

// ---- Passes -------------------------------------------------------------------------------------------

static void begin_pass(FiloGpu *gpu, const GpuTarget *target, const FiloGpuPass *pass) {
    note(gpu, "begin_pass \"%s\" %d x %d%s", target != NULL ? target->label : "window", gpu->pass.width,
         gpu->pass.height, pass->clear ? " clear" : "");
}
static void end_pass(FiloGpu *gpu) { note(gpu, "end_pass"); }
static void set_viewport(FiloGpu *gpu, GpuArea area) {
    note(gpu, "viewport %d %d %d %d", area.x, area.y, area.width, area.height);
}
static void set_scissor(FiloGpu *gpu, GpuArea area) {
    note(gpu, "scissor %d %d %d %d", area.x, area.y, area.width, area.height);
}
static void use(FiloGpu *gpu, GpuPipeline *pipeline) { note(gpu, "use \"%s\"", pipeline->label); }
static void set_vertices(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset) {
    note(gpu, "vertices %d \"%s\" %zu", slot, buffer->label, offset);
}
static void set_indices(FiloGpu *gpu, const GpuBuffer *buffer) { note(gpu, "indices \"%s\"", buffer->label); }
static void set_storage(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset, size_t size) {
    note(gpu, "storage %d \"%s\" %zu %zu", slot, buffer->label, offset, size);
}

static void draw(FiloGpu *gpu, const GpuDraw *d) {
    if (d->indices == NULL)
        note(gpu, "draw %d %d x %d", d->first, d->count, d->instances);
    else
        note(gpu, "draw_indexed %d %d + %d x %d", d->first, d->count, d->base_vertex, d->instances);
}

// ---- Timers and labels --------------------------------------------------------------------------------

static FiloResult timer_create(FiloGpu *gpu, GpuTimerData *timer) {
    note(gpu, "timer_create \"%s\"", timer->label);
    return filo_ok();
}
static void timer_mark(FiloGpu *gpu, GpuTimerData *timer, uint32_t pair, int end) {
    FILO_UNUSED(pair);
    note(gpu, "timer_%s \"%s\"", end ? "end" : "begin", timer->label);
}
static bool timer_read(FiloGpu *gpu, GpuTimerData *timer, uint32_t pair, double *ms) {
    FILO_UNUSED(gpu);
    FILO_UNUSED(timer);
    FILO_UNUSED(pair);
    *ms = 0;
    return true;
}
static void timer_destroy(FiloGpu *gpu, GpuTimerData *timer) {
    note(gpu, "timer_destroy \"%s\"", timer->label);
}
static void push_label(FiloGpu *gpu, const char *label) { note(gpu, "push_label %s", label); }
static void pop_label(FiloGpu *gpu) { note(gpu, "pop_label"); }

const GpuBackend gpu_backend_null = {
    .close = close_null,
    .check = check_nothing,
    .buffer_create = buffer_create,
    .buffer_write = buffer_write,
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
    .target_attach = target_attach,
    .target_destroy = target_destroy,
    .read = read_pixels,
    .program_create = program_create,
    .program_destroy = program_destroy,
    .pipeline_create = pipeline_create,
    .pipeline_destroy = pipeline_destroy,
    .uniform_set = uniform_set,
    .texture_set = texture_set,
    .begin_pass = begin_pass,
    .end_pass = end_pass,
    .set_viewport = set_viewport,
    .set_scissor = set_scissor,
    .use = use,
    .set_vertices = set_vertices,
    .set_indices = set_indices,
    .set_storage = set_storage,
    .draw = draw,
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
    gpu->backend = &gpu_backend_null;
    gpu->limits = (FiloGpuLimits){
        .kind = FILO_GPU_NULL,
        .name = "null",
        .persistent_maps = true,
        .storage = true,
        .texture_size = 16384,
        .texture_layers = 2048,
        .picture_size = 16384,
    };
    return filo_ok();
}
