// Sheets: the three forms of files, invalid files, and assets of type "sheet".

#include "assets/assets.h"
#include "assets/fixture.h"
#include "support/warnings.h"

#include <filo/random.h>

#include "support/failing_allocator.h"
#include "support/warnings.h"

static const char grid_text[] =
    "{\"image\": \"bat.png\", \"grid\": {\"width\": 16, \"height\": 8, \"margin\": 1, "
    "\"spacing\": 2, \"comment\": [1, {}]},\n"
    " \"clips\": {\"fly\": {\"from\": 0, \"to\": 3, \"fps\": 12, \"mode\": \"loop\"},\n"
    "           \"die\": {\"from\": 3, \"to\": 1, \"mode\": \"once\"},\n"
    "           \"nod\": {\"from\": 2, \"mode\": \"ping-pong\"}},\n"
    " \"events\": [{\"frame\": 2, \"name\": \"flap\"}]}";

static const char aseprite_list[] =
    "{ \"frames\": [\n"
    "   { \"filename\": \"bat 0.ase\", \"frame\": { \"x\": 0, \"y\": 0, \"w\": 10, \"h\": 12 }, \"rotated\": "
    "false,\n"
    "     \"trimmed\": true, \"spriteSourceSize\": { \"x\": 3, \"y\": 2, \"w\": 10, \"h\": 12 },\n"
    "     \"sourceSize\": { \"w\": 16, \"h\": 16 }, \"duration\": 100 },\n"
    "   { \"filename\": \"bat 1.ase\", \"frame\": { \"x\": 10, \"y\": 0, \"w\": 16, \"h\": 16 }, "
    "\"rotated\": false,\n"
    "     \"trimmed\": false, \"spriteSourceSize\": { \"x\": 0, \"y\": 0, \"w\": 16, \"h\": 16 },\n"
    "     \"sourceSize\": { \"w\": 16, \"h\": 16 }, \"duration\": 250 } ],\n"
    " \"meta\": { \"app\": \"https://www.aseprite.org/\", \"version\": \"1.3\", \"image\": \"bat.png\",\n"
    "  \"format\": \"RGBA8888\", \"size\": { \"w\": 32, \"h\": 16 }, \"scale\": \"1\",\n"
    "  \"frameTags\": [ { \"name\": \"fly\", \"from\": 0, \"to\": 1, \"direction\": \"forward\", \"color\": "
    "\"#000\" },\n"
    "   { \"name\": \"back\", \"from\": 0, \"to\": 1, \"direction\": \"reverse\" },\n"
    "   { \"name\": \"swing\", \"from\": 0, \"to\": 1, \"direction\": \"pingpong\" },\n"
    "   { \"name\": \"swing back\", \"from\": 0, \"to\": 1, \"direction\": \"pingpong_reverse\" },\n"
    "   { \"name\": \"once\", \"from\": 1, \"to\": 1, \"direction\": \"forward\", \"repeat\": \"1\" },\n"
    "   { \"name\": \"rounds\", \"from\": 0, \"to\": 1, \"direction\": \"pingpong\", \"repeat\": \"12\" } "
    "],\n"
    "  \"layers\": [ { \"name\": \"Layer\" } ], \"slices\": [] } }";

static const char packer_hash[] =
    "{\"frames\": {\n"
    "\"a\\u0062.png\": {\"frame\": {\"x\":2,\"y\":4,\"w\":6,\"h\":8},\"rotated\": false,\"trimmed\": true,\n"
    "  \"spriteSourceSize\": {\"x\":1,\"y\":3,\"w\":6,\"h\":8},\"sourceSize\": {\"w\":32,\"h\":48},\n"
    "  \"pivot\": {\"x\":0.5,\"y\":0.5}},\n"
    "\"c.png\": {\"frame\": {\"x\":8,\"y\":0,\"w\":4,\"h\":4}}},\n"
    "\"meta\": {\"app\": \"https://www.codeandweb.com/texturepacker\", \"image\": \"dir\\\\pack.png\", "
    "\"scale\": 1}}";

static FiloResult read_sheet(FiloSheet *sheet, const char *text, int width, int height) {
    char image[64];
    return filo_sheet_decode(sheet, image, sizeof image, width, height, text, strlen(text), "a.json", NULL);
}

// ---- Forms ----------------------------------------------------------------------------------------------

FILO_TEST(a_grid_is_cut_into_frames_and_clips) {
    FiloSheet sheet;
    char image[64];
    // Two columns of 16 with a margin of 1 and 2 between need 36 pixels; two rows of 8 need 20.
    assert_ok(
        filo_sheet_decode(&sheet, image, sizeof image, 36, 20, grid_text, strlen(grid_text), "a.json", NULL));
    assert_string_equal(image, "bat.png");
    assert_int_equal(sheet.frame_count, 4);
    assert_int_equal(sheet.frames[0].x, 1);
    assert_int_equal(sheet.frames[0].y, 1);
    assert_int_equal(sheet.frames[3].x, 19);
    assert_int_equal(sheet.frames[3].y, 11);
    assert_int_equal(sheet.frames[3].width, 16);
    assert_int_equal(sheet.frames[3].full_height, 8);
    assert_float_equal(sheet.frames[3].seconds, 0.1f, 0);
    assert_string_equal(filo_name_text(sheet.frames[2].event), "flap");
    assert_int_equal(sheet.frames[1].event.id, 0);
    assert_int_equal(sheet.clip_count, 3);
    assert_int_equal(filo_sheet_clip(&sheet, filo_name("fly")), 0);
    assert_int_equal(filo_sheet_clip(&sheet, filo_name("die")), 1);
    assert_int_equal(filo_sheet_clip(&sheet, filo_name("sing")), -1);
    assert_int_equal(filo_sheet_clip(&sheet, (FiloName){ 0 }), -1);
    assert_int_equal(sheet.clips[0].to, 3);
    assert_float_equal(sheet.clips[0].fps, 12.0f, 0);
    assert_int_equal(sheet.clips[0].mode, FILO_CLIP_LOOP);
    assert_int_equal(sheet.clips[1].from, 3);
    assert_int_equal(sheet.clips[1].mode, FILO_CLIP_ONCE);
    assert_int_equal(sheet.clips[2].to, 2); // one frame
    assert_int_equal(sheet.clips[2].mode, FILO_CLIP_PING_PONG);
    filo_sheet_free(&sheet, NULL);
    assert_error(read_sheet(&sheet, grid_text, 35, 19), FILO_ERROR_DATA, "there are only 1 frames");
    assert_error(read_sheet(&sheet, grid_text, 16, 8), FILO_ERROR_DATA, "no room for a frame of 16 x 8");
    assert_error(read_sheet(&sheet, grid_text, 0, 0), FILO_ERROR_ARGUMENT, "needs the size of its image");
}

FILO_TEST(members_that_sheets_do_not_have_are_mentioned_once) {
    static const struct {
        const char *text, *warning;
    } cases[] = {
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8, \"height\": 8},\n"
          " \"clips\": {\"walk\": {\"from\": 0, \"to\": 1, \"fsp\": 12}}}",
          "a.json:2:41: a clip has no \"fsp\": did you mean \"fps\"?" },
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8, \"height\": 8, \"wide\": 8}}",
          "a.json:1:54: a grid has no \"wide\"" },
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8, \"height\": 8}, \"clip\": {}}",
          "a sheet has no \"clip\": did you mean \"clips\"?" },
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8, \"height\": 8},\n\n"
          " \"events\": [{\"frame\": 1, \"name\": \"step\", \"loud\": true}]}",
          "an event has no \"loud\"" },
    };
    FiloSheet sheet;
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        expect_warning(cases[i].warning, assert_ok(read_sheet(&sheet, cases[i].text, 16, 8)));
        filo_sheet_free(&sheet, NULL);
        expect_no_warning(assert_ok(read_sheet(&sheet, cases[i].text, 16, 8)));
        filo_sheet_free(&sheet, NULL);
    }
    // What other programs write besides.
    expect_no_warning(assert_ok(read_sheet(&sheet, aseprite_list, 32, 16)));
    filo_sheet_free(&sheet, NULL);
    expect_no_warning(assert_ok(read_sheet(&sheet, packer_hash, 64, 64)));
    filo_sheet_free(&sheet, NULL);
}

FILO_TEST(a_grid_that_does_not_divide_its_image_is_mentioned) {
    static const char text[] =
        "{\"image\": \"a.png\", \"grid\": {\"width\": 16, \"height\": 8, \"margin\": 1, "
        "\"spacing\": 2}}";
    FiloSheet sheet;
    char image[64];
    for (int extra = 1; extra >= 0; extra--) {
        const char *name = extra > 0 ? "crooked.json" : "straight.json";
        const char *warning = extra > 0
                                  ? "crooked.json: frames of 16 x 8 pixels do not divide the image of 37 x "
                                    "22: 1 columns and 2 rows of pixels are in no frame"
                                  : "";
        expect_warnings(extra, warning,
                        assert_ok(filo_sheet_decode(&sheet, image, sizeof image, 36 + extra, 20 + 2 * extra,
                                                    text, strlen(text), name, NULL)));
        assert_int_equal(sheet.frame_count, 4);
        filo_sheet_free(&sheet, NULL);
    }
}

FILO_TEST(an_export_of_aseprite_is_read) {
    FiloSheet sheet;
    assert_ok(read_sheet(&sheet, aseprite_list, 32, 16));
    assert_int_equal(sheet.frame_count, 2);
    assert_int_equal(sheet.frames[0].width, 10);
    assert_int_equal(sheet.frames[0].left, 3);
    assert_int_equal(sheet.frames[0].top, 2);
    assert_int_equal(sheet.frames[0].full_width, 16);
    assert_float_equal(sheet.frames[0].seconds, 0.1f, 0);
    assert_float_equal(sheet.frames[1].seconds, 0.25f, 0);
    assert_int_equal(filo_sheet_frame(&sheet, filo_name("bat 1.ase")), 1);
    assert_int_equal(filo_sheet_frame(&sheet, filo_name("bat 2.ase")), -1);
    static const struct {
        const char *name;
        int from, to;
        FiloClipMode mode;
        int repeat;
    } clips[] = { { "fly", 0, 1, FILO_CLIP_LOOP, 0 },        { "back", 1, 0, FILO_CLIP_LOOP, 0 },
                  { "swing", 0, 1, FILO_CLIP_PING_PONG, 0 }, { "swing back", 1, 0, FILO_CLIP_PING_PONG, 0 },
                  { "once", 1, 1, FILO_CLIP_ONCE, 1 },       { "rounds", 0, 1, FILO_CLIP_PING_PONG, 12 } };
    assert_int_equal(sheet.clip_count, FILO_COUNT_OF(clips));
    for (size_t i = 0; i < FILO_COUNT_OF(clips); i++) {
        assert_int_equal(sheet.clips[i].repeat, clips[i].repeat);
        assert_string_equal(filo_name_text(sheet.clips[i].name), clips[i].name);
        assert_int_equal(sheet.clips[i].from, clips[i].from);
        assert_int_equal(sheet.clips[i].to, clips[i].to);
        assert_int_equal(sheet.clips[i].mode, clips[i].mode);
        assert_float_equal(sheet.clips[i].fps, 0, 0); // the duration of each frame
    }
    filo_sheet_free(&sheet, NULL);
}

FILO_TEST(an_export_of_texturepacker_is_read) {
    FiloSheet sheet;
    char image[64];
    assert_ok(filo_sheet_decode(&sheet, image, sizeof image, 64, 64, packer_hash, strlen(packer_hash),
                                "a.json", NULL));
    assert_string_equal(image, "dir/pack.png");
    assert_int_equal(sheet.frame_count, 2);
    assert_int_equal(filo_sheet_frame(&sheet, filo_name("ab.png")), 0);
    assert_int_equal(sheet.frames[0].x, 2);
    assert_int_equal(sheet.frames[0].top, 3);
    assert_int_equal(sheet.frames[0].full_height, 48);
    assert_int_equal(sheet.frames[1].full_width, 4);
    assert_int_equal(sheet.frames[1].left, 0);
    filo_sheet_free(&sheet, NULL);
}

#define PACK(image, name)                                                                                    \
    "{\"image\": \"" image "\", \"size\": {\"w\": 64, \"h\": 64}, \"frames\": [{\"filename\": \"" name       \
    "\", "                                                                                                   \
    "\"rotated\": false, \"frame\": {\"x\": 1, \"y\": 2, \"w\": 3, \"h\": 4}}]}"

FILO_TEST(a_multi_pack_with_one_image_is_a_sheet_and_with_more_is_refused) {
    static const char one[] = "{\"textures\": [" PACK("a.png", "bat") "], \"meta\": {\"version\": \"3.0\"}}";
    static const char two[] = "{\"textures\": [" PACK("a.png", "bat") ",\n" PACK("b.png", "cat") "]}";
    static const char other[] = "{\"textures\": [{\"name\": \"wood\"}, 2], \"frames_per_second\": 3}";
    FiloSheet sheet;
    assert_ok(read_sheet(&sheet, one, 64, 64));
    assert_int_equal(sheet.frame_count, 1);
    assert_int_equal(filo_sheet_frame(&sheet, filo_name("bat")), 0);
    assert_int_equal(sheet.frames[0].height, 4);
    filo_sheet_free(&sheet, NULL);
    assert_error(read_sheet(&sheet, two, 64, 64), FILO_ERROR_DATA,
                 "a.json:2:1: this multi-pack has several images, and a sheet has one");
    assert_true(assets_is_sheet(one, sizeof one - 1) && assets_is_sheet(two, sizeof two - 1));
    assert_false(assets_is_sheet(other, sizeof other - 1));
}

FILO_TEST(slices_polygons_and_layers_apart_are_left_out_and_said_once) {
    static const char text[] =
        "{ \"frames\": [ { \"filename\": \"bat (wings) 0.ase\", \"triangles\": [[0, 1, 2]],\n"
        "   \"frame\": { \"x\": 0, \"y\": 0, \"w\": 8, \"h\": 8 } } ],\n"
        " \"meta\": { \"image\": \"bat.png\", \"frameTags\": [ { \"name\": \"fly\", \"from\": 0, \"to\": 0 } "
        "],\n"
        "  \"layers\": [ { \"name\": \"wings\", \"opacity\": 255 }, { \"name\": \"body\" } ],\n"
        "  \"slices\": [ { \"name\": \"hand\", \"keys\": [ { \"frame\": 0, \"bounds\": { \"x\": 1 } } ] } ] "
        "} }";
    FiloSheet sheet;
    expect_warnings(3, "a.json: its layers were exported apart", {
        assert_ok(read_sheet(&sheet, text, 16, 16));
        filo_sheet_free(&sheet, NULL);
    });
    expect_no_warning({
        assert_ok(read_sheet(&sheet, text, 16, 16));
        filo_sheet_free(&sheet, NULL);
        assert_ok(read_sheet(&sheet, aseprite_list, 32, 16));
        filo_sheet_free(&sheet, NULL);
    });
}

FILO_TEST(the_size_of_the_image_need_not_be_known) {
    FiloSheet sheet;
    assert_ok(read_sheet(&sheet, aseprite_list, 0, 0));
    filo_sheet_free(&sheet, NULL);
    assert_error(read_sheet(&sheet, aseprite_list, 25, 16), FILO_ERROR_DATA,
                 "a.json: frame 1 lies outside of the image, which has 25 x 16 pixels");
}

// ---- Mistakes -------------------------------------------------------------------------------------------

FILO_TEST(errors_are_reported_with_line_and_column) {
    static const struct {
        const char *text, *message;
    } wrong[] = {
        { "", "a.json:1:1: " },
        { "[]", "a.json:1:1: a sheet: expected an object" },
        { "{}", "a.json: does not say which image" },
        { "{\"image\": 3}", "a.json:1:11: image: expected a text, found a number" },
        { "{\"image\": \"a.png\"}", "a.json: there are no frames" },
        { "{\"image\": \"a.png\", \"frames\": []}", "a.json: there are no frames" },
        { "{\"image\": \"a.png\",\n \"grid\": {\"width\": 0}}",
          "a.json:2:20: width: 0 is outside 1 to 16384" },
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8}}", "grid: width and height are needed" },
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8.5}}", "width: expected a whole number" },
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8, \"height\": 8}, \"clips\": {\"a\": {}}}",
          "a: \"from\" is needed" },
        { "{\"clips\": {\"a\": {\"mode\": \"jump\"}}}",
          "mode: \"jump\" is none of loop, once and ping-pong" },
        { "{\"clips\": {\"a\": {\"fps\": -1}}}", "fps: expected a number from 0" },
        { "{\"events\": [{\"frame\": 1}]}", "an event needs \"frame\" and \"name\"" },
        { "{\"events\": [7]}", "events: expected an object, found a number" },
        { "{\"frames\": [{\"frame\": {\"x\": 0, \"y\": 0, \"w\": 4, \"h\": 4}, \"rotated\": true}]}",
          "a.json:1:68: rotated frames are not read: export without rotation" },
        { "{\"frames\": [{}]}", "a frame needs \"frame\" with a size" },
        { "{\"frames\": {\"a\": {\"frame\": {\"x\": -1}}}}", "x: -1 is outside 0 to" },
        { "{\"meta\": {\"frameTags\": [{\"from\": 0}]}}", "a tag needs \"from\" and \"to\"" },
        { "{\"meta\": {\"frameTags\": [{\"direction\": \"up\"}]}}", "direction: \"up\" is not known" },
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8, \"height\": 8}, \"frames\": [{\"frame\": {\"w\": "
          "1, \"h\": "
          "1}}]}",
          "has both a grid and frames" },
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8, \"height\": 8}} x",
          "a.json:1:55: expected nothing more" },
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8, \"height\": 8}, \"events\": [{\"frame\": 64, "
          "\"name\": "
          "\"e\"}]}",
          "event \"e\" is at frame 64, but there are only 64 frames" },
        { "{\"image\": \"a.png\", \"grid\": {\"width\": 8, \"height\": 8}, \"clips\": {\"c\": {\"from\": "
          "70}}}",
          "clip \"c\" goes to frame 70, but there are only 64 frames" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(wrong); i++) {
        FiloSheet sheet;
        assert_error(read_sheet(&sheet, wrong[i].text, 64, 64), FILO_ERROR_DATA, wrong[i].message);
        assert_null(sheet.frames);
    }
    FiloSheet sheet;
    assert_error(
        read_sheet(&sheet, "{\"image\": \"a.png\", \"grid\": {\"width\": 1, \"height\": 1}}", 1000, 1000),
        FILO_ERROR_LIMIT, "1000000 frames; a sheet has at most 65535");
}

FILO_TEST(a_truncated_or_corrupted_sheet_does_no_harm) {
    static const char *const texts[] = { grid_text, aseprite_list, packer_hash };
    FiloRandom random = filo_random_sequence(9);
    for (size_t t = 0; t < FILO_COUNT_OF(texts); t++) {
        size_t length = strlen(texts[t]);
        FiloSheet sheet;
        char image[64];
        for (size_t size = 0; size < length; size++) {
            char *cut = malloc(size + 1);
            memcpy(cut, texts[t], size);
            assert_int_not_equal(
                filo_sheet_decode(&sheet, image, sizeof image, 64, 64, cut, size, "a.json", NULL).code,
                FILO_OK);
            free(cut);
        }
        for (int round = 0; round < 3000; round++) {
            char *changed = malloc(length);
            memcpy(changed, texts[t], length);
            for (uint32_t c = filo_random_below(&random, 3) + 1; c > 0; c--) {
                size_t offset = filo_random_below(&random, (uint32_t)length);
                changed[offset] = " 0123456789{}[]\",:-.eabx"[filo_random_below(&random, 24)];
            }
            if (filo_sheet_decode(&sheet, image, sizeof image, 64, 64, changed, length, "a.json", NULL)
                    .code == FILO_OK)
                for (size_t i = 0; i < sheet.frame_count; i++) {
                    assert_true(sheet.frames[i].x + sheet.frames[i].width <= 64);
                    assert_true(sheet.frames[i].y + sheet.frames[i].height <= 64);
                }
            filo_sheet_free(&sheet, NULL);
            free(changed);
        }
    }
}

FILO_TEST(a_refused_sheet_leaves_no_names_behind) {
    static const char *const texts[] = {
        "{\"image\": \"a.png\", \"grid\": {\"width\": 8, \"height\": 8}, \"clips\": {\"refused clip\": "
        "{\"from\": 0}}, "
        "\"events\": [{\"frame\": 0, \"name\": \"refused event\"}], \"frames\": 1}",
        "{\"image\": \"a.png\", \"frames\": {\"refused frame\": {\"frame\": {\"w\": 4, \"h\": 99}}}}",
    };
    uint32_t before = filo_name_in_use();
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++) {
        FiloSheet sheet;
        FiloResult result =
            filo_sheet_decode(&sheet, NULL, 0, 16, 16, texts[i], strlen(texts[i]), "bad", NULL);
        assert_int_not_equal(result.code, FILO_OK);
        assert_int_equal(filo_name_in_use(), before);
    }
}

FILO_TEST(every_allocation_may_fail) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    static const char *const texts[] = { grid_text, aseprite_list, packer_hash };
    for (size_t t = 0; t < FILO_COUNT_OF(texts); t++) {
        bool more = true;
        for (size_t fail_at = 0; more; fail_at++) {
            FailingAllocator failing = FAILING_AT(failing, fail_at);
            FiloSheet sheet;
            FiloResult result = filo_sheet_decode(&sheet, NULL, 0, 64, 64, texts[t], strlen(texts[t]), NULL,
                                                  &failing.allocator);
            more = failing.calls > fail_at;
            assert_int_equal(result.code, more ? FILO_ERROR_MEMORY : FILO_OK);
            filo_sheet_free(&sheet, &failing.allocator);
            assert_int_equal(failing.blocks, 0);
        }
    }
}

// ---- As assets ------------------------------------------------------------------------------------------

FILO_TEST(a_sheet_is_ready_when_its_image_is) {
    assert_ok(filo_folder_make(filo_test_path("enemies")));
    write_png("enemies/bat.png", 36, 20, filo_color(255, 0, 0, 255));
    write_text("enemies/bat.json", grid_text);
    for (int threads = 1; threads <= 3; threads++) {
        Fixture f = open_fixture(threads, false);
        FiloAsset bat = filo_assets_load(f.assets, "enemies/bat.json");
        assert_int_equal(filo_asset_sheet(f.assets, bat)->frame_count, 1); // of the placeholder
        assert_int_equal(filo_asset_sheet_image(f.assets, bat).id, 0);
        assert_ok(filo_assets_wait(f.assets, bat));
        assert_string_equal(filo_asset_type(f.assets, bat), "sheet");
        const FiloSheet *sheet = filo_asset_sheet(f.assets, bat);
        assert_ptr_equal(sheet, filo_asset_data(f.assets, bat));
        assert_int_equal(sheet->frame_count, 4);
        FiloAsset image = filo_asset_sheet_image(f.assets, bat);
        assert_string_equal(filo_asset_name(f.assets, image), "enemies/bat.png");
        assert_int_equal(filo_asset_state(f.assets, image), FILO_ASSET_READY);
        assert_int_equal(filo_asset_sheet_image(f.assets, image).id, image.id);
        close_fixture(&f);
    }
}

FILO_TEST(a_sheet_without_its_image_fails) {
    write_text("a.json", "{\"image\": \"none.png\", \"grid\": {\"width\": 8, \"height\": 8}}");
    write_text("b.json", "{\"image\": \"../none.png\", \"grid\": {\"width\": 8, \"height\": 8}}");
    write_text("c.json", "{\"image\": \"words.txt\", \"grid\": {\"width\": 8, \"height\": 8}}");
    write_text("words.txt", "no picture");
    Fixture f = open_fixture(2, false);
    FiloAsset a = filo_assets_load(f.assets, "a.json"), b = filo_assets_load(f.assets, "b.json"),
              c = filo_assets_load(f.assets, "c.json");
    assert_error(filo_assets_wait(f.assets, a), FILO_ERROR_DATA, "a.json: needs none.png, which could not");
    assert_error(filo_assets_wait(f.assets, b), FILO_ERROR_DATA, "b.json: its image \"../none.png\" cannot");
    assert_error(filo_assets_wait(f.assets, c), FILO_ERROR_DATA, "c.json: \"words.txt\" is not an image");
    assert_int_equal(filo_asset_sheet(f.assets, a)->frame_count, 1);
    assert_string_equal(filo_asset_type(f.assets, a), "sheet");
    close_fixture(&f);
}

FILO_TEST(filo_asset_sheet_is_never_null) {
    write_text("words.txt", "no picture");
    Fixture f = open_fixture(1, false);
    FiloAsset words = filo_assets_load(f.assets, "words.txt");
    filo_assets_wait_all(f.assets);
    assert_int_equal(filo_asset_sheet(f.assets, words)->frame_count, 1);
    assert_int_equal(filo_asset_sheet(f.assets, (FiloAsset){ 0 })->frame_count, 1);
    assert_int_equal(filo_asset_sheet_image(f.assets, words).id, 0);
    assert_int_equal(filo_asset_sheet_image(f.assets, (FiloAsset){ 0 }).id, 0);
    close_fixture(&f);
}

// ---- For the simulation ---------------------------------------------------------------------------------

static void expect_bat(const FiloSheet *sheet) {
    assert_int_equal(sheet->frame_count, 4);
    assert_int_equal(sheet->clip_count, 3);
    assert_int_equal(sheet->frames[2].event.id, filo_name("flap").id);
}

FILO_TEST(a_sheet_is_the_same_whether_it_has_been_loaded_or_not) {
    assert_ok(filo_folder_make(filo_test_path("enemies")));
    write_png("enemies/bat.png", 36, 20, filo_color(255, 0, 0, 255));
    write_text("enemies/bat.json", grid_text);
    Fixture f = open_fixture(2, false);
    FiloName bat = filo_name("enemies/bat.json"), png = filo_name("enemies/bat.png");
    const FiloSheet *read = filo_assets_sheet_now(f.assets, bat);
    expect_bat(read);
    assert_ptr_equal(filo_assets_sheet_now(f.assets, bat), read);
    assert_int_equal(filo_assets_sheet_now(f.assets, png)->frame_count, 1);
    assert_int_equal(filo_assets_sheet_now(f.assets, png)->frames[0].width, 36);
    assert_int_equal(filo_assets_stats(f.assets).loaded + filo_assets_stats(f.assets).loading, 0);
    FiloAsset asset = filo_assets_load(f.assets, "enemies/bat.json");
    expect_bat(filo_assets_sheet_now(f.assets, bat)); // while it is loading
    assert_ok(filo_assets_wait(f.assets, asset));
    assert_ptr_equal(filo_assets_sheet_now(f.assets, bat), filo_asset_sheet(f.assets, asset));
    filo_assets_unload(f.assets, asset);
    filo_assets_update(f.assets, 0);
    expect_bat(filo_assets_sheet_now(f.assets, bat)); // and after it was freed
    close_fixture(&f);
}

FILO_TEST(a_file_that_cannot_be_read_has_an_empty_sheet) {
    write_text("a.json", "{\"image\": \"none.png\", \"grid\": {\"width\": 8, \"height\": 8}}");
    write_text("b.json", "{\"image\": \"../none.png\", \"grid\": {\"width\": 8, \"height\": 8}}");
    write_text("c.json", "{\"image\": \"words.txt\", \"grid\": {\"width\": 8, \"height\": 8}}");
    write_text("d.json", "{\"image\": \"bat.png\", \"grid\": {\"width\": 80, \"height\": 8}}");
    write_text("other.json", "{\"speed\": 3}");
    write_text("words.txt", "no picture");
    write_text("broken.png", "no picture");
    write_png("bat.png", 36, 20, filo_color(255, 0, 0, 255));
    static const char *const names[] = { "a.json",    "b.json",     "c.json",   "d.json", "other.json",
                                         "words.txt", "broken.png", "none.png", "plain",  "../bat.png" };
    Fixture f = open_fixture(2, false);
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        assert_int_equal(filo_assets_sheet_now(f.assets, filo_name(names[i]))->frame_count, 0);
    assert_int_equal(filo_assets_sheet_now(f.assets, (FiloName){ 0 })->frame_count, 0);
    close_fixture(&f);
}

typedef struct Asking {
    FiloAssets *assets;
    const FiloSheet *found[64];
} Asking;

static void ask_for_sheets(size_t begin, size_t end, void *user) {
    Asking *asking = user;
    for (size_t i = begin; i < end; i++) {
        char name[32];
        snprintf(name, sizeof name, "%zu.png", i % 4);
        asking->found[i] = filo_assets_sheet_now(asking->assets, filo_name(name));
    }
}

FILO_TEST(workers_may_read_the_same_sheets_at_once) {
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.png", i);
        write_png(name, 10 + i, 10, filo_color(255, 0, 0, 255));
    }
    Fixture f = open_fixture(4, false);
    Asking asking = { .assets = f.assets };
    filo_jobs_for_each(f.jobs, FILO_COUNT_OF(asking.found), ask_for_sheets, &asking);
    for (size_t i = 0; i < FILO_COUNT_OF(asking.found); i++) {
        assert_ptr_equal(asking.found[i], asking.found[i % 4]);
        assert_int_equal(asking.found[i]->frames[0].width, 10 + i % 4);
    }
    close_fixture(&f);
}

FILO_TEST(pixels_of_the_program_may_have_a_grid_and_clips) {
    only_in_debug_builds();
    Fixture f = open_fixture(1, false);
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 20, 9, NULL));
    FiloSheetClip clips[] = { { .name = filo_name("go"), .from = 0, .to = 3, .fps = 5 } };
    FiloAsset made =
        filo_assets_add_grid(f.assets, "made", &pixels,
                             &(FiloGridDesc){ .width = 5, .height = 8, .clips = clips, .clip_count = 1 });
    const FiloSheet *sheet = filo_asset_sheet(f.assets, made);
    assert_int_equal(sheet->frame_count, 4);
    assert_int_equal(sheet->frames[3].x, 15);
    assert_int_equal(filo_sheet_clip(sheet, filo_name("go")), 0);
    expect_fault(
        "does not fit",
        assert_int_equal(
            filo_assets_add_grid(f.assets, "x", &pixels, &(FiloGridDesc){ .width = 21, .height = 1 }).id, 0));
    clips[0].to = 4;
    expect_fault(
        "clip \"go\" goes beyond the 4 frames",
        filo_assets_add_grid(f.assets, "y", &pixels,
                             &(FiloGridDesc){ .width = 5, .height = 8, .clips = clips, .clip_count = 1 }));
    filo_pixels_free(&pixels, NULL);
    close_fixture(&f);
}
