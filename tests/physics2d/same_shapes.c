// The same bits with shapes on children, chains, one-way shapes and hooks: on any number of threads, after a snapshot and
// after a file.

#include "physics2d/history.h"
#include "support/malloc_count.h"

enum { BODIES = 120, TICKS = 240 };

static void before_solve(const FiloWorld *world, FiloSolve2 *contact, void *user) {
    FILO_UNUSED(world);
    FILO_UNUSED(user);
    contact->surface_speed = contact->point.x > 0 ? 1.0f : -1.0f;
    if (contact->separation < -0.5f) contact->disabled = true;
}

static bool filter(const FiloWorld *world, FiloEntity a, FiloEntity b, void *user) {
    FILO_UNUSED(world);
    FILO_UNUSED(user);
    return (filo_entity_index(a) + filo_entity_index(b)) % 5 != 0;
}

static void ignore(FiloIter *it, const FiloEvent *event) {
    FILO_UNUSED(it);
    FILO_UNUSED(event);
}

static void add_hooks_and_handlers(const Scene *scene) {
    assert_true(filo_physics2_set_hooks(
        scene->world, &(FiloPhysics2Hooks){ .filter = filter, .before_solve = before_solve }));
    const char *names[] = { FILO_CONTACT_BEGIN, FILO_CONTACT_HIT, FILO_CONTACT_IMPULSE, FILO_SENSOR_BEGIN };
    for (size_t i = 0; i < FILO_COUNT_OF(names) && scene->events != NULL; i++)
        filo_world_handle(scene->world,
                          &(FiloWorldHandlerDesc){ .event = filo_name(names[i]), .run = ignore });
}

static FiloShape2 some_shape(int i) {
    FiloShape2 shapes[] = { BALL(0.3f), BOX(0.35f, 0.2f), CAPSULE(0.3f, 0.15f), BOX(0.25f, 0.25f) };
    FiloShape2 shape = shapes[i % 4];
    if (i % 3 == 0) shape.flags |= FILO_SHAPE_EVENTS | FILO_SHAPE_HITS | FILO_SHAPE_IMPULSES;
    if (i % 11 == 0) shape.flags |= FILO_SHAPE_FILTER;
    if (i % 13 == 0) shape.flags |= FILO_SHAPE_SENSOR;
    if (i % 5 == 0) shape.restitution = 0.4f;
    shape.friction_mix = (FiloMix)(i % 6);
    return shape;
}

static FiloEntity add_compound(const Scene *scene, int i, float x, float y) {
    FiloEntity body = add_body(scene, FILO_BODY_DYNAMIC, x, y, some_shape(i));
    if (i % 3 == 0) return body;
    FiloEntity arm = add_child(scene, body, 0.5f, 0.1f, 0.6f, some_shape(i + 1));
    if (i % 3 == 1) return body;
    FiloEntity folder = filo_create(scene->world, FILO_SET(FiloTransform2, .position = { -0.2f, 0.1f }));
    assert_true(filo_entity_set_parent(scene->world, folder, body));
    add_child(scene, folder, -0.4f, 0, -0.4f, some_shape(i + 2));
    assert_true(filo_entity_set_parent(scene->world, arm, folder));
    return body;
}

static void fill(const Scene *scene) {
    FiloVec2 room[60], cup[] = { { -2, 0 },      { 2, 0 },        { 2, 2 },     { 1.6f, 2 },
                                 { 1.6f, 0.4f }, { -1.6f, 0.4f }, { -1.6f, 2 }, { -2, 2 } };
    for (int i = 0; i < 60; i++) {
        FiloSinCos turn = filo_sincos(FILO_TAU * (float)i / 60);
        room[i] = filo_vec2(turn.cos * 14, turn.sin * 10);
    }
    FiloEntity walls = filo_create(scene->world, FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    FiloChain2 chain = { .loop = true, .shape.flags = FILO_SHAPE_ONE_WAY };
    assert_ok(filo_physics2_add_chain(scene->world, walls, room, 60, &chain));
    FiloShape2 platform = BOX(2, 0.1f), belt = BOX(2, 0.2f);
    platform.flags = FILO_SHAPE_ONE_WAY;
    belt.flags = FILO_SHAPE_BEFORE_SOLVE;
    add_body(scene, FILO_BODY_STATIC, -5, 0, platform);
    add_body(scene, FILO_BODY_STATIC, 5, -1, belt);
    FiloEntity lift = filo_create(
        scene->world, FILO_SET(FiloTransform2, .position = { 0, -6 }),
        FILO_SET(FiloBody2, .kind = FILO_BODY_KINEMATIC, .velocity = { 0, 0.5f }, .angular_velocity = 0.2f));
    assert_ok(filo_physics2_add_outline(scene->world, lift, cup, 8, NULL));
    for (int i = 0; i < BODIES; i++)
        add_compound(scene, i, (float)(i % 12) * 1.3f - 7.5f, -3 + (float)(i / 12) * 1.0f);
}

static FiloEntity pick(const Scene *scene, FiloRandom *random) {
    uint32_t index = (uint32_t)(filo_random_float(random) * (float)filo_entity_index_end(scene->world));
    return filo_entity_at(scene->world, index);
}

// What a game does: edits, moves, activates and destroys shapes and bodies.
static void disturb(const Scene *scene, int tick) {
    FiloRandom random = filo_random_keyed(9, (uint64_t)tick, 0, 0);
    if (tick % 3 != 0) return;
    FiloEntity entity = pick(scene, &random), other = pick(scene, &random);
    if (entity.id == 0) return;
    bool is_body = filo_has(scene->world, entity, FiloBody2);
    FiloShape2 *shape = filo_try_edit(scene->world, entity, FiloShape2);
    FiloTransform2 *transform = filo_try_edit(scene->world, entity, FiloTransform2);
    switch (tick / 3 % 7) {
    case 0:
        if (!is_body && transform != NULL) transform->position.y += 0.2f;
        break;
    case 1:
        if (shape != NULL && shape->kind != FILO_SHAPE_SEGMENT) shape->radius += 0.05f;
        break;
    case 2: filo_entity_set_active(scene->world, entity, tick % 2 == 0); break;
    case 3:
        if (!is_body && other.id != 0 && filo_has(scene->world, other, FiloBody2))
            assert_true(filo_entity_set_parent(scene->world, entity, other));
        break;
    case 4:
        if (shape != NULL && shape->kind != FILO_SHAPE_SEGMENT) filo_entity_destroy(scene->world, entity);
        break;
    case 5:
        if (is_body && filo_get(scene->world, entity, FiloBody2)->kind == FILO_BODY_DYNAMIC)
            filo_edit(scene->world, entity, FiloBody2)->velocity.y = 8;
        break;
    default: add_compound(scene, tick, filo_random_float(&random) * 10 - 5, 5); break;
    }
}

static void check_end(const Scene *scene) { assert_true(filo_physics2_stats(scene->world).touching > 50); }

static const History history = { .ticks = TICKS,
                                 .prepare = add_hooks_and_handlers,
                                 .fill = fill,
                                 .disturb = disturb,
                                 .check_end = check_end };

FILO_TEST(all_numbers_of_threads_give_the_same_bits_with_compounds) { assert_same_on_threads(&history); }

FILO_TEST(a_restored_snapshot_continues_to_the_bit_with_compounds) {
    assert_continues(&history, 0, BY_SNAPSHOT, OTHER_WORLD);
    assert_continues(&history, 50, BY_SNAPSHOT, SAME_WORLD);
    assert_continues(&history, 121, BY_SNAPSHOT, OTHER_WORLD);
}

FILO_TEST(a_loaded_file_continues_to_the_bit_with_compounds) {
    assert_continues(&history, 1, BY_FILE, OTHER_WORLD);
    assert_continues(&history, 64, BY_FILE, SAME_WORLD);
    assert_continues(&history, 150, BY_FILE, OTHER_WORLD);
}

FILO_TEST(a_step_with_edits_before_it_is_saved_to_the_bit) {
    for (int at_tick = 30; at_tick < 60; at_tick += 3) {
        Scene scene = history_open(&history, 0), second = history_open(&history, 0);
        fill(&scene);
        for (int i = 0; i < at_tick; i++) (void)history_tick(&history, &scene, i);
        disturb(&scene, at_tick); // no step has seen this
        FiloBytes bytes = { 0 };
        assert_ok(filo_world_save_bytes(scene.world, &bytes, NULL));
        assert_ok(filo_world_load_bytes(second.world, bytes.items, bytes.count, "save", NULL));
        for (int i = 0; i < 3; i++) {
            run(&scene, 1);
            run(&second, 1);
            if (filo_world_hash(scene.world) != filo_world_hash(second.world))
                fail_msg("tick %d differs %d after it", at_tick, i);
        }
        filo_array_deinit(&bytes);
        scene_close(&scene);
        scene_close(&second);
    }
}

FILO_TEST(a_steady_step_with_compounds_does_not_allocate) {
    for (int threads = 0; threads <= 2; threads += 2) {
        Scene scene = history_open(&history, threads);
        no_sleep(&scene);
        fill(&scene);
        FiloEntity some = add_compound(&scene, 2, 0, 8);
        run(&scene, 300);
        (void)filo_physics2_contacts(scene.world, some, NULL, 0); // the next step makes an index
        run(&scene, 1);
        uint64_t calls = filo_test_malloc_calls(), system = filo_memory_system_calls();
        for (int i = 0; i < 30; i++) {
            FiloContact2 list[4];
            run(&scene, 1);
            (void)filo_physics2_contacts(scene.world, some, list, 4);
        }
        assert_int_equal(filo_test_malloc_calls(), calls);
        assert_int_equal(filo_memory_system_calls(), system);
        scene_close(&scene);
    }
}
