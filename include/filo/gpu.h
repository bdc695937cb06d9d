// filo/gpu.h: the graphics card, thinly: buffers, textures, pipelines, passes.
//
//     FiloGpu *gpu;
//     FiloResult r = filo_gpu_create(&gpu, NULL);
//     FiloPipeline pipeline;
//     r = filo_gpu_pipeline_create(&pipeline, gpu, &(FiloPipelineDesc){
//         .label = "triangle", .vertex = vertex_source, .fragment = fragment_source });
//     …
//     filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .clear = true, .color = { 0.1f, 0.1f, 0.2f, 1 } });
//     filo_gpu_use(gpu, pipeline);
//     filo_gpu_set_vec2(gpu, "offset", filo_vec2(0.5f, 0));
//     filo_gpu_draw(gpu, 0, 3, 1);
//     filo_gpu_end_pass(gpu);
//     filo_gpu_end_frame(gpu);
//
// The device is OpenGL 4.5 core, or 3.3 core where there is no more: what differs is in FiloGpuLimits, and
// the functions below do the same on both. Or it is the null device, which draws nothing, keeps the bytes of
// buffers and textures in memory and a list of all calls: for tests, and for servers. Nothing here names a
// thing of OpenGL, so that another device can follow.
//
// All functions are called by one thread, the one whose GL context it is (main), except writing into memory
// that filo_gpu_ring_take handed out: that may be done by any thread until filo_gpu_ring_done.
//
// Which way is up: pixels are counted from the upper left corner, in viewports, scissors, textures and when
// reading, and texture coordinate (0, 0) is the upper left corner too. In clip space, which a vertex shader
// writes, (-1, +1) is the upper left corner, and triangles that go counter-clockwise there show their front.
// All that holds for the window and for render targets alike, so one shader serves both, and what was drawn
// to a target is upright when it is drawn as an image. Only gl_FragCoord.y and dFdy differ between the two:
// leave them alone. Depth goes from -1, near, to +1.
//
// Objects are handles: {0} is none, which may be destroyed to no effect, and one that was destroyed is
// recognised. Labels and names are copied; NULL will do. What a device or a driver can refuse (a shader that
// does not compile, memory of the card) returns a FiloResult; then nothing was created, and the handle is {0}.
// A mistake of the program (a stale handle, a uniform of another type than the shader's) is reported by
// FILO_CHECK, or by FILO_MISTAKE where there is a result.

#ifndef FILO_GPU_H
#define FILO_GPU_H

#include <filo/matrix.h>
#include <filo/memory.h>
#include <filo/pixels.h>
#include <filo/types.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

typedef struct FiloGpu FiloGpu;
typedef struct FiloBuffer {
    uint32_t id;
} FiloBuffer;
typedef struct FiloTexture {
    uint32_t id;
} FiloTexture;
typedef struct FiloRenderTarget {
    uint32_t id;
} FiloRenderTarget;
typedef struct FiloPipeline {
    uint32_t id;
} FiloPipeline;
typedef struct FiloGpuTimer {
    uint32_t id;
} FiloGpuTimer;

// ---- The device -----------------------------------------------------------------------------------------

typedef enum FiloGpuKind {
    FILO_GPU_BEST, // the highest version of GL that the current context has
    FILO_GPU_GL45,
    FILO_GPU_GL33, // also on a context of a higher version, to test it
    FILO_GPU_NULL, // draws nothing
} FiloGpuKind;

// A GL context must be current on the calling thread, now and whenever the device is used; whose it is does
// not matter. Not for the null device.
typedef struct FiloGpuDesc {
    FiloGpuKind kind;
    bool debug; // ask the driver for messages, and for errors after each call; they go to the log. Slow
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloGpuDesc;

// FILO_ERROR_UNSUPPORTED if no context is current, or with the version that was found, if that is below 3.3
// or not what was asked for. `desc` may be NULL.
//
// Where the driver draws on the CPU (FiloGpuLimits.software), glibc's malloc is told to keep what is freed
// (mallopt), since such drivers free and allocate large blocks in every frame.
FiloResult filo_gpu_create(FiloGpu **gpu, const FiloGpuDesc *desc);
// Destroys all that was made with it. NULL is allowed.
void filo_gpu_destroy(FiloGpu *gpu);

typedef struct FiloGpuLimits {
    FiloGpuKind kind;     // GL45, GL33 or NULL
    char name[128];       // what the driver calls itself: "llvmpipe (LLVM 15.0.6, 256 bits)"
    bool software;        // drawn by the CPU: llvmpipe and its like
    bool persistent_maps; // rings are mapped for good; otherwise they are copied once more
    bool compute;
    bool storage;                     // FILO_BUFFER_STORAGE and filo_gpu_set_storage
    int texture_size, texture_layers; // at most
    int picture_size;                 // width and height of what can be drawn to, at most
} FiloGpuLimits;
const FiloGpuLimits *filo_gpu_limits(const FiloGpu *gpu);

typedef struct FiloGpuStats { // of one frame, which ends with filo_gpu_end_frame
    uint32_t draws, passes, pipeline_changes, texture_changes;
    uint64_t uploaded; // bytes
    uint64_t vertices;
    size_t buffer_memory, texture_memory; // bytes now
} FiloGpuStats;
FiloGpuStats filo_gpu_stats(const FiloGpu *gpu);     // of the last whole frame
FiloGpuStats filo_gpu_stats_now(const FiloGpu *gpu); // of this one so far

// Marks the end of a frame: rings move on, timers are read. (Showing the picture is the window's business.)
void filo_gpu_end_frame(FiloGpu *gpu);
// Waits until everything that was asked for has been done.
void filo_gpu_finish(FiloGpu *gpu);

// ---- Buffers --------------------------------------------------------------------------------------------

typedef enum FiloBufferUse { FILO_BUFFER_VERTICES, FILO_BUFFER_INDICES, FILO_BUFFER_STORAGE } FiloBufferUse;
typedef struct FiloBufferDesc {
    const char *label;
    FiloBufferUse use;
    size_t size;      // bytes
    const void *data; // NULL: to be written later; then it must not be constant
    bool constant;    // never written again
} FiloBufferDesc;
// FILO_ERROR_UNSUPPORTED for a storage buffer where the device has none; FILO_ERROR_MEMORY without memory on
// the card or for the handle.
FiloResult filo_gpu_buffer_create(FiloBuffer *buffer, FiloGpu *gpu, const FiloBufferDesc *desc);
void filo_gpu_buffer_write(FiloGpu *gpu, FiloBuffer buffer, size_t offset, const void *data, size_t size);
void filo_gpu_buffer_destroy(FiloGpu *gpu, FiloBuffer buffer);

// A ring: memory that is written anew every frame, while the card may still read that of the frames before.
// It has `frames` parts, one for each frame in which it is used, in turn; a part is handed out again only
// when a fence says that the card has done with it. With three parts that is the case long before.
typedef struct FiloRingDesc {
    const char *label;
    FiloBufferUse use;
    size_t size; // bytes of one frame; grows by itself, at the next frame, when more was asked for
    int frames;  // 1 to 8; 0: 3
} FiloRingDesc;
typedef struct FiloGpuRing FiloGpuRing;
// Fails as filo_gpu_buffer_create does; the ring is then NULL.
FiloResult filo_gpu_ring_create(FiloGpuRing **ring, FiloGpu *gpu, const FiloRingDesc *desc);
void filo_gpu_ring_destroy(FiloGpu *gpu, FiloGpuRing *ring);
// A piece of this frame's part, aligned to 256 bytes, for writing only. Where the part is full, memory from
// the heap is handed out that is copied when it is handed in ("staging"), and the ring grows for the next
// frame. False only without memory; the piece is then all zero.
typedef struct FiloRingPiece {
    void *memory;      // until filo_gpu_ring_done; NULL afterwards
    FiloBuffer buffer; // where it lies, after filo_gpu_ring_done and until the frame ends
    size_t offset, size;
    bool staged; // must be given to filo_gpu_ring_done, like all
} FiloRingPiece;
bool filo_gpu_ring_take(FiloGpu *gpu, FiloGpuRing *ring, size_t size, FiloRingPiece *piece);
// All writing into the piece has ended: now it may be drawn from, until the frame ends. Sets buffer and
// offset of a piece that was staged ({0} if there was no memory for it, which is logged). Once for each
// piece, before the frame ends, in any order.
void filo_gpu_ring_done(FiloGpu *gpu, FiloGpuRing *ring, FiloRingPiece *piece);

// ---- Textures -------------------------------------------------------------------------------------------

typedef enum FiloTextureFormat {
    FILO_TEXTURE_RGBA8, // premultiplied, as FiloColor
    FILO_TEXTURE_R8,
    FILO_TEXTURE_RGBA16F, // half floats
    FILO_TEXTURE_DEPTH24,
} FiloTextureFormat;
typedef struct FiloTextureDesc {
    const char *label;
    FiloTextureFormat format;
    int width, height;
    int layers;       // 0: a plain texture; otherwise an array
    bool mipmaps;     // room for them; used once filo_gpu_texture_make_mipmaps has filled them
    bool linear;      // filter between texels; otherwise the nearest
    bool repeat;      // beyond the edges; otherwise the edge goes on
    bool target;      // can be drawn to
    const void *data; // of layer 0, tightly packed; NULL: undefined
} FiloTextureDesc;
// FILO_ERROR_LIMIT for more pixels or layers than the device can do (FiloGpuLimits), FILO_ERROR_MEMORY without memory.
FiloResult filo_gpu_texture_create(FiloTexture *texture, FiloGpu *gpu, const FiloTextureDesc *desc);
bool filo_gpu_texture_valid(const FiloGpu *gpu, FiloTexture texture);
// Writes a part; `stride` is in pixels, 0: tightly packed.
void filo_gpu_texture_write(FiloGpu *gpu, FiloTexture texture, int layer, int x, int y, int width, int height,
                            const void *data, int stride);
// The same array with more layers, contents kept; handles stay, also those of targets that draw to it. Not
// inside of a pass. Fails as filo_gpu_texture_create does; the texture is then as it was.
FiloResult filo_gpu_texture_grow(FiloGpu *gpu, FiloTexture texture, int layers);
void filo_gpu_texture_make_mipmaps(FiloGpu *gpu, FiloTexture texture);
void filo_gpu_texture_destroy(FiloGpu *gpu, FiloTexture texture);

// Something to draw to instead of the window: textures of one size that were made with `target`, and that
// live as long as it is used. While a pass draws to a texture, it cannot be drawn from.
typedef struct FiloRenderTargetDesc {
    const char *label;
    FiloTexture color; // {0}: none
    int layer;         // of an array
    FiloTexture depth; // {0}: none
} FiloRenderTargetDesc;
FiloResult filo_gpu_target_create(FiloRenderTarget *target, FiloGpu *gpu, const FiloRenderTargetDesc *desc);
void filo_gpu_target_destroy(FiloGpu *gpu, FiloRenderTarget target);

// Reads what was drawn, as many pixels as `into` has, from (x, y) on. Target {0} is the window, as large as
// in the last pass that drew to it. Waits for the card.
FiloResult filo_gpu_read(FiloGpu *gpu, FiloRenderTarget target, int x, int y, const FiloPixels *into);

// ---- Pipelines ------------------------------------------------------------------------------------------

typedef enum FiloAttributeFormat {
    FILO_ATTRIBUTE_NONE,
    FILO_ATTRIBUTE_FLOAT,
    FILO_ATTRIBUTE_FLOAT2,
    FILO_ATTRIBUTE_FLOAT3,
    FILO_ATTRIBUTE_FLOAT4,
    FILO_ATTRIBUTE_UBYTE4,      // uvec4
    FILO_ATTRIBUTE_UBYTE4_UNIT, // vec4, 0 to 1
    FILO_ATTRIBUTE_USHORT2,     // uvec2
    FILO_ATTRIBUTE_USHORT4,     // uvec4
    FILO_ATTRIBUTE_UINT,
} FiloAttributeFormat;
#define FILO_GPU_ATTRIBUTES 8
#define FILO_GPU_BUFFERS    2
typedef struct FiloAttribute {
    FiloAttributeFormat format; // location is the place in the list
    int buffer;                 // 0 or 1
    size_t offset;
} FiloAttribute;
typedef struct FiloVertexBuffer {
    size_t stride;
    bool per_instance;
} FiloVertexBuffer;

typedef enum FiloBlend {
    FILO_BLEND_OVER, // premultiplied
    FILO_BLEND_NONE,
    FILO_BLEND_ADD,
} FiloBlend;
typedef enum FiloTopology { FILO_TRIANGLES, FILO_TRIANGLE_STRIP, FILO_LINES, FILO_POINTS } FiloTopology;

// Shaders are GLSL without a #version line: the device puts its own there, so write what 3.30 and GLES 3.00
// both understand. #define FILO_GL45 is set on the larger device. Attributes have layout(location = …), the
// fragment shader has one output. For points, write gl_PointSize.
typedef struct FiloPipelineDesc {
    const char *label; // in messages: "sprites (fragment shader), line 12: …"
    const char *vertex, *fragment;
    FiloAttribute attributes[FILO_GPU_ATTRIBUTES];
    FiloVertexBuffer buffers[FILO_GPU_BUFFERS];
    FiloTopology topology;
    FiloBlend blend;
    bool depth_test; // draw what is nearer, or as near
    bool depth_write, cull_back;
} FiloPipelineDesc;
// FILO_ERROR_DATA with the compiler's message, in which lines are those of your text, if a shader does not compile.
FiloResult filo_gpu_pipeline_create(FiloPipeline *pipeline, FiloGpu *gpu, const FiloPipelineDesc *desc);
// Puts new shaders into a pipeline, for reloading. Uniforms that are still there, with their type, keep their
// values. On failure the old ones stay.
FiloResult filo_gpu_pipeline_replace(FiloGpu *gpu, FiloPipeline pipeline, const char *vertex,
                                     const char *fragment);
void filo_gpu_pipeline_destroy(FiloGpu *gpu, FiloPipeline pipeline);

typedef enum FiloUniformType {
    FILO_UNIFORM_NONE,
    FILO_UNIFORM_FLOAT,
    FILO_UNIFORM_VEC2,
    FILO_UNIFORM_VEC3,
    FILO_UNIFORM_VEC4,
    FILO_UNIFORM_INT,
    FILO_UNIFORM_IVEC2,
    FILO_UNIFORM_MAT3,
    FILO_UNIFORM_MAT4,
    FILO_UNIFORM_TEXTURE,       // sampler2D
    FILO_UNIFORM_TEXTURE_ARRAY, // sampler2DArray
    FILO_UNIFORM_OTHER,
} FiloUniformType;
typedef struct FiloUniformInfo {
    char name[48];
    FiloUniformType type;
    int count; // of an array; else 1
} FiloUniformInfo;
// What the shaders of a pipeline ask for, in the order of the names; those that the compiler dropped are not
// there. The null device finds them by reading the declarations in the text, and drops those whose name is
// not used again.
size_t filo_gpu_uniform_count(const FiloGpu *gpu, FiloPipeline pipeline);
FiloUniformInfo filo_gpu_uniform_at(const FiloGpu *gpu, FiloPipeline pipeline, size_t index);

// ---- Passes ---------------------------------------------------------------------------------------------

typedef struct FiloGpuPass {
    const char *label;
    FiloRenderTarget target; // {0}: the window, of `width` and `height`
    int width, height;       // of the window; 0: as in the last pass
    bool clear;              // the colour, and depth if there is any
    FiloVec4 color;          // premultiplied
} FiloGpuPass;
// A pass starts with nothing set: no pipeline, no buffers, the whole viewport, no scissor. Outside of passes
// others may use the GL context as they like.
void filo_gpu_begin_pass(FiloGpu *gpu, const FiloGpuPass *pass);
void filo_gpu_end_pass(FiloGpu *gpu);
// Inside a pass; the whole target at first. (0, 0) is the upper left corner, here as everywhere.
void filo_gpu_set_viewport(FiloGpu *gpu, int x, int y, int width, int height);
void filo_gpu_set_scissor(FiloGpu *gpu, int x, int y, int width, int height); // width 0: none

void filo_gpu_use(FiloGpu *gpu, FiloPipeline pipeline);
// Buffers stay set when another pipeline is used. `offset` is in bytes.
void filo_gpu_set_vertices(FiloGpu *gpu, int slot, FiloBuffer buffer, size_t offset);
void filo_gpu_set_indices(FiloGpu *gpu, FiloBuffer buffer); // 32 bit
// layout(std430, binding = slot) buffer …; slots 0 to 3, `offset` a multiple of 256 bytes.
// FiloGpuLimits.storage says whether the device has it.
void filo_gpu_set_storage(FiloGpu *gpu, int slot, FiloBuffer buffer, size_t offset, size_t size);

// Uniforms of the pipeline in use, which keeps them over frames. The type must be the shader's; a name that
// it does not have is let pass, since compilers drop what is not used: false. "lights[2]" is an element of an
// array.
bool filo_gpu_set_float(FiloGpu *gpu, const char *name, float value);
bool filo_gpu_set_vec2(FiloGpu *gpu, const char *name, FiloVec2 value);
bool filo_gpu_set_vec3(FiloGpu *gpu, const char *name, FiloVec3 value);
bool filo_gpu_set_vec4(FiloGpu *gpu, const char *name, FiloVec4 value);
bool filo_gpu_set_int(FiloGpu *gpu, const char *name, int value); // also a bool
bool filo_gpu_set_ivec2(FiloGpu *gpu, const char *name, FiloIVec2 value);
bool filo_gpu_set_mat4(FiloGpu *gpu, const char *name, const FiloMat4 *value);
bool filo_gpu_set_affine2(FiloGpu *gpu, const char *name, FiloAffine2 value); // a mat3
bool filo_gpu_set_texture(FiloGpu *gpu, const char *name, FiloTexture texture);

// Vertices or indices from `first` on, so many, for each instance. What the buffers do not hold is not drawn:
// that is a mistake of the program, like a texture that was not set.
void filo_gpu_draw(FiloGpu *gpu, int first, int count, int instances);
void filo_gpu_draw_indexed(FiloGpu *gpu, int first, int count, int base_vertex, int instances);

// ---- Timers and labels ------------------------------------------------------------------------------------

// FILO_ERROR_UNSUPPORTED where the device has no timers. The timer is then {0}, which may be used and measures
// nothing. Timers may be nested.
FiloResult filo_gpu_timer_create(FiloGpuTimer *timer, FiloGpu *gpu, const char *label);
void filo_gpu_timer_begin(FiloGpu *gpu, FiloGpuTimer timer);
void filo_gpu_timer_end(FiloGpu *gpu, FiloGpuTimer timer);
// Of the last time that is known, some frames ago; 0 before. Never waits.
double filo_gpu_timer_ms(const FiloGpu *gpu, FiloGpuTimer timer);
void filo_gpu_timer_destroy(FiloGpu *gpu, FiloGpuTimer timer);
// Groups in debuggers of graphics (RenderDoc).
void filo_gpu_push_label(FiloGpu *gpu, const char *label);
void filo_gpu_pop_label(FiloGpu *gpu);

// ---- The null device --------------------------------------------------------------------------------------

// Its calls, as text: "draw 0 6 x 1000". Counted from the last filo_gpu_null_forget. NULL past the end. Of
// more than FILO_GPU_NULL_CALLS only the first are kept. A text lives until the next call of the device.
#define FILO_GPU_NULL_CALLS 16384
size_t filo_gpu_null_call_count(const FiloGpu *gpu);
const char *filo_gpu_null_call(const FiloGpu *gpu, size_t index);
void filo_gpu_null_forget(FiloGpu *gpu);
// Says that the card is now done with all frames up to this one (counted from 0 by filo_gpu_end_frame).
// Without it, it is done with each frame when two further ones have ended. While a part of a ring is in
// flight the device keeps a copy; if it was written to meanwhile, that is a fault which names the ring.
void filo_gpu_null_complete(FiloGpu *gpu, uint64_t frame);
// True: from now on nothing completes until filo_gpu_null_complete, or until somebody must wait for it (then
// there is a call "wait for frame 3").
void filo_gpu_null_hold(FiloGpu *gpu, bool hold);
// The bytes as they are now; good until the object is destroyed or grows. `size` may be NULL.
const void *filo_gpu_null_buffer_data(const FiloGpu *gpu, FiloBuffer buffer, size_t *size);
const void *filo_gpu_null_texture_data(const FiloGpu *gpu, FiloTexture texture, int layer);

FILO_END_DECLS

#endif
