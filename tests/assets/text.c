// Assets of type "json", "text" and "shader", and GIFs.

#include "assets/fixture.h"
#include "assets/pictures.h"

static FiloAsset load_text(Fixture *f, const char *name, const char *text) {
    write_text(name, text);
    FiloAsset asset = filo_assets_load(f->assets, name);
    (void)filo_assets_wait(f->assets, asset);
    return asset;
}

FILO_TEST(json_that_is_not_a_sheet_is_of_type_json) {
    Fixture f = open_fixture(2, false);
    FiloAsset asset = load_text(&f, "a.json", "{\"hp\": 3, \"list\": [\"frames\"]}");
    assert_string_equal(filo_asset_type(f.assets, asset), "json");
    const FiloJsonAsset *data = filo_asset_data(f.assets, asset);
    assert_string_equal(data->text, "{\"hp\": 3, \"list\": [\"frames\"]}");
    assert_int_equal(data->length, strlen(data->text));
    FiloAsset broken = load_text(&f, "b.json", "{\"hp\": }");
    assert_error(*filo_asset_error(f.assets, broken), FILO_ERROR_DATA, "b.json:1:8: ");
    write_text("c.json", "{\"frames\": 3}");
    FiloAsset as_json = filo_assets_load_as(f.assets, "json", "c.json"); // also if it is a sheet
    assert_ok(filo_assets_wait(f.assets, as_json));
    close_fixture(&f);
}

FILO_TEST(text_is_any_bytes) {
    Fixture f = open_fixture(2, false);
    assert_ok(filo_file_write(filo_test_path("a.txt"), "a\0b", 3, NULL));
    assert_ok(filo_file_write(filo_test_path("empty.txt"), "", 0, NULL));
    FiloAsset a = filo_assets_load(f.assets, "a.txt"), empty = filo_assets_load(f.assets, "empty.txt");
    filo_assets_wait_all(f.assets);
    const FiloJsonAsset *data = filo_asset_data(f.assets, a);
    assert_int_equal(data->length, 3);
    assert_memory_equal(data->text, "a\0b", 4);
    data = filo_asset_data(f.assets, empty);
    assert_int_equal(data->length, 0);
    assert_string_equal(data->text, "");
    assert_true(filo_assets_stats(f.assets).memory >= 5);
    close_fixture(&f);
}

FILO_TEST(the_parts_of_a_shader_keep_their_line_numbers) {
    Fixture f = open_fixture(2, false);
    FiloAsset both = load_text(&f, "a.glsl",
                               "uniform float time;\n//! vertex\nvoid v() {}\n"
                               "//!fragment\nvoid f() {}\nint x;\n");
    const FiloShaderAsset *shader = filo_asset_data(f.assets, both);
    assert_non_null(shader);
    assert_string_equal(shader->vertex, "uniform float time;\n\nvoid v() {}\n\n\n\n");
    assert_string_equal(shader->fragment, "uniform float time;\n\n\n\nvoid f() {}\nint x;\n");
    FiloAsset one = load_text(&f, "b.glsl", "//! fragment\r\nvec4 c;\r\n");
    shader = filo_asset_data(f.assets, one);
    assert_null(shader->vertex);
    assert_string_equal(shader->fragment, "\nvec4 c;\r\n");
    close_fixture(&f);
}

FILO_TEST(a_shader_without_parts_or_with_invalid_ones_is_refused) {
    Fixture f = open_fixture(2, false);
    static const struct {
        const char *text, *message;
    } wrong[] = {
        { "void main() {}", "has neither \"//! vertex\" nor \"//! fragment\"" },
        { "", "has neither" },
        { "\n//! geometry\n", ".glsl:2: a part of a shader is begun by" },
        { "//! vertex\n//! fragment\n//! vertex\n", ".glsl:3: this part is there twice" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(wrong); i++) {
        char name[16];
        snprintf(name, sizeof name, "%zu.glsl", i);
        FiloAsset asset = load_text(&f, name, wrong[i].text);
        assert_error(*filo_asset_error(f.assets, asset), FILO_ERROR_DATA, wrong[i].message);
    }
    assert_ok(filo_file_write(filo_test_path("zero.glsl"), "//! vertex\n\0", 12, NULL));
    FiloAsset zero = filo_assets_load(f.assets, "zero.glsl");
    assert_error(filo_assets_wait(f.assets, zero), FILO_ERROR_DATA, "not a text");
    close_fixture(&f);
}

FILO_TEST(a_gif_is_a_column_of_frames_with_a_clip) {
    Picture gif = make_small_gif();
    assert_ok(filo_file_write(filo_test_path("a.gif"), gif.bytes, gif.size, NULL));
    Fixture f = open_fixture(2, false);
    FiloAsset asset = filo_assets_load(f.assets, "a.gif");
    assert_ok(filo_assets_wait(f.assets, asset));
    const FiloSheet *sheet = filo_asset_sheet(f.assets, asset);
    assert_int_equal(sheet->frame_count, 4);
    assert_int_equal(sheet->frames[3].y, 6);
    assert_int_equal(sheet->frames[3].height, 2);
    assert_float_equal(sheet->frames[0].seconds, 0.2f, 0);
    assert_float_equal(sheet->frames[3].seconds, 1.0f, 0);
    assert_int_equal(filo_sheet_clip(sheet, filo_name("all")), 0);
    assert_int_equal(sheet->clips[0].to, 3);
    assert_int_equal(((const FiloImageAsset *)filo_asset_data(f.assets, asset))->pixels.height, 8);
    close_fixture(&f);
}
