// filo/placement_gpu.h: placement in compute shaders: the same bytes as filo_placement_compute, in the same order.
//
//     FiloPlacementGpu *forest;
//     FiloResult r = filo_placement_gpu_create(&forest, gpu, &(FiloPlacementGpuDesc){ .placement = placement });
//     FiloPlacementGpuFuture future;
//     r = filo_placement_gpu_start(&future, forest, &(FiloPlacementRequest){ .area = { 200, 200, 400, 400 } });
//     …                                                  // other work, other frames
//     if (filo_placement_gpu_ready(forest, future)) {
//         FiloPlacementGpuResult trees;
//         r = filo_placement_gpu_take(forest, future, &trees);
//         draw(trees.buffer, trees.count);                // or read trees.objects
//         filo_placement_gpu_release(forest, &trees);     // when it is no longer drawn
//     }
//     filo_placement_gpu_destroy(forest);
//
// Needs a device with compute shaders and persistent maps (FiloGpuLimits): OpenGL 4.5. The maps, patterns and programs of a
// placement are uploaded and compiled once. A computation uploads some kilobytes and runs a few dispatches; its result is
// in a buffer of the GPU, which the program can read without copying, or draw from.
//
// All functions are called on the thread that created the device (main), outside of passes; a call on another thread, and a
// start inside of a pass, is reported and does nothing. Any number of computations may be under way;
// each has buffers of its own, which later ones use again, so that a steady program creates none. What a computation changes
// in the GL context is what a compute pass of filo/gpu.h changes, and nothing else: the program, storage buffers of slots 0 to
// 4, textures of units 0 to 3, and the active unit. The context belongs to the application.
//
// For other libraries, filo_gpu_buffer_native gives the GL name of the buffer of a result. docs/placement-gpu.md says why the
// bytes are equal, and what has been shown of that.

#ifndef FILO_PLACEMENT_GPU_H
#define FILO_PLACEMENT_GPU_H

#include <filo/gpu.h>
#include <filo/placement.h>

FILO_BEGIN_DECLS

typedef struct FiloPlacementGpu FiloPlacementGpu;

// ---- Creating -----------------------------------------------------------------------------------------------

typedef struct FiloPlacementGpuDesc {
    const FiloPlacement *placement; // retained: must be destroyed after this. So must its maps
    // Where objects are: false: in memory that the program reads directly, as FiloPlacementGpuResult.objects. True: in memory
    // of the GPU alone, which is faster to draw from on a graphics card. Reading it then waits for a copy.
    bool gpu_memory;
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloPlacementGpuDesc;

// Uploads all maps, and compiles two shaders for each footprint: some 30 ms each with llvmpipe, more for large ecotopes.
// FILO_ERROR_UNSUPPORTED if the device has no compute shaders, which the message names (the null device among them: it runs no
// shaders); FILO_ERROR_LIMIT if the maps are larger than a storage buffer; FILO_ERROR_MEMORY.
FiloResult filo_placement_gpu_create(FiloPlacementGpu **pgpu, FiloGpu *gpu, const FiloPlacementGpuDesc *desc);
// Ends all computations and results. Call it before filo_gpu_destroy, which does not know of it: the device must still exist.
// NULL is allowed.
void filo_placement_gpu_destroy(FiloPlacementGpu *pgpu);

// Uploads texels of a map again, after its memory has changed; `map` is that of filo_placement_map_find, and the rectangle is
// in texels of the whole map. Whole rows are uploaded. Computations that have been started are not affected. A map of floats
// was converted when the placement was created, and does not change. A map that does not exist is a mistake;
// FILO_ERROR_MEMORY.
FiloResult filo_placement_gpu_map_changed(FiloPlacementGpu *pgpu, int map, int x, int y, int width,
                                          int height);

// ---- Computing ----------------------------------------------------------------------------------------------

// A computation. A handle: {0} is none, and one that was taken or cancelled is detected.
typedef struct FiloPlacementGpuFuture {
    uint32_t id;
} FiloPlacementGpuFuture;

// Starts a computation and returns at once. The request is copied, with its edits; its `jobs` and `path` are ignored. Fails as
// filo_placement_compute does; FILO_ERROR_UNSUPPORTED for a request with windows, FILO_ERROR_LIMIT if one of its buffers
// would be larger than FiloGpuLimits.storage_size: the one for objects has 16 bytes for each candidate, so that a result is
// never cut off.
FiloResult filo_placement_gpu_start(FiloPlacementGpuFuture *future, FiloPlacementGpu *pgpu,
                                    const FiloPlacementRequest *request);
// Whether it is done. Never waits. A future that is none counts as ready, so that a loop ends.
bool filo_placement_gpu_ready(FiloPlacementGpu *pgpu, FiloPlacementGpuFuture future);
// Returns when it is done.
void filo_placement_gpu_wait(FiloPlacementGpu *pgpu, FiloPlacementGpuFuture future);
// Ends the future without its result. Its buffers are used again when the GPU is done with them.
void filo_placement_gpu_cancel(FiloPlacementGpu *pgpu, FiloPlacementGpuFuture future);

// ---- Results ------------------------------------------------------------------------------------------------

// What was placed, in the order of FiloPlacementResult. Valid until filo_placement_gpu_release.
typedef struct FiloPlacementGpuResult {
    FiloBuffer buffer; // FiloPlaced, from its beginning on: vertices, storage, texels. Not to be written to
    const FiloPlaced *objects; // the same bytes, in memory; NULL with gpu_memory. Any thread may read it
    // (Neither exists in a result of .count_only.)
    size_t count;
    // Objects of layer n are those from first[n] to first[n + 1] − 1.
    size_t first[FILO_PLACEMENT_FOOTPRINTS * FILO_PLACEMENT_LAYERS + 1];
    FiloPlacementArea area;
    uint64_t candidates;
    uint32_t id; // private
} FiloPlacementGpuResult;

// Waits, and ends the future: it can be taken once. `result` is overwritten; release what was in it before. FILO_ERROR_IO if
// the context was lost.
FiloResult filo_placement_gpu_take(FiloPlacementGpu *pgpu, FiloPlacementGpuFuture future,
                                   FiloPlacementGpuResult *result);
// Gives the buffers back, for later computations; the result is all zero then. Draws from the buffer must have been
// submitted. One that is all zero is allowed.
void filo_placement_gpu_release(FiloPlacementGpu *pgpu, FiloPlacementGpuResult *result);

size_t filo_placement_gpu_count(const FiloPlacementGpuResult *result, size_t layer);
// Copies `count` objects of a layer (−1: of all, grouped by layer), from its object `from` on, as filo_placement_result_copy
// does.
bool filo_placement_gpu_copy(FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result, int layer,
                             size_t from, size_t count, FiloPlaced *into);
// The same into another buffer, from the byte `offset` on, by the GPU. One of another library is allowed: see
// FiloBufferDesc.native.
bool filo_placement_gpu_copy_to_buffer(FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result,
                                       int layer, size_t from, size_t count, FiloBuffer to, size_t offset);
// Copies all into a result of the CPU, for filo_placement_position and everything else that takes one; it is independent of
// this one. FILO_ERROR_MEMORY, with an empty result.
FiloResult filo_placement_gpu_convert(FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result,
                                      FiloPlacementResult *into);

FILO_END_DECLS

#endif
