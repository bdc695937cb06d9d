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

#define FILO_GPU_LABEL    48
#define FILO_GPU_SAMPLERS 16 // texture units that a pipeline may use
#define FILO_GPU_FENCES   16 // frames that may be in flight
#define FILO_GPU_QUERIES  4  // measurements of one timer that may be on their way

// ---- Objects ------------------------------------------------------------------------------------------

typedef struct FiloGpuBuffer {
    FiloGpuSlot slot;
    char label[FILO_GPU_LABEL];
    FiloBufferUse use;
    size_t size;
    bool constant;
    bool of_ring;     // its memory is handed out for writing; of the library's own rings
    void *memory;     // of a ring: where to write. On the null device: the bytes
    void *copy;       // null device, of a ring: the bytes as they were when they were handed in
    uint64_t used_in; // null device, of a ring: the last frame, counted from 1
    uint32_t name;    // GL
} FiloGpuBuffer;

typedef struct FiloGpuTexture {
    FiloGpuSlot slot;
    char label[FILO_GPU_LABEL];
    FiloTextureFormat format;
    int width, height;
    int layers; // 0: not an array
    int levels;
    bool has_mipmaps; // they have been made
    bool linear, repeat, target;
    size_t bytes;
    void *memory; // null device: layer after layer, without mipmaps
    uint32_t name;
} FiloGpuTexture;

typedef struct FiloGpuTarget {
    FiloGpuSlot slot;
    char label[FILO_GPU_LABEL];
    FiloTexture color, depth;
    int layer, width, height;
    uint32_t name;
} FiloGpuTarget;

typedef struct FiloGpuUniform {
    FiloUniformInfo info;
    int32_t location;
    int unit;     // of a texture: the first of info.count
    size_t value; // where its values start, in floats
} FiloGpuUniform;
typedef FiloArray(FiloGpuUniform) FiloGpuUniforms;

// What compiling and linking gives.
typedef struct FiloGpuProgram {
    FiloGpuUniforms uniforms; // in the order of their names
    FiloArray(float) values;  // as last set, or 0
    FiloTexture textures[FILO_GPU_SAMPLERS];
    int texture_count;
    uint32_t name;
    int32_t flip_location; // GL 3.3: of the uniform that turns pictures over; -1
    float flip;            // its value
} FiloGpuProgram;

typedef struct FiloGpuPipeline {
    FiloGpuSlot slot;
    char label[FILO_GPU_LABEL];
    FiloPipelineDesc desc;         // without the texts
    size_t ends[FILO_GPU_BUFFERS]; // bytes of a vertex that are read; 0: the buffer is not used
    FiloGpuProgram program;
    uint32_t vertex_array;
} FiloGpuPipeline;

typedef struct FiloGpuTimerData {
    FiloGpuSlot slot;
    char label[FILO_GPU_LABEL];
    bool running;
    bool counts; // this measurement has a pair of queries
    uint32_t names[FILO_GPU_QUERIES][2];
    uint32_t first, waiting; // a queue of pairs that were asked for
    double ms;
} FiloGpuTimerData;

// ---- Rings --------------------------------------------------------------------------------------------

typedef struct FiloGpuRingPart {
    FiloBuffer buffer;
    size_t used;
    uint64_t frame; // in which it was used
    bool in_flight; // since then, as far as we know
} FiloGpuRingPart;

typedef struct FiloGpuStaging {
    void *memory;
    size_t size;
} FiloGpuStaging;

#define FILO_GPU_RING_PARTS 8

struct FiloGpuRing {
    FiloGpuRing *next;
    char label[FILO_GPU_LABEL];
    FiloBufferUse use;
    FiloGpuRingPart parts[FILO_GPU_RING_PARTS];
    int part_count, current;
    bool open;                         // the current part has been taken from in this frame
    size_t size;                       // that a part should have
    size_t wanted;                     // bytes asked for in this frame
    uint32_t not_done;                 // pieces that were taken and not handed in
    FiloArray(FiloGpuStaging) staging; // handed out
    FiloArray(FiloBuffer) overflow;    // what staging was copied to, until the frame ends
};

// ---- The pass -----------------------------------------------------------------------------------------

#define FILO_GPU_STORAGE_SLOTS 4

typedef struct FiloGpuBinding {
    FiloBuffer buffer;
    size_t offset, size;
    bool set;
} FiloGpuBinding;

typedef struct FiloGpuArea {
    int x, y, width, height;
} FiloGpuArea;

// From filo_gpu_begin_pass to filo_gpu_end_pass.
typedef struct FiloGpuPassState {
    bool active;
    FiloRenderTarget target;
    int width, height;
    FiloPipeline pipeline;
    FiloGpuBinding vertices[FILO_GPU_BUFFERS], storage[FILO_GPU_STORAGE_SLOTS];
    FiloBuffer indices;
    uint32_t textures[FILO_GPU_SAMPLERS]; // that the last draw used, by handle
} FiloGpuPassState;

// A draw whose objects have all been looked up.
typedef struct FiloGpuDraw {
    FiloGpuPipeline *pipeline;
    FiloGpuTexture *textures[FILO_GPU_SAMPLERS]; // NULL: none was set
    FiloGpuBuffer *vertices[FILO_GPU_BUFFERS];   // NULL: not used
    size_t offsets[FILO_GPU_BUFFERS];
    FiloGpuBuffer *storage[FILO_GPU_STORAGE_SLOTS];
    FiloGpuBuffer *indices; // NULL: not indexed
    int first, count, base_vertex, instances;
} FiloGpuDraw;

// ---- Backends -----------------------------------------------------------------------------------------

// The functions of a backend. Those that return FiloResult leave nothing behind when they fail. All of them
// must be there.
typedef struct FiloGpuBackend {
    void (*close)(FiloGpu *gpu);
    // Reports, with the name of what was called, errors that the driver has noted. Only if `debug`.
    void (*check)(FiloGpu *gpu, const char *call);

    FiloResult (*buffer_create)(FiloGpu *gpu, FiloGpuBuffer *buffer, const void *data);
    void (*buffer_write)(FiloGpu *gpu, FiloGpuBuffer *buffer, size_t offset, const void *data, size_t size);
    void (*buffer_destroy)(FiloGpu *gpu, FiloGpuBuffer *buffer);
    // Of rings. A part is used again; a piece is handed out; its bytes are final; the card has done with the
    // part, and the first `used` bytes of it can be looked at.
    void (*ring_open)(FiloGpu *gpu, FiloGpuBuffer *buffer);
    void (*ring_take)(FiloGpu *gpu, FiloGpuBuffer *buffer, size_t offset, size_t size);
    void (*ring_done)(FiloGpu *gpu, FiloGpuBuffer *buffer, size_t offset, size_t size);
    void (*ring_verify)(FiloGpu *gpu, FiloGpuRing *ring, FiloGpuRingPart *part, FiloGpuBuffer *buffer);

    FiloResult (*texture_create)(FiloGpu *gpu, FiloGpuTexture *texture);
    void (*texture_write)(FiloGpu *gpu, FiloGpuTexture *texture, int layer, FiloGpuArea area,
                          const void *data, int stride);
    FiloResult (*texture_grow)(FiloGpu *gpu, FiloGpuTexture *texture, int layers);
    void (*texture_make_mipmaps)(FiloGpu *gpu, FiloGpuTexture *texture);
    void (*texture_destroy)(FiloGpu *gpu, FiloGpuTexture *texture);

    FiloResult (*target_create)(FiloGpu *gpu, FiloGpuTarget *target);
    void (*target_attach)(FiloGpu *gpu, FiloGpuTarget *target); // again: a texture of it has grown
    void (*target_destroy)(FiloGpu *gpu, FiloGpuTarget *target);
    FiloResult (*read)(FiloGpu *gpu, const FiloGpuTarget *target, int x, int y, const FiloPixels *into);

    // Compiles, and fills `program` but for values and textures. `pipeline` has the label.
    FiloResult (*program_create)(FiloGpu *gpu, const FiloGpuPipeline *pipeline, FiloGpuProgram *program,
                                 const char *vertex, const char *fragment);
    void (*program_destroy)(FiloGpu *gpu, FiloGpuProgram *program);
    FiloResult (*pipeline_create)(FiloGpu *gpu, FiloGpuPipeline *pipeline); // what is not the program
    void (*pipeline_destroy)(FiloGpu *gpu, FiloGpuPipeline *pipeline);
    // `value` are the floats (of an INT: the bits of an int) of one element.
    void (*uniform_set)(FiloGpu *gpu, FiloGpuPipeline *pipeline, const FiloGpuUniform *uniform, int element,
                        const float *value);
    void (*texture_set)(FiloGpu *gpu, const FiloGpuUniform *uniform, const FiloGpuTexture *texture);

    void (*begin_pass)(FiloGpu *gpu, const FiloGpuTarget *target, const FiloGpuPass *pass);
    void (*end_pass)(FiloGpu *gpu);
    void (*set_viewport)(FiloGpu *gpu, FiloGpuArea area);
    void (*set_scissor)(FiloGpu *gpu, FiloGpuArea area); // width 0: none
    void (*use)(FiloGpu *gpu, FiloGpuPipeline *pipeline);
    void (*set_vertices)(FiloGpu *gpu, int slot, const FiloGpuBuffer *buffer, size_t offset);
    void (*set_indices)(FiloGpu *gpu, const FiloGpuBuffer *buffer);
    void (*set_storage)(FiloGpu *gpu, int slot, const FiloGpuBuffer *buffer, size_t offset, size_t size);
    void (*draw)(FiloGpu *gpu, const FiloGpuDraw *draw);

    // The frame that now ends. Its fence is put into the place frame % FILO_GPU_FENCES.
    void (*end_frame)(FiloGpu *gpu, uint64_t frame);
    // Whether the card has done with the frame; waits for that if asked to.
    bool (*frame_done)(FiloGpu *gpu, uint64_t frame, bool wait);
    void (*finish)(FiloGpu *gpu);

    FiloResult (*timer_create)(FiloGpu *gpu, FiloGpuTimerData *timer);
    void (*timer_mark)(FiloGpu *gpu, FiloGpuTimerData *timer, uint32_t pair, int end); // end: 0 or 1
    // True, and the time, if the card has come past both marks of the pair.
    bool (*timer_read)(FiloGpu *gpu, FiloGpuTimerData *timer, uint32_t pair, double *ms);
    void (*timer_destroy)(FiloGpu *gpu, FiloGpuTimerData *timer);
    void (*push_label)(FiloGpu *gpu, const char *label);
    void (*pop_label)(FiloGpu *gpu);
} FiloGpuBackend;

// What GL is set to, as far as we know; forgotten at the start of each pass, since others use it too.
typedef struct FiloGpuGlState {
    uint32_t program, vertex_array;
    uint32_t textures[FILO_GPU_SAMPLERS];
    bool known; // of what follows
    FiloBlend blend;
    bool depth_test, depth_write, cull_back;
    bool turned; // draws to a target, whose first row is the upper one
    bool vertices_changed, indices_changed;
    bool has_debug;  // KHR_debug is there
    bool pass_label; // the pass has one, to be taken back
    void *fences[FILO_GPU_FENCES];
} FiloGpuGlState;

typedef struct FiloGpuNull FiloGpuNull;

struct FiloGpu {
    const FiloGpuBackend *backend;
    const FiloAllocator *allocator;
    bool debug;
    FiloGpuLimits limits;
    FiloGpuStats stats, last_stats;
    FiloGpuPool buffers, textures, targets, pipelines, timers;
    FiloGpuRing *rings;
    FiloGpuPassState pass;
    int window_width, window_height; // of the last pass
    int label_depth;
    uint64_t frame;     // that is being drawn, from 0
    uint64_t completed; // frames below this one are done, as far as we know
    FiloGpuGlState gl;
    FiloGpuNull *null; // of the null device
};

extern const FiloGpuBackend filo_gpu_backend_gl45, filo_gpu_backend_gl33, filo_gpu_backend_null;

// Fill in limits and what else the backend needs. gpu->backend is set before.
FiloResult filo_gpu_open_gl(FiloGpu *gpu, FiloGpuKind kind);
FiloResult filo_gpu_open_null(FiloGpu *gpu);

// ---- Shared by the files of the device ---------------------------------------------------------------

// The first check of every function.
#define FILO_GPU_MISSING    "pass the device that filo_gpu_create made"
#define FILO_GPU_CHECK(gpu) FILO_CHECK((gpu) != NULL, FILO_GPU_MISSING)

// After a call of the backend.
#define FILO_GPU_AFTER(gpu, call)                                                                            \
    do {                                                                                                     \
        if ((gpu)->debug) (gpu)->backend->check((gpu), (call));                                              \
    } while (0)

static inline FiloGpuBuffer *filo_gpu_buffer_at(const FiloGpu *gpu, FiloBuffer buffer) {
    return (FiloGpuBuffer *)filo_gpu_pool_get(&gpu->buffers, buffer.id);
}
static inline FiloGpuTexture *filo_gpu_texture_at(const FiloGpu *gpu, FiloTexture texture) {
    return (FiloGpuTexture *)filo_gpu_pool_get(&gpu->textures, texture.id);
}
static inline FiloGpuTarget *filo_gpu_target_at(const FiloGpu *gpu, FiloRenderTarget target) {
    return (FiloGpuTarget *)filo_gpu_pool_get(&gpu->targets, target.id);
}
static inline FiloGpuPipeline *filo_gpu_pipeline_at(const FiloGpu *gpu, FiloPipeline pipeline) {
    return (FiloGpuPipeline *)filo_gpu_pool_get(&gpu->pipelines, pipeline.id);
}

void filo_gpu_copy_label(char *label, const char *text, const char *otherwise);

// Buffers, without the caller's checks.
FiloResult filo_gpu_buffer_add(FiloBuffer *buffer, FiloGpu *gpu, const FiloBufferDesc *desc, bool of_ring);
void filo_gpu_buffer_drop(FiloGpu *gpu, FiloBuffer buffer);

// Rings at the end of a frame, and when the card has done with some.
void filo_gpu_rings_end_frame(FiloGpu *gpu);
void filo_gpu_rings_complete(FiloGpu *gpu);

// Notes that all frames below `count` are done.
void filo_gpu_complete(FiloGpu *gpu, uint64_t count);
// Waits for the frame.
void filo_gpu_wait_frame(FiloGpu *gpu, uint64_t frame);

void filo_gpu_pipeline_free(FiloGpu *gpu, FiloGpuPipeline *pipeline);
void filo_gpu_timers_read(FiloGpu *gpu);

size_t filo_gpu_pixel_size(FiloTextureFormat format);
// "float", "vec2", …, as GLSL calls it.
const char *filo_gpu_uniform_type_name(FiloUniformType type);
static inline bool filo_gpu_is_texture(FiloUniformType type) {
    return type == FILO_UNIFORM_TEXTURE || type == FILO_UNIFORM_TEXTURE_ARRAY;
}
// Floats of one element; 0 of a texture and of other things.
int filo_gpu_uniform_floats(FiloUniformType type);

#endif
