// Components with fields that cannot be: each is reported once, to the letter, has the result that the header defines, and the rest
// of the world goes on. Mistakes of calls are in misuse.c.

#include "physics2d/misuse.h"

// Runs a world with something bad in it, and a ball beside it, which has to land. One warning, also while the bad component is
// read again and again; NULL: none.
static void expect_one_warning(const Scene *scene, const char *warning) {
    Reports reports;
    add_body(scene, FILO_BODY_STATIC, 1000, -1, BOX(20, 1));
    FiloEntity ball = add_body(scene, FILO_BODY_DYNAMIC, 1000, 1, BALL(0.5f));
    reports_begin(&reports);
    run(scene, 120);
    reports_end(&reports);
    assert_fault(&reports, NULL);
    assert_warning(&reports, warning);
    assert_near(at(scene, ball).y, 0.5f, 0.01f);
}

static bool is_finite_body(const Scene *scene, FiloEntity entity) {
    FiloBody2 body = body_of(scene, entity);
    FiloVec2 p = at(scene, entity);
    return filo_abs(p.x) < 1e4f && filo_abs(p.y) < 1e4f && filo_abs(body.velocity.x) < 1e4f &&
           filo_abs(body.velocity.y) < 1e4f && filo_abs(body.angular_velocity) < 1e4f;
}

// ---- Bodies -----------------------------------------------------------------------------------------------

FILO_TEST(bodies_with_bad_fields_are_reported_and_repaired) {
    static const char motion[] = "body 0 has a velocity, force or damping that is not valid, now 0";
    static const struct {
        FiloBody2 body;
        const char *warning;
    } cases[] = {
        { { .velocity = { NAN, 0 } }, motion },
        { { .velocity = { 0, INFINITY } }, motion },
        { { .angular_velocity = NAN }, motion },
        { { .force = { NAN, 0 } }, motion },
        { { .torque = -INFINITY }, motion },
        { { .damping = NAN }, motion },
        { { .angular_damping = INFINITY }, motion },
        { { .gravity_scale = NAN }, motion },
        { { .mass = NAN },
          "body 0 has a mass of nan, which is not valid: that of its shapes counts. For a body that nothing "
          "moves, set FILO_BODY_STATIC" },
        { { .mass = INFINITY },
          "body 0 has a mass of inf, which is not valid: that of its shapes counts. For a body that nothing "
          "moves, set FILO_BODY_STATIC" },
        { { .inertia = NAN }, "body 0 has an inertia of nan, which is not valid: that of its shapes counts" },
        { { .inertia = -2 }, "body 0 has an inertia of -2, which is not valid: that of its shapes counts" },
        // Defined, and not reported:
        { { .mass = -3 }, NULL },
        { { .mass = -INFINITY }, NULL },
        { { .damping = -1, .angular_damping = -1 }, NULL },
        { { .flags = UINT32_MAX & ~(uint32_t)(FILO_BODY_LOCK_Y | FILO_BODY_NO_GRAVITY) }, NULL },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        FiloShape2 shape = BALL(0.5f);
        FiloEntity body = filo_create(scene.world, FILO_SET_COPY(FiloBody2, &cases[i].body),
                                      FILO_SET_COPY(FiloShape2, &shape));
        expect_one_warning(&scene, cases[i].warning);
        assert_true(is_finite_body(&scene, body) && at(&scene, body).y < -5); // it falls
        FiloMass2 mass = filo_physics2_mass(scene.world, body);
        assert_near(mass.mass, FILO_PI / 4, 1e-4f);
        assert_near(mass.inertia, FILO_PI / 32, 1e-4f);
        scene_close(&scene);
    }
}

FILO_TEST(a_body_of_no_kind_counts_as_static) {
    static const int kinds[] = { -1, 3, 77, 256 };
    for (size_t i = 0; i < FILO_COUNT_OF(kinds); i++) {
        Scene scene = scene_open(0);
        FiloEntity body = add_body(&scene, (FiloBodyKind)kinds[i], 0, 5, BALL(0.5f));
        expect_one_warning(&scene, "body 0 counts as static: its kind is one of FiloBodyKind");
        assert_near(at(&scene, body).y, 5, 0);
        assert_true(is_asleep(&scene, body));
        assert_false(filo_physics2_impulse(scene.world, body, filo_vec2(1, 1), filo_vec2(0, 5)));
        filo_edit(scene.world, body, FiloBody2)->kind = FILO_BODY_DYNAMIC;
        run(&scene, 30);
        assert_true(at(&scene, body).y < 4.5f);
        scene_close(&scene);
    }
}

FILO_TEST(bodies_at_no_position_are_at_the_origin_or_stay_where_they_were) {
    static const FiloTransform2 nowhere[] = { { .position = { NAN, 5 } },
                                              { .position = { 0, -INFINITY } },
                                              { .position = { 2e7f, 0 } },
                                              { .rotation = NAN } };
    for (size_t i = 0; i < FILO_COUNT_OF(nowhere); i++)
        for (int later = 0; later <= 1; later++) {
            Scene scene = scene_open(0);
            set_gravity(&scene, 0, 0);
            FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 3, 4, BALL(0.5f));
            if (later) run(&scene, 1);
            *filo_edit(scene.world, body, FiloTransform2) = nowhere[i];
            Reports reports;
            reports_begin(&reports);
            run(&scene, 10);
            reports_end(&reports);
            assert_warning(&reports,
                           later ? "body 0 was moved to no valid position, and stays where it was"
                                 : "body 0 is at no valid position, and counts as being at the origin");
            assert_near(at(&scene, body).x, later ? 3 : 0, 0);
            assert_near(at(&scene, body).y, later ? 4 : 0, 0);
            assert_near(angle_of(&scene, body), 0, 0);
            scene_close(&scene);
        }
}

FILO_TEST(bodies_and_movers_below_a_transform_are_told_that_it_does_not_count) {
    Scene scene = scene_open(0);
    FiloEntity parent = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 5, 5 }));
    FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 1, 2, BALL(0.5f));
    filo_entity_set_parent(scene.world, body, parent);
    expect_one_warning(&scene,
                       "body 1 has a parent with a transform, which does not count: bodies are in the "
                       "coordinates of the world. Give it no parent, or connect it by a joint");
    scene_close(&scene);
    only_in_debug_builds();
    scene = scene_open(0);
    parent = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 5, 5 }));
    FiloEntity mover = filo_create(scene.world, FILO_SET(FiloShape2, .radius = 0.5f), FILO_ADD(FiloMover2));
    filo_entity_set_parent(scene.world, mover, parent);
    expect_one_warning(&scene,
                       "mover 1 has a parent with a transform, which does not count: movers are in the "
                       "coordinates of the world. Give it no parent");
    assert_true(at(&scene, mover).y < -5);
    scene_close(&scene);
}

// ---- Shapes -----------------------------------------------------------------------------------------------

#define POLYGON(count, ...)                                                                                  \
    {                                                                                                        \
        .kind = FILO_SHAPE_POLYGON, .point_count = (count), .points = { __VA_ARGS__ }                        \
    }

FILO_TEST(degenerate_shapes_say_what_is_wrong_and_do_not_collide) {
    static const char radius[] = "a radius is not negative, and below 1e7",
                      no_circle[] = "a circle, which is the default kind, has a radius above 0",
                      points[] = "points are numbers below 1e7", no_box[] = "a box has a half_size above 0",
                      where[] = "centre and angle are numbers below 1e7",
                      finite[] = "density, friction and the like are finite numbers",
                      count[] =
                          "a polygon has a point_count of 3 to 8; for more, use filo_physics2_add_outline",
                      convex[] = "a polygon must be convex, without three points in a line; for others, use "
                                 "filo_physics2_add_outline";
    static const struct {
        FiloShape2 shape;
        const char *problem;
    } cases[] = {
        { { 0 }, no_circle },
        { { .half_size = { 1, 1 } }, no_circle }, // a box of which the kind was forgotten
        { { .radius = -1 }, radius },
        { { .radius = NAN }, radius },
        { { .radius = INFINITY }, radius },
        { { .radius = 1, .centre = { NAN, 0 } }, where },
        { { .radius = 1, .density = NAN }, finite },
        { { .radius = 1, .friction = INFINITY }, finite },
        { { .radius = 1, .restitution = NAN }, finite },
        { { .radius = 1, .rolling_resistance = NAN }, finite },
        { { .radius = 1, .surface_speed = -INFINITY }, finite },
        { { .radius = 1, .one_way = { 0, NAN } }, finite },
        { { .kind = FILO_SHAPE_CAPSULE, .points = { { 0, 0 }, { 0, 1 } } },
          "a capsule has a radius above 0" },
        { { .kind = FILO_SHAPE_CAPSULE, .radius = 1, .points = { { 0, 0 }, { NAN, 1 } } }, points },
        { { .kind = FILO_SHAPE_BOX }, no_box },
        { { .kind = FILO_SHAPE_BOX, .half_size = { 1, -1 } }, no_box },
        { { .kind = FILO_SHAPE_BOX, .half_size = { NAN, 1 } }, no_box },
        { { .kind = FILO_SHAPE_BOX, .half_size = { 1, 1 }, .angle = NAN }, where },
        { { .kind = FILO_SHAPE_BOX, .half_size = { 1, 1 }, .radius = -0.1f }, radius },
        { { .kind = FILO_SHAPE_SEGMENT }, "the two points of a segment differ" },
        { POLYGON(0, { 0, 0 }, { 1, 0 }, { 0, 1 }), count },
        { POLYGON(2, { 0, 0 }, { 1, 0 }), count },
        { POLYGON(9, { 0, 0 }, { 1, 0 }, { 0, 1 }), count },
        { POLYGON(3, { 0, 0 }, { 1, 0 }, { 2, 0 }), "a polygon has an area" },
        { POLYGON(4, { 0, 0 }, { 1, 0 }, { 1, 0 }, { 0, 1 }),
          "two neighbouring points of a polygon are equal" },
        { POLYGON(4, { 0, 0 }, { 1, 0 }, { 2, 0 }, { 0, 1 }), convex },
        { POLYGON(4, { 0, 0 }, { 2, 0 }, { 0.5f, 0.5f }, { 0, 2 }), convex },
        { POLYGON(3, { 0, 0 }, { 1, 0 }, { INFINITY, 1 }), points },
        { { .kind = (FiloShapeKind)77, .radius = 1 }, "its kind is one of FiloShapeKind" },
        { { .kind = (FiloShapeKind)-1, .radius = 1 }, "its kind is one of FiloShapeKind" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        char warning[256];
        FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 3, cases[i].shape);
        add_body(&scene, FILO_BODY_STATIC, 0, -1, BOX(20, 1));
        snprintf(warning, sizeof warning, "the shape of entity 0 does not collide: %s", cases[i].problem);
        expect_one_warning(&scene, warning);
        assert_true(is_finite_body(&scene, body) && at(&scene, body).y < -5); // through the floor
        *filo_edit(scene.world, body, FiloShape2) = BALL(0.5f);
        filo_edit(scene.world, body, FiloTransform2)->position = filo_vec2(0, 1);
        filo_edit(scene.world, body, FiloBody2)->velocity = filo_vec2(0, 0);
        run(&scene, 60);
        assert_near(at(&scene, body).y, 0.5f, 0.01f); // a right shape collides
        scene_close(&scene);
    }
}

FILO_TEST(shapes_with_numbers_that_count_as_others_collide) {
    static const char mix[] =
        "the shape of entity 0 has a mix that is none of FiloMix: the default one counts";
    static const struct {
        FiloShape2 shape;
        const char *warning;
    } cases[] = {
        { { .radius = 0.5f, .friction_mix = (FiloMix)77 }, mix },
        { { .radius = 0.5f, .restitution_mix = (FiloMix)-1 }, mix },
        { { .radius = 0.5f, .restitution = -1, .rolling_resistance = -1, .friction = -5 }, NULL },
        { { .radius = 0.5f, .restitution_mix = FILO_MIX_MINIMUM, .restitution = 9 }, NULL },
        { { .radius = 0.5f, .layers = 0, .mask = 0 }, NULL }, // a mask of 0 is all, not none
        { { .radius = 0.5f, .density = -1 }, NULL },
        { { .radius = 0.5f, .point_count = 99 }, NULL },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, cases[i].shape);
        add_body(&scene, FILO_BODY_STATIC, 0, -1, BOX(20, 1));
        expect_one_warning(&scene, cases[i].warning);
        assert_near(at(&scene, body).y, 0.5f, 0.01f);
        scene_close(&scene);
    }
}

FILO_TEST(a_shape_below_a_transform_that_is_no_number_does_not_collide) {
    Scene scene = scene_open(0);
    FiloEntity body = filo_create(scene.world, FILO_ADD(FiloBody2));
    FiloEntity part = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { NAN, 0 }),
                                  FILO_SET(FiloShape2, .radius = 0.5f));
    filo_entity_set_parent(scene.world, part, body);
    expect_one_warning(&scene,
                       "the shape of entity 1 does not collide: the transforms between it and its body are "
                       "numbers below 1e7");
    assert_true(is_finite_body(&scene, body));
    scene_close(&scene);
}

// ---- Joints -----------------------------------------------------------------------------------------------

FILO_TEST(joints_with_bad_fields_do_nothing_and_say_why) {
    static const char number[] = "joint 2 does nothing: it has a number that is not valid",
                      kind[] = "joint 2 does nothing: its kind is one of FiloJointKind",
                      negative[] =
                          "joint 2 does nothing: motor_force, motor_torque, break_force and break_torque are "
                          "not negative; for the other direction, set a negative motor_speed";
    enum { NO_B = 1, SAME = 2 };
    static const struct {
        FiloJoint2 joint;
        int bodies;
        const char *warning;
    } cases[] = {
        { { .kind = (FiloJointKind)77 }, 0, kind },
        { { .kind = (FiloJointKind)-1 }, 0, kind },
        { { 0 },
          NO_B,
          "joint 2 does nothing: it has no body b. To connect a body with the world, leave out a" },
        { { 0 }, SAME, "joint 2 does nothing: its bodies are the same" },
        { { .anchor_a = { NAN, 0 } }, 0, number },
        { { .anchor_b = { 0, INFINITY } }, 0, number },
        { { .kind = FILO_JOINT_PRISMATIC, .axis = { NAN, 1 } }, 0, number },
        { { .kind = FILO_JOINT_WELD, .angle = NAN }, 0, number },
        { { .kind = FILO_JOINT_DISTANCE, .length = NAN }, 0, number },
        { { .kind = FILO_JOINT_DISTANCE, .length = -1 }, 0, "joint 2 does nothing: its length is negative" },
        { { .flags = FILO_JOINT_LIMIT, .lower = NAN }, 0, number },
        { { .flags = FILO_JOINT_LIMIT, .lower = INFINITY, .upper = INFINITY }, 0, number },
        { { .flags = FILO_JOINT_SPRING, .hertz = NAN }, 0, number },
        { { .flags = FILO_JOINT_SPRING, .damping = INFINITY }, 0, number },
        { { .flags = FILO_JOINT_MOTOR, .motor_speed = NAN }, 0, number },
        { { .flags = FILO_JOINT_MOTOR, .motor_force = NAN }, 0, number },
        { { .kind = FILO_JOINT_DRIVE, .motor_torque = NAN }, 0, number },
        { { .break_force = NAN }, 0, number },
        { { .break_torque = NAN }, 0, number },
        { { .kind = FILO_JOINT_WELD, .linear_hertz = NAN }, 0, number },
        { { .kind = FILO_JOINT_GEAR, .ratio = INFINITY }, 0, number },
        { { .flags = FILO_JOINT_MOTOR, .motor_speed = 1, .motor_force = -10 }, 0, negative },
        { { .kind = FILO_JOINT_DRIVE, .motor_torque = -1 }, 0, negative },
        { { .break_force = -1 }, 0, negative },
        { { .break_torque = -1 }, 0, negative },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        FiloEntity anchor = add_body(&scene, FILO_BODY_STATIC, 0, 5, BALL(0.1f)),
                   ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.5f));
        FiloJoint2 joint = cases[i].joint;
        joint.a = cases[i].bodies == SAME ? ball : anchor;
        joint.b = cases[i].bodies == NO_B ? FILO_ENTITY_NONE : ball;
        filo_edit(scene.world, anchor, FiloShape2)->mask = 2; // it is in no layer: they do not collide
        FiloEntity entity = add_joint(&scene, joint);
        expect_one_warning(&scene, cases[i].warning);
        assert_true(is_finite_body(&scene, ball) && at(&scene, ball).y < -5); // nothing holds it
        filo_edit(scene.world, ball, FiloTransform2)->position = filo_vec2(0, 5);
        filo_edit(scene.world, ball, FiloBody2)->velocity = filo_vec2(0, 0);
        filo_set(scene.world, entity, FiloJoint2, .a = anchor, .b = ball);
        run(&scene, 60);
        assert_near(at(&scene, ball).y, 5, 0.01f); // a right one does
        scene_close(&scene);
    }
}

FILO_TEST(limits_that_are_reversed_hold_at_the_lower_one_and_infinite_ones_do_not_hold) {
    static const struct {
        float lower, upper, x; // where a push to the right ends
        bool moves;
        const char *warning;
    } cases[] = {
        { 2, 1, 2, false, "joint 1 has limits of 2 to 1: the lower one counts as both" },
        { -INFINITY, 3, 3, false, NULL },
        { -1, INFINITY, 0, true, NULL },
        { -INFINITY, INFINITY, 0, true, NULL },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        set_gravity(&scene, 0, -10);
        FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.5f));
        filo_edit(scene.world, ball, FiloBody2)->flags = FILO_BODY_FIXED_ROTATION | FILO_BODY_NO_SLEEP;
        FiloEntity joint = add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_PRISMATIC,
                                                           .b = ball,
                                                           .flags = FILO_JOINT_LIMIT,
                                                           .anchor_a = { 0, 5 },
                                                           .lower = cases[i].lower,
                                                           .upper = cases[i].upper });
        filo_edit(scene.world, ball, FiloBody2)->velocity.x = 10;
        expect_one_warning(&scene, cases[i].warning);
        assert_true(is_finite_body(&scene, ball));
        if (cases[i].moves)
            assert_true(at(&scene, ball).x > 10);
        else
            assert_near(at(&scene, ball).x, cases[i].x, 0.02f);
        Reports reports; // editing something else does not repeat it
        reports_begin(&reports);
        filo_edit(scene.world, joint, FiloJoint2)->motor_speed = 1;
        run(&scene, 2);
        reports_end(&reports);
        assert_warning(&reports, NULL);
        scene_close(&scene);
    }
}

FILO_TEST(joints_of_what_is_no_body_or_does_not_move_are_told_once) {
    for (int side = 0; side <= 1; side++) {
        Scene scene = scene_open(0);
        FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.5f)),
                   plain = filo_entity_create(scene.world);
        FiloJoint2 joint = { .a = side == 0 ? plain : ball, .b = side == 0 ? ball : plain };
        add_joint(&scene, joint);
        add_joint(&scene, joint);
        expect_one_warning(&scene, "joint 2 does nothing: entity 1, which it is to hold, has no FiloBody2");
        assert_true(at(&scene, ball).y < -5);
        scene_close(&scene);
    }
    Scene scene = scene_open(0);
    FiloEntity wall = add_ground(&scene), platform = add_body(&scene, FILO_BODY_KINEMATIC, 0, 5, BOX(1, 1));
    add_joint(&scene, (FiloJoint2){ .a = wall, .b = platform });
    add_joint(&scene, (FiloJoint2){ .b = platform });
    expect_one_warning(&scene, "joint 2 does nothing: neither of its bodies is dynamic");
    scene_close(&scene);
    // Bodies that are gone, or inactive, are no mistake.
    scene = scene_open(0);
    FiloEntity gone = add_ground(&scene), hidden = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.5f));
    add_joint(&scene, (FiloJoint2){ .a = gone, .b = hidden });
    filo_entity_set_active(scene.world, hidden, false);
    filo_entity_destroy(scene.world, gone);
    expect_one_warning(&scene, NULL);
    scene_close(&scene);
}

// ---- Areas ------------------------------------------------------------------------------------------------

FILO_TEST(areas_with_bad_fields_do_nothing_and_say_why) {
    static const char number[] = "area 0 does nothing: it has a number that is not valid",
                      sensor[] = "area 0 does nothing: it needs a shape with FILO_SHAPE_SENSOR on a body";
    enum { SOLID = 1, NO_SHAPE = 2 };
    static const struct {
        FiloArea2 area;
        int without;
        const char *warning;
    } cases[] = {
        { { .gravity = { NAN, 0 } }, 0, number },
        { { .gravity = { 0, INFINITY } }, 0, number },
        { { .pull = NAN }, 0, number },
        { { .damping = -1 }, 0, number },
        { { .damping = NAN }, 0, number },
        { { .angular_damping = -1 }, 0, number },
        { { .wind = { NAN, 0 }, .drag = 1 }, 0, number },
        { { .drag = -1 }, 0, number },
        { { .drag = INFINITY }, 0, number },
        { { .wind = { 5, 0 } }, 0, "area 0 has wind without drag, which does nothing" },
        { { .gravity = { 50, 0 } }, SOLID, sensor },
        { { .gravity = { 50, 0 } }, NO_SHAPE, sensor },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        FiloShape2 zone = BOX(50, 50);
        zone.flags = cases[i].without == SOLID ? 0 : FILO_SHAPE_SENSOR;
        zone.mask = cases[i].without == SOLID ? 2 : 0; // touches nothing
        FiloEntity area = add_body(&scene, FILO_BODY_STATIC, 0, 0, zone);
        if (cases[i].without == NO_SHAPE) filo_remove(scene.world, area, FiloShape2);
        filo_add(scene.world, area, FiloArea2);
        *filo_edit(scene.world, area, FiloArea2) = cases[i].area;
        FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 20, BALL(0.5f));
        expect_one_warning(&scene, cases[i].warning);
        assert_true(is_finite_body(&scene, ball));
        assert_near(at(&scene, ball).x, 0, 0);
        assert_near(at(&scene, ball).y, 20 - 0.5f * 9.81f * 4, 0.3f); // as without an area
        scene_close(&scene);
    }
}

// ---- Movers -----------------------------------------------------------------------------------------------

FILO_TEST(movers_with_bad_fields_are_reported_and_repaired) {
    static const char number[] = "mover 0 has a position, a velocity or a setting that is not valid, now 0";
    static const struct {
        FiloMover2 mover;
        const char *warning;
    } cases[] = {
        { { .velocity = { NAN, 0 } }, number },
        { { .up = { 0, INFINITY } }, number },
        { { .gravity_scale = NAN }, number },
        { { .maximum_slope = NAN }, number },
        { { .step_height = INFINITY }, number },
        { { .snap_distance = NAN }, number },
        { { .push_force = INFINITY }, number },
        { { .mass = NAN }, number },
        { { .floor_point = { NAN, 0 } }, number },
        { { .maximum_slope = 50 }, "mover 0 has a maximum_slope of 50: angles are in radians" },
        { { .maximum_slope = -1, .step_height = -1, .snap_distance = -1, .push_force = -1, .mass = -1 },
          NULL },
        { { .state = UINT32_MAX & ~(uint32_t)FILO_MOVER_INVALID, .floor = { 12345 }, .wall = { 9 } }, NULL },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        FiloShape2 ball = BALL(0.5f);
        FiloMover2 component = cases[i].mover;
        FiloEntity mover =
            filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 0, 2 }),
                        FILO_SET_COPY(FiloShape2, &ball), FILO_SET_COPY(FiloMover2, &component));
        add_body(&scene, FILO_BODY_STATIC, 0, -1, BOX(20, 1));
        expect_one_warning(&scene, cases[i].warning);
        assert_near(at(&scene, mover).y, 0.51f, 0.006f);
        assert_int_equal(filo_get(scene.world, mover, FiloMover2)->state, FILO_MOVER_ON_FLOOR);
        scene_close(&scene);
    }
}

FILO_TEST(movers_that_cannot_move_say_why) {
    Scene scene = scene_open(0);
    FiloEntity mover = filo_create(scene.world, FILO_ADD(FiloMover2)); // its shape is one of zeroes
    expect_one_warning(&scene,
                       "mover 0 does not move: a circle, which is the default kind, has a radius above 0");
    assert_near(at(&scene, mover).y, 0, 0);
    assert_int_equal(filo_get(scene.world, mover, FiloMover2)->state, FILO_MOVER_INVALID);
    scene_close(&scene);
    static const FiloBodyKind kinds[] = { FILO_BODY_DYNAMIC, FILO_BODY_STATIC };
    for (size_t i = 0; i < FILO_COUNT_OF(kinds); i++) {
        scene = scene_open(0);
        mover = add_body(&scene, kinds[i], 0, 5, BALL(0.5f));
        filo_add(scene.world, mover, FiloMover2);
        expect_one_warning(&scene, "mover 0 has a body that is not kinematic, and both move it: set "
                                   "FILO_BODY_KINEMATIC, or remove FiloBody2");
        scene_close(&scene);
    }
}

// ---- Settings ---------------------------------------------------------------------------------------------

#define DEFAULT(name, value)                                                                                 \
    "FiloPhysics2." name " is " value ", which is not valid: the default value counts"

FILO_TEST(settings_that_cannot_be_are_reported_and_count_as_the_default_value) {
    static const struct {
        FiloPhysics2 settings;
        const char *warning;
    } cases[] = {
        { { .sub_steps = 17 }, "FiloPhysics2.sub_steps is 17: 16 are the most" },
        { { .sub_steps = UINT32_MAX }, "FiloPhysics2.sub_steps is 4294967295: 16 are the most" },
        { { .unit = -1 }, DEFAULT("unit", "-1") },
        { { .unit = NAN }, DEFAULT("unit", "nan") },
        { { .contact_hertz = -30 }, DEFAULT("contact_hertz", "-30") },
        { { .contact_damping = INFINITY }, DEFAULT("contact_damping", "inf") },
        { { .push_speed = NAN }, DEFAULT("push_speed", "nan") },
        { { .restitution_speed = -1 }, DEFAULT("restitution_speed", "-1") },
        { { .hit_speed = -1 }, DEFAULT("hit_speed", "-1") },
        { { .maximum_speed = -400 }, DEFAULT("maximum_speed", "-400") },
        { { .sleep_speed = -0.5f }, DEFAULT("sleep_speed", "-0.5") },
        { { .sleep_time = -1 }, DEFAULT("sleep_time", "-1") },
        { { .sub_steps = 0 }, NULL },
        { { .sub_steps = 16, .unit = 2, .contact_hertz = 1000 }, NULL },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        FiloPhysics2 *settings = filo_edit_global(scene.world, FiloPhysics2);
        *settings = cases[i].settings;
        settings->gravity = filo_vec2(0, -9.81f);
        expect_one_warning(&scene, cases[i].warning);
        settings = filo_edit_global(scene.world, FiloPhysics2); // another value is reported again
        settings->sleep_time = -7;
        settings->sub_steps = 0;
        settings->unit = settings->contact_hertz = settings->contact_damping = settings->push_speed = 0;
        settings->restitution_speed = settings->hit_speed = settings->maximum_speed = settings->sleep_speed =
            0;
        Reports reports;
        reports_begin(&reports);
        run(&scene, 10);
        reports_end(&reports);
        assert_warning(&reports, DEFAULT("sleep_time", "-7"));
        scene_close(&scene);
    }
}

FILO_TEST(gravity_that_is_no_number_is_reported_and_is_none) {
    static const struct {
        FiloVec2 gravity;
        const char *warning;
    } cases[] = {
        { { NAN, -9.81f }, "FiloPhysics2.gravity is nan, -9.81, which is not valid: there is none" },
        { { 0, -INFINITY }, "FiloPhysics2.gravity is 0, -inf, which is not valid: there is none" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.5f));
        filo_edit_global(scene.world, FiloPhysics2)->gravity = cases[i].gravity;
        Reports reports;
        reports_begin(&reports);
        run(&scene, 10);
        reports_end(&reports);
        assert_warning(&reports, cases[i].warning);
        assert_near(at(&scene, ball).y, 5, 0);
        set_gravity(&scene, 0, -10);
        run(&scene, 10);
        assert_true(at(&scene, ball).y < 5);
        scene_close(&scene);
    }
}
