// The device from inside: its objects, and the table of functions that a backend provides.
//
// What the caller may do wrong is found out in the files that have the public functions (device.c, buffer.c,
// ring.c, texture.c, target.c, pipeline.c, uniform.c, pass.c, timer.c); they keep the handles, the state of
// the pass and the figures, and then call the backend: gl45.c, gl33.c (with gl_*.c for what both share) or
// null.c. So a backend sees only objects that exist and values that are in range.

#ifndef FILO_GPU_DEVICE_H
#define FILO_GPU_DEVICE_H

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/gpu.h>
#include <filo/log.h>

#include "gpu/handles.h"

#define GPU_LABEL    48
#define GPU_SAMPLERS 16 // texture units that a pipeline may use
#define GPU_FENCES   16 // frames that may be in flight
#define GPU_QUERIES  4  // measurements of one timer that may be on their way

// ---- Objects ------------------------------------------------------------------------------------------

typedef struct GpuBuffer {
    GpuSlot slot;
    char label[GPU_LABEL];
    FiloBufferUse use;
    size_t size;
    bool constant;
    bool of_ring;     // its memory is handed out for writing; of the library's own rings
    void *memory;     // of a ring: where to write. On the null device: the bytes
    void *copy;       // null device, of a ring: the bytes as they were when they were handed in
    uint64_t used_in; // null device, of a ring: the last frame, counted from 1
    uint32_t name;    // GL
} GpuBuffer;

typedef struct GpuTexture {
    GpuSlot slot;
    char label[GPU_LABEL];
    FiloTextureFormat format;
    int width, height;
    int layers; // 0: not an array
    int levels;
    bool has_mipmaps; // they have been made
    bool linear, repeat, target;
    size_t bytes;
    void *memory; // null device: layer after layer, without mipmaps
    uint32_t name;
} GpuTexture;

typedef struct GpuTarget {
    GpuSlot slot;
    char label[GPU_LABEL];
    FiloTexture color, depth;
    int layer, width, height;
    uint32_t name;
} GpuTarget;

typedef struct GpuUniform {
    FiloUniformInfo info;
    int32_t location;
    int unit;     // of a texture: the first of info.count
    size_t value; // where its values start, in floats
} GpuUniform;
typedef FiloArray(GpuUniform) GpuUniforms;

// What compiling and linking gives.
typedef struct GpuProgram {
    GpuUniforms uniforms;    // in the order of their names
    FiloArray(float) values; // as last set, or 0
    FiloTexture textures[GPU_SAMPLERS];
    int texture_count;
    uint32_t name;
    int32_t flip_location; // GL 3.3: of the uniform that turns pictures over; -1
    float flip;            // its value
} GpuProgram;

typedef struct GpuPipeline {
    GpuSlot slot;
    char label[GPU_LABEL];
    FiloPipelineDesc desc;         // without the texts
    size_t ends[FILO_GPU_BUFFERS]; // bytes of a vertex that are read; 0: the buffer is not used
    GpuProgram program;
    uint32_t vertex_array;
} GpuPipeline;

typedef struct GpuTimerData {
    GpuSlot slot;
    char label[GPU_LABEL];
    bool running;
    bool counts; // this measurement has a pair of queries
    uint32_t names[GPU_QUERIES][2];
    uint32_t first, waiting; // a queue of pairs that were asked for
    double ms;
} GpuTimerData;

// ---- Rings --------------------------------------------------------------------------------------------

typedef struct GpuRingPart {
    FiloBuffer buffer;
    size_t used;
    uint64_t frame; // in which it was used
    bool in_flight; // since then, as far as we know
} GpuRingPart;

typedef struct GpuStaging {
    void *memory;
    size_t size;
} GpuStaging;

#define GPU_RING_PARTS 8

struct FiloGpuRing {
    FiloGpuRing *next;
    char label[GPU_LABEL];
    FiloBufferUse use;
    GpuRingPart parts[GPU_RING_PARTS];
    int part_count, current;
    bool open;                      // the current part has been taken from in this frame
    size_t size;                    // that a part should have
    size_t wanted;                  // bytes asked for in this frame
    uint32_t not_done;              // pieces that were taken and not handed in
    FiloArray(GpuStaging) staging;  // handed out
    FiloArray(FiloBuffer) overflow; // what staging was copied to, until the frame ends
};

// ---- The pass -----------------------------------------------------------------------------------------

#define GPU_STORAGE_SLOTS 4

typedef struct GpuBinding {
    FiloBuffer buffer;
    size_t offset, size;
    bool set;
} GpuBinding;

typedef struct GpuArea {
    int x, y, width, height;
} GpuArea;

// From filo_gpu_begin_pass to filo_gpu_end_pass.
typedef struct GpuPassState {
    bool active;
    FiloRenderTarget target;
    int width, height;
    FiloPipeline pipeline;
    GpuBinding vertices[FILO_GPU_BUFFERS], storage[GPU_STORAGE_SLOTS];
    FiloBuffer indices;
    uint32_t textures[GPU_SAMPLERS]; // that the last draw used, by handle
} GpuPassState;

// A draw whose objects have all been looked up.
typedef struct GpuDraw {
    GpuPipeline *pipeline;
    GpuTexture *textures[GPU_SAMPLERS];    // NULL: none was set
    GpuBuffer *vertices[FILO_GPU_BUFFERS]; // NULL: not used
    size_t offsets[FILO_GPU_BUFFERS];
    GpuBuffer *storage[GPU_STORAGE_SLOTS];
    GpuBuffer *indices; // NULL: not indexed
    int first, count, base_vertex, instances;
} GpuDraw;

// ---- Backends -----------------------------------------------------------------------------------------

// The functions of a backend. Those that return FiloResult leave nothing behind when they fail. All of them
// must be there.
typedef struct GpuBackend {
    void (*close)(FiloGpu *gpu);
    // Reports, with the name of what was called, errors that the driver has noted. Only if `debug`.
    void (*check)(FiloGpu *gpu, const char *call);

    FiloResult (*buffer_create)(FiloGpu *gpu, GpuBuffer *buffer, const void *data);
    void (*buffer_write)(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, const void *data, size_t size);
    void (*buffer_destroy)(FiloGpu *gpu, GpuBuffer *buffer);
    // Of rings. A part is used again; a piece is handed out; its bytes are final; the card has done with the
    // part, and the first `used` bytes of it can be looked at.
    void (*ring_open)(FiloGpu *gpu, GpuBuffer *buffer);
    void (*ring_take)(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, size_t size);
    void (*ring_done)(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, size_t size);
    void (*ring_verify)(FiloGpu *gpu, FiloGpuRing *ring, GpuRingPart *part, GpuBuffer *buffer);

    FiloResult (*texture_create)(FiloGpu *gpu, GpuTexture *texture);
    void (*texture_write)(FiloGpu *gpu, GpuTexture *texture, int layer, GpuArea area, const void *data,
                          int stride);
    FiloResult (*texture_grow)(FiloGpu *gpu, GpuTexture *texture, int layers);
    void (*texture_make_mipmaps)(FiloGpu *gpu, GpuTexture *texture);
    void (*texture_destroy)(FiloGpu *gpu, GpuTexture *texture);

    FiloResult (*target_create)(FiloGpu *gpu, GpuTarget *target);
    void (*target_attach)(FiloGpu *gpu, GpuTarget *target); // again: a texture of it has grown
    void (*target_destroy)(FiloGpu *gpu, GpuTarget *target);
    FiloResult (*read)(FiloGpu *gpu, const GpuTarget *target, int x, int y, const FiloPixels *into);

    // Compiles, and fills `program` but for values and textures. `pipeline` has the label.
    FiloResult (*program_create)(FiloGpu *gpu, const GpuPipeline *pipeline, GpuProgram *program,
                                 const char *vertex, const char *fragment);
    void (*program_destroy)(FiloGpu *gpu, GpuProgram *program);
    FiloResult (*pipeline_create)(FiloGpu *gpu, GpuPipeline *pipeline); // what is not the program
    void (*pipeline_destroy)(FiloGpu *gpu, GpuPipeline *pipeline);
    // `value` are the floats (of an INT: the bits of an int) of one element.
    void (*uniform_set)(FiloGpu *gpu, GpuPipeline *pipeline, const GpuUniform *uniform, int element,
                        const float *value);
    void (*texture_set)(FiloGpu *gpu, const GpuUniform *uniform, const GpuTexture *texture);

    void (*begin_pass)(FiloGpu *gpu, const GpuTarget *target, const FiloGpuPass *pass);
    void (*end_pass)(FiloGpu *gpu);
    void (*set_viewport)(FiloGpu *gpu, GpuArea area);
    void (*set_scissor)(FiloGpu *gpu, GpuArea area); // width 0: none
    void (*use)(FiloGpu *gpu, GpuPipeline *pipeline);
    void (*set_vertices)(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset);
    void (*set_indices)(FiloGpu *gpu, const GpuBuffer *buffer);
    void (*set_storage)(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset, size_t size);
    void (*draw)(FiloGpu *gpu, const GpuDraw *draw);

    // The frame that now ends. Its fence is put into the place frame % GPU_FENCES.
    void (*end_frame)(FiloGpu *gpu, uint64_t frame);
    // Whether the card has done with the frame; waits for that if asked to.
    bool (*frame_done)(FiloGpu *gpu, uint64_t frame, bool wait);
    void (*finish)(FiloGpu *gpu);

    FiloResult (*timer_create)(FiloGpu *gpu, GpuTimerData *timer);
    void (*timer_mark)(FiloGpu *gpu, GpuTimerData *timer, uint32_t pair, int end); // end: 0 or 1
    // True, and the time, if the card has come past both marks of the pair.
    bool (*timer_read)(FiloGpu *gpu, GpuTimerData *timer, uint32_t pair, double *ms);
    void (*timer_destroy)(FiloGpu *gpu, GpuTimerData *timer);
    void (*push_label)(FiloGpu *gpu, const char *label);
    void (*pop_label)(FiloGpu *gpu);
} GpuBackend;

// What GL is set to, as far as we know; forgotten at the start of each pass, since others use it too.
typedef struct GpuGlState {
    uint32_t program, vertex_array;
    uint32_t textures[GPU_SAMPLERS];
    bool known; // of what follows
    FiloBlend blend;
    bool depth_test, depth_write, cull_back;
    bool turned; // draws to a target, whose first row is the upper one
    bool vertices_changed, indices_changed;
    bool has_debug;  // KHR_debug is there
    bool pass_label; // the pass has one, to be taken back
    void *fences[GPU_FENCES];
} GpuGlState;

typedef struct GpuNull GpuNull;

struct FiloGpu {
    const GpuBackend *backend;
    const FiloAllocator *allocator;
    bool debug;
    FiloGpuLimits limits;
    FiloGpuStats stats, last_stats;
    GpuPool buffers, textures, targets, pipelines, timers;
    FiloGpuRing *rings;
    GpuPassState pass;
    int window_width, window_height; // of the last pass
    int label_depth;
    uint64_t frame;     // that is being drawn, from 0
    uint64_t completed; // frames below this one are done, as far as we know
    GpuGlState gl;
    GpuNull *null; // of the null device
};

extern const GpuBackend gpu_backend_gl45, gpu_backend_gl33, gpu_backend_null;

// Fill in limits and what else the backend needs. gpu->backend is set before.
FiloResult gpu_open_gl(FiloGpu *gpu, FiloGpuKind kind);
FiloResult gpu_open_null(FiloGpu *gpu);

// ---- Shared by the files of the device ---------------------------------------------------------------

// The first check of every function.
#define GPU_MISSING    "pass the device that filo_gpu_create made"
#define GPU_CHECK(gpu) FILO_CHECK((gpu) != NULL, GPU_MISSING)

// After a call of the backend.
#define GPU_AFTER(gpu, call)                                                                                 \
    do {                                                                                                     \
        if ((gpu)->debug) (gpu)->backend->check((gpu), (call));                                              \
    } while (0)

static inline GpuBuffer *gpu_buffer_at(const FiloGpu *gpu, FiloBuffer buffer) {
    return (GpuBuffer *)gpu_pool_get(&gpu->buffers, buffer.id);
}
static inline GpuTexture *gpu_texture_at(const FiloGpu *gpu, FiloTexture texture) {
    return (GpuTexture *)gpu_pool_get(&gpu->textures, texture.id);
}
static inline GpuTarget *gpu_target_at(const FiloGpu *gpu, FiloRenderTarget target) {
    return (GpuTarget *)gpu_pool_get(&gpu->targets, target.id);
}
static inline GpuPipeline *gpu_pipeline_at(const FiloGpu *gpu, FiloPipeline pipeline) {
    return (GpuPipeline *)gpu_pool_get(&gpu->pipelines, pipeline.id);
}

void gpu_copy_label(char *label, const char *text, const char *otherwise);

// Buffers, without the caller's checks.
FiloResult gpu_buffer_add(FiloBuffer *buffer, FiloGpu *gpu, const FiloBufferDesc *desc, bool of_ring);
void gpu_buffer_drop(FiloGpu *gpu, FiloBuffer buffer);

// Rings at the end of a frame, and when the card has done with some.
void gpu_rings_end_frame(FiloGpu *gpu);
void gpu_rings_complete(FiloGpu *gpu);

// Notes that all frames below `count` are done.
void gpu_complete(FiloGpu *gpu, uint64_t count);
// Waits for the frame.
void gpu_wait_frame(FiloGpu *gpu, uint64_t frame);

void gpu_pipeline_free(FiloGpu *gpu, GpuPipeline *pipeline);
void gpu_timers_read(FiloGpu *gpu);

size_t gpu_pixel_size(FiloTextureFormat format);
// "float", "vec2", …, as GLSL calls it.
const char *gpu_uniform_type_name(FiloUniformType type);
static inline bool gpu_is_texture(FiloUniformType type) {
    return type == FILO_UNIFORM_TEXTURE || type == FILO_UNIFORM_TEXTURE_ARRAY;
}
// Floats of one element; 0 of a texture and of other things.
int gpu_uniform_floats(FiloUniformType type);

#endif
