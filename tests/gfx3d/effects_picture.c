// Pictures of effects, on both versions of GL: colours and what covers what. Tone mapping changes values, not their order.

#include "gfx3d/drawing.h"

#define MIDDLE_X (WIDTH / 2)
#define MIDDLE_Y (HEIGHT / 2)

static const FiloGpuKind kinds[] = { FILO_GPU_GL45, FILO_GPU_GL33 };
#define for_each_kind(kind)                                                                                  \
    for (size_t kind##_n = 0; kind##_n < FILO_COUNT_OF(kinds); kind##_n++)                                   \
        for (FiloGpuKind kind = kinds[kind##_n], *once = &kind; once != NULL; once = NULL)

static const FiloColor red = { 255, 0, 0, 255 }, green = { 0, 255, 0, 255 }, blue = { 0, 0, 255, 255 };

// A quad of the whole image is a square with hard edges; a spot is soft.
static FiloName add_square(Drawing *drawing, const char *name, FiloColor left, FiloColor right) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 8, 8, NULL));
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) *filo_pixels_at(&pixels, x, y) = x < 4 ? left : right;
    assert_ok(filo_gfx3d_add_texture(drawing->gfx, filo_name(name), &pixels, false));
    filo_pixels_free(&pixels, NULL);
    return filo_name(name);
}

static void assert_reddish(FiloColor c) { assert_true(c.r > 120 && c.g < c.r / 2 && c.b < c.r / 2); }
static void assert_greenish(FiloColor c) { assert_true(c.g > 120 && c.r < c.g / 2 && c.b < c.g / 2); }
static void assert_dark(FiloColor c) { assert_true(c.r < 12 && c.g < 12 && c.b < 12); }

FILO_TEST(a_billboard_shows_its_colour_and_is_soft_without_an_image) {
    for_each_kind(kind) {
        Drawing drawing;
        drawing_open(&drawing, kind, 1, NULL);
        look_from(&drawing, 2);
        filo_create(drawing.world, FILO_ADD(FiloTransform3), FILO_SET(FiloBillboard, .color = red));
        screenshot(&drawing);
        assert_reddish(pixel(&drawing, MIDDLE_X, MIDDLE_Y));
        assert_dark(pixel(&drawing, 2, 2));
        // Towards its edge it fades out.
        int last = 256;
        for (int x = MIDDLE_X; x < MIDDLE_X + 40; x += 4) {
            assert_true(pixel(&drawing, x, MIDDLE_Y).r <= last);
            last = pixel(&drawing, x, MIDDLE_Y).r;
        }
        drawing_close(&drawing);
    }
}

FILO_TEST(images_and_their_frames_are_shown_upright) {
    for_each_kind(kind) {
        Drawing drawing;
        drawing_open(&drawing, kind, 1, NULL);
        look_from(&drawing, 2);
        FiloName flag = add_square(&drawing, "flag", red, green);
        FiloEntity board =
            filo_create(drawing.world, FILO_ADD(FiloTransform3), FILO_SET(FiloBillboard, .image = flag));
        screenshot(&drawing);
        assert_reddish(pixel(&drawing, MIDDLE_X - 12, MIDDLE_Y));
        assert_greenish(pixel(&drawing, MIDDLE_X + 12, MIDDLE_Y));
        filo_edit(drawing.world, board, FiloBillboard)->frame = (FiloRect){ { 0.5f, 0 }, { 1, 1 } };
        screenshot(&drawing);
        assert_greenish(pixel(&drawing, MIDDLE_X - 12, MIDDLE_Y));
        filo_edit(drawing.world, board, FiloBillboard)->frame = (FiloRect){ { 0, 0 }, { 0, 0 } };
        filo_edit(drawing.world, board, FiloBillboard)->angle = FILO_HALF_PI; // counter-clockwise
        screenshot(&drawing);
        assert_greenish(pixel(&drawing, MIDDLE_X, MIDDLE_Y - 12));
        assert_reddish(pixel(&drawing, MIDDLE_X, MIDDLE_Y + 12));
        drawing_close(&drawing);
    }
}

FILO_TEST(the_nearer_one_covers_and_additive_ones_add) {
    for_each_kind(kind) {
        Drawing drawing;
        drawing_open(&drawing, kind, 1, NULL);
        look_from(&drawing, 3);
        FiloName square = add_square(&drawing, "square", FILO_COLOR_WHITE, FILO_COLOR_WHITE);
        FiloEntity near = filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 0, 0, 0.5f }),
                                      FILO_SET(FiloBillboard, .image = square, .color = green));
        filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 0, 0, -0.5f }),
                    FILO_SET(FiloBillboard, .image = square, .color = red));
        screenshot(&drawing);
        assert_greenish(pixel(&drawing, MIDDLE_X, MIDDLE_Y));
        filo_edit(drawing.world, near, FiloBillboard)->add = true;
        screenshot(&drawing);
        FiloColor sum = pixel(&drawing, MIDDLE_X, MIDDLE_Y);
        assert_true(sum.r > 120 && sum.g > 120 && sum.b < 60);
        drawing_close(&drawing);
    }
}

// From above, an upright billboard is seen from its edge.
FILO_TEST(an_upright_billboard_turns_about_y_only) {
    for_each_kind(kind) {
        Drawing drawing;
        drawing_open(&drawing, kind, 1, NULL);
        FiloEntity camera = look_from(&drawing, 2);
        FiloTransform3 *transform = filo_edit(drawing.world, camera, FiloTransform3);
        transform->position = filo_vec3(0, 2, 0.02f);
        filo_transform3_look_at(transform, filo_vec3(0, 0, 0), filo_vec3(0, 1, 0));
        FiloName square = add_square(&drawing, "square", red, red);
        FiloEntity board =
            filo_create(drawing.world, FILO_ADD(FiloTransform3), FILO_SET(FiloBillboard, .image = square));
        screenshot(&drawing);
        assert_reddish(pixel(&drawing, MIDDLE_X, MIDDLE_Y + 15));
        filo_edit(drawing.world, board, FiloBillboard)->upright = true;
        screenshot(&drawing);
        assert_dark(pixel(&drawing, MIDDLE_X, MIDDLE_Y + 15));
        drawing_close(&drawing);
    }
}

FILO_TEST(meshes_hide_what_is_behind_them_but_not_lines_through) {
    for_each_kind(kind) {
        Drawing drawing;
        drawing_open(&drawing, kind, 1, NULL);
        look_from(&drawing, 3);
        filo_create(drawing.world, FILO_ADD(FiloTransform3), FILO_SET(FiloMesh, .color = blue));
        filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 0, 0, -2 }),
                    FILO_SET(FiloBillboard, .color = red, .brightness = 4));
        screenshot(&drawing);
        FiloColor before = pixel(&drawing, MIDDLE_X, MIDDLE_Y);
        assert_true(before.r <= before.b);
        FiloVec3 left = { -9, 0, -2 }, right = { 9, 0, -2 };
        filo_lines3_line(drawing.gfx, left, right, green);
        screenshot(&drawing);
        int hidden = 0, shown = 0;
        for (int y = 0; y < HEIGHT; y++) {
            hidden += pixel(&drawing, MIDDLE_X, y).g > 120;
            shown += pixel(&drawing, 3, y).g > 120;
        }
        assert_true(hidden == 0 && shown > 0);
        filo_lines3_through(drawing.gfx, true);
        filo_lines3_line(drawing.gfx, left, right, green);
        screenshot(&drawing);
        for (int y = 0; y < HEIGHT; y++) hidden += pixel(&drawing, MIDDLE_X, y).g > 120;
        assert_true(hidden > 0);
        drawing_close(&drawing);
    }
}

static int count_lit(Drawing *drawing) {
    int lit = 0;
    screenshot(drawing);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            FiloColor c = pixel(drawing, x, y);
            lit += c.r + c.g + c.b > 60;
        }
    return lit;
}

FILO_TEST(wireframes_of_meshes_and_cameras_show_edges) {
    for_each_kind(kind) {
        Drawing drawing;
        drawing_open(&drawing, kind, 1, NULL);
        FiloEntity camera = look_from(&drawing, 2);
        FiloEntity box = filo_create(drawing.world, FILO_ADD(FiloTransform3), FILO_ADD(FiloMesh));
        int solid = count_lit(&drawing);
        assert_true(solid > 1000);
        filo_edit(drawing.world, box, FiloMesh)->flags = FILO_MESH_WIREFRAME;
        int edges = count_lit(&drawing);
        assert_true(edges > 50 && edges < solid / 4);
        filo_edit(drawing.world, box, FiloMesh)->flags = 0;
        filo_edit(drawing.world, camera, FiloCamera3)->wireframe = true;
        assert_int_equal(count_lit(&drawing), edges);
        drawing_close(&drawing);
    }
}

FILO_TEST(particles_are_drawn_by_every_camera) {
    for_each_kind(kind) {
        Drawing drawing;
        drawing_open(&drawing, kind, 1, NULL);
        FiloEntity first = look_from(&drawing, 4), second = look_from(&drawing, 8);
        filo_edit(drawing.world, first, FiloCamera3)->viewport = (FiloRect){ { 0, 0 }, { 0.5f, 1 } };
        filo_edit(drawing.world, second, FiloCamera3)->viewport = (FiloRect){ { 0.5f, 0 }, { 1, 1 } };
        filo_create(drawing.world, FILO_ADD(FiloTransform3),
                    FILO_SET(FiloParticles, .rate = 100, .age = 3, .size = 0.5f, .color = red,
                             .end_color = red, .box = { 0.4f, 0.4f, 0.4f }, .brightness = 2));
        tick_drawing(&drawing, 0.1f);
        screenshot(&drawing);
        assert_reddish(pixel(&drawing, WIDTH / 4, MIDDLE_Y));
        assert_reddish(pixel(&drawing, WIDTH * 3 / 4, MIDDLE_Y));
        assert_dark(pixel(&drawing, WIDTH / 4, 5));
        drawing_close(&drawing);
    }
}
