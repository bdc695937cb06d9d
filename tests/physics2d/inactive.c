// Bodies whose entities are inactive: they leave the simulation, and come back as they were.

#include "physics2d/scene.h"

typedef struct Log {
    int begins, ends;
    FiloContactEvent2 last;
} Log;

static void count_event(FiloIter *it, const FiloEvent *event) {
    Log *log = it->user;
    log->last = *(const FiloContactEvent2 *)event->payload;
    if (strcmp(filo_name_text(event->name), FILO_CONTACT_BEGIN) == 0)
        log->begins++;
    else
        log->ends++;
}

static void listen(const Scene *scene, Log *log) {
    const char *names[] = { FILO_CONTACT_BEGIN, FILO_CONTACT_END };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        filo_world_handle(scene->world, &(FiloWorldHandlerDesc){
                                            .event = filo_name(names[i]), .run = count_event, .user = log });
}

FILO_TEST(it_comes_back_where_it_was_with_its_velocity) {
    Scene scene = scene_open(0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 50, BALL(0.5f));
    FiloEntity twin = add_body(&scene, FILO_BODY_DYNAMIC, 20, 50, BALL(0.5f));
    filo_edit(scene.world, ball, FiloBody2)->velocity = filo_vec2(3, 1);
    filo_edit(scene.world, ball, FiloBody2)->angular_velocity = 2;
    run(&scene, 10);
    FiloVec2 there = at(&scene, ball);
    float angle = angle_of(&scene, ball);
    FiloBody2 before = body_of(&scene, ball);
    assert_true(before.velocity.y < 0);
    filo_entity_set_active(scene.world, ball, false);
    run(&scene, 30);
    FiloBody2 still = body_of(&scene, ball);
    assert_true(filo_vec2_equal(at(&scene, ball), there) && angle_of(&scene, ball) == angle);
    assert_true(filo_vec2_equal(still.velocity, before.velocity) &&
                still.angular_velocity == before.angular_velocity);
    assert_int_equal(filo_physics2_stats(scene.world).bodies, 1);
    assert_near(filo_physics2_mass(scene.world, ball).mass, 0, 0); // no body in the last step
    FiloEntity found;
    assert_int_equal(filo_physics2_overlap_point(scene.world, there, NULL, &found, 1), 0);
    filo_entity_set_active(scene.world, ball, true);
    run(&scene, 1);
    assert_near(at(&scene, ball).x, there.x + 3.0f / 60, 1e-4f);
    assert_near(at(&scene, ball).y, there.y + before.velocity.y / 60, 0.01f);
    assert_near(angle_of(&scene, ball), angle + 2.0f / 60, 1e-4f);
    assert_near(body_of(&scene, ball).velocity.y, before.velocity.y - 9.81f / 60, 1e-4f);
    assert_near(body_of(&scene, twin).velocity.y, -9.81f * 41 / 60, 1e-3f); // went on all the time
    scene_close(&scene);
}

FILO_TEST(its_contacts_end_with_an_event_and_begin_again) {
    for (int asleep = 0; asleep <= 1; asleep++) {
        Scene scene = scene_open(1);
        Log log = { 0 };
        listen(&scene, &log);
        add_ground(&scene);
        FiloShape2 shape = BOX(0.5f, 0.5f);
        FiloEntity high = add_body(&scene, FILO_BODY_DYNAMIC, 0, 1.5f, shape);
        shape.flags = FILO_SHAPE_EVENTS;
        FiloEntity low = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, shape);
        run(&scene, asleep ? 120 : 10);
        assert_true(is_asleep(&scene, low) == (asleep == 1));
        assert_int_equal(log.begins, 2); // with the ground and with the one above
        assert_int_equal(log.ends, 0);
        filo_entity_set_active(scene.world, low, false);
        run(&scene, 1);
        assert_int_equal(log.ends, 2);
        assert_true(filo_entity_equal(log.last.body_a, low) || filo_entity_equal(log.last.body_b, low));
        assert_int_equal(filo_physics2_contacts(scene.world, low, NULL, 0), 0);
        run(&scene, 60);
        assert_near(at(&scene, high).y, 0.5f, 0.01f); // it fell: nothing is below it
        assert_near(at(&scene, low).y, 0.5f, 0.01f);
        filo_edit(scene.world, high, FiloTransform2)->position = filo_vec2(20, 0.5f);
        filo_entity_set_active(scene.world, low, true);
        run(&scene, 30);
        assert_int_equal(log.begins, 3);
        assert_int_equal(log.ends, 2);
        assert_near(at(&scene, low).y, 0.5f, 0.01f);
        scene_close(&scene);
    }
}

// What hangs at rest has nothing but the joint to hold it.
FILO_TEST(what_hangs_from_a_body_falls_when_that_leaves_and_is_held_when_it_comes_back) {
    for (int wait = 10; wait <= 120; wait += 110) {
        Scene scene = scene_open(0);
        FiloEntity anchor = add_body(&scene, FILO_BODY_STATIC, 0, 20, BALL(0.1f)),
                   ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 18, BALL(0.5f));
        add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_DISTANCE, .a = anchor, .b = ball, .length = 2 });
        add_body(&scene, FILO_BODY_STATIC, 0, 16, BOX(5, 0.5f)); // a floor, on which it comes to rest
        run(&scene, wait);
        assert_near(at(&scene, ball).y, 18, 0.01f);
        filo_entity_set_active(scene.world, anchor, false);
        run(&scene, 120);
        assert_near(at(&scene, ball).y, 17, 0.01f);
        assert_true(is_asleep(&scene, ball));
        filo_entity_set_active(scene.world, anchor, true);
        run(&scene, 120);
        assert_near(at(&scene, ball).y, 18, 0.05f);
        scene_close(&scene);
    }
}

FILO_TEST(what_hangs_from_a_body_falls_when_that_is_no_body_any_more_or_the_joint_holds_another) {
    for (int how = 0; how < 4; how++) {
        Scene scene = scene_open(0);
        FiloEntity anchor = add_body(&scene, FILO_BODY_STATIC, 0, 20, BALL(0.1f)),
                   ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 18, BALL(0.5f)),
                   other = add_body(&scene, FILO_BODY_DYNAMIC, 0, 22, BALL(0.5f));
        filo_edit(scene.world, other, FiloBody2)->flags = FILO_BODY_NO_GRAVITY;
        FiloEntity joint = add_joint(
            &scene, (FiloJoint2){ .kind = FILO_JOINT_DISTANCE, .a = anchor, .b = ball, .length = 2 });
        run(&scene, 120);
        assert_true(is_asleep(&scene, ball));
        if (how == 0) filo_entity_destroy(scene.world, anchor);
        if (how == 1) filo_remove(scene.world, anchor, FiloBody2);
        if (how == 2) filo_edit(scene.world, joint, FiloJoint2)->b = other;
        if (how == 3) filo_edit(scene.world, joint, FiloJoint2)->b = FILO_ENTITY_NONE; // is reported
        run(&scene, 30);
        assert_true(at(&scene, ball).y < 17);
        scene_close(&scene);
    }
}
