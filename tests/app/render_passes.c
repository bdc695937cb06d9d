// Modules whose render hooks draw with the GPU, or to the pixels, themselves.

#include "picture.h"
#include "support/screenless.h"

// One pass below the sprites, and one above the immediate drawing before it.
typedef struct Passes {
    FiloPipeline pipeline;
    bool cleared_before_under, cleared_before_over;
} Passes;

static void fill_part(FiloFrame *frame, Passes *passes, FiloRect part, FiloColor color) {
    FiloGpu *gpu = FILO_OBJECT(frame->modules, FiloGpu);
    FiloVec2 size = filo_rect_size(part);
    if (gpu == NULL) {
        FiloPixels pixels =
            filo_pixels_part(&frame->picture, (int)part.min.x, (int)part.min.y, (int)size.x, (int)size.y);
        filo_pixels_fill(&pixels, color);
        return;
    }
    static const char vertex[] = "void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;"
                                 " gl_Position = vec4(p, 0.0, 1.0); }";
    static const char fragment[] = "uniform vec4 color; out vec4 result; void main() { result = color; }";
    FiloResult r = filo_ok();
    if (passes->pipeline.id == 0)
        r = filo_gpu_pipeline_create(
            &passes->pipeline, gpu,
            &(FiloPipelineDesc){ .label = "fill", .vertex = vertex, .fragment = fragment });
    assert_ok(r);
    filo_gpu_begin_pass(
        gpu, &(FiloGpuPass){ .width = frame->width, .height = frame->height, .clear = !frame->cleared });
    filo_gpu_set_scissor(gpu, (int)part.min.x, (int)part.min.y, (int)size.x, (int)size.y);
    filo_gpu_use(gpu, passes->pipeline);
    filo_gpu_set_vec4(
        gpu, "color",
        filo_vec4((float)color.r / 255, (float)color.g / 255, (float)color.b / 255, (float)color.a / 255));
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
}

static FiloResult draw_under(FiloFrame *frame, void *user) {
    Passes *passes = user;
    passes->cleared_before_under = frame->cleared;
    FiloVec2 size = filo_vec2((float)frame->width, (float)frame->height);
    fill_part(frame, passes, filo_rect(filo_vec2(0, 0), size), FILO_COLOR_BLUE);
    frame->cleared = true;
    return filo_ok();
}

static FiloResult draw_over(FiloFrame *frame, void *user) {
    Passes *passes = user;
    passes->cleared_before_over = frame->cleared;
    fill_part(frame, passes, filo_rect(filo_vec2(0, 0), filo_vec2(160, 100)), FILO_COLOR_GREEN);
    return filo_ok();
}

static FiloResult end_passes(FiloModules *modules, void *user) {
    Passes *passes = user;
    FiloGpu *gpu = FILO_OBJECT(modules, FiloGpu);
    if (gpu != NULL) filo_gpu_pipeline_destroy(gpu, passes->pipeline);
    return filo_ok();
}

static void draw_boxes(FiloApp *app, FiloDraw *draw) { // before the pass that is over it
    FILO_UNUSED(app);
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_vec2(200, 100)), FILO_COLOR_RED);
}

static FiloResult draw_panel(FiloFrame *frame, void *user) { // after it
    FILO_UNUSED(user);
    FiloDraw *draw = FILO_OBJECT(frame->modules, FiloDraw);
    filo_draw_on_screen(draw);
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_vec2(80, 100)), FILO_COLOR_WHITE);
    filo_draw_in_world(draw, 0); // what is drawn in the world after the sprites is over them
    filo_draw_box(draw, filo_rect(filo_vec2(120, -120), filo_vec2(160, -80)), FILO_COLOR_YELLOW);
    return filo_ok();
}

static FiloResult create_sprite(FiloApp *app) {
    filo_create(filo_app_world(app), FILO_SET(FiloTransform2, .position = { 0, -60 }, .scale = { 100, 50 }),
                FILO_SET(FiloSprite, .color = FILO_COLOR_MAGENTA));
    return filo_ok();
}

static FiloColor pixel(const FiloPixels *pixels, int x, int y) { return *filo_pixels_at(pixels, x, y); }

static void expect_color(FiloColor is, FiloColor wanted) {
    if (!similar(is, wanted, 2))
        fail_msg("%d %d %d instead of %d %d %d", is.r, is.g, is.b, wanted.r, wanted.g, wanted.b);
}

static void draw_passes(FiloBackend backend) {
    Passes passes = { { 0 }, true, false };
    const FiloModuleNeed needs[] = { FILO_OPTIONAL_OBJECT(FiloGpu), FILO_NEED_OBJECT(FiloDraw) };
    const FiloRenderHook renders[] = { { FILO_RENDER_WORLD, true, draw_under },
                                       { FILO_RENDER_DRAW + 50, true, draw_over },
                                       { FILO_RENDER_UI, false, draw_panel } };
    const FiloModuleDesc module = { .name = "passes",
                                    .user = &passes,
                                    .needs = needs,
                                    .need_count = 2,
                                    .unload = end_passes,
                                    .backend = true,
                                    .renders = renders,
                                    .render_count = 3 };
    FiloAppDesc desc = game_with(&module, 1);
    desc.create = create_sprite;
    desc.draw = draw_boxes;
    FiloCommonArgs args = drawn_by(backend, 2);
    FiloApp *app;
    FiloResult r = filo_app_create(&app, &desc, &args);
    if (r.code != FILO_OK && backend == FILO_BACKEND_GL) skip(); // there is none here
    assert_ok(r);
    run_frames(app, 4);
    FiloPixels picture = take_shot(app);
    assert_false(passes.cleared_before_under); // it is the first
    assert_true(passes.cleared_before_over);
    expect_color(pixel(&picture, 40, 50), FILO_COLOR_WHITE);     // the panel is over all
    expect_color(pixel(&picture, 120, 50), FILO_COLOR_GREEN);    // the pass, over what the game drew
    expect_color(pixel(&picture, 180, 50), FILO_COLOR_RED);      // what the game drew
    expect_color(pixel(&picture, 160, 180), FILO_COLOR_MAGENTA); // the sprite, over the first pass
    expect_color(pixel(&picture, 300, 220), FILO_COLOR_YELLOW);  // drawn in the world, late
    expect_color(pixel(&picture, 20, 220), FILO_COLOR_BLUE);     // the first pass, which nothing cleared
    filo_pixels_free(&picture, NULL);
    filo_app_destroy(app);
}

FILO_TEST(custom_passes_are_drawn_in_their_order_on_the_cpu) { draw_passes(FILO_BACKEND_CPU); }
FILO_TEST(custom_passes_are_drawn_in_their_order_on_gl) { draw_passes(FILO_BACKEND_GL); }
