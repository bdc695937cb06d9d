// Coverage of boxes, lines, ellipses, rings and triangles.

#include "raster/pictures.h"

enum { SIDE = 160 };

// White on black, so that red is the coverage of a pixel.
static FiloPixels drawn(const FiloQuad *quads, size_t count) {
    FiloPixels target = picture(SIDE, SIDE, FILO_COLOR_BLACK);
    FiloRaster *raster = make_raster(NULL, false);
    draw_quads(raster, target, NULL, 0, quads, count);
    filo_raster_destroy(raster);
    return target;
}

static double covered_area(const FiloQuad *quad) {
    FiloPixels target = drawn(quad, 1);
    double sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++) sum += target.data[i].r / 255.0;
    filo_pixels_free(&target, NULL);
    return sum;
}

static void assert_near(double value, double wanted, double part) {
    if (!(fabs(value - wanted) <= part * wanted)) fail_msg("%g is not near %g", value, wanted);
}

static int at(const FiloPixels *target, int x, int y) { return filo_pixels_at(target, x, y)->r; }

// ---- Boxes ------------------------------------------------------------------------------------------------

FILO_TEST(a_pixel_aligned_box_is_sharp) {
    FiloQuad quad = filo_quad_box(filo_vec2(50, 60.5f), filo_vec2(10, 5.5f), FILO_COLOR_WHITE);
    FiloPixels target = drawn(&quad, 1);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            assert_int_equal(at(&target, x, y), x >= 40 && x < 60 && y >= 55 && y < 66 ? 255 : 0);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(a_box_between_pixels_covers_parts_of_them) {
    FiloQuad quad = {
        .x = 50.5f, .y = 60.25f, .ax = 10, .by = 5, .color = FILO_COLOR_WHITE, .kind = FILO_QUAD_BOX
    };
    FiloPixels target = drawn(&quad, 1);
    assert_int_equal(at(&target, 39, 60), 0);
    assert_in_range(at(&target, 40, 60), 127, 128);
    assert_int_equal(at(&target, 41, 60), 255);
    assert_in_range(at(&target, 60, 60), 127, 128);
    assert_int_equal(at(&target, 61, 60), 0);
    assert_in_range(at(&target, 50, 55), 191, 192);
    assert_in_range(at(&target, 50, 65), 63, 64);
    assert_in_range(at(&target, 40, 55), 95, 96); // ½ of ¾
    filo_pixels_free(&target, NULL);
}

FILO_TEST(rotated_boxes_cover_their_area) {
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    for (int i = 0; i < 200; i++) {
        float angle = between(&random, 0, 7), half = between(&random, 3, 40), other = between(&random, 3, 40);
        FiloAffine2 turn = filo_affine2_rotate(angle);
        FiloQuad quad =
            filo_quad_box(between2(&random, 70, 90, 70, 90), filo_vec2(half, other), FILO_COLOR_WHITE);
        FiloVec2 a = filo_affine2_direction(turn, filo_vec2(half, 0));
        FiloVec2 b = filo_affine2_direction(turn, filo_vec2(0, other));
        quad.ax = a.x, quad.ay = a.y, quad.bx = b.x, quad.by = b.y;
        assert_near(covered_area(&quad), 4.0 * (double)half * (double)other, 0.02);
    }
}

FILO_TEST(thin_lines_fade_and_do_not_break) {
    FiloRandom random = filo_random_keyed(5, 2, 3, 4);
    for (int i = 0; i < 200; i++) {
        FiloVec2 from = between2(&random, 5, 60, 5, 150);
        FiloVec2 to = between2(&random, 100, 155, 5, 150);
        float width = between(&random, 0.25f, 1.5f);
        FiloQuad quad = filo_quad_line(from, to, width, FILO_COLOR_WHITE);
        double length = (double)filo_vec2_length(filo_vec2_sub(to, from));
        assert_near(covered_area(&quad), (double)width * length, 0.06);
        if (fabs((double)(to.y - from.y)) > (double)(to.x - from.x)) continue;
        FiloPixels target = drawn(&quad, 1);
        for (int x = (int)from.x + 2; x < (int)to.x - 2; x++) {
            int sum = 0;
            for (int y = 0; y < SIDE; y++) sum += at(&target, x, y);
            assert_true(sum > (int)(width * 200)); // every column is crossed
        }
        filo_pixels_free(&target, NULL);
    }
}

// ---- Ellipses ---------------------------------------------------------------------------------------------

FILO_TEST(ellipses_cover_their_area) {
    FiloRandom random = filo_random_keyed(7, 2, 3, 4);
    for (int i = 0; i < 200; i++) {
        FiloVec2 centre = between2(&random, 70, 90, 70, 90);
        FiloQuad quad = filo_quad_ellipse(centre, between2(&random, 4, 30, 4, 30), FILO_COLOR_WHITE);
        quad.ay = between(&random, -10, 10), quad.bx = between(&random, -10, 10);
        double area = fabs((double)quad.ax * (double)quad.by - (double)quad.ay * (double)quad.bx);
        if (area < 60) continue; // all edge
        assert_near(covered_area(&quad), 3.14159265 * area, 0.03);
    }
}

FILO_TEST(rings_are_hollow) {
    FiloQuad ring = filo_quad_ring(filo_vec2(80, 80), 60, 45, FILO_COLOR_WHITE);
    assert_near(covered_area(&ring), 3.14159265 * (60 * 60 - 45 * 45), 0.005);
    FiloPixels target = drawn(&ring, 1);
    assert_int_equal(at(&target, 80, 80), 0);
    assert_int_equal(at(&target, 80 + 43, 80), 0);
    assert_int_equal(at(&target, 80 + 47, 80), 255);
    assert_int_equal(at(&target, 80 + 57, 80), 255);
    assert_int_equal(at(&target, 80 + 61, 80), 0);
    filo_pixels_free(&target, NULL);
    FiloQuad thin = filo_quad_ring(filo_vec2(80, 80), 60, 59.5f, FILO_COLOR_WHITE);
    assert_near(covered_area(&thin), 3.14159265 * (60 * 60 - 59.5 * 59.5), 0.01);
    FiloQuad nothing = filo_quad_ring(filo_vec2(80, 80), 60, 60, FILO_COLOR_WHITE);
    assert_true(covered_area(&nothing) == 0);
}

FILO_TEST(a_circle_is_symmetric) {
    FiloQuad quad = filo_quad_ellipse(filo_vec2(80, 80), filo_vec2(33.3f, 33.3f), FILO_COLOR_WHITE);
    FiloPixels target = drawn(&quad, 1);
    for (int y = 0; y < 80; y++) {
        for (int x = 0; x < 80; x++) {
            assert_int_equal(at(&target, x, y), at(&target, 159 - x, y));
            assert_int_equal(at(&target, x, y), at(&target, x, 159 - y));
            assert_int_equal(at(&target, x, y), at(&target, y, x));
        }
    }
    filo_pixels_free(&target, NULL);
}

FILO_TEST(tiny_circles_are_faint) {
    double last = 0;
    for (int i = 1; i <= 10; i++) {
        float radius = 0.05f * (float)i;
        FiloQuad quad =
            filo_quad_ellipse(filo_vec2(80.5f, 80.5f), filo_vec2(radius, radius), FILO_COLOR_WHITE);
        double covered = covered_area(&quad);
        assert_true(covered > last && covered <= 2.0 * (double)radius + 0.02);
        last = covered;
    }
}

// ---- Triangles --------------------------------------------------------------------------------------------

FILO_TEST(a_triangle_is_the_half_below_the_diagonal) {
    FiloQuad quad =
        filo_quad_triangle(filo_vec2(10, 110), filo_vec2(110, 110), filo_vec2(10, 10), FILO_COLOR_WHITE);
    FiloPixels target = drawn(&quad, 1);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            assert_int_equal(at(&target, x, y), x >= 10 && y < 110 && x < y ? 255 : 0);
    filo_pixels_free(&target, NULL);
}

// Meshes of triangles have no seams, and no pixel is drawn twice: each triangle adds 1 to its pixels.
FILO_TEST(triangles_that_share_edges_cover_every_pixel_once) {
    FiloRandom random = filo_random_keyed(8, 2, 3, 4);
    for (int round = 0; round < 50; round++) {
        FiloQuad quads[64];
        FiloVec2 centre = between2(&random, 60, 100, 60, 100);
        centre.x = filo_floor(centre.x);
        centre.y = filo_round(centre.y * 256) / 256;
        FiloVec2 rim[64];
        for (int i = 0; i < 64; i++) { // corners in 1/256 of a pixel, so that neighbours agree about them
            FiloVec2 p = filo_vec2_scale(filo_vec2_from_angle((float)i * (FILO_TAU / 64)), 50);
            rim[i] =
                filo_vec2(centre.x + filo_round(p.x * 128) / 128, centre.y + filo_round(p.y * 128) / 128);
        }
        for (int i = 0; i < 64; i++) {
            quads[i] = filo_quad_triangle(centre, rim[i], rim[(i + 1) % 64], filo_color(1, 1, 1, 0));
            if (i % 2 == 0)
                quads[i] = filo_quad_triangle(rim[(i + 1) % 64], centre, rim[i], filo_color(1, 1, 1, 0));
        }
        FiloPixels target = drawn(quads, 64);
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                float far =
                    filo_vec2_length(filo_vec2_sub(filo_vec2((float)x + 0.5f, (float)y + 0.5f), centre));
                int times = at(&target, x, y);
                if (times > 1 || (far < 49 && times != 1) || (far > 50.1f && times != 0))
                    fail_msg("(%d, %d) is covered %d times", x, y, times);
            }
        }
        filo_pixels_free(&target, NULL);
    }
}

// ---- Colours ----------------------------------------------------------------------------------------------

static FiloColor one_pixel(FiloColor behind, FiloColor color, int kind, uint8_t flags) {
    FiloPixels target = picture(1, 1, behind);
    FiloQuad quad = filo_quad_box(filo_vec2(0.5f, 0.5f), filo_vec2(4, 4), color);
    quad.kind = (uint8_t)kind, quad.flags = flags;
    if (kind == FILO_QUAD_TRIANGLE) quad.x = 2; // its half is above, since b goes down
    FiloRaster *raster = make_raster(NULL, false);
    draw_quads(raster, target, NULL, 0, &quad, 1);
    FiloColor c = target.data[0];
    filo_raster_destroy(raster);
    filo_pixels_free(&target, NULL);
    return c;
}

FILO_TEST(colours_are_blended_over_or_added) {
    FiloRandom random = filo_random_keyed(3, 3, 3, 3);
    for (int i = 0; i < 300; i++) {
        FiloColor behind = random_color(&random), color = random_color(&random), light = color;
        light.a = 0;
        for (int kind = FILO_QUAD_BOX; kind <= FILO_QUAD_TRIANGLE; kind++) {
            assert_true(filo_color_equal(one_pixel(behind, color, kind, 0), filo_color_over(color, behind)));
            assert_true(filo_color_equal(one_pixel(behind, color, kind, FILO_QUAD_ADD),
                                         filo_color_over(light, behind)));
        }
    }
}

// ---- Degenerate quads -------------------------------------------------------------------------------------

FILO_TEST(quads_that_are_not_finite_or_have_no_area_draw_nothing) {
    const float strange[] = { NAN, INFINITY, -INFINITY };
    FiloQuad quads[400];
    size_t count = 0;
    for (int kind = FILO_QUAD_IMAGE; kind <= FILO_QUAD_TRIANGLE; kind++) {
        for (int field = 0; field < 6; field++) {
            for (int i = 0; i < 3; i++) {
                FiloQuad quad = filo_quad_box(filo_vec2(80, 80), filo_vec2(20, 20), FILO_COLOR_WHITE);
                float *fields[] = { &quad.x, &quad.y, &quad.ax, &quad.ay, &quad.bx, &quad.by };
                *fields[field] = strange[i];
                quad.kind = (uint8_t)kind;
                quads[count++] = quad;
            }
        }
        FiloQuad flat = filo_quad_box(filo_vec2(80, 80), filo_vec2(20, 0), FILO_COLOR_WHITE);
        flat.kind = (uint8_t)kind;
        quads[count++] = flat;
        flat.bx = 40; // both axes in one line
        quads[count++] = flat;
        flat.ax = flat.bx = 0;
        quads[count++] = flat;
        FiloQuad thin = filo_quad_box(filo_vec2(80, 80), filo_vec2(20, 0.0001f), FILO_COLOR_WHITE);
        thin.kind = (uint8_t)kind;
        quads[count++] = thin;
    }
    FiloPixels target = drawn(quads, count), black = picture(SIDE, SIDE, FILO_COLOR_BLACK);
    assert_same_picture(&target, &black, "strange quads");
    filo_pixels_free(&target, NULL);
    filo_pixels_free(&black, NULL);
}

FILO_TEST(a_transparent_colour_draws_nothing) {
    FiloQuad quad = filo_quad_box(filo_vec2(80, 80), filo_vec2(20, 20), FILO_COLOR_TRANSPARENT);
    assert_true(covered_area(&quad) == 0);
}

FILO_TEST(an_axis_aligned_box_may_have_any_size) {
    const float sizes[] = { 1e3f, 1e6f, 3e6f, 1e9f, 1e30f, 3e38f };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        FiloQuad quad = filo_quad_box(filo_vec2(80, 80), filo_vec2(sizes[i], sizes[i]), FILO_COLOR_WHITE);
        assert_true(covered_area(&quad) == SIDE * SIDE);
        FiloQuad half =
            filo_quad_box(filo_vec2(sizes[i] + 80, 80), filo_vec2(sizes[i], sizes[i]), FILO_COLOR_WHITE);
        if (sizes[i] > 1e3f && sizes[i] < 4e6f) assert_true(2 * covered_area(&half) == SIDE * SIDE);
    }
}

// Quads with corners up to two million pixels away are drawn exactly; further away, only axis-aligned boxes are drawn.
FILO_TEST(rotated_quads_may_be_two_million_pixels_large) {
    for (int kind = FILO_QUAD_BOX; kind <= FILO_QUAD_ELLIPSE; kind++) {
        FiloQuad quad = { .x = 80, .y = 80, .color = FILO_COLOR_WHITE, .kind = (uint8_t)kind };
        quad.ax = 1e6f, quad.ay = 1e6f, quad.bx = -1e6f, quad.by = 1e6f;
        assert_true(covered_area(&quad) == SIDE * SIDE);
        quad.ax = 1e9f, quad.ay = 1e9f, quad.bx = -1e9f, quad.by = 1e9f;
        assert_true(covered_area(&quad) == 0);
    }
}

FILO_TEST(quads_of_random_bits_do_no_harm) {
    FiloRandom random = filo_random_keyed(4, 4, 4, 4);
    FiloPixels image = random_picture(&random, 13, 11), target = picture(SIDE, SIDE, FILO_COLOR_BLACK);
    FiloPixels other = copy_of(&target);
    FiloRaster *raster = make_raster(NULL, false), *plain = make_raster(NULL, true);
    for (int i = 0; i < 3000; i++) {
        FiloQuad quad;
        uint32_t words[sizeof quad / 4];
        for (size_t w = 0; w < FILO_COUNT_OF(words); w++) {
            words[w] = filo_random_u32(&random);
            if (w < 6 && i % 2 == 0) // an exponent from 2⁻⁸ to 2²³
                words[w] = (words[w] & 0x807FFFFF) | (119 + (words[w] >> 23) % 32) << 23;
        }
        memcpy(&quad, words, sizeof quad);
        quad.kind %= 4, quad.image %= 2;
        draw_quads(raster, target, &image, 1, &quad, 1);
        draw_quads(plain, other, &image, 1, &quad, 1);
        if (i % 100 == 0) assert_same_picture(&target, &other, "random bits");
    }
    filo_raster_destroy(raster);
    filo_raster_destroy(plain);
    filo_pixels_free(&image, NULL);
    filo_pixels_free(&target, NULL);
    filo_pixels_free(&other, NULL);
}
