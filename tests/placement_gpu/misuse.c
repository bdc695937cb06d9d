// What is refused: devices without shaders, requests that are too large, mistakes, and running out of memory.

#include "placement_gpu/scene.h"

#include "support/failing_allocator.h"

#include "placement_gpu/placement_gpu.h"

#include <filo/threads.h>

static FiloPlacement *placement;
static Forest *forest;

static void open_forest(void) {
    forest = forest_new(2);
    assert_non_null(forest);
    placement = make_placement(&forest->desc);
}

static void close_forest(void) {
    filo_placement_destroy(placement);
    free(forest);
}

static void assert_refused(FiloResult result, FiloCode code, const char *text) {
    assert_int_equal(result.code, code);
    if (strstr(result.message, text) == NULL)
        fail_msg("\"%s\" does not contain \"%s\"", result.message, text);
}

FILO_TEST(the_null_device_is_refused) {
    open_forest();
    FiloGpu *gpu = null_device();
    FiloPlacementGpu *pgpu = (FiloPlacementGpu *)(void *)gpu;
    assert_refused(filo_placement_gpu_create(&pgpu, gpu, &(FiloPlacementGpuDesc){ .placement = placement }),
                   FILO_ERROR_UNSUPPORTED,
                   "the null device runs no shaders: use filo_placement_compute, which gives the same bytes");
    assert_null(pgpu);
    filo_gpu_destroy(gpu);
    close_forest();
}

static void old_device(FiloGpu *gpu) {
    open_forest();
    FiloPlacementGpu *pgpu;
    assert_refused(filo_placement_gpu_create(&pgpu, gpu, &(FiloPlacementGpuDesc){ .placement = placement }),
                   FILO_ERROR_UNSUPPORTED, "has no compute shaders on this device");
    assert_null(pgpu);
    close_forest();
}
FILO_TEST(a_device_without_compute_shaders_is_refused) { on_device(FILO_GPU_GL33, old_device); }

static void mistakes(FiloGpu *gpu) {
    open_forest();
    FiloPlacementGpu *pgpu;
    FiloPlacementGpuFuture future;
    FiloPlacementGpuResult result;
    FiloPlacementResult converted = { 0 };
    expect_mistake("pass a device, and a description with a placement",
                   filo_placement_gpu_create(&pgpu, gpu, &(FiloPlacementGpuDesc){ 0 }));
    expect_mistake("pass a pointer", filo_placement_gpu_create(NULL, gpu, NULL));
    pgpu = make_on_gpu(gpu, placement, false);
    FiloPlacementRequest request = { .area = { 0, 0, 50, 50 } };
    expect_mistake("pass a pointer for the future", filo_placement_gpu_start(NULL, pgpu, &request));
    expect_mistake("pass a placement and a request", filo_placement_gpu_start(&future, pgpu, NULL));
    expect_mistake("pass what filo_placement_gpu_create made",
                   filo_placement_gpu_start(&future, NULL, &request));
    expect_mistake("that has not been taken",
                   filo_placement_gpu_take(pgpu, (FiloPlacementGpuFuture){ 0 }, &result));
    expect_mistake("pass a result to fill",
                   filo_placement_gpu_take(pgpu, (FiloPlacementGpuFuture){ 1 }, NULL));
    expect_mistake("a rectangle of -1 × 3 texels", filo_placement_gpu_map_changed(pgpu, 0, 0, 0, -1, 3));
    expect_mistake("there is no map 99", filo_placement_gpu_map_changed(pgpu, 99, 0, 0, 1, 3));
    expect_mistake("there is no map -1", filo_placement_gpu_map_changed(pgpu, -1, 0, 0, 0, 0));
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .label = "draws", .width = 8, .height = 8 });
    expect_mistake("filo_placement_gpu_start: end the pass first",
                   filo_placement_gpu_start(&future, pgpu, &request));
    assert_int_equal(future.id, 0);
    filo_gpu_end_pass(gpu);
    expect_mistake("that has not been released", filo_placement_gpu_convert(pgpu, NULL, &converted));
    result = (FiloPlacementGpuResult){ .id = 4711 };
    expect_fault("that has not been released",
                 (void)filo_placement_gpu_copy_to_buffer(pgpu, &result, -1, 0, 1, (FiloBuffer){ 0 }, 0));
    filo_placement_gpu_destroy(pgpu);
    close_forest();
}
FILO_TEST(mistakes_are_reported_and_harmless) { on_45(mistakes); }

// All functions, called on a thread that does not have the context.
typedef struct Stranger {
    FiloGpu *gpu;
    FiloPlacementGpu *pgpu;
    FiloPlacementGpuFuture running;
    FiloPlacementGpuResult taken;
    bool refused;
} Stranger;

static void call_as_stranger(void *user) {
    Stranger *s = user;
    FiloPlacementGpu *pgpu = s->pgpu;
    FiloPlacementRequest request = { .area = { 0, 0, 50, 50 } };
    FiloPlacementGpuResult result;
    FiloPlacementGpuFuture future;
    FiloPlacementResult converted = { 0 };
    FiloPlaced objects[4];
    FiloResult results[] = {
        filo_placement_gpu_create(&pgpu, s->gpu, &(FiloPlacementGpuDesc){ .placement = placement }),
        filo_placement_gpu_start(&future, s->pgpu, &request),
        filo_placement_gpu_take(s->pgpu, s->running, &result),
        filo_placement_gpu_map_changed(s->pgpu, 1, 0, 0, 4, 4),
        filo_placement_gpu_convert(s->pgpu, &s->taken, &converted),
    };
    s->refused = pgpu == NULL && future.id == 0 && converted.objects == NULL;
    for (size_t i = 0; i < FILO_COUNT_OF(results); i++)
        s->refused = s->refused && results[i].code == FILO_ERROR_ARGUMENT;
    s->refused = filo_placement_gpu_ready(s->pgpu, s->running) && s->refused;
    filo_placement_gpu_wait(s->pgpu, s->running);
    filo_placement_gpu_cancel(s->pgpu, s->running);
    s->refused = !filo_placement_gpu_copy(s->pgpu, &s->taken, -1, 0, 4, objects) && s->refused;
    FiloPlacementGpuResult copy = s->taken;
    filo_placement_gpu_release(s->pgpu, &copy);
    filo_placement_gpu_destroy(s->pgpu);
}

static void another_thread(FiloGpu *gpu) {
    open_forest();
    FiloPlacementRequest request = { .area = { 0, 0, 50, 50 } };
    Stranger s = { .gpu = gpu, .pgpu = make_on_gpu(gpu, placement, true) };
    s.running = start(s.pgpu, &request);
    s.taken = take(s.pgpu, start(s.pgpu, &request));
    FiloThread thread;
    expect_faults(11, "placement on the GPU belongs to the thread of its device: call its functions there", {
        assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = call_as_stranger, .user = &s }));
        filo_thread_join(&thread);
    });
    assert_true(s.refused);
    // Nothing has changed.
    assert_true(assert_as_cpu(s.pgpu, placement, &request, &s.taken) > 100);
    FiloPlacementGpuResult result = take(s.pgpu, s.running);
    assert_true(assert_as_cpu(s.pgpu, placement, &request, &result) > 100);
    filo_placement_gpu_destroy(s.pgpu);
    close_forest();
}
FILO_TEST(calls_on_another_thread_are_reported_and_do_nothing) { on_45(another_thread); }

// A release build goes on after the report: the placement lives as long as what uses it.
static void destroyed_first(FiloGpu *gpu) {
    open_forest();
    FiloPlacementRequest request = { .area = { 0, 0, 50, 50 } };
    FiloPlacementGpu *pgpu = make_on_gpu(gpu, placement, false);
    FiloPlacementGpuResult result = take(pgpu, start(pgpu, &request));
    expect_fault("filo_placement_destroy: 1 objects use it; destroy them first",
                 filo_placement_destroy(placement));
    assert_true(assert_as_cpu(pgpu, placement, &request, &result) > 100);
    filo_placement_gpu_destroy(pgpu);
    free(forest);
}
FILO_TEST(a_placement_that_is_destroyed_too_early_stays_for_its_users) { on_45(destroyed_first); }

static void requests(FiloGpu *gpu) {
    open_forest();
    FiloPlacementGpu *pgpu = make_on_gpu(gpu, placement, false);
    FiloPlacementGpuFuture future = { 5 };
    FiloMapWindow window = { .map = 1, .window = forest_bytes(forest, 1) };
    FiloPlacementRequest request = { .area = { 0, 0, 50, 50 }, .windows = &window, .window_count = 1 };
    assert_refused(filo_placement_gpu_start(&future, pgpu, &request), FILO_ERROR_UNSUPPORTED,
                   "and no windows");
    assert_int_equal(future.id, 0);
    request = (FiloPlacementRequest){ .area = { 10, 0, 5, 50 } };
    assert_refused(filo_placement_gpu_start(&future, pgpu, &request), FILO_ERROR_DATA, "is empty");
    request.area = (FiloPlacementArea){ 0, 0, 1e7, 1e7 };
    assert_refused(filo_placement_gpu_start(&future, pgpu, &request), FILO_ERROR_LIMIT, "divide it");
    // More than a buffer of this device may have.
    ((FiloGpuLimits *)(uintptr_t)filo_gpu_limits(gpu))->storage_size = 1 << 20;
    request.area = (FiloPlacementArea){ 0, 0, 1500, 1500 };
    assert_refused(filo_placement_gpu_start(&future, pgpu, &request), FILO_ERROR_LIMIT,
                   "and the GPU has 1048576: divide it");
    request.area = (FiloPlacementArea){ 0, 0, 300, 300 };
    assert_true(compare_with_cpu(pgpu, placement, &request) > 1000);
    filo_placement_gpu_destroy(pgpu);
    ((FiloGpuLimits *)(uintptr_t)filo_gpu_limits(gpu))->storage_size = 1 << 10;
    assert_refused(filo_placement_gpu_create(&pgpu, gpu, &(FiloPlacementGpuDesc){ .placement = placement }),
                   FILO_ERROR_LIMIT, "the maps of a placement have");
    close_forest();
}
FILO_TEST(requests_that_are_too_large_or_have_windows_are_refused) { on_45(requests); }

// What a driver leaves behind after it has failed.
static void nonsense(FiloGpu *gpu) {
    open_forest();
    FiloPlacementGpu *pgpu = make_on_gpu(gpu, placement, false);
    FiloPlacementRequest request = { .area = { 0, 0, 50, 50 } };
    FiloPlacementGpuFuture future = start(pgpu, &request);
    uint32_t counts[4] = { UINT32_MAX, 1, 2, 3 };
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof counts, counts);
    filo_gpu_buffer_copy(gpu, pgpu->slots[0]->counts.buffer, 0, buffer, 0, sizeof counts);
    FiloPlacementGpuResult result;
    assert_refused(filo_placement_gpu_take(pgpu, future, &result), FILO_ERROR_IO, "the context was lost");
    assert_int_equal(result.count, 0);
    assert_true(compare_with_cpu(pgpu, placement, &request) > 100); // the slot is used again
    filo_placement_gpu_destroy(pgpu);
    close_forest();
}
FILO_TEST(a_count_that_cannot_be_is_an_error) { on_45(nonsense); }

static FiloResult use_all(FiloGpu *gpu, const FiloAllocator *allocator) {
    FiloPlacementGpu *pgpu;
    FiloPlacementGpuFuture futures[10] = { 0 };
    FiloResult r = filo_placement_gpu_create(
        &pgpu, gpu,
        &(FiloPlacementGpuDesc){ .placement = placement, .gpu_memory = true, .allocator = allocator });
    for (int i = 0; i < 10 && r.code == FILO_OK; i++)
        r = filo_placement_gpu_start(&futures[i], pgpu,
                                     &(FiloPlacementRequest){ .area = { 0, 0, 20 + 10 * i, 20 } });
    if (r.code == FILO_OK) r = filo_placement_gpu_map_changed(pgpu, 1, 0, 0, FOREST_SIDE, FOREST_SIDE);
    if (r.code == FILO_OK) {
        FiloPlacementGpuResult result = take(pgpu, futures[9]);
        FiloPlacementResult converted = { 0 };
        r = filo_placement_gpu_convert(pgpu, &result, &converted);
        filo_placement_result_free(&converted);
        filo_placement_gpu_release(pgpu, &result);
    }
    filo_placement_gpu_destroy(pgpu);
    return r;
}

static void scarce(FiloGpu *gpu) {
    open_forest();
    bool more = true;
    int refused = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloResult r = use_all(gpu, &failing.allocator);
        more = failing.calls > fail_at;
        if (more) {
            assert_int_equal(r.code, FILO_ERROR_MEMORY);
            assert_non_null(strstr(r.message, "no memory"));
            refused++;
        } else {
            assert_ok(r);
        }
        assert_int_equal(failing.blocks, 0);
        assert_int_equal(filo_gpu_stats_now(gpu).buffer_memory, 0);
    }
    assert_true(refused > 10);
    close_forest();
}
FILO_TEST(without_memory_there_is_an_error_and_no_leak) { on_45(scarce); }

// ---- Shaders for others -------------------------------------------------------------------------------------

FILO_TEST(a_text_that_does_not_fit_is_measured) {
    open_forest();
    char text[100];
    for (FiloPlacementShader shader = FILO_SHADER_EVALUATE; shader <= FILO_SHADER_WRITE; shader++) {
        size_t length = filo_placement_shader_text(placement, shader, 0, 0, NULL, 0);
        assert_true(length > sizeof text);
        assert_int_equal(filo_placement_shader_text(placement, shader, 0, 0, text, sizeof text), length);
        assert_int_equal(strlen(text), sizeof text - 1);
        char *all = malloc(length + 1);
        assert_int_equal(filo_placement_shader_text(placement, shader, 0, 0, all, length + 1), length);
        assert_int_equal(strlen(all), length);
        assert_memory_equal(all, text, sizeof text - 1);
        free(all);
    }
    expect_fault("there are 1 footprints, and no number 1",
                 (void)filo_placement_shader_text(placement, FILO_SHADER_WRITE, 1, 0, text, sizeof text));
    expect_fault("there is no shader 7", (void)filo_placement_shader_text(placement, (FiloPlacementShader)7,
                                                                          0, 0, text, sizeof text));
    close_forest();
}

FILO_TEST(a_plan_without_candidates_has_an_empty_result) {
    open_forest();
    FiloPlacementPlan plan;
    FiloPlacementRequest request = { .area = { 5, 5, 5.0000001, 5.0000001 } };
    assert_ok(filo_placement_plan(&plan, placement, &request));
    assert_int_equal(plan.step_count, 0);
    FiloPlacementResult result = { 0 };
    assert_ok(filo_placement_plan_result(&plan, NULL, NULL, &result));
    assert_int_equal(result.count, 0);
    assert_int_equal(result.first[1], 0);
    expect_mistake("pass a plan", filo_placement_plan_result(NULL, NULL, NULL, &result));
    expect_mistake("pass the objects",
                   filo_placement_plan_result(&(FiloPlacementPlan){ .placement = placement, .step_count = 1 },
                                              (const uint32_t[]){ 3, 0, 0, 0, 0, 0 }, NULL, &result));
    filo_placement_result_free(&result);
    close_forest();
}
