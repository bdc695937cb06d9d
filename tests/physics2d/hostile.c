// A saved world whose bytes of physics are hostile, behind a right checksum: it is refused and the world stays as it was, or it
// is loaded and goes on.

#include "physics2d/scene.h"

#include "ecs/save/save.h"

#include <filo/log.h>

#include <math.h>

enum { MUTATIONS = 6000 };

// Something of each kind: piles that sleep, bodies that move, joints, a chain, a sensor with an area, free slots.
static void fill(const Scene *scene) {
    add_ground(scene);
    FiloEntity gone[3];
    for (size_t i = 0; i < 3; i++)
        gone[i] = add_body(scene, FILO_BODY_DYNAMIC, -9, (float)i, BOX(0.3f, 0.3f));
    for (int i = 0; i < 6; i++)
        add_body(scene, FILO_BODY_DYNAMIC, (float)(i / 3) * 4, (float)(i % 3) + 0.5f, BOX(0.5f, 0.5f));
    for (int i = 0; i < 4; i++)
        add_body(scene, FILO_BODY_DYNAMIC, 12 + 2 * (float)i, 9,
                 i % 2 == 0 ? BALL(0.5f) : CAPSULE(0.4f, 0.3f));
    FiloEntity a = add_body(scene, FILO_BODY_DYNAMIC, 20, 3, BALL(0.4f)),
               b = add_body(scene, FILO_BODY_DYNAMIC, 21, 3, BALL(0.4f));
    filo_create(scene->world, FILO_SET(FiloJoint2, .kind = FILO_JOINT_REVOLUTE, .a = a, .b = b,
                                       .anchor_a = { 1, 0 }, .anchor_b = { 0, 0 }));
    filo_create(scene->world, FILO_SET(FiloJoint2, .kind = FILO_JOINT_WHEEL, .b = a, .anchor_a = { 20, 3 },
                                       .axis = { 0, 1 }, .flags = FILO_JOINT_SPRING, .linear_hertz = 3));
    add_body(scene, FILO_BODY_KINEMATIC, 30, 1, BOX(1, 0.2f));
    FiloEntity lift = add_body(scene, FILO_BODY_STATIC, 13, 5, with(BALL(3), FILO_SHAPE_SENSOR));
    filo_set(scene->world, lift, FiloArea2, .gravity = { 0, 3 });
    FiloVec2 points[] = { { 40, 0 }, { 35, 1 }, { 30, 0 } };
    FiloEntity chain =
        filo_create(scene->world, FILO_ADD(FiloTransform2), FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    assert_ok(filo_physics2_add_chain(scene->world, chain, points, 3, NULL));
    run(scene, 60);
    for (size_t i = 0; i < 3; i++) filo_entity_destroy(scene->world, gone[i]);
    run(scene, 60);
    assert_in_range(filo_physics2_stats(scene->world).islands, 1, 9);
    assert_in_range(filo_physics2_stats(scene->world).awake, 1, 99);
}

// The bytes of the provider in the body of a file.
static uint8_t *find_physics(const FiloBytes *body, size_t *size) {
    static const char name[] = "\x09\0\0\0physics2d";
    for (size_t i = 0; i + sizeof name + 8 < body->count; i++)
        if (memcmp(body->items + i, name, sizeof name - 1) == 0) {
            uint64_t length;
            memcpy(&length, body->items + i + sizeof name - 1, sizeof length);
            *size = (size_t)length;
            return body->items + i + sizeof name - 1 + sizeof length;
        }
    fail_msg("no bytes of physics");
    return NULL;
}

static uint32_t strange(FiloRandom *random, const uint8_t *bytes, size_t words, uint32_t now) {
    static const float floats[] = { NAN, INFINITY, -INFINITY, 3e38f, -1e30f, 1e7f, 1e-38f };
    static const uint32_t numbers[] = { 0, 1, 2, UINT32_MAX, 0x08000000, 0x7FFFFFFF, 0xAAAAAAAA };
    uint32_t kind = filo_random_below(random, 7);
    if (kind == 0) return filo_float_to_bits(floats[filo_random_below(random, FILO_COUNT_OF(floats))]);
    if (kind == 1) return numbers[filo_random_below(random, FILO_COUNT_OF(numbers))];
    if (kind == 2) return filo_random_u32(random);
    if (kind == 3) return now ^ 1u << filo_random_below(random, 32);
    if (kind == 4) return filo_random_below(random, 40);
    if (kind == 5) return now + 1;
    uint32_t other;
    memcpy(&other, bytes + 4 * (size_t)filo_random_below(random, (uint32_t)words), sizeof other);
    return other;
}

static void mutate(uint8_t *bytes, size_t size, uint64_t number) {
    FiloRandom random = filo_random_keyed(17, number, 0, 0);
    uint32_t changes = 1 + filo_random_below(&random, 3), words = (uint32_t)(size / 4);
    while (changes-- > 0) {
        size_t at = 4 * (size_t)filo_random_below(&random, filo_random_chance(&random, 0.1f) ? 22 : words);
        uint32_t word;
        memcpy(&word, bytes + at, sizeof word);
        word = strange(&random, bytes, words, word);
        memcpy(bytes + at, &word, sizeof word);
    }
}

FILO_TEST(mutated_bytes_of_physics_are_refused_or_go_on) {
    Scene scene = scene_open(0);
    FiloLoadDesc desc = { .limit = FILO_MIB(64) };
    FiloBytes body = { 0 };
    size_t size = 0, refused = 0;
    fill(&scene);
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, scene.world));
    uint64_t hash = filo_world_hash(scene.world);
    assert_ok(ecs_save_write(scene.world, &body));
    uint8_t *bytes = find_physics(&body, &size), *copy = malloc(size);
    memcpy(copy, bytes, size);
    for (uint64_t i = 0; i < MUTATIONS; i++) {
        mutate(bytes, size, i);
        FiloResult result =
            ecs_save_read(scene.world, body.items, body.count, ECS_SAVE_VERSION, "save", &desc);
        if (result.code == FILO_OK) {
            run(&scene, 3);
            filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 1, 9 }), FILO_ADD(FiloBody2),
                        FILO_SET(FiloShape2, .radius = 1));
            run(&scene, 3);
            assert_ok(filo_snapshot_restore(snapshot, scene.world));
        } else {
            refused++;
            assert_non_null(strstr(result.message, "provider physics2d: physics: "));
            if (filo_world_hash(scene.world) != hash) fail_msg("mutation %u changed the world", (unsigned)i);
        }
        memcpy(bytes, copy, size);
    }
    assert_in_range(refused, MUTATIONS / 10, MUTATIONS * 9 / 10);
    assert_ok(ecs_save_read(scene.world, body.items, body.count, ECS_SAVE_VERSION, "save", &desc));
    assert_true(filo_world_hash(scene.world) == hash);
    free(copy);
    filo_array_deinit(&body);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
}
