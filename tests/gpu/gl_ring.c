// Rings over many frames, storage, timers and replaced shaders, on OpenGL 4.5 and 3.3.

#include "gpu/scene.h"

#include <filo/threads.h>

// Points of one pixel: x and y in pixels, and a colour.
#define DOT_VERTEX                                                                                           \
    "layout(location = 0) in vec2 position;\nlayout(location = 1) in vec4 tint;\nout vec4 color;\n"          \
    "void main() { color = tint; gl_PointSize = 1.0;\n"                                                      \
    "gl_Position = vec4((position.x + 0.5) / 64.0 - 1.0, 1.0 - (position.y + 0.5) / 48.0, 0, 1); }\n"
#define DOT_FRAGMENT "in vec4 color;\nout vec4 result;\nvoid main() { result = color; }\n"
typedef struct Dot {
    float x, y;
    FiloColor color;
} Dot;

static FiloPipeline dot_pipeline(FiloGpu *gpu) {
    FiloPipeline pipeline;
    assert_ok(
        filo_gpu_pipeline_create(&pipeline, gpu,
                                 &(FiloPipelineDesc){ .label = "dots",
                                                      .vertex = DOT_VERTEX,
                                                      .fragment = DOT_FRAGMENT,
                                                      .attributes = { { FILO_ATTRIBUTE_FLOAT2, 0, 0 },
                                                                      { FILO_ATTRIBUTE_UBYTE4_UNIT, 0, 8 } },
                                                      .buffers = { { sizeof(Dot), false } },
                                                      .topology = FILO_POINTS }));
    return pipeline;
}

// Each dot covers one pixel; they are numbered from the upper left corner, row by row.
static Dot dot_at(int number, FiloColor color) {
    int column = number % WINDOW_WIDTH, row = number / WINDOW_WIDTH;
    return (Dot){ (float)column, (float)row, color };
}

// The colour of a dot in a frame, different for each pair.
static FiloColor color_of(int frame, int dot) {
    return filo_color((uint8_t)(frame * 7 + dot), (uint8_t)(frame * 3), (uint8_t)dot, 255);
}

// Takes two pieces, writes dots to them and draws; returns how many were staged. Does not wait between frames.
static int draw_dots(FiloGpu *gpu, FiloGpuRing *ring, FiloPipeline pipeline, FiloRenderTarget target,
                     int frame, int count) {
    int staged = 0;
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true, .color = { 0, 0, 0, 1 } });
    filo_gpu_use(gpu, pipeline);
    for (int n = 0; n < 2; n++) {
        FiloRingPiece piece;
        assert_true(filo_gpu_ring_take(gpu, ring, (size_t)count * sizeof(Dot), &piece));
        assert_int_equal((uintptr_t)piece.memory % 64, 0);
        assert_int_equal(piece.offset % 256, 0);
        Dot *dots = piece.memory;
        for (int i = 0; i < count; i++) {
            int dot = n * count + i;
            dots[i] = dot_at(dot, color_of(frame, dot));
        }
        staged += piece.staged;
        filo_gpu_ring_done(gpu, ring, &piece);
        filo_gpu_set_vertices(gpu, 0, piece.buffer, piece.offset);
        filo_gpu_draw(gpu, 0, count, 1);
    }
    filo_gpu_end_pass(gpu);
    filo_gpu_end_frame(gpu);
    return staged;
}

#define FRAMES 12

static void many_frames(FiloGpu *gpu) {
    FiloPipeline pipeline = dot_pipeline(gpu);
    FiloGpuRing *ring;
    assert_ok(
        filo_gpu_ring_create(&ring, gpu, &(FiloRingDesc){ .label = "dots", .size = 300 * sizeof(Dot) }));
    FiloTexture textures[FRAMES];
    FiloRenderTarget targets[FRAMES];
    int staged = 0, late = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_ok(filo_gpu_texture_create(
            &textures[frame], gpu,
            &(FiloTextureDesc){ .width = WINDOW_WIDTH, .height = WINDOW_HEIGHT, .target = true }));
        assert_ok(filo_gpu_target_create(&targets[frame], gpu,
                                         &(FiloRenderTargetDesc){ .color = textures[frame] }));
        // From the fifth frame on, more than the capacity of the ring.
        int s = draw_dots(gpu, ring, pipeline, targets[frame], frame, frame < 4 ? 100 : 1000);
        staged += s;
        if (frame > 4) late += s;
    }
    assert_true(staged > 0);
    assert_int_equal(late, 0); // it has grown
    // Only now is anything read: every frame has its own dots.
    for (int frame = 0; frame < FRAMES; frame++) {
        int count = frame < 4 ? 200 : 2000;
        FiloPixels picture;
        assert_true(filo_pixels_create(&picture, WINDOW_WIDTH, WINDOW_HEIGHT, NULL));
        assert_ok(filo_gpu_read(gpu, targets[frame], 0, 0, &picture));
        int wrong = 0;
        for (int dot = 0; dot < WINDOW_WIDTH * 20; dot++) {
            FiloColor wanted = dot < count ? color_of(frame, dot) : BLACK_PIXEL;
            wrong +=
                memcmp(filo_pixels_at(&picture, dot % WINDOW_WIDTH, dot / WINDOW_WIDTH), &wanted, 4) != 0;
        }
        filo_pixels_free(&picture, NULL);
        if (wrong > 0) fail_msg("frame %d: %d dots are wrong", frame, wrong);
    }
    filo_gpu_ring_destroy(gpu, ring);
    filo_gpu_finish(gpu);
}
FILO_TEST(every_frame_of_a_ring_is_drawn_with_its_own_bytes) { on_both(many_frames); }

static void one_part(FiloGpu *gpu) {
    // With a single part each frame has to wait for the one before; the pictures are right all the same.
    FiloPipeline pipeline = dot_pipeline(gpu);
    FiloGpuRing *ring;
    assert_ok(filo_gpu_ring_create(&ring, gpu, &(FiloRingDesc){ .size = 4096, .frames = 1 }));
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(
        &texture, gpu, &(FiloTextureDesc){ .width = WINDOW_WIDTH, .height = WINDOW_HEIGHT, .target = true }));
    FiloRenderTarget target;
    assert_ok(filo_gpu_target_create(&target, gpu, &(FiloRenderTargetDesc){ .color = texture }));
    for (int frame = 0; frame < 40; frame++) draw_dots(gpu, ring, pipeline, target, frame, 50);
    assert_pixel(gpu, target, 3, 0, color_of(39, 3));
    assert_pixel(gpu, target, 99, 0, color_of(39, 99));
}
FILO_TEST(a_ring_of_one_part_waits_for_the_gpu) { on_both(one_part); }

typedef struct Writer {
    Dot *dots;
    int first, count;
} Writer;
static void write_dots(void *user) {
    Writer *w = user;
    for (int i = w->first; i < w->first + w->count; i++) w->dots[i] = dot_at(i, color_of(1, i));
}
static void threads(FiloGpu *gpu) {
    FiloPipeline pipeline = dot_pipeline(gpu);
    FiloGpuRing *ring;
    assert_ok(filo_gpu_ring_create(&ring, gpu, &(FiloRingDesc){ .size = FILO_KIB(64) }));
    FiloRingPiece piece;
    assert_true(filo_gpu_ring_take(gpu, ring, 400 * sizeof(Dot), &piece));
    FiloThread made[4];
    Writer writers[4];
    for (int i = 0; i < 4; i++) {
        writers[i] = (Writer){ piece.memory, i * 100, 100 };
        assert_ok(
            filo_thread_start(&made[i], &(FiloThreadDesc){ .function = write_dots, .user = &writers[i] }));
    }
    for (int i = 0; i < 4; i++) filo_thread_join(&made[i]);
    filo_gpu_ring_done(gpu, ring, &piece);
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, piece.buffer, piece.offset);
    filo_gpu_draw(gpu, 0, 400, 1);
    filo_gpu_end_pass(gpu);
    for (int i = 0; i < 400; i += 33)
        assert_pixel(gpu, WINDOW, i % WINDOW_WIDTH, i / WINDOW_WIDTH, color_of(1, i));
    filo_gpu_end_frame(gpu);
}
FILO_TEST(other_threads_may_write_into_a_piece) { on_both(threads); }

// ---- Storage ------------------------------------------------------------------------------------------

#define STORAGE_VERTEX                                                                                       \
    "layout(std430, binding = 1) readonly buffer Colors { vec4 colors[]; };\nflat out vec4 color;\n"         \
    "void main() { color = colors[gl_InstanceID]; gl_PointSize = 1.0;\n"                                     \
    "gl_Position = vec4((float(gl_InstanceID) + 0.5) / 64.0 - 1.0, 1.0 - 0.5 / 48.0, 0, 1); }\n"
#define STORAGE_FRAGMENT "flat in vec4 color;\nout vec4 result;\nvoid main() { result = color; }\n"

static void storage(FiloGpu *gpu) {
    FiloBuffer buffer;
    FiloResult result = filo_gpu_buffer_create(
        &buffer, gpu, &(FiloBufferDesc){ .label = "colours", .use = FILO_BUFFER_STORAGE, .size = 512 });
    if (!filo_gpu_limits(gpu)->storage) {
        assert_int_equal(buffer.id, 0);
        assert_error(result, FILO_ERROR_UNSUPPORTED, "buffer \"colours\": OpenGL 3.3 has no storage buffers");
        FiloGpuRing *ring;
        FiloRingDesc desc = { .label = "colours", .use = FILO_BUFFER_STORAGE, .size = 16 };
        assert_error(filo_gpu_ring_create(&ring, gpu, &desc), FILO_ERROR_UNSUPPORTED, "no storage buffers");
        assert_null(ring);
        return;
    }
    assert_ok(result);
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu,
                                       &(FiloPipelineDesc){ .vertex = STORAGE_VERTEX,
                                                            .fragment = STORAGE_FRAGMENT,
                                                            .topology = FILO_POINTS }));
    FiloVec4 colors[3] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 } };
    filo_gpu_buffer_write(gpu, buffer, 256, colors, sizeof colors);
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 1, buffer, 256, sizeof colors);
    filo_gpu_draw(gpu, 0, 1, 3);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 0, 0, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 1, 0, GREEN_PIXEL);
    assert_pixel(gpu, WINDOW, 2, 0, BLUE_PIXEL);
    assert_pixel(gpu, WINDOW, 3, 0, BLACK_PIXEL);
}
FILO_TEST(storage_is_read_where_the_device_has_it) { on_both(storage); }

// ---- Timers and labels --------------------------------------------------------------------------------

static void timers(FiloGpu *gpu) {
    FiloPipeline pipeline = flat_pipeline(gpu, FILO_BLEND_OVER);
    FiloBuffer all = vertices(gpu, (float[]){ -1, -1, 3, -1, -1, 3 }, 6 * sizeof(float));
    FiloGpuTimer outer, inner;
    assert_ok(filo_gpu_timer_create(&outer, gpu, "frame"));
    assert_ok(filo_gpu_timer_create(&inner, gpu, "draw"));
    assert_true(outer.id != 0 && inner.id != 0);
    assert_true(filo_gpu_timer_ms(gpu, outer) == 0);
    for (int frame = 0; frame < 20; frame++) {
        filo_gpu_timer_begin(gpu, outer);
        filo_gpu_push_label(gpu, "draw");
        filo_gpu_begin_pass(
            gpu, &(FiloGpuPass){ .label = "pass", .width = WINDOW_WIDTH, .height = WINDOW_HEIGHT });
        filo_gpu_timer_begin(gpu, inner); // one inside of the other
        filo_gpu_use(gpu, pipeline);
        filo_gpu_set_vertices(gpu, 0, all, 0);
        filo_gpu_set_vec4(gpu, "color", filo_vec4(1, 0, 0, 1));
        for (int i = 0; i < 10; i++) filo_gpu_draw(gpu, 0, 3, 1);
        filo_gpu_timer_end(gpu, inner);
        filo_gpu_end_pass(gpu);
        filo_gpu_pop_label(gpu);
        filo_gpu_timer_end(gpu, outer);
        filo_gpu_end_frame(gpu);
    }
    filo_gpu_finish(gpu);
    filo_gpu_end_frame(gpu);
    assert_true(filo_gpu_timer_ms(gpu, outer) > 0);
    assert_true(filo_gpu_timer_ms(gpu, inner) >= 0);
    filo_gpu_timer_destroy(gpu, inner);
}
FILO_TEST(timers_return_the_time_of_some_frames_ago) { on_both(timers); }

// ---- Replacing shaders --------------------------------------------------------------------------------

static FiloColor draw_flat(FiloGpu *gpu, FiloPipeline pipeline, FiloBuffer buffer, bool set) {
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    if (set) assert_true(filo_gpu_set_vec4(gpu, "color", filo_vec4(1, 0.5f, 0, 1)));
    filo_gpu_set_vertices(gpu, 0, buffer, 0);
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
    return read_pixel(gpu, WINDOW, 10, 10);
}

static void replacing(FiloGpu *gpu) {
    FiloPipeline pipeline = flat_pipeline(gpu, FILO_BLEND_NONE);
    FiloBuffer all = vertices(gpu, (float[]){ -1, -1, 3, -1, -1, 3 }, 6 * sizeof(float));
    assert_int_equal(draw_flat(gpu, pipeline, all, true).b, 0);
    FiloResult result = filo_gpu_pipeline_replace(gpu, pipeline, FLAT_VERTEX,
                                                  "out vec4 result;\n\nvoid main() { result = colour; }\n");
    assert_error(result, FILO_ERROR_DATA, "flat (fragment shader), line 3: ");
    assert_contains(result.message, "colour");
    FiloColor old = draw_flat(gpu, pipeline, all, false); // unchanged
    assert_int_equal(old.r, 255);
    assert_int_equal(old.b, 0);
    // The new shaders have other uniforms beside the old one, whose value stays.
    assert_ok(filo_gpu_pipeline_replace(gpu, pipeline, FLAT_VERTEX,
                                        "uniform vec4 color;\nuniform float another;\nout vec4 result;\n"
                                        "void main() { result = vec4(color.rg, 1.0 + another, 1.0); }\n"));
    assert_int_equal(filo_gpu_uniform_count(gpu, pipeline), 2);
    FiloColor changed = draw_flat(gpu, pipeline, all, false);
    assert_int_equal(changed.r, 255);
    assert_in_range(changed.g, 126, 129);
    assert_int_equal(changed.b, 255);
}
FILO_TEST(replaced_shaders_keep_values_and_broken_ones_change_nothing) { on_both(replacing); }

static void broken(FiloGpu *gpu) {
    FiloPipelineDesc desc = { .label = "sprites",
                              .vertex = "void main() {\n    gl_Position = vec4(0)\n}\n",
                              .fragment = FLAT_FRAGMENT };
    FiloPipeline none = { 7 };
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_DATA,
                 "sprites (vertex shader), line 3: ");
    assert_int_equal(none.id, 0);
    desc.vertex = "#line 1\nvoid main() { gl_Position = vec4(missing); }\n";
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_DATA,
                 "sprites (vertex shader), line 1: ");
    desc.vertex = "// one\n#ifdef FILO_GL45\nbroken\n#else\n\nbroken\n#endif\nvoid main() {}\n";
    // The word that is wrong, or the one after it: compilers differ.
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_DATA,
                 "sprites (vertex shader), line ");
    desc.vertex = "/*\n#version 100\n*/\n#version 330\nvoid main() { gl_Position = vec4(0); }\n";
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_DATA,
                 "sprites (vertex shader), line 4: leave out #version");
    desc.vertex = "out vec2 uv;\nvoid main() { uv = vec2(0); gl_Position = vec4(0); }\n";
    desc.fragment = "in vec4 uv;\nout vec4 result;\nvoid main() { result = uv; }\n";
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_DATA, "sprites (linking): ");
    assert_int_equal(none.id, 0);
}
FILO_TEST(broken_shaders_are_reported_with_the_line_of_their_text) { on_both(broken); }
