// Mistakes of the program, each with its message; on the null device, because all devices share the checks.

#include "gpu/scene.h"

#include <filo/threads.h>

typedef struct Scene {
    FiloGpu *gpu;
    FiloPipeline flat, picture;
    FiloBuffer buffer, constant;
    FiloTexture texture, array, depth;
    FiloRenderTarget target;
    FiloGpuRing *ring;
} Scene;

static Scene make_scene(void) {
    Scene s = { .gpu = null_device() };
    s.flat = flat_pipeline(s.gpu, FILO_BLEND_OVER);
    s.picture = picture_pipeline(s.gpu);
    assert_ok(filo_gpu_buffer_create(&s.buffer, s.gpu, &(FiloBufferDesc){ .label = "list", .size = 64 }));
    assert_ok(filo_gpu_buffer_create(
        &s.constant, s.gpu,
        &(FiloBufferDesc){ .label = "fixed", .size = 4, .data = "abc", .constant = true }));
    assert_ok(filo_gpu_texture_create(
        &s.texture, s.gpu, &(FiloTextureDesc){ .label = "plain", .width = 4, .height = 4, .target = true }));
    assert_ok(filo_gpu_texture_create(
        &s.array, s.gpu, &(FiloTextureDesc){ .label = "pages", .width = 4, .height = 4, .layers = 2 }));
    assert_ok(filo_gpu_texture_create(
        &s.depth, s.gpu,
        &(FiloTextureDesc){
            .label = "far", .format = FILO_TEXTURE_DEPTH24, .width = 8, .height = 8, .target = true }));
    assert_ok(filo_gpu_target_create(&s.target, s.gpu,
                                     &(FiloRenderTargetDesc){ .label = "mirror", .color = s.texture }));
    assert_ok(filo_gpu_ring_create(&s.ring, s.gpu, &(FiloRingDesc){ .label = "stream", .size = 256 }));
    return s;
}

FILO_TEST(no_device_is_a_mistake) {
    only_in_debug_builds();
    expect_fault("pass the device that filo_gpu_create made", filo_gpu_end_frame(NULL));
    expect_mistake("pass the device",
                   filo_gpu_buffer_create(&(FiloBuffer){ 0 }, NULL, &(FiloBufferDesc){ .size = 1 }));
    expect_fault("pass the device", (void)filo_gpu_limits(NULL));
    expect_fault("pass the device", (void)filo_gpu_stats(NULL));
    expect_fault("pass the device", filo_gpu_draw(NULL, 0, 1, 1));
    expect_fault("pass the device", (void)filo_gpu_set_float(NULL, "a", 1));
    expect_mistake("pass the device", filo_gpu_texture_grow(NULL, (FiloTexture){ 0 }, 2));
    expect_mistake("pass the device", filo_gpu_read(NULL, (FiloRenderTarget){ 0 }, 0, 0, NULL));
    expect_mistake("pass the device", filo_gpu_timer_create(&(FiloGpuTimer){ 0 }, NULL, "t"));
    expect_mistake("say where to put the new device", filo_gpu_create(NULL, NULL));
    filo_gpu_destroy(NULL);
}

// What a thread that did not create the device calls, and what it gets.
typedef struct Stranger {
    const Scene *scene;
    FiloResult result;
    bool on_thread;
    FiloGpuKind kind;
} Stranger;

static void call_as_stranger(void *user) {
    Stranger *stranger = user;
    FiloGpu *gpu = stranger->scene->gpu;
    stranger->on_thread = filo_gpu_on_thread(gpu);
    stranger->kind = filo_gpu_limits(gpu)->kind;
    stranger->result =
        filo_gpu_buffer_create(&(FiloBuffer){ 0 }, gpu, &(FiloBufferDesc){ .label = "foreign", .size = 4 });
    filo_gpu_buffer_write(gpu, stranger->scene->buffer, 0, "abc", 4);
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .label = "foreign" });
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_frame(gpu);
    filo_gpu_destroy(gpu);
}

FILO_TEST(calls_on_another_thread_are_reported_and_do_nothing) {
    Scene s = make_scene();
    size_t calls = filo_gpu_null_call_count(s.gpu);
    Stranger stranger = { .scene = &s };
    FiloThread thread;
    expect_faults(6, "a device belongs to the thread that created it: call its functions there", {
        assert_ok(filo_thread_start(
            &thread,
            &(FiloThreadDesc){ .name = "stranger", .function = call_as_stranger, .user = &stranger }));
        filo_thread_join(&thread);
    });
    assert_int_equal(stranger.result.code, FILO_ERROR_ARGUMENT);
    assert_false(stranger.on_thread);
    assert_int_equal(stranger.kind, FILO_GPU_NULL); // limits are for all threads
    assert_true(filo_gpu_on_thread(s.gpu));
    assert_int_equal(filo_gpu_null_call_count(s.gpu), calls);
    filo_gpu_destroy(s.gpu);
}

FILO_TEST(a_library_can_ask_whether_a_pass_is_open) {
    Scene s = make_scene();
    assert_false(filo_gpu_in_pass(s.gpu));
    filo_gpu_begin_pass(s.gpu, &(FiloGpuPass){ .label = "pass", .target = s.target });
    assert_true(filo_gpu_in_pass(s.gpu));
    filo_gpu_end_pass(s.gpu);
    assert_false(filo_gpu_in_pass(s.gpu));
    filo_gpu_destroy(s.gpu);
}

FILO_TEST(stale_handles_are_recognised) {
    only_in_debug_builds();
    Scene s = make_scene();
    filo_gpu_buffer_destroy(s.gpu, s.buffer);
    filo_gpu_texture_destroy(s.gpu, s.texture);
    filo_gpu_pipeline_destroy(s.gpu, s.flat);
    FiloBuffer again;
    assert_ok(filo_gpu_buffer_create(&again, s.gpu, &(FiloBufferDesc){ .size = 64 })); // in the same slot
    assert_int_not_equal(again.id, s.buffer.id);
    assert_int_equal(again.id & 0xFFFF, s.buffer.id & 0xFFFF);
    assert_false(filo_gpu_texture_valid(s.gpu, s.texture));
    assert_false(filo_gpu_texture_valid(s.gpu, (FiloTexture){ 0 }));
    assert_true(filo_gpu_texture_valid(s.gpu, s.array));
    expect_fault("this buffer has been destroyed", filo_gpu_buffer_write(s.gpu, s.buffer, 0, "a", 1));
    expect_fault("this buffer has been destroyed already", filo_gpu_buffer_destroy(s.gpu, s.buffer));
    expect_fault("this texture has been destroyed",
                 filo_gpu_texture_write(s.gpu, s.texture, 0, 0, 0, 1, 1, "abcd", 0));
    expect_fault("this texture has been destroyed already", filo_gpu_texture_destroy(s.gpu, s.texture));
    expect_mistake("this texture has been destroyed", filo_gpu_texture_grow(s.gpu, s.texture, 2));
    expect_fault("this texture has been destroyed", filo_gpu_texture_make_mipmaps(s.gpu, s.texture));
    expect_fault("this pipeline has been destroyed already", filo_gpu_pipeline_destroy(s.gpu, s.flat));
    expect_fault("this pipeline has been destroyed", (void)filo_gpu_uniform_count(s.gpu, s.flat));
    expect_mistake("this pipeline has been destroyed",
                   filo_gpu_pipeline_replace(s.gpu, s.flat, FLAT_VERTEX, FLAT_FRAGMENT));
    expect_fault("render target \"mirror\": a texture of it has been destroyed",
                 filo_gpu_begin_pass(s.gpu, &(FiloGpuPass){ .target = s.target }));
    FiloColor color;
    expect_mistake("render target \"mirror\": it has no colours to read",
                   filo_gpu_read(s.gpu, s.target, 0, 0, &(FiloPixels){ &color, 1, 1, 1 }));
    filo_gpu_target_destroy(s.gpu, s.target);
    expect_fault("this target has been destroyed already", filo_gpu_target_destroy(s.gpu, s.target));
    expect_fault("this target has been destroyed",
                 filo_gpu_begin_pass(s.gpu, &(FiloGpuPass){ .target = s.target }));
    begin_window(s.gpu, filo_vec4(0, 0, 0, 1));
    expect_fault("this pipeline has been destroyed", filo_gpu_use(s.gpu, s.flat));
    expect_fault("this buffer has been destroyed", filo_gpu_set_vertices(s.gpu, 0, s.buffer, 0));
    expect_fault("this buffer has been destroyed", filo_gpu_set_indices(s.gpu, s.buffer));
    expect_fault("this buffer has been destroyed", filo_gpu_set_storage(s.gpu, 0, s.buffer, 0, 4));
    filo_gpu_use(s.gpu, s.picture);
    expect_fault("the texture for \"picture\" has been destroyed",
                 (void)filo_gpu_set_texture(s.gpu, "picture", s.texture));
    filo_gpu_end_pass(s.gpu);
    // None is allowed.
    filo_gpu_buffer_destroy(s.gpu, (FiloBuffer){ 0 });
    filo_gpu_texture_destroy(s.gpu, (FiloTexture){ 0 });
    filo_gpu_target_destroy(s.gpu, (FiloRenderTarget){ 0 });
    filo_gpu_pipeline_destroy(s.gpu, (FiloPipeline){ 0 });
    filo_gpu_timer_destroy(s.gpu, (FiloGpuTimer){ 0 });
    filo_gpu_ring_destroy(s.gpu, NULL);
    filo_gpu_destroy(s.gpu);
}

FILO_TEST(a_handle_stays_stale_when_the_generations_of_its_slot_are_used_up) {
    FiloGpu *gpu = null_device();
    FiloTextureDesc desc = { .width = 1, .height = 1 };
    FiloTexture first;
    assert_ok(filo_gpu_texture_create(&first, gpu, &desc));
    filo_gpu_texture_destroy(gpu, first);
    for (int i = 0; i < 70000; i++) {
        FiloTexture texture;
        assert_ok(filo_gpu_texture_create(&texture, gpu, &desc));
        assert_int_not_equal(texture.id, first.id);
        filo_gpu_texture_destroy(gpu, texture);
    }
    assert_false(filo_gpu_texture_valid(gpu, first));
    filo_gpu_destroy(gpu);
}

FILO_TEST(wrong_types_of_uniforms_are_named) {
    only_in_debug_builds();
    Scene s = make_scene();
    begin_window(s.gpu, filo_vec4(0, 0, 0, 1));
    expect_fault("uniform \"color\": use a pipeline in this pass, then set its uniforms",
                 (void)filo_gpu_set_float(s.gpu, "color", 1));
    filo_gpu_use(s.gpu, s.flat);
    expect_fault("pipeline \"flat\": the uniform \"color\" is a vec4, not a float",
                 assert_false(filo_gpu_set_float(s.gpu, "color", 1)));
    expect_fault("is a vec4, not a vec2", (void)filo_gpu_set_vec2(s.gpu, "color", filo_vec2(0, 0)));
    expect_fault("is a vec4, not a vec3", (void)filo_gpu_set_vec3(s.gpu, "color", filo_vec3(0, 0, 0)));
    expect_fault("is a vec4, not a int", (void)filo_gpu_set_int(s.gpu, "color", 1));
    expect_fault("is a vec4, not a ivec2", (void)filo_gpu_set_ivec2(s.gpu, "color", (FiloIVec2){ 0, 0 }));
    expect_fault("is a vec4, not a mat3",
                 (void)filo_gpu_set_affine2(s.gpu, "color", filo_affine2_identity()));
    FiloMat4 identity = filo_mat4_identity();
    expect_fault("is a vec4, not a mat4", (void)filo_gpu_set_mat4(s.gpu, "color", &identity));
    expect_fault("is a vec4, not a sampler2D as the texture \"plain\" is",
                 (void)filo_gpu_set_texture(s.gpu, "color", s.texture));
    expect_fault("has 1 elements, so there is no color[1]",
                 (void)filo_gpu_set_vec4(s.gpu, "color[1]", filo_vec4(0, 0, 0, 0)));
    filo_gpu_use(s.gpu, s.picture);
    expect_fault(
        "pipeline \"picture\": the uniform \"picture\" is a sampler2D, not a sampler2DArray as the texture "
        "\"pages\" is",
        (void)filo_gpu_set_texture(s.gpu, "picture", s.array));
    expect_fault("name the uniform", (void)filo_gpu_set_float(s.gpu, NULL, 1));
    expect_fault("there are 2 uniforms, and no number 2", (void)filo_gpu_uniform_at(s.gpu, s.picture, 2));
    filo_gpu_end_pass(s.gpu);
    expect_fault("use a pipeline in this pass",
                 (void)filo_gpu_set_vec4(s.gpu, "rect", filo_vec4(0, 0, 0, 0)));
    filo_gpu_destroy(s.gpu);
}

FILO_TEST(draws_without_what_they_need_are_refused) {
    only_in_debug_builds();
    Scene s = make_scene();
    expect_fault("filo_gpu_draw: begin a pass first", filo_gpu_draw(s.gpu, 0, 3, 1));
    expect_fault("filo_gpu_use: begin a pass first", filo_gpu_use(s.gpu, s.flat));
    expect_fault("filo_gpu_set_scissor: begin a pass first", filo_gpu_set_scissor(s.gpu, 0, 0, 1, 1));
    expect_fault("begin a pass before you end it", filo_gpu_end_pass(s.gpu));
    expect_fault("say how large the window is", filo_gpu_begin_pass(s.gpu, &(FiloGpuPass){ 0 }));
    begin_window(s.gpu, filo_vec4(0, 0, 0, 1));
    expect_fault("end the pass before you begin another", begin_window(s.gpu, filo_vec4(0, 0, 0, 1)));
    expect_fault("use a pipeline before you draw", filo_gpu_draw(s.gpu, 0, 3, 1));
    expect_fault("a viewport of -1 x 2 cannot be", filo_gpu_set_viewport(s.gpu, 0, 0, -1, 2));
    expect_fault("a scissor of 1 x -2 cannot be", filo_gpu_set_scissor(s.gpu, 0, 0, 1, -2));
    filo_gpu_use(s.gpu, s.flat);
    expect_fault("pipeline \"flat\": set the vertices of slot 0 before you draw",
                 filo_gpu_draw(s.gpu, 0, 3, 1));
    expect_fault("there are slots 0 to 2 for vertices, not 3", filo_gpu_set_vertices(s.gpu, 3, s.buffer, 0));
    filo_gpu_set_vertices(s.gpu, 0, s.buffer, 0);
    expect_fault("draw from 0 on -3 vertices", filo_gpu_draw(s.gpu, 0, -3, 1));
    filo_gpu_draw(s.gpu, 0, 8, 1); // just fits
    expect_fault("buffer \"list\": the draw reads 72 bytes of it, and it has 64",
                 filo_gpu_draw(s.gpu, 0, 9, 1));
    expect_fault("buffer \"list\": the draw reads 72 bytes", filo_gpu_draw(s.gpu, 1, 8, 1));
    expect_fault("pipeline \"flat\": set indices before you draw with them",
                 filo_gpu_draw_indexed(s.gpu, 0, 3, 0, 1));
    filo_gpu_set_indices(s.gpu, s.constant);
    expect_fault("buffer \"fixed\": the draw reads 12 bytes of it, and it has 4",
                 filo_gpu_draw_indexed(s.gpu, 0, 3, 0, 1));
    filo_gpu_buffer_destroy(s.gpu, s.buffer);
    expect_fault("pipeline \"flat\": the vertices of slot 0 have been destroyed",
                 filo_gpu_draw(s.gpu, 0, 3, 1));
    filo_gpu_use(s.gpu, s.picture);
    expect_fault("pipeline \"picture\": set the texture \"picture\" before you draw",
                 filo_gpu_draw(s.gpu, 0, 4, 1));
    filo_gpu_set_texture(s.gpu, "picture", s.texture);
    filo_gpu_end_pass(s.gpu);
    filo_gpu_begin_pass(s.gpu, &(FiloGpuPass){ .target = s.target });
    filo_gpu_use(s.gpu, s.picture);
    expect_fault("pipeline \"picture\": the texture \"plain\" is what the pass draws to",
                 filo_gpu_draw(s.gpu, 0, 4, 1));
    expect_fault("render target \"mirror\": end the pass that draws to it",
                 filo_gpu_target_destroy(s.gpu, s.target));
    expect_mistake("texture \"pages\": grow it outside of passes", filo_gpu_texture_grow(s.gpu, s.array, 3));
    filo_gpu_texture_destroy(s.gpu, s.texture);
    expect_fault("pipeline \"picture\": the texture \"picture\" has been destroyed",
                 filo_gpu_draw(s.gpu, 0, 4, 1));
    expect_fault("end the pass before the frame", filo_gpu_end_frame(s.gpu));
    assert_int_equal(filo_gpu_stats(s.gpu).draws, 1);
    begin_window(s.gpu, filo_vec4(0, 0, 0, 1));
    expect_fault("end the pass before you destroy the device", filo_gpu_destroy(s.gpu));
}

FILO_TEST(creating_without_a_result_pointer_is_a_mistake) {
    only_in_debug_builds();
    Scene s = make_scene();
    expect_mistake("say where to put the new buffer", filo_gpu_buffer_create(NULL, s.gpu, NULL));
    expect_mistake("say where to put the new ring", filo_gpu_ring_create(NULL, s.gpu, NULL));
    expect_mistake("say where to put the new texture", filo_gpu_texture_create(NULL, s.gpu, NULL));
    expect_mistake("say where to put the new render target", filo_gpu_target_create(NULL, s.gpu, NULL));
    expect_mistake("say where to put the new pipeline", filo_gpu_pipeline_create(NULL, s.gpu, NULL));
    expect_mistake("say where to put the new timer", filo_gpu_timer_create(NULL, s.gpu, NULL));
    filo_gpu_destroy(s.gpu);
}

FILO_TEST(wrong_descriptions_are_refused) {
    only_in_debug_builds();
    Scene s = make_scene();
    FiloGpu *gpu = s.gpu;
    FiloTexture texture = { 7 };
    expect_mistake("describe the texture", filo_gpu_texture_create(&texture, gpu, NULL));
    assert_int_equal(texture.id, 0);
    expect_mistake("give the buffer a size",
                   filo_gpu_buffer_create(&(FiloBuffer){ 0 }, gpu, &(FiloBufferDesc){ 0 }));
    expect_mistake("buffer \"c\": it is constant, so give its data",
                   filo_gpu_buffer_create(&(FiloBuffer){ 0 }, gpu,
                                          &(FiloBufferDesc){ .label = "c", .size = 4, .constant = true }));
    expect_fault("buffer \"fixed\": it is constant", filo_gpu_buffer_write(gpu, s.constant, 0, "a", 1));
    expect_fault("buffer \"list\": bytes 60 to 68 are not in its 64",
                 filo_gpu_buffer_write(gpu, s.buffer, 60, "12345678", 8));
    expect_mistake(
        "texture \"t\": give it a size, not 0 x 4",
        filo_gpu_texture_create(&(FiloTexture){ 0 }, gpu, &(FiloTextureDesc){ .label = "t", .height = 4 }));
    expect_mistake(
        "a depth texture has no data",
        filo_gpu_texture_create(
            &(FiloTexture){ 0 }, gpu,
            &(FiloTextureDesc){ .format = FILO_TEXTURE_DEPTH24, .width = 1, .height = 1, .data = "abcd" }));
    expect_fault("texture \"far\": depth is drawn, not written",
                 filo_gpu_texture_write(gpu, s.depth, 0, 0, 0, 1, 1, "abcd", 0));
    expect_fault("texture \"pages\": no layer 2 of 2",
                 filo_gpu_texture_write(gpu, s.array, 2, 0, 0, 1, 1, "abcd", 0));
    expect_fault("texture \"pages\": 2 x 1 at (3, 0) is not inside of its 4 x 4",
                 filo_gpu_texture_write(gpu, s.array, 0, 3, 0, 2, 1, "abcdefgh", 0));
    expect_fault("rows that are at least as long",
                 filo_gpu_texture_write(gpu, s.array, 0, 0, 0, 2, 1, "abcdefgh", 1));
    expect_mistake("texture \"plain\": only an array of colours can get more layers",
                   filo_gpu_texture_grow(gpu, s.texture, 3));
    expect_fault("texture \"pages\": it was made without room for mipmaps",
                 filo_gpu_texture_make_mipmaps(gpu, s.array));
    expect_mistake(
        "render target \"m\": give it a texture",
        filo_gpu_target_create(&(FiloRenderTarget){ 0 }, gpu, &(FiloRenderTargetDesc){ .label = "m" }));
    expect_mistake(
        "make the texture \"pages\" with `target`",
        filo_gpu_target_create(&(FiloRenderTarget){ 0 }, gpu, &(FiloRenderTargetDesc){ .color = s.array }));
    expect_mistake(
        "the texture \"far\" has the wrong format for its colour",
        filo_gpu_target_create(&(FiloRenderTarget){ 0 }, gpu, &(FiloRenderTargetDesc){ .color = s.depth }));
    expect_mistake("its textures must have one size",
                   filo_gpu_target_create(&(FiloRenderTarget){ 0 }, gpu,
                                          &(FiloRenderTargetDesc){ .color = s.texture, .depth = s.depth }));
    expect_mistake("no layer 1 of 1",
                   filo_gpu_target_create(&(FiloRenderTarget){ 0 }, gpu,
                                          &(FiloRenderTargetDesc){ .color = s.texture, .layer = 1 }));
    expect_mistake(
        "give the texts of its vertex and fragment shader",
        filo_gpu_pipeline_create(&(FiloPipeline){ 0 }, gpu, &(FiloPipelineDesc){ .vertex = FLAT_VERTEX }));
    FiloPipelineDesc desc = { .label = "p",
                              .vertex = FLAT_VERTEX,
                              .fragment = FLAT_FRAGMENT,
                              .attributes = { { FILO_ATTRIBUTE_FLOAT2, 3, 0 } } };
    expect_mistake("pipeline \"p\": attribute 0 is in buffer 3; there are 0 to 2",
                   filo_gpu_pipeline_create(&(FiloPipeline){ 0 }, gpu, &desc));
    desc.attributes[0] = (FiloAttribute){ FILO_ATTRIBUTE_FLOAT2, 1, 4 };
    desc.buffers[1].stride = 8;
    expect_mistake("pipeline \"p\": attribute 0 does not fit into the stride of buffer 1, 8 bytes",
                   filo_gpu_pipeline_create(&(FiloPipeline){ 0 }, gpu, &desc));
    expect_mistake("read inside of the 4 x 4 that were drawn",
                   filo_gpu_read(gpu, s.target, 2, 2, &(FiloPixels){ (FiloColor[9]){ { 0 } }, 3, 3, 3 }));
    expect_mistake("a ring has 1 to 8 parts",
                   filo_gpu_ring_create(&(FiloGpuRing *){ NULL }, gpu, &(FiloRingDesc){ .frames = 9 }));
    FiloGpuTimer timer;
    assert_ok(filo_gpu_timer_create(&timer, gpu, "t"));
    expect_fault("timer \"t\": begin it before you end it", filo_gpu_timer_end(gpu, timer));
    filo_gpu_timer_begin(gpu, timer);
    expect_fault("timer \"t\": end it before you begin it again", filo_gpu_timer_begin(gpu, timer));
    expect_fault("push a label before you pop one", filo_gpu_pop_label(gpu));
    filo_gpu_destroy(gpu);
}

FILO_TEST(ring_done_must_be_called_once_for_each_piece) {
    only_in_debug_builds();
    Scene s = make_scene();
    FiloRingPiece piece, copy, staged, staged_copy;
    assert_true(filo_gpu_ring_take(s.gpu, s.ring, 100, &piece));
    assert_true(filo_gpu_ring_take(s.gpu, s.ring, 1000, &staged));
    copy = piece;
    staged_copy = staged;
    expect_fault("it is a ring's; write into pieces", filo_gpu_buffer_write(s.gpu, piece.buffer, 0, "a", 1));
    expect_fault("it is a ring's; destroy the ring", filo_gpu_buffer_destroy(s.gpu, piece.buffer));
    filo_gpu_ring_done(s.gpu, s.ring, &piece);
    expect_fault("ring \"stream\": this piece has been handed in already",
                 filo_gpu_ring_done(s.gpu, s.ring, &piece));
    filo_gpu_ring_done(s.gpu, s.ring, &staged);
    expect_fault("hand in each piece once", filo_gpu_ring_done(s.gpu, s.ring, &staged_copy));
    expect_fault("hand in each piece once", filo_gpu_ring_done(s.gpu, s.ring, &copy));
    filo_gpu_end_frame(s.gpu);
    assert_true(filo_gpu_ring_take(s.gpu, s.ring, 100, &piece));
    assert_true(filo_gpu_ring_take(s.gpu, s.ring, 100000, &staged));
    expect_fault(
        "ring \"stream\": hand in all pieces before the frame ends, with filo_gpu_ring_done; 2 were not",
        filo_gpu_end_frame(s.gpu));
    expect_fault("in the frame in which it was taken", filo_gpu_ring_done(s.gpu, s.ring, &piece));
    expect_fault("in the frame in which it was taken", filo_gpu_ring_done(s.gpu, s.ring, &staged));
    filo_gpu_ring_destroy(s.gpu, s.ring);
    expect_fault("this ring has been destroyed already", filo_gpu_ring_destroy(s.gpu, s.ring));
    filo_gpu_destroy(s.gpu);
}

FILO_TEST(only_the_null_device_lists_its_calls) {
    only_in_debug_builds();
    filo_test_gl_context(3, 3);
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, NULL));
    expect_fault("only the null device can tell", (void)filo_gpu_null_call_count(gpu));
    expect_fault("only the null device can tell", filo_gpu_null_hold(gpu, true));
    filo_gpu_destroy(gpu);
    gpu = null_device();
    expect_fault("frame 0 has not ended yet", filo_gpu_null_complete(gpu, 0));
    filo_gpu_destroy(gpu);
}
