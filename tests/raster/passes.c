// Passes: targets, parts, clearing, views, spans, statistics, and mistakes.

#include "raster/pictures.h"

static FiloRasterPass simple_pass(FiloPixels target, const FiloQuadSpan *spans, size_t span_count) {
    return (FiloRasterPass){
        .target = target, .view = filo_affine2_identity(), .spans = spans, .span_count = span_count
    };
}

static FiloQuad box(float x, float y, float width, float height, FiloColor color) {
    return filo_quad_box(filo_vec2(x + width / 2, y + height / 2), filo_vec2(width / 2, height / 2), color);
}

// Counts the pixels of a colour.
static int count_of(const FiloPixels *pixels, FiloColor color) {
    int count = 0;
    for (int y = 0; y < pixels->height; y++)
        for (int x = 0; x < pixels->width; x++)
            count += filo_color_equal(*filo_pixels_at(pixels, x, y), color);
    return count;
}

FILO_TEST(clearing_fills_the_whole_target) {
    FiloPixels target = picture(300, 200, FILO_COLOR_RED);
    FiloRaster *raster = make_raster(NULL, false);
    FiloRasterPass pass = simple_pass(target, NULL, 0);
    pass.color = FILO_COLOR_BLUE;
    filo_raster_draw(raster, &pass);
    assert_int_equal(count_of(&target, FILO_COLOR_RED), 300 * 200); // without `clear`
    pass.clear = true;
    filo_raster_draw(raster, &pass);
    assert_int_equal(count_of(&target, FILO_COLOR_BLUE), 300 * 200);
    filo_raster_destroy(raster);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(only_the_part_is_cleared_and_drawn_to) {
    FiloPixels target = picture(300, 200, FILO_COLOR_RED);
    FiloRaster *raster = make_raster(NULL, false);
    FiloQuad all = box(-10, -10, 500, 500, FILO_COLOR_GREEN), half = box(0, 0, 100, 500, FILO_COLOR_GREEN);
    const int parts[][4] = {
        { 5, 7, 250, 150 }, { 120, 60, 10, 10 }, { 299, 199, 1, 1 }, { 0, 0, 300, 200 }
    };
    for (size_t i = 0; i < FILO_COUNT_OF(parts); i++) {
        int x = parts[i][0], y = parts[i][1], width = parts[i][2], height = parts[i][3];
        FiloPixels part = filo_pixels_part(&target, x, y, width, height);
        filo_pixels_fill(&target, FILO_COLOR_RED);
        FiloRasterPass pass = simple_pass(target, &(FiloQuadSpan){ &all, 1 }, 1);
        pass.x = x, pass.y = y, pass.width = width, pass.height = height;
        filo_raster_draw(raster, &pass);
        assert_int_equal(count_of(&target, FILO_COLOR_GREEN), width * height);
        assert_int_equal(count_of(&part, FILO_COLOR_GREEN), width * height);
        pass.spans = &(FiloQuadSpan){ &half, 1 };
        pass.clear = true, pass.color = FILO_COLOR_BLUE;
        filo_raster_draw(raster, &pass);
        assert_int_equal(count_of(&target, FILO_COLOR_RED), 300 * 200 - width * height);
        int green = FILO_CLAMP(100 - x, 0, width) * height;
        assert_int_equal(count_of(&part, FILO_COLOR_GREEN), green);
        assert_int_equal(count_of(&part, FILO_COLOR_BLUE), width * height - green);
    }
    filo_raster_destroy(raster);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(a_part_outside_of_the_target_is_clipped) {
    FiloPixels target = picture(30, 20, FILO_COLOR_RED);
    FiloRaster *raster = make_raster(NULL, false);
    const int parts[][5] = { { -5, -5, 10, 10, 25 },    { 25, 15, 100, 100, 25 },
                             { 30, 0, 5, 5, 0 },        { -5, 0, 5, 5, 0 },
                             { 3, 3, -2, 5, 0 },        { 3, 3, 0, 5, 0 },
                             { INT32_MAX, 0, 9, 9, 0 }, { 0, 0, INT32_MAX, INT32_MAX, 600 } };
    for (size_t i = 0; i < FILO_COUNT_OF(parts); i++) {
        filo_pixels_fill(&target, FILO_COLOR_RED);
        FiloRasterPass pass = simple_pass(target, NULL, 0);
        pass.x = parts[i][0], pass.y = parts[i][1], pass.width = parts[i][2], pass.height = parts[i][3];
        pass.clear = true, pass.color = FILO_COLOR_BLUE;
        filo_raster_draw(raster, &pass);
        assert_int_equal(count_of(&target, FILO_COLOR_BLUE), parts[i][4]);
    }
    filo_raster_destroy(raster);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(targets_of_every_size_are_drawn_to) {
    const int sizes[][2] = { { 1, 1 },    { 7, 1 },    { 1, 9 },     { 127, 63 },
                             { 128, 64 }, { 129, 65 }, { 16384, 3 }, { 3, 16384 } };
    FiloRaster *raster = make_raster(NULL, false);
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        int width = sizes[i][0], height = sizes[i][1];
        FiloPixels target = picture(width, height, FILO_COLOR_RED);
        FiloQuad quads[] = { box(-1, -1, (float)width + 2, (float)height + 2, FILO_COLOR_GREEN),
                             box((float)width - 1, (float)height - 1, 1, 1, FILO_COLOR_BLUE) };
        draw_quads(raster, target, NULL, 0, quads, 2);
        assert_int_equal(count_of(&target, FILO_COLOR_GREEN), width * height - 1);
        assert_true(filo_color_equal(*filo_pixels_at(&target, width - 1, height - 1), FILO_COLOR_BLUE));
        filo_pixels_free(&target, NULL);
    }
    filo_raster_destroy(raster);
}

FILO_TEST(memory_between_the_rows_of_a_target_is_not_written) {
    FiloRandom random = filo_random_keyed(2, 2, 2, 2);
    FiloPixels image = random_picture(&random, 40, 40), whole = picture(200, 150, FILO_COLOR_RED);
    FiloPixels part = filo_pixels_part(&whole, 10, 20, 137, 99);
    FiloRaster *raster = make_raster(NULL, false);
    for (int i = 0; i < 300; i++) {
        FiloQuad quad = random_quad(&random, 140, 100);
        quad.image = 0;
        draw_quads(raster, part, &image, 1, &quad, 1);
    }
    for (int y = 0; y < 150; y++)
        for (int x = 0; x < 200; x++)
            if (x < 10 || x >= 147 || y < 20 || y >= 119)
                assert_true(filo_color_equal(*filo_pixels_at(&whole, x, y), FILO_COLOR_RED));
    filo_raster_destroy(raster);
    filo_pixels_free(&image, NULL);
    filo_pixels_free(&whole, NULL);
}

FILO_TEST(the_view_moves_scales_and_rotates_quads) {
    FiloPixels target = picture(100, 100, FILO_COLOR_BLACK);
    FiloRaster *raster = make_raster(NULL, false);
    FiloQuad quad = filo_quad_box(filo_vec2(1, 2), filo_vec2(1, 1), FILO_COLOR_WHITE);
    FiloRasterPass pass = simple_pass(target, &(FiloQuadSpan){ &quad, 1 }, 1);
    pass.view = filo_affine2(filo_vec2(0, 10), filo_vec2(-5, 0), filo_vec2(50, 50)); // a quarter turn
    filo_raster_draw(raster, &pass);
    FiloPixels part = filo_pixels_part(&target, 35, 50, 10, 20);
    assert_int_equal(count_of(&part, FILO_COLOR_WHITE), 200);
    assert_int_equal(count_of(&target, FILO_COLOR_WHITE), 200);
    pass.view.origin.x = NAN;
    pass.clear = true, pass.color = FILO_COLOR_BLACK;
    filo_raster_draw(raster, &pass);
    assert_int_equal(count_of(&target, FILO_COLOR_BLACK), 10000);
    filo_raster_destroy(raster);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(spans_are_drawn_one_after_the_other) {
    FiloPixels target = picture(20, 10, FILO_COLOR_BLACK);
    FiloRaster *raster = make_raster(NULL, false);
    FiloQuad first[] = { box(0, 0, 20, 10, FILO_COLOR_RED), box(0, 0, 15, 10, FILO_COLOR_GREEN) };
    FiloQuad second = box(0, 0, 10, 10, FILO_COLOR_BLUE), third = box(0, 0, 5, 10, FILO_COLOR_WHITE);
    FiloQuadSpan spans[] = { { NULL, 0 },    { first, 2 },  { NULL, 0 },
                             { &second, 1 }, { &third, 1 }, { NULL, 0 } };
    FiloRasterPass pass = simple_pass(target, spans, FILO_COUNT_OF(spans));
    filo_raster_draw(raster, &pass);
    assert_int_equal(count_of(&target, FILO_COLOR_RED), 50);
    assert_int_equal(count_of(&target, FILO_COLOR_GREEN), 50);
    assert_int_equal(count_of(&target, FILO_COLOR_BLUE), 50);
    assert_int_equal(count_of(&target, FILO_COLOR_WHITE), 50);
    assert_int_equal(filo_raster_stats(raster).quads, 4);
    filo_raster_destroy(raster);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(statistics_count_what_was_drawn) {
    FiloPixels target = picture(400, 300, FILO_COLOR_BLACK);
    FiloRaster *raster = make_raster(NULL, false);
    assert_int_equal(filo_raster_stats(raster).quads, 0);
    FiloQuad quads[] = { box(1, 1, 10, 10, FILO_COLOR_RED), box(500, 1, 10, 10, FILO_COLOR_RED),
                         box(3, 3, 0, 10, FILO_COLOR_RED), box(5, 5, 10, 10, FILO_COLOR_RED) };
    draw_quads(raster, target, NULL, 0, quads, 4);
    FiloRasterStats stats = filo_raster_stats(raster);
    assert_int_equal(stats.quads, 4);
    assert_int_equal(stats.drawn, 2);
    assert_int_equal(stats.tiles, 1);
    assert_true(stats.bin_ns >= 0 && stats.raster_ns > 0);
    draw_quads(raster, target, NULL, 0, quads, 0);
    assert_int_equal(filo_raster_stats(raster).quads, 0);
    assert_int_equal(filo_raster_stats(raster).tiles, 0);
    filo_raster_destroy(raster);
    filo_pixels_free(&target, NULL);
}

// ---- Mistakes ---------------------------------------------------------------------------------------------

FILO_TEST(mistakes_are_reported_and_do_nothing) {
    only_in_debug_builds();
    FiloPixels target = picture(20, 10, FILO_COLOR_RED), before = copy_of(&target);
    FiloRaster *raster = make_raster(NULL, false);
    FiloQuad quad = box(0, 0, 20, 10, FILO_COLOR_BLUE);
    FiloQuadSpan span = { &quad, 1 };
    FiloRasterPass valid = simple_pass(target, &span, 1), pass = valid;
    expect_mistake("where to store", filo_raster_create(NULL, NULL));
    expect_fault("that filo_raster_create made", filo_raster_draw(NULL, &valid));
    expect_fault("that filo_raster_create made", (void)filo_raster_stats(NULL));
    expect_fault("pass what to draw", filo_raster_draw(raster, NULL));
    pass.target.data = NULL;
    expect_fault("no target", filo_raster_draw(raster, &pass));
    const int sizes[][3] = {
        { 0, 10, 20 }, { 20, -1, 20 }, { 20, 10, 19 }, { 16385, 1, 16385 }, { 1, 16385, 1 }
    };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        pass = valid;
        pass.target.width = sizes[i][0], pass.target.height = sizes[i][1], pass.target.stride = sizes[i][2];
        expect_fault("sides go from 1 to 16384", filo_raster_draw(raster, &pass));
    }
    pass = valid, pass.image_count = 1;
    expect_fault("pass the images", filo_raster_draw(raster, &pass));
    pass = valid, pass.spans = NULL;
    expect_fault("pass the spans", filo_raster_draw(raster, &pass));
    pass = valid, span.quads = NULL;
    expect_fault("span 0 has a count but no quads", filo_raster_draw(raster, &pass));
    span.quads = &quad, quad.kind = FILO_QUAD_DISTANCE_SOFT + 1;
    expect_fault("of kind 6", filo_raster_draw(raster, &valid));
    assert_same_picture(&target, &before, "mistakes");
    filo_raster_destroy(raster);
    filo_raster_destroy(NULL);
    filo_pixels_free(&target, NULL);
    filo_pixels_free(&before, NULL);
}
