// A long flight among many objects: memory does not grow, and drawing does not change the world.

#include "gfx3d/drawing.h"
#include "support/malloc_count.h"

#include <filo/input.h>
#include <filo/random.h>

#define LAP 240 // ticks of a circle

static float value(uint32_t i, uint32_t n, float low, float high) {
    return low + (high - low) * filo_random_float_at(9, 0, 0, i, n);
}

static void create_space(Drawing *drawing) {
    static const char *const meshes[] = { "box", "sphere", "torus", "cone", "capsule" };
    for (uint32_t i = 0; i < 3000; i++)
        filo_create(drawing->world,
                    FILO_SET(FiloTransform3, .position = { value(i, 0, -90, 90), value(i, 1, -20, 20),
                                                           value(i, 2, -90, 90) }),
                    FILO_SET(FiloMesh, .mesh = filo_name(meshes[i % 5]), .range = 60));
    for (uint32_t i = 0; i < 300; i++)
        filo_create(drawing->world,
                    FILO_SET(FiloTransform3, .position = { value(i, 3, -90, 90), 0, value(i, 4, -90, 90) }),
                    FILO_SET(FiloBillboard, .size = { 2, 2 }, .range = 50));
    for (uint32_t i = 0; i < 60; i++)
        filo_create(
            drawing->world,
            FILO_SET(FiloTransform3, .position = { value(i, 5, -90, 90), 0, value(i, 6, -90, 90) }),
            FILO_SET(FiloParticles, .rate = 32, .age = 3, .velocity = { 0, 2, 0 }, .spread = { 1, 1, 1 }));
    filo_create(
        drawing->world,
        FILO_SET(FiloTransform3, .rotation = filo_quat_look(filo_vec3(-1, -2, -1), filo_vec3(0, 1, 0))),
        FILO_SET(FiloLight, .shadows = true));
    filo_create(drawing->world, FILO_ADD(FiloCamera3),
                FILO_SET(FiloFlight, .speed = 60, .always_look = true));
}

// Forward, and around once in a lap.
static void fly(Drawing *drawing) {
    FiloInput *input =
        filo_global_edit(drawing->world, filo_component_of(drawing->world, FILO_TYPE(FiloInput)));
    assert_non_null(input);
    input->down.bits[FILO_KEY_W / 64] |= 1ull << (FILO_KEY_W % 64);
    input->mouse_move = filo_vec2(2 * FILO_PI / LAP / 0.003f, 0);
    tick_drawing(drawing, 1.0f / 64);
}

FILO_TEST(a_flight_that_has_seen_everything_allocates_nothing_more) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    create_space(&drawing);
    uint64_t before = 0;
    size_t seen = 0;
    for (int n = 0; n < 4 * LAP; n++) {
        if (n == 3 * LAP) before = filo_test_malloc_calls();
        fly(&drawing);
        draw(&drawing);
        filo_gpu_null_forget(drawing.gpu);
        seen = FILO_MAX(seen, filo_gfx3d_stats(drawing.gfx).visible);
    }
    if (FILO_TEST_COUNTS_MALLOC) assert_int_equal(filo_test_malloc_calls(), before);
    assert_in_range(seen, 50, 2900);
    drawing_close(&drawing);
}

FILO_TEST(the_world_is_the_same_with_and_without_drawing_and_on_any_number_of_threads) {
    uint64_t expected = 0;
    for (int run = 0; run < 5; run++) {
        static const int threads[] = { 1, 1, 2, 4, 16 };
        Drawing drawing;
        drawing_open(&drawing, FILO_GPU_NULL, threads[run], NULL);
        create_space(&drawing);
        for (int n = 0; n < 40; n++) {
            fly(&drawing);
            if (run > 0) draw(&drawing);
        }
        if (run == 0) expected = filo_world_hash(drawing.world);
        assert_true(filo_world_hash(drawing.world) == expected);
        drawing_close(&drawing);
    }
}
