// Debug drawing: what is drawn, and that it changes nothing.

#include "physics2d/scene.h"
#include "support/malloc_count.h"

typedef struct Drawn {
    int polygons, circles, capsules, segments, points, texts;
    FiloColor color;
    FiloVec2 first;
    char text[16];
} Drawn;

static void polygon(const FiloVec2 *points, size_t count, float radius, FiloColor color, void *user) {
    Drawn *drawn = user;
    assert_true(count >= 3 && count <= FILO_SHAPE_POINTS && radius >= 0);
    drawn->polygons++;
    drawn->color = color;
    drawn->first = points[0];
}
static void circle(FiloVec2 centre, float radius, float angle, FiloColor color, void *user) {
    Drawn *drawn = user;
    assert_true(radius > 0 && filo_abs(angle) < 4);
    drawn->circles++;
    drawn->color = color;
    drawn->first = centre;
}
static void capsule(FiloVec2 a, FiloVec2 b, float radius, FiloColor color, void *user) {
    Drawn *drawn = user;
    assert_true(filo_vec2_distance(a, b) > 0 && radius > 0 && color.a == 255);
    drawn->capsules++;
}
static void segment(FiloVec2 a, FiloVec2 b, FiloColor color, void *user) {
    Drawn *drawn = user;
    assert_true(filo_abs(a.x) < 1e4f && filo_abs(b.y) < 1e4f && color.a == 255);
    drawn->segments++;
}
static void point(FiloVec2 at_point, FiloColor color, void *user) {
    Drawn *drawn = user;
    assert_true(filo_abs(at_point.x) < 1e4f && color.a == 255);
    drawn->points++;
}
static void text(FiloVec2 at_point, const char *string, FiloColor color, void *user) {
    Drawn *drawn = user;
    assert_true(filo_abs(at_point.x) < 1e4f && color.a == 255);
    drawn->texts++;
    filo_string_copy(filo_string(string), drawn->text, sizeof drawn->text);
}

static Drawn draw(const Scene *scene, uint32_t flags, FiloRect view) {
    Drawn drawn = { 0 };
    filo_physics2_debug_draw(scene->world, &(FiloPhysics2Debug){ .flags = flags,
                                                                 .view = view,
                                                                 .polygon = polygon,
                                                                 .circle = circle,
                                                                 .capsule = capsule,
                                                                 .segment = segment,
                                                                 .point = point,
                                                                 .text = text,
                                                                 .user = &drawn });
    return drawn;
}

static const FiloRect everything = { 0 };

static Scene make_scene(void) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 5, 0.5f, BALL(0.5f));
    add_body(&scene, FILO_BODY_KINEMATIC, 9, 3, CAPSULE(1, 0.3f));
    add_body(&scene, FILO_BODY_STATIC, 0, 0,
             (FiloShape2){ .kind = FILO_SHAPE_SEGMENT, .points = { { -9, 1 }, { -8, 2 } } });
    filo_create(scene.world, FILO_SET(FiloJoint2, .kind = FILO_JOINT_DISTANCE, .flags = FILO_JOINT_SPRING,
                                      .a = box, .b = ball, .length = 5));
    filo_create(scene.world, FILO_SET(FiloTransform2, .position = { -4, 0.5f }),
                FILO_SET(FiloShape2, .kind = FILO_SHAPE_CIRCLE, .radius = 0.4f), FILO_ADD(FiloMover2));
    run(&scene, 5);
    return scene;
}

FILO_TEST(each_flag_draws_its_part) {
    Scene scene = make_scene();
    Drawn drawn = draw(&scene, FILO_PHYSICS2_DEBUG_SHAPES, everything);
    assert_int_equal(drawn.polygons, 2);
    assert_int_equal(drawn.circles, 1);
    assert_int_equal(drawn.capsules, 1);
    assert_int_equal(drawn.segments, 1);
    assert_int_equal(drawn.points + drawn.texts, 0);
    drawn = draw(&scene, FILO_PHYSICS2_DEBUG_JOINTS, everything);
    assert_int_equal(drawn.segments, 3);
    assert_int_equal(drawn.points, 2);
    drawn = draw(&scene, FILO_PHYSICS2_DEBUG_CONTACTS, everything);
    assert_int_equal(drawn.points, 3); // two of the box, one of the ball
    assert_int_equal(drawn.segments, 3);
    assert_int_equal(draw(&scene, FILO_PHYSICS2_DEBUG_IMPULSES, everything).segments, 6);
    assert_int_equal(draw(&scene, FILO_PHYSICS2_DEBUG_BOXES, everything).segments, 5 * 4);
    assert_int_equal(draw(&scene, FILO_PHYSICS2_DEBUG_CENTRES, everything).segments, 5 * 2);
    assert_int_equal(draw(&scene, FILO_PHYSICS2_DEBUG_VELOCITIES, everything).segments, 3);
    drawn = draw(&scene, FILO_PHYSICS2_DEBUG_MOVERS, everything);
    assert_int_equal(drawn.circles, 1);
    assert_near(drawn.first.x, -4, 1e-3f);
    drawn = draw(&scene, FILO_PHYSICS2_DEBUG_NUMBERS, everything);
    assert_int_equal(drawn.texts, 5);
    assert_true(drawn.text[0] >= '0' && drawn.text[0] <= '9');
    drawn = draw(&scene, 0, everything);
    assert_int_equal(drawn.polygons + drawn.segments, 0);
    scene_close(&scene);
}

FILO_TEST(what_is_out_of_view_is_left_out) {
    Scene scene = make_scene();
    FiloRect view = filo_rect(filo_vec2(4, -0.5f), filo_vec2(6, 2));
    Drawn drawn = draw(&scene, FILO_PHYSICS2_DEBUG_SHAPES | FILO_PHYSICS2_DEBUG_MOVERS, view);
    assert_int_equal(drawn.circles, 1);
    assert_int_equal(drawn.polygons, 1); // the ground
    assert_int_equal(drawn.capsules, 0);
    view = filo_rect(filo_vec2(1000, 1000), filo_vec2(1001, 1001));
    drawn = draw(&scene, UINT32_MAX, view);
    assert_int_equal(drawn.circles + drawn.polygons + drawn.segments + drawn.points + drawn.texts, 0);
    scene_close(&scene);
}

FILO_TEST(colours_tell_what_a_body_does) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BALL(1));
    run(&scene, 1);
    FiloColor awake = draw(&scene, FILO_PHYSICS2_DEBUG_SHAPES, everything).color;
    run(&scene, 60);
    FiloColor asleep = draw(&scene, FILO_PHYSICS2_DEBUG_SHAPES, everything).color;
    FiloColor island =
        draw(&scene, FILO_PHYSICS2_DEBUG_SHAPES | FILO_PHYSICS2_DEBUG_ISLANDS, everything).color;
    filo_edit(scene.world, ball, FiloShape2)->flags = FILO_SHAPE_SENSOR;
    run(&scene, 1);
    FiloColor sensor = draw(&scene, FILO_PHYSICS2_DEBUG_SHAPES, everything).color;
    FiloColor all[] = { awake, asleep, island, sensor };
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < i; k++) assert_memory_not_equal(&all[i], &all[k], sizeof(FiloColor));
    scene_close(&scene);
}

FILO_TEST(trees_are_drawn_and_nothing_changes_or_allocates) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    for (int i = 0; i < 200; i++)
        add_body(&scene, FILO_BODY_DYNAMIC, (float)(i % 20), 1 + (float)i, BALL(0.4f));
    run(&scene, 30);
    uint64_t hash = filo_world_hash(scene.world), calls = filo_test_malloc_calls(),
             system = filo_memory_system_calls();
    Drawn drawn = draw(&scene, FILO_PHYSICS2_DEBUG_TREES, everything);
    assert_true(drawn.segments >= 25 * 4);
    drawn = draw(&scene, UINT32_MAX, everything);
    assert_int_equal(drawn.circles, 200);
    assert_int_equal(filo_test_malloc_calls(), calls);
    assert_int_equal(filo_memory_system_calls(), system);
    assert_true(filo_world_hash(scene.world) == hash);
    // Functions that are missing are not called.
    filo_physics2_debug_draw(scene.world, &(FiloPhysics2Debug){ .flags = UINT32_MAX });
    expect_fault("pass a FiloPhysics2Debug", filo_physics2_debug_draw(scene.world, NULL));
    scene_close(&scene);
}
