// All questions in random scenes, compared with a search through all shapes by their distance functions, which share
// nothing with the module.

#include "physics2d/scene.h"

#include <filo/hash.h>
#include <filo/threads.h>

#include <math.h>

enum { BODIES = 160 };

typedef struct Random {
    Scene scene;
    FiloEntity bodies[BODIES];
    FiloShape2 shapes[BODIES];
} Random;

static FiloRandom numbers;
static float between(float low, float high) { return low + (high - low) * filo_random_float(&numbers); }
// One number a statement: the order of arguments is not defined.
static FiloVec2 pair(float low, float high) {
    FiloVec2 p = { 0, 0 };
    p.x = between(low, high);
    p.y = between(low, high);
    return p;
}
static FiloVec2 somewhere(void) { return pair(-14, 14); }

static FiloShape2 some_shape(int i) {
    FiloShape2 shape = { .kind = (FiloShapeKind)(i % 5) };
    shape.radius = between(0.1f, 0.6f);
    if (shape.kind != FILO_SHAPE_CIRCLE && i % 2 == 0) shape.radius = 0;
    if (shape.kind == FILO_SHAPE_CAPSULE) shape.radius = 0.3f;
    shape.centre = pair(-0.3f, 0.3f);
    shape.half_size = pair(0.1f, 1);
    shape.angle = between(-3, 3);
    if (shape.kind == FILO_SHAPE_POLYGON) {
        shape.point_count = 3 + (uint32_t)(i % 6);
        for (uint32_t k = 0; k < shape.point_count; k++)
            shape.points[k] =
                filo_vec2_scale(filo_vec2_from_angle(6.2831853f * (float)k / (float)shape.point_count), 0.7f);
    } else {
        shape.points[0] = pair(-1, 0);
        shape.points[1] = pair(0.1f, 1);
    }
    shape.layers = i % 3 == 0 ? 2 : 1;
    shape.flags = i % 11 == 0 ? FILO_SHAPE_SENSOR : 0;
    return shape;
}

static void open_random(Random *random, uint64_t seed, int threads) {
    numbers = filo_random_keyed(seed, 1, 2, 3);
    random->scene = scene_open(threads);
    set_gravity(&random->scene, 0, 0);
    for (int i = 0; i < BODIES; i++) {
        random->shapes[i] = some_shape(i);
        FiloVec2 p = somewhere();
        random->bodies[i] = add_body(&random->scene, (FiloBodyKind)(i % 3), p.x, p.y, random->shapes[i]);
        filo_edit(random->scene.world, random->bodies[i], FiloTransform2)->rotation = between(-3, 3);
        filo_edit(random->scene.world, random->bodies[i], FiloBody2)->velocity = pair(-5, 5);
    }
    run(&random->scene, 12);
}

// ---- Distance functions -----------------------------------------------------------------------------------

static float to_line(FiloVec2 p, FiloVec2 a, FiloVec2 b) {
    FiloVec2 ab = filo_vec2_sub(b, a), ap = filo_vec2_sub(p, a);
    float h = filo_clamp(filo_vec2_dot(ap, ab) / filo_vec2_dot(ab, ab), 0, 1);
    return filo_vec2_length(filo_vec2_add_scaled(ap, ab, -h));
}

static float to_box(FiloVec2 p, FiloVec2 half) {
    FiloVec2 d = { fabsf(p.x) - half.x, fabsf(p.y) - half.y };
    return hypotf(fmaxf(d.x, 0), fmaxf(d.y, 0)) + fminf(fmaxf(d.x, d.y), 0);
}

static float to_polygon(FiloVec2 p, const FiloVec2 *v, uint32_t count) {
    float outside = FLT_MAX, inside = -FLT_MAX;
    for (uint32_t i = 0; i < count; i++) {
        FiloVec2 a = v[i], b = v[(i + 1) % count], edge = filo_vec2_sub(b, a);
        outside = fminf(outside, to_line(p, a, b));
        inside = fmaxf(inside, filo_vec2_cross(filo_vec2_sub(p, a), edge) / filo_vec2_length(edge));
    }
    return inside > 0 ? outside : inside;
}

// Of a point from the surface of a body; negative inside.
static float distance_to(const Random *random, int i, FiloVec2 point) {
    const FiloTransform2 *at = filo_get(random->scene.world, random->bodies[i], FiloTransform2);
    const FiloShape2 *shape = &random->shapes[i];
    FiloVec2 p = filo_vec2_rotate(filo_vec2_sub(point, at->position), -at->rotation);
    switch (shape->kind) {
    case FILO_SHAPE_CIRCLE: return filo_vec2_distance(p, shape->centre) - shape->radius;
    case FILO_SHAPE_CAPSULE: return to_line(p, shape->points[0], shape->points[1]) - shape->radius;
    case FILO_SHAPE_SEGMENT: return to_line(p, shape->points[0], shape->points[1]);
    case FILO_SHAPE_BOX:
        return to_box(filo_vec2_rotate(filo_vec2_sub(p, shape->centre), -shape->angle), shape->half_size) -
               shape->radius;
    default: return to_polygon(p, shape->points, shape->point_count) - shape->radius;
    }
}

static bool passes(const Random *random, int i, const FiloFilter2 *filter) {
    const FiloShape2 *shape = &random->shapes[i];
    return ((shape->flags & FILO_SHAPE_SENSOR) == 0 || filter->sensors) &&
           (filter->layers == 0 || (filter->layers & shape->layers) != 0) &&
           !filo_entity_equal(filter->except, random->bodies[i]);
}

static FiloFilter2 some_filter(const Random *random, int k) {
    return (FiloFilter2){ .layers = (uint32_t)(k % 3),
                          .sensors = k % 2 == 0,
                          .except = random->bodies[k % BODIES] };
}

// The fraction at which a circle on its way touches a body, by steps of the distance; above 1: never. `unclear` if it passes
// so close that rounding decides.
static float march(const Random *random, int i, FiloVec2 from, FiloVec2 to, float radius, bool *unclear) {
    float length = filo_vec2_distance(from, to), way = 0, nearest = FLT_MAX;
    for (int n = 0; n < 2000 && way <= length; n++) {
        float d = distance_to(random, i, filo_vec2_lerp(from, to, length > 0 ? way / length : 0)) - radius;
        nearest = fminf(nearest, d);
        if (d < 1e-4f) {
            *unclear = n > 200;
            return length > 0 ? way / length : 0;
        }
        way += d;
        if (length == 0) break;
    }
    *unclear = nearest < 5e-3f;
    return 2;
}

static int find(const Random *random, FiloEntity body) {
    for (int i = 0; i < BODIES; i++)
        if (filo_entity_equal(random->bodies[i], body)) return i;
    fail_msg("no body of the scene");
    return -1;
}

// ---- The tests --------------------------------------------------------------------------------------------

static void check_hits(const Random *random, FiloVec2 from, FiloVec2 to, float radius,
                       const FiloFilter2 *filter, const FiloHit2 *hits, size_t count) {
    for (size_t i = 1; i < count; i++) assert_true(hits[i - 1].fraction <= hits[i].fraction);
    for (int i = 0; i < BODIES; i++) {
        bool unclear = false, found = false;
        float t = passes(random, i, filter) ? march(random, i, from, to, radius, &unclear) : 2;
        for (size_t k = 0; k < count; k++) {
            if (!filo_entity_equal(hits[k].body, random->bodies[i])) continue;
            assert_false(found); // each once
            found = true;
            if (unclear) continue;
            // Not later, and where it is, it touches.
            float length = filo_vec2_distance(from, to), f = hits[k].fraction;
            assert_true(f * length <= t * length + 4e-3f);
            assert_true(distance_to(random, i, filo_vec2_lerp(from, to, f)) - radius < 2e-3f);
            assert_near(distance_to(random, i, hits[k].point), 0, hits[k].fraction > 0 ? 4e-3f : 10);
        }
        if (!unclear && found != (t <= 1)) fail_msg("body %d: %d, but %f", i, found, (double)t);
    }
}

static void expect_same(const FiloHit2 *a, const FiloHit2 *b) {
    assert_true(filo_entity_equal(a->shape, b->shape) && filo_entity_equal(a->body, b->body));
    assert_true(filo_vec2_equal(a->point, b->point) && filo_vec2_equal(a->normal, b->normal));
    assert_true(a->fraction == b->fraction);
}

FILO_TEST(rays_and_casts_find_what_a_search_finds) {
    static Random random;
    size_t all = 0;
    for (uint64_t seed = 0; seed < 3; seed++) {
        open_random(&random, seed, 0);
        FiloWorld *world = random.scene.world;
        for (int k = 0; k < 60; k++) {
            FiloVec2 from = somewhere(), to = somewhere(), move = filo_vec2_sub(to, from);
            FiloFilter2 filter = some_filter(&random, k);
            FiloHit2 hits[BODIES], first, some[3];
            size_t count = filo_physics2_ray_all(world, from, to, &filter, hits, BODIES);
            check_hits(&random, from, to, 0, &filter, hits, count);
            all += count;
            assert_int_equal(filo_physics2_ray(world, from, to, &filter, &first), count > 0);
            if (count > 0) expect_same(&first, &hits[0]);
            assert_int_equal(filo_physics2_ray_all(world, from, to, &filter, some, 3), count);
            for (size_t i = 0; i < FILO_MIN(count, 3u); i++) expect_same(&some[i], &hits[i]);
            assert_int_equal(filo_physics2_ray_all(world, from, to, &filter, NULL, 0), count);

            FiloShape2 ball = BALL(0.4f);
            FiloTransform2 at = { .position = from };
            count = filo_physics2_cast_all(world, &ball, &at, move, &filter, hits, BODIES);
            check_hits(&random, from, to, 0.4f, &filter, hits, count);
            assert_int_equal(filo_physics2_cast(world, &ball, &at, move, &filter, &first), count > 0);
            if (count > 0) expect_same(&first, &hits[0]);
        }
        scene_close(&random.scene);
    }
    assert_true(all > 200);
}

// The nearest that the surface of a body comes to points of a box.
static float to_area(const Random *random, int i, FiloVec2 a, FiloVec2 b) {
    float nearest = FLT_MAX;
    for (int x = 0; x <= 24; x++)
        for (int y = 0; y <= 24; y++) {
            FiloVec2 p = { a.x + (b.x - a.x) * (float)x / 24, a.y + (b.y - a.y) * (float)y / 24 };
            nearest = fminf(nearest, distance_to(random, i, p));
        }
    return nearest;
}

static bool has(const FiloEntity *list, size_t count, FiloEntity entity) {
    for (size_t i = 0; i < count; i++)
        if (filo_entity_equal(list[i], entity)) return true;
    return false;
}

FILO_TEST(overlaps_find_what_a_search_finds) {
    static Random random;
    size_t all = 0;
    for (uint64_t seed = 0; seed < 3; seed++) {
        open_random(&random, seed + 50, 0);
        FiloWorld *world = random.scene.world;
        for (int k = 0; k < 60; k++) {
            FiloVec2 p = somewhere(), size = pair(0.2f, 2);
            FiloVec2 q = filo_vec2_add(p, size);
            FiloFilter2 filter = some_filter(&random, k);
            FiloEntity points[BODIES], circles[BODIES], boxes[BODIES], turned[BODIES];
            size_t in_point = filo_physics2_overlap_point(world, p, &filter, points, BODIES),
                   in_circle = filo_physics2_overlap_circle(world, p, 1.5f, &filter, circles, BODIES),
                   in_box = filo_physics2_overlap_box(world, k % 2 == 0 ? p : q, k % 2 == 0 ? q : p, &filter,
                                                      boxes, BODIES);
            FiloShape2 box = BOX(0.5f * size.x, 0.5f * size.y);
            FiloTransform2 middle = { .position = filo_vec2_lerp(p, q, 0.5f), .rotation = FILO_PI };
            assert_int_equal(filo_physics2_overlap(world, &box, &middle, &filter, turned, BODIES), in_box);
            all += in_circle;
            for (int i = 0; i < BODIES; i++) {
                bool counts = passes(&random, i, &filter);
                float d = distance_to(&random, i, p), area = to_area(&random, i, p, q);
                if (filo_abs(d) > 1e-3f)
                    assert_int_equal(has(points, in_point, random.bodies[i]), counts && d < 0);
                if (filo_abs(d - 1.5f) > 1e-3f)
                    assert_int_equal(has(circles, in_circle, random.bodies[i]), counts && d < 1.5f);
                if (area < -1e-3f || area > 0.1f)
                    assert_int_equal(has(boxes, in_box, random.bodies[i]), counts && area < 0);
            }
        }
        scene_close(&random.scene);
    }
    assert_true(all > 200);
}

FILO_TEST(nearest_shapes_and_points_are_found) {
    static Random random;
    open_random(&random, 99, 0);
    FiloWorld *world = random.scene.world;
    int none = 0;
    for (int k = 0; k < 200; k++) {
        FiloVec2 p = filo_vec2_scale(somewhere(), 1.5f);
        float within = k % 4 == 0 ? INFINITY : between(0.1f, 2), nearest = FLT_MAX;
        FiloFilter2 filter = some_filter(&random, k);
        FiloNear2 near, closest;
        for (int i = 0; i < BODIES; i++) {
            float d = fmaxf(distance_to(&random, i, p), 0);
            if (passes(&random, i, &filter)) nearest = fminf(nearest, d);
            assert_true(filo_physics2_closest(world, random.bodies[i], p, &closest));
            assert_near(closest.distance, d, 1e-4f);
        }
        bool found = filo_physics2_nearest(world, p, within, &filter, &near);
        if (filo_abs(nearest - within) > 1e-3f) assert_int_equal(found, nearest < within);
        none += !found;
        if (!found) continue;
        assert_near(near.distance, nearest, 1e-4f);
        assert_near(filo_vec2_distance(near.point, p), nearest, 1e-4f);
        if (near.distance > 1e-3f) {
            FiloVec2 back = filo_vec2_add_scaled(near.point, near.normal, near.distance);
            assert_near(filo_vec2_distance(back, p), 0, 1e-3f);
        }
        int i = find(&random, near.body);
        assert_true(passes(&random, i, &filter));
        assert_near(distance_to(&random, i, p), nearest, nearest > 0 ? 1e-4f : 10);
    }
    assert_true(none > 10);
    scene_close(&random.scene);
}

FILO_TEST(distances_of_bodies_are_mutual_and_right) {
    static Random random;
    open_random(&random, 7, 0);
    FiloWorld *world = random.scene.world;
    int apart = 0;
    for (int i = 0; i + 1 < BODIES; i++) {
        FiloDistance2 there, back;
        assert_true(filo_physics2_distance(world, random.bodies[i], random.bodies[i + 1], &there));
        assert_true(filo_physics2_distance(world, random.bodies[i + 1], random.bodies[i], &back));
        assert_near(there.distance, back.distance, 1e-4f);
        assert_near(filo_vec2_distance(there.point_a, there.point_b), there.distance, 1e-4f);
        if (there.distance == 0) continue;
        apart++;
        assert_near(distance_to(&random, i, there.point_a), 0, 1e-3f);
        assert_near(distance_to(&random, i + 1, there.point_b), 0, 1e-3f);
        // No point between is nearer: the distance from one surface to the other body is the same.
        assert_near(distance_to(&random, i + 1, there.point_a), there.distance, 1e-3f);
        assert_near(distance_to(&random, i, there.point_b), there.distance, 1e-3f);
    }
    assert_true(apart > 100);
    FiloDistance2 none;
    assert_false(filo_physics2_distance(world, random.bodies[0], FILO_ENTITY_NONE, &none));
    FiloEntity empty = filo_create(world, FILO_SET(FiloTransform2, .position = { 1, 2 }));
    assert_false(filo_physics2_distance(world, empty, random.bodies[0], &none));
    assert_true(none.distance == 0 && none.shape_a.id == 0);
    scene_close(&random.scene);
}

// ---- The function of a filter -----------------------------------------------------------------------------

typedef struct Glass {
    FiloEntity ignored, wall;
} Glass;

static FiloFilterAnswer2 through_glass(const FiloHit2 *hit, void *user) {
    const Glass *glass = user;
    if (filo_entity_equal(hit->shape, glass->ignored)) return FILO_FILTER_IGNORE;
    return filo_entity_equal(hit->shape, glass->wall) ? FILO_FILTER_STOP : FILO_FILTER_TAKE;
}

FILO_TEST(the_function_of_a_filter_ignores_and_stops) {
    Scene scene = scene_open(0);
    FiloEntity bodies[6];
    for (int i = 0; i < 6; i++)
        bodies[i] = add_body(&scene, FILO_BODY_STATIC, (float)(2 * i + 2), 0, BOX(0.5f, 5));
    run(&scene, 1);
    Glass glass = { .ignored = bodies[0], .wall = bodies[3] };
    FiloFilter2 filter = { .choose = through_glass, .user = &glass };
    FiloHit2 hits[6];
    FiloEntity found[6];
    FiloVec2 from = { 0, 0 }, to = { 100, 0 };
    assert_int_equal(filo_physics2_ray_all(scene.world, from, to, &filter, hits, 6), 3);
    for (int i = 0; i < 3; i++) assert_true(filo_entity_equal(hits[i].shape, bodies[i + 1]));
    assert_int_equal(filo_physics2_ray_all(scene.world, from, to, &filter, hits, 1), 3);
    assert_true(filo_physics2_ray(scene.world, from, to, &filter, hits));
    assert_true(filo_entity_equal(hits[0].shape, bodies[1]));
    FiloShape2 ball = BALL(0.2f);
    assert_int_equal(filo_physics2_cast_all(scene.world, &ball, &(FiloTransform2){ 0 }, to, &filter, hits, 6),
                     3);
    assert_int_equal(filo_physics2_overlap_box(scene.world, from, filo_vec2(100, 1), &filter, found, 6), 3);
    for (int i = 0; i < 3; i++) assert_true(filo_entity_equal(found[i], bodies[i + 1]));
    FiloNear2 near;
    assert_true(filo_physics2_nearest(scene.world, from, 10, &filter, &near));
    assert_true(filo_entity_equal(near.shape, bodies[1]));
    scene_close(&scene);
}

// ---- Input that is not valid ------------------------------------------------------------------------------

FILO_TEST(rays_that_begin_inside_round_shapes_hit_at_once) {
    Scene scene = scene_open(0);
    FiloShape2 round_box = { .kind = FILO_SHAPE_BOX, .half_size = { 1, 1 }, .radius = 0.5f };
    add_body(&scene, FILO_BODY_STATIC, 0, 0, CAPSULE(3, 0.5f));
    add_body(&scene, FILO_BODY_STATIC, 20, 0, round_box);
    run(&scene, 1);
    FiloVec2 inside[] = { { 0, 0.4f }, { 2, -0.3f }, { 20, 1.4f }, { 21.4f, 0 }, { 20, 0 } };
    for (size_t i = 0; i < FILO_COUNT_OF(inside); i++) {
        FiloHit2 hit;
        assert_true(filo_physics2_ray(scene.world, inside[i], filo_vec2(50, 40), NULL, &hit));
        assert_true(hit.fraction == 0 && hit.normal.x == 0 && hit.normal.y == 0);
    }
    scene_close(&scene);
}

FILO_TEST(bad_numbers_find_nothing) {
    Scene scene = scene_open(0);
    add_body(&scene, FILO_BODY_STATIC, 0, 0, BOX(5, 5));
    FiloWorld *world = scene.world;
    FiloEntity found[4];
    assert_int_equal(filo_physics2_overlap_point(world, filo_vec2(0, 0), NULL, found, 4), 0); // before a step
    run(&scene, 1);
    float bad[] = { NAN, INFINITY, -INFINITY, 3e38f };
    FiloShape2 ball = BALL(1);
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        FiloHit2 hit = { .fraction = 7 };
        FiloNear2 near;
        FiloVec2 good = { 0, 1 }, p = { bad[i], 1 }, q = { 1, bad[i] };
        assert_false(filo_physics2_ray(world, p, good, NULL, &hit));
        assert_true(hit.fraction == 0);
        assert_false(filo_physics2_ray(world, good, q, NULL, &hit));
        assert_int_equal(filo_physics2_ray_all(world, good, p, NULL, &hit, 1), 0);
        assert_false(filo_physics2_cast(world, &ball, &(FiloTransform2){ 0 }, q, NULL, &hit));
        assert_false(filo_physics2_cast(world, &ball, &(FiloTransform2){ .position = p }, good, NULL, &hit));
        assert_false(
            filo_physics2_cast(world, &ball, &(FiloTransform2){ .rotation = bad[i] }, good, NULL, &hit));
        assert_int_equal(filo_physics2_overlap_point(world, p, NULL, found, 4), 0);
        assert_int_equal(filo_physics2_overlap_circle(world, q, 1, NULL, found, 4), 0);
        assert_int_equal(filo_physics2_overlap_box(world, good, q, NULL, found, 4), 0);
        assert_int_equal(
            filo_physics2_overlap(world, &ball, &(FiloTransform2){ .position = q }, NULL, found, 4), 0);
        assert_false(filo_physics2_nearest(world, p, 5, NULL, &near));
        assert_false(filo_physics2_closest(world, filo_entity_at(world, 1), p, &near));
    }
    FiloNear2 near;
    assert_false(filo_physics2_nearest(world, filo_vec2(0, 0), NAN, NULL, &near));
    assert_false(filo_physics2_nearest(world, filo_vec2(0, 0), -1, NULL, &near));
    assert_true(filo_physics2_nearest(world, filo_vec2(0, 0), 0, NULL, &near));
    FiloHit2 hit;
    assert_false(filo_physics2_ray(world, filo_vec2(9, 9), filo_vec2(9, 9), NULL, &hit));
    assert_false(filo_physics2_cast(world, &ball, &(FiloTransform2){ .position = { 9, 9 } }, filo_vec2(0, 0),
                                    NULL, &hit));
    assert_true(filo_physics2_cast(world, &ball, &(FiloTransform2){ .position = { 5.5f, 0 } },
                                   filo_vec2(0, 0), NULL, &hit));
    scene_close(&scene);
}

// ---- Threads ----------------------------------------------------------------------------------------------

typedef struct Asker {
    const Random *random;
    uint64_t sum;
} Asker;

static void ask(void *user) {
    Asker *asker = user;
    const FiloWorld *world = asker->random->scene.world;
    FiloRandom own = filo_random_keyed(5, 5, 5, 5);
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    for (int i = 0; i < 300; i++) {
        FiloVec2 from = { 0, 0 }, to = { 0, 0 };
        from.x = filo_random_float_range(&own, -14, 14);
        from.y = filo_random_float_range(&own, -14, 14);
        to.x = filo_random_float_range(&own, -14, 14);
        to.y = filo_random_float_range(&own, -14, 14);
        FiloHit2 hits[20];
        FiloNear2 near;
        FiloEntity found[20];
        size_t count = filo_physics2_ray_all(world, from, to, NULL, hits, 20);
        for (size_t k = 0; k < FILO_MIN(count, 20u); k++)
            filo_hasher_add(&hasher, &hits[k].fraction, sizeof hits[k].fraction);
        count = filo_physics2_overlap_circle(world, from, 2, NULL, found, 20);
        filo_hasher_add(&hasher, found, FILO_MIN(count, 20u) * sizeof *found);
        (void)filo_physics2_nearest(world, to, 50, NULL, &near);
        filo_hasher_add(&hasher, &near.distance, sizeof near.distance);
    }
    asker->sum = filo_hasher_finish(&hasher);
}

FILO_TEST(many_threads_ask_at_once_right_after_a_restore) {
    static Random random;
    open_random(&random, 3, 2);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, random.scene.world));
    Asker alone = { .random = &random };
    ask(&alone);
    run(&random.scene, 20);
    assert_ok(filo_snapshot_restore(snapshot, random.scene.world));
    enum { THREADS = 8 };
    FiloThread threads[THREADS];
    Asker askers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        askers[i] = (Asker){ .random = &random };
        assert_ok(filo_thread_start(
            &threads[i], &(FiloThreadDesc){ .name = "asker", .function = ask, .user = &askers[i] }));
    }
    for (int i = 0; i < THREADS; i++) {
        filo_thread_join(&threads[i]);
        assert_true(askers[i].sum == alone.sum);
    }
    filo_snapshot_destroy(snapshot);
    scene_close(&random.scene);
}

// Equal shapes on a way that is nearly parallel to their sides: where the box is entered and where the shape is hit are rounded
// differently, by more than the distance between the hits, and slots decide.
FILO_TEST(the_first_hit_is_the_first_of_all_hits_also_for_ties_and_strange_numbers) {
    static const float scales[] = { 1e-4f, 1e-2f, 1, 1e3f, 1e6f };
    FiloRandom random = filo_random_keyed(71, 1, 2, 3);
    for (size_t round = 0; round < 40; round++) {
        Scene scene = scene_open(0);
        set_gravity(&scene, 0, 0);
        float scale = scales[round % FILO_COUNT_OF(scales)];
        for (int i = 0; i < 24; i++) {
            float size = filo_random_float_range(&random, 0.1f, 1);
            FiloShape2 shape = i % 3 == 0 ? BALL(size) : i % 3 == 1 ? BOX(size, size) : CAPSULE(size, 0.1f);
            FiloVec2 p = { .x = filo_random_float_range(&random, -8, 8) * scale };
            p.y = filo_random_float_range(&random, -1, 1);
            for (int k = 0; k < 3; k++)
                add_body(&scene, k == 1 ? FILO_BODY_DYNAMIC : FILO_BODY_STATIC, p.x, p.y, shape);
        }
        assert_ok(filo_world_tick(scene.world, 1e-6f));
        for (int i = 0; i < 400; i++) {
            float slope = i % 2 == 0 ? 1e-3f : 1;
            FiloVec2 from = { .x = filo_random_float_range(&random, -9, 9) * scale }, move;
            from.y = filo_random_float_range(&random, -1, 1);
            move.x = filo_random_float_range(&random, -9, 9) * scale;
            move.y = filo_random_float_range(&random, -2, 2) * slope;
            if (i % 16 == 0) move = filo_vec2_scale(move, 1e-6f);
            if (i % 16 == 1) move.x = i % 32 == 1 ? 0 : 1e-39f;
            FiloVec2 to = filo_vec2_add(from, move);
            FiloHit2 hits[72], hit;
            size_t count = filo_physics2_ray_all(scene.world, from, to, NULL, hits, 72);
            assert_true(filo_physics2_ray(scene.world, from, to, NULL, &hit) == (count > 0));
            if (count > 0) assert_true(hit.shape.id == hits[0].shape.id && hit.fraction == hits[0].fraction);
            FiloShape2 ball = BALL(0.2f);
            FiloTransform2 start = { .position = from };
            count = filo_physics2_cast_all(scene.world, &ball, &start, move, NULL, hits, 72);
            assert_true(filo_physics2_cast(scene.world, &ball, &start, move, NULL, &hit) == (count > 0));
            if (count > 0) assert_true(hit.shape.id == hits[0].shape.id && hit.fraction == hits[0].fraction);
        }
        scene_close(&scene);
    }
}

// The way goes down to a side by less than rounding can tell from the next float: the time at which it enters the boxes is later
// than the time at which it hits the shapes by much more than floats differ. Equal boxes are in several nodes of a tree, and the
// node that is searched last has the lowest slot.
FILO_TEST(of_equal_boxes_the_lowest_slot_is_hit_by_a_way_along_their_side) {
    FiloRandom random = filo_random_keyed(72, 1, 2, 3);
    for (int round = 0; round < 40; round++) {
        Scene scene = scene_open(0);
        float y = filo_random_float_range(&random, -1, 0), size = filo_random_float_range(&random, 0.5f, 1);
        FiloEntity first = { 0 };
        for (int i = 0; i < 40; i++) {
            FiloEntity body = add_body(&scene, FILO_BODY_STATIC, 0, y, BOX(8, size));
            if (i == 0) first = body;
        }
        run(&scene, 1);
        for (int i = 0; i < 100; i++) {
            float down = filo_random_float_range(&random, 1e-6f, 1e-4f), part = filo_random_float(&random);
            FiloVec2 from = { -7, y + size + part * down }, to = { 7, y + size + (part - 1) * down };
            FiloHit2 hits[40], hit;
            size_t count = filo_physics2_ray_all(scene.world, from, to, NULL, hits, 40);
            assert_true(count == 0 || (count == 40 && filo_entity_equal(hits[0].shape, first)));
            assert_true(filo_physics2_ray(scene.world, from, to, NULL, &hit) == (count > 0));
            if (count > 0)
                assert_true(filo_entity_equal(hit.shape, first) && hit.fraction == hits[0].fraction);
        }
        scene_close(&scene);
    }
}
