// Quads of other modules: regions of atlas pages, batches among the sprites, distance fields on all backends.

#include "gfx2d/fixture.h"
#include "support/malloc_count.h"

#include <math.h>

static FiloEntity box_at(Fixture *fixture, float x, float y, float size, FiloSprite sprite) {
    FiloTransform2 transform = { .position = { x, y }, .scale = { size, size } };
    FiloComponentValue with[] = { { .component_type = filo_type_FiloTransform2, .value = &transform },
                                  { .component_type = filo_type_FiloSprite, .value = &sprite } };
    return filo_entity_create_with(fixture->world, with, FILO_COUNT_OF(with));
}

// A source with some batches, which the tests change.
typedef struct TestSource {
    FiloQuadBatch batches[8];
    size_t count;
    FiloQuad quads[64];
} TestSource;

static void extract_source(FiloGfx2d *gfx, const FiloExtract *extracted, void *user) {
    TestSource *source = user;
    assert_int_equal(extracted->width, WIDTH);
    for (size_t i = 0; i < source->count; i++) filo_gfx2d_add_batch(gfx, &source->batches[i]);
}

static void add_source(Fixture *fixture, TestSource *source) {
    assert_ok(filo_gfx2d_add_source(fixture->gfx, &(FiloQuadSource){ extract_source, source }));
}

// Adds a batch of one box.
static FiloQuadBatch *add_box(TestSource *source, float x, float y, float half, FiloColor color) {
    size_t at = source->count++;
    source->quads[at] = filo_quad_box(filo_vec2(x, y), filo_vec2(half, half), color);
    source->batches[at] = (FiloQuadBatch){
        .quads = &source->quads[at],
        .count = 1,
        .bounds = filo_rect_from_centre(filo_vec2(x, y), filo_vec2(2 * half, 2 * half)),
    };
    return &source->batches[at];
}

static FiloColor middle(Fixture *fixture) { return pixel(screenshot(fixture), WIDTH / 2, HEIGHT / 2); }

// ---- Order --------------------------------------------------------------------------------------------------

static void ordered(Backend backend) {
    Fixture fixture = fixture_begin(backend, 2);
    TestSource source = { 0 };
    add_source(&fixture, &source);
    FiloQuadBatch *batch = add_box(&source, 0, 0, 10, FILO_COLOR_RED);
    box_at(&fixture, 0, 0, 10, (FiloSprite){ .color = FILO_COLOR_GREEN, .layer = 2, .order = 5 });
    assert_color(middle(&fixture), FILO_COLOR_GREEN); // layer 0
    batch->layer = 2;
    assert_color(middle(&fixture), FILO_COLOR_GREEN); // order 0
    batch->order = 5;
    assert_color(middle(&fixture), FILO_COLOR_RED); // the same order: after the sprites
    batch->order = 4;
    assert_color(middle(&fixture), FILO_COLOR_GREEN);
    batch->layer = 3;
    assert_color(middle(&fixture), FILO_COLOR_RED);
    filo_gfx2d_remove_source(fixture.gfx, &source);
    assert_color(middle(&fixture), FILO_COLOR_GREEN);
    fixture_end(&fixture);
}

FILO_TEST(batches_are_ordered_with_the_sprites_on_the_cpu) { ordered(ON_CPU); }
FILO_TEST(batches_are_ordered_with_the_sprites_on_gl) { ordered(ON_GL45); }

FILO_TEST(in_a_layer_sorted_by_y_the_heights_decide) {
    Fixture fixture = fixture_begin(ON_CPU, 2);
    TestSource source = { 0 };
    add_source(&fixture, &source);
    filo_gfx2d_sort_layer_by_y(fixture.gfx, 1, true);
    box_at(&fixture, 0, 2, 20, (FiloSprite){ .color = FILO_COLOR_GREEN, .layer = 1 });
    FiloQuadBatch *batch = add_box(&source, 0, 0, 10, FILO_COLOR_RED);
    batch->layer = 1;
    assert_color(middle(&fixture), FILO_COLOR_RED); // by the height of its centre
    float height = 4;
    batch->heights = &height;
    batch->version = 1;
    assert_color(middle(&fixture), FILO_COLOR_GREEN);
    height = 1;
    batch->version = 2;
    assert_color(middle(&fixture), FILO_COLOR_RED);
    filo_gfx2d_sort_layer_by_y(fixture.gfx, 1, false);
    assert_color(middle(&fixture), FILO_COLOR_RED);
    fixture_end(&fixture);
}

FILO_TEST(cameras_draw_the_batches_that_they_see) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    TestSource source = { 0 };
    add_source(&fixture, &source);
    add_box(&source, 0, 0, 5, FILO_COLOR_RED)->layer = 9;
    add_box(&source, 5000, 0, 5, FILO_COLOR_BLUE);
    FiloEntity camera = filo_create(fixture.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloCamera));
    assert_color(middle(&fixture), FILO_COLOR_RED);
    assert_int_equal(stats(&fixture).visible, 1);
    filo_edit(fixture.world, camera, FiloTransform2)->position.x = 5000;
    filo_edit(fixture.world, camera, FiloPreviousTransform2)->valid = false;
    assert_color(middle(&fixture), FILO_COLOR_BLUE);
    filo_edit(fixture.world, camera, FiloTransform2)->position.x = 0;
    filo_edit(fixture.world, camera, FiloCamera)->hidden_layers[0] = 1u << 9;
    assert_color(middle(&fixture), FILO_COLOR_BLACK);
    assert_int_equal(stats(&fixture).visible, 0);
    fixture_end(&fixture);
}

FILO_TEST(batches_of_many_layers_are_one_draw_call_and_leave_that_of_sprites_alone) {
    Fixture fixture = fixture_begin(ON_NULL, 1);
    TestSource source = { 0 };
    add_source(&fixture, &source);
    for (int i = 0; i < 8; i++) add_box(&source, (float)i, 0, 5, FILO_COLOR_RED)->layer = (uint8_t)(i + 1);
    box_at(&fixture, 0, 0, 10, (FiloSprite){ 0 });
    extract(&fixture);
    render(&fixture);
    assert_int_equal(stats(&fixture).draws, 2);
    fixture_end(&fixture);
}

FILO_TEST(mistakes_with_batches_and_regions_are_reported) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloQuad quad = { 0 };
    expect_fault("inside of the function of a source",
                 filo_gfx2d_add_batch(fixture.gfx, &(FiloQuadBatch){ .quads = &quad, .count = 1 }));
    expect_mistake("a source with a function", filo_gfx2d_add_source(fixture.gfx, &(FiloQuadSource){ 0 }));
    expect_mistake("where the region goes", filo_gfx2d_region_add(NULL, fixture.gfx, NULL));
    FiloAtlasRegion region = { 0 };
    filo_gfx2d_region_free(fixture.gfx, &region); // there is none: no mistake
    expect_fault("frames count from 0", filo_gfx2d_image_region(fixture.gfx, filo_name("x"), -1));
    FiloPixels none = { 0 };
    assert_int_equal(filo_gfx2d_region_add(&region, fixture.gfx, &none).code, FILO_ERROR_ARGUMENT);
    fixture_end(&fixture);
}

FILO_TEST(steady_batches_do_not_allocate) {
    Fixture fixture = fixture_begin(ON_CPU, 2);
    TestSource source = { 0 };
    add_source(&fixture, &source);
    for (int i = 0; i < 8; i++) add_box(&source, (float)i, 0, 5, FILO_COLOR_RED)->layer = (uint8_t)(i % 3);
    filo_gfx2d_sort_layer_by_y(fixture.gfx, 1, true);
    FiloTestSteady steady = { 0 };
    while (filo_test_unsteady(&steady, 20)) {
        source.batches[3].version = (uint32_t)steady.turn;
        extract(&fixture);
        render(&fixture);
    }
    fixture_end(&fixture);
}

FILO_TEST(without_memory_batches_are_missing_and_nothing_breaks) {
    for (int allowed = 0; allowed < 120; allowed += 3) {
        Fixture fixture = fixture_begin(ON_CPU, 1);
        filo_gfx2d_destroy(fixture.gfx);
        LimitedAllocator limited;
        limited_init(&limited, allowed);
        TestSource source = { 0 };
        for (int i = 0; i < 8; i++) add_box(&source, 0, 0, 5, FILO_COLOR_RED)->layer = (uint8_t)(i % 3);
        FiloGfx2dDesc desc = { .world = fixture.world, .allocator = &limited.allocator };
        if (filo_gfx2d_create(&fixture.gfx, &desc).code == FILO_OK) {
            filo_gfx2d_sort_layer_by_y(fixture.gfx, 1, true);
            (void)filo_gfx2d_add_source(fixture.gfx, &(FiloQuadSource){ extract_source, &source });
            extract(&fixture);
            render(&fixture);
            assert_true(stats(&fixture).visible <= 8);
        }
        filo_gfx2d_destroy(fixture.gfx);
        fixture.gfx = NULL;
        assert_int_equal(limited.used, 0);
        fixture_end(&fixture);
    }
}

// ---- Regions ------------------------------------------------------------------------------------------------

static FiloAtlasRegion add_region(Fixture *fixture, int size, FiloColor color) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, size, size, NULL));
    filo_pixels_fill(&pixels, color);
    FiloAtlasRegion region;
    assert_ok(filo_gfx2d_region_add(&region, fixture->gfx, &pixels));
    filo_pixels_free(&pixels, NULL);
    assert_int_equal(region.u1 - region.u0, size);
    return region;
}

static FiloQuad show(FiloAtlasRegion region, float x, float y) {
    FiloQuad quad = filo_quad_box(filo_vec2(x, y), filo_vec2(8, -8), FILO_COLOR_WHITE);
    quad.kind = FILO_QUAD_IMAGE;
    quad.u0 = region.u0, quad.v0 = region.v0, quad.u1 = region.u1, quad.v1 = region.v1;
    quad.image = region.page;
    return quad;
}

static void in_regions(Backend backend) {
    Fixture fixture = fixture_begin(backend, 1);
    FiloAtlasRegion red = add_region(&fixture, 8, FILO_COLOR_RED),
                    blue = add_region(&fixture, 12, FILO_COLOR_BLUE);
    extract(&fixture);
    FiloQuad quads[2] = { show(red, 20, 20), show(blue, 60, 20) };
    filo_draw_quads(filo_gfx2d_draw(fixture.gfx), quads, 2);
    // Freed after it was drawn, and before the picture is made: it is shown all the same, also if others come.
    FiloAtlasRegion freed = red;
    filo_gfx2d_region_free(fixture.gfx, &red);
    assert_int_equal(red.u1, 0);
    for (int i = 0; i < 20; i++) {
        FiloAtlasRegion other = add_region(&fixture, 8, FILO_COLOR_GREEN);
        assert_false(other.u0 == freed.u0 && other.v0 == freed.v0 && other.page == freed.page);
    }
    filo_gfx2d_render(fixture.gfx);
    FiloPixels picture = drawn_picture(&fixture);
    assert_color(pixel(picture, 20, 20), FILO_COLOR_RED);
    assert_color(pixel(picture, 60, 20), FILO_COLOR_BLUE);
    if (fixture.gpu != NULL) filo_gpu_end_frame(fixture.gpu);
    // From the next extraction on, its texels are given away again.
    extract(&fixture);
    FiloAtlasRegion again = add_region(&fixture, 8, FILO_COLOR_YELLOW);
    assert_true(again.u0 == freed.u0 && again.v0 == freed.v0 && again.page == freed.page);
    fixture_end(&fixture);
}

FILO_TEST(regions_are_drawn_until_the_next_extraction_on_the_cpu) { in_regions(ON_CPU); }
FILO_TEST(regions_are_drawn_until_the_next_extraction_on_gl) { in_regions(ON_GL45); }

FILO_TEST(an_image_has_a_region_and_changes_have_another_generation) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloName arrow = add_arrow(fixture.gfx);
    uint32_t generation = filo_gfx2d_generation(fixture.gfx);
    FiloImageRegion region = filo_gfx2d_image_region(fixture.gfx, arrow, 0);
    assert_true(region.size.x == 12 && region.size.y == 8 && region.part.max.x == 12);
    assert_int_equal(region.region.u1 - region.region.u0, 12);
    add_arrow(fixture.gfx);
    assert_int_not_equal(filo_gfx2d_generation(fixture.gfx), generation);
    fixture_end(&fixture);
}

// ---- Distance fields ----------------------------------------------------------------------------------------

enum { FIELD = 40 };

// The field of a square with a hole: sharp corners, inside and outside.
static double frame_distance(double x, double y) {
    double outer = 12 - fmax(fabs(x), fabs(y)), inner = fmax(fabs(x), fabs(y)) - 5;
    return fmin(outer, inner);
}

static FiloAtlasRegion add_field(Fixture *fixture) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, FIELD, FIELD, NULL));
    for (int y = 0; y < FIELD; y++)
        for (int x = 0; x < FIELD; x++) {
            double value = 128 + 16 * frame_distance(x + 0.5 - FIELD / 2.0, y + 0.5 - FIELD / 2.0);
            uint8_t a = (uint8_t)(fmin(fmax(value, 0), 255) + 0.5);
            *filo_pixels_at(&pixels, x, y) = filo_color(a, a, a, a);
        }
    FiloAtlasRegion region;
    assert_ok(filo_gfx2d_region_add(&region, fixture->gfx, &pixels));
    filo_pixels_free(&pixels, NULL);
    return region;
}

static FiloQuad field_quad(FiloAtlasRegion region, FiloRandom *random, int number) {
    float scale = filo_pow(2, filo_random_float_range(random, -2, 3)) * FIELD * 0.5f;
    float angle = number % 3 == 0 ? 0 : filo_random_float_range(random, -4, 4);
    float x = filo_random_float_range(random, -50, 50), y = filo_random_float_range(random, -40, 40);
    FiloQuad quad = show(region, x, y);
    quad.ax = filo_cos(angle) * scale, quad.ay = filo_sin(angle) * scale;
    quad.bx = -filo_sin(angle) * scale, quad.by = filo_cos(angle) * scale;
    quad.kind = number % 2 == 0 ? FILO_QUAD_DISTANCE : FILO_QUAD_DISTANCE_SOFT;
    quad.flags = (uint8_t)((number % 5 < 2 ? 0 : filo_random_u32(random) % 56) << 2);
    if (number % 7 == 0) quad.flags |= FILO_QUAD_ADD;
    quad.color = number % 3 == 0 ? FILO_COLOR_WHITE : filo_color_from_bytes(200, 120, 40, 200);
    return quad;
}

static FiloPixels draw_fields(Fixture *fixture, TestSource *source, FiloAtlasRegion region, uint64_t round) {
    FiloRandom random = filo_random_sequence(60 + round);
    FiloQuad immediate[4];
    for (int i = 0; i < 8; i++) {
        source->quads[i] = field_quad(region, &random, (int)round + i);
        if (i < 4) immediate[i] = field_quad(region, &random, (int)round + i);
    }
    const float huge = 1e6f;
    source->batches[0] = (FiloQuadBatch){ .quads = source->quads,
                                          .count = 8,
                                          .bounds = filo_rect(filo_vec2(-huge, -huge), filo_vec2(huge, huge)),
                                          .version = (uint32_t)round };
    source->count = 1;
    extract(fixture);
    FiloDraw *draw = filo_gfx2d_draw(fixture->gfx);
    filo_draw_in_world(draw, 1);
    filo_draw_quads(draw, immediate, 4);
    filo_gfx2d_render(fixture->gfx);
    FiloPixels pixels = drawn_picture(fixture);
    if (fixture->gpu != NULL) filo_gpu_end_frame(fixture->gpu);
    return pixels;
}

static void same_fields(Backend backend) {
    Fixture cpu = fixture_begin(ON_CPU, 1), gpu = fixture_begin(backend, 1);
    TestSource sources[2] = { 0 };
    add_source(&cpu, &sources[0]);
    add_source(&gpu, &sources[1]);
    FiloAtlasRegion on_cpu = add_field(&cpu), on_gpu = add_field(&gpu);
    size_t different = 0, lit = 0;
    for (uint64_t round = 0; round < 30; round++) {
        FiloPixels expected = draw_fields(&cpu, &sources[0], on_cpu, round);
        FiloPixels found = draw_fields(&gpu, &sources[1], on_gpu, round);
        different += filo_pixels_compare(&found, &expected, 2).pixels;
        for (int i = 0; i < WIDTH * HEIGHT; i++) lit += expected.data[i].r > 0;
        if (round == 3) save_picture(expected, "fields_cpu"), save_picture(found, "fields_gl");
    }
    assert_true(lit > 30000);
    // Single pixels, whose centre is on the edge of a quad.
    if (different > lit / 10000) fail_msg("%zu of %zu pixels differ", different, lit);
    fixture_end(&gpu);
    fixture_end(&cpu);
}

FILO_TEST(distance_fields_look_the_same_on_gl_45) { same_fields(ON_GL45); }
FILO_TEST(distance_fields_look_the_same_on_gl_33) { same_fields(ON_GL33); }
