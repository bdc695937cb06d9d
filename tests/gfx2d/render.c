// Pictures of sprites: on the CPU to the last bit, and on the GPU within a tolerance.
//
// The tolerance against the golden images, which the CPU drew: 2 in a byte for the rounding of colours, and some pixels
// whose centre is on an edge or on the border of two texels.

#include "gfx2d/fixture.h"

static FiloEntity sprite_at(FiloWorld *world, FiloTransform2 transform, FiloSprite sprite) {
    FiloComponentValue with[] = { { .component_type = filo_type_FiloTransform2, .value = &transform },
                                  { .component_type = filo_type_FiloSprite, .value = &sprite } };
    FiloEntity entity = filo_entity_create_with(world, with, FILO_COUNT_OF(with));
    assert_true(entity.id != 0);
    return entity;
}

// One of every kind of sprite.
static void sprites_of_all_kinds(Fixture *fixture) {
    FiloWorld *world = fixture->world;
    FiloName arrow = add_arrow(fixture->gfx);
    float x = -52;
    // Upright: as it is, flipped, and flipped in both directions.
    for (uint8_t flags = 0; flags < 4; flags++, x += 16)
        sprite_at(world, (FiloTransform2){ .position = { x, 36 } },
                  (FiloSprite){ .image = arrow, .flags = flags });
    // Scaled, smooth and not, and mirrored by a negative scale.
    sprite_at(world, (FiloTransform2){ .position = { 30, 34 }, .scale = { 2, 2 } },
              (FiloSprite){ .image = arrow });
    sprite_at(world, (FiloTransform2){ .position = { 52, 34 }, .scale = { -1.5f, 2 } },
              (FiloSprite){ .image = arrow, .flags = FILO_SPRITE_LINEAR });
    // Rotated, and rotated about a pivot.
    for (int i = 0; i < 5; i++) {
        float angle = 0.3f + (float)i * 1.1f, left = -50 + (float)i * 14;
        sprite_at(world, (FiloTransform2){ .position = { left, 16 }, .rotation = angle },
                  (FiloSprite){ .image = arrow });
        sprite_at(world, (FiloTransform2){ .position = { left, 0 }, .rotation = angle },
                  (FiloSprite){ .image = arrow, .pivot = { -0.5f, -0.5f }, .flags = FILO_SPRITE_LINEAR });
    }
    // Boxes: tinted, transparent, additive.
    sprite_at(world, (FiloTransform2){ .position = { 30, 8 }, .scale = { 20, 10 } },
              (FiloSprite){ .color = FILO_COLOR_YELLOW });
    sprite_at(world, (FiloTransform2){ .position = { 36.5f, 3.25f }, .scale = { 12, 12 }, .rotation = 0.6f },
              (FiloSprite){ .color = { 0, 64, 128, 128 } });
    sprite_at(world, (FiloTransform2){ .position = { 52, 8 }, .scale = { 14, 14 } },
              (FiloSprite){ .color = filo_color(90, 40, 0, 255), .flags = FILO_SPRITE_ADD, .layer = 2 });
    sprite_at(world, (FiloTransform2){ .position = { 52, 4 } },
              (FiloSprite){ .image = arrow, .color = { 255, 128, 128, 255 } });
    // Layers and orders: green over red over blue.
    sprite_at(world, (FiloTransform2){ .position = { -48, -22 }, .scale = { 12, 12 } },
              (FiloSprite){ .color = FILO_COLOR_GREEN, .layer = 3 });
    sprite_at(world, (FiloTransform2){ .position = { -44, -26 }, .scale = { 12, 12 } },
              (FiloSprite){ .color = FILO_COLOR_RED, .layer = 1, .order = 4 });
    sprite_at(world, (FiloTransform2){ .position = { -40, -30 }, .scale = { 12, 12 } },
              (FiloSprite){ .color = FILO_COLOR_BLUE, .layer = 1, .order = -4 });
    // One that is hidden, and one whose image is not loaded.
    sprite_at(world, (FiloTransform2){ .scale = { 50, 50 } }, (FiloSprite){ .flags = FILO_SPRITE_HIDDEN });
    sprite_at(world, (FiloTransform2){ .position = { -20, -28 } },
              (FiloSprite){ .image = filo_name("missing.png") });
}

static void draw_things_at_once(Fixture *fixture) {
    FiloDraw *draw = filo_gfx2d_draw(fixture->gfx);
    filo_draw_in_world(draw, 2);
    filo_draw_circle(draw, filo_vec2(4, -28), 9, FILO_COLOR_CYAN);
    filo_draw_ring(draw, filo_vec2(26, -28), 10, 3, FILO_COLOR_MAGENTA);
    filo_draw_line(draw, filo_vec2(-60, -10), filo_vec2(60, -16), 1.5f, FILO_COLOR_WHITE);
    filo_draw_triangle(draw, filo_vec2(40, -40), filo_vec2(58, -36), filo_vec2(46, -22), FILO_COLOR_YELLOW);
    filo_draw_on_screen(draw);
    filo_draw_text(draw, 3, 78, 1, FILO_COLOR_WHITE, "Filo 2D");
    filo_draw_frame(draw, filo_rect(filo_vec2(0, 0), filo_vec2(WIDTH, HEIGHT)), 1, FILO_COLOR_GREY);
}

static void all_kinds(Backend backend, int threads, int largest, double mean, const char *saved_as) {
    Fixture fixture = fixture_begin(backend, threads);
    sprites_of_all_kinds(&fixture);
    extract(&fixture);
    draw_things_at_once(&fixture);
    end_with_golden(&fixture, "all_kinds", largest, mean, saved_as);
}

FILO_TEST(the_cpu_draws_all_kinds_of_sprites_to_the_last_bit) { all_kinds(ON_CPU, 1, 0, 0, "cpu"); }
FILO_TEST(eight_threads_draw_the_same_picture) { all_kinds(ON_CPU, 8, 0, 0, "cpu8"); }
FILO_TEST(gl_45_draws_nearly_the_same_picture) { all_kinds(ON_GL45, 2, 2, 0.02, "gl45"); }
FILO_TEST(gl_33_draws_nearly_the_same_picture) { all_kinds(ON_GL33, 2, 2, 0.02, "gl33"); }

// ---- The card against the CPU -----------------------------------------------------------------------------

// Images only, which have a simpler shader: on whole pixels and between them, flipped, rotated by right and other
// angles, larger and smaller.
static void images_alone(Fixture *fixture, uint8_t flags) {
    FiloName arrow = add_arrow(fixture->gfx);
    FiloRandom random = filo_random_sequence(4);
    for (int i = 0; i < 48; i++) {
        FiloTransform2 transform = { .position = { -56 + (float)(i % 8) * 16, -40 + (float)(i / 8) * 16 } };
        if (i % 3 == 1) transform.position = filo_vec2_add(transform.position, filo_vec2(0.5f, 0.5f));
        if (i % 3 == 2) transform.position.x += filo_random_float_range(&random, 0, 1);
        if (i % 5 == 1) transform.rotation = FILO_HALF_PI * (float)(i % 4);
        if (i % 5 == 2) transform.rotation = filo_random_float_range(&random, 0, 6);
        if (i % 5 == 3) transform.scale = filo_vec2(0.75f, 1.5f);
        if (i % 5 == 4) transform.scale = filo_vec2(-1, 2);
        sprite_at(fixture->world, transform,
                  (FiloSprite){ .image = arrow,
                                .flags = (uint8_t)(flags | (i / 4 % 4)),
                                .color = { 255, 240, 200, 255 } });
    }
}

static void against_the_cpu(Backend backend, uint8_t flags, size_t edges) {
    Fixture cpu = fixture_begin(ON_CPU, 1);
    images_alone(&cpu, flags);
    FiloPixels expected = copy_picture(screenshot(&cpu));
    fixture_end(&cpu);
    Fixture gpu = fixture_begin(backend, 1);
    images_alone(&gpu, flags);
    FiloPixels found = screenshot(&gpu);
    save_picture(expected, "images_cpu");
    save_picture(found, "images_card");
    FiloPixelsDifference difference = filo_pixels_compare(&found, &expected, 2);
    if (difference.pixels > edges)
        fail_msg("%zu pixels differ, the first at %d, %d; on average %.4f", difference.pixels, difference.x,
                 difference.y, difference.mean);
    filo_pixels_free(&expected, NULL);
    fixture_end(&gpu);
}

// What is rotated by other than right angles may differ in single pixels, whose centre is on the border of two texels.
FILO_TEST(images_alone_look_the_same_on_gl_45) { against_the_cpu(ON_GL45, 0, 6); }
FILO_TEST(images_alone_look_the_same_on_gl_33) { against_the_cpu(ON_GL33, 0, 6); }
FILO_TEST(smooth_images_alone_look_the_same_on_gl_45) { against_the_cpu(ON_GL45, FILO_SPRITE_LINEAR, 6); }

// ---- Rotated and scaled at random -------------------------------------------------------------------------------

typedef struct Rotated {
    float smallest, largest; // scales
    uint8_t flags;
    bool opaque;
    FiloVec2 centre; // of what is visible
} Rotated;

// An image with maximal contrasts.
static FiloName add_noise(FiloGfx2d *gfx, bool opaque) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 40, 28, NULL));
    FiloRandom random = filo_random_sequence(11);
    for (int y = 0; y < 28; y++)
        for (int x = 0; x < 40; x++) {
            uint32_t bits = filo_random_u32(&random);
            uint8_t alpha = opaque ? 255 : (uint8_t)(bits >> 24);
            *filo_pixels_at(&pixels, x, y) =
                filo_color_from_bytes(bits & 1 ? 255 : 0, bits & 2 ? 255 : 0, (uint8_t)(bits >> 8), alpha);
        }
    assert_ok(filo_gfx2d_add_image(gfx, filo_name("noise"), &pixels));
    filo_pixels_free(&pixels, NULL);
    return filo_name("noise");
}

static void scatter(Fixture *fixture, const Rotated *rotated, uint64_t round) {
    FiloQuery *sprites = filo_query(fixture->world, FILO_WITH(FiloSprite));
    for (FiloEntity e; (e = filo_query_first(sprites)).id != 0;) filo_entity_destroy(fixture->world, e);
    filo_query_release(sprites);
    FiloRandom random = filo_random_sequence(100 + round);
    for (int i = 0; i < 6; i++) {
        float scale =
            rotated->smallest * filo_pow(rotated->largest / rotated->smallest, filo_random_float(&random));
        FiloTransform2 transform = { .position = rotated->centre, .scale = { scale, scale } };
        transform.position.x += filo_random_float_range(&random, -50, 50);
        transform.position.y += filo_random_float_range(&random, -36, 36);
        transform.rotation = filo_random_float_range(&random, -4, 4);
        transform.scale.y *= filo_random_float_range(&random, 0.7f, 1.3f);
        sprite_at(fixture->world, transform,
                  (FiloSprite){ .image = filo_name("noise"),
                                .flags = (uint8_t)(rotated->flags | (i % 4)),
                                .color = i % 2 == 0 ? FILO_COLOR_WHITE : filo_color(200, 160, 120, 230) });
    }
}

typedef struct Differences {
    size_t drawn, seen; // pixels that are not black; that differ by more than 2
} Differences;

static void compare_pixels(Differences *differences, FiloPixels a, FiloPixels b) {
    differences->seen += filo_pixels_compare(&a, &b, 2).pixels;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            differences->drawn += !filo_color_equal(pixel(a, x, y), FILO_COLOR_BLACK);
}

static void compare_turned(Backend backend, const Rotated *rotated, size_t one_in) {
    Fixture cpu = fixture_begin(ON_CPU, 1), gpu = fixture_begin(backend, 1), *fixtures[] = { &cpu, &gpu };
    for (int s = 0; s < 2; s++) {
        add_noise(fixtures[s]->gfx, rotated->opaque);
        filo_create(fixtures[s]->world, FILO_SET(FiloTransform2, .position = rotated->centre),
                    FILO_ADD(FiloCamera));
    }
    Differences differences = { 0 };
    for (uint64_t round = 0; round < 40; round++) {
        FiloPixels pictures[2];
        for (int s = 0; s < 2; s++) {
            scatter(fixtures[s], rotated, round);
            pictures[s] = screenshot(fixtures[s]);
        }
        compare_pixels(&differences, pictures[0], pictures[1]);
    }
    if (differences.seen * one_in > differences.drawn)
        fail_msg("scale %g to %g, flags %d: %zu of %zu pixels differ by more than 2",
                 (double)rotated->smallest, (double)rotated->largest, rotated->flags, differences.seen,
                 differences.drawn);
    fixture_end(&gpu);
    fixture_end(&cpu);
}

// Differences are single pixels, whose centre is on an edge or on the border of two texels. And far from the origin a
// corner may be rounded to the next 1/256 of a pixel, which is many texels of an image that is made small.
static void rotated_at_random(Backend backend) {
    static const float ranges[][2] = { { 1, 3 }, { 0.5f, 1 }, { 0.25f, 0.5f }, { 0.1f, 0.25f } };
    for (size_t i = 0; i < FILO_COUNT_OF(ranges); i++)
        for (unsigned n = 0; n < 8; n++) {
            bool far = (n & 4) != 0;
            Rotated rotated = { .smallest = ranges[i][0],
                                .largest = ranges[i][1],
                                .flags = (n & 1) != 0 ? FILO_SPRITE_LINEAR : 0,
                                .opaque = (n & 2) != 0,
                                .centre = far ? filo_vec2(700.25f, -431.5f) : filo_vec2(0, 0) };
            compare_turned(backend, &rotated, i < 3 ? 5000 : 500);
        }
}

FILO_TEST(sprites_rotated_and_scaled_at_random_look_the_same_on_gl_45) { rotated_at_random(ON_GL45); }
FILO_TEST(sprites_rotated_and_scaled_at_random_look_the_same_on_gl_33) { rotated_at_random(ON_GL33); }
