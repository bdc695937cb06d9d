// Messages about the first difference between two worlds.

#include "ecs/state_scene.h"

#define expect_difference(now, before, expected)                                                             \
    do {                                                                                                     \
        char difference_text[256];                                                                           \
        assert_true(filo_world_difference((now), (before), difference_text, sizeof difference_text));        \
        assert_string_equal(difference_text, (expected));                                                    \
        assert_true(filo_world_hash(now) != filo_world_hash(before));                                        \
    } while (0)

static void expect_same(FiloWorld *now, FiloWorld *before) {
    char text[256] = "x";
    if (filo_world_difference(now, before, text, sizeof text)) fail_msg("%s", text);
    assert_string_equal(text, "");
    assert_true(filo_world_hash(now) == filo_world_hash(before));
}

static void two_worlds(FiloWorld **now, FiloWorld **before) {
    FiloWorld **worlds[] = { now, before };
    for (int i = 0; i < 2; i++) {
        assert_ok(filo_world_create(worlds[i], NULL));
        assert_true(scene_register(*worlds[i]));
        FiloEntity a = filo_create(*worlds[i], FILO_SET(Life, 1, 4, 0), FILO_SET(Place, 1, 2));
        FiloEntity b = filo_create(*worlds[i], FILO_SET(Pocket, { 1, 2, 3, 4 }),
                                   FILO_SET(Bond, a, filo_name("old"), "text"));
        filo_entity_set_name(*worlds[i], a, "door");
        filo_entity_set_parent(*worlds[i], b, a);
    }
}

FILO_TEST(a_different_value_is_reported_with_entity_component_and_field) {
    FiloWorld *now, *before;
    two_worlds(&now, &before);
    expect_same(now, before);
    FiloEntity a = filo_entity_at(now, 0), b = filo_entity_at(now, 1);
    filo_edit(now, b, Pocket)->coins[2] = 9;
    expect_difference(now, before, "entity 1: Pocket.coins[2] is 9, was 3");
    filo_edit(now, b, Bond)->kind = filo_name("new");
    expect_difference(now, before, "entity 1: Bond.kind is new, was old");
    filo_edit(now, a, Life)->points = 3;
    expect_difference(now, before, "entity 0 (door): Life.points is 3, was 4");
    filo_edit(now, a, Place)->y = 0.5f;
    expect_difference(now, before, "entity 0 (door): Place.y is 0.5, was 2");
    filo_edit_global(now, Score)->came = 7;
    expect_difference(now, before, "Score.came is 7, was 0");
    expect_difference(before, now, "Score.came is 0, was 7");
    filo_world_tick(now, 1);
    expect_difference(now, before, "tick is 1, was 0");
    filo_world_destroy(now);
    filo_world_destroy(before);
}

FILO_TEST(structural_differences_are_reported) {
    FiloWorld *now, *before;
    two_worlds(&now, &before);
    FiloEntity a = filo_entity_at(now, 0), b = filo_entity_at(now, 1);
    filo_add(now, b, Lit);
    expect_difference(now, before, "entity 1 has a Lit");
    expect_difference(before, now, "entity 1 had a Lit");
    filo_entity_set_active(now, a, false);
    expect_difference(now, before, "entity 0 (door) is inactive, was active");
    filo_world_destroy(now);
    filo_world_destroy(before);

    two_worlds(&now, &before);
    FiloEntity c = filo_entity_create(now);
    expect_difference(now, before, "entity 2 exists, did not");
    expect_difference(before, now, "entity 2 does not exist, did");
    filo_entity_destroy(now, c);
    expect_same(now, before); // free ids are not compared
    filo_entity_create(now);
    filo_entity_create(before);
    expect_difference(now, before, "entity 2 has generation 2, had 1");
    filo_world_destroy(now);
    filo_world_destroy(before);
}

FILO_TEST(another_order_of_registration_is_reported) {
    FiloWorld *now, *before;
    char text[100];
    assert_ok(filo_world_create(&now, NULL));
    assert_ok(filo_world_create(&before, NULL));
    filo_component(now, Place);
    filo_component(before, Speed);
    assert_true(filo_world_difference(now, before, text, sizeof text));
    assert_contains(text, "is Place, was Speed");
    filo_world_destroy(now);
    filo_world_destroy(before);
}

FILO_TEST(differences_of_providers_and_events_are_reported) {
    Scene now, before;
    scene_open(&now, 1);
    scene_open(&before, 1);
    expect_same(now.world, before.world);
    now.dice = 4;
    expect_difference(now.world, before.world, "what provider dice adds differs");
    FiloName boom = filo_name("boom");
    filo_events_emit(now.events, boom, FILO_TYPE(Boom), &(Boom){ { 1 }, 5 });
    expect_difference(now.world, before.world, "event \"boom\" waits, did not");
    expect_difference(before.world, now.world, "event \"boom\" does not wait, did");
    filo_events_emit(before.events, boom, FILO_TYPE(Boom), &(Boom){ { 1 }, 6 });
    expect_difference(now.world, before.world, "waiting event 0 (\"boom\"): Boom.size is 5, was 6");
    filo_events_deliver(now.events);
    filo_events_deliver(before.events);
    filo_edit_global(now.world, Score)->booms = filo_edit_global(before.world, Score)->booms = 0;
    filo_events_emit_later(now.events, boom, FILO_TYPE(Boom), &(Boom){ { 1 }, 6 }, 3);
    filo_events_emit_later(before.events, boom, FILO_TYPE(Boom), &(Boom){ { 1 }, 6 }, 4);
    expect_difference(now.world, before.world, "waiting event 0 (\"boom\") is due in tick 4, was in 5");
    filo_events_emit(now.events, filo_name("other"), NULL, NULL);
    expect_difference(now.world, before.world, "waiting event 0 is \"other\", was \"boom\"");
    scene_close(&now);
    scene_close(&before);

    scene_open(&now, 0);
    scene_open(&before, 0);
    filo_world_remove_provider(before.world, "dice");
    expect_difference(now.world, before.world, "provider dice is only in the first world");
    expect_difference(before.world, now.world, "provider dice is only in the second world");
    scene_close(&now);
    scene_close(&before);
}

FILO_TEST(snapshots_are_compared) {
    Scene scene;
    scene_open(&scene, 1);
    scene_run(&scene, 10);
    FiloSnapshot *now = filo_snapshot_create(NULL), *before = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(before, scene.world));
    assert_ok(filo_snapshot_take(now, scene.world));
    char text[200];
    assert_ok(filo_snapshot_difference(now, before, scene.world, text, sizeof text));
    assert_string_equal(text, "");
    FiloEntity entity = filo_create(scene.world, FILO_SET(Place, 1, 2));
    assert_ok(filo_snapshot_take(before, scene.world));
    filo_edit(scene.world, entity, Place)->x = 9;
    uint64_t hash = filo_world_hash(scene.world);
    assert_ok(filo_snapshot_take(now, scene.world));
    assert_ok(filo_snapshot_difference(now, before, scene.world, text, sizeof text));
    assert_contains(text, "Place.x is 9, was 1");
    assert_true(filo_world_hash(scene.world) == hash);
    filo_edit(scene.world, entity, Place)->x = 1;
    scene.dice = 0;
    assert_ok(filo_snapshot_take(now, scene.world));
    assert_ok(filo_snapshot_difference(now, before, scene.world, text, sizeof text));
    assert_string_equal(text, "what a provider adds differs");
    filo_world_remove_provider(scene.world, "dice");
    assert_ok(filo_snapshot_take(now, scene.world));
    assert_ok(filo_snapshot_difference(now, before, scene.world, text, sizeof text));
    assert_string_equal(text, "what a provider adds is only in the second snapshot");
    filo_snapshot_destroy(now);
    now = filo_snapshot_create(NULL);
    assert_error(filo_snapshot_difference(now, before, scene.world, text, sizeof text), FILO_ERROR_DATA,
                 "the snapshot is empty");
    filo_snapshot_destroy(now);
    filo_snapshot_destroy(before);
    scene_close(&scene);
}

FILO_TEST(a_message_is_truncated_to_a_short_buffer) {
    FiloWorld *now, *before;
    two_worlds(&now, &before);
    filo_edit(now, filo_entity_at(now, 0), Life)->points = 3;
    char text[12];
    assert_true(filo_world_difference(now, before, text, sizeof text));
    assert_string_equal(text, "entity 0 (d");
    assert_true(filo_world_difference(now, before, NULL, 0));
    filo_world_destroy(now);
    filo_world_destroy(before);
}

FILO_TEST(misuse_is_reported) {
    only_in_debug_builds();
    FiloWorld *world;
    char text[20];
    assert_ok(filo_world_create(&world, NULL));
    expect_fault("pass two worlds", assert_false(filo_world_difference(world, NULL, text, sizeof text)));
    expect_mistake("pass two snapshots and a world",
                   filo_snapshot_difference(NULL, NULL, world, text, sizeof text));
    FiloWorld *none = world;
    expect_mistake("whose components", filo_world_create_like(&none, NULL, NULL));
    assert_null(none);
    filo_world_destroy(world);
}
