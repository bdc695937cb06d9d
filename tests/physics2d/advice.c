// What is most likely a mistake is said, once, and what is none is not.

#include "physics2d/scene.h"
#include "support/warnings.h"

#ifdef NDEBUG
#    define IN_DEBUG 0
#else
#    define IN_DEBUG 1
#endif

static void do_nothing(FiloIter *it, const FiloEvent *event) {
    FILO_UNUSED(it);
    FILO_UNUSED(event);
}

static void handle(const Scene *scene, const char *event) {
    assert_int_not_equal(filo_world_handle(scene->world, &(FiloWorldHandlerDesc){ .event = filo_name(event),
                                                                                  .run = do_nothing })
                             .generation,
                         0);
}

static FiloEntity add_flagged(const Scene *scene, uint32_t flags) {
    FiloShape2 shape = BALL(0.5f);
    shape.flags = flags;
    return add_body(scene, FILO_BODY_DYNAMIC, 0, 0.5f, shape);
}

// ---- Shapes -----------------------------------------------------------------------------------------------

FILO_TEST(a_shape_without_a_body_is_reported_once) {
    Scene scene = scene_open(0);
    FiloShape2 ball = BALL(0.5f);
    filo_create(scene.world, FILO_ADD(FiloTransform2), FILO_SET_COPY(FiloShape2, &ball));
    filo_create(scene.world, FILO_ADD(FiloTransform2), FILO_SET_COPY(FiloShape2, &ball));
    expect_warnings(IN_DEBUG,
                    IN_DEBUG
                        ? "the shape of entity 0 is not in the simulation: neither it nor an ancestor has "
                          "FiloBody2. Ground is a body too, of FILO_BODY_STATIC"
                        : "",
                    run(&scene, 3));
    scene_close(&scene);
}

FILO_TEST(shapes_of_movers_children_and_inactive_entities_are_not_reported) {
    Scene scene = scene_open(0);
    FiloShape2 ball = BALL(0.5f);
    filo_create(scene.world, FILO_ADD(FiloMover2), FILO_SET_COPY(FiloShape2, &ball));
    FiloEntity body = add_ground(&scene), child = filo_create(scene.world, FILO_SET_COPY(FiloShape2, &ball));
    filo_entity_set_parent(scene.world, child, body);
    FiloEntity folder = filo_entity_create(scene.world);
    FiloEntity hidden = filo_create(scene.world, FILO_SET_COPY(FiloShape2, &ball));
    filo_entity_set_parent(scene.world, hidden, folder);
    filo_entity_set_active(scene.world, folder, false);
    expect_no_warning(run(&scene, 3));
    scene_close(&scene);
}

FILO_TEST(a_shape_of_no_kind_and_a_polygon_that_is_none_say_what_to_set) {
    Scene scene = scene_open(0);
    filo_create(scene.world, FILO_ADD(FiloBody2), FILO_SET(FiloShape2, .half_size = { 1, 1 }));
    expect_warning("does not collide: a circle, which is the default kind, has a radius above 0",
                   run(&scene, 1));
    filo_create(scene.world, FILO_ADD(FiloBody2),
                FILO_SET(FiloShape2, .kind = FILO_SHAPE_POLYGON, .points = { { 0, 0 }, { 1, 0 }, { 0, 1 } }));
    expect_warning("a polygon has a point_count of 3 to 8; for more, use filo_physics2_add_outline",
                   run(&scene, 1));
    filo_create(scene.world, FILO_ADD(FiloBody2),
                FILO_SET(FiloShape2, .kind = FILO_SHAPE_POLYGON, .point_count = 4,
                         .points = { { 0, 0 }, { 2, 0 }, { 0.5f, 0.5f }, { 0, 2 } }));
    expect_warning("a polygon must be convex, without three points in a line; for others, use "
                   "filo_physics2_add_outline",
                   run(&scene, 1));
    scene_close(&scene);
}

// ---- Joints, areas, pushing -------------------------------------------------------------------------------

FILO_TEST(joints_that_can_do_nothing_are_reported_once) {
    Scene scene = scene_open(0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.5f));
    FiloEntity joint = add_joint(&scene, (FiloJoint2){ .a = ball });
    expect_warning("does nothing: it has no body b. To connect a body with the world, leave out a",
                   run(&scene, 2));
    filo_edit(scene.world, joint, FiloJoint2)->anchor_a.x = 1;
    expect_no_warning(run(&scene, 2));
    filo_set(scene.world, joint, FiloJoint2, .b = ball, .anchor_a = { 0, 5 });
    expect_no_warning(run(&scene, 60));
    assert_true(at(&scene, ball).y > -1); // it holds now
    filo_edit(scene.world, joint, FiloJoint2)->a = ball;
    expect_warning("does nothing: its bodies are the same", run(&scene, 2));
    scene_close(&scene);
}

FILO_TEST(limits_in_degrees_are_reported) {
    Scene scene = scene_open(0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.5f));
    FiloJoint2 hinge = { .b = ball, .flags = FILO_JOINT_LIMIT, .lower = -45, .upper = 45 };
    FiloEntity joint = add_joint(&scene, hinge);
    expect_warning("has limits beyond half a turn, which do not hold: angles are in radians", run(&scene, 2));
    hinge.lower = -FILO_PI;
    hinge.upper = FILO_PI;
    *filo_edit(scene.world, joint, FiloJoint2) = hinge;
    expect_no_warning(run(&scene, 2));
    hinge.upper = 1e9f; // none
    *filo_edit(scene.world, joint, FiloJoint2) = hinge;
    expect_no_warning(run(&scene, 2));
    scene_close(&scene);
}

FILO_TEST(wind_without_drag_is_reported_once_also_if_the_area_moves) {
    Scene scene = scene_open(0);
    FiloEntity area = add_body(&scene, FILO_BODY_KINEMATIC, 0, 0, with(BOX(2, 2), FILO_SHAPE_SENSOR));
    filo_edit(scene.world, area, FiloBody2)->velocity.x = 1;
    filo_set(scene.world, area, FiloArea2, .wind = { 5, 0 });
    expect_warning("has wind without drag, which does nothing", run(&scene, 10));
    filo_edit(scene.world, area, FiloArea2)->drag = 1;
    expect_no_warning(run(&scene, 10));
    scene_close(&scene);
}

// ---- Movers -----------------------------------------------------------------------------------------------

FILO_TEST(a_mover_with_a_dynamic_body_is_reported_once) {
    Scene scene = scene_open(0);
    FiloEntity mover = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.5f));
    filo_add(scene.world, mover, FiloMover2);
    expect_warning("has a body that is not kinematic, and both move it: set FILO_BODY_KINEMATIC, or remove "
                   "FiloBody2",
                   run(&scene, 3));
    scene_close(&scene);
}

FILO_TEST(a_mover_with_a_kinematic_body_is_not_reported_and_a_slope_in_degrees_is) {
    Scene scene = scene_open(0);
    FiloEntity mover = add_body(&scene, FILO_BODY_KINEMATIC, 0, 5, BALL(0.5f));
    filo_add(scene.world, mover, FiloMover2);
    expect_no_warning(run(&scene, 3));
    filo_edit(scene.world, mover, FiloMover2)->maximum_slope = 50;
    expect_warning("has a maximum_slope of 50: angles are in radians", run(&scene, 3));
    scene_close(&scene);
}

// ---- Events -----------------------------------------------------------------------------------------------

FILO_TEST(flags_without_a_handler_are_reported_once) {
    Scene scene = scene_open(1);
    no_sleep(&scene);
    add_ground(&scene);
    add_flagged(&scene, FILO_SHAPE_EVENTS);
    handle(&scene, "contact_begin");
    expect_warnings(IN_DEBUG,
                    IN_DEBUG ? "a shape has FILO_SHAPE_EVENTS, but the event \"contact begin\" has no handler"
                             : "",
                    run(&scene, 400));
    scene_close(&scene);
}

FILO_TEST(a_handler_without_flags_is_reported_after_a_while) {
    Scene scene = scene_open(1);
    no_sleep(&scene);
    add_ground(&scene);
    add_flagged(&scene, 0);
    handle(&scene, FILO_CONTACT_HIT);
    expect_no_warning(run(&scene, 200));
    expect_warnings(
        IN_DEBUG, IN_DEBUG ? "the event \"contact hit\" has a handler, but no shape has FILO_SHAPE_HITS" : "",
        run(&scene, 400));
    scene_close(&scene);
}

FILO_TEST(flags_with_handlers_and_sensors_without_are_not_reported) {
    Scene scene = scene_open(1);
    no_sleep(&scene);
    add_ground(&scene);
    add_flagged(&scene, FILO_SHAPE_EVENTS | FILO_SHAPE_HITS | FILO_SHAPE_IMPULSES);
    add_body(&scene, FILO_BODY_STATIC, 0, 1, with(BOX(2, 2), FILO_SHAPE_SENSOR));
    handle(&scene, FILO_CONTACT_END); // one of the two is enough
    handle(&scene, FILO_CONTACT_HIT);
    handle(&scene, FILO_CONTACT_IMPULSE);
    expect_no_warning(run(&scene, 400));
    scene_close(&scene);
}

FILO_TEST(a_world_that_was_restored_knows_which_flags_its_shapes_have) {
    Scene scene = scene_open(1), other = scene_open(1);
    no_sleep(&scene);
    add_ground(&scene);
    add_flagged(&scene, FILO_SHAPE_HITS);
    handle(&scene, FILO_CONTACT_HIT);
    run(&scene, 10);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, scene.world));
    handle(&other, FILO_CONTACT_HIT);
    assert_ok(filo_snapshot_restore(snapshot, other.world));
    expect_no_warning(run(&other, 400));
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
    scene_close(&other);
}
