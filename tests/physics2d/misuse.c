// Every public function with what the caller must not pass, and where it must not be called: each mistake has one message, says
// it to the letter, changes nothing, and the world goes on. Mistakes in components are in misuse_components.c.

#include "physics2d/misuse.h"

// A world in which a ball falls beside a wall, and entities that are no bodies.
typedef struct Place {
    Scene scene;
    FiloWorld *world; // that is passed: that of the scene, one without physics, or NULL
    FiloEntity wall, ball, plain, gone;
} Place;

static const FiloVec2 square[] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
static const FiloShape2 small = { .radius = 0.2f };
static const FiloVec2 o = { 0, 0 }, far_off = { 50, 50 }, nan_x = { NAN, 0 };
static const FiloTransform2 here = { 0 };

static Place open_place(int threads) {
    Place place = { .scene = scene_open(threads) };
    const Scene *scene = &place.scene;
    place.world = scene->world;
    place.wall = add_body(scene, FILO_BODY_STATIC, 5, 0, BOX(1, 1));
    place.ball = add_body(scene, FILO_BODY_DYNAMIC, 0, 0, BALL(0.5f));
    place.plain = filo_entity_create(scene->world);
    place.gone = add_body(scene, FILO_BODY_DYNAMIC, 9, 0, BALL(0.5f));
    run(scene, 2);
    filo_entity_destroy(scene->world, place.gone);
    return place;
}

// The rest of the world: the ball falls on, and is found where it is.
static void assert_goes_on(Place *place) {
    float y = at(&place->scene, place->ball).y;
    run(&place->scene, 2);
    FiloVec2 now = at(&place->scene, place->ball);
    FiloEntity found = { 0 };
    assert_true(now.y < y && now.x == 0);
    assert_int_equal(filo_physics2_overlap_point(place->scene.world, now, NULL, &found, 1), 1);
    assert_true(filo_entity_equal(found, place->ball));
}

// ---- The world --------------------------------------------------------------------------------------------

// All functions that take a world and need physics there. What each returns is harmless.
static void stats(Place *p) { assert_int_equal(filo_physics2_stats(p->world).bodies, 0); }
static void set_hooks(Place *p) {
    assert_false(filo_physics2_set_hooks(p->world, &(FiloPhysics2Hooks){ 0 }));
}
static void add_chain(Place *p) {
    assert_int_equal(filo_physics2_add_chain(p->world, p->ball, square, 4, NULL).code, FILO_ERROR_ARGUMENT);
}
static void add_outline(Place *p) {
    assert_int_equal(filo_physics2_add_outline(p->world, p->ball, square, 4, NULL).code, FILO_ERROR_ARGUMENT);
}
static void joint_force(Place *p) { assert_near(filo_physics2_joint_force(p->world, p->ball).torque, 0, 0); }
static void contacts(Place *p) { assert_int_equal(filo_physics2_contacts(p->world, p->ball, NULL, 0), 0); }
static void mass(Place *p) { assert_near(filo_physics2_mass(p->world, p->ball).mass, 0, 0); }
static void impulse(Place *p) { assert_false(filo_physics2_impulse(p->world, p->ball, far_off, o)); }
static void angular_impulse(Place *p) { assert_false(filo_physics2_angular_impulse(p->world, p->ball, 3)); }
static void force(Place *p) { assert_false(filo_physics2_force(p->world, p->ball, far_off, o)); }
static void explode(Place *p) {
    FiloExplosion2 bomb = { .radius = 9, .impulse = 3 };
    assert_int_equal(filo_physics2_explode(p->world, &bomb), 0);
}
static void debug_draw(Place *p) { filo_physics2_debug_draw(p->world, &(FiloPhysics2Debug){ .flags = 1 }); }
static void ray(Place *p) {
    FiloHit2 hit = { .fraction = 7 };
    assert_false(filo_physics2_ray(p->world, far_off, o, NULL, &hit));
    assert_near(hit.fraction, 0, 0);
}
static void ray_all(Place *p) {
    FiloHit2 hit;
    assert_int_equal(filo_physics2_ray_all(p->world, far_off, o, NULL, &hit, 1), 0);
}
static void cast(Place *p) {
    FiloHit2 hit = { .fraction = 7 };
    assert_false(filo_physics2_cast(p->world, &small, &here, far_off, NULL, &hit));
    assert_near(hit.fraction, 0, 0);
}
static void cast_all(Place *p) {
    FiloHit2 hit;
    assert_int_equal(filo_physics2_cast_all(p->world, &small, &here, far_off, NULL, &hit, 1), 0);
}
static void overlap(Place *p) {
    FiloEntity found;
    assert_int_equal(filo_physics2_overlap(p->world, &small, &here, NULL, &found, 1), 0);
}
static void overlap_point(Place *p) {
    FiloEntity found;
    assert_int_equal(filo_physics2_overlap_point(p->world, o, NULL, &found, 1), 0);
}
static void overlap_circle(Place *p) {
    FiloEntity found;
    assert_int_equal(filo_physics2_overlap_circle(p->world, o, 1, NULL, &found, 1), 0);
}
static void overlap_box(Place *p) {
    FiloEntity found;
    assert_int_equal(filo_physics2_overlap_box(p->world, o, far_off, NULL, &found, 1), 0);
}
static void nearest(Place *p) {
    FiloNear2 near = { .distance = 7 };
    assert_false(filo_physics2_nearest(p->world, o, 99, NULL, &near));
    assert_near(near.distance, 0, 0);
}
static void closest(Place *p) {
    FiloNear2 near = { .distance = 7 };
    assert_false(filo_physics2_closest(p->world, p->ball, o, &near));
    assert_near(near.distance, 0, 0);
}
static void distance(Place *p) {
    FiloDistance2 between = { .distance = 7 };
    assert_false(filo_physics2_distance(p->world, p->ball, p->wall, &between));
    assert_near(between.distance, 0, 0);
}
static void move(Place *p) {
    FiloTransform2 transform = { .position = { 0, 20 } };
    FiloMover2 mover = { .velocity = { 1, 1 } };
    assert_false(filo_physics2_move(p->world, FILO_ENTITY_NONE, &small, &transform, &mover, 0.1f));
    assert_true(transform.position.y == 20 && mover.velocity.y == 1);
}

typedef void (*Call)(Place *place);
static const Call calls[] = {
    stats,   set_hooks,     add_chain,      add_outline, joint_force, contacts, mass,     impulse,
    force,   explode,       debug_draw,     ray,         ray_all,     cast,     cast_all, angular_impulse,
    overlap, overlap_point, overlap_circle, overlap_box, nearest,     closest,  distance, move,
};

FILO_TEST(no_world_and_a_world_without_physics_are_mistakes_of_every_function) {
    Place place = open_place(0);
    FiloWorld *bare;
    assert_ok(filo_world_create(&bare, NULL));
    for (size_t i = 0; i < FILO_COUNT_OF(calls); i++) {
        Reports reports;
        place.world = NULL;
        reports_begin(&reports);
        calls[i](&place);
        reports_end(&reports);
        assert_fault(&reports, "pass a world");
        place.world = bare;
        reports_begin(&reports);
        calls[i](&place);
        reports_end(&reports);
        assert_fault(&reports, "call filo_physics2_register for this world first");
        assert_goes_on(&place);
    }
    expect_fault("pass the world that is to have physics", assert_false(filo_physics2_register(NULL)));
    expect_fault("pass a world", assert_false(filo_physics2_registered(NULL)));
    assert_false(filo_physics2_registered(bare)); // no mistake: that is the question
    filo_world_destroy(bare);
    scene_close(&place.scene);
}

// ---- Arguments --------------------------------------------------------------------------------------------

typedef struct Case {
    const char *fault, *warning; // NULL: none
    Call call;
} Case;

#define CALL(name, ...)                                                                                      \
    static void name(Place *p) {                                                                             \
        FiloWorld *world = p->world;                                                                         \
        FILO_UNUSED(world);                                                                                  \
        __VA_ARGS__;                                                                                         \
    }

// Chains and outlines.
#define REFUSED(call) assert_int_not_equal((call).code, FILO_OK)
CALL(chain_gone, REFUSED(filo_physics2_add_chain(world, p->gone, square, 4, NULL)))
CALL(chain_none, REFUSED(filo_physics2_add_chain(world, FILO_ENTITY_NONE, square, 4, NULL)))
CALL(chain_null, REFUSED(filo_physics2_add_chain(world, p->ball, NULL, 4, NULL)))
CALL(outline_gone, REFUSED(filo_physics2_add_outline(world, p->gone, square, 4, NULL)))
CALL(outline_none, REFUSED(filo_physics2_add_outline(world, FILO_ENTITY_NONE, square, 4, NULL)))
CALL(outline_null, REFUSED(filo_physics2_add_outline(world, p->ball, NULL, 4, NULL)))
static FiloPiece2 pieces[4];
static size_t piece_count;
CALL(decompose_null, REFUSED(filo_physics2_decompose(NULL, 4, pieces, 4, &piece_count)))
CALL(decompose_no_pieces, REFUSED(filo_physics2_decompose(square, 4, NULL, 4, &piece_count)))
CALL(decompose_no_count, REFUSED(filo_physics2_decompose(square, 4, pieces, 4, NULL)))

// Pushing.
CALL(impulse_gone, assert_false(filo_physics2_impulse(world, p->gone, o, o)))
CALL(impulse_none, assert_false(filo_physics2_impulse(world, FILO_ENTITY_NONE, o, o)))
CALL(impulse_nan, assert_false(filo_physics2_impulse(world, p->ball, nan_x, o)))
CALL(impulse_nan_point, assert_false(filo_physics2_impulse(world, p->ball, o, nan_x)))
CALL(impulse_infinite, assert_false(filo_physics2_impulse(world, p->ball, filo_vec2(0, -INFINITY), o)))
CALL(angular_gone, assert_false(filo_physics2_angular_impulse(world, p->gone, 1)))
CALL(angular_nan, assert_false(filo_physics2_angular_impulse(world, p->ball, NAN)))
CALL(force_gone, assert_false(filo_physics2_force(world, p->gone, o, o)))
CALL(force_nan, assert_false(filo_physics2_force(world, p->ball, nan_x, o)))
CALL(force_nan_point, assert_false(filo_physics2_force(world, p->ball, o, nan_x)))
#define EXPLODE(...) assert_int_equal(filo_physics2_explode(world, &(FiloExplosion2){ __VA_ARGS__ }), 0)
CALL(explode_null, assert_int_equal(filo_physics2_explode(world, NULL), 0))
CALL(explode_nan, EXPLODE(.centre = { NAN, 0 }, .radius = 9, .impulse = 1))
CALL(explode_nan_impulse, EXPLODE(.radius = 9, .impulse = NAN))
CALL(explode_negative, EXPLODE(.radius = -9, .falloff = 20, .impulse = 1))
CALL(explode_infinite, EXPLODE(.radius = INFINITY, .impulse = 1))

// Asking.
static FiloEntity found[2];
static FiloHit2 hits[2];
static const FiloShape2 bad_ball = { .radius = -1 }, no_kind = { .kind = (FiloShapeKind)9, .radius = 1 };
CALL(ray_null, assert_false(filo_physics2_ray(world, o, far_off, NULL, NULL)))
CALL(ray_all_null, assert_int_equal(filo_physics2_ray_all(world, o, far_off, NULL, NULL, 2), 0))
CALL(cast_null, assert_false(filo_physics2_cast(world, &small, &here, far_off, NULL, NULL)))
CALL(cast_no_shape, assert_false(filo_physics2_cast(world, NULL, &here, far_off, NULL, hits)))
CALL(cast_no_transform, assert_false(filo_physics2_cast(world, &small, NULL, far_off, NULL, hits)))
CALL(cast_bad, assert_false(filo_physics2_cast(world, &bad_ball, &here, far_off, NULL, hits)))
CALL(cast_all_null, assert_int_equal(filo_physics2_cast_all(world, &small, &here, o, NULL, NULL, 2), 0))
CALL(cast_all_no_shape, assert_int_equal(filo_physics2_cast_all(world, NULL, &here, o, NULL, hits, 2), 0))
CALL(overlap_null, assert_int_equal(filo_physics2_overlap(world, &small, &here, NULL, NULL, 2), 0))
CALL(overlap_no_shape, assert_int_equal(filo_physics2_overlap(world, NULL, &here, NULL, found, 2), 0))
CALL(overlap_no_kind, assert_int_equal(filo_physics2_overlap(world, &no_kind, &here, NULL, found, 2), 0))
CALL(point_null, assert_int_equal(filo_physics2_overlap_point(world, o, NULL, NULL, 2), 0))
CALL(circle_null, assert_int_equal(filo_physics2_overlap_circle(world, o, 1, NULL, NULL, 2), 0))
CALL(circle_negative, assert_int_equal(filo_physics2_overlap_circle(world, o, -3, NULL, found, 2), 0))
CALL(circle_nan, assert_int_equal(filo_physics2_overlap_circle(world, o, NAN, NULL, found, 2), 0))
CALL(circle_infinite, assert_int_equal(filo_physics2_overlap_circle(world, o, INFINITY, NULL, found, 2), 0))
CALL(box_null, assert_int_equal(filo_physics2_overlap_box(world, o, far_off, NULL, NULL, 2), 0))
CALL(nearest_null, assert_false(filo_physics2_nearest(world, o, 9, NULL, NULL)))
CALL(closest_null, assert_false(filo_physics2_closest(world, p->ball, o, NULL)))
CALL(distance_null, assert_false(filo_physics2_distance(world, p->ball, p->wall, NULL)))
CALL(contacts_null, assert_int_equal(filo_physics2_contacts(world, p->ball, NULL, 2), 0))
CALL(draw_null, filo_physics2_debug_draw(world, NULL))

// Movers.
static FiloTransform2 place_of_mover;
static FiloMover2 some_mover;
#define MOVE(shape, transform, mover, delta)                                                                 \
    filo_physics2_move(world, FILO_ENTITY_NONE, (shape), (transform), (mover), (delta))
CALL(move_no_shape, assert_false(MOVE(NULL, &place_of_mover, &some_mover, 0.1f)))
CALL(move_no_transform, assert_false(MOVE(&small, NULL, &some_mover, 0.1f)))
CALL(move_no_mover, assert_false(MOVE(&small, &place_of_mover, NULL, 0.1f)))
CALL(move_bad_shape, FiloMover2 mover = { 0 }; assert_true(MOVE(&bad_ball, &place_of_mover, &mover, 0.1f));
     assert_int_equal(mover.state, FILO_MOVER_INVALID))
CALL(move_nan, FiloMover2 mover = { .velocity = { NAN, 1 } }; FiloTransform2 at = { .position = { 0, 90 } };
     assert_true(MOVE(&small, &at, &mover, 0.1f)); assert_true(mover.velocity.x == 0 && at.position.x == 0))

static const char no_array[] = "pass an array for the entities";
static const char explodes[] = "an explosion has a number that is not valid, and does nothing";
static const char gone[] = "cannot push a body: entity 3.1 does not exist (any more)";
static const char numbers[] = "cannot push body 1: the impulse or force, or the point, is no finite number";
static const char outline[] = "pass an outline, an array for its pieces, and where to put their number";
static const Case cases[] = {
    { "cannot add shapes: entity 3.1 does not exist (any more)", NULL, chain_gone },
    { "cannot add shapes: pass an entity, not {0}", NULL, chain_none },
    { "pass an array of points", NULL, chain_null },
    { "cannot add shapes: entity 3.1 does not exist (any more)", NULL, outline_gone },
    { "cannot add shapes: pass an entity, not {0}", NULL, outline_none },
    { "pass an array of points", NULL, outline_null },
    { outline, NULL, decompose_null },
    { outline, NULL, decompose_no_pieces },
    { outline, NULL, decompose_no_count },
    { gone, NULL, impulse_gone },
    { "cannot push a body: pass an entity, not {0}", NULL, impulse_none },
    { numbers, NULL, impulse_nan },
    { numbers, NULL, impulse_nan_point },
    { numbers, NULL, impulse_infinite },
    { gone, NULL, angular_gone },
    { numbers, NULL, angular_nan },
    { gone, NULL, force_gone },
    { numbers, NULL, force_nan },
    { numbers, NULL, force_nan_point },
    { "pass a FiloExplosion2 that says what explodes", NULL, explode_null },
    { NULL, explodes, explode_nan },
    { NULL, explodes, explode_nan_impulse },
    { NULL, explodes, explode_negative },
    { NULL, explodes, explode_infinite },
    { "pass a FiloHit2 for what the ray hits", NULL, ray_null },
    { "pass an array for the hits", NULL, ray_all_null },
    { "pass a FiloHit2 for what the shape hits", NULL, cast_null },
    { "pass a shape, and its transform", NULL, cast_no_shape },
    { "pass a shape, and its transform", NULL, cast_no_transform },
    { "a radius is not negative, and below 1e7", NULL, cast_bad },
    { "pass an array for the hits", NULL, cast_all_null },
    { "pass a shape, and its transform", NULL, cast_all_no_shape },
    { no_array, NULL, overlap_null },
    { "pass a shape, and its transform", NULL, overlap_no_shape },
    { "its kind is one of FiloShapeKind", NULL, overlap_no_kind },
    { no_array, NULL, point_null },
    { no_array, NULL, circle_null },
    { "pass a radius from 0 to 1e7, not -3", NULL, circle_negative },
    { "pass a radius from 0 to 1e7, not nan", NULL, circle_nan },
    { "pass a radius from 0 to 1e7, not inf", NULL, circle_infinite },
    { no_array, NULL, box_null },
    { "pass a FiloNear2 for the nearest point", NULL, nearest_null },
    { "pass a FiloNear2 for the nearest point", NULL, closest_null },
    { "pass a FiloDistance2 for the nearest points", NULL, distance_null },
    { "pass an array for the contacts", NULL, contacts_null },
    { "pass a FiloPhysics2Debug with the functions that draw", NULL, draw_null },
    { "pass a shape, a transform and a mover", NULL, move_no_shape },
    { "pass a shape, a transform and a mover", NULL, move_no_transform },
    { "pass a shape, a transform and a mover", NULL, move_no_mover },
    { NULL, "a mover without an entity does not move: a radius is not negative, and below 1e7",
      move_bad_shape },
    { NULL, "a mover without an entity has a position, a velocity or a setting that is not valid, now 0",
      move_nan },
};

FILO_TEST(arguments_that_cannot_be_are_mistakes_that_change_nothing) {
    Place place = open_place(0);
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        uint64_t hash = filo_world_hash(place.world);
        Reports reports;
        reports_begin(&reports);
        cases[i].call(&place);
        reports_end(&reports);
        assert_fault(&reports, cases[i].fault);
        assert_warning(&reports, cases[i].warning);
        assert_true(filo_world_hash(place.world) == hash);
        assert_goes_on(&place);
    }
    scene_close(&place.scene);
}

// What the header defines is no mistake: nothing is reported, and nothing changes.
CALL(push_static, assert_false(filo_physics2_impulse(world, p->wall, far_off, o));
     assert_false(filo_physics2_angular_impulse(world, p->wall, 1));
     assert_false(filo_physics2_force(world, p->wall, far_off, o)))
CALL(push_no_body, assert_false(filo_physics2_impulse(world, p->plain, far_off, o));
     assert_false(filo_physics2_angular_impulse(world, p->plain, 1));
     assert_false(filo_physics2_force(world, p->plain, far_off, o)))
CALL(mass_of_none, assert_near(filo_physics2_mass(world, p->plain).mass, 0, 0);
     assert_near(filo_physics2_mass(world, p->gone).mass, 0, 0);
     assert_near(filo_physics2_mass(world, FILO_ENTITY_NONE).mass, 0, 0))
CALL(force_of_no_joint, assert_near(filo_physics2_joint_force(world, p->ball).torque, 0, 0);
     assert_near(filo_physics2_joint_force(world, p->gone).torque, 0, 0);
     assert_near(filo_physics2_joint_force(world, FILO_ENTITY_NONE).torque, 0, 0))
CALL(contacts_of_none, FiloContact2 list[2];
     assert_int_equal(filo_physics2_contacts(world, p->plain, list, 2), 0);
     assert_int_equal(filo_physics2_contacts(world, p->gone, list, 2), 0))
CALL(near_none, FiloNear2 near; FiloDistance2 between;
     assert_false(filo_physics2_closest(world, p->plain, o, &near));
     assert_false(filo_physics2_closest(world, p->gone, o, &near));
     assert_false(filo_physics2_distance(world, p->ball, p->gone, &between));
     assert_false(filo_physics2_distance(world, p->plain, p->ball, &between));
     assert_false(filo_physics2_nearest(world, o, -1, NULL, &near));
     assert_false(filo_physics2_nearest(world, o, NAN, NULL, &near)))
CALL(strange_points, FiloVec2 distant = { 2e7f, 0 }; FiloTransform2 nowhere = { .rotation = INFINITY };
     assert_false(filo_physics2_ray(world, nan_x, o, NULL, hits));
     assert_false(filo_physics2_ray(world, o, distant, NULL, hits));
     assert_int_equal(filo_physics2_overlap_point(world, nan_x, NULL, found, 2), 0);
     assert_int_equal(filo_physics2_overlap_box(world, nan_x, o, NULL, found, 2), 0);
     assert_int_equal(filo_physics2_overlap(world, &small, &nowhere, NULL, found, 2), 0);
     assert_false(filo_physics2_cast(world, &small, &here, nan_x, NULL, hits)))
CALL(only_count, FiloVec2 ball = at(&p->scene, p->ball);
     assert_int_equal(filo_physics2_overlap_point(world, ball, NULL, NULL, 0), 1);
     assert_int_equal(filo_physics2_ray_all(world, ball, filo_vec2_add(ball, far_off), NULL, NULL, 0), 1);
     assert_ok(filo_physics2_decompose(square, 4, NULL, 0, &piece_count)))
CALL(no_time, FiloTransform2 at = { .position = { 3, 3 } };
     assert_true(MOVE(&small, &at, &some_mover, 0) && MOVE(&small, &at, &some_mover, -1));
     assert_true(MOVE(&small, &at, &some_mover, NAN) && at.position.x == 3 && at.position.y == 3))
CALL(register_again, assert_true(filo_physics2_register(world)))
CALL(few_points,
     assert_int_equal(filo_physics2_add_chain(world, p->ball, square, 1, NULL).code, FILO_ERROR_DATA);
     REFUSED(filo_physics2_add_outline(world, p->ball, square, 2, NULL)))

FILO_TEST(what_the_header_defines_is_no_mistake) {
    static const Call defined[] = { push_static,      push_no_body,   mass_of_none,   force_of_no_joint,
                                    contacts_of_none, near_none,      strange_points, only_count,
                                    no_time,          register_again, few_points };
    Place place = open_place(0);
    for (size_t i = 0; i < FILO_COUNT_OF(defined); i++) {
        uint64_t hash = filo_world_hash(place.world);
        Reports reports;
        reports_begin(&reports);
        defined[i](&place);
        reports_end(&reports);
        assert_fault(&reports, NULL);
        assert_warning(&reports, NULL);
        assert_true(filo_world_hash(place.world) == hash);
        assert_goes_on(&place);
    }
    scene_close(&place.scene);
}

// The entity of another world is one of this world, or none.
FILO_TEST(an_entity_of_another_world_is_not_there) {
    Place place = open_place(0);
    Scene other = scene_open(0);
    for (int i = 0; i < 9; i++) add_ground(&other);
    FiloEntity foreign = add_body(&other, FILO_BODY_DYNAMIC, 0, 0, BALL(1));
    Reports reports;
    reports_begin(&reports);
    assert_false(filo_physics2_impulse(place.world, foreign, far_off, o));
    reports_end(&reports);
    assert_fault(&reports, "cannot push a body: entity 9.1 does not exist (any more)");
    assert_goes_on(&place);
    scene_close(&other);
    scene_close(&place.scene);
}

// ---- In a tick --------------------------------------------------------------------------------------------

typedef struct Caller {
    Place *place;
    Call call;
} Caller;

static void call_in_a_system(FiloIter *it) {
    const Caller *caller = it->user;
    if (caller->call != NULL) caller->call(caller->place);
}

CALL(chain_in_a_tick, FiloResult result = filo_physics2_add_chain(world, p->ball, square, 4, NULL);
     assert_error(result, FILO_ERROR_ARGUMENT, "chain: add it between ticks, not in a system"))
CALL(outline_in_a_tick, FiloResult result = filo_physics2_add_outline(world, p->ball, square, 4, NULL);
     assert_error(result, FILO_ERROR_ARGUMENT, "outline: add it between ticks, not in a system"))

#define UNDECLARED(verb, type, access)                                                                       \
    "system \"caller\" " verb " " type ", which it did not declare: add " access "(" type                    \
    ") to its terms or to .extra_access"
#define CREATES "cannot create an entity while systems run; record it in the change set: it->changes"

FILO_TEST(a_system_that_does_not_declare_what_it_asks_for_or_changes_the_world_is_told) {
    only_in_debug_builds();
    static const char reads[] = UNDECLARED("reads", "FiloPhysics2", "FILO_READ"),
                      writes[] = UNDECLARED("writes", "FiloBody2", "FILO_WRITE");
    static const struct {
        Call call;
        const char *fault;
    } in_tick[] = {
        { chain_in_a_tick, CREATES },
        { outline_in_a_tick, CREATES },
        { set_hooks, "set hooks between ticks, not in a system" },
        { impulse, writes },
        { angular_impulse, writes },
        { force, writes },
        { ray, reads },
        { ray_all, reads },
        { cast, reads },
        { cast_all, reads },
        { overlap, reads },
        { overlap_point, reads },
        { overlap_circle, reads },
        { overlap_box, reads },
        { nearest, reads },
        { closest, reads },
        { distance, reads },
        { contacts, reads },
        { move, reads },
    };
    for (int threads = 0; threads <= 2; threads++) {
        Place place = open_place(threads);
        Caller caller = { .place = &place };
        filo_system_add(place.world,
                        &(FiloSystemDesc){ .name = "caller", .run = call_in_a_system, .user = &caller });
        for (size_t i = 0; i < FILO_COUNT_OF(in_tick); i++) {
            Reports reports;
            caller.call = in_tick[i].call;
            reports_begin(&reports);
            run(&place.scene, 1);
            reports_end(&reports);
            caller.call = NULL;
            assert_fault(&reports, in_tick[i].fault);
            assert_int_equal(filo_entity_child_count(place.world, place.ball), 0);
            assert_goes_on(&place);
        }
        scene_close(&place.scene);
    }
}
