// Materials with a shader of their own: types of values on every device, errors with their place, reloading.

#include "gfx3d/material_fixture.h"

static const char *const flag =
    "//! vertex\n"
    "uniform float wave;\n"
    "uniform vec2 wind;\n"
    "void vertex(inout FiloVertex v) { v.position.xz += wave * wind; }\n"
    "//! fragment\n"
    "uniform vec3 tint;\n"
    "uniform int stripes;\n"
    "uniform float unused;\n"
    "uniform float weights[3];\n"
    "uniform sampler2D pattern;\n"
    "void surface(inout FiloSurface s) {\n"
    "    s.color.rgb *= tint * texture(pattern, s.uv).rgb * float(stripes) * weights[1];\n"
    "}\n";

static FiloResult add_flag(Fixture *fixture, FiloMaterialDesc desc) {
    desc.shader = "flag.glsl";
    desc.source = flag;
    return filo_gfx3d_add_material(fixture->gfx, filo_name("flag"), &desc);
}

// ---- Types --------------------------------------------------------------------------------------------------

static void check_types(Device device) {
    Fixture fixture;
    fixture_begin(&fixture, device);
    assert_ok(add_flag(&fixture, (FiloMaterialDesc){ .values = { FILO_FLOAT("wave", 0.5f),
                                                                 FILO_VEC2("wind", 1, 2),
                                                                 FILO_VEC3("tint", 1, 0, 0),
                                                                 FILO_FLOAT("unused", 1),
                                                                 { "stripes", FILO_UNIFORM_INT, { 3 } },
                                                                 FILO_FLOAT("roughness", 0) } }));
    assert_failure(add_flag(&fixture, (FiloMaterialDesc){ .values = { FILO_VEC2("wave", 1, 1) } }),
                   "flag.glsl: \"wave\" is a float, but a vec2 was set");
    assert_failure(add_flag(&fixture, (FiloMaterialDesc){ .values = { FILO_VEC3("stripes", 1, 1, 1) } }),
                   "flag.glsl: \"stripes\" is an int, but a vec3 was set");
    assert_failure(add_flag(&fixture, (FiloMaterialDesc){ .values = { FILO_VEC2("unused", 1, 1) } }),
                   "flag.glsl: \"unused\" is a float, but a vec2 was set");
    assert_failure(add_flag(&fixture, (FiloMaterialDesc){ .values = { FILO_FLOAT("color", 1) } }),
                   "flag.glsl: \"color\" is a vec4, but a float was set");
    assert_failure(add_flag(&fixture, (FiloMaterialDesc){ .values = { FILO_FLOAT("pattern", 1) } }),
                   "flag.glsl: \"pattern\" is a sampler2D, but a float was set");
    assert_failure(add_flag(&fixture, (FiloMaterialDesc){ .values = { FILO_FLOAT("weights", 1) } }),
                   "flag.glsl: \"weights\" is an array, which a material cannot set");
    assert_failure(add_flag(&fixture, (FiloMaterialDesc){ .values = { FILO_FLOAT("wav", 1) } }),
                   "flag.glsl: there is no uniform \"wav\": did you mean \"wave\"?");
    assert_failure(add_flag(&fixture, (FiloMaterialDesc){ .textures = { { .name = "tint",
                                                                          .image = filo_name("a.png") } } }),
                   "flag.glsl: \"tint\" is a vec3, but a texture (sampler2D) was set");
    // The material is still the first one.
    const Gfx3dMaterial *in_use = material(&fixture, find(&fixture, "flag"));
    assert_true(in_use->good && !in_use->broken);
    assert_int_equal(in_use->data.value_count, 6);
    FiloLine items[8];
    FiloLines lines = { .items = items, .capacity = 8 };
    settle(&fixture);
    gfx3d_materials_problems(fixture.gfx, &lines);
    assert_int_equal(lines.count, 0);
    expect_no_log(&fixture);
    fixture_end(&fixture);
}

FILO_TEST(values_must_have_the_types_of_the_shader_on_the_null_device) { check_types(ON_NULL); }
FILO_TEST(values_must_have_the_types_of_the_shader_on_gl45) { check_types(ON_GL45); }
FILO_TEST(values_must_have_the_types_of_the_shader_on_gl33) { check_types(ON_GL33); }

static void check_setting(Device device) {
    Fixture fixture;
    fixture_begin(&fixture, device);
    FiloGfx3d *gfx = fixture.gfx;
    FiloName name = filo_name("flag");
    assert_ok(add_flag(&fixture, (FiloMaterialDesc){ .values = { FILO_FLOAT("wave", 0.5f) } }));
    assert_ok(filo_material_set_float(gfx, name, "wave", 2));
    assert_ok(filo_material_set_vec2(gfx, name, "wind", filo_vec2(1, 2)));
    assert_ok(filo_material_set_vec3(gfx, name, "tint", filo_vec3(1, 2, 3)));
    assert_ok(filo_material_set_int(gfx, name, "stripes", 4));
    assert_ok(filo_material_set_vec4(gfx, name, "color", filo_vec4(1, 2, 3, 4)));
    assert_ok(filo_material_set_texture(gfx, name, "pattern", filo_name("a.png")));
    assert_failure(filo_material_set_vec2(gfx, name, "wave", filo_vec2(1, 1)),
                   "flag.glsl: \"wave\" is a float, but a vec2 was set");
    assert_failure(filo_material_set_texture(gfx, name, "wave", filo_name("a.png")),
                   "flag.glsl: \"wave\" is a float, but a texture (sampler2D) was set");
    assert_failure(filo_material_set_float(gfx, name, "waves", 1),
                   "flag.glsl: there is no uniform \"waves\": did you mean \"wave\"?");
    assert_failure(filo_material_set_float(gfx, filo_name("flg"), "wave", 1),
                   "there is no material \"flg\": did you mean \"flag\"?");
    const Gfx3dMaterial *changed = material(&fixture, find(&fixture, "flag"));
    assert_float_equal(changed->block.color.z, 3, 0);
    assert_string_equal(changed->data.values[0].name, "wave");
    assert_float_equal(changed->data.values[0].value[0], 2, 0);
    fixture_end(&fixture);
}

FILO_TEST(values_are_set_by_name_on_the_null_device) { check_setting(ON_NULL); }
FILO_TEST(values_are_set_by_name_on_gl45) { check_setting(ON_GL45); }

FILO_TEST(values_in_files_are_converted_to_the_types_of_the_shader) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    write_text("flag.glsl", flag);
    write_text("flag.material",
               "{ \"filo\": \"material\", \"shader\": \"flag.glsl\", \"stripes\": 3, \"wave\": 2,\n"
               "  \"tint\": \"#ffffff\" }");
    uint32_t index = find(&fixture, "flag.material");
    settle(&fixture);
    expect_no_log(&fixture);
    assert_true(material(&fixture, index)->good);
    assert_int_equal(material(&fixture, index)->data.values[0].type, FILO_UNIFORM_INT);
    rewrite(&fixture, "flag.material",
            "{ \"filo\": \"material\", \"shader\": \"flag.glsl\",\n    \"stripes\": 3.5 }");
    expect_log(&fixture, "flag.material:2:5: flag.glsl: \"stripes\" is an int, but 3.5 was set");
    rewrite(&fixture, "flag.material",
            "{ \"filo\": \"material\", \"shader\": \"flag.glsl\",\n\n    \"wave\": [1, 2] }");
    expect_log(&fixture, "flag.material:3:5: flag.glsl: \"wave\" is a float, but a vec2 was set");
    rewrite(&fixture, "flag.material",
            "{ \"filo\": \"material\", \"shader\": \"flag.glsl\",\n\n    \"wave\": true }");
    expect_log(&fixture, "flag.material:3:5: flag.glsl: \"wave\" is a float, but a bool was set");
    assert_int_equal(material(&fixture, index)->data.value_count, 3); // the last good one
    fixture_end(&fixture);
}

// ---- Definitions ----------------------------------------------------------------------------------------------

static const char *const roof = "//! fragment\n"
                                "#ifdef SNOW\n"
                                "uniform float depth;\n"
                                "#endif\n"
                                "void surface(inout FiloSurface s) {\n"
                                "#if LAYERS > 2\n"
                                "    s.roughness = 1.0;\n"
                                "#endif\n"
                                "#ifdef SNOW\n"
                                "    s.color.rgb = mix(s.color.rgb, vec3(1.0), depth * FACTOR);\n"
                                "#endif\n"
                                "}\n";

static void check_defines(Device device) {
    Fixture fixture;
    fixture_begin(&fixture, device);
    write_text("roof.glsl", roof);
    write_text("winter.material",
               "{ \"filo\": \"material\", \"shader\": \"roof.glsl\",\n"
               "  \"defines\": [\"SNOW\", \"LAYERS=3\", \"FACTOR=0.5\"], \"depth\": 0.75 }");
    write_text("summer.material", "{ \"filo\": \"material\", \"shader\": \"roof.glsl\" }");
    uint32_t winter = find(&fixture, "winter.material"), summer = find(&fixture, "summer.material");
    settle(&fixture);
    expect_no_log(&fixture);
    assert_true(material(&fixture, winter)->good && material(&fixture, summer)->good);
    assert_int_not_equal(material(&fixture, winter)->shader, material(&fixture, summer)->shader);
    const Gfx3dShader *const *shaders = (const Gfx3dShader *const *)fixture.gfx->materials->shaders.items;
    assert_int_equal(shaders[material(&fixture, winter)->shader]->uniforms.count, 1);
    assert_int_equal(shaders[material(&fixture, summer)->shader]->uniforms.count, 0);
    // The same definitions are the same shader.
    write_text("january.material", "{ \"filo\": \"material\", \"shader\": \"roof.glsl\",\n"
                                   "  \"defines\": [\"SNOW\", \"LAYERS=3\", \"FACTOR=0.5\"] }");
    uint32_t january = find(&fixture, "january.material");
    settle(&fixture);
    assert_int_equal(material(&fixture, january)->shader, material(&fixture, winter)->shader);
    // Without its definition, the uniform is not there; the last good version stays.
    rewrite(&fixture, "winter.material",
            "{ \"filo\": \"material\", \"shader\": \"roof.glsl\", \"depth\": 1 }");
    expect_log(&fixture, "winter.material:1:46: roof.glsl: there is no uniform \"depth\"");
    assert_int_equal(material(&fixture, january)->shader, material(&fixture, winter)->shader);
    // An error in one of them is that of this one.
    rewrite(&fixture, "roof.glsl",
            "//! fragment\nvoid surface(inout FiloSurface s) {\n#ifdef SNOW\n#error melting\n#endif\n}\n");
    expect_log(&fixture, "roof.glsl:4: #error melting");
    assert_true(material(&fixture, summer)->error.code == FILO_OK);
    fixture_end(&fixture);
}

FILO_TEST(definitions_of_a_material_make_variants_of_its_shader_on_the_null_device) {
    check_defines(ON_NULL);
}
FILO_TEST(definitions_of_a_material_make_variants_of_its_shader_on_gl45) { check_defines(ON_GL45); }
FILO_TEST(definitions_of_a_material_make_variants_of_its_shader_on_gl33) { check_defines(ON_GL33); }

FILO_TEST(definitions_of_the_program_are_checked) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    FiloMaterialDesc desc = { .source = roof,
                              .defines = " SNOW  LAYERS=3 FACTOR=0.5 ",
                              .values = { FILO_FLOAT("depth", 1) } };
    assert_ok(filo_gfx3d_add_material(fixture.gfx, filo_name("roof"), &desc));
    const struct {
        const char *defines, *message;
    } cases[] = {
        { "snow", "roof: \"snow\" cannot be defined: a name has capital letters, digits, and _: \"SNOW\" or "
                  "\"LAYERS=3\"" },
        { "A=", "roof: \"A=\" cannot be defined: a value has letters, digits, and . + - _" },
        { "A=1\n#error",
          "roof: \"A=1\n#error\" cannot be defined: a value has letters, digits, and . + - _" },
        { "SKINNED", "roof: \"SKINNED\" cannot be defined: the name is one of the engine's" },
        { "NORMAL_MAP", "roof: \"NORMAL_MAP\" cannot be defined: the name is one of the engine's" },
        { "FILO_PI=3", "roof: \"FILO_PI=3\" cannot be defined: the name is one of the engine's" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        desc.defines = cases[i].defines;
        expect_mistake(cases[i].message, filo_gfx3d_add_material(fixture.gfx, filo_name("roof"), &desc));
    }
    char many[GFX3D_DEFINES + 1];
    memset(many, 'A', GFX3D_DEFINES);
    many[GFX3D_DEFINES] = '\0';
    desc.defines = many;
    assert_failure(filo_gfx3d_add_material(fixture.gfx, filo_name("roof"), &desc),
                   "roof: a material defines at most 127 letters");
    expect_mistake(
        "roof: `defines` are for a shader: name one, or give its text as `source`",
        filo_gfx3d_add_material(fixture.gfx, filo_name("roof"), &(FiloMaterialDesc){ .defines = "SNOW" }));
    assert_true(material(&fixture, find(&fixture, "roof"))->good);
    fixture_end(&fixture);
}

// ---- Errors of shaders ----------------------------------------------------------------------------------------

static FiloResult add_source(Fixture *fixture, const char *source) {
    return filo_gfx3d_add_material(fixture->gfx, filo_name("m"),
                                   &(FiloMaterialDesc){ .shader = "m.glsl", .source = source });
}

static void check_places(Device device) {
    Fixture fixture;
    fixture_begin(&fixture, device);
    FiloResult result =
        add_source(&fixture, "//! fragment\n\nvoid surface(inout FiloSurface s) {\n    s.color = colr;\n}\n");
    assert_int_equal(result.code, FILO_ERROR_DATA);
    assert_true(strncmp(result.message, "m.glsl:4: ", 10) == 0);
    write_text("wind.glsl", "float wind() {\n    return gusts;\n}\n");
    result = add_source(&fixture, "//! vertex\n#include \"maths.glsl\"\n#include \"wind.glsl\"\n"
                                  "void vertex(inout FiloVertex v) { v.position.x += wind(); }\n");
    assert_ok(result); // the file is being loaded
    settle(&fixture);
    expect_log(&fixture, "wind.glsl:2: ");
    assert_true(material(&fixture, find(&fixture, "m"))->broken);
    fixture_end(&fixture);
}

FILO_TEST(messages_of_the_compiler_have_file_and_line_on_gl45) { check_places(ON_GL45); }
FILO_TEST(messages_of_the_compiler_have_file_and_line_on_gl33) { check_places(ON_GL33); }

FILO_TEST(a_shader_without_functions_is_refused) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    assert_failure(add_source(&fixture, "//! vertex\nfloat x;\n"),
                   "m.glsl: has neither \"void vertex(inout FiloVertex v)\" after \"//! vertex\" nor \"void "
                   "surface(inout FiloSurface s)\" after \"//! fragment\"");
    assert_failure(add_source(&fixture, "\n//! fragmnt\nvoid surface(inout FiloSurface s) {}\n"),
                   "m.glsl:2: a part of a shader is begun by \"//! vertex\" or \"//! fragment\"");
    fixture_end(&fixture);
}

FILO_TEST(a_shader_without_parts_is_refused) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    assert_failure(add_source(&fixture, "void surface(inout FiloSurface s) {}\n"),
                   "m.glsl: there is no //! vertex or //! fragment part");
    assert_failure(add_source(&fixture, ""), "m.glsl: there is no //! vertex or //! fragment part");
    fixture_end(&fixture);
}

FILO_TEST(a_file_that_is_missing_is_named_with_the_line_that_includes_it) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    assert_ok(add_source(&fixture,
                         "//! vertex\n\n#include \"missing.glsl\"\nvoid vertex(inout FiloVertex v) {}\n"));
    settle(&fixture);
    expect_log(&fixture, "m.glsl:3: missing.glsl: ");
    fixture_end(&fixture);
}

// ---- Reloading ------------------------------------------------------------------------------------------------

static void check_reload(Device device) {
    Fixture fixture;
    fixture_begin(&fixture, device);
    write_text("wind.glsl", "float wind() { return 1.0; }\n");
    write_text("tree.glsl", "//! vertex\n#include \"wind.glsl\"\nuniform float bend;\n"
                            "void vertex(inout FiloVertex v) { v.position.x += wind() * bend; }\n");
    write_text("tree.material", "{ \"filo\": \"material\", \"shader\": \"tree.glsl\", \"bend\": 1 }");
    uint32_t index = find(&fixture, "tree.material");
    assert_false(material(&fixture, index)->good);
    settle(&fixture);
    expect_no_log(&fixture);
    assert_true(material(&fixture, index)->good && material(&fixture, index)->shader != 0);
    uint32_t shader = material(&fixture, index)->shader;
    FiloPipeline pipeline = gfx3d_shader_variant(fixture.gfx, shader, GFX3D_PASS_COLOR)->pipeline;
    assert_true(pipeline.id != 0);
    // A broken file that it includes: the pipeline stays, and the error is shown once.
    rewrite(&fixture, "wind.glsl",
            device == ON_NULL ? "float wind() { return 0.0; }\n#error gusts\n"
                              : "float wind() {\nreturn gusts; }\n");
    expect_log(&fixture, "wind.glsl:2: ");
    assert_int_equal(gfx3d_shader_variant(fixture.gfx, shader, GFX3D_PASS_COLOR)->pipeline.id, pipeline.id);
    assert_true(material(&fixture, index)->good && !material(&fixture, index)->broken);
    FiloLine items[8];
    FiloLines lines = { .items = items, .capacity = 8 };
    gfx3d_materials_problems(fixture.gfx, &lines);
    assert_int_equal(lines.count, 1);
    settle(&fixture);
    expect_no_log(&fixture);
    // It is repaired.
    rewrite(&fixture, "wind.glsl", "float wind() { return 2.0; }\n");
    expect_no_log(&fixture);
    lines.count = 0;
    gfx3d_materials_problems(fixture.gfx, &lines);
    assert_int_equal(lines.count, 0);
    // A uniform that goes away makes the material wrong, which stays as it is.
    rewrite(&fixture, "tree.glsl", "//! vertex\nvoid vertex(inout FiloVertex v) { v.position.x += 1.0; }\n");
    expect_log(&fixture, "tree.material:1:46: tree.glsl: there is no uniform \"bend\"");
    assert_true(material(&fixture, index)->good);
    fixture_end(&fixture);
}

FILO_TEST(broken_shaders_keep_the_last_good_version_on_the_null_device) { check_reload(ON_NULL); }
FILO_TEST(broken_shaders_keep_the_last_good_version_on_gl45) { check_reload(ON_GL45); }
FILO_TEST(broken_shaders_keep_the_last_good_version_on_gl33) { check_reload(ON_GL33); }

FILO_TEST(a_broken_material_file_keeps_the_last_good_version) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    write_text("a.material", "{ \"filo\": \"material\", \"roughness\": 0.25 }");
    uint32_t index = find(&fixture, "a.material");
    settle(&fixture);
    assert_float_equal(material(&fixture, index)->block.roughness, 0.25f, 0);
    rewrite(&fixture, "a.material", "{ \"filo\": \"material\", \"roughness\": }");
    expect_log(&fixture, "a.material:1:36: expected a value");
    assert_float_equal(material(&fixture, index)->block.roughness, 0.25f, 0);
    assert_false(material(&fixture, index)->broken);
    rewrite(&fixture, "a.material", "{ \"filo\": \"material\", \"roughness\": 0.5 }");
    assert_float_equal(material(&fixture, index)->block.roughness, 0.5f, 0);
    fixture_end(&fixture);
}

FILO_TEST(a_material_that_never_was_right_is_shown_as_an_error) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    write_text("a.material", "{ \"filo\": \"material\", \"rough\": 0.25 }");
    write_text("b.material", "{ \"filo\": \"material\", \"shader\": \"none.glsl\" }");
    uint32_t a = find(&fixture, "a.material"), b = find(&fixture, "b.material");
    settle(&fixture);
    expect_log(&fixture, "a.material:1:23: a material without a shader of its own has no \"rough\"");
    assert_true(material(&fixture, a)->broken && material(&fixture, b)->broken);
    fixture_end(&fixture);
}

FILO_TEST(shaders_of_the_program_are_freed_with_their_last_material) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    assert_ok(add_source(&fixture, "//! vertex\nvoid vertex(inout FiloVertex v) {}\n"));
    assert_int_equal(fixture.gfx->materials->shaders.count, 2);
    for (int i = 0; i < 10; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "//! vertex\nvoid vertex(inout FiloVertex v) { v.uv.x = %d.0; }\n",
                       i);
        assert_ok(add_source(&fixture, text));
    }
    assert_true(fixture.gfx->materials->shaders.count <= 3);
    fixture_end(&fixture);
}
