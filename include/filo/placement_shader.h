// filo/placement_shader.h: a placement as compute shaders, for code that runs them: filo/placement_gpu.h with the GPU of
// Filo, or another engine with its own.
//
//     size_t length = filo_placement_shader_text(placement, FILO_SHADER_EVALUATE, 0, 0, NULL, 0);
//     char *text = malloc(length + 1);
//     filo_placement_shader_text(placement, FILO_SHADER_EVALUATE, 0, 0, text, length + 1);
//     … compile it; upload filo_placement_shader_data once …
//     FiloPlacementPlan plan;
//     FiloResult r = filo_placement_plan(&plan, placement, &request);
//     … upload filo_placement_plan_tables, run the steps of the plan one after the other …
//     r = filo_placement_plan_result(&plan, counts, objects, &result);
//
// The shaders are GLSL 4.50 without a #version line. They need no extension, no shared memory and no barriers inside of a
// work group. All objects come out in the order of FiloPlacementResult, with the same bytes as filo_placement_compute.
//
// Storage buffers, by binding:
//
//     0  data      what the placement is made of: patterns and maps. Only read. With FILO_SHADER_TEXELS it is not a storage
//                  buffer but four usamplerBuffers over the same bytes: data8 (R8UI), data16 (R16UI), data32 (R32UI) and
//                  data128 (RGBA32UI), which some drivers read faster. Shaders use some of them
//     1  tables    of one computation: bounds, origins of blocks, edits, and sums, which the shaders write
//     2  scratch   of one computation; its bytes need no value at first
//     3  objects   FiloPlaced, 16 bytes each
//     4  counts    uint32_t: how many objects there are, then for each layer the index of its first object
//
// A step reads what the steps before it wrote, so each needs a memory barrier before it.
//
// Functions that take a placement may be called on any thread, as those of filo/placement.h.

#ifndef FILO_PLACEMENT_SHADER_H
#define FILO_PLACEMENT_SHADER_H

#include <filo/placement.h>

FILO_BEGIN_DECLS

// ---- Texts --------------------------------------------------------------------------------------------------

typedef enum FiloPlacementShader {
    FILO_SHADER_EVALUATE, // of one footprint: which layer claims which candidate
    FILO_SHADER_NUMBER,   // one for all: where in the result the objects of each group of candidates go
    FILO_SHADER_WRITE,    // of one footprint: the objects
} FiloPlacementShader;

#define FILO_SHADER_TEXELS (1u << 0) // an option: see data above
// Invocations of a work group, in x. A step of n invocations needs (n + 63) / 64 work groups, in x and y in any way: more
// of them do no harm.
#define FILO_SHADER_LOCAL 64

// Writes a shader into `text`, ending with a zero, and returns its length without the zero, also if `size` is too small.
// `options` are those above, added with |. `footprint` is ignored for FILO_SHADER_NUMBER.
size_t filo_placement_shader_text(const FiloPlacement *placement, FiloPlacementShader shader,
                                  size_t footprint, uint32_t options, char *text, size_t size);

// ---- Data ---------------------------------------------------------------------------------------------------

// Bytes of the buffer `data`. A multiple of 16.
size_t filo_placement_shader_data_size(const FiloPlacement *placement);
// Writes all of it. Reads the maps.
void filo_placement_shader_data(const FiloPlacement *placement, void *into);

// Where rows of a map are in `data`.
typedef struct FiloShaderRows {
    size_t offset, size; // bytes
} FiloShaderRows;
// Rows that are not in the map's memory are left out; without any, the size is 0. `map` is that of
// filo_placement_map_find; rows are those of the whole map.
FiloShaderRows filo_placement_shader_rows(const FiloPlacement *placement, int map, int first, int count);
// Writes these rows, `size` bytes: for a map whose values have changed. A map of floats was converted when the placement was
// created, and does not change.
void filo_placement_shader_rows_write(const FiloPlacement *placement, int map, int first, int count,
                                      void *into);

// ---- A computation ------------------------------------------------------------------------------------------

typedef struct FiloPlacementStep {
    FiloPlacementShader shader;
    int footprint;
    uint32_t invocations;
} FiloPlacementStep;

// What has to be done for one request. A plain value.
typedef struct FiloPlacementPlan {
    const FiloPlacement *placement;
    FiloPlacementArea area;
    uint64_t candidates;
    size_t table_size, scratch_size, count_size; // bytes of the buffers, at least 16
    uint64_t object_limit;                       // there are at most this many objects
    FiloPlacementStep steps[2 * FILO_PLACEMENT_FOOTPRINTS + 1];
    int step_count;  // 0: no candidate is inside the area, and there are no objects
    bool count_only; // of the request: no step writes to the buffer `objects`
    // Private.
    struct FiloPlacementPlanFootprint {
        bool computed, wanted;
        double margin;
        int32_t first_x, first_y, columns, rows;
        uint32_t groups, masks, winners; // words in scratch
        uint32_t x_table, y_table, clearings, pins;
        uint32_t clearing_count, pin_count;
    } footprints[FILO_PLACEMENT_FOOTPRINTS];
    uint32_t masks, prefix, sums, shift;
    double reference_x, reference_y;
} FiloPlacementPlan;

// Checks the request and allocates nothing. Fails as filo_placement_compute does, and with FILO_ERROR_UNSUPPORTED for a
// request with windows. `jobs` and `path` of the request are ignored.
FiloResult filo_placement_plan(FiloPlacementPlan *plan, const FiloPlacement *placement,
                               const FiloPlacementRequest *request);
// Writes the buffer `tables`, of plan.table_size bytes. The request is that of the plan.
void filo_placement_plan_tables(const FiloPlacementPlan *plan, const FiloPlacementRequest *request,
                                void *into);
// Completes what the shaders wrote to `counts`: first[n] is the index of the first object of layer n, and all from the
// last layer on are the number of objects.
void filo_placement_plan_first(const FiloPlacementPlan *plan, const uint32_t *counts,
                               size_t first[FILO_PLACEMENT_FOOTPRINTS * FILO_PLACEMENT_LAYERS + 1]);
// Makes a result of it, as filo_placement_compute would have. Copies the objects. FILO_ERROR_MEMORY, with an empty result.
FiloResult filo_placement_plan_result(const FiloPlacementPlan *plan, const uint32_t *counts,
                                      const FiloPlaced *objects, FiloPlacementResult *result);

FILO_END_DECLS

#endif
