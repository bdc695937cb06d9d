// Creating a device: without a context, with one that is too old, without memory.

#include "gpu/scene.h"
#include "support/failing_allocator.h"

#include <epoxy/gl.h>
#include <stdlib.h>

FILO_TEST(without_a_context_there_is_a_clear_error) {
    filo_test_gl_context_end();
    FiloGpu *gpu = (FiloGpu *)&gpu;
    assert_error(filo_gpu_create(&gpu, NULL), FILO_ERROR_UNSUPPORTED,
                 "no OpenGL context is current on this thread");
    assert_null(gpu);
    // Also if there was one before: then the libraries are loaded.
    filo_test_gl_context(3, 3);
    filo_test_gl_context_end();
    assert_error(filo_gpu_create(&gpu, NULL), FILO_ERROR_UNSUPPORTED,
                 "no OpenGL context is current on this thread");
}

FILO_TEST(the_best_device_is_taken) {
    filo_test_gl_context(4, 5);
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, NULL));
    assert_int_equal(filo_gpu_limits(gpu)->kind, FILO_GPU_GL45);
    filo_gpu_destroy(gpu);
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_GL33 }));
    assert_int_equal(filo_gpu_limits(gpu)->kind, FILO_GPU_GL33);
    filo_gpu_destroy(gpu);
}

// ---- Contexts of other versions, in processes of their own --------------------------------------------

FILO_TEST_PROGRAM(asks_for_devices_on_a_small_context) {
    filo_test_gl_context(3, 1);
    FiloGpu *gpu;
    FiloResult best = filo_gpu_create(&gpu, NULL);
    if (best.code == FILO_OK) {
        (void)printf("best: %s\n", filo_gpu_limits(gpu)->kind == FILO_GPU_GL33 ? "GL33" : "another");
        filo_gpu_destroy(gpu);
    } else {
        (void)printf("best: %s\n", best.message);
    }
    (void)printf("4.5: %s\n", filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_GL45 }).message);
}

static const FiloTestResult *run_on_version(const char *version) {
    static FiloTestResult outcome;
    filo_test_gl_context(3, 3); // skips where there is no GL at all
    filo_test_gl_context_end();
    filo_test_run(&outcome, &(FiloTestRun){ .program = "asks_for_devices_on_a_small_context",
                                            .environment = { version } });
    assert_int_equal(outcome.exit_code, 0);
    return &outcome;
}

FILO_TEST(where_there_is_no_4_5_there_is_3_3) {
    const FiloTestResult *outcome = run_on_version("MESA_GL_VERSION_OVERRIDE=3.3");
    assert_contains(outcome->output, "best: GL33\n");
    assert_contains(outcome->output, "4.5: OpenGL 4.5 was asked for, and the context has 3.3 (");
}

FILO_TEST(below_3_3_there_is_a_clear_error) {
    const FiloTestResult *outcome = run_on_version("MESA_GL_VERSION_OVERRIDE=3.1");
    assert_contains(outcome->output, "best: OpenGL 3.3 is needed, and the context has 3.1 (");
}

// ---- Errors of the driver -----------------------------------------------------------------------------

static int errors_logged(bool debug) {
    filo_test_gl_context(4, 5);
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .debug = debug }));
    (void)filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    LogCount log;
    log_count_begin(&log);
    glEnable(0xBAD);
    filo_gpu_end_frame(gpu);
    log_count_end(&log);
    (void)filo_log_set_filter(FILO_LOG_TERMINAL, "info");
    if (debug) assert_string_equal(log.last, "filo_gpu_end_frame: GL_INVALID_ENUM");
    filo_gpu_destroy(gpu);
    return log.count;
}

FILO_TEST(errors_are_logged_with_the_call_in_debug) {
    assert_true(errors_logged(true) >= 1);
    assert_int_equal(errors_logged(false), 0);
}

// ---- Other libraries use the context too --------------------------------------------------------------

static void change_state_between_passes(FiloGpu *gpu) {
    FiloPipeline pipeline = flat_pipeline(gpu, FILO_BLEND_NONE), pictures = picture_pipeline(gpu);
    FiloBuffer all = vertices(gpu, (float[]){ -1, -1, 3, -1, -1, 3 }, 6 * sizeof(float));
    FiloColor blue = BLUE_PIXEL;
    FiloTexture picture;
    assert_ok(
        filo_gpu_texture_create(&picture, gpu, &(FiloTextureDesc){ .width = 1, .height = 1, .data = &blue }));
    for (int i = 0; i < 2; i++) {
        begin_window(gpu, filo_vec4(0, 0, 0, 1));
        draw_picture(gpu, pictures, picture);
        filo_gpu_end_pass(gpu);
        assert_pixel(gpu, WINDOW, 3, 3, BLUE_PIXEL);
        begin_window(gpu, filo_vec4(0, 0, 0, 1));
        filo_gpu_use(gpu, pipeline);
        filo_gpu_set_vertices(gpu, 0, all, 0);
        filo_gpu_set_vec4(gpu, "color", filo_vec4(1, 0, 0, 1));
        filo_gpu_draw(gpu, 0, 3, 1);
        filo_gpu_end_pass(gpu);
        assert_pixel(gpu, WINDOW, 3, 3, RED_PIXEL);
        // State that another library may leave behind.
        glEnable(GL_BLEND);
        glBlendFunc(GL_ZERO, GL_ZERO);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, 1, 1);
        glEnable(GL_CULL_FACE);
        glCullFace(GL_FRONT_AND_BACK);
        glEnable(GL_DEPTH_TEST);
        glDepthFunc(GL_NEVER);
        glEnable(GL_STENCIL_TEST);
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        glUseProgram(0);
        glBindVertexArray(0);
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, 0);
        glViewport(0, 0, 1, 1);
    }
}
FILO_TEST(a_pass_does_not_depend_on_earlier_gl_state) { on_both(change_state_between_passes); }

// ---- Without memory -----------------------------------------------------------------------------------

// Creates one object of each kind and draws; true if nothing failed. What fails must return FILO_ERROR_MEMORY.
static bool do_everything(FiloGpu *gpu) {
    FiloBuffer buffer;
    FiloTexture texture;
    FiloPipeline pipeline;
    FiloGpuRing *ring;
    FiloGpuTimer timer;
    FiloRenderTarget target = { 0 };
    FiloResult r[7] = {
        filo_gpu_buffer_create(&buffer, gpu, &(FiloBufferDesc){ .size = 24, .data = (float[6]){ 0 } }),
        filo_gpu_texture_create(&texture, gpu,
                                &(FiloTextureDesc){ .width = 4, .height = 4, .layers = 1, .target = true }),
        filo_gpu_pipeline_create(&pipeline, gpu,
                                 &(FiloPipelineDesc){ .vertex = FLAT_VERTEX,
                                                      .fragment = FLAT_FRAGMENT,
                                                      .attributes = { { FILO_ATTRIBUTE_FLOAT2, 0, 0 } },
                                                      .buffers = { { 8, false } } }),
        filo_gpu_ring_create(&ring, gpu, &(FiloRingDesc){ .size = 256 }),
        filo_gpu_timer_create(&timer, gpu, "t"),
    };
    if (texture.id != 0) {
        r[5] = filo_gpu_target_create(&target, gpu, &(FiloRenderTargetDesc){ .color = texture });
        r[6] = filo_gpu_texture_grow(gpu, texture, 2);
    }
    bool all_ok = true;
    for (size_t i = 0; i < FILO_COUNT_OF(r); i++) {
        assert_true(r[i].code == FILO_OK || r[i].code == FILO_ERROR_MEMORY);
        all_ok = all_ok && r[i].code == FILO_OK;
    }
    assert_int_equal(buffer.id != 0, r[0].code == FILO_OK);
    assert_int_equal(texture.id != 0, r[1].code == FILO_OK);
    assert_int_equal(pipeline.id != 0, r[2].code == FILO_OK);
    assert_int_equal(ring != NULL, r[3].code == FILO_OK);
    assert_int_equal(timer.id != 0, r[4].code == FILO_OK);
    if (texture.id != 0) assert_int_equal(target.id != 0, r[5].code == FILO_OK);
    for (int i = 0; ring != NULL && i < 5; i++) {
        FiloRingPiece piece;
        for (int j = 0; j < 2; j++) {
            if (!filo_gpu_ring_take(gpu, ring, 256, &piece)) {
                assert_null(piece.memory);
                all_ok = false;
                continue;
            }
            memset(piece.memory, i, 256);
            filo_gpu_ring_done(gpu, ring, &piece);
            all_ok = all_ok && piece.buffer.id != 0;
        }
        filo_gpu_end_frame(gpu);
    }
    if (buffer.id != 0 && pipeline.id != 0) {
        begin_window(gpu, filo_vec4(0, 0, 0, 1));
        filo_gpu_use(gpu, pipeline);
        filo_gpu_set_vertices(gpu, 0, buffer, 0);
        filo_gpu_draw(gpu, 0, 3, 1);
        filo_gpu_end_pass(gpu);
        FiloResult replaced = filo_gpu_pipeline_replace(gpu, pipeline, FLAT_VERTEX, FLAT_FRAGMENT);
        all_ok = all_ok && replaced.code == FILO_OK;
    }
    return all_ok;
}

static void run_out_of_memory(FiloGpuKind kind) {
    (void)filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    int refused = 0, partly = 0;
    bool whole = false;
    for (size_t n = 0; n < 200 && !whole; n++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        failing_allow(&failing, n);
        FiloGpu *gpu;
        FiloResult result =
            filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = kind, .allocator = &failing.allocator });
        if (result.code != FILO_OK) {
            assert_int_equal(result.code, FILO_ERROR_MEMORY);
            assert_null(gpu);
            refused++;
        } else {
            whole = do_everything(gpu);
            partly += !whole;
            filo_gpu_destroy(gpu);
        }
        assert_int_equal(failing.blocks, 0);
    }
    (void)filo_fault_set_handler(before);
    (void)filo_log_set_filter(FILO_LOG_TERMINAL, "info");
    assert_true(whole);
    assert_true(refused > 0 && partly > 5);
}

FILO_TEST(running_out_of_memory_leaves_nothing_behind_on_the_null_device) {
    run_out_of_memory(FILO_GPU_NULL);
}
FILO_TEST(running_out_of_memory_leaves_nothing_behind_on_gl_4_5) {
    filo_test_gl_context(4, 5);
    run_out_of_memory(FILO_GPU_GL45);
}
FILO_TEST(running_out_of_memory_leaves_nothing_behind_on_gl_3_3) {
    filo_test_gl_context(3, 3);
    run_out_of_memory(FILO_GPU_GL33);
}
