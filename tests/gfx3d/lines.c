// Lines in space: what is drawn, once.

#include "gfx3d/drawing.h"
#include "gfx3d/effects/effects.h"

static size_t count_lines(const Drawing *drawing, int list) {
    return drawing->gfx->effects->line_lists[list].count / 2;
}

FILO_TEST(shapes_are_made_of_lines) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    FiloGfx3d *gfx = drawing.gfx;
    filo_lines3_line(gfx, filo_vec3(0, 0, 0), filo_vec3(1, 0, 0), FILO_COLOR_RED);
    assert_int_equal(count_lines(&drawing, 0), 1);
    filo_lines3_box(gfx, (FiloAabb3){ { 0, 0, 0 }, { 1, 2, 3 } }, FILO_COLOR_RED);
    assert_int_equal(count_lines(&drawing, 0), 1 + 12);
    // The lengths of the edges of a box.
    float length = 0;
    const Gfx3dLines *list = &gfx->effects->line_lists[0];
    for (size_t i = 2; i < list->count; i += 2)
        length += filo_vec3_distance(list->items[i].position, list->items[i + 1].position);
    assert_near(length, 4 * (1 + 2 + 3));
    filo_lines3_through(gfx, true);
    filo_lines3_sphere(gfx, filo_vec3(1, 1, 1), 2, FILO_COLOR_RED);
    list = &gfx->effects->line_lists[1];
    assert_int_equal(count_lines(&drawing, 1), 3 * 32);
    for (size_t i = 0; i < list->count; i++)
        assert_near(filo_vec3_distance(list->items[i].position, filo_vec3(1, 1, 1)), 2);
    filo_lines3_grid(gfx, 4, 1, FILO_COLOR_RED);
    assert_int_equal(count_lines(&drawing, 1), 3 * 32 + 2 * 5);
    FiloMat4 matrix = filo_mat4_translate(filo_vec3(5, 0, 0));
    filo_lines3_axes(gfx, &matrix, 2);
    assert_int_equal(count_lines(&drawing, 1), 3 * 32 + 2 * 5 + 3);
    assert_vec3(list->items[list->count - 1].position, 5, 0, 2);
    drawing_close(&drawing);
}

// From the near to the far plane.
FILO_TEST(a_frustum_has_the_corners_of_what_a_camera_sees) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    FiloMat4 matrix = filo_mat4_perspective(FILO_HALF_PI, 2, 1, 10);
    filo_lines3_frustum(drawing.gfx, &matrix, FILO_COLOR_RED);
    assert_int_equal(count_lines(&drawing, 0), 12);
    float x = 0, z = 0;
    filo_array_each (&drawing.gfx->effects->line_lists[0], vertex) {
        x = filo_max(x, vertex->position.x);
        z = filo_min(z, vertex->position.z);
    }
    assert_near(x, 20);
    assert_near(z, -10);
    drawing_close(&drawing);
}

FILO_TEST(lines_are_forgotten_after_a_frame_and_cost_two_draws) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 10);
    draw(&drawing);
    size_t without = filo_gfx3d_stats(drawing.gfx).draws;
    for (int i = 0; i < 100; i++) {
        filo_lines3_through(drawing.gfx, i % 2 != 0);
        filo_lines3_line(drawing.gfx, filo_vec3(0, 0, 0), filo_vec3((float)i, 0, 0), FILO_COLOR_RED);
    }
    draw(&drawing);
    assert_int_equal(filo_gfx3d_stats(drawing.gfx).draws, without + 2);
    assert_int_equal(count_lines(&drawing, 0) + count_lines(&drawing, 1), 0);
    draw(&drawing);
    assert_int_equal(filo_gfx3d_stats(drawing.gfx).draws, without);
    filo_lines3_line(drawing.gfx, filo_vec3(0, 0, 0), filo_vec3(1, 0, 0), FILO_COLOR_RED);
    assert_int_equal(count_lines(&drawing, 0), 1); // `through` is for one frame
    drawing_close(&drawing);
}

FILO_TEST(mistakes_with_lines_are_reported) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    expect_fault("pass a renderer",
                 filo_lines3_line(NULL, filo_vec3(0, 0, 0), filo_vec3(0, 0, 0), FILO_COLOR_RED));
    expect_fault("a grid of size 10 with lines every 0 units",
                 filo_lines3_grid(drawing.gfx, 10, 0, FILO_COLOR_RED));
    expect_fault("pass the matrix whose axes", filo_lines3_axes(drawing.gfx, NULL, 1));
    expect_fault("pass the matrix of a camera", filo_lines3_frustum(drawing.gfx, NULL, FILO_COLOR_RED));
    assert_int_equal(count_lines(&drawing, 0), 0);
    drawing_close(&drawing);
}

// An app whose frames are not drawn must not collect lines for ever; what is added after rendering is for the next frame.
FILO_TEST(lines_of_a_frame_that_is_not_drawn_are_forgotten) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 10);
    filo_lines3_line(drawing.gfx, filo_vec3(0, 0, 0), filo_vec3(1, 0, 0), FILO_COLOR_RED);
    gfx3d_effects_end_frame(drawing.gfx);
    assert_int_equal(count_lines(&drawing, 0), 0);
    draw(&drawing);
    filo_lines3_line(drawing.gfx, filo_vec3(0, 0, 0), filo_vec3(1, 0, 0), FILO_COLOR_RED);
    gfx3d_effects_end_frame(drawing.gfx);
    assert_int_equal(count_lines(&drawing, 0), 1);
    drawing_close(&drawing);
}
