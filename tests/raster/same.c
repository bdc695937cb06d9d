// The same picture, to the last bit: on any number of threads, with and without vector instructions, in one
// piece or in parts, with and without memory, with every compiler.

#include <filo/memory.h>

#include "raster/pictures.h"
#include "support/failing_allocator.h"

enum { WIDTH = 500, HEIGHT = 300, QUADS = 2500 };

typedef struct Scene {
    FiloPixels images[3];
    FiloQuad *quads;
    FiloQuadSpan spans[5];
} Scene;

static void begin(Scene *scene, uint64_t seed) {
    FiloRandom random = filo_random_keyed(seed, 0, 0, 0);
    scene->images[0] = random_picture(&random, 40, 40);
    scene->images[1] = random_picture(&random, 7, 33);
    scene->images[2] = random_picture(&random, 1, 1);
    scene->quads = malloc(QUADS * sizeof *scene->quads);
    assert_non_null(scene->quads);
    for (int i = 0; i < QUADS; i++) {
        scene->quads[i] = random_quad(&random, WIDTH, HEIGHT);
        if (scene->quads[i].color.a == 0) scene->quads[i].color.r >>= 4; // or all becomes white
        if (scene->quads[i].flags & FILO_QUAD_ADD) scene->quads[i].color = filo_color(9, 12, 7, 0);
    }
    const size_t counts[5] = { 1000, 0, 1, 0, QUADS - 1001 };
    size_t at = 0;
    for (int i = 0; i < 5; at += counts[i++])
        scene->spans[i] = (FiloQuadSpan){ scene->quads + at, counts[i] };
}

static void end(Scene *scene) {
    for (int i = 0; i < 3; i++) filo_pixels_free(&scene->images[i], NULL);
    free(scene->quads);
}

static FiloRasterPass pass_of(const Scene *scene, FiloPixels target) {
    return (FiloRasterPass){ .target = target,
                             .clear = true,
                             .color = filo_color(20, 30, 40, 255),
                             .view = filo_affine2_identity(),
                             .images = scene->images,
                             .image_count = 3,
                             .spans = scene->spans,
                             .span_count = 5 };
}

static FiloPixels drawn_by(FiloRaster *raster, const Scene *scene) {
    FiloPixels target = picture(WIDTH, HEIGHT, FILO_COLOR_TRANSPARENT);
    FiloRasterPass pass = pass_of(scene, target);
    filo_raster_draw(raster, &pass);
    return target;
}

static FiloPixels drawn(const Scene *scene, FiloJobs *jobs, bool no_simd) {
    FiloRaster *raster = make_raster(jobs, no_simd);
    FiloPixels target = drawn_by(raster, scene);
    filo_raster_destroy(raster);
    return target;
}

FILO_TEST(vector_instructions_do_not_change_the_picture) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        Scene scene;
        begin(&scene, seed);
        FiloPixels a = drawn(&scene, NULL, false), b = drawn(&scene, NULL, true);
        assert_same_picture(&a, &b, "without vector instructions");
        filo_pixels_free(&a, NULL);
        filo_pixels_free(&b, NULL);
        end(&scene);
    }
}

FILO_TEST(the_number_of_threads_does_not_change_the_picture) {
    Scene scene;
    begin(&scene, 6);
    FiloPixels alone = drawn(&scene, NULL, false);
    for (int threads = 1; threads <= 8; threads *= 2) {
        FiloJobs *jobs;
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
        FiloRaster *raster = make_raster(jobs, false);
        for (int i = 0; i < 5; i++) {
            FiloPixels target = drawn_by(raster, &scene);
            assert_same_picture(&target, &alone, "on several threads");
            filo_pixels_free(&target, NULL);
        }
        filo_raster_destroy(raster);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
    filo_pixels_free(&alone, NULL);
    end(&scene);
}

// Quads at the same position are drawn in the order of the list; the last one, which is opaque, is visible.
FILO_TEST(thousands_of_quads_are_drawn_in_order) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 4 }));
    FiloRaster *raster = make_raster(jobs, false);
    FiloPixels target = picture(300, 200, FILO_COLOR_BLACK);
    FiloQuad *quads = malloc(20000 * sizeof *quads);
    assert_non_null(quads);
    for (int i = 0; i < 20000; i++)
        quads[i] = filo_quad_box(filo_vec2(150, 100), filo_vec2(150, 100),
                                 filo_color((uint8_t)i, (uint8_t)(i >> 8), 99, 255));
    draw_quads(raster, target, NULL, 0, quads, 20000);
    for (int i = 0; i < 300 * 200; i++)
        assert_true(filo_color_equal(target.data[i], filo_color((uint8_t)19999, 19999 >> 8, 99, 255)));
    free(quads);
    filo_pixels_free(&target, NULL);
    filo_raster_destroy(raster);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(parts_drawn_one_by_one_make_the_same_picture) {
    Scene scene;
    begin(&scene, 7);
    FiloPixels whole = drawn(&scene, NULL, false), target = picture(WIDTH, HEIGHT, FILO_COLOR_RED);
    FiloRaster *raster = make_raster(NULL, false);
    const int xs[] = { 0, 1, 129, 333, WIDTH }, ys[] = { 0, 77, 78, HEIGHT };
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) {
            FiloRasterPass pass = pass_of(&scene, target);
            pass.x = xs[i], pass.y = ys[j], pass.width = xs[i + 1] - xs[i], pass.height = ys[j + 1] - ys[j];
            filo_raster_draw(raster, &pass);
        }
    }
    assert_same_picture(&target, &whole, "in parts");
    filo_raster_destroy(raster);
    filo_pixels_free(&whole, NULL);
    filo_pixels_free(&target, NULL);
    end(&scene);
}

// ---- Memory -----------------------------------------------------------------------------------------------

FILO_TEST(without_memory_the_picture_is_the_same) {
    Scene scene;
    begin(&scene, 8);
    FiloPixels wanted = drawn(&scene, NULL, false);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 2 }));
    for (size_t allowed = 0; allowed <= 6; allowed++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        failing_allow(&failing, allowed);
        FiloRaster *raster;
        FiloResult r =
            filo_raster_create(&raster, &(FiloRasterDesc){ .jobs = jobs, .allocator = &failing.allocator });
        if (allowed == 0) {
            assert_error(r, FILO_ERROR_MEMORY, "no memory");
            assert_null(raster);
            continue;
        }
        assert_ok(r);
        FiloPixels target = drawn_by(raster, &scene);
        assert_same_picture(&target, &wanted, "without memory");
        size_t all = filo_raster_stats(raster).drawn;
        failing_end(&failing); // there is memory again
        filo_pixels_free(&target, NULL);
        target = drawn_by(raster, &scene);
        assert_same_picture(&target, &wanted, "with memory again");
        assert_int_equal(filo_raster_stats(raster).drawn, all);
        filo_pixels_free(&target, NULL);
        filo_raster_destroy(raster);
    }
    filo_fault_set_handler(before);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_pixels_free(&wanted, NULL);
    end(&scene);
}

FILO_TEST(drawing_the_same_again_allocates_nothing) {
    Scene scene;
    begin(&scene, 9);
    FiloHeap heap;
    filo_heap_init(&heap, "raster", 0);
    FiloRaster *raster;
    assert_ok(filo_raster_create(&raster, &(FiloRasterDesc){ .allocator = &heap.allocator }));
    FiloPixels target = picture(WIDTH, HEIGHT, FILO_COLOR_BLACK);
    FiloRasterPass pass = pass_of(&scene, target);
    filo_raster_draw(raster, &pass);
    uint64_t operations = filo_heap_stats(&heap).operations;
    for (int i = 0; i < 5; i++) filo_raster_draw(raster, &pass);
    pass.span_count = 2;
    filo_raster_draw(raster, &pass);
    assert_int_equal(filo_heap_stats(&heap).operations, operations);
    filo_raster_destroy(raster);
    filo_heap_deinit(&heap);
    filo_pixels_free(&target, NULL);
    end(&scene);
}

// ---- Golden hashes ----------------------------------------------------------------------------------------

// They change only if a rule changes. They are the same with all compilers and processors.
FILO_TEST(pictures_have_golden_hashes) {
    static const uint64_t golden[3] = { 0xe4f31a874b7aa243, 0x15aea9e0d4d8657d, 0x0d101eaed7f2e8ed };
    for (uint64_t seed = 0; seed < 3; seed++) {
        Scene scene;
        begin(&scene, 100 + seed);
        FiloPixels target = drawn(&scene, NULL, false);
        uint64_t hash = hash_of(&target);
        if (hash != golden[seed])
            fail_msg("picture %d has hash 0x%016llx", (int)seed, (unsigned long long)hash);
        filo_pixels_free(&target, NULL);
        end(&scene);
    }
}
