// Immediate drawing: the quads that each function adds to the lists.

#include "gfx2d/draw_fixture.h"
#include "support/failing_allocator.h"
#include "support/malloc_count.h"

#include <math.h>

// ---- Lists ----------------------------------------------------------------------------------------------

FILO_TEST(a_frame_begins_empty_on_the_screen_and_has_a_size) {
    FiloDraw *draw = open_draw();
    FiloVec2 size = filo_draw_size(draw);
    assert_true(size.x == 320 && size.y == 200);
    filo_draw_in_world(draw, 9);
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    gfx2d_draw_begin(draw, 640, 480);
    screen(draw, 0), world(draw, 0);
    size_t runs;
    gfx2d_draw_world_runs(draw, &runs);
    assert_int_equal(runs, 0);
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    screen(draw, 1);
    assert_true(filo_draw_size(draw).x == 640);
    gfx2d_draw_destroy(draw);
    gfx2d_draw_destroy(NULL);
}

FILO_TEST(what_is_drawn_in_the_world_comes_in_runs_of_one_layer) {
    FiloDraw *draw = open_draw();
    static const uint8_t layers[] = { 3, 3, 200, 3 };
    for (size_t i = 0; i < FILO_COUNT_OF(layers); i++) {
        filo_draw_in_world(draw, layers[i]);
        filo_draw_circle(draw, filo_vec2((float)i, 0), 1, FILO_COLOR_RED);
        filo_draw_on_screen(draw);
        filo_draw_circle(draw, filo_vec2((float)i, 0), 2, FILO_COLOR_RED);
    }
    screen(draw, 4);
    const FiloQuad *quads = world(draw, 4);
    for (size_t i = 0; i < 4; i++) assert_true(quads[i].x == (float)i && quads[i].ax == 1);
    size_t count;
    const Gfx2dDrawRun *runs = gfx2d_draw_world_runs(draw, &count);
    static const Gfx2dDrawRun expected[] = { { 3, 0, 0, 2, false },
                                             { 200, 0, 2, 1, false },
                                             { 3, 0, 3, 1, false } };
    assert_int_equal(count, FILO_COUNT_OF(expected));
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(runs[i].layer, expected[i].layer);
        assert_int_equal(runs[i].first, expected[i].first);
        assert_int_equal(runs[i].count, expected[i].count);
    }
    gfx2d_draw_destroy(draw);
}

FILO_TEST(a_quad_is_drawn_as_it_is_unless_it_is_not_finite) {
    FiloDraw *draw = open_draw();
    FiloQuad quad = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, { 11, 12, 13, 14 }, 15, FILO_QUAD_IMAGE, FILO_QUAD_ADD };
    filo_draw_quad(draw, &quad);
    assert_memory_equal(screen(draw, 1), &quad, sizeof quad);
    quad.bx = INFINITY;
    filo_draw_quad(draw, &quad);
    quad.bx = NAN;
    filo_draw_quad(draw, &quad);
    filo_draw_circle(draw, filo_vec2(NAN, 0), 3, FILO_COLOR_RED);
    screen(draw, 1);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(what_has_no_size_or_no_colour_is_not_drawn) {
    FiloDraw *draw = open_draw();
    FiloVec2 a = { 1, 1 }, b = { 5, 5 }, points[] = { a, b, { 9, 1 } };
    FiloRect rect = { a, b };
    for (int i = 0; i < 2; i++) {
        FiloColor color = i == 0 ? FILO_COLOR_TRANSPARENT : FILO_COLOR_RED;
        float size = i == 0 ? 3 : 0;
        filo_draw_line(draw, a, b, size, color);
        filo_draw_lines(draw, points, 3, size, color);
        filo_draw_box(draw, i == 0 ? rect : (FiloRect){ b, a }, color);
        filo_draw_frame(draw, rect, size, color);
        filo_draw_circle(draw, a, size, color);
        filo_draw_ring(draw, a, 5, size, color);
        filo_draw_polygon(draw, points, i == 0 ? 3 : 2, color);
        filo_draw_image(draw, filo_name("x.png"), 0, i == 0 ? rect : (FiloRect){ b, a }, color);
        filo_draw_text(draw, 0, 0, size, color, "text");
    }
    filo_draw_triangle(draw, a, b, points[2], FILO_COLOR_TRANSPARENT);
    filo_draw_line(draw, a, a, 3, FILO_COLOR_RED);
    filo_draw_lines(draw, points, 1, 3, FILO_COLOR_RED);
    filo_draw_lines(draw, NULL, 0, 3, FILO_COLOR_RED);
    screen(draw, 0);
    gfx2d_draw_destroy(draw);
}

// ---- Shapes ---------------------------------------------------------------------------------------------

FILO_TEST(a_line_is_a_box_along_it) {
    FiloDraw *draw = open_draw();
    filo_draw_line(draw, filo_vec2(10, 10), filo_vec2(30, 10), 4, FILO_COLOR_RED);
    const FiloQuad *q = screen(draw, 1);
    assert_quad(q, 20, 10, 10, 0, 0, 2);
    assert_int_equal(q->kind, FILO_QUAD_BOX);
    assert_int_equal(q->color.r, FILO_COLOR_RED.r);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(lines_have_round_corners_where_they_turn) {
    FiloDraw *draw = open_draw();
    FiloVec2 bent[] = { { 0, 0 }, { 10, 0 }, { 10, 10 } };
    filo_draw_lines(draw, bent, 3, 4, FILO_COLOR_RED);
    const FiloQuad *q = screen(draw, 3);
    assert_int_equal(q[2].kind, FILO_QUAD_ELLIPSE);
    assert_quad(&q[2], 10, 0, 2, 0, 0, 2);
    gfx2d_draw_begin(draw, 320, 200);
    FiloVec2 straight[] = { { 0, 0 }, { 10, 0 }, { 20, 0 } };
    filo_draw_lines(draw, straight, 3, 4, FILO_COLOR_RED);
    screen(draw, 2);
    gfx2d_draw_begin(draw, 320, 200);
    FiloVec2 closed[] = { { 0, 0 }, { 10, 0 }, { 10, 10 }, { 0, 0 } };
    filo_draw_lines(draw, closed, 4, 4, FILO_COLOR_RED);
    q = screen(draw, 6);
    assert_true(q[5].kind == FILO_QUAD_ELLIPSE && q[5].x == 0 && q[5].y == 0);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(a_box_points_up_on_the_screen_and_in_the_world) {
    FiloDraw *draw = open_draw();
    FiloRect rect = { { 10, 20 }, { 30, 60 } };
    filo_draw_box(draw, rect, FILO_COLOR_RED);
    assert_quad(screen(draw, 1), 20, 40, 10, 0, 0, -20);
    filo_draw_in_world(draw, 0);
    filo_draw_box(draw, rect, FILO_COLOR_RED);
    assert_quad(world(draw, 1), 20, 40, 10, 0, 0, 20);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(a_frame_is_inside_its_rectangle_and_does_not_overlap) {
    FiloDraw *draw = open_draw();
    FiloRect rect = { { 10, 20 }, { 30, 60 } };
    filo_draw_frame(draw, rect, 3, FILO_COLOR_RED);
    const FiloQuad *q = screen(draw, 4);
    float area = 0;
    for (int i = 0; i < 4; i++) {
        float width = filo_abs(q[i].ax), height = filo_abs(q[i].by);
        area += 4 * width * height;
        assert_true(q[i].x - width >= 10 && q[i].x + width <= 30);
        assert_true(q[i].y - height >= 20 && q[i].y + height <= 60);
    }
    assert_true(filo_abs(area - (20 * 40 - 14 * 34)) < 1e-3f);
    gfx2d_draw_begin(draw, 320, 200);
    filo_draw_frame(draw, rect, 10, FILO_COLOR_RED); // too small for a hole
    assert_quad(screen(draw, 1), 20, 40, 10, 0, 0, -20);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(circles_and_rings_are_ellipses_with_and_without_a_hole) {
    FiloDraw *draw = open_draw();
    filo_draw_circle(draw, filo_vec2(5, 6), 7, FILO_COLOR_RED);
    filo_draw_ring(draw, filo_vec2(5, 6), 10, 4, FILO_COLOR_RED);
    filo_draw_ring(draw, filo_vec2(5, 6), 10, 40, FILO_COLOR_RED);
    const FiloQuad *q = screen(draw, 3);
    assert_quad(&q[0], 5, 6, 7, 0, 0, 7);
    for (int i = 0; i < 3; i++) assert_int_equal(q[i].kind, FILO_QUAD_ELLIPSE);
    assert_int_equal(q[0].u0, 0);
    assert_true(abs(q[1].u0 - 65535 * 6 / 10) <= 1);
    assert_int_equal(q[2].u0, 0);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(a_triangle_has_the_corners_that_it_was_given) {
    FiloDraw *draw = open_draw();
    filo_draw_triangle(draw, filo_vec2(10, 10), filo_vec2(30, 14), filo_vec2(12, 40), FILO_COLOR_RED);
    const FiloQuad *q = screen(draw, 1);
    assert_int_equal(q->kind, FILO_QUAD_TRIANGLE);
    assert_quad(q, 21, 27, 10, 2, 1, 15);
    gfx2d_draw_destroy(draw);
}

static float triangles_area(const FiloQuad *quads, size_t count) {
    float area = 0;
    for (size_t i = 0; i < count; i++)
        area += 2 * filo_abs(quads[i].ax * quads[i].by - quads[i].ay * quads[i].bx);
    return area;
}

FILO_TEST(a_polygon_is_covered_by_triangles) {
    FiloDraw *draw = open_draw();
    FiloVec2 points[] = { { 0, 0 }, { 20, 0 }, { 30, 10 }, { 20, 20 }, { 0, 20 } };
    filo_draw_polygon(draw, points, 5, FILO_COLOR_RED);
    assert_true(filo_abs(triangles_area(screen(draw, 3), 3) - 500) < 0.01f);
    gfx2d_draw_destroy(draw);
}

// ---- Images ---------------------------------------------------------------------------------------------

FILO_TEST(an_image_fills_its_rectangle_and_what_was_trimmed_stays_empty) {
    FiloDraw *draw = open_draw();
    FiloRect rect = { { 100, 100 }, { 140, 120 } }; // a pixel is 2 × 2
    filo_draw_image(draw, filo_name("trimmed.png"), 5, rect, FILO_COLOR_WHITE);
    assert_int_equal(requested_frame, 5);
    const FiloQuad *q = screen(draw, 1);
    assert_quad(q, 118, 107, 10, 0, 0, -5); // from (108, 102) to (128, 112)
    assert_true(q->kind == FILO_QUAD_IMAGE && q->image == 1);
    assert_true(q->u0 == 100 && q->v0 == 50 && q->u1 == 110 && q->v1 == 55);
    filo_draw_in_world(draw, 0); // there the top has the larger y
    filo_draw_image(draw, filo_name("trimmed.png"), 0, rect, FILO_COLOR_WHITE);
    assert_quad(world(draw, 1), 118, 113, 10, 0, 0, 5);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(an_immediate_sprite_is_rotated_about_its_pivot) {
    FiloDraw *draw = open_draw();
    FiloDrawSprite sprite = { .image = filo_name("trimmed.png"), .frame = 5, .position = { 50, 60 } };
    filo_draw_sprite(draw, &sprite);
    assert_int_equal(requested_frame, 5);
    assert_quad(&screen(draw, 1)[0], 49, 58.5f, 5, 0, 0, -2.5f); // the frame is from (40, 55) to (60, 65)
    sprite.rotation = FILO_HALF_PI; // clockwise, as y goes down: its right side is below
    filo_draw_sprite(draw, &sprite);
    assert_quad(&screen(draw, 2)[1], 51.5f, 59, 0, 5, 2.5f, 0);
    sprite.pivot = filo_vec2(-0.5f, -0.5f); // its lower left corner
    sprite.rotation = 0;
    filo_draw_sprite(draw, &sprite);
    assert_quad(&screen(draw, 3)[2], 59, 53.5f, 5, 0, 0, -2.5f);
    sprite.size = filo_vec2(40, 40);
    filo_draw_sprite(draw, &sprite);
    assert_quad(&screen(draw, 4)[3], 68, 34, 10, 0, 0, -10);
    FiloColor none = screen(draw, 4)[3].color;
    assert_true(filo_color_equal(none, FILO_COLOR_WHITE));
    // In the world, where y goes up, and a pixel is half a unit.
    gfx.pixels_per_unit = 2;
    filo_draw_in_world(draw, 0);
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("trimmed.png"), .position = { 50, 60 } });
    assert_quad(&world(draw, 1)[0], 49.5f, 60.75f, 2.5f, 0, 0, 1.25f);
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("trimmed.png"), .rotation = FILO_HALF_PI });
    assert_quad(&world(draw, 2)[1], -0.75f, -0.5f, 0, 2.5f, -1.25f, 0); // counter-clockwise
    gfx2d_draw_destroy(draw);
}

FILO_TEST(a_part_of_an_image_is_flipped_within_itself) {
    FiloDraw *draw = open_draw();
    // Columns 2 to 8 and rows 0 to 4 of the frame, of which columns 4 to 8 and rows 1 to 4 were not trimmed away.
    FiloDrawSprite sprite = { .image = filo_name("trimmed.png"),
                              .position = { 100, 100 },
                              .part = { { 2.2f, 0 }, { 7.9f, 4 } },
                              .pivot = { -0.5f, 0.5f } }; // the upper left corner
    filo_draw_sprite(draw, &sprite);
    const FiloQuad *q = &screen(draw, 1)[0];
    assert_quad(q, 104, 102.5f, 2, 0, 0, -1.5f);
    assert_true(q->u0 == 100 && q->u1 == 104 && q->v0 == 50 && q->v1 == 53);
    sprite.flags = FILO_SPRITE_FLIP_X | FILO_SPRITE_FLIP_Y | FILO_SPRITE_LINEAR | FILO_SPRITE_ADD;
    filo_draw_sprite(draw, &sprite);
    q = &screen(draw, 2)[1];
    assert_quad(q, 102, 101.5f, 2, 0, 0, -1.5f);
    assert_true(q->u0 == 104 && q->u1 == 100 && q->v0 == 53 && q->v1 == 50);
    assert_int_equal(q->flags, FILO_QUAD_LINEAR | FILO_QUAD_ADD);
    // What is outside of the frame, or was trimmed away, is not drawn.
    sprite.part = filo_rect(filo_vec2(0, 0), filo_vec2(4, 10));
    filo_draw_sprite(draw, &sprite);
    sprite.part = filo_rect(filo_vec2(20, 0), filo_vec2(30, 10));
    filo_draw_sprite(draw, &sprite);
    sprite.part = filo_rect(filo_vec2(0, 0), filo_vec2(0, 0));
    sprite.flags = FILO_SPRITE_HIDDEN;
    filo_draw_sprite(draw, &sprite);
    screen(draw, 2);
    gfx2d_draw_destroy(draw);
}

// ---- Transforms and clips -------------------------------------------------------------------------------

FILO_TEST(transforms_are_applied_last_one_first) {
    FiloDraw *draw = open_draw();
    filo_draw_push(draw);
    filo_draw_translate(draw, filo_vec2(100, 50));
    filo_draw_rotate(draw, FILO_HALF_PI);
    filo_draw_scale(draw, filo_vec2(2, 3));
    filo_draw_circle(draw, filo_vec2(10, 1), 4, FILO_COLOR_RED);
    assert_quad(&screen(draw, 1)[0], 97, 70, 0, 8, -12, 0);
    filo_draw_push(draw);
    filo_draw_transform(draw, filo_affine2_translate(filo_vec2(1, 0)));
    filo_draw_circle(draw, filo_vec2(10, 1), 4, FILO_COLOR_RED);
    assert_quad(&screen(draw, 2)[1], 97, 72, 0, 8, -12, 0);
    filo_draw_pop(draw);
    filo_draw_circle(draw, filo_vec2(10, 1), 4, FILO_COLOR_RED);
    assert_quad(&screen(draw, 3)[2], 97, 70, 0, 8, -12, 0);
    filo_draw_pop(draw);
    filo_draw_circle(draw, filo_vec2(10, 1), 4, FILO_COLOR_RED);
    assert_quad(&screen(draw, 4)[3], 10, 1, 4, 0, 0, 4);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(the_screen_and_the_world_have_separate_transforms_and_pop_restores_which_is_drawn_to) {
    FiloDraw *draw = open_draw();
    filo_draw_translate(draw, filo_vec2(10, 0));
    filo_draw_in_world(draw, 7);
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    filo_draw_translate(draw, filo_vec2(0, 20));
    filo_draw_push(draw);
    filo_draw_on_screen(draw);
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    filo_draw_pop(draw);
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    assert_true(screen(draw, 1)->x == 10 && screen(draw, 1)->y == 0);
    const FiloQuad *quads = world(draw, 2);
    assert_true(quads[0].y == 0 && quads[1].y == 20 && quads[1].x == 0);
    gfx2d_draw_begin(draw, 320, 200); // the next frame begins without transforms
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    assert_true(screen(draw, 1)->x == 0);
    gfx2d_draw_destroy(draw);
}

static FiloRect clip_of(const FiloDraw *draw, size_t run, size_t count) {
    size_t runs;
    const Gfx2dDrawRun *all = gfx2d_draw_screen_runs(draw, &runs);
    assert_int_equal(runs, count);
    return all[run].clip == 0 ? (FiloRect){ { -1, -1 }, { -1, -1 } }
                              : gfx2d_draw_clip_rect(draw, all[run].clip);
}

static void assert_rect(FiloRect rect, float x0, float y0, float x1, float y1) {
    const float is[] = { rect.min.x, rect.min.y, rect.max.x, rect.max.y }, expected[] = { x0, y0, x1, y1 };
    for (size_t i = 0; i < 4; i++) assert_float_equal(is[i], expected[i], 1e-3f);
}

FILO_TEST(clips_are_nested_and_transformed) {
    FiloDraw *draw = open_draw();
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    filo_draw_push(draw);
    filo_draw_clip(draw, filo_rect(filo_vec2(10, 10), filo_vec2(50, 40)));
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    filo_draw_push(draw);
    filo_draw_translate(draw, filo_vec2(30, 0));
    filo_draw_rotate(draw, FILO_HALF_PI);
    filo_draw_clip(draw, filo_rect(filo_vec2(0, 0), filo_vec2(20, 10))); // (20, 0) to (30, 20)
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    filo_draw_clip(draw, filo_rect(filo_vec2(500, 0), filo_vec2(600, 10)));
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    filo_draw_pop(draw);
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    filo_draw_pop(draw);
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    assert_rect(clip_of(draw, 0, 6), -1, -1, -1, -1);
    assert_rect(clip_of(draw, 1, 6), 10, 10, 50, 40);
    assert_rect(clip_of(draw, 2, 6), 20, 10, 30, 20);
    assert_true(filo_rect_is_empty(clip_of(draw, 3, 6)));
    assert_rect(clip_of(draw, 4, 6), 10, 10, 50, 40);
    assert_rect(clip_of(draw, 5, 6), -1, -1, -1, -1);
    gfx2d_draw_destroy(draw);
}

// ---- Misuse and memory ----------------------------------------------------------------------------------

FILO_TEST(mistakes_are_reported_and_nothing_is_drawn) {
    only_in_debug_builds();
    FiloDraw *draw = open_draw();
    FiloRect rect = { { 0, 0 }, { 1, 1 } };
    expect_fault("filo_gfx2d_draw", filo_draw_circle(NULL, filo_vec2(0, 0), 1, FILO_COLOR_RED));
    expect_fault("filo_gfx2d_draw", filo_draw_in_world(NULL, 1));
    expect_fault("filo_gfx2d_draw", assert_true(filo_draw_size(NULL).x == 0));
    expect_fault("pass a text", filo_draw_text(draw, 0, 0, 1, FILO_COLOR_RED, NULL));
    expect_fault("pass a text", filo_draw_text_size(draw, NULL));
    expect_fault("pass the quad", filo_draw_quad(draw, NULL));
    expect_fault("pass 2 quads", filo_draw_quads(draw, NULL, 2));
    expect_fault("pass 3 points", filo_draw_lines(draw, NULL, 3, 1, FILO_COLOR_RED));
    expect_fault("pass 3 points", filo_draw_polygon(draw, NULL, 3, FILO_COLOR_RED));
    expect_fault("frames count from 0", filo_draw_image(draw, filo_name("x.png"), -1, rect, FILO_COLOR_RED));
    expect_fault("pass the sprite", filo_draw_sprite(draw, NULL));
    expect_fault("frames count from 0", filo_draw_sprite(draw, &(FiloDrawSprite){ .frame = -1 }));
    screen(draw, 0);
    expect_fault("nothing to go back to", filo_draw_pop(draw));
    for (int i = 0; i < FILO_DRAW_DEPTH; i++) filo_draw_push(draw);
    filo_draw_translate(draw, filo_vec2(5, 0));
    expect_fault("more than 64 filo_draw_push", filo_draw_push(draw));
    filo_draw_pop(draw); // of the push that was not saved
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    for (int i = 0; i < FILO_DRAW_DEPTH - 1; i++) filo_draw_pop(draw);
    filo_draw_circle(draw, filo_vec2(0, 0), 1, FILO_COLOR_RED);
    assert_true(screen(draw, 2)[0].x == 5 && screen(draw, 2)[1].x == 0);
    expect_fault("1 filo_draw_push had no filo_draw_pop", gfx2d_draw_begin(draw, 320, 200));
    filo_draw_reset(draw); // there is nothing to report any more
    gfx2d_draw_destroy(draw);
}

static void draw_some(FiloDraw *draw) {
    gfx2d_draw_begin(draw, 320, 200);
    static const FiloVec2 arrow[] = { { 0, 0 }, { 10, 5 }, { 0, 10 }, { 3, 5 } },
                          bow[] = { { 0, 0 }, { 9, 9 }, { 9, 0 }, { 0, 9 } };
    for (int i = 0; i < 100; i++) {
        filo_draw_on_screen(draw);
        filo_draw_circle(draw, filo_vec2((float)i, 0), 1, FILO_COLOR_RED);
        filo_draw_in_world(draw, (uint8_t)(i / 10));
        filo_draw_push(draw);
        filo_draw_clip(draw, filo_rect(filo_vec2(0, 0), filo_vec2((float)i, 10)));
        filo_draw_polygon(draw, i % 2 == 0 ? arrow : bow, 4, FILO_COLOR_RED);
        filo_draw_pop(draw);
        filo_draw_in_world(draw, (uint8_t)(i / 10));
        filo_draw_format(draw, 0, 0, 1, FILO_COLOR_RED, "number %d", i);
    }
}

FILO_TEST(a_steady_frame_allocates_nothing) {
    FiloHeap heap;
    filo_heap_init(&heap, "draw", 0);
    FiloDraw *draw;
    assert_ok(gfx2d_draw_create(&draw, &gfx, &heap.allocator));
    draw_some(draw);
    uint64_t operations = filo_heap_stats(&heap).operations, calls = filo_test_malloc_calls();
    for (int i = 0; i < 10; i++) draw_some(draw);
    assert_int_equal(filo_heap_stats(&heap).operations, operations);
    if (FILO_TEST_COUNTS_MALLOC) assert_int_equal(filo_test_malloc_calls(), calls);
    gfx2d_draw_destroy(draw);
    filo_heap_deinit(&heap);
}

FILO_TEST(what_there_is_no_memory_for_is_dropped) {
    bool more = true;
    size_t dropped = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloDraw *draw;
        FiloResult result = gfx2d_draw_create(&draw, &gfx, &failing.allocator);
        if (fail_at == 0) {
            assert_error(result, FILO_ERROR_MEMORY, "drawing");
            assert_null(draw);
            continue;
        }
        assert_ok(result);
        draw_some(draw);
        size_t runs, in_runs = 0;
        const Gfx2dDrawRun *run = gfx2d_draw_world_runs(draw, &runs);
        for (size_t i = 0; i < runs; i++) {
            assert_int_equal(run[i].first, in_runs);
            assert_true(run[i].count > 0);
            in_runs += run[i].count;
        }
        assert_int_equal(gfx2d_draw_world_quads(draw).count, in_runs);
        dropped += gfx2d_draw_screen_quads(draw).count < 100;
        more = failing.calls > fail_at;
        draw_some(draw); // the next frame has memory again
        assert_int_equal(gfx2d_draw_screen_quads(draw).count, 100);
        gfx2d_draw_destroy(draw);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(dropped > 0);
}

FILO_TEST(running_out_of_memory_is_reported_once_a_frame) {
    FiloHeap heap;
    filo_heap_init(&heap, "draw", 16384);
    FiloDraw *draw;
    assert_ok(gfx2d_draw_create(&draw, &gfx, &heap.allocator));
    gfx2d_draw_begin(draw, 320, 200);
    expect_fault("draw", for (int i = 0; i < 1000; i++)
                             filo_draw_circle(draw, filo_vec2((float)i, 0), 1, FILO_COLOR_RED));
    size_t quads = gfx2d_draw_screen_quads(draw).count;
    assert_true(quads > 10 && quads < 1000);
    gfx2d_draw_destroy(draw);
    filo_heap_deinit(&heap);
}

FILO_TEST(the_current_transform_is_that_of_the_list) {
    FiloDraw *draw = open_draw();
    filo_draw_translate(draw, filo_vec2(5, 6));
    assert_false(filo_draw_is_in_world(draw));
    assert_true(filo_draw_current_transform(draw).origin.x == 5);
    filo_draw_in_world(draw, 1);
    assert_true(filo_draw_is_in_world(draw));
    assert_true(filo_draw_current_transform(draw).origin.x == 0);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(quads_are_drawn_in_their_order) {
    FiloDraw *draw = open_draw();
    FiloQuad quads[2] = { filo_quad_box(filo_vec2(1, 2), filo_vec2(3, 4), FILO_COLOR_RED),
                          filo_quad_box(filo_vec2(5, 6), filo_vec2(7, 8), FILO_COLOR_BLUE) };
    filo_draw_translate(draw, filo_vec2(10, 0));
    filo_draw_quads(draw, quads, 2);
    const FiloQuad *drawn = screen(draw, 2);
    assert_true(drawn[0].x == 11 && drawn[1].x == 15);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(quads_that_are_not_finite_are_left_out_of_many) {
    FiloDraw *draw = open_draw();
    FiloQuad good = filo_quad_box(filo_vec2(1, 2), filo_vec2(3, 4), FILO_COLOR_RED), bad = good;
    bad.x = NAN;
    FiloQuad first[3] = { bad, good, good }, middle[3] = { good, bad, good };
    filo_draw_in_world(draw, 3);
    filo_draw_quads(draw, middle, 3);
    filo_draw_in_world(draw, 5);
    filo_draw_quads(draw, first, 3);
    filo_draw_quads(draw, middle, 0);
    world(draw, 4);
    size_t count;
    const Gfx2dDrawRun *runs = gfx2d_draw_world_runs(draw, &count);
    assert_int_equal(count, 2);
    assert_true(runs[0].layer == 3 && runs[0].count == 2 && runs[1].layer == 5 && runs[1].count == 2);
    gfx2d_draw_destroy(draw);
}
