// Computations under way, their results, copies, and maps that change.

#include "placement_gpu/scene.h"

#include <epoxy/gl.h>

// A forest on the GPU.
typedef struct Site {
    Forest *forest;
    FiloPlacement *placement;
    FiloPlacementGpu *pgpu;
} Site;

static Site open_site(FiloGpu *gpu, bool gpu_memory) {
    Site site = { .forest = forest_new(3) };
    assert_non_null(site.forest);
    site.placement = make_placement(&site.forest->desc);
    site.pgpu = make_on_gpu(gpu, site.placement, gpu_memory);
    return site;
}

static void close_site(Site *site) {
    filo_placement_gpu_destroy(site->pgpu);
    filo_placement_destroy(site->placement);
    free(site->forest);
}

static FiloPlacementRequest request_of(int i) {
    return (FiloPlacementRequest){ .area = { 10.0 * i, 5, 10.0 * i + 40, 60.0 + 7 * i } };
}

static void in_flight(FiloGpu *gpu) {
    enum { COUNT = 7 };
    Site site = open_site(gpu, false);
    for (int round = 0; round < 2; round++) {
        FiloPlacementGpuFuture futures[COUNT];
        FiloPlacementGpuResult results[COUNT];
        for (int i = 0; i < COUNT; i++) {
            FiloPlacementRequest request = request_of(i);
            futures[i] = start(site.pgpu, &request);
        }
        for (int i = COUNT - 1; i >= 0; i--) { // the last one first
            filo_placement_gpu_wait(site.pgpu, futures[i]);
            assert_true(filo_placement_gpu_ready(site.pgpu, futures[i]));
            results[i] = take(site.pgpu, futures[i]);
        }
        for (int i = 0; i < COUNT; i++) {
            FiloPlacementRequest request = request_of(i);
            assert_true(assert_as_cpu(site.pgpu, site.placement, &request, &results[i]) > 50);
        }
    }
    close_site(&site);
}
FILO_TEST(several_computations_may_be_under_way_and_taken_in_any_order) { on_45(in_flight); }

static void reused(FiloGpu *gpu) {
    Site site = open_site(gpu, false);
    FiloPlacementRequest request = request_of(1);
    compare_with_cpu(site.pgpu, site.placement, &request);
    size_t memory = filo_gpu_stats_now(gpu).buffer_memory;
    for (int i = 0; i < 20; i++) {
        FiloPlacementGpuFuture future = start(site.pgpu, &request);
        if (i % 2 == 0) {
            filo_placement_gpu_wait(site.pgpu, future);
            filo_placement_gpu_cancel(site.pgpu, future);
        } else {
            FiloPlacementGpuResult result = take(site.pgpu, future);
            filo_placement_gpu_release(site.pgpu, &result);
            assert_int_equal(result.id, 0);
            assert_null(result.objects);
        }
    }
    assert_int_equal(filo_gpu_stats_now(gpu).buffer_memory, memory);
    close_site(&site);
    assert_int_equal(filo_gpu_stats_now(gpu).buffer_memory, 0);
}
FILO_TEST(buffers_are_used_again) { on_45(reused); }

static void taken_once(FiloGpu *gpu) {
    Site site = open_site(gpu, false);
    FiloPlacementRequest request = request_of(0);
    FiloPlacementGpuFuture future = start(site.pgpu, &request);
    FiloPlacementGpuResult result = take(site.pgpu, future), copy = result, none;
    expect_mistake("that has not been taken", filo_placement_gpu_take(site.pgpu, future, &none));
    expect_fault("that has not been taken", filo_placement_gpu_wait(site.pgpu, future));
    expect_fault("that has not been taken", filo_placement_gpu_cancel(site.pgpu, future));
    expect_fault("that has not been taken", assert_true(filo_placement_gpu_ready(site.pgpu, future)));
    filo_placement_gpu_release(site.pgpu, &result);
    filo_placement_gpu_release(site.pgpu, &result); // all zero
    expect_fault("has been released already", filo_placement_gpu_release(site.pgpu, &copy));
    // The slot is used again, and the old names are not valid for it.
    FiloPlacementGpuFuture next = start(site.pgpu, &request);
    assert_int_not_equal(next.id, future.id);
    expect_mistake("that has not been taken", filo_placement_gpu_take(site.pgpu, future, &none));
    filo_placement_gpu_cancel(site.pgpu, next);
    expect_mistake("that has not been taken", filo_placement_gpu_take(site.pgpu, next, &none));
    FiloPlacementGpuFuture left = start(site.pgpu, &request); // destroyed while it is under way
    assert_int_not_equal(left.id, 0);
    close_site(&site);
}
FILO_TEST(a_future_is_taken_once) { on_45(taken_once); }

// ---- Copies -------------------------------------------------------------------------------------------------

static void copies(FiloGpu *gpu, bool gpu_memory) {
    Site site = open_site(gpu, gpu_memory);
    FiloPlacementRequest request = request_of(2);
    FiloPlacementResult cpu = { 0 };
    assert_ok(filo_placement_compute(site.placement, &request, &cpu));
    FiloPlacementGpuResult result = take(site.pgpu, start(site.pgpu, &request));
    assert_true(gpu_memory == (result.objects == NULL));
    assert_int_equal(result.count, cpu.count);
    assert_true(result.area.x1 == request.area.x1 && result.candidates == cpu.candidates);
    FiloPlaced *all = malloc((cpu.count + 1) * sizeof *all), *layer = malloc((cpu.count + 1) * sizeof *all);
    assert_true(filo_placement_gpu_copy(site.pgpu, &result, -1, 0, cpu.count, all));
    assert_memory_equal(all, cpu.objects, cpu.count * sizeof *all);
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, (cpu.count + 1) * sizeof *all, NULL);
    for (int l = 0; l < 5; l++) { // the last one does not exist
        size_t count = filo_placement_result_count(&cpu, (size_t)l);
        assert_int_equal(filo_placement_gpu_count(&result, (size_t)l), count);
        memset(all, 0, cpu.count * sizeof *all);
        assert_true(filo_placement_gpu_copy(site.pgpu, &result, l, 0, count, all));
        assert_true(filo_placement_gpu_copy_to_buffer(site.pgpu, &result, l, 0, count, buffer, 16));
        if (count == 0) continue;
        assert_memory_equal(all, cpu.objects + cpu.first[l], count * sizeof *all);
        filo_gpu_buffer_read(gpu, buffer, 16, layer, count * sizeof *all);
        assert_memory_equal(all, layer, count * sizeof *all);
    }
    // Ranges, and those that are not there.
    all[3] = (FiloPlaced){ .layer = 77 };
    assert_true(filo_placement_gpu_copy(site.pgpu, &result, 1, 2, 3, all));
    assert_memory_equal(all, cpu.objects + cpu.first[1] + 2, 3 * sizeof *all);
    assert_int_equal(all[3].layer, 77);
    assert_true(filo_placement_gpu_copy_to_buffer(site.pgpu, &result, -1, cpu.count - 2, 2, buffer, 48));
    filo_gpu_buffer_read(gpu, buffer, 48, layer, 2 * sizeof *all);
    assert_memory_equal(layer, cpu.objects + cpu.count - 2, 2 * sizeof *all);
    assert_true(filo_placement_gpu_copy(site.pgpu, &result, -1, cpu.count, 0, NULL));
    char sentence[96];
    snprintf(sentence, sizeof sentence, "3 objects from %zu on: there are %zu of layer -1", cpu.count - 2,
             cpu.count);
    expect_fault(sentence, filo_placement_gpu_copy(site.pgpu, &result, -1, cpu.count - 2, 3, all));
    expect_fault("1 objects from 0 on: there are 0 of layer 4",
                 filo_placement_gpu_copy_to_buffer(site.pgpu, &result, 4, 0, 1, buffer, 0));
    assert_int_equal(filo_placement_gpu_count(&result, 100000), 0);
    // The GL name of the buffer, for other libraries.
    GLuint name = (GLuint)filo_gpu_buffer_native(gpu, result.buffer);
    glGetNamedBufferSubData(name, 0, (GLsizeiptr)(cpu.count * sizeof *all), all);
    assert_memory_equal(all, cpu.objects, cpu.count * sizeof *all);
    filo_placement_gpu_release(site.pgpu, &result);
    expect_fault("that has not been released", filo_placement_gpu_copy(site.pgpu, &result, -1, 0, 1, all));
    free(all), free(layer);
    filo_gpu_buffer_destroy(gpu, buffer);
    filo_placement_result_free(&cpu);
    close_site(&site);
}
static void counted(FiloGpu *gpu) {
    Site site = open_site(gpu, false);
    FiloPlacementRequest request = request_of(2);
    FiloPlacementResult cpu = { 0 }, converted = { 0 };
    assert_ok(filo_placement_compute(site.placement, &request, &cpu));
    request.count_only = true;
    FiloPlacementGpuResult result = take(site.pgpu, start(site.pgpu, &request));
    assert_int_equal(result.count, cpu.count);
    assert_memory_equal(result.first, cpu.first, sizeof cpu.first);
    assert_true(result.objects == NULL && result.buffer.id == 0);
    FiloPlaced object;
    expect_fault("the objects were only counted: leave out .count_only",
                 filo_placement_gpu_copy(site.pgpu, &result, -1, 0, 1, &object));
    assert_ok(filo_placement_gpu_convert(site.pgpu, &result, &converted));
    assert_true(converted.count == cpu.count && converted.objects == NULL);
    filo_placement_gpu_release(site.pgpu, &result);
    request.count_only = false; // in the same slot
    compare_with_cpu(site.pgpu, site.placement, &request);
    filo_placement_result_free(&cpu);
    filo_placement_result_free(&converted);
    close_site(&site);
}
FILO_TEST(counting_alone_has_no_buffer_of_objects) { on_45(counted); }

static void copies_of_memory(FiloGpu *gpu) { copies(gpu, false); }
static void copies_of_gpu_memory(FiloGpu *gpu) { copies(gpu, true); }
FILO_TEST(results_are_copied_by_layer) { on_45(copies_of_memory); }
FILO_TEST(results_in_gpu_memory_are_copied_by_layer) { on_45(copies_of_gpu_memory); }

static void positions(FiloGpu *gpu) {
    Site site = open_site(gpu, false);
    FiloPlacementRequest request = { .area = { -100050, 99980, -100000, 100020 } };
    FiloPlacementGpuResult result = take(site.pgpu, start(site.pgpu, &request));
    FiloPlacementResult converted = { 0 };
    assert_ok(filo_placement_gpu_convert(site.pgpu, &result, &converted));
    filo_placement_gpu_release(site.pgpu, &result); // what was converted is independent
    assert_true(converted.count > 100);
    for (size_t i = 0; i < converted.count; i++) {
        FiloPlacementPosition at = filo_placement_position(&converted, &converted.objects[i]);
        assert_true(at.x >= -100050 && at.x < -100000 && at.y >= 99980 && at.y < 100020);
        FiloPlacementId id = filo_placement_id(&converted, &converted.objects[i]);
        assert_true(filo_placement_id_position(site.placement, id).x == at.x);
    }
    filo_placement_result_free(&converted);
    close_site(&site);
}
FILO_TEST(a_converted_result_knows_positions_and_names) { on_45(positions); }

// ---- Other users of the context -----------------------------------------------------------------------------

static GLint get(GLenum name) {
    GLint value = -1;
    glGetIntegerv(name, &value);
    return value;
}

static GLint get_indexed(GLenum name, GLuint index) {
    GLint value = -1;
    glGetIntegeri_v(name, index, &value);
    return value;
}

// State of an application, and what a computation leaves of it.
static void shared_context(FiloGpu *gpu) {
    Site site = open_site(gpu, false);
    GLuint buffer, array, texture;
    glCreateBuffers(1, &buffer);
    glNamedBufferStorage(buffer, 1 << 20, NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateVertexArrays(1, &array);
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBindBufferBase(GL_UNIFORM_BUFFER, 2, buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, buffer);
    glBindTextureUnit(4, texture);
    glEnable(GL_SCISSOR_TEST);
    glViewport(1, 2, 3, 4);
    FiloPlacementRequest request = request_of(1);
    FiloPlacementGpuResult result = take(site.pgpu, start(site.pgpu, &request));
    assert_int_equal(get(GL_VERTEX_ARRAY_BINDING), array);
    assert_int_equal(get(GL_ARRAY_BUFFER_BINDING), buffer);
    assert_int_equal(get(GL_COPY_WRITE_BUFFER_BINDING), buffer);
    assert_int_equal(get_indexed(GL_UNIFORM_BUFFER_BINDING, 2), buffer);
    assert_int_equal(get_indexed(GL_SHADER_STORAGE_BUFFER_BINDING, 5), buffer);
    assert_int_equal(get_indexed(GL_TEXTURE_BINDING_2D, 4), texture);
    assert_true(glIsEnabled(GL_SCISSOR_TEST));
    GLint viewport[4];
    glGetIntegerv(GL_VIEWPORT, viewport);
    assert_memory_equal(viewport, ((GLint[]){ 1, 2, 3, 4 }), sizeof viewport);
    assert_int_equal(get(GL_DRAW_FRAMEBUFFER_BINDING), 0);
    assert_int_equal(get(GL_CURRENT_PROGRAM), 0);
    for (GLuint i = 0; i < 5; i++) assert_int_equal(get_indexed(GL_SHADER_STORAGE_BUFFER_BINDING, i), 0);
    // The application's buffer as a target.
    FiloBuffer target;
    assert_ok(filo_gpu_buffer_create(
        &target, gpu, &(FiloBufferDesc){ .label = "theirs", .use = FILO_BUFFER_STORAGE, .native = buffer }));
    assert_true(result.count > 100 && result.count * sizeof(FiloPlaced) < 1 << 20);
    filo_placement_gpu_copy_to_buffer(site.pgpu, &result, -1, 0, result.count, target, 0);
    FiloPlaced *copied = malloc(result.count * sizeof *copied);
    glGetNamedBufferSubData(buffer, 0, (GLsizeiptr)(result.count * sizeof *copied), copied);
    assert_memory_equal(copied, result.objects, result.count * sizeof *copied);
    free(copied);
    filo_placement_gpu_release(site.pgpu, &result);
    filo_gpu_buffer_destroy(gpu, target);
    glDeleteBuffers(1, &buffer);
    glDeleteVertexArrays(1, &array);
    glDeleteTextures(1, &texture);
    close_site(&site);
}
FILO_TEST(state_of_the_context_that_is_not_documented_as_changed_stays) { on_45(shared_context); }

// ---- Maps that change ---------------------------------------------------------------------------------------

static void painted(FiloGpu *gpu) {
    Site site = open_site(gpu, false);
    FiloPlacementRequest request = { .area = { 0, 0, 300, 300 } };
    int map = filo_placement_map_find(site.placement, "layer 0");
    assert_true(map > 0);
    FiloPlacementGpuFuture before = start(site.pgpu, &request);
    FiloPlacementResult expected = { 0 };
    assert_ok(filo_placement_compute(site.placement, &request, &expected));
    for (int y = 30; y < 70; y++) memset(site.forest->bytes[0] + y * FOREST_SIDE + 20, 255, 50);
    // Not uploaded: the GPU has the old values.
    FiloPlacementGpuResult result = take(site.pgpu, start(site.pgpu, &request));
    assert_int_equal(result.count, expected.count);
    filo_placement_gpu_release(site.pgpu, &result);
    assert_ok(filo_placement_gpu_map_changed(site.pgpu, map, 20, 30, 50, 40));
    result = take(site.pgpu, before); // was started before
    assert_int_equal(result.count, expected.count);
    assert_memory_equal(result.objects, expected.objects, expected.count * sizeof(FiloPlaced));
    filo_placement_gpu_release(site.pgpu, &result);
    assert_true(compare_with_cpu(site.pgpu, site.placement, &request) > expected.count + 100);
    // The heightmap, beyond its border too.
    memset(site.forest->words, 99, sizeof site.forest->words);
    assert_ok(filo_placement_gpu_map_changed(site.pgpu, 0, 0, 0, FOREST_SIDE + 10, FOREST_SIDE + 10));
    assert_ok(filo_placement_gpu_map_changed(site.pgpu, 0, 0, FOREST_SIDE + 10, 10, 10));
    compare_with_cpu(site.pgpu, site.placement, &request);
    filo_placement_result_free(&expected);
    close_site(&site);
}
FILO_TEST(painted_maps_are_uploaded_again) { on_45(painted); }
