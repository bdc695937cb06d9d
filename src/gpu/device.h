// The private parts of the device: its objects, and the table of functions that a backend provides.
//
// The files with the public functions (device.c, buffer.c, ring.c, texture.c, target.c, pipeline.c, uniform.c, pass.c,
// draw.c, compute.c, timer.c) check the arguments, manage handles, the state of the pass and statistics, and then call
// the backend: gl/gl45.c, gl/gl33.c or null.c. So a backend sees only objects that exist and values that are in range.

#ifndef FILO_GPU_DEVICE_H
#define FILO_GPU_DEVICE_H

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/gpu.h>
#include <filo/log.h>

#include "gpu/pool.h"

#define GPU_LABEL           48
#define GPU_SAMPLERS        16    // texture units that a pipeline may use
#define GPU_UNIFORMS        1024  // of a program
#define GPU_UNIFORM_NUMBERS 65536 // in all of them
#define GPU_FENCES          16    // frames that may be in flight
#define GPU_QUERIES         4     // measurements of one timer that may be pending

// ---- Objects ------------------------------------------------------------------------------------------

typedef struct GpuBuffer {
    GpuSlot slot;
    char label[GPU_LABEL];
    FiloBufferUse use;
    size_t size;
    bool constant;
    bool of_ring;  // a part of a ring
    bool borrowed; // made by another library, which deletes it
    void *
        memory; // part of a ring: the memory that pieces are in. Readback buffer: what the program reads. Null
                // device: the bytes
    void *copy; // null device. Part of a ring: a copy of each piece, made by ring_done. Readback buffer: the
                // bytes that the simulated GPU has
    uint64_t used_in;                        // null device, part of a ring: the last frame that used it, + 1
    uint32_t name;                           // GL
    uint32_t texels[FILO_GPU_TEXEL_FORMATS]; // GL: textures of its texels; 0 until used
} GpuBuffer;

typedef struct GpuTexture {
    GpuSlot slot;
    char label[GPU_LABEL];
    FiloTextureFormat format;
    int width, height;
    int layers; // 0: not an array
    int levels;
    int top_level; // the last level that is used: generated, or written
    bool linear, target, compare;
    FiloWrap wrap_u, wrap_v;
    float anisotropy; // 1: none
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
    size_t value; // offset of its first value in GpuProgram.values
} GpuUniform;
typedef FiloArray(GpuUniform) GpuUniforms;

// What a texture unit of a program reads.
typedef struct GpuUnit {
    bool texels;         // of `buffer`; otherwise `texture`
    FiloTexture texture; // {0}: not set
    FiloBuffer buffer;   // {0}: not set
    FiloTexelFormat format;
} GpuUnit;

// Compiled and linked shaders.
typedef struct GpuProgram {
    GpuUniforms uniforms;    // sorted by name
    FiloArray(float) values; // as last set; bytes 0xFF until then
    GpuUnit units[GPU_SAMPLERS];
    int unit_count;
    uint32_t storage;               // a bit for each storage slot that the shaders use
    size_t blocks[FILO_GPU_BLOCKS]; // bytes of each uniform block; 0: the shaders do not have it
    uint32_t name;
    int32_t flip_location; // GL 3.3: location of the uniform that flips y; otherwise -1
    float flip;            // the value of that uniform
} GpuProgram;

typedef struct GpuPipeline {
    GpuSlot slot;
    char label[GPU_LABEL];
    bool compute;
    FiloPipelineDesc desc;                   // without label, texts and names
    char blocks[FILO_GPU_BLOCKS][GPU_LABEL]; // names; "": none
    size_t ends[FILO_GPU_BUFFERS];           // end of the last attribute of a vertex, in bytes; 0: not used
    GpuProgram program;
    uint32_t vertex_array;
} GpuPipeline;

// The texts of a program: a compute shader, or the other two.
typedef struct GpuShaders {
    const char *vertex, *fragment, *compute;
} GpuShaders;

typedef struct GpuFence {
    GpuSlot slot;
    char label[GPU_LABEL];
    bool signalled;          // found to be
    void *sync;              // GL; NULL once signalled
    uint64_t frame, command; // null device: the frame, and the its number
    int asked;               // null device: how often, while it was not signalled
} GpuFence;

typedef struct GpuTimer {
    GpuSlot slot;
    char label[GPU_LABEL];
    bool running;
    bool recording; // the current measurement has a pair of queries
    uint32_t names[GPU_QUERIES][2];
    uint32_t first, pending; // queue of pairs whose result has not been read
    double ms;
} GpuTimer;

// ---- Rings --------------------------------------------------------------------------------------------

typedef struct GpuRingPart {
    FiloBuffer buffer;
    size_t used;
    uint64_t frame; // that used it last
    bool in_flight; // that frame has ended and has not completed
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
    bool open;                      // a piece of the current part has been taken in this frame
    size_t size;                    // bytes of a part that is opened from now on
    size_t requested;               // bytes taken in this frame
    uint32_t open_pieces;           // taken in this frame, and ring_done has not been called for them
    FiloArray(GpuStaging) staging;  // memory of open pieces that did not fit into the part
    FiloArray(FiloBuffer) overflow; // copies of staging memory on the GPU, until the frame ends
};

// ---- The pass -----------------------------------------------------------------------------------------

typedef struct GpuBinding {
    FiloBuffer buffer; // {0}: not set
    size_t offset, size;
} GpuBinding;

typedef struct GpuArea {
    int x, y, width, height;
} GpuArea;

// From filo_gpu_begin_pass to filo_gpu_end_pass.
typedef struct GpuPassState {
    bool active;
    bool compute;
    FiloRenderTarget target;
    int width, height;
    FiloPipeline pipeline;
    GpuBinding vertices[FILO_GPU_BUFFERS];
    GpuBinding storage[FILO_GPU_STORAGE_SLOTS];
    GpuBinding blocks[FILO_GPU_BLOCKS];
    FiloBuffer indices;              // {0}: not set
    uint32_t textures[GPU_SAMPLERS]; // handles that the last draw or dispatch used
} GpuPassState;

// A unit with its handle resolved: a texture, or the texels of a buffer.
typedef struct GpuSampler {
    const GpuTexture *texture; // NULL: texels
    const GpuBuffer *buffer;
    FiloTexelFormat format;
} GpuSampler;

// A draw with all its handles resolved.
typedef struct GpuDraw {
    GpuPipeline *pipeline;
    GpuSampler samplers[GPU_SAMPLERS];     // of the units that the program uses
    GpuBuffer *vertices[FILO_GPU_BUFFERS]; // NULL: not used
    size_t offsets[FILO_GPU_BUFFERS];
    GpuBuffer *indices; // NULL: not indexed
    int first, count, base_vertex, first_instance, instances;
} GpuDraw;

// A dispatch with all its handles resolved.
typedef struct GpuDispatch {
    GpuPipeline *pipeline;
    GpuSampler samplers[GPU_SAMPLERS];
    int groups[3];
    const GpuBuffer *indirect; // NULL: `groups` are used
    size_t offset;             // in `indirect`
} GpuDispatch;

// ---- Backends -----------------------------------------------------------------------------------------

// The functions of a backend. Those that return FiloResult leave nothing behind when they fail. Those marked
// "optional" may be NULL.
typedef struct GpuBackend {
    void (*close)(FiloGpu *gpu);
    // Optional. Logs the driver's errors, with the name of the public function that was called. Only if `debug`.
    void (*check)(FiloGpu *gpu, const char *call);

    FiloResult (*buffer_create)(FiloGpu *gpu, GpuBuffer *buffer, const void *data);
    // Optional. Makes `buffer` stand for an existing buffer, and sets its size if that is 0.
    FiloResult (*buffer_borrow)(FiloGpu *gpu, GpuBuffer *buffer, uint64_t native);
    void (*buffer_write)(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, const void *data, size_t size);
    void (*buffer_copy)(FiloGpu *gpu, GpuBuffer *to, size_t to_offset, const GpuBuffer *from,
                        size_t from_offset, size_t size);
    void (*buffer_read)(FiloGpu *gpu, const GpuBuffer *buffer, size_t offset, void *into, size_t size);
    void (*buffer_destroy)(FiloGpu *gpu, GpuBuffer *buffer);
    // Parts of rings; all four are optional.
    // ring_open: the part is used for this frame. ring_take: a piece is taken. ring_done: its bytes are final.
    // ring_verify: the GPU has finished with the part, and its first `used` bytes can be checked.
    void (*ring_open)(FiloGpu *gpu, GpuBuffer *buffer);
    void (*ring_take)(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, size_t size);
    void (*ring_done)(FiloGpu *gpu, GpuBuffer *buffer, size_t offset, size_t size);
    void (*ring_verify)(const FiloGpuRing *ring, const GpuRingPart *part, GpuBuffer *buffer);

    FiloResult (*texture_create)(FiloGpu *gpu, GpuTexture *texture);
    // A level above texture->top_level is used from now on, and all levels below it.
    void (*texture_write)(FiloGpu *gpu, GpuTexture *texture, int level, int layer, GpuArea area,
                          const void *data, int stride);
    FiloResult (*texture_grow)(FiloGpu *gpu, GpuTexture *texture, int layers);
    void (*texture_make_mipmaps)(FiloGpu *gpu, GpuTexture *texture);
    void (*texture_destroy)(FiloGpu *gpu, GpuTexture *texture);

    FiloResult (*target_create)(FiloGpu *gpu, GpuTarget *target);
    // Optional. A texture of the target has been replaced.
    void (*target_attach)(FiloGpu *gpu, GpuTarget *target);
    void (*target_destroy)(FiloGpu *gpu, GpuTarget *target);
    FiloResult (*read)(FiloGpu *gpu, const GpuTarget *target, int x, int y, const FiloPixels *into);

    // Compiles, fills in the uniforms of `program`, and calls gpu_program_layout. `pipeline` has the label.
    FiloResult (*program_create)(FiloGpu *gpu, const GpuPipeline *pipeline, GpuProgram *program,
                                 const GpuShaders *shaders);
    void (*program_destroy)(FiloGpu *gpu, GpuProgram *program); // optional
    FiloResult (*pipeline_create)(FiloGpu *gpu,
                                  GpuPipeline *pipeline); // everything but the program; for drawing
    void (*pipeline_destroy)(FiloGpu *gpu, GpuPipeline *pipeline);
    // `value` has the floats of one element; of an integer type, the bits of its ints.
    void (*uniform_set)(FiloGpu *gpu, GpuPipeline *pipeline, const GpuUniform *uniform, int element,
                        const float *value);
    void (*texture_set)(FiloGpu *gpu, const GpuUniform *uniform, const GpuTexture *texture); // optional
    FiloResult (*texels_set)(FiloGpu *gpu, const GpuUniform *uniform, GpuBuffer *buffer,
                             FiloTexelFormat format);

    void (*begin_pass)(FiloGpu *gpu, const GpuTarget *target, const FiloGpuPass *pass);
    void (*end_pass)(FiloGpu *gpu);
    void (*set_viewport)(FiloGpu *gpu, GpuArea area);
    void (*set_scissor)(FiloGpu *gpu, GpuArea area); // width 0: none
    void (*use)(FiloGpu *gpu, GpuPipeline *pipeline);
    void (*set_vertices)(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset);
    void (*set_indices)(FiloGpu *gpu, const GpuBuffer *buffer);
    // NULL where limits.storage is false.
    void (*set_storage)(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset, size_t size);
    void (*set_block)(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset, size_t size);
    void (*draw)(FiloGpu *gpu, const GpuDraw *draw);
    // Indexed draws; `draw` has all but their numbers. Returns how many draws of the driver it took.
    uint32_t (*draw_list)(FiloGpu *gpu, GpuDraw *draw, const FiloDrawCommand *commands, size_t count);

    // NULL where limits.compute is false.
    void (*begin_compute)(FiloGpu *gpu, const FiloGpuPass *pass);
    void (*end_compute)(FiloGpu *gpu);
    void (*dispatch)(FiloGpu *gpu, const GpuDispatch *dispatch);
    void (*barrier)(FiloGpu *gpu, uint32_t barriers); // NULL where limits.storage is false

    FiloResult (*fence_create)(FiloGpu *gpu, GpuFence *fence);
    // Whether the fence is signalled. Waits for up to `timeout_ns`; negative: for ever. Not called any more once true.
    bool (*fence_wait)(FiloGpu *gpu, GpuFence *fence, int64_t timeout_ns);
    void (*fence_destroy)(FiloGpu *gpu, GpuFence *fence);

    // `frame` ends now: creates its fence. At most GPU_FENCES frames are in flight.
    void (*end_frame)(FiloGpu *gpu, uint64_t frame);
    // Whether the GPU has finished with the frame. If `wait`, waits until it has.
    bool (*frame_done)(FiloGpu *gpu, uint64_t frame, bool wait);
    void (*finish)(FiloGpu *gpu);

    FiloResult (*timer_create)(FiloGpu *gpu, GpuTimer *timer);
    void (*timer_mark)(FiloGpu *gpu, GpuTimer *timer, uint32_t pair, int end); // end: 0 or 1
    // False if the GPU has not written both time stamps of the pair yet.
    bool (*timer_read)(FiloGpu *gpu, GpuTimer *timer, uint32_t pair, double *ms);
    void (*timer_destroy)(FiloGpu *gpu, GpuTimer *timer);
    void (*push_label)(FiloGpu *gpu, const char *label);
    void (*pop_label)(FiloGpu *gpu);
} GpuBackend;

// The state of a pipeline that is not in objects.
typedef struct GpuGlFixed {
    FiloBlend blend;
    bool depth_test, depth_equal, depth_write;
    bool cull_back, cull_front, mirrored;
    bool no_color, wireframe;
    float depth_bias, depth_slope_bias;
} GpuGlFixed;

// A cache of the state of the GL context, to avoid setting it twice. Reset at the start of each pass, because other
// libraries use the context too.
typedef struct GpuGlState {
    uint32_t program, vertex_array;
    uint32_t textures[GPU_SAMPLERS];
    bool valid;       // `fixed` is
    GpuGlFixed fixed; // set by the last draw
    bool flipped;     // the pass draws to a target, whose first row is the upper one
    bool clockwise;   // and there is no clip control, so that triangles are turned over
    bool vertices_changed, indices_changed;
    uint32_t first_instance;  // GL 3.3: that the attributes begin with
    bool has_debug;           // KHR_debug is available
    bool pass_label;          // the pass has pushed a label
    void *fences[GPU_FENCES]; // of frame n at n % GPU_FENCES
} GpuGlState;

typedef struct GpuNull GpuNull;

struct FiloGpu {
    const GpuBackend *backend;
    const FiloAllocator *allocator;
    bool debug;
    uint32_t thread; // filo_thread_id of the one that created it
    FiloGpuLimits limits;
    FiloGpuStats stats, last_stats;
    GpuPool buffers, textures, targets, pipelines, fences, timers;
    FiloGpuRing *rings;
    GpuPassState pass;
    int window_width, window_height; // of the last pass
    int label_depth;
    uint64_t frame;     // that is being drawn, from 0
    uint64_t completed; // the GPU has finished with all frames below this one
    GpuGlState gl;
    FiloGpuRing *commands; // OpenGL 4.5: those of filo_gpu_draw_indexed_list; NULL until used
    GpuNull *null;         // of the null device
};

extern const GpuBackend gpu_backend_gl45, gpu_backend_gl33, gpu_backend_null;

// Set gpu->backend, gpu->limits and the state of the backend.
FiloResult gpu_open_gl(FiloGpu *gpu, FiloGpuKind kind);
FiloResult gpu_open_null(FiloGpu *gpu);

// ---- Shared by the files of the device ---------------------------------------------------------------

// The first check of every function.
#define GPU_NO_DEVICE  "pass the device that filo_gpu_create made"
#define GPU_CHECK(gpu) FILO_CHECK(gpu_mistake(gpu) == NULL, "%s", gpu_mistake(gpu))
// What is wrong with a call: there is no device, or it belongs to another thread. NULL if nothing is.
const char *gpu_mistake(const FiloGpu *gpu);

// The last line of most functions.
#define GPU_REPORT_ERRORS(gpu, call)                                                                         \
    do {                                                                                                     \
        if ((gpu)->debug && (gpu)->backend->check != NULL) (gpu)->backend->check((gpu), (call));             \
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

// Whether a pass is active, of any kind. `function` is the name of the caller.
bool gpu_in_pass(const FiloGpu *gpu, const char *function);
// Whether a pass that draws is active.
bool gpu_in_draw_pass(const FiloGpu *gpu, const char *function);
// Resolves the units of the pipeline, and checks that they are set and not drawn to. `action` is "draw" or "dispatch".
bool gpu_find_samplers(FiloGpu *gpu, const GpuPipeline *pipeline, GpuSampler samplers[GPU_SAMPLERS],
                       const char *action);
// Checks the storage buffers that are set: all that the pipeline uses are, and none was destroyed.
bool gpu_check_storage(const FiloGpu *gpu, const GpuPipeline *pipeline, const char *action);
// Checks the uniform blocks that the pipeline uses: they are set, large enough, and not destroyed.
bool gpu_check_blocks(const FiloGpu *gpu, const GpuPipeline *pipeline, const char *action);

void gpu_copy_label(char *label, const char *text, const char *default_text);

// filo_gpu_buffer_create and _destroy without checks.
FiloResult gpu_buffer_create(FiloBuffer *buffer, FiloGpu *gpu, const FiloBufferDesc *desc, bool of_ring);
void gpu_buffer_destroy(FiloGpu *gpu, FiloBuffer buffer);

void gpu_rings_end_frame(FiloGpu *gpu);
void gpu_rings_complete(FiloGpu *gpu); // after a change of gpu->completed

// All frames below `count` are complete.
void gpu_set_completed(FiloGpu *gpu, uint64_t count);
// Waits until the frame is complete.
void gpu_wait_frame(FiloGpu *gpu, uint64_t frame);

// Sorts the uniforms by name, assigns texture units, and allocates their values. The backend calls it once the uniforms
// are filled in.
FiloResult gpu_program_layout(FiloGpu *gpu, GpuProgram *program, const char *label);
void gpu_pipeline_free(FiloGpu *gpu, GpuPipeline *pipeline);
void gpu_timers_read(FiloGpu *gpu);

static inline size_t gpu_texel_size(FiloTexelFormat format) {
    return format == FILO_TEXELS_RGBA32UI ? 16 : (size_t)1 << format;
}
size_t gpu_pixel_size(FiloTextureFormat format);
static inline bool gpu_is_depth(FiloTextureFormat format) {
    return format == FILO_TEXTURE_DEPTH24 || format == FILO_TEXTURE_DEPTH32F;
}
static inline bool gpu_uniform_is_texture(FiloUniformType type) {
    return type == FILO_UNIFORM_TEXTURE || type == FILO_UNIFORM_TEXTURE_ARRAY ||
           type == FILO_UNIFORM_TEXTURE_SHADOW || type == FILO_UNIFORM_TEXTURE_ARRAY_SHADOW ||
           type == FILO_UNIFORM_TEXELS;
}
// Floats of one element; 0 for textures and FILO_UNIFORM_OTHER.
int gpu_uniform_floats(FiloUniformType type);

#endif
