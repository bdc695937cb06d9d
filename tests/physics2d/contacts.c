// Hits, impulses, lists of contacts, and what sensors notice.

#include "physics2d/scene.h"

typedef struct Log {
    int hits, impulses, begins, ends;
    FiloContactEvent2 hit, begin;
    FiloContactImpulse2 impulse;
    float sum; // of impulses
    uint64_t order;
} Log;

static void note(FiloIter *it, const FiloEvent *event) {
    Log *log = it->user;
    const char *name = filo_name_text(event->name);
    log->order = filo_reflect_hash(event->type, event->payload, log->order * 31 + event->name.id % 7);
    if (strcmp(name, FILO_CONTACT_HIT) == 0) {
        log->hits++;
        log->hit = *(const FiloContactEvent2 *)event->payload;
    } else if (strcmp(name, FILO_CONTACT_IMPULSE) == 0) {
        log->impulses++;
        log->impulse = *(const FiloContactImpulse2 *)event->payload;
        log->sum += log->impulse.impulse;
    } else if (strcmp(name, FILO_SENSOR_BEGIN) == 0) {
        log->begins++;
        log->begin = *(const FiloContactEvent2 *)event->payload;
    } else {
        log->ends++;
    }
}

static void listen(const Scene *scene, Log *log) {
    const char *names[] = { FILO_CONTACT_HIT, FILO_CONTACT_IMPULSE, FILO_SENSOR_BEGIN, FILO_SENSOR_END };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        filo_world_handle(scene->world,
                          &(FiloWorldHandlerDesc){ .event = filo_name(names[i]), .run = note, .user = log });
}

FILO_TEST(impacts_are_reported_as_hits) {
    Scene scene = scene_open(1);
    Log log = { 0 };
    listen(&scene, &log);
    FiloEntity ground = add_ground(&scene);
    FiloEntity body = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 0, 5 }),
                                  FILO_SET(FiloBody2, .flags = FILO_BODY_FIXED_ROTATION));
    FiloEntity child = add_child(&scene, body, 1, 0, 0, with(BALL(0.5f), FILO_SHAPE_HITS));
    add_body(&scene, FILO_BODY_DYNAMIC, 10, 5, BALL(0.5f)); // does not ask
    run(&scene, 40);
    assert_int_equal(log.hits, 0);
    run(&scene, 60);
    assert_int_equal(log.hits, 1);
    assert_true(filo_entity_equal(log.hit.a, ground) && filo_entity_equal(log.hit.b, child));
    assert_true(filo_entity_equal(log.hit.body_a, ground) && filo_entity_equal(log.hit.body_b, body));
    assert_near(log.hit.speed, filo_sqrt(2 * 9.81f * 4.5f), 0.3f);
    assert_near(log.hit.normal.y, 1, 1e-3f);
    assert_near(log.hit.point.x, 1, 0.01f);
    assert_near(log.hit.point.y, 0, 0.2f);
    // Below the threshold there is none.
    filo_edit_global(scene.world, FiloPhysics2)->hit_speed = 20;
    filo_teleport(scene.world, body, filo_vec2(0, 5));
    run(&scene, 120);
    assert_int_equal(log.hits, 1);
    scene_close(&scene);
}

FILO_TEST(impulses_of_a_step_are_reported) {
    Scene scene = scene_open(1);
    no_sleep(&scene);
    Log log = { 0 };
    listen(&scene, &log);
    FiloEntity ground = add_ground(&scene);
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, with(BOX(0.5f, 0.5f), FILO_SHAPE_IMPULSES));
    run(&scene, 60);
    assert_int_equal(log.impulses, 60);
    assert_near(log.impulse.impulse, 9.81f / 60, 1e-3f); // its weight
    assert_near(log.impulse.friction_impulse, 0, 1e-3f);
    assert_near(log.impulse.normal.y, 1, 1e-4f);
    assert_near(log.impulse.point.x, 0, 0.05f);
    assert_true(filo_entity_equal(log.impulse.body_b, box) && filo_entity_equal(log.impulse.a, ground));
    // It slides: friction is 0.6 of the weight.
    filo_edit(scene.world, box, FiloBody2)->velocity.x = 10;
    run(&scene, 10);
    assert_near(filo_abs(log.impulse.friction_impulse), 0.6f * 9.81f / 60, 5e-3f);
    assert_true(log.impulse.friction_impulse < 0); // the ground's normal is up; its right is +x
    // The sum of impulses is the change of momentum, also in an impact that bounces.
    filo_edit(scene.world, box, FiloShape2)->restitution = 0.5f;
    filo_teleport(scene.world, box, (FiloTransform2){ .position = { 0, 4 } });
    *filo_edit(scene.world, box, FiloBody2) = (FiloBody2){ .flags = FILO_BODY_FIXED_ROTATION };
    run(&scene, 1);
    log.sum = 0;
    float before = body_of(&scene, box).velocity.y;
    run(&scene, 60);
    float change = body_of(&scene, box).velocity.y - before + 9.81f;
    assert_true(log.sum > 8);
    assert_near(log.sum, change, 0.01f);
    scene_close(&scene);
}

// ---- Lists ------------------------------------------------------------------------------------------------

FILO_TEST(the_contacts_of_a_body_are_listed) {
    Scene scene = scene_open(0);
    FiloEntity ground = add_ground(&scene);
    FiloEntity low = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 0, 0.5f }),
                                 FILO_SET(FiloBody2, .kind = FILO_BODY_DYNAMIC));
    FiloEntity part = add_child(&scene, low, 0, 0, 0, BOX(0.5f, 0.5f));
    FiloEntity high = add_body(&scene, FILO_BODY_DYNAMIC, 0, 1.5f, BOX(0.5f, 0.5f));
    FiloEntity zone = add_body(&scene, FILO_BODY_STATIC, 0, 0.5f, with(BALL(0.2f), FILO_SHAPE_SENSOR));
    FiloContact2 list[8];
    assert_int_equal(filo_physics2_contacts(scene.world, low, list, 8), 0);
    for (int round = 0; round < 3; round++) { // moving, moving with an index, at rest
        run(&scene, round < 2 ? 1 : 200);
        assert_true(is_asleep(&scene, low) == (round == 2));
        assert_int_equal(filo_physics2_contacts(scene.world, low, list, 8), 3);
        int seen = 0;
        for (int i = 0; i < 3; i++) {
            const FiloContact2 *contact = &list[i];
            assert_true(filo_entity_equal(contact->a, part) && filo_entity_equal(contact->body_a, low));
            assert_true(filo_entity_equal(contact->b, contact->body_b));
            if (filo_entity_equal(contact->b, zone)) {
                assert_true(contact->sensor && contact->touching && contact->point_count == 0);
                seen |= 1;
                continue;
            }
            bool is_ground = filo_entity_equal(contact->b, ground);
            assert_true(is_ground || filo_entity_equal(contact->b, high));
            seen |= is_ground ? 2 : 4;
            assert_true(contact->touching && !contact->sensor);
            assert_int_equal(contact->point_count, 2);
            assert_near(contact->normal.y, is_ground ? -1 : 1, 1e-3f);
            float impulse = contact->points[0].impulse + contact->points[1].impulse;
            if (round == 2) assert_near(impulse, (is_ground ? 2 : 1) * 9.81f / 60, 0.01f);
            assert_near(contact->points[0].point.y, is_ground ? 0 : 1, 0.02f);
            assert_near(contact->points[0].separation, 0, 0.02f);
        }
        assert_int_equal(seen, 7);
        FiloContact2 one;
        assert_int_equal(filo_physics2_contacts(scene.world, high, &one, 1), 1);
        assert_true(filo_entity_equal(one.body_b, low) && one.normal.y < 0);
        assert_int_equal(filo_physics2_contacts(scene.world, ground, NULL, 0), 1);
        assert_int_equal(filo_physics2_contacts(scene.world, low, &one, 1), 3);
    }
    assert_int_equal(filo_physics2_contacts(scene.world, part, list, 8), 0); // no body
    expect_fault("pass an array for the contacts",
                 assert_int_equal(filo_physics2_contacts(scene.world, low, NULL, 3), 0));
    scene_close(&scene);
}

FILO_TEST(lists_are_the_same_with_and_without_an_index_and_after_a_snapshot) {
    Scene scene = scene_open(2), other = scene_open(0);
    FiloEntity ground = add_ground(&scene);
    for (int i = 0; i < 200; i++)
        add_body(&scene, FILO_BODY_DYNAMIC, (float)(i % 20) * 1.02f, (float)(i / 20) + 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 30);
    static FiloContact2 first[500], second[500];
    memset(first, 0, sizeof first);
    memset(second, 0, sizeof second);
    size_t count = filo_physics2_contacts(scene.world, ground, first, 500); // all are searched
    assert_true(count >= 20);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, scene.world));
    assert_ok(filo_snapshot_restore(snapshot, other.world));
    assert_int_equal(filo_physics2_contacts(other.world, ground, second, 500), count);
    assert_memory_equal(first, second, count * sizeof *first);
    run(&scene, 1); // makes an index
    run(&other, 1); // likewise
    (void)filo_physics2_contacts(scene.world, ground, first, 500);
    run(&scene, 1);
    run(&other, 1);
    run(&other, 1); // none
    run(&scene, 1);
    count = filo_physics2_contacts(scene.world, ground, first, 500);
    assert_int_equal(filo_physics2_contacts(other.world, ground, second, 500), count);
    assert_memory_equal(first, second, count * sizeof *first);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
    scene_close(&other);
}

// ---- Sensors ----------------------------------------------------------------------------------------------

// Whether a sensor on one kind of body notices a shape on a child of another kind of body.
static bool notices(FiloBodyKind sensor_kind, FiloBodyKind kind, uint32_t flags) {
    Scene scene = scene_open(1);
    set_gravity(&scene, 0, 0);
    Log log = { 0 };
    listen(&scene, &log);
    FiloEntity carrier = filo_create(scene.world, FILO_SET(FiloBody2, .kind = sensor_kind));
    FiloEntity zone = add_child(&scene, carrier, 5, 0, 0, with(BOX(1, 1), FILO_SHAPE_SENSOR));
    FiloEntity body = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 5, -1 }),
                                  FILO_SET(FiloBody2, .kind = kind));
    FiloEntity child = add_child(&scene, body, 0, 1, 0, with(BALL(0.5f), flags));
    run(&scene, 100); // it comes to rest
    int begins = log.begins;
    assert_true(begins <= 1 && log.ends == 0);
    if (begins == 1) {
        assert_true(filo_entity_equal(log.begin.a, zone) && filo_entity_equal(log.begin.body_a, carrier));
        assert_true(filo_entity_equal(log.begin.b, child) && filo_entity_equal(log.begin.body_b, body));
    }
    filo_edit(scene.world, body, FiloTransform2)->position.y = 20;
    run(&scene, 2);
    assert_int_equal(log.ends, begins);
    filo_edit(scene.world, body, FiloTransform2)->position.y = -1;
    run(&scene, 2);
    assert_int_equal(log.begins, 2 * begins);
    filo_entity_set_active(scene.world, child, false);
    run(&scene, 1);
    assert_int_equal(log.ends, 2 * begins);
    scene_close(&scene);
    return begins == 1;
}

FILO_TEST(sensors_notice_what_the_header_says) {
    for (int sensor = 0; sensor < 3; sensor++)
        for (int kind = 0; kind < 3; kind++) {
            bool both_static = sensor == FILO_BODY_STATIC && kind == FILO_BODY_STATIC;
            if (notices((FiloBodyKind)sensor, (FiloBodyKind)kind, 0) == both_static)
                fail_msg("sensor %d and %d", sensor, kind);
            assert_false(notices((FiloBodyKind)sensor, (FiloBodyKind)kind, FILO_SHAPE_SENSOR));
        }
}

FILO_TEST(a_new_sensor_notices_bodies_at_rest) {
    Scene scene = scene_open(1);
    Log log = { 0 };
    listen(&scene, &log);
    FiloEntity box = add_resting_box(&scene);
    FiloEntity zone = add_body(&scene, FILO_BODY_STATIC, 0, 0.5f, with(BALL(2), FILO_SHAPE_SENSOR));
    run(&scene, 3);
    assert_int_equal(log.begins, 1);
    assert_true(is_asleep(&scene, box));
    filo_entity_destroy(scene.world, zone);
    run(&scene, 1);
    assert_int_equal(log.ends, 1);
    // What is put into bodies at rest wakes them.
    add_body(&scene, FILO_BODY_STATIC, 0.2f, 0, BALL(0.6f));
    run(&scene, 10);
    assert_true(at(&scene, box).y > 0.6f);
    scene_close(&scene);
}

// ---- Order ------------------------------------------------------------------------------------------------

static uint64_t order_on(int threads) {
    Scene scene = scene_open(threads);
    Log log = { 0 };
    listen(&scene, &log);
    add_ground(&scene);
    for (int i = 0; i < 300; i++) {
        FiloEntity body =
            add_body(&scene, FILO_BODY_DYNAMIC, (float)(i % 15) * 1.5f + 0.01f * (float)(i % 7),
                     1 + (float)(i / 15), with(BALL(0.3f), FILO_SHAPE_HITS | FILO_SHAPE_IMPULSES));
        add_child(&scene, body, 0.5f, 0, 0, with(BOX(0.3f, 0.3f), FILO_SHAPE_HITS));
    }
    run(&scene, 90);
    assert_true(log.hits > 300 && log.impulses > 1000);
    scene_close(&scene);
    return log.order;
}

FILO_TEST(hits_and_impulses_have_the_same_order_on_any_number_of_threads) {
    uint64_t one = order_on(1);
    assert_true(order_on(2) == one);
    assert_true(order_on(8) == one);
}
