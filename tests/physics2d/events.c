// Events, sensors, layers and groups.

#include "physics2d/scene.h"

typedef struct Log {
    int begins, ends, enters, leaves, asleep, awake, broken;
    FiloContactEvent2 first;
    uint64_t order; // a hash of all events in their order
} Log;

static void count_event(FiloIter *it, const FiloEvent *event) {
    Log *log = it->user;
    const FiloContactEvent2 *contact = event->payload;
    const char *name = filo_name_text(event->name);
    if (strcmp(name, FILO_CONTACT_BEGIN) == 0 && log->begins++ == 0) log->first = *contact;
    log->ends += strcmp(name, FILO_CONTACT_END) == 0;
    log->enters += strcmp(name, FILO_SENSOR_BEGIN) == 0;
    log->leaves += strcmp(name, FILO_SENSOR_END) == 0;
    log->asleep += strcmp(name, FILO_BODY_FELL_ASLEEP) == 0;
    log->awake += strcmp(name, FILO_BODY_WOKE) == 0;
    log->broken += strcmp(name, FILO_JOINT_BROKE) == 0;
    log->order = filo_reflect_hash(event->type, event->payload, log->order * 31 + event->name.id % 7);
}

static void listen(const Scene *scene, Log *log) {
    const char *names[] = { FILO_CONTACT_BEGIN,    FILO_CONTACT_END, FILO_SENSOR_BEGIN, FILO_SENSOR_END,
                            FILO_BODY_FELL_ASLEEP, FILO_BODY_WOKE,   FILO_JOINT_BROKE };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        filo_world_handle(scene->world, &(FiloWorldHandlerDesc){
                                            .event = filo_name(names[i]), .run = count_event, .user = log });
}

FILO_TEST(contacts_are_reported_where_asked_for) {
    Scene scene = scene_open(1);
    Log log = { 0 };
    listen(&scene, &log);
    FiloEntity ground = add_ground(&scene);
    add_body(&scene, FILO_BODY_DYNAMIC, 5, 2, BALL(0.5f));
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 2, with(BALL(0.5f), FILO_SHAPE_EVENTS));
    run(&scene, 200);
    assert_int_equal(log.begins, 1);
    assert_int_equal(log.ends, 0);
    assert_true(filo_entity_equal(log.first.a, ground) && filo_entity_equal(log.first.b, ball));
    assert_near(log.first.normal.y, 1, 1e-4f);
    assert_near(log.first.point.y, 0, 0.05f);
    assert_near(log.first.speed, filo_sqrt(2 * 9.81f * 1.5f), 0.4f);
    assert_int_equal(log.asleep, 2);
    filo_edit(scene.world, ball, FiloBody2)->velocity.y = 10;
    run(&scene, 20);
    assert_int_equal(log.ends, 1);
    assert_int_equal(log.awake, 1);
    scene_close(&scene);
}

FILO_TEST(other_flags_or_mass_do_not_end_contacts) {
    Scene scene = scene_open(1);
    Log log = { 0 };
    listen(&scene, &log);
    add_ground(&scene);
    add_body(&scene, FILO_BODY_STATIC, 0, 0, with(BOX(2, 2), FILO_SHAPE_SENSOR));
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, with(BOX(0.5f, 0.5f), FILO_SHAPE_EVENTS));
    run(&scene, 10);
    filo_edit(scene.world, box, FiloBody2)->flags = FILO_BODY_NO_GRAVITY | FILO_BODY_FIXED_ROTATION;
    run(&scene, 1);
    filo_edit(scene.world, box, FiloBody2)->flags = 0;
    filo_edit(scene.world, box, FiloBody2)->mass = 7;
    run(&scene, 1);
    assert_near(filo_physics2_mass(scene.world, box).mass, 7, 1e-6f);
    run(&scene, 100);
    assert_int_equal(log.asleep, 1);
    filo_edit(scene.world, box, FiloBody2)->mass = 3; // at rest
    run(&scene, 1);
    assert_int_equal(log.awake, 1);
    assert_near(filo_physics2_mass(scene.world, box).mass, 3, 1e-6f);
    run(&scene, 100);
    assert_int_equal(log.begins, 1);
    assert_int_equal(log.enters, 1);
    assert_int_equal(log.ends + log.leaves, 0);
    scene_close(&scene);
}

FILO_TEST(the_end_of_a_shape_ends_its_contacts) {
    Scene scene = scene_open(1);
    Log log = { 0 };
    listen(&scene, &log);
    add_ground(&scene);
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, with(BOX(0.5f, 0.5f), FILO_SHAPE_EVENTS));
    run(&scene, 10);
    filo_entity_destroy(scene.world, box);
    run(&scene, 1);
    assert_int_equal(log.begins, 1);
    assert_int_equal(log.ends, 1);
    scene_close(&scene);
}

FILO_TEST(sensors_notice_and_do_not_collide) {
    Scene scene = scene_open(1);
    Log log = { 0 };
    listen(&scene, &log);
    add_body(&scene, FILO_BODY_STATIC, 0, 0, with(BOX(2, 1), FILO_SHAPE_SENSOR));
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 4, BALL(0.5f));
    run(&scene, 50);
    assert_int_equal(log.enters, 1);
    assert_int_equal(log.leaves, 0);
    run(&scene, 50);
    assert_int_equal(log.leaves, 1);
    assert_true(at(&scene, ball).y < -5);
    assert_int_equal(log.begins, 0);
    scene_close(&scene);
}

FILO_TEST(a_broken_joint_is_reported) {
    Scene scene = scene_open(1);
    Log log = { 0 };
    listen(&scene, &log);
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BOX(1, 1));
    add_joint(&scene, (FiloJoint2){ .b = box, .break_force = 5 });
    run(&scene, 20);
    assert_int_equal(log.broken, 1);
    scene_close(&scene);
}

FILO_TEST(layers_and_groups_decide_what_collides) {
    struct {
        uint32_t layers, mask;
        int32_t group, other_group;
        bool collides;
    } cases[] = { { 0, 0, 0, 0, true }, { 2, 0, 0, 0, true },    { 0, 2, 0, 0, false }, { 2, 2, 0, 0, false },
                  { 0, 2, 5, 5, true }, { 0, 0, -5, -5, false }, { 0, 0, -5, -6, true } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        FiloShape2 ground = BOX(10, 1), ball = BALL(0.5f);
        ground.group = cases[i].other_group;
        ball.layers = cases[i].layers;
        ball.mask = cases[i].mask;
        ball.group = cases[i].group;
        add_body(&scene, FILO_BODY_STATIC, 0, -1, ground);
        FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 1, ball);
        run(&scene, 90);
        if ((at(&scene, body).y > 0) != cases[i].collides) fail_msg("case %zu", i);
        scene_close(&scene);
    }
}

static uint64_t order_on(int threads) {
    Scene scene = scene_open(threads);
    Log log = { 0 };
    listen(&scene, &log);
    add_ground(&scene);
    for (int i = 0; i < 600; i++) {
        FiloShape2 shape = i % 2 == 0 ? BALL(0.3f) : BOX(0.3f, 0.3f);
        add_body(&scene, FILO_BODY_DYNAMIC, (float)(i % 30) + 0.01f * (float)(i % 7), 1 + (float)(i / 30),
                 with(shape, FILO_SHAPE_EVENTS));
    }
    run(&scene, 120);
    assert_true(log.begins > 600);
    scene_close(&scene);
    return log.order;
}

FILO_TEST(events_have_the_same_order_on_any_number_of_threads) {
    uint64_t one = order_on(1);
    assert_true(order_on(2) == one);
    assert_true(order_on(8) == one);
}
