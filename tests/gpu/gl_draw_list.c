// Lists of indexed draws, and draws from an instance on, on OpenGL 4.5 and 3.3.

#include "gpu/scene.h"

#include "support/failing_allocator.h"

// Squares of 8 x 8 pixels. Each instance has a place in such squares and a colour.
#define SQUARES_VERTEX                                                                                       \
    "layout(location = 0) in vec2 corner;\nlayout(location = 5) in vec2 place;\n"                            \
    "layout(location = 6) in vec4 color;\nuniform vec2 size;\nflat out vec4 tint;\n"                         \
    "void main() {\n"                                                                                        \
    "    tint = color;\n"                                                                                    \
    "    vec2 at = (place + corner) * 8.0 / size * 2.0;\n"                                                   \
    "    gl_Position = vec4(at.x - 1.0, 1.0 - at.y, 0, 1);\n"                                                \
    "}\n"
#define SQUARES_FRAGMENT "flat in vec4 tint;\nout vec4 result;\nvoid main() { result = tint; }\n"

typedef struct Square {
    float x, y;
    uint8_t color[4];
} Square;

static const Square squares[] = {
    { 0, 0, { 255, 0, 0, 255 } },
    { 1, 0, { 0, 255, 0, 255 } },
    { 2, 0, { 0, 0, 255, 255 } },
    { 0, 2, { 255, 255, 255, 255 } },
};

// The left and the right half of a square, as six vertices of which the last two belong to the right half.
static const float corners[] = { 0, 0, 0, 1, 0.5f, 0, 0.5f, 1, 1, 0, 1, 1 };
static const uint32_t indices[] = { 99, 0, 1, 2, 2, 1, 3 };

static FiloPipeline squares_pipeline(FiloGpu *gpu) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .label = "squares",
                             .vertex = SQUARES_VERTEX,
                             .fragment = SQUARES_FRAGMENT,
                             .attributes = { [0] = { FILO_ATTRIBUTE_FLOAT2, 0, 0 },
                                             [5] = { FILO_ATTRIBUTE_FLOAT2, 2, 0 },
                                             [6] = { FILO_ATTRIBUTE_UBYTE4_UNIT, 2, 8 } },
                             .buffers = { [0] = { 8, false }, [2] = { sizeof(Square), true } },
                             .blend = FILO_BLEND_NONE }));
    return pipeline;
}

static void begin_squares(FiloGpu *gpu) {
    FiloPipeline pipeline = squares_pipeline(gpu);
    FiloBuffer index_buffer, instances;
    assert_ok(filo_gpu_buffer_create(
        &index_buffer, gpu,
        &(FiloBufferDesc){ .use = FILO_BUFFER_INDICES, .size = sizeof indices, .data = indices }));
    assert_ok(filo_gpu_buffer_create(&instances, gpu,
                                     &(FiloBufferDesc){ .size = sizeof squares, .data = squares }));
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    assert_true(filo_gpu_set_vec2(gpu, "size", filo_vec2(WINDOW_WIDTH, WINDOW_HEIGHT)));
    filo_gpu_set_vertices(gpu, 0, vertices(gpu, corners, sizeof corners), 0);
    filo_gpu_set_vertices(gpu, 2, instances, 0);
    filo_gpu_set_indices(gpu, index_buffer);
}

static void draw_list(FiloGpu *gpu) {
    begin_squares(gpu);
    const FiloDrawCommand commands[] = {
        { .count = 6, .instances = 2, .first = 1, .first_instance = 1 }, // left halves of green and blue
        { .count = 6, .instances = 0, .first = 1 },                      // nothing
        { .count = 6,
          .instances = 1,
          .first = 1,
          .base_vertex = 2,
          .first_instance = 0 },                                         // right half of red
        { .count = 3, .instances = 1, .first = 1, .first_instance = 3 }, // a triangle of white
    };
    filo_gpu_draw_indexed_list(gpu, commands, FILO_COUNT_OF(commands));
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 2, 4, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 6, 4, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 10, 4, GREEN_PIXEL);
    assert_pixel(gpu, WINDOW, 14, 4, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 18, 4, BLUE_PIXEL);
    assert_pixel(gpu, WINDOW, 22, 4, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 0, 17, WHITE_PIXEL);
    assert_pixel(gpu, WINDOW, 3, 22, BLACK_PIXEL);
    FiloGpuStats stats = filo_gpu_stats_now(gpu);
    assert_int_equal(stats.draws, filo_gpu_limits(gpu)->kind == FILO_GPU_GL45 ? 1 : 3);
    assert_int_equal(stats.triangles, 2 * 2 + 2 + 1);
    assert_int_equal(stats.instances, 4);
    assert_int_equal(stats.vertices, 12 + 6 + 3);
}
FILO_TEST(a_list_draws_every_command_with_its_own_instances) { on_both(draw_list); }

// A draw after one that began with another instance reads from the start again.
static void draw_from(FiloGpu *gpu) {
    begin_squares(gpu);
    filo_gpu_draw_indexed_from(gpu, 1, 6, 0, 2, 1);
    filo_gpu_draw_indexed(gpu, 1, 6, 2, 1);
    filo_gpu_draw_indexed_list(gpu, &(FiloDrawCommand){ 6, 1, 1, 0, 3 }, 1);
    filo_gpu_draw_indexed_list(gpu, &(FiloDrawCommand){ 6, 1, 1, 2, 2 }, 1); // commands of its own
    filo_gpu_draw_indexed(gpu, 1, 6, 0, 2);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 18, 4, BLUE_PIXEL);
    assert_pixel(gpu, WINDOW, 22, 4, BLUE_PIXEL);
    assert_pixel(gpu, WINDOW, 6, 4, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 2, 4, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 10, 4, GREEN_PIXEL);
    assert_pixel(gpu, WINDOW, 2, 20, WHITE_PIXEL);
    assert_int_equal(filo_gpu_stats_now(gpu).draws, 5);
}
FILO_TEST(the_first_instance_holds_for_one_draw) { on_both(draw_from); }

// More commands than the ring of the device has room for, in several frames.
static void long_lists(FiloGpu *gpu) {
    static FiloDrawCommand commands[5000];
    for (size_t i = 0; i < FILO_COUNT_OF(commands); i++)
        commands[i] =
            (FiloDrawCommand){ .count = 6, .first = 1, .instances = i + 1 == FILO_COUNT_OF(commands) };
    begin_squares(gpu);
    for (int frame = 0; frame < 5; frame++) {
        if (frame > 0) {
            filo_gpu_end_pass(gpu);
            filo_gpu_end_frame(gpu);
            begin_squares(gpu);
        }
        commands[FILO_COUNT_OF(commands) - 1].first_instance = (uint32_t)frame % 4;
        filo_gpu_draw_indexed_list(gpu, commands, FILO_COUNT_OF(commands));
    }
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 2, 4, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 10, 4, BLACK_PIXEL);
}
FILO_TEST(lists_may_be_longer_than_the_ring_of_commands) { on_both(long_lists); }

// Without memory for a copy of the commands they are drawn one by one.
FILO_TEST(a_list_is_drawn_without_memory_too) {
    const FiloDrawCommand commands[] = { { 6, 1, 1, 0, 0 }, { 0, 9, 0, 0, 0 }, { 6, 1, 1, 0, 2 } };
    bool whole = false;
    int one_by_one = 0;
    (void)filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    for (size_t allowed = 0; !whole && allowed < 50; allowed++) {
        filo_test_gl_context(4, 5);
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloGpu *gpu;
        assert_ok(
            filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_GL45, .allocator = &failing.allocator }));
        begin_squares(gpu);
        failing_allow(&failing, allowed);
        filo_gpu_draw_indexed_list(gpu, commands, FILO_COUNT_OF(commands));
        filo_gpu_end_pass(gpu);
        uint32_t draws = filo_gpu_stats_now(gpu).draws;
        assert_in_range(draws, 1, 2);
        whole = draws == 1;
        one_by_one += draws == 2;
        assert_pixel(gpu, WINDOW, 2, 4, RED_PIXEL);
        assert_pixel(gpu, WINDOW, 18, 4, BLUE_PIXEL);
        filo_gpu_destroy(gpu);
        filo_test_gl_context_end();
        assert_int_equal(failing.blocks, 0);
    }
    (void)filo_log_set_filter(FILO_LOG_TERMINAL, "info");
    assert_true(whole && one_by_one > 0);
}
