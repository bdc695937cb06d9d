// Composing shaders from files: includes, parts, definitions, conditions, and the place of each line.

#include "gfx3d/material_fixture.h"

#include "gfx3d/materials/condition.h"
#include "support/failing_allocator.h"

typedef struct File {
    const char *name, *text;
} File;

static FiloResult open_file(Gfx3dSource *source, const char *name, void *user) {
    for (const File *file = user; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0) {
            *source = (Gfx3dSource){ file->name, file->text };
            return filo_ok();
        }
    return filo_error(FILO_ERROR_NOT_FOUND, "there is no \"%s\"", name);
}

static Gfx3dComposeDesc describe(const char *text, const File *files, const char *defines) {
    return (Gfx3dComposeDesc){ .source = { "main.glsl", text },
                               .stage = GFX3D_STAGE_FRAGMENT,
                               .defines = defines,
                               .open = open_file,
                               .user = (void *)files };
}

static const File no_files[] = { { NULL, NULL } };

// Whether a text becomes another one, in which "|" stands for the end of a line.
static void expect_text(const char *text, const File *files, const char *defines, const char *expected) {
    Gfx3dComposeDesc desc = describe(text, files, defines);
    Gfx3dText composed;
    assert_ok(gfx3d_compose(&composed, &desc));
    for (size_t i = 0; i < composed.text.length; i++)
        if (composed.text.data[i] == '\n') composed.text.data[i] = '|';
    assert_string_equal(filo_builder_text(&composed.text), expected);
    gfx3d_text_free(&composed);
}

static void expect_refused(const char *text, const File *files, const char *message) {
    Gfx3dComposeDesc desc = describe(text, files, NULL);
    Gfx3dText composed;
    assert_failure(gfx3d_compose(&composed, &desc), message);
    assert_null(composed.text.data);
}

FILO_TEST(included_files_are_inserted_once) {
    const File files[] = { { "a.glsl", "A\n#include \"b.glsl\"\nC" }, { "b.glsl", "B" }, { NULL, NULL } };
    expect_text("1\n#include \"a.glsl\"\n#include \"b.glsl\"\n2", files, NULL, "1|A|B|C||2|");
    const File circle[] = { { "a.glsl", "#include \"b.glsl\"\nA" },
                            { "b.glsl", "#include \"a.glsl\"\nB" },
                            { 0 } };
    expect_text("  #  include \"a.glsl\"", circle, NULL, "|B|A|");
}

FILO_TEST(a_stage_has_its_part_and_what_is_before_the_parts) {
    const File files[] = { { "a.glsl", "both\n//! vertex\nv\n//! fragment\nf" }, { NULL, NULL } };
    expect_text("x\n//! vertex\n#include \"none.glsl\"\n//! fragment\n#include \"a.glsl\"\ny", files, NULL,
                "x||||both||||f|y|");
}

FILO_TEST(what_conditions_leave_out_is_not_in_the_text) {
    expect_text("#ifdef A\na\n#else\nb\n#endif\nc", no_files, "A", "#define A 1||a||||c|");
    expect_text("#ifdef A\na\n#else\nb\n#endif", no_files, NULL, "|||b||");
    expect_text("#ifndef A\na\n#endif", no_files, "B A", "#define B 1|#define A 1||||");
    expect_text("#if defined(A) && !defined(B)\na\n#elif C > 1\nb\n#else\nc\n#endif", no_files, "C=2",
                "#define C 2||||b||||");
    expect_text("#define N 3\n#if N + 1 == 4\nyes\n#endif\n#undef N\n#ifdef N\nno\n#endif", no_files, NULL,
                "#define N 3||yes||#undef N||||");
    expect_text("#ifdef A\n#ifdef B\n#include \"none.glsl\"\n#else\nx\n#endif\n#endif", no_files, NULL,
                "|||||||");
}

FILO_TEST(conditions_that_only_the_driver_knows_stay_in_the_text) {
    expect_text("#ifdef FILO_GL45\na\n#else\nb\n#endif", no_files, NULL,
                "#ifdef FILO_GL45|a|#else|b|#endif|");
    expect_text("#ifdef A\na\n#elif defined(GL_ES)\nb\n#else\nc\n#endif", no_files, NULL,
                "||#if defined(GL_ES)|b|#else|c|#endif|");
    // What is defined inside of them may be defined or not.
    expect_text("#ifdef GL_ES\n#define A\n#endif\n#ifdef A\na\n#endif", no_files, NULL,
                "#ifdef GL_ES|#define A|#endif|#ifdef A|a|#endif|");
    // One side is enough to know the whole.
    expect_text("#if defined(A) && defined(GL_ES)\na\n#endif", no_files, NULL, "|||");
    expect_text("#if X * 2\na\n#endif", no_files, NULL, "#if X * 2|a|#endif|");
}

FILO_TEST(comments_hide_directives) {
    expect_text(
        "/*\n#include \"none.glsl\"\n*/\n// #include \"none.glsl\"\n/* a */ x // /*\n#ifdef A\nno\n#endif",
        no_files, NULL, "/*|#include \"none.glsl\"|*/|// #include \"none.glsl\"|/* a */ x // /*||||");
}

FILO_TEST(errors_have_the_file_and_line_of_the_place) {
    const File files[] = { { "a.glsl", "A\n\n#include \"none.glsl\"" },
                           { "b.glsl", "#if A\n#if B\n#endif" },
                           { "c.glsl", "x\n#endif" },
                           { "d.glsl", "\n#else" },
                           { NULL, NULL } };
    expect_refused("x\n#include \"a.glsl\"", files, "a.glsl:3: there is no \"none.glsl\"");
    expect_refused("#include <a.glsl>", files,
                   "main.glsl:1: write #include \"file.glsl\", with a name of up to 63 letters");
    expect_refused("#include \"a.glsl", files,
                   "main.glsl:1: write #include \"file.glsl\", with a name of up to 63 letters");
    expect_refused("#include \"b.glsl\"", files, "b.glsl:1: there is no #endif for this");
    // A condition ends in the file in which it begins.
    expect_refused("#if 1\n#include \"c.glsl\"", files, "c.glsl:2: there is no #if before this");
    expect_refused("#if 1\n#include \"d.glsl\"\n#endif", files, "d.glsl:2: there is no #if before this");
    expect_refused("//! fragmnt", files,
                   "main.glsl:1: a part of a shader is begun by \"//! vertex\" or \"//! fragment\"");
    expect_refused("//! vertex\n//! vertex", files, "main.glsl:2: this part is there twice");
    expect_refused("#ifndef A\n#error A is needed\n#endif", files, "main.glsl:2: #error A is needed");
    expect_refused("\n#version 330", files, "main.glsl:2: leave out #version, the device writes its own");
}

FILO_TEST(what_has_no_end_is_refused) {
    FiloBuilder text = { 0 };
    for (int i = 0; i < 65; i++) filo_builder_add_text(&text, "#if 1\n");
    expect_refused(filo_builder_text(&text), no_files,
                   "main.glsl:65: more than 64 conditions inside each other");
    filo_builder_clear(&text);
    for (int i = 0; i < 70000; i++) filo_builder_add_text(&text, "0123456789abcde\n");
    expect_refused(filo_builder_text(&text), no_files,
                   "main.glsl: with everything that it includes, the shader is longer than 1 MiB");
    filo_builder_deinit(&text);
}

FILO_TEST(messages_of_the_device_name_the_file) {
    const File files[] = { { "a.glsl", "1\n2\n3" }, { NULL, NULL } };
    Gfx3dComposeDesc desc = describe("x\n#include \"a.glsl\"\ny\nz", files, "A B");
    Gfx3dText vertex, fragment;
    desc.stage = GFX3D_STAGE_VERTEX;
    assert_ok(gfx3d_compose(&vertex, &desc));
    desc.stage = GFX3D_STAGE_FRAGMENT;
    assert_ok(gfx3d_compose(&fragment, &desc));
    static const char *const expected[] = { NULL,       NULL,       NULL,          "main.glsl:1", "a.glsl:1",
                                            "a.glsl:2", "a.glsl:3", "main.glsl:3", "main.glsl:4" };
    for (int line = 3; line <= 8; line++) {
        FiloResult result = filo_error(FILO_ERROR_DATA, "label (%s shader), line %d: no", "fragment", line);
        char text[64];
        (void)snprintf(text, sizeof text, "%s: no", expected[line]);
        assert_failure(gfx3d_text_error(&result, &vertex, &fragment), text);
    }
    FiloResult linking = filo_error(FILO_ERROR_DATA, "label (linking): no");
    assert_failure(gfx3d_text_error(&linking, &vertex, &fragment), "label (linking): no");
    gfx3d_text_free(&vertex);
    gfx3d_text_free(&fragment);
}

FILO_TEST(functions_and_uniforms_of_a_text_are_found) {
    const char *text =
        "uniform float wave; // uniform float no;\nuniform highp vec2 a, b;\nuniform sampler2D map;\n"
        "layout(std140) uniform Block { vec4 x; } block;\nuniform vec4 list[4];\nuniform bool on = true;\n"
        "void surface ( inout FiloSurface s) {}\n/* void vertex() */ void vertexes() {}";
    assert_true(gfx3d_text_has_function(text, "surface"));
    assert_false(gfx3d_text_has_function(text, "vertex"));
    Gfx3dUniforms uniforms = { 0 };
    assert_true(gfx3d_text_uniforms(text, &uniforms));
    static const struct {
        const char *name;
        FiloUniformType type;
        int count;
    } expected[] = { { "wave", FILO_UNIFORM_FLOAT, 1 }, { "a", FILO_UNIFORM_VEC2, 1 },
                     { "b", FILO_UNIFORM_VEC2, 1 },     { "map", FILO_UNIFORM_TEXTURE, 1 },
                     { "list", FILO_UNIFORM_VEC4, 0 },  { "on", FILO_UNIFORM_INT, 1 } };
    assert_int_equal(uniforms.count, FILO_COUNT_OF(expected));
    for (size_t i = 0; i < uniforms.count; i++) {
        assert_string_equal(uniforms.items[i].name, expected[i].name);
        assert_int_equal(uniforms.items[i].type, expected[i].type);
        assert_int_equal(uniforms.items[i].count, expected[i].count);
    }
    filo_array_deinit(&uniforms);
}

FILO_TEST(composing_without_memory_is_an_error) {
    const File files[] = { { "a.glsl", "#define X 1\n#ifdef X\na\n#endif" }, { NULL, NULL } };
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        Gfx3dComposeDesc desc = describe("#include \"a.glsl\"\nb", files, "A B=2");
        desc.allocator = &failing.allocator;
        Gfx3dText text;
        FiloResult result = gfx3d_compose(&text, &desc);
        more = failing.calls > fail_at;
        assert_int_equal(result.code, more ? FILO_ERROR_MEMORY : FILO_OK);
        if (!more) gfx3d_text_free(&text);
        assert_int_equal(failing.blocks, 0);
    }
}
