// Billboards and particles: what becomes of them in memory of the GPU. On the null device.

#include "gfx3d/effects/effects.h"
#include "gfx3d/drawing.h"
#include "support/failing_allocator.h"
#include "support/malloc_count.h"

#include <filo/random.h>

static size_t count_quads(const Drawing *drawing) {
    size_t count = 0;
    if (drawing->gfx->effects->views.count == 0) return 0;
    filo_array_each (&drawing->gfx->effects->views.items[0].runs, run) count += run->count;
    return count;
}

// The quads of the first camera, in the order of drawing.
static const Gfx3dQuad *quads_of(const Drawing *drawing, size_t *count) {
    const Gfx3dEffectView *view = &drawing->gfx->effects->views.items[0];
    *count = count_quads(drawing);
    if (*count == 0) return NULL;
    size_t size = 0;
    const char *bytes = filo_gpu_null_buffer_data(drawing->gpu, view->piece.buffer, &size);
    assert_true(view->piece.offset + *count * sizeof(Gfx3dQuad) <= size);
    return (const Gfx3dQuad *)(const void *)(bytes + view->piece.offset);
}

static size_t count_runs(const Drawing *drawing) { return drawing->gfx->effects->views.items[0].runs.count; }

static float distance_of(const Gfx3dQuad *quad, float z) {
    return filo_vec3_distance(quad->centre, filo_vec3(0, 0, z));
}

// ---- Billboards -----------------------------------------------------------------------------------------------

FILO_TEST(a_billboard_becomes_a_quad_with_its_size_and_colour) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 10);
    filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 1, 2, 3 }, .scale = { 2, 3, 1 }),
                FILO_SET(FiloBillboard, .size = { 4, 6 }, .color = { 10, 20, 30, 40 }, .upright = true,
                         .lit = true, .frame = { { 0.5f, 0 }, { 1, 0.25f } }, .angle = FILO_HALF_PI,
                         .brightness = 7));
    extract(&drawing);
    size_t count;
    const Gfx3dQuad *quad = quads_of(&drawing, &count);
    assert_int_equal(count, 1);
    assert_vec3(quad->centre, 1, 2, 3);
    assert_near(quad->half.x, 4);
    assert_near(quad->half.y, 9);
    assert_true(filo_color_equal(quad->color, filo_color(10, 20, 30, 40)));
    assert_int_equal(quad->flags, GFX3D_QUAD_UPRIGHT | GFX3D_QUAD_LIT);
    assert_int_equal(quad->axis[0], 0);
    assert_int_equal(quad->axis[1], 32767);
    assert_int_equal(quad->uv[0], 32768);
    assert_int_equal(quad->uv[3], 16384);
    assert_near(quad->brightness, 7);
    drawing_close(&drawing);
}

FILO_TEST(billboards_that_no_camera_sees_are_left_out) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 10);
    filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 0, 0, 20 }), FILO_ADD(FiloBillboard));
    filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 100, 0, 0 }), FILO_ADD(FiloBillboard));
    FiloEntity far = filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 0, 0, -90 }),
                                 FILO_SET(FiloBillboard, .range = 99));
    extract(&drawing);
    assert_int_equal(count_quads(&drawing), 0);
    filo_edit(drawing.world, far, FiloBillboard)->range = 101;
    extract(&drawing);
    assert_int_equal(count_quads(&drawing), 1);
    filo_entity_set_active(drawing.world, far, false);
    extract(&drawing);
    assert_int_equal(count_quads(&drawing), 0);
    drawing_close(&drawing);
}

FILO_TEST(members_of_families_are_drawn_in_the_world_and_blended) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 20);
    FiloEntity tree = filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 2, 0, 0 }),
                                  FILO_ADD(FiloPreviousTransform3));
    FiloEntity leaf = filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 1, 0, 0 }),
                                  FILO_ADD(FiloBillboard));
    assert_true(filo_entity_set_parent(drawing.world, leaf, tree));
    tick_drawing(&drawing, 0.1f);
    size_t count;
    extract(&drawing);
    assert_vec3(quads_of(&drawing, &count)->centre, 3, 0, 0);
    filo_edit(drawing.world, tree, FiloTransform3)->position.y = 4;
    tick_drawing(&drawing, 0.1f);
    extract_blended(&drawing, 1);
    assert_vec3(quads_of(&drawing, &count)->centre, 3, 4, 0);
    drawing_close(&drawing);
}

// ---- Order ----------------------------------------------------------------------------------------------------

FILO_TEST(quads_are_drawn_far_to_near_and_images_change_rarely) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 100);
    const char *const images[] = { NULL, "a.png", "b.png", "c.png" };
    for (uint32_t i = 0; i < 3000; i++) {
        FiloVec3 at = { filo_random_float_at(1, 0, 0, i, 0) * 20 - 10,
                        filo_random_float_at(1, 0, 0, i, 1) * 20 - 10,
                        filo_random_float_at(1, 0, 0, i, 2) * 190 - 100 };
        FiloName image = { 0 };
        if (i % 4 != 0) image = filo_name(images[i % 4]);
        filo_create(drawing.world, FILO_SET(FiloTransform3, .position = at),
                    FILO_SET(FiloBillboard, .image = image));
    }
    extract(&drawing);
    size_t count;
    const Gfx3dQuad *quads = quads_of(&drawing, &count);
    assert_in_range(count, 1500, 3000);
    // One image after the other within a step of 20 % of the distance, and 1 % within an image.
    float nearest = 1e9f;
    for (size_t i = 0; i < count; i++) {
        float distance = distance_of(&quads[i], 100);
        assert_true(distance < nearest * 1.25f);
        nearest = filo_min(nearest, distance);
    }
    filo_array_each (&drawing.gfx->effects->views.items[0].runs, run)
        for (uint32_t i = 1; i < run->count; i++)
            assert_true(distance_of(&quads[run->first + i], 100) <
                        distance_of(&quads[run->first + i - 1], 100) * 1.02f);
    assert_true(count_runs(&drawing) <= 64 * 4);
    drawing_close(&drawing);
}

FILO_TEST(the_quads_are_the_same_on_any_number_of_threads) {
    Gfx3dQuad *expected = NULL;
    size_t expected_count = 0;
    for (int threads = 1; threads <= 16; threads *= 4) {
        Drawing drawing;
        drawing_open(&drawing, FILO_GPU_NULL, threads, NULL);
        look_from(&drawing, 30);
        for (uint32_t i = 0; i < 2000; i++)
            filo_create(drawing.world,
                        FILO_SET(FiloTransform3,
                                 .position = { (float)(i % 41) - 20, (float)(i % 13) - 6, (float)(i % 29) }),
                        FILO_SET(FiloBillboard, .color = { (uint8_t)i, (uint8_t)(i >> 8), 9, 255 }));
        for (uint32_t i = 0; i < 200; i++)
            filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { (float)(i % 20) - 10, 0, 0 }),
                        FILO_SET(FiloParticles, .rate = 20, .age = 4, .spread = { 1, 1, 1 }));
        tick_drawing(&drawing, 0.1f);
        extract(&drawing);
        size_t count;
        const Gfx3dQuad *quads = quads_of(&drawing, &count);
        if (expected == NULL) {
            expected = malloc(count * sizeof *expected);
            assert_non_null(expected);
            memcpy(expected, quads, count * sizeof *expected);
            expected_count = count;
        }
        assert_int_equal(count, expected_count);
        assert_memory_equal(quads, expected, count * sizeof *expected);
        drawing_close(&drawing);
    }
    free(expected);
}

// ---- Particles ------------------------------------------------------------------------------------------------

#define create_emitter(drawing, ...)                                                                         \
    filo_create((drawing)->world, FILO_ADD(FiloTransform3), FILO_SET(FiloParticles, __VA_ARGS__))

// Quads by age: without spread, they fly one behind the other.
static void assert_path(const Drawing *drawing, FiloVec3 (*path)(float age), float rate, float now,
                        float life) {
    size_t count;
    const Gfx3dQuad *quads = quads_of(drawing, &count);
    size_t expected = 0;
    for (int n = 0; (float)n / rate <= now; n++) {
        float age = now - (float)n / rate;
        if (age >= life - 1e-4f) continue;
        FiloVec3 at = path(age);
        bool found = false;
        for (size_t i = 0; i < count; i++) found = found || filo_vec3_distance(quads[i].centre, at) < 2e-3f;
        assert_true(found);
        expected++;
    }
    assert_in_range(count, expected, expected + 1); // one that dies in this moment
}

static FiloVec3 thrown(float age) { return filo_vec3(2 * age, 3 * age - 0.5f * 4 * age * age, 0); }

FILO_TEST(a_particle_flies_as_it_was_thrown) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 30);
    create_emitter(&drawing, .rate = 8, .seconds = 2, .velocity = { 2, 3, 0 }, .acceleration = { 0, -4, 0 });
    for (int n = 1; n <= 40; n++) {
        tick_drawing(&drawing, 0.1f);
        extract(&drawing);
        assert_path(&drawing, thrown, 8, (float)n * 0.1f, 2);
    }
    drawing_close(&drawing);
}

#define DRAG 1.5f

// The same by small steps.
static FiloVec3 dragged(float age) {
    double x = 0, y = 0, vx = 2, vy = 3, step = (double)age / 20000;
    for (int i = 0; i < 20000; i++) {
        x += vx * step;
        y += vy * step;
        vx += -(double)DRAG * vx * step;
        vy += (-4 - (double)DRAG * vy) * step;
    }
    return filo_vec3((float)x, (float)y, 0);
}

FILO_TEST(drag_slows_particles_down) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 30);
    create_emitter(&drawing, .rate = 4, .seconds = 3, .velocity = { 2, 3, 0 }, .acceleration = { 0, -4, 0 },
                   .drag = DRAG);
    for (int n = 0; n < 35; n++) tick_drawing(&drawing, 0.1f);
    extract(&drawing);
    assert_path(&drawing, dragged, 4, 3.5f, 3);
    drawing_close(&drawing);
}

// Rows of sixty ticks and of fifteen show the same particles.
FILO_TEST(particles_do_not_depend_on_the_rate_of_ticks) {
    FiloVec3 sums[2];
    size_t counts[2];
    for (int run = 0; run < 2; run++) {
        Drawing drawing;
        drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
        look_from(&drawing, 30);
        create_emitter(&drawing, .rate = 101, .seconds = 1.5f, .velocity = { 0, 3, 0 }, .spread = { 1, 1, 1 },
                       .box = { 1, 2, 3 }, .drag = 0.5f, .size_spread = 0.5f, .spin = 2, .seed = 7);
        int ticks = run == 0 ? 128 : 32;
        for (int n = 0; n < ticks; n++) tick_drawing(&drawing, 2.0f / (float)ticks);
        extract(&drawing);
        const Gfx3dQuad *quads = quads_of(&drawing, &counts[run]);
        sums[run] = filo_vec3(0, 0, 0);
        for (size_t i = 0; i < counts[run]; i++) sums[run] = filo_vec3_add(sums[run], quads[i].centre);
        drawing_close(&drawing);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_true(filo_vec3_distance(sums[0], sums[1]) < 0.05f);
}

FILO_TEST(particles_between_two_ticks_are_younger) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 30);
    create_emitter(&drawing, .rate = 8, .seconds = 2, .velocity = { 2, 3, 0 }, .acceleration = { 0, -4, 0 });
    for (int n = 0; n < 10; n++) tick_drawing(&drawing, 0.1f);
    extract_blended(&drawing, 0.25f);
    assert_path(&drawing, thrown, 8, 0.925f, 2);
    drawing_close(&drawing);
}

// The emitter moves along x at 5 units a second; its particles stay where they were born.
static void move_emitters(FiloIter *it) {
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    for (size_t i = 0; i < it->count; i++) transform[i].position.x += 5 * it->delta;
}

FILO_TEST(particles_of_a_moving_emitter_stay_where_they_began) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 30);
    assert_true(
        filo_system_add(drawing.world, &(FiloSystemDesc){ .name = "move emitters",
                                                          .run = move_emitters,
                                                          .query.terms = { FILO_WRITE(FiloTransform3),
                                                                           FILO_WITH(FiloParticles) } })
            .id != 0);
    FiloEntity jet = create_emitter(&drawing, .rate = 20, .seconds = 1);
    filo_edit(drawing.world, jet, FiloTransform3)->position.x = -10;
    for (int n = 1; n <= 30; n++) tick_drawing(&drawing, 0.1f);
    extract_blended(&drawing, 0.5f); // at 2.95 s
    size_t count;
    const Gfx3dQuad *quads = quads_of(&drawing, &count);
    assert_in_range(count, 20, 21);
    bool found[60] = { 0 };
    for (size_t i = 0; i < count; i++) {
        float born = (quads[i].centre.x + 10) / 5; // when the emitter was there
        int number = filo_round_to_int(born * 20);
        assert_true(number >= 39 && number < 60 && !found[number]);
        assert_float_equal((double)born, (double)((float)number / 20), 1e-3);
        found[number] = true;
    }
    drawing_close(&drawing);
}

// The emitter turns by a quarter in each second, and emits along its x.
static void turn_emitters(FiloIter *it) {
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    float angle = (float)(it->tick + 1) * it->delta * FILO_HALF_PI;
    for (size_t i = 0; i < it->count; i++)
        transform[i].rotation = filo_quat_from_axis_angle(filo_vec3(0, 0, 1), angle);
}

FILO_TEST(particles_of_a_turning_emitter_keep_their_direction) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 30);
    assert_true(
        filo_system_add(drawing.world, &(FiloSystemDesc){ .name = "turn emitters",
                                                          .run = turn_emitters,
                                                          .query.terms = { FILO_WRITE(FiloTransform3),
                                                                           FILO_WITH(FiloParticles) } })
            .id != 0);
    create_emitter(&drawing, .rate = 10, .seconds = 1, .velocity = { 4, 0, 0 });
    for (int n = 1; n <= 60; n++) tick_drawing(&drawing, 0.05f);
    extract(&drawing);
    size_t count;
    const Gfx3dQuad *quads = quads_of(&drawing, &count);
    for (size_t i = 0; i < count; i++) {
        float age = filo_vec3_length(quads[i].centre) / 4, angle = (3 - age) * FILO_HALF_PI;
        FiloVec3 at = { 4 * age * filo_cos(angle), 4 * age * filo_sin(angle), 0 };
        assert_true(filo_vec3_distance(quads[i].centre, at) < 0.03f);
    }
    assert_in_range(count, 10, 11);
    drawing_close(&drawing);
}

FILO_TEST(an_emitter_stops_and_its_particles_die) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 30);
    create_emitter(&drawing, .rate = 10, .seconds = 1, .stop = 0.45f);
    const size_t expected[] = { 3, 5, 5, 4, 2, 0 };
    for (size_t n = 0; n < FILO_COUNT_OF(expected); n++) {
        tick_drawing(&drawing, 0.25f);
        extract(&drawing);
        assert_int_equal(count_quads(&drawing), expected[n]);
        assert_int_equal(filo_gfx3d_stats(drawing.gfx).particles, expected[n]);
    }
    drawing_close(&drawing);
}

FILO_TEST(particles_fade_in_and_out_and_change_size_and_colour) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 30);
    create_emitter(&drawing, .rate = 100, .seconds = 1, .velocity = { 1, 0, 0 }, .size = 2, .end_size = 4,
                   .color = { 200, 100, 0, 255 }, .end_color = { 0, 100, 200, 255 }, .age = 10);
    tick_drawing(&drawing, 0.01f);
    extract(&drawing);
    size_t count;
    const Gfx3dQuad *quads = quads_of(&drawing, &count);
    assert_in_range(count, 99, 101);
    for (size_t i = 0; i < count; i++) {
        float part = quads[i].centre.x, fade = filo_min(1, filo_min(part, 1 - part) * 10);
        assert_near(quads[i].half.x, 1 + part);
        assert_float_equal((double)quads[i].color.r, (double)(200 * (1 - part) * fade), 1.0);
        assert_float_equal((double)quads[i].color.g, (double)(100 * fade), 1.0);
        assert_float_equal((double)quads[i].color.a, (double)(255 * fade), 1.0);
    }
    drawing_close(&drawing);
}

FILO_TEST(streaks_lie_along_their_flight) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 30);
    create_emitter(&drawing, .rate = 10, .seconds = 1, .velocity = { 3, 4, 0 }, .stretch = 0.2f,
                   .size = 0.5f);
    tick_drawing(&drawing, 0.5f);
    extract(&drawing);
    size_t count;
    const Gfx3dQuad *quads = quads_of(&drawing, &count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(quads[i].flags, GFX3D_QUAD_STRETCHED);
        assert_near(quads[i].half.x, 0.25f);
        assert_near(quads[i].half.y, 0.25f + 0.5f); // half of a fifth of a second at 5 units a second
        assert_near((float)quads[i].axis[0] / 32767, 0.6f);
        assert_near((float)quads[i].axis[1] / 32767, 0.8f);
    }
    drawing_close(&drawing);
}

FILO_TEST(emitters_far_away_and_strange_ones_cost_no_quads) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    look_from(&drawing, 30);
    const float strange[] = { 0, -1, 1e-30f, 1e38f };
    for (size_t i = 0; i < FILO_COUNT_OF(strange); i++)
        create_emitter(&drawing, .rate = strange[i], .seconds = 1, .age = 100);
    FiloEntity behind = create_emitter(&drawing, .rate = 10, .velocity = { 0, 1, 0 }, .age = 5);
    filo_edit(drawing.world, behind, FiloTransform3)->position.z = 100;
    tick_drawing(&drawing, 0.1f);
    extract(&drawing);
    assert_true(count_quads(&drawing) <= 1); // the first particle of the one that is slow
    create_emitter(&drawing, .rate = 1e9f, .seconds = 1, .age = 5);
    tick_drawing(&drawing, 0.1f);
    extract(&drawing);
    assert_in_range(count_quads(&drawing), 65536, 65537);
    drawing_close(&drawing);
}

// ---- Memory ---------------------------------------------------------------------------------------------------

static void fill(Drawing *drawing) {
    look_from(drawing, 30);
    for (int i = 0; i < 300; i++)
        filo_create(drawing->world, FILO_SET(FiloTransform3, .position = { (float)(i % 20) - 10, 0, 0 }),
                    FILO_SET(FiloBillboard, .image = filo_name(i % 2 == 0 ? "a.png" : "b.png")));
    for (int i = 0; i < 20; i++)
        filo_create(drawing->world, FILO_SET(FiloTransform3, .position = { (float)(i % 20) - 10, 0, 0 }),
                    FILO_SET(FiloParticles, .rate = 64, .age = 4, .spread = { 1, 1, 1 }));
}

FILO_TEST(a_steady_frame_does_not_allocate) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 2, NULL);
    fill(&drawing);
    uint64_t before = 0;
    for (int n = 0; n < 60; n++) {
        if (n == 30) before = filo_test_malloc_calls();
        tick_drawing(&drawing, 1.0f / 64);
        filo_lines3_sphere(drawing.gfx, filo_vec3(0, 0, 0), 1, FILO_COLOR_WHITE);
        draw(&drawing);
        filo_gpu_null_forget(drawing.gpu);
    }
    if (FILO_TEST_COUNTS_MALLOC) assert_int_equal(filo_test_malloc_calls(), before);
    drawing_close(&drawing);
}

FILO_TEST(without_memory_effects_are_missing_and_nothing_leaks) {
    bool more = true;
    size_t most = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        Drawing drawing;
        drawing_open(&drawing, FILO_GPU_NULL, 1, &failing.allocator);
        fill(&drawing);
        tick_drawing(&drawing, 0.1f);
        size_t before = failing.calls;
        failing.fail_at = before + fail_at;
        filo_lines3_grid(drawing.gfx, 10, 1, FILO_COLOR_WHITE);
        extract(&drawing);
        (void)filo_gfx3d_render(drawing.gfx);
        filo_gpu_end_frame(drawing.gpu);
        most = FILO_MAX(most, count_quads(&drawing));
        more = failing.calls > failing.fail_at;
        failing.fail_at = SIZE_MAX;
        extract(&drawing); // and it recovers
        assert_in_range(count_quads(&drawing), 1500, 1600);
        drawing_close(&drawing);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(most > 1000);
}
