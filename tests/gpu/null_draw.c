// Draw lists, blocks and depth arrays on the null device: what it records, and mistakes by their message, which all devices
// share.

#include "gpu/scene.h"

// A pipeline with vertices in slot 0, instances in slot 1, and two blocks.
typedef struct Scene {
    FiloGpu *gpu;
    FiloPipeline pipeline;
    FiloBuffer vertices, instances, indices, block;
} Scene;

static FiloBuffer make_buffer(FiloGpu *gpu, const char *label, size_t size) {
    FiloBuffer buffer;
    assert_ok(filo_gpu_buffer_create(&buffer, gpu, &(FiloBufferDesc){ .label = label, .size = size }));
    return buffer;
}

static Scene make_scene(void) {
    Scene s = { .gpu = null_device() };
    assert_ok(filo_gpu_pipeline_create(
        &s.pipeline, s.gpu,
        &(FiloPipelineDesc){
            .label = "meshes",
            .vertex = "layout(std140) uniform Camera { mat4 view; vec4 eye; };\n"
                      "void main() { view; }\n",
            .fragment = "layout(std140) uniform Light { vec4 light; };\nvoid main() {}\n",
            .attributes = { { FILO_ATTRIBUTE_HALF4, 0, 0 }, { FILO_ATTRIBUTE_FLOAT4, 1, 0 } },
            .buffers = { { 8, false }, { 16, true } },
            .blocks = { "Camera", NULL, "Light" } }));
    s.vertices = make_buffer(s.gpu, "corners", 80);   // 10
    s.instances = make_buffer(s.gpu, "figures", 160); // 10
    s.indices = make_buffer(s.gpu, "faces", 240);     // 60
    s.block = make_buffer(s.gpu, "blocks", 512);
    return s;
}

static void begin(Scene *s) {
    filo_gpu_begin_pass(s->gpu, &(FiloGpuPass){ .width = 8, .height = 8 });
    filo_gpu_use(s->gpu, s->pipeline);
    filo_gpu_set_vertices(s->gpu, 0, s->vertices, 0);
    filo_gpu_set_vertices(s->gpu, 1, s->instances, 0);
    filo_gpu_set_indices(s->gpu, s->indices);
    filo_gpu_set_block(s->gpu, 0, s->block, 0, 80);
    filo_gpu_set_block(s->gpu, 2, s->block, 256, 16);
}

static void assert_calls(FiloGpu *gpu, const char *const *calls, size_t count) {
    for (size_t i = 0; i < count; i++) assert_string_equal(filo_gpu_null_call(gpu, i), calls[i]);
    assert_null(filo_gpu_null_call(gpu, count));
}

FILO_TEST(lists_and_blocks_are_recorded) {
    Scene s = make_scene();
    filo_gpu_null_forget(s.gpu);
    begin(&s);
    FiloDrawCommand commands[] = { { 6, 2, 3, 0, 0 }, { 12, 1, 48, -4, 9 } };
    filo_gpu_draw_indexed_list(s.gpu, commands, 2);
    filo_gpu_draw_indexed_list(s.gpu, commands, 0); // nothing
    filo_gpu_draw_indexed_from(s.gpu, 3, 6, 1, 4, 2);
    filo_gpu_draw_indexed_from(s.gpu, 3, 6, 1, 0, 2);
    filo_gpu_end_pass(s.gpu);
    static const char *const calls[] = {
        "begin_pass \"window\" 8 x 8",
        "use \"meshes\"",
        "vertices 0 \"corners\" 0",
        "vertices 1 \"figures\" 0",
        "indices \"faces\"",
        "block 0 \"blocks\" 0 80",
        "block 2 \"blocks\" 256 16",
        "draw_indexed_list 2",
        "command 3 6 + 0 x 2 from 0",
        "command 48 12 + -4 x 1 from 9",
        "draw_indexed 3 6 + 1 x 2 from 4",
        "draw_indexed 3 6 + 1 x 2",
        "end_pass",
    };
    assert_calls(s.gpu, calls, FILO_COUNT_OF(calls));
    FiloGpuStats stats = filo_gpu_stats_now(s.gpu);
    assert_int_equal(stats.draws, 3);
    assert_int_equal(stats.instances, 2 + 1 + 2 + 2);
    assert_int_equal(stats.vertices, 12 + 12 + 12 + 12);
    assert_int_equal(stats.triangles, 4 + 4 + 4 + 4);
    filo_gpu_destroy(s.gpu);
}

FILO_TEST(triangles_of_strips_are_counted_and_those_of_lines_are_not) {
    static const struct {
        FiloTopology topology;
        int count, triangles;
    } cases[] = { { FILO_TRIANGLES, 8, 2 },      { FILO_TRIANGLE_STRIP, 8, 6 }, { FILO_TRIANGLE_STRIP, 2, 0 },
                  { FILO_TRIANGLE_STRIP, 1, 0 }, { FILO_LINES, 8, 0 },          { FILO_POINTS, 8, 0 } };
    FiloGpu *gpu = null_device();
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloPipeline pipeline;
        assert_ok(filo_gpu_pipeline_create(&pipeline, gpu,
                                           &(FiloPipelineDesc){ .vertex = "void main() {}",
                                                                .fragment = "void main() {}",
                                                                .topology = cases[i].topology }));
        filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .width = 8, .height = 8 });
        filo_gpu_use(gpu, pipeline);
        filo_gpu_draw(gpu, 0, cases[i].count, 10);
        filo_gpu_end_pass(gpu);
        assert_int_equal(filo_gpu_stats_now(gpu).triangles, cases[i].triangles * 10);
        filo_gpu_end_frame(gpu);
    }
    filo_gpu_destroy(gpu);
}

FILO_TEST(what_a_pass_clears_is_recorded) {
    FiloGpu *gpu = null_device();
    static const struct {
        bool clear, keep_color, keep_depth;
        const char *call;
    } cases[] = { { false, false, false, "begin_pass \"window\" 8 x 8" },
                  { true, false, false, "begin_pass \"window\" 8 x 8 clear" },
                  { true, true, false, "begin_pass \"window\" 8 x 8 clear depth" },
                  { true, false, true, "begin_pass \"window\" 8 x 8 clear color" },
                  { true, true, true, "begin_pass \"window\" 8 x 8" },
                  { false, true, false, "begin_pass \"window\" 8 x 8" } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        filo_gpu_null_forget(gpu);
        filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .width = 8,
                                                 .height = 8,
                                                 .clear = cases[i].clear,
                                                 .keep_color = cases[i].keep_color,
                                                 .keep_depth = cases[i].keep_depth });
        filo_gpu_end_pass(gpu);
        assert_string_equal(filo_gpu_null_call(gpu, 0), cases[i].call);
    }
    filo_gpu_destroy(gpu);
}

FILO_TEST(levels_are_recorded_and_level_0_is_stored) {
    FiloGpu *gpu = null_device();
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(&texture, gpu,
                                      &(FiloTextureDesc){ .label = "t",
                                                          .format = FILO_TEXTURE_R16,
                                                          .width = 4,
                                                          .height = 2,
                                                          .layers = 2,
                                                          .mipmaps = true }));
    filo_gpu_null_forget(gpu);
    static const uint16_t data[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    filo_gpu_texture_write_level(gpu, texture, 0, 1, 1, 0, 2, 2, data, 4);
    filo_gpu_texture_write_level(gpu, texture, 1, 1, 0, 0, 2, 1, data, 0);
    filo_gpu_texture_write_level(gpu, texture, 2, 0, 0, 0, 1, 1, data, 0);
    static const char *const calls[] = { "texture_write \"t\" layer 1: 2 x 2 at 1 0",
                                         "texture_write \"t\" level 1 layer 1: 2 x 1 at 0 0",
                                         "texture_write \"t\" level 2 layer 0: 1 x 1 at 0 0" };
    assert_calls(gpu, calls, FILO_COUNT_OF(calls));
    const uint16_t stored[8] = { 0, 1, 2, 0, 0, 5, 6, 0 };
    assert_memory_equal(filo_gpu_null_texture_data(gpu, texture, 1), stored, sizeof stored);
    assert_int_equal(filo_gpu_stats_now(gpu).uploaded, (4 + 2 + 1) * 2);
    assert_int_equal(filo_gpu_texture_info(gpu, texture).levels, 3);
    assert_int_equal(filo_gpu_texture_native(gpu, texture), 0);
    filo_gpu_destroy(gpu);
}

// ---- Mistakes -----------------------------------------------------------------------------------------

FILO_TEST(a_command_that_reads_past_a_buffer_is_named_and_nothing_is_drawn) {
    only_in_debug_builds();
    Scene s = make_scene();
    begin(&s);
    FiloDrawCommand commands[] = { { 6, 1, 0, 0, 0 }, { 0 } };
    static const struct {
        FiloDrawCommand command;
        const char *message;
    } cases[] = {
        { { 6, 1, 55, 0, 0 },
          "buffer \"faces\": command 1 of the draw reads 244 bytes of it, and it has 240" },
        { { UINT32_MAX, 1, UINT32_MAX, 0, 0 }, "command 1 of the draw has 4294967295 indices" },
        { { 6, 5, 0, 0, 6 },
          "buffer \"figures\": command 1 of the draw reads 176 bytes of it, and it has 160" },
        { { 6, 1, 0, 0, UINT32_MAX }, "buffer \"figures\": command 1 of the draw reads 68719476736 bytes" },
        { { 6, 1u << 31, 0, 0, 0 }, "command 1 of the draw has 6 indices and 2147483648 instances" },
        { { 6, 1, 0, 10, 0 },
          "buffer \"corners\": command 1 of the draw reads 88 bytes of it, and it has 80" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        commands[1] = cases[i].command;
        expect_fault(cases[i].message, filo_gpu_draw_indexed_list(s.gpu, commands, 2));
    }
    assert_int_equal(filo_gpu_stats_now(s.gpu).draws, 0);
    assert_int_equal(filo_gpu_stats_now(s.gpu).instances, 0);
    // The last of everything, and commands that draw nothing wherever they are.
    commands[1] = (FiloDrawCommand){ 6, 4, 54, 9, 6 };
    filo_gpu_draw_indexed_list(s.gpu, commands, 2);
    commands[1] = (FiloDrawCommand){ 6, 0, 1000, 1000, 1000 };
    filo_gpu_draw_indexed_list(s.gpu, commands, 2);
    commands[1] = (FiloDrawCommand){ 0, 6, 1000, 1000, 1000 };
    filo_gpu_draw_indexed_list(s.gpu, commands, 2);
    assert_int_equal(filo_gpu_stats_now(s.gpu).draws, 3);
    filo_gpu_end_pass(s.gpu);
    filo_gpu_destroy(s.gpu);
}

FILO_TEST(mistakes_with_lists_are_named) {
    only_in_debug_builds();
    Scene s = make_scene();
    FiloDrawCommand command = { 6, 1, 0, 0, 0 };
    expect_fault("filo_gpu_draw_indexed_list: begin a pass first",
                 filo_gpu_draw_indexed_list(s.gpu, &command, 1));
    filo_gpu_begin_pass(s.gpu, &(FiloGpuPass){ .width = 8, .height = 8 });
    expect_fault("use a pipeline before you draw", filo_gpu_draw_indexed_list(s.gpu, &command, 1));
    filo_gpu_use(s.gpu, s.pipeline);
    expect_fault("pipeline \"meshes\": set indices before you draw with them",
                 filo_gpu_draw_indexed_list(s.gpu, &command, 1));
    filo_gpu_end_pass(s.gpu);
    begin(&s);
    expect_fault("give the commands to draw", filo_gpu_draw_indexed_list(s.gpu, NULL, 1));
    expect_fault("draw instances from -1 on", filo_gpu_draw_indexed_from(s.gpu, 0, 3, 0, -1, 1));
    expect_fault("buffer \"figures\": the draw reads 176 bytes of it, and it has 160",
                 filo_gpu_draw_indexed_from(s.gpu, 0, 3, 0, 10, 1));
    filo_gpu_end_pass(s.gpu);
    assert_int_equal(filo_gpu_stats_now(s.gpu).draws, 0);
    filo_gpu_destroy(s.gpu);
}

FILO_TEST(mistakes_with_blocks_are_named) {
    only_in_debug_builds();
    Scene s = make_scene();
    expect_fault("filo_gpu_set_block: begin a pass first", filo_gpu_set_block(s.gpu, 0, s.block, 0, 16));
    filo_gpu_begin_pass(s.gpu, &(FiloGpuPass){ .width = 8, .height = 8 });
    filo_gpu_use(s.gpu, s.pipeline);
    filo_gpu_set_vertices(s.gpu, 0, s.vertices, 0);
    filo_gpu_set_vertices(s.gpu, 1, s.instances, 0);
    expect_fault("there are slots 0 to 3 for blocks, not 4", filo_gpu_set_block(s.gpu, 4, s.block, 0, 16));
    expect_fault("there are slots 0 to 3 for blocks, not -1", filo_gpu_set_block(s.gpu, -1, s.block, 0, 16));
    expect_fault("filo_gpu_set_block: this buffer has been destroyed, or never was",
                 filo_gpu_set_block(s.gpu, 0, (FiloBuffer){ 0 }, 0, 16));
    const char *part = "buffer \"blocks\": give a part of it, from a multiple of 256 bytes on";
    expect_fault(part, filo_gpu_set_block(s.gpu, 0, s.block, 16, 16));
    expect_fault(part, filo_gpu_set_block(s.gpu, 0, s.block, 256, 257));
    expect_fault(part, filo_gpu_set_block(s.gpu, 0, s.block, 0, 0));
    expect_fault(part, filo_gpu_set_block(s.gpu, 0, s.block, 1024, 16));
    expect_fault("pipeline \"meshes\": set the block \"Camera\" before you draw",
                 filo_gpu_draw(s.gpu, 0, 3, 1));
    filo_gpu_set_block(s.gpu, 0, s.block, 0, 79);
    expect_fault("pipeline \"meshes\": the block \"Camera\" has 80 bytes, and only 79 are set",
                 filo_gpu_draw(s.gpu, 0, 3, 1));
    filo_gpu_set_block(s.gpu, 0, s.block, 0, 80);
    expect_fault("pipeline \"meshes\": set the block \"Light\" before you draw",
                 filo_gpu_draw(s.gpu, 0, 3, 1));
    FiloBuffer light = make_buffer(s.gpu, "light", 64);
    filo_gpu_set_block(s.gpu, 2, light, 0, 64);
    filo_gpu_draw(s.gpu, 0, 3, 1);
    filo_gpu_buffer_destroy(s.gpu, light);
    expect_fault("pipeline \"meshes\": the buffer of the block \"Light\" has been destroyed",
                 filo_gpu_draw(s.gpu, 0, 3, 1));
    filo_gpu_end_pass(s.gpu);
    begin(&s); // a new pass starts without blocks
    filo_gpu_draw(s.gpu, 0, 3, 1);
    filo_gpu_end_pass(s.gpu);
    assert_int_equal(filo_gpu_stats_now(s.gpu).draws, 2);
    FiloPipelineDesc desc = { .label = "p", .vertex = FLAT_VERTEX, .fragment = FLAT_FRAGMENT };
    desc.blocks[1] = "A_name_of_a_block_that_is_longer_than_the_47_letters_of_names";
    expect_mistake("pipeline \"p\": the name of the block A_name_of_a_block",
                   filo_gpu_pipeline_create(&(FiloPipeline){ 0 }, s.gpu, &desc));
    filo_gpu_destroy(s.gpu);
}

FILO_TEST(mistakes_with_blocks_of_compute_pipelines_are_named) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .label = "sum",
                             .compute =
                                 "layout(std140) uniform Numbers { uvec4 numbers; };\nvoid main() {}\n",
                             .blocks = { "Numbers" } }));
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .compute = true });
    filo_gpu_use(gpu, pipeline);
    expect_fault("pipeline \"sum\": set the block \"Numbers\" before you dispatch",
                 filo_gpu_dispatch(gpu, 1, 1, 1));
    filo_gpu_set_block(gpu, 0, make_buffer(gpu, "numbers", 16), 0, 16);
    filo_gpu_dispatch(gpu, 1, 1, 1);
    filo_gpu_end_pass(gpu);
    assert_int_equal(filo_gpu_stats_now(gpu).dispatches, 1);
    filo_gpu_destroy(gpu);
}

FILO_TEST(mistakes_with_levels_and_depth_textures_are_named) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloTexture texture, depth, none = { 7 };
    assert_ok(filo_gpu_texture_create(
        &texture, gpu, &(FiloTextureDesc){ .label = "t", .width = 5, .height = 2, .mipmaps = true }));
    FiloColor data[10] = { 0 };
    expect_fault("texture \"t\": no level 3 of 3",
                 filo_gpu_texture_write_level(gpu, texture, 3, 0, 0, 0, 1, 1, data, 0));
    expect_fault("texture \"t\": no level -1 of 3",
                 filo_gpu_texture_write_level(gpu, texture, -1, 0, 0, 0, 1, 1, data, 0));
    expect_fault("texture \"t\": 3 x 1 at (0, 0) is not inside of its 2 x 1",
                 filo_gpu_texture_write_level(gpu, texture, 1, 0, 0, 0, 3, 1, data, 0));
    expect_fault("texture \"t\": no layer 1 of 0",
                 filo_gpu_texture_write_level(gpu, texture, 1, 1, 0, 0, 1, 1, data, 0));
    expect_fault("filo_gpu_texture_write_level: this texture has been destroyed, or never was",
                 filo_gpu_texture_write_level(gpu, none, 0, 0, 0, 0, 1, 1, data, 0));
    expect_fault("filo_gpu_texture_info: this texture has been destroyed, or never was",
                 assert_int_equal(filo_gpu_texture_info(gpu, none).width, 0));
    expect_fault("filo_gpu_texture_native: this texture has been destroyed, or never was",
                 assert_int_equal(filo_gpu_texture_native(gpu, none), 0));
    FiloTextureDesc desc = { .label = "d", .width = 4, .height = 4, .compare = true };
    expect_mistake("texture \"d\": only a depth texture can be compared with",
                   filo_gpu_texture_create(&none, gpu, &desc));
    desc.format = FILO_TEXTURE_DEPTH32F;
    desc.mipmaps = true;
    expect_mistake("texture \"d\": a depth texture has no data and no mipmaps",
                   filo_gpu_texture_create(&none, gpu, &desc));
    desc = (FiloTextureDesc){ .label = "d",
                              .format = FILO_TEXTURE_DEPTH32F,
                              .width = 4,
                              .height = 4,
                              .layers = 2,
                              .compare = true,
                              .target = true };
    assert_ok(filo_gpu_texture_create(&depth, gpu, &desc));
    expect_fault("texture \"d\": depth is drawn, not written",
                 filo_gpu_texture_write_level(gpu, depth, 0, 0, 0, 0, 1, 1, data, 0));
    FiloRenderTarget target;
    FiloRenderTargetDesc of = { .label = "shadow", .depth = depth, .layer = 2 };
    expect_mistake("render target \"shadow\": no layer 2 of 2", filo_gpu_target_create(&target, gpu, &of));
    of.layer = 1;
    assert_ok(filo_gpu_target_create(&target, gpu, &of));
    filo_gpu_destroy(gpu);
}

FILO_TEST(a_texture_must_suit_the_kind_of_sampler) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .label = "lit",
                             .vertex = "void main() {}",
                             .fragment = "uniform sampler2DShadow one;\nuniform sampler2DArrayShadow many;\n"
                                         "uniform sampler2D plain;\nvoid main() { one; many; plain; }\n" }));
    assert_int_equal(filo_gpu_uniform_at(gpu, pipeline, 0).type, FILO_UNIFORM_TEXTURE_ARRAY_SHADOW);
    assert_int_equal(filo_gpu_uniform_at(gpu, pipeline, 1).type, FILO_UNIFORM_TEXTURE_SHADOW);
    FiloTextureDesc desc = {
        .label = "depth", .format = FILO_TEXTURE_DEPTH24, .width = 4, .height = 4, .compare = true
    };
    FiloTexture one, many, plain;
    assert_ok(filo_gpu_texture_create(&one, gpu, &desc));
    desc.layers = 3;
    assert_ok(filo_gpu_texture_create(&many, gpu, &desc));
    desc.layers = 0;
    desc.compare = false;
    assert_ok(filo_gpu_texture_create(&plain, gpu, &desc));
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .width = 8, .height = 8 });
    filo_gpu_use(gpu, pipeline);
    expect_fault("pipeline \"lit\": the uniform \"one\" is a sampler2DShadow, not a sampler2D as the texture "
                 "\"depth\" is",
                 (void)filo_gpu_set_texture(gpu, "one", plain));
    expect_fault("the uniform \"plain\" is a sampler2D, not a sampler2DShadow as",
                 (void)filo_gpu_set_texture(gpu, "plain", one));
    expect_fault("the uniform \"many\" is a sampler2DArrayShadow, not a sampler2DShadow as",
                 (void)filo_gpu_set_texture(gpu, "many", one));
    assert_true(filo_gpu_set_texture(gpu, "one", one));
    assert_true(filo_gpu_set_texture(gpu, "many", many));
    assert_true(filo_gpu_set_texture(gpu, "plain", plain));
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
    assert_int_equal(filo_gpu_stats_now(gpu).draws, 1);
    filo_gpu_destroy(gpu);
}
