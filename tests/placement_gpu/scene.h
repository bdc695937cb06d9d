// Devices and computations for the tests of placement on the GPU.

#ifndef FILO_TESTS_PLACEMENT_GPU_SCENE_H
#define FILO_TESTS_PLACEMENT_GPU_SCENE_H

#include "gpu/compute.h"
#include "placement/forest.h"

#include <filo/placement_gpu.h>

static inline FiloPlacement *make_placement(const FiloPlacementDesc *desc) {
    FiloPlacement *placement = NULL;
    assert_ok(filo_placement_create(&placement, desc));
    return placement;
}

static inline FiloPlacementGpu *make_on_gpu(FiloGpu *gpu, const FiloPlacement *placement, bool gpu_memory) {
    FiloPlacementGpu *pgpu = NULL;
    assert_ok(filo_placement_gpu_create(
        &pgpu, gpu, &(FiloPlacementGpuDesc){ .placement = placement, .gpu_memory = gpu_memory }));
    return pgpu;
}

static inline FiloPlacementGpuFuture start(FiloPlacementGpu *pgpu, const FiloPlacementRequest *request) {
    FiloPlacementGpuFuture future;
    assert_ok(filo_placement_gpu_start(&future, pgpu, request));
    return future;
}

static inline FiloPlacementGpuResult take(FiloPlacementGpu *pgpu, FiloPlacementGpuFuture future) {
    FiloPlacementGpuResult result;
    assert_ok(filo_placement_gpu_take(pgpu, future, &result));
    return result;
}

// Fails unless the result of the GPU has the bytes of the CPU's. Returns how many objects there are.
static inline size_t assert_as_cpu(FiloPlacementGpu *pgpu, const FiloPlacement *placement,
                                   const FiloPlacementRequest *request, FiloPlacementGpuResult *result) {
    FiloPlacementResult expected = { 0 }, converted = { 0 };
    FiloPlacementRequest scalar = *request;
    scalar.path = FILO_PLACEMENT_SCALAR;
    assert_ok(filo_placement_compute(placement, &scalar, &expected));
    assert_ok(filo_placement_gpu_convert(pgpu, result, &converted));
    assert_int_equal(result->count, expected.count);
    assert_int_equal(converted.count, expected.count);
    assert_int_equal(converted.candidates, expected.candidates);
    assert_memory_equal(result->first, expected.first, sizeof expected.first);
    assert_memory_equal(converted.first, expected.first, sizeof expected.first);
    if (expected.count > 0)
        assert_memory_equal(converted.objects, expected.objects, expected.count * sizeof(FiloPlaced));
    size_t count = expected.count;
    filo_placement_result_free(&expected);
    filo_placement_result_free(&converted);
    filo_placement_gpu_release(pgpu, result);
    return count;
}

// Computes on both.
static inline size_t compare_with_cpu(FiloPlacementGpu *pgpu, const FiloPlacement *placement,
                                      const FiloPlacementRequest *request) {
    FiloPlacementGpuResult result = take(pgpu, start(pgpu, request));
    return assert_as_cpu(pgpu, placement, request, &result);
}

#endif
