// What the null device finds in the texts of shaders: which branches of conditions count.

#include "gpu/scene.h"
#include "support/failing_allocator.h"

// The names of the uniforms of a fragment shader, with commas between.
static const char *uniforms_of(FiloGpu *gpu, const char *fragment) {
    static char names[256];
    char text[1024];
    // Every name is used, in a branch or not.
    (void)snprintf(text, sizeof text, "%s\nvoid main() { a; b; c; d; }\n", fragment);
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu,
                                       &(FiloPipelineDesc){ .vertex = "void main() {}", .fragment = text }));
    names[0] = '\0';
    for (size_t i = 0; i < filo_gpu_uniform_count(gpu, pipeline); i++) {
        if (i > 0) strcat(names, ",");
        strcat(names, filo_gpu_uniform_at(gpu, pipeline, i).name);
    }
    filo_gpu_pipeline_destroy(gpu, pipeline);
    return names;
}

#define A "\nuniform float a;\n"
#define B "\nuniform float b;\n"
#define C "\nuniform float c;\n"
#define D "\nuniform float d;\n"

FILO_TEST(branches_that_are_not_taken_do_not_count) {
    static const struct {
        const char *text, *uniforms;
    } cases[] = {
        { "#ifdef X" A "#else" B "#endif" C, "b,c" },
        { "#define X\n#ifdef X" A "#else" B "#endif" C, "a,c" },
        { "#ifndef X" A "#else" B "#endif" C, "a,c" },
        { "#define X\n#undef X\n#ifdef X" A "#else" B "#endif", "b" },
        { "#ifdef X\n#define Y\n#endif\n#ifdef Y" A "#endif" B, "b" },
        { "#define X 1\n#if X" A "#elif 1" B "#else" C "#endif", "a" },
        { "#define X 0\n#if X" A "#elif 1" B "#else" C "#endif", "b" },
        { "#if 0" A "#elif 0" B "#else" C "#endif", "c" },
        { "#if !defined(X)" A "#endif\n#if defined X // a comment" B "#endif", "a" },
        { "# if defined( X )" A "#endif\n  #  ifndef X" B "# endif", "b" },
        { "#ifdef X\n#ifndef Y" A "#else" B "#endif\n#endif" C, "c" },
        { "#ifndef X\n#ifdef Y" A "#else" B "#endif\n#endif" C, "b,c" },
        { "/*\n#ifdef X\n*/" A "//\n#endif" B, "a,b" },
        { "#define X /* 0 */ 0\n#if X" A "#endif" B, "b" },
        { "#define X\n#if X" A "#endif" B, "a,b" }, // no number: not known
    };
    FiloGpu *gpu = null_device();
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++)
        assert_string_equal(uniforms_of(gpu, cases[i].text), cases[i].uniforms);
    filo_gpu_destroy(gpu);
}

FILO_TEST(branches_of_conditions_that_are_not_known_all_count) {
    static const struct {
        const char *text, *uniforms;
    } cases[] = {
        { "#ifdef FILO_GL45" A "#else" B "#endif", "a,b" },
        { "#ifdef GL_ARB_gpu_shader5" A "#else" B "#endif", "a,b" },
        { "#if __VERSION__ > 330" A "#else" B "#endif", "a,b" },
        { "#define X 3\n#if (X & 1) != 0" A "#elif X == 2" B "#else" C "#endif", "a,b,c" },
        { "#ifdef FILO_GL45\n#define X\n#endif\n#ifdef X" A "#else" B "#endif", "a,b" },
        { "#if 0 && 1" A "#endif" B, "a,b" },
        { "#ifdef FILO_GL45" A "#elif 0" B "#else" C "#endif", "a,c" },
        { "#ifndef X" A "#elif __VERSION__" B "#endif" C, "a,c" }, // the first is taken
    };
    FiloGpu *gpu = null_device();
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++)
        assert_string_equal(uniforms_of(gpu, cases[i].text), cases[i].uniforms);
    filo_gpu_destroy(gpu);
}

FILO_TEST(deep_and_many_conditions_count_rather_than_fail) {
    FiloGpu *gpu = null_device();
    static char text[16384];
    size_t length = 0;
    for (int i = 0; i < 50; i++) length += (size_t)snprintf(text + length, 32, "#ifndef X%d\n", i);
    length += (size_t)snprintf(text + length, 64, "uniform float a;\n#error deep\n#ifdef Y\n");
    for (int i = 0; i < 51; i++) length += (size_t)snprintf(text + length, 32, "#endif\n");
    (void)snprintf(text + length, 64, "uniform float b;\nvoid main() { a; b; }\n");
    FiloPipeline pipeline;
    FiloPipelineDesc desc = { .vertex = "void main() {}", .fragment = text };
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu, &desc));
    assert_int_equal(filo_gpu_uniform_count(gpu, pipeline), 2);
    // More names than are stored: what is not found may have been defined.
    length = 0;
    for (int i = 0; i < 100; i++) length += (size_t)snprintf(text + length, 32, "#define X%d\n", i);
    (void)snprintf(text + length, 256,
                   "#ifdef X99\nuniform float a;\n#endif\n#ifdef X5\n#else\nuniform float b;\n#endif\n"
                   "void main() { a; b; }\n");
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu, &desc));
    assert_int_equal(filo_gpu_uniform_count(gpu, pipeline), 1);
    assert_string_equal(filo_gpu_uniform_at(gpu, pipeline, 0).name, "a");
    filo_gpu_destroy(gpu);
}

FILO_TEST(errors_in_branches_that_are_taken_are_found) {
    FiloGpu *gpu = null_device();
    FiloPipeline pipeline;
    FiloPipelineDesc desc = { .label = "text", .vertex = "void main() {}" };
    desc.fragment = "#ifdef X\n#error one\n#else\n#error two\n#endif\nvoid main() {}";
    assert_error(filo_gpu_pipeline_create(&pipeline, gpu, &desc), FILO_ERROR_DATA,
                 "text (fragment shader), line 4: #error two");
    desc.fragment = "#ifdef FILO_GL45\n#error one\n#endif\nvoid main() {}";
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu, &desc));
    desc.fragment = "#ifdef X\nvoid main() {}\n#endif";
    assert_error(filo_gpu_pipeline_create(&pipeline, gpu, &desc), FILO_ERROR_DATA,
                 "text (fragment shader): it has no main function");
    // Directives without what belongs to them.
    static const char *const texts[] = { "#endif",
                                         "#else\n",
                                         "#elif",
                                         "#if",
                                         "#ifdef",
                                         "#ifndef\n",
                                         "#define",
                                         "#undef\n",
                                         "#if defined",
                                         "#if !",
                                         "#if defined(",
                                         "#endif\n#endif",
                                         "#if 1\n#else\n#else\n" };
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++) {
        desc.fragment = texts[i];
        assert_error(filo_gpu_pipeline_create(&pipeline, gpu, &desc), FILO_ERROR_DATA, "no main function");
    }
    filo_gpu_destroy(gpu);
}

FILO_TEST(blocks_and_storage_in_branches_that_are_not_taken_are_not_needed) {
    FiloGpu *gpu = null_device();
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .label = "depth only",
                             .vertex = "void main() {}",
                             .fragment = "#define DEPTH_ONLY\n"
                                         "#ifndef DEPTH_ONLY\n"
                                         "layout(std140) uniform Light { vec4 light; };\n"
                                         "layout(std430, binding = 2) buffer Items { uint items[]; };\n"
                                         "uniform sampler2DShadow shadow;\n"
                                         "uniform sampler2DArrayShadow shadows;\n"
                                         "#endif\n"
                                         "void main() { light; shadow; shadows; }\n",
                             .blocks = { "Light" } }));
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .width = 8, .height = 8 });
    filo_gpu_use(gpu, pipeline);
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
    assert_int_equal(filo_gpu_stats_now(gpu).draws, 1);
    filo_gpu_destroy(gpu);
}

static FiloResult create(FiloGpu *gpu, const char *fragment) {
    FiloPipeline pipeline;
    return filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .label = "hostile", .vertex = "void main() {}", .fragment = fragment });
}

FILO_TEST(what_no_program_has_is_refused_in_time_and_memory_of_the_text) {
    FailingAllocator counted = FAILING_AT(counted, SIZE_MAX);
    FiloGpu *gpu;
    assert_ok(
        filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_NULL, .allocator = &counted.allocator }));
    static const char *const large[] = { "uniform float a[1000000000];\nvoid main() { a; }\n",
                                         "uniform float a[99999999999999999999];\nvoid main() { a; }\n",
                                         "#define N 1000000000\nuniform mat4 a[N];\nvoid main() { a; }\n",
                                         "uniform dmat4 a[1000000000];\nvoid main() { a; }\n",
                                         "uniform mat4 b[2048], a[2049];\nvoid main() { a; b; }\n" };
    for (size_t i = 0; i < FILO_COUNT_OF(large); i++)
        assert_error(create(gpu, large[i]), FILO_ERROR_LIMIT,
                     "hostile: has more than 65536 numbers in uniforms, with \"");
    assert_ok(create(gpu, "uniform mat4 a[4096];\nvoid main() { a; }\n"));
    // Each name and size is looked for in the whole text.
    size_t count = 20000;
    char *text = malloc(count * 64), *end = text;
    for (size_t i = 0; i < count; i++) end += sprintf(end, "uniform float a%zu[N%zu];\n", i, i);
    end += sprintf(end, "void main() {\n");
    for (size_t i = 0; i < count; i++) end += sprintf(end, "a%zu;\n", i);
    (void)sprintf(end, "}\n");
    assert_error(create(gpu, text), FILO_ERROR_LIMIT,
                 "hostile: has more than 1024 uniforms: put them into a uniform block");
    assert_in_range(counted.peak, 0, FILO_MIB(16));
    free(text);
    filo_gpu_destroy(gpu);
    assert_int_equal(counted.used, 0);
}
