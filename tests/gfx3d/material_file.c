// Material files: what they say, and every error by its message.

#include "gfx3d/material_fixture.h"

static Gfx3dMaterialData decode(const char *text) {
    Gfx3dMaterialData data = { 0 };
    assert_ok(gfx3d_material_decode(&data, text, strlen(text), "x.material"));
    return data;
}

static void expect_refused(const char *text, const char *message) {
    Gfx3dMaterialData data = { .cutoff = 7 };
    assert_failure(gfx3d_material_decode(&data, text, strlen(text), "x.material"), message);
    assert_float_equal(data.cutoff, 7, 0);
}

#define IN(text) "{ \"filo\": \"material\", " text " }"

FILO_TEST(a_file_gives_values_textures_and_modes) {
    Gfx3dMaterialData data =
        decode(IN("\"color\": [0.5, 0.25, 1, 0.75], \"metallic\": 1, \"roughness\": 0.125,"
                  "\"emissive\": [1, 2, 3], \"uv_scale\": [2, 4], \"mode\": \"mask\","
                  "\"cutoff\": 0.25, \"double_sided\": true, \"unlit\": true, \"no_shadow\": true,"
                  "\"color_map\": \"a.png\","
                  "\"normal_map\": { \"image\": \"b.png\", \"clamp\": true, \"nearest\": true }"));
    assert_int_equal(data.value_count, 5);
    assert_string_equal(data.values[0].name, "color");
    assert_float_equal(data.values[0].value[3], 0.75f, 0);
    assert_float_equal(data.values[3].value[2], 3, 0);
    assert_int_equal(data.mode, FILO_MATERIAL_MASK);
    assert_float_equal(data.cutoff, 0.25f, 0);
    assert_true(data.double_sided && data.unlit && data.no_shadow);
    assert_int_equal(data.texture_count, 2);
    assert_string_equal(filo_name_text(data.textures[0].image), "a.png");
    assert_false(data.textures[0].linear || data.textures[0].nearest);
    assert_string_equal(filo_name_text(data.textures[1].image), "b.png");
    assert_true(data.textures[0].wrap_u == FILO_WRAP_REPEAT && data.textures[0].wrap_v == FILO_WRAP_REPEAT);
    assert_true(data.textures[1].linear && data.textures[1].nearest);
    assert_true(data.textures[1].wrap_u == FILO_WRAP_CLAMP && data.textures[1].wrap_v == FILO_WRAP_CLAMP);
}

FILO_TEST(the_smallest_file_is_an_opaque_material) {
    Gfx3dMaterialData data = decode("{\"filo\":\"material\"}");
    assert_int_equal(data.mode, FILO_MATERIAL_OPAQUE);
    assert_float_equal(data.cutoff, 0.5f, 0);
    assert_int_equal(data.value_count + data.texture_count, 0);
    assert_string_equal(data.shader, "");
}

FILO_TEST(colours_in_hexadecimal_are_converted_to_linear_values) {
    Gfx3dMaterialData data = decode(IN("\"color\": \"#ff8000\", \"emissive\": \"#000080\""));
    assert_float_equal(data.values[0].value[0], 1, 1e-6f);
    assert_float_equal(data.values[0].value[1], 0.2158605f, 1e-6f);
    assert_float_equal(data.values[0].value[2], 0, 0);
    assert_float_equal(data.values[0].value[3], 1, 0);
    assert_int_equal(data.values[1].type, FILO_UNIFORM_VEC3);
    assert_float_equal(data.values[1].value[2], 0.2158605f, 1e-6f);
    assert_float_equal(decode(IN("\"color\": \"#00000080\"")).values[0].value[3], 128 / 255.0f, 1e-6f);
    assert_float_equal(decode(IN("\"color\": [0, 0, 0]")).values[0].value[3], 1, 0);
}

FILO_TEST(values_of_a_shader_of_its_own_have_the_form_that_they_are_written_in) {
    Gfx3dMaterialData data =
        decode(IN("\"wave\": 0.5, \"count\": 3, \"wind\": [1, 2], \"tint\": \"#ffffff\", \"on\": true,"
                  "\"noise\": \"noise.png\", \"shader\": \"flag.glsl\""));
    assert_string_equal(data.shader, "flag.glsl");
    assert_int_equal(data.value_count, 5);
    assert_int_equal(data.values[0].given, GFX3D_GIVEN_NUMBER);
    assert_int_equal(data.values[2].type, FILO_UNIFORM_VEC2);
    assert_int_equal(data.values[3].given, GFX3D_GIVEN_COLOR);
    assert_int_equal(data.values[4].given, GFX3D_GIVEN_BOOL);
    assert_int_equal(data.texture_count, 1);
    assert_string_equal(data.textures[0].name, "noise");
    assert_false(data.textures[0].linear);
}

// ---- Errors -------------------------------------------------------------------------------------------------

FILO_TEST(a_file_that_is_not_a_material_is_refused) {
    expect_refused("", "x.material:1:1: expected a value, but the text ends here");
    expect_refused("[]", "x.material:1:1: a material is an object, { … }, not a list");
    expect_refused("{}", "x.material:1:1: \"filo\": \"material\" is missing");
    expect_refused("{ \"filo\": \"scene\" }",
                   "x.material:1:11: this is not a material: its \"filo\" is \"material\"");
    expect_refused("{ \"filo\": 3 }",
                   "x.material:1:11: this is not a material: its \"filo\" is \"material\"");
    expect_refused("{ \"filo\": \"material\" } x", "x.material:1:24: expected nothing more after the value");
    expect_refused("{ \"filo\": \"material\"",
                   "x.material:1:21: expected a comma or }, but the text ends here");
}

FILO_TEST(an_unknown_name_is_refused_with_the_one_that_was_meant) {
    expect_refused(
        IN("\n  \"colour_map\": \"a.png\""),
        "x.material:2:3: a material without a shader of its own has no \"colour_map\": did you mean "
        "\"color_map\"?");
    expect_refused(
        IN("\"roughnes\": 1"),
        "x.material:1:23: a material without a shader of its own has no \"roughnes\": did you mean "
        "\"roughness\"?");
    expect_refused(
        IN("\"double_side\": 1"),
        "x.material:1:23: a material without a shader of its own has no \"double_side\": did you mean "
        "\"double_sided\"?");
    expect_refused(IN("\"zzz\": 1"),
                   "x.material:1:23: a material without a shader of its own has no \"zzz\"");
    expect_refused(
        IN("\"mode\": \"blnd\""),
        "x.material:1:31: \"blnd\" is none of \"opaque\", \"mask\", \"blend\" and \"add\": did you mean "
        "\"blend\"?");
    expect_refused(IN("\"color_map\": { \"file\": \"a.png\" }"),
                   "x.material:1:38: \"color_map\": a texture has \"image\", \"clamp\", \"mirror\", "
                   "\"nearest\" and \"linear\"");
}

FILO_TEST(a_value_in_the_wrong_form_is_refused) {
    expect_refused(IN("\"color\": 1"), "x.material:1:32: \"color\" is four numbers or \"#rrggbb\"");
    expect_refused(IN("\"color\": [1, 2]"), "x.material:1:32: \"color\" is four numbers or \"#rrggbb\"");
    expect_refused(IN("\"color\": \"#12345\""),
                   "x.material:1:32: \"color\": a colour is \"#rrggbb\" or \"#rrggbbaa\"");
    expect_refused(IN("\"color\": \"#12345g\""),
                   "x.material:1:32: \"color\": a colour is \"#rrggbb\" or \"#rrggbbaa\"");
    expect_refused(IN("\"color\": \"red\""),
                   "x.material:1:32: \"color\": a colour is \"#rrggbb\" or \"#rrggbbaa\"");
    expect_refused(IN("\"emissive\": 1"), "x.material:1:35: \"emissive\" is three numbers or \"#rrggbb\"");
    expect_refused(IN("\"uv_scale\": 2"), "x.material:1:35: \"uv_scale\" is two numbers");
    expect_refused(IN("\"roughness\": [1, 0]"), "x.material:1:36: \"roughness\" is a number");
    expect_refused(IN("\"roughness\": \"#ffffff\""), "x.material:1:36: \"roughness\" is a number");
    expect_refused(IN("\"roughness\": null"),
                   "x.material:1:36: \"roughness\": expected a number, found null");
    expect_refused(IN("\"roughness\": 1.5"), "x.material:1:36: \"roughness\" is from 0 to 1");
    expect_refused(IN("\"cutoff\": -1"), "x.material:1:33: \"cutoff\" is from 0 to 1");
    expect_refused(IN("\"normal_scale\": 1e40"),
                   "x.material:1:39: \"normal_scale\": the number is too large");
    expect_refused(IN("\"shader\": \"a.glsl\", \"wave\": [1]"),
                   "x.material:1:51: \"wave\": a list has two, three or four numbers, not 1");
    expect_refused(IN("\"shader\": \"a.glsl\", \"wave\": [1, 2, 3, 4, 5]"),
                   "x.material:1:51: \"wave\": a list has two, three or four numbers, not 5");
    expect_refused(IN("\"shader\": \"a.glsl\", \"wave\": [1, \"2\"]"),
                   "x.material:1:55: \"wave\": expected a number, found a string");
    expect_refused(IN("\"unlit\": true, \"own_light\": true"),
                   "x.material:1:1: a material is either \"unlit\", or has \"own_light\"");
    expect_refused(IN("\"unlit\": 1"), "x.material:1:32: \"unlit\": expected true or false, found a number");
    expect_refused(IN("\"mode\": true"), "x.material:1:31: \"mode\": expected a text, found true or false");
    expect_refused(IN("\"shader\": \"\""), "x.material:1:33: \"shader\": the text is empty");
    expect_refused(IN("\"color_map\": 3"),
                   "x.material:1:36: \"color_map\": expected the name of an image, found a number");
    expect_refused(IN("\"color_map\": {}"), "x.material:1:36: \"color_map\": \"image\" is missing");
    expect_refused(IN("\"color_map\": { \"clamp\": true }"),
                   "x.material:1:36: \"color_map\": \"image\" is missing");
}

FILO_TEST(definitions_are_names_in_capital_letters_with_or_without_a_value) {
    Gfx3dMaterialData data;
    const char *text = IN("\"defines\": [\"SNOW\", \"LAYERS=3\", \"DEEP=-0.5\"], \"shader\": \"a.glsl\"");
    assert_ok(gfx3d_material_decode(&data, text, strlen(text), "x.material"));
    assert_string_equal(data.defines, "SNOW LAYERS=3 DEEP=-0.5");
    text = IN("\"defines\": []");
    assert_ok(gfx3d_material_decode(&data, text, strlen(text), "x.material"));
    assert_string_equal(data.defines, "");
    expect_refused(IN("\"defines\": \"SNOW\""),
                   "x.material:1:34: \"defines\": expected a list of texts, found a string");
    expect_refused(IN("\"defines\": [\"SNOW\"]"),
                   "x.material:1:34: \"defines\" are for a shader: \"shader\" is missing");
    expect_refused(IN("\"shader\": \"a.glsl\", \"defines\": [3]"),
                   "x.material:1:55: \"defines\": expected a text, found a number");
    expect_refused(IN("\"shader\": \"a.glsl\", \"defines\": [\"A\", \"B C\"]"),
                   "x.material:1:60: \"B C\" cannot be defined: a name has capital letters, digits, and _: "
                   "\"SNOW\" or \"LAYERS=3\"");
    expect_refused(IN("\"shader\": \"a.glsl\", \"defines\": [\"A=1 B\"]"),
                   "x.material:1:55: \"A=1 B\" cannot be defined: a value has letters, digits, and . + - _");
    expect_refused(IN("\"shader\": \"a.glsl\", \"defines\": [\"MASK\"]"),
                   "x.material:1:55: \"MASK\" cannot be defined: the name is one of the engine's");
    FiloBuilder many = { 0 };
    filo_builder_add_text(&many, "{ \"filo\": \"material\", \"shader\": \"a.glsl\", \"defines\": [\n\"A\"");
    for (int i = 0; i < 64; i++) filo_builder_add_text(&many, ",\n\"A\"");
    filo_builder_add_text(&many, "] }");
    expect_refused(filo_builder_text(&many), "x.material:66:1: a material defines at most 127 letters");
    filo_builder_deinit(&many);
}

FILO_TEST(a_name_that_is_there_twice_is_refused) {
    expect_refused(IN("\"roughness\": 1, \"roughness\": 1"), "x.material:1:39: \"roughness\" is there twice");
    expect_refused(IN("\"unlit\": true, \"unlit\": true"), "x.material:1:38: \"unlit\" is there twice");
    expect_refused(IN("\"color_map\": \"a\", \"color_map\": \"b\""),
                   "x.material:1:41: \"color_map\" is there twice");
}

FILO_TEST(a_file_with_too_much_is_refused) {
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{ \"filo\": \"material\", \"shader\": \"a.glsl\"");
    for (int i = 0; i < 17; i++) filo_builder_printf(&text, ",\n\"v%d\": 1", i);
    filo_builder_add_text(&text, "}");
    expect_refused(filo_builder_text(&text), "x.material:18:1: a material has at most 16 values");
    filo_builder_clear(&text);
    filo_builder_add_text(&text, "{ \"filo\": \"material\", \"shader\": \"a.glsl\"");
    for (int i = 0; i < 9; i++) filo_builder_printf(&text, ",\n\"v%d\": \"a.png\"", i);
    filo_builder_add_text(&text, "}");
    expect_refused(filo_builder_text(&text), "x.material:10:1: a material has at most 8 textures");
    filo_builder_deinit(&text);
    expect_refused(IN("\"shader\": \"a\", \"a_name_that_is_longer_than_forty_seven_letters_in_all\": 1"),
                   "x.material:1:38: the name of a value has 1 to 47 letters");
    expect_refused(IN("\"\": 1"), "x.material:1:23: the name of a value has 1 to 47 letters");
    expect_refused(
        IN("\"shader\": \"a_name_that_is_longer_than_sixty_three_letters_in_all_so_it_does_not_fit\""),
        "x.material:1:33: \"shader\": the text is too long, or has zero bytes");
}
