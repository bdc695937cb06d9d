// Random quads, compared with a reference that draws them pixel by pixel.

#include "raster/pictures.h"

enum { WIDTH = 300, HEIGHT = 140 };

typedef struct Scene {
    FiloRandom random;
    FiloPixels images[3], before, after;
} Scene;

static void begin(Scene *scene, uint64_t seed) {
    scene->random = filo_random_keyed(seed, 1, 2, 3);
    scene->images[0] = random_picture(&scene->random, 40, 40);
    scene->images[1] = random_picture(&scene->random, 7, 33);
    scene->images[2] = random_picture(&scene->random, 1, 1);
    scene->before = random_picture(&scene->random, WIDTH, HEIGHT);
    scene->after = copy_of(&scene->before);
}

static void end(Scene *scene) {
    for (int i = 0; i < 3; i++) filo_pixels_free(&scene->images[i], NULL);
    filo_pixels_free(&scene->before, NULL);
    filo_pixels_free(&scene->after, NULL);
}

static void print_quad(const FiloQuad *q) {
    print_message(
        "kind %d flags %d image %d at %.9g %.9g a %.9g %.9g b %.9g %.9g uv %d %d %d %d color %d %d %d %d\n",
        q->kind, q->flags, q->image, (double)q->x, (double)q->y, (double)q->ax, (double)q->ay, (double)q->bx,
        (double)q->by, q->u0, q->v0, q->u1, q->v1, q->color.r, q->color.g, q->color.b, q->color.a);
}

static void compare(const Scene *scene, const FiloQuad *q, FiloAffine2 view, FiloRect part) {
    Parallelogram parallelogram = parallelogram_of(q, view);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            FiloColor before = *filo_pixels_at(&scene->before, x, y),
                      after = *filo_pixels_at(&scene->after, x, y);
            bool in_part = (float)x >= part.min.x && (float)x < part.max.x && (float)y >= part.min.y &&
                           (float)y < part.max.y;
            int error = in_part ? pixel_error(q, &parallelogram, scene->images, 3, x, y, before, after)
                                : byte_difference(before, after);
            if (error == 0) continue;
            print_quad(q);
            fail_msg("(%d, %d) differs by %d: was %d %d %d %d, is %d %d %d %d", x, y, error, before.r,
                     before.g, before.b, before.a, after.r, after.g, after.b, after.a);
        }
    }
}

static void compare_many(uint64_t seed, int count, bool no_simd, bool with_view) {
    Scene scene;
    begin(&scene, seed);
    FiloRaster *raster = make_raster(NULL, no_simd);
    FiloRandom *random = &scene.random;
    for (int i = 0; i < count; i++) {
        FiloQuad quad = random_quad(random, WIDTH, HEIGHT);
        FiloAffine2 view = filo_affine2_identity();
        FiloRect part = { { 0, 0 }, { WIDTH, HEIGHT } };
        if (with_view) {
            FiloVec2 at = between2(random, -50, 50, -50, 50), turn_and_scale = between2(random, -3, 3, -2, 2);
            view = filo_affine2_from_parts(at, turn_and_scale.x, filo_vec2(turn_and_scale.y, 1.5f));
            part.min = filo_vec2_floor(between2(random, 0, 150, 0, 70));
            part.max = filo_vec2_floor(between2(random, part.min.x + 1, WIDTH, part.min.y + 1, HEIGHT));
        }
        filo_pixels_copy(&scene.after, 0, 0, &scene.before);
        filo_raster_draw(raster, &(FiloRasterPass){ .target = scene.after,
                                                    .x = (int)part.min.x,
                                                    .y = (int)part.min.y,
                                                    .width = (int)(part.max.x - part.min.x),
                                                    .height = (int)(part.max.y - part.min.y),
                                                    .view = view,
                                                    .images = scene.images,
                                                    .image_count = 3,
                                                    .spans = &(FiloQuadSpan){ &quad, 1 },
                                                    .span_count = 1 });
        compare(&scene, &quad, view, part);
    }
    filo_raster_destroy(raster);
    end(&scene);
}

FILO_TEST(random_quads_are_drawn_by_the_rules) { compare_many(1, 600, false, false); }

FILO_TEST(random_quads_are_drawn_by_the_rules_without_vector_instructions) {
    compare_many(2, 300, true, false);
}

FILO_TEST(random_quads_are_drawn_by_the_rules_with_a_view_and_in_a_part_of_the_target) {
    compare_many(3, 600, false, true);
}
