// filo/gpu.h: a thin layer over the GPU: buffers, textures, pipelines, passes, computing.
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
// The device is OpenGL 4.5 core, or 3.3 core where 4.5 is not available. FiloGpuLimits says what differs; the
// functions below do the same on both. The null device draws nothing: it stores the bytes of buffers and textures
// in memory, and a list of all calls, for tests and servers. No name in this header belongs to OpenGL, so that
// another backend can be added.
//
// All functions are called on one thread, the one that created the device, on which the GL context is current (main). A call
// on another thread is reported and does nothing. The exceptions are filo_gpu_limits and filo_gpu_on_thread, and memory that
// filo_gpu_ring_take returned: any thread may write to it until filo_gpu_ring_done.
//
// Coordinates: (0, 0) is the upper left corner, in pixels (viewports, scissors, textures, reading) and in texture
// coordinates. In clip space, which a vertex shader writes, (-1, +1) is the upper left corner, and triangles whose
// corners go counter-clockwise there are front faces. The same holds for the window and for render targets, so one
// shader serves both, and a target is upright when it is drawn as an image. Only gl_FragCoord.y and dFdy differ
// between the two: do not use them. Depth goes from -1 (near) to +1.
//
// Objects are handles. {0} is none, and destroying it has no effect. A stale handle is detected. Labels and names
// are copied, and may be NULL. A function that a device or driver can refuse (a shader that does not compile, no
// GPU memory) returns a FiloResult; on failure nothing was created, and the handle is {0}. A mistake of the
// program (a stale handle, a uniform of another type than the shader's) is reported by FILO_CHECK, or by
// FILO_MISTAKE where there is a result.

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
typedef struct FiloGpuFence {
    uint32_t id;
} FiloGpuFence;
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

// A GL context must be current on the calling thread, now and whenever the device is used. Any library may have
// created it. The null device needs none.
typedef struct FiloGpuDesc {
    FiloGpuKind kind;
    bool debug;                     // log the driver's messages, and its errors after each call. Slow
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloGpuDesc;

// FILO_ERROR_UNSUPPORTED if no context is current, or if its version is below 3.3 or below the requested one; the
// message then has the version that was found. `desc` may be NULL.
//
// Where the driver draws on the CPU (FiloGpuLimits.software), this raises the thresholds at which glibc's malloc
// returns memory to the system (mallopt), because such drivers free and allocate large blocks in every frame.
FiloResult filo_gpu_create(FiloGpu **gpu, const FiloGpuDesc *desc);
// Destroys the device and every object created with it. What is built on it comes first: a FiloPlacementGpu, for instance,
// keeps a pointer to it. NULL is allowed.
void filo_gpu_destroy(FiloGpu *gpu);

typedef struct FiloGpuLimits {
    FiloGpuKind kind;     // GL45, GL33 or NULL
    char name[128];       // the driver's name of the renderer: "llvmpipe (LLVM 15.0.6, 256 bits)"
    bool software;        // the driver draws on the CPU: llvmpipe and the like
    bool persistent_maps; // rings stay mapped (otherwise their bytes are copied once more); readback buffers
    bool compute;         // compute pipelines and passes
    bool storage;         // FILO_BUFFER_STORAGE and filo_gpu_set_storage
    // Maxima; 0 for what the device does not have.
    int storage_slots;                // of filo_gpu_set_storage, up to FILO_GPU_STORAGE_SLOTS
    size_t storage_size;              // bytes of one slot
    int work_groups[3];               // of a dispatch, in x, y and z
    int work_group_size;              // invocations of a work group
    int work_group_memory;            // bytes of the shared variables of a work group
    int texels;                       // of filo_gpu_set_texels
    int texture_size, texture_layers; // width or height in pixels, layers of an array
    float anisotropy;                 // of FiloTextureDesc; 1: this device has none
    size_t block_size;                // bytes of one uniform block
    int picture_size;                 // width or height of a window or render target, in pixels
} FiloGpuLimits;
// Any thread.
const FiloGpuLimits *filo_gpu_limits(const FiloGpu *gpu);

// Whether the calling thread is the one that created the device. For libraries that check it themselves. Any thread.
bool filo_gpu_on_thread(const FiloGpu *gpu);
// Whether a pass has begun and has not ended.
bool filo_gpu_in_pass(const FiloGpu *gpu);

typedef struct FiloGpuStats { // of one frame, which ends with filo_gpu_end_frame
    uint32_t draws, passes, pipeline_changes, texture_changes;
    uint32_t dispatches;
    uint64_t uploaded; // bytes
    uint64_t vertices, triangles, instances;
    size_t buffer_memory, texture_memory; // bytes now
    size_t storage_memory;                // the part of buffer_memory that storage buffers have
} FiloGpuStats;
FiloGpuStats filo_gpu_stats(const FiloGpu *gpu);     // of the last complete frame
FiloGpuStats filo_gpu_stats_now(const FiloGpu *gpu); // of the current frame so far

// Marks the end of a frame: rings advance, timers are read. It does not show the picture: the window does.
void filo_gpu_end_frame(FiloGpu *gpu);
// Waits until the GPU has executed all commands.
void filo_gpu_finish(FiloGpu *gpu);

// ---- Buffers --------------------------------------------------------------------------------------------

typedef enum FiloBufferUse {
    FILO_BUFFER_VERTICES,
    FILO_BUFFER_INDICES,
    FILO_BUFFER_STORAGE, // also for vertices, indices and filo_gpu_dispatch_indirect
    FILO_BUFFER_READBACK, // read by the program: filo_gpu_buffer_memory. Written by copies, or by shaders as storage
    FILO_BUFFER_UNIFORMS, // uniform blocks: filo_gpu_set_block
} FiloBufferUse;
typedef struct FiloBufferDesc {
    const char *label;
    FiloBufferUse use;
    size_t size;      // bytes
    const void *data; // NULL: written later; then it must not be constant
    bool constant;    // never written again by the program; shaders and copies do not write to it either
    uint64_t native;  // not 0: the GL name of an existing buffer, see below
} FiloBufferDesc;
// FILO_ERROR_UNSUPPORTED for a storage or readback buffer if the device has none; FILO_ERROR_MEMORY without GPU
// memory, or without memory for the handle.
//
// `native` makes a handle for a buffer that another library created in the same context. It stays that library's:
// destroying the handle does not delete it, and it must exist as long as the handle is used. `size` is the part to
// use, from its start on; 0: all of it. There is no `data`, it is not a readback buffer, and it is not counted in
// FiloGpuStats. The null device has none: FILO_ERROR_UNSUPPORTED.
FiloResult filo_gpu_buffer_create(FiloBuffer *buffer, FiloGpu *gpu, const FiloBufferDesc *desc);
void filo_gpu_buffer_write(FiloGpu *gpu, FiloBuffer buffer, size_t offset, const void *data, size_t size);
// Copies bytes from one buffer to another, or to another part of the same one that does not overlap. The GPU does it
// after earlier commands. Not inside a pass. After dispatches that wrote to a buffer, see filo_gpu_barrier.
void filo_gpu_buffer_copy(FiloGpu *gpu, FiloBuffer to, size_t to_offset, FiloBuffer from, size_t from_offset,
                          size_t size);
// Copies bytes of the buffer to `into`. Waits until the GPU has executed the commands that write to it. Not inside a
// pass. On a mistake `into` is filled with zeroes.
void filo_gpu_buffer_read(FiloGpu *gpu, FiloBuffer buffer, size_t offset, void *into, size_t size);
// The memory of a readback buffer, for reading only, valid until the buffer is destroyed. What the GPU writes is there
// once a fence that was created after the command has been found signalled. From then on any thread may read it. The
// null device fills a part with bytes of 0xDB when a command that writes to it is given, until that moment.
const void *filo_gpu_buffer_memory(const FiloGpu *gpu, FiloBuffer buffer);
// The GL name of the buffer, for other libraries that use the context. 0 on the null device.
uint64_t filo_gpu_buffer_native(const FiloGpu *gpu, FiloBuffer buffer);
void filo_gpu_buffer_destroy(FiloGpu *gpu, FiloBuffer buffer);

// A ring buffer: memory that is rewritten every frame, while the GPU may still read that of earlier frames. It has
// `frames` parts, and each frame in which it is used takes the next one. A part is reused only after a fence has
// signalled that the GPU has finished with it. With three parts this rarely has to wait.
typedef struct FiloRingDesc {
    const char *label;
    FiloBufferUse use;
    size_t size; // bytes per frame; the ring grows in the next frame if more was taken in this one
    int frames;  // 1 to 8; 0: 3
} FiloRingDesc;
typedef struct FiloGpuRing FiloGpuRing;
// Fails as filo_gpu_buffer_create does; the ring is then NULL.
FiloResult filo_gpu_ring_create(FiloGpuRing **ring, FiloGpu *gpu, const FiloRingDesc *desc);
void filo_gpu_ring_destroy(FiloGpu *gpu, FiloGpuRing *ring);
// A piece of the part of this frame, aligned to 256 bytes, for writing only. If the part is full, the piece is
// staging memory on the heap, which filo_gpu_ring_done copies to a buffer; the ring grows in the next frame. False
// only without memory; the piece is then all zero.
typedef struct FiloRingPiece {
    void *memory;      // valid until filo_gpu_ring_done; NULL afterwards
    FiloBuffer buffer; // that has the bytes; valid from filo_gpu_ring_done until the frame ends
    size_t offset, size;
    bool staged; // in staging memory; filo_gpu_ring_done is needed all the same
} FiloRingPiece;
bool filo_gpu_ring_take(FiloGpu *gpu, FiloGpuRing *ring, size_t size, FiloRingPiece *piece);
// Ends writing to the piece; draws may read it from now on, until the frame ends. Sets buffer and offset of a
// staged piece; the buffer is {0} if there was no memory for it, which is logged. Call it once for each piece,
// before the frame ends, in any order.
void filo_gpu_ring_done(FiloGpu *gpu, FiloGpuRing *ring, FiloRingPiece *piece);

// ---- Textures -------------------------------------------------------------------------------------------

typedef enum FiloTextureFormat {
    FILO_TEXTURE_RGBA8, // premultiplied, as FiloColor
    FILO_TEXTURE_R8,
    FILO_TEXTURE_RGBA16F, // half floats
    FILO_TEXTURE_DEPTH24,
    // Bytes in sRGB, which a shader reads as linear values; alpha is linear already. A target of this format converts what
    // the fragment shader writes, and the colour to clear to, from linear values to sRGB. Blending is linear.
    FILO_TEXTURE_RGBA8_SRGB,
    FILO_TEXTURE_RG8,
    FILO_TEXTURE_R16, // uint16_t, in the shader 0 to 1
    FILO_TEXTURE_R32F,
    FILO_TEXTURE_R11G11B10F, // no alpha, no values below 0. In `data` a uint32_t; red has the lowest bits
    FILO_TEXTURE_DEPTH32F,
} FiloTextureFormat;
typedef struct FiloTextureDesc {
    const char *label;
    FiloTextureFormat format;
    int width, height;
    int layers;   // 0: a plain texture; otherwise an array
    bool mipmaps; // allocates them; used once filo_gpu_texture_make_mipmaps or _write_level has filled them
    bool linear;  // linear filter, between mipmaps too; otherwise the nearest texel
    FiloWrap wrap_u, wrap_v; // beyond the edges; by default the texel at the edge
    bool target;             // a render target may draw to it
    const void *data;        // of layer 0, tightly packed; NULL: undefined
    // A depth texture for comparisons: the shader declares a sampler2DShadow or sampler2DArrayShadow, and texture() returns
    // how much of the given depth is less than or equal to the one that is stored: 0 or 1, and with `linear` a mean of
    // four comparisons. Without it a depth texture is a sampler2D or sampler2DArray whose first component is the depth.
    bool compare;
    float
        anisotropy; // samples along the longer side of a pixel's area, up to FiloGpuLimits.anisotropy; 0: none
} FiloTextureDesc;
// FILO_ERROR_LIMIT for more pixels or layers than the device supports (FiloGpuLimits), FILO_ERROR_MEMORY without
// memory.
FiloResult filo_gpu_texture_create(FiloTexture *texture, FiloGpu *gpu, const FiloTextureDesc *desc);
bool filo_gpu_texture_valid(const FiloGpu *gpu, FiloTexture texture);
// Writes a rectangle of a layer. `stride` is in pixels; 0: tightly packed.
void filo_gpu_texture_write(FiloGpu *gpu, FiloTexture texture, int layer, int x, int y, int width, int height,
                            const void *data, int stride);
// The same for a mipmap level: 0 is the whole picture, and each further level is half as wide and high, rounded down, and
// at least 1. From now on levels up to this one are used, so write all before it too, in any order, before a draw.
void filo_gpu_texture_write_level(FiloGpu *gpu, FiloTexture texture, int level, int layer, int x, int y,
                                  int width, int height, const void *data, int stride);
// Adds layers to an array. Contents are preserved; handles stay valid, also those of targets that draw to it. Not
// inside a pass. Fails as filo_gpu_texture_create does; the texture is then unchanged.
FiloResult filo_gpu_texture_grow(FiloGpu *gpu, FiloTexture texture, int layers);
void filo_gpu_texture_make_mipmaps(FiloGpu *gpu, FiloTexture texture);
void filo_gpu_texture_destroy(FiloGpu *gpu, FiloTexture texture);
typedef struct FiloTextureInfo {
    FiloTextureFormat format;
    int width, height;
    int layers; // 0: not an array
    int levels; // that were allocated; 1 without mipmaps
} FiloTextureInfo;
FiloTextureInfo filo_gpu_texture_info(const FiloGpu *gpu, FiloTexture texture); // a mistake: all zero
// The GL name of the texture, for other libraries that use the context, until the texture grows. 0 on the null device.
uint64_t filo_gpu_texture_native(const FiloGpu *gpu, FiloTexture texture);

// Textures to draw to instead of the window. They have one size, were created with `target`, and must exist as long
// as the target is used. A pass cannot read a texture that it draws to.
typedef struct FiloRenderTargetDesc {
    const char *label;
    FiloTexture color; // {0}: none
    int layer;         // of the textures that are arrays
    FiloTexture depth; // {0}: none
} FiloRenderTargetDesc;
FiloResult filo_gpu_target_create(FiloRenderTarget *target, FiloGpu *gpu, const FiloRenderTargetDesc *desc);
void filo_gpu_target_destroy(FiloGpu *gpu, FiloRenderTarget target);

// Copies pixels from the target to `into`: as many as `into` has, from (x, y) on. Target {0} is the window, with
// the size of the last pass that drew to it. Waits for the GPU.
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
    FILO_ATTRIBUTE_SHORT2_UNIT,  // vec2, -1 to 1, of int16_t: -32767 and -32768 are -1
    FILO_ATTRIBUTE_SHORT4_UNIT,  // vec4
    FILO_ATTRIBUTE_USHORT2_UNIT, // vec2, 0 to 1
    FILO_ATTRIBUTE_HALF2,        // vec2, of half floats
    FILO_ATTRIBUTE_HALF4,        // vec4
} FiloAttributeFormat;
#define FILO_GPU_ATTRIBUTES 16
#define FILO_GPU_BUFFERS    3
#define FILO_GPU_BLOCKS     4
typedef struct FiloAttribute {
    FiloAttributeFormat format; // the index in the list is the location in the shader
    int buffer;                 // 0 to FILO_GPU_BUFFERS - 1
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
    FILO_BLEND_OVER_TWICE, // as OVER, but the alpha that is added to that of the target is doubled: for targets of floats
} FiloBlend;
typedef enum FiloTopology { FILO_TRIANGLES, FILO_TRIANGLE_STRIP, FILO_LINES, FILO_POINTS } FiloTopology;

// Shaders are GLSL without a #version line: the device adds its own. Use only what 3.30 and GLES 3.00 have in
// common. FILO_GL45 is defined on OpenGL 4.5. Attributes have layout(location = …), the fragment shader has one
// output. For points, write gl_PointSize.
//
// `attributes` may list more than the shader reads, so that several shaders share one layout of vertices; all buffers
// that are listed must be set to draw. `blocks` has the names of the uniform blocks of the shaders,
// layout(std140) uniform Camera { … };, and the index in the list is the slot of filo_gpu_set_block. It may list more
// than the shaders have.
//
// A compute pipeline has a compute shader instead, and nothing else but a label and blocks. The shader declares the size
// of its work groups, layout(local_size_x = 64) in;, and may use all of GLSL 4.50.
typedef struct FiloPipelineDesc {
    const char *label; // in messages: "sprites (fragment shader), line 12: …"
    const char *vertex, *fragment;
    FiloAttribute attributes[FILO_GPU_ATTRIBUTES];
    FiloVertexBuffer buffers[FILO_GPU_BUFFERS];
    FiloTopology topology;
    FiloBlend blend;
    bool depth_test; // draw what is nearer or equally near
    bool depth_write, cull_back;
    const char *compute; // in messages: "sums (compute shader), line 12: …"
    const char *blocks[FILO_GPU_BLOCKS];
    bool cull_front;  // with cull_back, no triangle is drawn
    bool mirrored;    // triangles whose corners are seen clockwise are in front, not counter-clockwise
    bool depth_equal; // with depth_test: draw only what is equally near, after a pass that drew the depth
    bool no_color;    // draw only depth; the fragment shader needs no output
    bool wireframe;   // the edges of triangles instead of filled ones
    // Added to the depth of triangles: depth_slope_bias times the change of their depth from a pixel to the next, and
    // depth_bias times the smallest difference that the depth texture can represent.
    float depth_bias, depth_slope_bias;
} FiloPipelineDesc;
// FILO_ERROR_DATA with the compiler's message if a shader does not compile; its line numbers are those of the
// given text. FILO_ERROR_UNSUPPORTED for a compute pipeline if the device has none, FILO_ERROR_LIMIT for a shader that
// uses more textures or storage slots than there are, 1,024 uniforms, or 65,536 numbers in them.
FiloResult filo_gpu_pipeline_create(FiloPipeline *pipeline, FiloGpu *gpu, const FiloPipelineDesc *desc);
// Replaces the shaders of a pipeline, for reloading. Uniforms with the same name and type keep their values. On
// failure the pipeline is unchanged.
FiloResult filo_gpu_pipeline_replace(FiloGpu *gpu, FiloPipeline pipeline, const char *vertex,
                                     const char *fragment);
// The same for a compute pipeline.
FiloResult filo_gpu_pipeline_replace_compute(FiloGpu *gpu, FiloPipeline pipeline, const char *compute);
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
    FILO_UNIFORM_IVEC4,
    FILO_UNIFORM_UINT,
    FILO_UNIFORM_UVEC2,
    FILO_UNIFORM_UVEC4,
    FILO_UNIFORM_TEXELS, // usamplerBuffer
    FILO_UNIFORM_OTHER,
    FILO_UNIFORM_TEXTURE_SHADOW,       // sampler2DShadow
    FILO_UNIFORM_TEXTURE_ARRAY_SHADOW, // sampler2DArrayShadow
} FiloUniformType;
typedef struct FiloUniformInfo {
    char name[48];
    FiloUniformType type;
    int count; // elements of an array; otherwise 1
} FiloUniformInfo;
// The active uniforms of a pipeline, sorted by name; uniforms that the compiler removed and those of blocks are not among
// them. The null device reads the declarations in the text, and removes those whose name does not appear again. It leaves
// out branches of #ifdef, #ifndef, and #if with a number, a name or `defined`; of other conditions, and of those about
// FILO_GL45, all branches count.
size_t filo_gpu_uniform_count(const FiloGpu *gpu, FiloPipeline pipeline);
FiloUniformInfo filo_gpu_uniform_at(const FiloGpu *gpu, FiloPipeline pipeline, size_t index);

// ---- Passes ---------------------------------------------------------------------------------------------

typedef struct FiloGpuPass {
    const char *label;
    FiloRenderTarget target; // {0}: the window, of `width` and `height`
    int width, height;       // of the window; 0: as in the last pass
    bool clear;              // the colour, and the depth if there is one
    FiloVec4 color;          // to clear to; premultiplied
    bool keep_color;         // `clear` only the depth
    bool keep_depth;         // `clear` only the colour
    bool compute;            // a compute pass: it dispatches instead of drawing, and has only a label
} FiloGpuPass;
// A pass starts without pipeline, buffers and scissor, and with a viewport over the whole target. Outside of passes,
// other libraries may use the GL context and change its state.
//
// A compute pass changes this state of a GL context, and nothing else: the program and the storage buffers of the slots
// that were set are 0 afterwards, and so are the uniform buffers; GL_SHADER_STORAGE_BUFFER, GL_UNIFORM_BUFFER and
// GL_DISPATCH_INDIRECT_BUFFER are 0 too. Textures of units 0 to 15 and the active unit are those of the last dispatch.
// Outside of passes, functions that create, replace and destroy pipelines change the program; on OpenGL 4.5, functions of
// buffers and fences change nothing.
void filo_gpu_begin_pass(FiloGpu *gpu, const FiloGpuPass *pass);
void filo_gpu_end_pass(FiloGpu *gpu);
// Inside a pass. In pixels, from the upper left corner.
void filo_gpu_set_viewport(FiloGpu *gpu, int x, int y, int width, int height);
void filo_gpu_set_scissor(FiloGpu *gpu, int x, int y, int width, int height); // width 0: none

void filo_gpu_use(FiloGpu *gpu, FiloPipeline pipeline);
// Buffers stay set when another pipeline is used. `offset` is in bytes.
void filo_gpu_set_vertices(FiloGpu *gpu, int slot, FiloBuffer buffer, size_t offset);
void filo_gpu_set_indices(FiloGpu *gpu, FiloBuffer buffer); // 32 bit
// Declared in the shader as layout(std430, binding = slot) buffer …. Slots begin with 0, and there are
// FiloGpuLimits.storage_slots of them; `offset` is a multiple of 256 bytes. Needs FiloGpuLimits.storage. In a compute
// pass too.
#define FILO_GPU_STORAGE_SLOTS 16
void filo_gpu_set_storage(FiloGpu *gpu, int slot, FiloBuffer buffer, size_t offset, size_t size);

// Sets the uniform block of a slot: FiloPipelineDesc.blocks. `offset` is a multiple of 256 bytes, as the pieces of a ring are;
// `size` is at least that of the block in the shader. Blocks stay set when another pipeline is used. In a compute pass
// too.
void filo_gpu_set_block(FiloGpu *gpu, int slot, FiloBuffer buffer, size_t offset, size_t size);

// Set a uniform of the pipeline in use. The pipeline keeps the value from frame to frame. The type must be that of
// the shader. A name that the shader does not have is not a mistake, because compilers remove unused uniforms: false.
// "lights[2]" is an element of an array.
bool filo_gpu_set_float(FiloGpu *gpu, const char *name, float value);
bool filo_gpu_set_vec2(FiloGpu *gpu, const char *name, FiloVec2 value);
bool filo_gpu_set_vec3(FiloGpu *gpu, const char *name, FiloVec3 value);
bool filo_gpu_set_vec4(FiloGpu *gpu, const char *name, FiloVec4 value);
bool filo_gpu_set_int(FiloGpu *gpu, const char *name, int value); // also a bool
bool filo_gpu_set_ivec2(FiloGpu *gpu, const char *name, FiloIVec2 value);
bool filo_gpu_set_ivec4(FiloGpu *gpu, const char *name, const int32_t value[4]);
bool filo_gpu_set_uint(FiloGpu *gpu, const char *name, uint32_t value);
bool filo_gpu_set_uvec2(FiloGpu *gpu, const char *name, const uint32_t value[2]);
bool filo_gpu_set_uvec4(FiloGpu *gpu, const char *name, const uint32_t value[4]);
bool filo_gpu_set_mat4(FiloGpu *gpu, const char *name, const FiloMat4 *value);
bool filo_gpu_set_affine2(FiloGpu *gpu, const char *name, FiloAffine2 value); // a mat3
bool filo_gpu_set_texture(FiloGpu *gpu, const char *name, FiloTexture texture);

// Lets a shader read a buffer as a list of small integers: texelFetch(name, index) of a usamplerBuffer. The list begins
// with the first byte of the buffer; bytes at the end that are no whole texel are not in it. Reading by this is often
// faster than by filo_gpu_set_storage, and all devices have it. False without GPU memory, which is logged.
typedef enum FiloTexelFormat {
    FILO_TEXELS_R8UI, // uint8_t; in the shader a uvec4 with 0, 0 and 1 after it
    FILO_TEXELS_R16UI,
    FILO_TEXELS_R32UI,
    FILO_TEXELS_RGBA32UI, // four uint32_t
} FiloTexelFormat;
#define FILO_GPU_TEXEL_FORMATS 4
bool filo_gpu_set_texels(FiloGpu *gpu, const char *name, FiloBuffer buffer, FiloTexelFormat texels);

// Draws `count` vertices or indices from `first` on, for each instance. A draw that would read past the end of a
// buffer, or needs a texture or a block that was not set, is a mistake of the program: nothing is drawn.
void filo_gpu_draw(FiloGpu *gpu, int first, int count, int instances);
void filo_gpu_draw_indexed(FiloGpu *gpu, int first, int count, int base_vertex, int instances);
// The same with instances from `first_instance` on: buffers with `per_instance` are read from there. gl_InstanceID counts
// from 0 all the same.
void filo_gpu_draw_indexed_from(FiloGpu *gpu, int first, int count, int base_vertex, int first_instance,
                                int instances);

// Draws all commands in order, with the pipeline and the buffers that are set. OpenGL 4.5 does it by one call, 3.3 by one
// for each command. If a command is a mistake, nothing is drawn. `commands` are copied.
typedef struct FiloDrawCommand {
    uint32_t count, instances, first;
    int32_t base_vertex;
    uint32_t first_instance;
} FiloDrawCommand;
void filo_gpu_draw_indexed_list(FiloGpu *gpu, const FiloDrawCommand *commands, size_t count);

// ---- Computing ------------------------------------------------------------------------------------------

//     filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .label = "double", .compute = true });
//     filo_gpu_use(gpu, pipeline);
//     filo_gpu_set_storage(gpu, 0, numbers, 0, count * sizeof(uint32_t));
//     filo_gpu_set_uint(gpu, "count", count);
//     filo_gpu_dispatch(gpu, (count + 63) / 64, 1, 1);
//     filo_gpu_barrier(gpu, FILO_BARRIER_COPY);
//     filo_gpu_end_pass(gpu);
//     filo_gpu_buffer_copy(gpu, readback, 0, numbers, 0, count * sizeof(uint32_t));
//     filo_gpu_fence_create(&fence, gpu, "double");
//     …
//     if (filo_gpu_fence_signalled(gpu, fence)) use(filo_gpu_buffer_memory(gpu, readback));

// Runs the compute pipeline in use with this many work groups. Inside a compute pass. A dispatch that needs a storage
// buffer or a texture that was not set, or more work groups than the device has, is a mistake of the program: nothing
// is run. With 0 work groups nothing is run either.
void filo_gpu_dispatch(FiloGpu *gpu, int x, int y, int z);
// The same with the numbers of work groups from a buffer: three uint at `offset`, a multiple of 4. They must be within
// FiloGpuLimits.work_groups, which is not checked.
void filo_gpu_dispatch_indirect(FiloGpu *gpu, FiloBuffer buffer, size_t offset);

// What dispatches and draws write to storage buffers is not visible to later commands before a barrier, which says
// what those commands do with it. Add several together with |. Inside and outside of passes. A command needs no
// barrier after one that is not a shader: copies and filo_gpu_buffer_write take effect in order.
#define FILO_BARRIER_STORAGE  (1u << 0) // shaders read or write it as storage
#define FILO_BARRIER_VERTICES (1u << 1) // draws read it as vertices or indices
#define FILO_BARRIER_INDIRECT (1u << 2) // filo_gpu_dispatch_indirect reads it
#define FILO_BARRIER_COPY     (1u << 3) // filo_gpu_buffer_copy, _read and _write
#define FILO_BARRIER_READBACK (1u << 4) // the program reads the memory of a readback buffer, after a fence
#define FILO_BARRIER_TEXELS   (1u << 5) // shaders read it by filo_gpu_set_texels
void filo_gpu_barrier(FiloGpu *gpu, uint32_t barriers);

// A fence is signalled when the GPU has executed all commands before its creation. Not inside a pass. On failure
// (FILO_ERROR_MEMORY) use filo_gpu_finish instead.
FiloResult filo_gpu_fence_create(FiloGpuFence *fence, FiloGpu *gpu, const char *label);
// Whether it is signalled; once true, always true. Never waits; sends the commands before the fence to the GPU. {0} and
// a stale fence are a mistake, and count as signalled, so that a loop ends.
bool filo_gpu_fence_signalled(FiloGpu *gpu, FiloGpuFence fence);
// Waits until it is signalled, for at most `timeout_ns` nanoseconds; negative: for ever. True if it is signalled.
bool filo_gpu_fence_wait(FiloGpu *gpu, FiloGpuFence fence, int64_t timeout_ns);
// Does not wait.
void filo_gpu_fence_destroy(FiloGpu *gpu, FiloGpuFence fence);

// ---- Timers and labels ------------------------------------------------------------------------------------

// FILO_ERROR_UNSUPPORTED if the device has no timers. The timer is then {0}: it may be used, and measures nothing.
// Timers may be nested.
FiloResult filo_gpu_timer_create(FiloGpuTimer *timer, FiloGpu *gpu, const char *label);
void filo_gpu_timer_begin(FiloGpu *gpu, FiloGpuTimer timer);
void filo_gpu_timer_end(FiloGpu *gpu, FiloGpuTimer timer);
// The last measurement that the GPU has completed, some frames ago; 0 if there is none yet. Never waits.
double filo_gpu_timer_ms(const FiloGpu *gpu, FiloGpuTimer timer);
void filo_gpu_timer_destroy(FiloGpu *gpu, FiloGpuTimer timer);
// Begin and end a named group of commands, for graphics debuggers such as RenderDoc.
void filo_gpu_push_label(FiloGpu *gpu, const char *label);
void filo_gpu_pop_label(FiloGpu *gpu);

// ---- The null device --------------------------------------------------------------------------------------

// The calls since the last filo_gpu_null_forget, as text: "draw 0 6 x 1000". NULL past the end. At most
// FILO_GPU_NULL_CALLS are stored; later ones are not. A text is valid until the next call of the device.
#define FILO_GPU_NULL_CALLS 16384
size_t filo_gpu_null_call_count(const FiloGpu *gpu);
const char *filo_gpu_null_call(const FiloGpu *gpu, size_t index);
void filo_gpu_null_forget(FiloGpu *gpu);
// Completes all frames up to this one, as if their fences had been signalled. filo_gpu_end_frame counts frames from
// 0. Without this call, a frame completes when two later ones have ended. While a part of a ring is in flight, the
// device has a copy of it; a write to the part in that time is reported as a fault that names the ring.
void filo_gpu_null_complete(FiloGpu *gpu, uint64_t frame);
// True: from now on frames complete only by filo_gpu_null_complete, or when a function has to wait for one; that is
// recorded as a call "wait for frame 3". A fence is signalled with the frame in which it was created, and by waiting
// for it ("wait for fence \"name\""). Without hold, it is also signalled when it is asked for the third time, for
// programs without frames.
void filo_gpu_null_hold(FiloGpu *gpu, bool hold);
// The current bytes, as the GPU has them; valid until the object is destroyed or grows. `size` may be NULL.
const void *filo_gpu_null_buffer_data(const FiloGpu *gpu, FiloBuffer buffer, size_t *size);
const void *filo_gpu_null_texture_data(const FiloGpu *gpu, FiloTexture texture, int layer);

FILO_END_DECLS

#endif
