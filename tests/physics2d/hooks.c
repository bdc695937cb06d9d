// Hooks of the game, one-way shapes, conveyor belts, and how friction and restitution mix.

#include "physics2d/scene.h"

static FiloEntity add_flagged(const Scene *scene, FiloBodyKind kind, float x, float y, FiloShape2 shape,
                              uint32_t flags) {
    shape.flags |= flags;
    return add_body(scene, kind, x, y, shape);
}

static void set_velocity(const Scene *scene, FiloEntity body, float x, float y) {
    filo_edit(scene->world, body, FiloBody2)->velocity = filo_vec2(x, y);
}

// ---- The filter -------------------------------------------------------------------------------------------

typedef struct Filter {
    FiloEntity ghost; // collides with nothing
} Filter;

static bool refuse_ghost(const FiloWorld *world, FiloEntity a, FiloEntity b, void *user) {
    const Filter *filter = user;
    assert_true(filo_has(world, a, FiloShape2) && filo_has(world, b, FiloShape2));
    return !filo_entity_equal(a, filter->ghost) && !filo_entity_equal(b, filter->ghost);
}

FILO_TEST(a_filter_decides_what_collides) {
    Scene scene = scene_open(2);
    Filter filter;
    add_ground(&scene);
    FiloEntity ghost = add_flagged(&scene, FILO_BODY_DYNAMIC, 0, 1, BALL(0.5f), FILO_SHAPE_FILTER);
    FiloEntity plain = add_flagged(&scene, FILO_BODY_DYNAMIC, 5, 1, BALL(0.5f), FILO_SHAPE_FILTER);
    FiloEntity fast = add_flagged(&scene, FILO_BODY_DYNAMIC, 10, 1, BALL(0.1f), FILO_SHAPE_FILTER);
    set_velocity(&scene, fast, 0, -300); // fast bodies ask as well
    filter.ghost = ghost;
    assert_true(filo_physics2_set_hooks(scene.world,
                                        &(FiloPhysics2Hooks){ .filter = refuse_ghost, .user = &filter }));
    run(&scene, 90);
    assert_true(at(&scene, ghost).y < -5);
    assert_near(at(&scene, plain).y, 0.5f, 0.01f);
    assert_near(at(&scene, fast).y, 0.1f, 0.01f);
    filter.ghost = fast;
    set_velocity(&scene, fast, 0, 20);
    run(&scene, 5);
    set_velocity(&scene, fast, 0, -300);
    run(&scene, 10);
    assert_true(at(&scene, fast).y < -5);
    // Without hooks, all collide.
    assert_true(filo_physics2_set_hooks(scene.world, NULL));
    FiloEntity again = add_flagged(&scene, FILO_BODY_DYNAMIC, 20, 1, BALL(0.5f), FILO_SHAPE_FILTER);
    run(&scene, 90);
    assert_near(at(&scene, again).y, 0.5f, 0.01f);
    scene_close(&scene);
}

// ---- Before solving ---------------------------------------------------------------------------------------

// Solid for what comes from above, by hand.
static void solid_from_above(const FiloWorld *world, FiloSolve2 *contact, void *user) {
    FILO_UNUSED(world);
    const FiloEntity *platform = user;
    float up = filo_entity_equal(contact->a, *platform) ? contact->normal.y : -contact->normal.y;
    if (up < 0.5f || contact->speed < 0 || contact->separation < -0.2f) contact->disabled = true;
}

FILO_TEST(a_hook_makes_a_platform_one_way) {
    Scene scene = scene_open(0);
    FiloEntity platform = add_flagged(&scene, FILO_BODY_STATIC, 0, 0, BOX(5, 0.1f), FILO_SHAPE_BEFORE_SOLVE);
    FiloEntity above = add_body(&scene, FILO_BODY_DYNAMIC, -2, 2, BALL(0.3f));
    FiloEntity below = add_body(&scene, FILO_BODY_DYNAMIC, 2, -2, BALL(0.3f));
    set_velocity(&scene, below, 0, 9);
    assert_true(filo_physics2_set_hooks(
        scene.world, &(FiloPhysics2Hooks){ .before_solve = solid_from_above, .user = &platform }));
    run(&scene, 30);
    assert_true(at(&scene, below).y > 0.5f);
    run(&scene, 150);
    assert_near(at(&scene, above).y, 0.4f, 0.01f);
    assert_near(at(&scene, below).y, 0.4f, 0.01f);
    scene_close(&scene);
}

typedef struct Belt {
    FiloEntity entity;
    float speed, friction, restitution;
} Belt;

static void change_contact(const FiloWorld *world, FiloSolve2 *contact, void *user) {
    FILO_UNUSED(world);
    const Belt *belt = user;
    assert_near(contact->friction, 0.6f, 1e-5f); // as mixed, in each step
    assert_near(contact->surface_speed, 0, 1e-5f);
    bool is_a = filo_entity_equal(contact->a, belt->entity);
    assert_true(is_a || filo_entity_equal(contact->b, belt->entity));
    contact->surface_speed = belt->speed;
    contact->friction = belt->friction;
    contact->restitution = belt->restitution;
}

FILO_TEST(a_hook_moves_what_lies_on_a_conveyor_belt) {
    Scene scene = scene_open(0);
    FiloEntity ground = add_ground(&scene);
    filo_edit(scene.world, ground, FiloShape2)->flags = FILO_SHAPE_BEFORE_SOLVE;
    Belt belt = { .entity = ground, .speed = 2, .friction = 0.6f };
    filo_physics2_set_hooks(scene.world,
                            &(FiloPhysics2Hooks){ .before_solve = change_contact, .user = &belt });
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 120);
    float speed = body_of(&scene, box).velocity.x;
    assert_near(speed, -2, 0.05f); // counter-clockwise: to the left on top
    // As the field of the shape does.
    Scene other = scene_open(0);
    FiloEntity field = add_ground(&other);
    filo_edit(other.world, field, FiloShape2)->surface_speed = 2;
    FiloEntity second = add_body(&other, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    run(&other, 120);
    assert_near(body_of(&other, second).velocity.x, speed, 1e-3f);
    scene_close(&other);
    scene_close(&scene);
}

FILO_TEST(a_hook_changes_friction_and_restitution) {
    Scene scene = scene_open(0);
    FiloEntity ground = add_ground(&scene);
    filo_edit(scene.world, ground, FiloShape2)->flags = FILO_SHAPE_BEFORE_SOLVE;
    Belt ice = { .entity = ground, .friction = -5, .restitution = 1 }; // no friction
    filo_physics2_set_hooks(scene.world,
                            &(FiloPhysics2Hooks){ .before_solve = change_contact, .user = &ice });
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    set_velocity(&scene, box, 5, 0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 30, 3, BALL(0.5f));
    float highest = 0;
    for (int i = 0; i < 180; i++) {
        run(&scene, 1);
        if (i > 60) highest = filo_max(highest, at(&scene, ball).y);
    }
    assert_near(body_of(&scene, box).velocity.x, 5, 0.01f);
    assert_true(highest > 2.7f);
    scene_close(&scene);
}

static void disable(const FiloWorld *world, FiloSolve2 *contact, void *user) {
    FILO_UNUSED(world);
    FILO_UNUSED(user);
    contact->disabled = true;
    contact->friction = 0.0f / (contact->friction - contact->friction); // no number
}

FILO_TEST(a_fast_body_passes_what_a_hook_disables) {
    Scene scene = scene_open(0);
    add_flagged(&scene, FILO_BODY_STATIC, 0, 0, BOX(5, 0.1f), FILO_SHAPE_BEFORE_SOLVE);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 20, BALL(0.2f));
    set_velocity(&scene, ball, 0, -300);
    filo_physics2_set_hooks(scene.world, &(FiloPhysics2Hooks){ .before_solve = disable });
    run(&scene, 10);
    assert_true(at(&scene, ball).y < -20);
    scene_close(&scene);
}

// ---- One way ----------------------------------------------------------------------------------------------

static void jump_through(FiloShape2 platform, FiloShape2 shape, float half, float speed) {
    Scene scene = scene_open(0);
    add_flagged(&scene, FILO_BODY_STATIC, 0, 0, platform, FILO_SHAPE_ONE_WAY);
    FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, -3, shape);
    filo_edit(scene.world, body, FiloBody2)->velocity.y = speed;
    float highest = -3;
    for (int i = 0; i < 400; i++) {
        float before = body_of(&scene, body).velocity.y;
        run(&scene, 1);
        highest = filo_max(highest, at(&scene, body).y);
        float change = body_of(&scene, body).velocity.y - before;
        // Nothing slows it on its way up.
        if (before > 0.5f && filo_abs(change + 9.81f / 60) > 0.02f)
            fail_msg("speed %g: %g at %g", (double)speed, (double)change, (double)at(&scene, body).y);
    }
    float top = platform.kind == FILO_SHAPE_SEGMENT ? 0 : platform.half_size.y;
    float peak = -3 + speed * speed / (2 * 9.81f);
    if (peak > top + half + 0.05f)
        assert_near(at(&scene, body).y, top + half, 0.02f); // it landed
    else if (peak < top + half - 0.1f)
        assert_true(at(&scene, body).y < -10); // it fell back
    assert_near(highest, filo_max(peak, -3), 0.15f);
    scene_close(&scene);
}

FILO_TEST(bodies_jump_through_one_way_platforms_and_land) {
    FiloShape2 segment = { .kind = FILO_SHAPE_SEGMENT, .points = { { -5, 0 }, { 5, 0 } } };
    FiloShape2 platforms[] = { BOX(5, 0.1f), BOX(5, 0.5f), segment };
    float speeds[] = { 5, 7.6f, 7.9f, 8.5f, 10, 20, 100 };
    for (size_t i = 0; i < FILO_COUNT_OF(platforms); i++)
        for (size_t k = 0; k < FILO_COUNT_OF(speeds); k++) {
            if (speeds[k] > 15 && i != 1) continue; // they would fly for a long time
            if (speeds[k] > 50) continue;
            jump_through(platforms[i], BALL(0.3f), 0.3f, speeds[k]);
            jump_through(platforms[i], BOX(0.3f, 0.5f), 0.5f, speeds[k]);
        }
}

FILO_TEST(fast_bodies_land_on_one_way_platforms_from_the_front_only) {
    FiloShape2 segment = { .kind = FILO_SHAPE_SEGMENT, .points = { { -5, 0 }, { 5, 0 } } };
    FiloShape2 platforms[] = { BOX(5, 0.1f), segment };
    for (size_t i = 0; i < FILO_COUNT_OF(platforms); i++) {
        Scene scene = scene_open(0);
        add_flagged(&scene, FILO_BODY_STATIC, 0, 0, platforms[i], FILO_SHAPE_ONE_WAY);
        FiloEntity down = add_body(&scene, FILO_BODY_DYNAMIC, -2, 30, BALL(0.2f)),
                   up = add_body(&scene, FILO_BODY_DYNAMIC, 2, -30, BALL(0.2f));
        set_velocity(&scene, down, 0, -200);
        set_velocity(&scene, up, 0, 200);
        run(&scene, 30);
        assert_true(at(&scene, down).y > 0 && at(&scene, down).y < 0.4f);
        assert_true(at(&scene, up).y > 50);
        scene_close(&scene);
    }
}

FILO_TEST(a_one_way_shape_has_any_direction_and_turns_with_its_body) {
    Scene scene = scene_open(0);
    FiloShape2 wall = BOX(0.1f, 5);
    wall.one_way = filo_vec2(-3, 0); // lets pass to the left
    FiloEntity body = add_flagged(&scene, FILO_BODY_STATIC, 0, 0, wall, FILO_SHAPE_ONE_WAY);
    set_gravity(&scene, 0, 0);
    FiloEntity from_left = add_body(&scene, FILO_BODY_DYNAMIC, -3, 1, BALL(0.3f)),
               from_right = add_body(&scene, FILO_BODY_DYNAMIC, 3, -1, BALL(0.3f));
    set_velocity(&scene, from_left, 4, 0);
    set_velocity(&scene, from_right, -4, 0);
    run(&scene, 90);
    assert_near(at(&scene, from_left).x, -0.4f, 0.02f);
    assert_near(at(&scene, from_right).x, -3, 0.1f);
    filo_edit(scene.world, body, FiloTransform2)->rotation = FILO_PI;
    set_velocity(&scene, from_right, 4, 0);
    run(&scene, 120);
    assert_true(at(&scene, from_right).x > 2);
    scene_close(&scene);
}

static void drop_all(const FiloWorld *world, FiloSolve2 *contact, void *user) {
    FILO_UNUSED(world);
    if (*(bool *)user) contact->disabled = true;
}

FILO_TEST(a_hook_drops_a_body_through_a_one_way_platform) {
    Scene scene = scene_open(0);
    bool drop = false;
    add_flagged(&scene, FILO_BODY_STATIC, 0, 0, BOX(5, 0.3f), FILO_SHAPE_ONE_WAY | FILO_SHAPE_BEFORE_SOLVE);
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.8f, BOX(0.5f, 0.5f));
    filo_physics2_set_hooks(scene.world, &(FiloPhysics2Hooks){ .before_solve = drop_all, .user = &drop });
    run(&scene, 20);
    drop = true;
    run(&scene, 1);
    drop = false; // one step is enough
    run(&scene, 90);
    assert_true(at(&scene, box).y < -3);
    scene_close(&scene);
}

// ---- Mixing -----------------------------------------------------------------------------------------------

static float mixed_friction(float a, FiloMix mix_a, float b, FiloMix mix_b) {
    Scene scene = scene_open(0);
    no_sleep(&scene);
    FiloShape2 floor = BOX(200, 1), shape = BOX(0.5f, 0.5f);
    floor.friction = a;
    floor.friction_mix = mix_a;
    shape.friction = b;
    shape.friction_mix = mix_b;
    add_body(&scene, FILO_BODY_STATIC, 0, -1, floor);
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, shape);
    run(&scene, 10);
    filo_edit(scene.world, box, FiloBody2)->velocity.x = 10;
    run(&scene, 30);
    float slower = 10 - body_of(&scene, box).velocity.x;
    scene_close(&scene);
    return slower / (9.81f * 0.5f);
}

FILO_TEST(friction_mixes_as_chosen) {
    assert_near(mixed_friction(0.2f, FILO_MIX_DEFAULT, 0.8f, FILO_MIX_DEFAULT), 0.4f, 0.01f);
    assert_near(mixed_friction(0.2f, FILO_MIX_AVERAGE, 0.8f, FILO_MIX_DEFAULT), 0.5f, 0.01f);
    assert_near(mixed_friction(0.2f, FILO_MIX_GEOMETRIC, 0.8f, FILO_MIX_AVERAGE), 0.4f, 0.01f);
    assert_near(mixed_friction(0.2f, FILO_MIX_AVERAGE, 0.8f, FILO_MIX_MINIMUM), 0.2f, 0.01f);
    assert_near(mixed_friction(0.2f, FILO_MIX_MULTIPLY, 0.8f, FILO_MIX_MINIMUM), 0.16f, 0.01f);
    assert_near(mixed_friction(0.2f, FILO_MIX_MULTIPLY, 0.8f, FILO_MIX_MAXIMUM), 0.8f, 0.01f);
    assert_near(mixed_friction(0.2f, (FiloMix)77, 0.8f, (FiloMix)-1), 0.4f, 0.01f);
}

FILO_TEST(restitution_mixes_as_chosen) {
    struct {
        FiloMix mix;
        float height;
    } cases[] = { { FILO_MIX_DEFAULT, 1 }, { FILO_MIX_MINIMUM, 0.25f }, { FILO_MIX_AVERAGE, 0.5625f } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Scene scene = scene_open(0);
        FiloShape2 floor = BOX(200, 1), ball = BALL(0.5f);
        floor.restitution = 0.5f;
        ball.restitution = 1;
        ball.restitution_mix = cases[i].mix;
        add_body(&scene, FILO_BODY_STATIC, 0, -1, floor);
        FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5.5f, ball);
        float highest = 0;
        for (int k = 0; k < 180; k++) {
            run(&scene, 1);
            if (body_of(&scene, body).velocity.y > 0) highest = filo_max(highest, at(&scene, body).y - 0.5f);
            if (highest > 0 && body_of(&scene, body).velocity.y < 0) break;
        }
        assert_near(highest, 5 * cases[i].height, 0.3f);
        scene_close(&scene);
    }
}
