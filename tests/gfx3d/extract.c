// Extraction as a whole: threads, numbers that are not finite, memory, and long runs.

#include "support/malloc_count.h"

#include "gfx3d/extract_check.h"

#include <filo/hash.h>
#include <filo/snapshot.h>

// ---- Threads --------------------------------------------------------------------------------------------------

static const char *shapes[] = { "box", "sphere", "plane", "capsule", "cylinder", "cone", "torus" };

// Entities in several tables, some at rest, some in families; instances in two sets.
static void add_scene(Fixture *f, FiloEntity *movers, size_t mover_count, int count) {
    uint64_t random = 7;
    FiloMeshData ball;
    assert_ok(filo_mesh_sphere(&ball, &(FiloSphereDesc){ .sectors = 48, .rings = 24 }, NULL));
    assert_ok(filo_mesh_optimise(&ball, &(FiloMeshOptimise){ .levels = 4, .max_error = 1 }, NULL));
    assert_ok(filo_gfx3d_add_mesh(f->gfx, filo_name("ball"), &ball));
    filo_mesh_free(&ball, NULL);
    assert_ok(filo_gfx3d_add_material(f->gfx, filo_name("glass"),
                                      &(FiloMaterialDesc){ .mode = FILO_MATERIAL_BLEND }));
    for (int i = 0; i < count; i++) {
        FiloEntity entity = add_at(f, i % 9 == 0 ? "ball" : shapes[i % 7], filo_vec3(0, 0, 0));
        *filo_edit(f->world, entity, FiloTransform3) = random_transform(&random, 40);
        FiloMesh *mesh = filo_edit(f->world, entity, FiloMesh);
        mesh->values.x = (float)i;
        if (i % 11 == 0) mesh->material = filo_name("glass");
        if (i % 13 == 0) mesh->range = 20;
        if (i % 3 == 0) filo_add(f->world, entity, FiloFollow3);
        if ((size_t)i < mover_count) movers[i] = entity;
        if (i % 5 == 4) filo_entity_set_parent(f->world, entity, movers[0]);
    }
    const FiloName meshes[] = { filo_name("cone"), filo_name("ball") };
    for (int s = 0; s < 2; s++) {
        FiloInstances set;
        FiloInstance list[500];
        for (int i = 0; i < 500; i++) {
            list[i] = (FiloInstance){ .mesh = (uint16_t)(i % 2) };
            list[i].position.x = random_float(&random, -50, 50);
            list[i].position.z = random_float(&random, -50, 50);
            list[i].scale = random_float(&random, 0.5f, 2);
            list[i].rotation = test_random(&random);
        }
        assert_ok(filo_gfx3d_instances_create(
            &set, f->gfx,
            &(FiloInstancesDesc){
                .meshes = meshes, .mesh_count = 2, .range = 60, .fade = 0.5f, .cell = s == 0 ? 0 : 3 }));
        assert_ok(filo_gfx3d_instances_set(f->gfx, set, list, 500));
    }
    add_camera(f, filo_vec3(0, 5, 40), filo_vec3(0, 0, 0));
    add_camera(f, filo_vec3(30, 5, 0), filo_vec3(0, 0, 0));
    filo_create(f->world, FILO_SET(FiloLight, .shadows = true));
}

typedef struct Extracted {
    uint64_t hashes[10];
    size_t instances;
} Extracted;

static Extracted run_scene(int threads) {
    Fixture f = fixture_begin(ON_NULL, threads);
    FiloEntity movers[200];
    add_scene(&f, movers, FILO_COUNT_OF(movers), 8000);
    Extracted out = { 0 };
    for (int i = 0; i < 10; i++) {
        tick(&f);
        for (size_t m = 0; m < FILO_COUNT_OF(movers); m++)
            filo_edit(f.world, movers[m], FiloTransform3)->position.y += 0.1f * (float)(m % 7);
        extract_blended(&f, 0.5f);
        size_t count = stats(&f).instances;
        assert_true(count > 1000);
        uint64_t hash = filo_hash_seeded(instances_of(&f), count * sizeof(Gfx3dInstance), 0);
        for (size_t v = 0; v < f.gfx->views.count; v++) {
            const Gfx3dView *view = f.gfx->views.items[v];
            hash = filo_hash_seeded(view->lists, f.gfx->extraction->list_count * sizeof *view->lists, hash);
            if (view->blended.count > 0)
                hash = filo_hash_seeded(view->blended.items,
                                        view->blended.count * sizeof *view->blended.items, hash);
        }
        out.hashes[i] = hash;
        out.instances += count;
        render(&f);
    }
    fixture_end(&f);
    return out;
}

FILO_TEST(the_same_instances_are_in_the_same_order_on_any_number_of_threads) {
    Extracted one = run_scene(1);
    const int threads[] = { 2, 4, 8, 16 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        Extracted many = run_scene(threads[i]);
        assert_int_equal(many.instances, one.instances);
        assert_memory_equal(&many, &one, sizeof one);
    }
}

static uint64_t hash_after(int threads, bool drawn) {
    Fixture f = fixture_begin(ON_NULL, threads);
    FiloEntity movers[200];
    add_scene(&f, movers, FILO_COUNT_OF(movers), 1000);
    for (int i = 0; i < 20; i++) {
        tick(&f);
        for (size_t m = 0; m < FILO_COUNT_OF(movers); m++)
            filo_edit(f.world, movers[m], FiloTransform3)->position.y += 0.1f;
        if (drawn) {
            extract_blended(&f, 0.5f);
            render(&f);
        }
    }
    uint64_t hash = filo_world_hash(f.world);
    fixture_end(&f);
    return hash;
}

FILO_TEST(drawing_does_not_change_the_world) {
    uint64_t hash = hash_after(1, false);
    for (int threads = 1; threads <= 16; threads *= 2) assert_true(hash_after(threads, true) == hash);
}

// ---- Numbers ----------------------------------------------------------------------------------------------------

static uint32_t drawn_by(const Fixture *f, size_t v) {
    const Gfx3dView *view = f->gfx->views.items[v];
    uint32_t numbers = 0;
    for (uint32_t list = 0; list < f->gfx->extraction->list_count; list++)
        for (uint32_t i = 0; i < view->lists[list].count; i++)
            numbers |= 1u << (uint32_t)instances_of(f)[view->lists[list].first + i].values.x;
    return numbers;
}

// Six meshes in a row, of which one has a number that is not finite. One camera sees the first, one the last.
static void draw_odd_number(const FiloMeshData *ball, int field, float number, int odd) {
    Fixture f = fixture_begin(ON_NULL, 1);
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("ball"), ball));
    add_camera(&f, filo_vec3(0, 0, 4), filo_vec3(0, 0, 0));
    FiloEntity last = add_camera(&f, filo_vec3(50, 0, 4), filo_vec3(50, 0, 0));
    for (int i = 0; i < 6; i++) {
        FiloEntity entity = add_at(&f, field % 2 == 0 ? "ball" : "box", filo_vec3((float)i * 10, 0, 0));
        filo_edit(f.world, entity, FiloMesh)->values.x = (float)i;
        FiloTransform3 *transform = filo_edit(f.world, entity, FiloTransform3);
        transform->rotation = filo_quat_identity();
        transform->scale = filo_vec3(1, 1, 1);
        if (i == odd) ((float *)transform)[field] = number;
    }
    for (int i = 0; i < 6; i++) { // moving, then at rest; then with one camera
        if (i == 4) filo_entity_destroy(f.world, last);
        frame(&f);
        assert_int_equal(drawn_by(&f, 0) & ~(1u << odd), odd != 0 ? 1 : 0);
        if (i < 4) assert_int_equal(drawn_by(&f, 1) & ~(1u << odd), odd != 5 ? 1u << 5 : 0);
    }
    fixture_end(&f);
}

FILO_TEST(transforms_that_are_not_finite_do_not_change_what_is_drawn_of_others) {
    FiloMeshData ball;
    assert_ok(filo_mesh_sphere(&ball, &(FiloSphereDesc){ .sectors = 48, .rings = 24 }, NULL));
    assert_ok(filo_mesh_optimise(&ball, &(FiloMeshOptimise){ .levels = 4, .max_error = 1 }, NULL));
    for (int field = 0; field < 10; field++) {
        draw_odd_number(&ball, field, (float)NAN, 3);
        draw_odd_number(&ball, field, (float)INFINITY, field % 2 == 0 ? 3 : 0);
        draw_odd_number(&ball, field, -3e38f, field % 2 == 0 ? 5 : 3);
    }
    filo_mesh_free(&ball, NULL);
}

FILO_TEST(cameras_and_sets_with_odd_numbers_draw_nothing_or_something_but_do_not_crash) {
    const float bad[] = { (float)NAN, (float)INFINITY, -(float)INFINITY, 3e38f, -1, 1e-40f };
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 10), filo_vec3(0, 0, 0));
    FiloMeshData ball;
    assert_ok(filo_mesh_sphere(&ball, &(FiloSphereDesc){ .sectors = 48, .rings = 24 }, NULL));
    assert_ok(filo_mesh_optimise(&ball, &(FiloMeshOptimise){ .levels = 4, .max_error = 1 }, NULL));
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("ball"), &ball));
    for (int i = 0; i < 10; i++) add_at(&f, "ball", filo_vec3(0.5f * (float)i, 0, 0));
    const FiloName mesh = filo_name("ball");
    for (size_t n = 0; n < FILO_COUNT_OF(bad); n++) {
        float b = bad[n];
        const FiloCamera3 cameras[] = {
            { .field_of_view = b },
            { .height = b },
            { .near = b },
            { .far = b },
            { .near = 1e30f, .far = b },
            { .viewport = { { b, 0 }, { 1, 1 } } },
            { .viewport = { { 0, 0 }, { 1, b } } },
        };
        for (size_t c = 0; c < FILO_COUNT_OF(cameras); c++) {
            *filo_edit(f.world, camera, FiloCamera3) = cameras[c];
            frame(&f);
        }
        *filo_edit(f.world, camera, FiloCamera3) = (FiloCamera3){ 0 };
        FiloTransform3 good = *filo_get(f.world, camera, FiloTransform3);
        for (int field = 0; field < 10; field++) {
            ((float *)filo_edit(f.world, camera, FiloTransform3))[field] = b;
            frame(&f);
            *filo_edit(f.world, camera, FiloTransform3) = good;
        }
        const FiloInstancesDesc descs[] = {
            { .meshes = &mesh, .mesh_count = 1, .range = b },
            { .meshes = &mesh, .mesh_count = 1, .range = 50, .fade = b },
            { .meshes = &mesh, .mesh_count = 1, .cell = b },
        };
        for (size_t d = 0; d < FILO_COUNT_OF(descs); d++) {
            FiloInstances set;
            assert_ok(filo_gfx3d_instances_create(&set, f.gfx, &descs[d]));
            const FiloInstance list[] = { { .position = { b, 0, 0 }, .scale = 1 },
                                          { .position = { 0, b, 0 }, .scale = 1 },
                                          { .position = { 0, 0, b }, .scale = 1 },
                                          { .position = { 0, 0, 0 }, .scale = b },
                                          { .position = { 1, 0, 0 }, .scale = 1 } };
            assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, FILO_COUNT_OF(list)));
            frame(&f);
            frame(&f);
            filo_gfx3d_instances_destroy(f.gfx, set);
        }
        (void)filo_instance_rotation((FiloQuat){ b, 0, 0, 1 });
        extract_blended(&f, b);
        render(&f);
        filo_gfx3d_extract(f.gfx, &(FiloExtract3){ .width = 5, .height = 5, .time = b, .blend = 1 });
        render(&f);
    }
    filo_mesh_free(&ball, NULL);
    *filo_edit(f.world, camera, FiloCamera3) = (FiloCamera3){ 0 };
    frame(&f);
    assert_int_equal(stats(&f).visible, 10);
    fixture_end(&f);
}

// ---- Memory -----------------------------------------------------------------------------------------------------

FILO_TEST(a_steady_frame_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip_because("a sanitizer has replaced malloc");
    Fixture f = fixture_begin(ON_NULL, 2);
    FiloEntity movers[200];
    add_scene(&f, movers, FILO_COUNT_OF(movers), 3000);
    uint64_t before = 0;
    for (int i = 0; i < 60; i++) {
        if (i == 40) before = filo_test_malloc_calls();
        tick(&f);
        for (size_t m = 0; m < FILO_COUNT_OF(movers); m++)
            filo_edit(f.world, movers[m], FiloTransform3)->position.y += 0.01f * (float)(m % 7);
        extract_blended(&f, 0.5f);
        render(&f);
        filo_gpu_null_forget(f.gpu);
    }
    assert_int_equal(filo_test_malloc_calls() - before, 0);
    fixture_end(&f);
}

// One frame after the other, each with another allocation that fails. What is drawn in the end is what the world says.
FILO_TEST(frames_without_memory_are_incomplete_and_the_next_ones_are_not) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    hush();
    bool more = true;
    size_t wanted = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        Fixture f = fixture_open((FixtureDesc){ .backend = ON_NULL, .allocator = &failing.allocator });
        FiloEntity movers[8];
        failing.fail_at = SIZE_MAX;
        next_number = 1;
        // Pipelines are made while there is memory.
        add_camera(&f, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
        FiloEntity first = add_at(&f, "box", filo_vec3(0, 0, 0));
        frame(&f);
        filo_entity_destroy(f.world, first);
        failing.fail_at = failing.calls + fail_at;
        for (int i = 0; i < 8; i++)
            movers[i] =
                add_numbered(&f, shapes[i % 7], (FiloTransform3){ .position = { (float)i - 4, 0, 0 } });
        const FiloName mesh = filo_name("cone");
        FiloInstances set;
        FiloInstance list[20];
        for (int i = 0; i < 20; i++) list[i] = (FiloInstance){ .position = { (float)i, 0, 0 }, .scale = 1 };
        FiloResult r = filo_gfx3d_instances_create(
            &set, f.gfx, &(FiloInstancesDesc){ .meshes = &mesh, .mesh_count = 1, .cell = 2 });
        if (r.code == FILO_OK) r = filo_gfx3d_instances_set(f.gfx, set, list, 20);
        bool has_set = r.code == FILO_OK;
        for (int i = 0; i < 3; i++) {
            filo_edit(f.world, movers[2], FiloTransform3)->position.y += 0.1f;
            frame(&f);
            if (i == 1) add_camera(&f, filo_vec3(0, 0, 6), filo_vec3(0, 0, 0));
        }
        more = failing.calls > failing.fail_at;
        failing_end(&failing);
        if (!has_set && set.id != 0) assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, 20));
        for (int i = 0; i < 3; i++) frame(&f);
        if (set.id == 0) { // it was not created
            assert_ok(filo_gfx3d_instances_create(
                &set, f.gfx, &(FiloInstancesDesc){ .meshes = &mesh, .mesh_count = 1, .cell = 2 }));
            assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, 20));
            frame(&f);
        }
        if (fail_at == 0) wanted = stats(&f).visible;
        if (stats(&f).visible != wanted)
            fail_msg("after allocation %zu failed, %zu are visible, not %zu", fail_at, stats(&f).visible,
                     wanted);
        assert_true(wanted >= 2 * 8);
        fixture_end(&f);
        assert_int_equal(failing.blocks, 0);
    }
    filo_fault_set_handler((FiloFaultHandler){ 0 });
}

// ---- Long runs ----------------------------------------------------------------------------------------------------

static size_t heap_bytes(const FiloHeap *heap) { return filo_heap_stats(heap).used; }

FILO_TEST(a_long_flight_does_not_take_more_and_more_memory) {
    FiloHeap heap;
    filo_heap_init(&heap, "gfx3d", 0);
    Fixture f = fixture_open((FixtureDesc){ .backend = ON_NULL, .threads = 2, .allocator = &heap.allocator });
    FiloEntity movers[200], camera = add_camera(&f, filo_vec3(0, 0, 0), filo_vec3(0, 0, 1));
    add_scene(&f, movers, FILO_COUNT_OF(movers), 400);
    size_t after_a_round = 0, entities = 0;
    uint64_t random = 3;
    FiloEntity churn[50] = { 0 };
    for (int i = 0; i < 1500; i++) {
        float angle = (float)i * 0.02f;
        FiloTransform3 *eye = filo_edit(f.world, camera, FiloTransform3);
        eye->position = filo_vec3(30 * filo_cos(angle), 5, 30 * filo_sin(angle * 0.7f));
        eye->rotation = filo_quat_from_axis_angle(filo_vec3(0, 1, 0), angle * 3);
        for (int k = 0; k < 5; k++) { // entities are created and destroyed in every frame
            uint32_t n = test_random(&random) % 50;
            if (churn[n].id != 0) filo_entity_destroy(f.world, churn[n]);
            const char *shape = shapes[test_random(&random) % 7];
            churn[n] = add_at(&f, shape, filo_vec3(random_float(&random, -9, 9), 0, 0));
        }
        if (i % 10 == 0) tick(&f);
        extract_blended(&f, 0.5f);
        render(&f);
        filo_gpu_null_forget(f.gpu);
        if (i == 700) after_a_round = heap_bytes(&heap), entities = filo_world_stats(f.world).entities;
    }
    assert_int_equal(filo_world_stats(f.world).entities, entities);
    // What is visible differs from frame to frame, so that a list may still grow by a doubling now and then.
    assert_true(heap_bytes(&heap) <= after_a_round + after_a_round / 8);
    fixture_end(&f);
    filo_heap_deinit(&heap);
}

// ---- Mistakes -----------------------------------------------------------------------------------------------------

FILO_TEST(mistakes_with_a_renderer_are_reported) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloGfx3d *none = (FiloGfx3d *)8;
    expect_mistake("pass where the renderer goes, and a description with a world and a GPU",
                   filo_gfx3d_create(&none, &(FiloGfx3dDesc){ .world = f.world }));
    assert_null(none);
    expect_mistake("pass where the renderer goes, and a description with a world and a GPU",
                   filo_gfx3d_create(&none, NULL));
    expect_mistake("pass where the renderer goes, and a description with a world and a GPU",
                   filo_gfx3d_create(NULL, &(FiloGfx3dDesc){ .world = f.world, .gpu = f.gpu }));
    expect_fault("pass the world that is to be drawn", assert_false(filo_gfx3d_register(NULL, NULL)));
    expect_fault("extract before you render: filo_gfx3d_extract", assert_false(filo_gfx3d_render(f.gfx)));
    expect_fault("pass a renderer and what to extract", filo_gfx3d_extract(f.gfx, NULL));
    expect_fault("cannot extract for a picture of 0 × 7",
                 filo_gfx3d_extract(f.gfx, &(FiloExtract3){ .width = 0, .height = 7 }));
    expect_fault("pass a renderer", filo_gfx3d_stats(NULL));
    assert_true(filo_gfx3d_register(f.world, NULL)); // again
    filo_gfx3d_destroy(NULL);
    frame(&f); // without a camera
    assert_int_equal(stats(&f).draws, 0);
    fixture_end(&f);
}

FILO_TEST(two_renderers_draw_one_world) {
    Fixture f = fixture_begin(ON_NULL, 2);
    FiloGfx3d *second;
    assert_ok(filo_gfx3d_create(&second, &(FiloGfx3dDesc){ .world = f.world, .gpu = f.gpu }));
    add_camera(&f, filo_vec3(0, 0, 10), filo_vec3(0, 0, 0));
    FiloEntity box = add_at(&f, "box", filo_vec3(0, 0, 0));
    Fixture g = f;
    g.gfx = second;
    for (int i = 0; i < 5; i++) {
        filo_edit(f.world, box, FiloTransform3)->position.x = (float)i;
        extract(&f);
        extract(&g);
        char text[32];
        snprintf(text, sizeof text, "%d", i);
        assert_string_equal(xs_of(&f, 0), text);
        assert_string_equal(xs_of(&g, 0), text);
        filo_gfx3d_render(f.gfx);
        filo_gfx3d_render(g.gfx);
        filo_gpu_end_frame(f.gpu);
    }
    filo_gfx3d_destroy(second);
    fixture_end(&f);
}

FILO_TEST(a_world_without_threads_is_a_mistake) {
    FiloGpu *gpu = fixture_device(ON_NULL);
    FiloWorld *world;
    FiloGfx3d *gfx;
    assert_ok(filo_world_create(&world, NULL));
    expect_mistake("a world that is drawn in 3D needs a scheduler: FiloWorldDesc.jobs",
                   filo_gfx3d_create(&gfx, &(FiloGfx3dDesc){ .world = world, .gpu = gpu }));
    assert_null(gfx);
    filo_world_destroy(world);
    filo_gpu_destroy(gpu);
}
