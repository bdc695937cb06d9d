// The Playground: dragging, driving, walking, exploding, areas, joints that break, and parameters.

#include "playground/playground.h"
#include "support/test.h"

#define GOLDEN 0x57e61b2b5ae45f5e // of all rooms after five seconds

typedef struct Play {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloWorld *world;
} Play;

static Play begin(int threads, int room) {
    Play play;
    assert_ok(filo_jobs_create(&play.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_events_create(&play.events, &(FiloEventsDesc){ .jobs = play.jobs }));
    assert_ok(filo_world_create(&play.world, &(FiloWorldDesc){ .jobs = play.jobs, .events = play.events }));
    assert_true(filo_gfx2d_register(play.world, NULL));
    filo_component(play.world, FiloInput, .storage = FILO_STORAGE_GLOBAL);
    assert_true(playground_define(play.world));
    assert_true(playground_create(play.world, room));
    filo_edit_global(play.world, FiloInput)->view = filo_vec2(1280, 720);
    return play;
}

static void end(Play *play) {
    filo_world_destroy(play->world);
    filo_events_destroy(play->events);
    filo_jobs_destroy(play->jobs, FILO_JOBS_FINISH);
}

static FiloInput *input(Play *play) { return filo_edit_global(play->world, FiloInput); }

static void set_key(FiloKeySet *set, FiloKey key, bool on) {
    uint64_t bit = 1ull << (key % 64);
    set->bits[key / 64] = on ? set->bits[key / 64] | bit : set->bits[key / 64] & ~bit;
}

static void hold(Play *play, FiloKey key, bool down) {
    set_key(&input(play)->down, key, down);
    set_key(&input(play)->pressed, key, down);
}

static void ticks(Play *play, int count) {
    for (int i = 0; i < count; i++) {
        assert_ok(filo_world_tick(play->world, 1.0f / 60));
        input(play)->pressed = (FiloKeySet){ { 0 } };
    }
}

// The mouse is at a point of the room.
static void point_at(Play *play, int room, float x, float y) {
    const float unit = ROOM_HEIGHT / 720;
    input(play)->mouse =
        filo_vec2(640 + (x - room_middle(room)) / unit, 360 - (y - (ROOM_HEIGHT / 2 - 2)) / unit);
}

static FiloEntity thing_at(const Play *play, float x, float y) {
    FiloEntity found = FILO_ENTITY_NONE;
    size_t count = filo_physics2_overlap_circle(play->world, filo_vec2(x, y), 0.1f, NULL, &found, 1);
    return count > 0 ? found : FILO_ENTITY_NONE;
}

static FiloVec2 at(const Play *play, FiloEntity entity) {
    return filo_get(play->world, entity, FiloTransform2)->position;
}

FILO_TEST(the_mouse_drags_a_body_and_lets_it_go) {
    Play play = begin(1, ROOM_STACKS);
    ticks(&play, 2);
    float top = 0.45f + 0.9f * 8, x = 4 + 0.475f * 8;
    FiloEntity box = thing_at(&play, x, top);
    assert_true(box.id != 0);
    point_at(&play, ROOM_STACKS, x, top);
    ticks(&play, 1);
    hold(&play, FILO_MOUSE_LEFT, true);
    ticks(&play, 2);
    assert_true(filo_entity_equal(filo_get_global(play.world, Player)->dragged, box));
    point_at(&play, ROOM_STACKS, x + 1, 12);
    ticks(&play, 90);
    assert_true(filo_vec2_distance(at(&play, box), filo_vec2(x + 1, 12)) < 0.6f);
    hold(&play, FILO_MOUSE_LEFT, false);
    ticks(&play, 60);
    assert_int_equal(filo_get_global(play.world, Player)->joint.id, 0);
    assert_true(at(&play, box).y < 10);
    end(&play);
}

FILO_TEST(the_car_drives_over_hills_and_the_bridge) {
    Play play = begin(2, ROOM_CARS);
    float x = room_middle(ROOM_CARS);
    ticks(&play, 60);
    FiloEntity car = thing_at(&play, x - 13.5f, 2.0f);
    assert_true(car.id != 0);
    if (filo_entity_parent(play.world, car).id != 0) car = filo_entity_parent(play.world, car);
    hold(&play, FILO_KEY_RIGHT, true);
    float farthest = -1000;
    for (int i = 0; i < 900; i++) {
        ticks(&play, 1);
        farthest = filo_max(farthest, at(&play, car).x - x);
    }
    assert_true(farthest > 7); // on the other side, or at the boxes there
    end(&play);
}

static FiloEntity hero(const Play *play) {
    FiloQuery *query = filo_query(play->world, FILO_WITH(Hero));
    FiloEach each = filo_query_each(query);
    FiloEntity found = FILO_ENTITY_NONE;
    while (filo_each_next(&each)) found = each.entity;
    filo_query_release(query);
    return found;
}

FILO_TEST(the_character_climbs_stairs_jumps_through_a_platform_and_drops) {
    Play play = begin(1, ROOM_WALK);
    float x = room_middle(ROOM_WALK);
    FiloEntity self = hero(&play);
    ticks(&play, 60);
    float standing = at(&play, self).y;
    assert_true((filo_get(play.world, self, FiloMover2)->state & FILO_MOVER_ON_FLOOR) != 0);
    hold(&play, FILO_KEY_D, true);
    for (int i = 0; i < 120 && at(&play, self).x < x - 10.6f; i++) ticks(&play, 1);
    hold(&play, FILO_KEY_D, false);
    ticks(&play, 20);
    assert_true(at(&play, self).y > standing + 0.5f); // on the highest stair
    hold(&play, FILO_KEY_W, true);
    ticks(&play, 90);
    float on_platform = at(&play, self).y;
    assert_true(on_platform > 3.2f); // landed on the platform that was above
    hold(&play, FILO_KEY_W, false);
    hold(&play, FILO_KEY_S, true);
    ticks(&play, 60);
    assert_true(at(&play, self).y < on_platform - 1);
    end(&play);
}

FILO_TEST(an_explosion_throws_bodies_away) {
    Play play = begin(1, ROOM_STACKS);
    point_at(&play, ROOM_STACKS, 5.4f, 1);
    ticks(&play, 30);
    FiloEntity corner = thing_at(&play, 4, 0.45f), far = thing_at(&play, 11.6f, 0.45f);
    assert_true(corner.id != 0 && far.id != 0);
    FiloVec2 before = at(&play, far);
    hold(&play, FILO_KEY_X, true);
    ticks(&play, 5);
    assert_true(at(&play, corner).x < 3.7f);
    assert_true(filo_vec2_distance(at(&play, far), before) < 0.3f);
    end(&play);
}

FILO_TEST(water_carries_and_little_gravity_is_slow) {
    Play play = begin(1, ROOM_AREAS);
    float x = room_middle(ROOM_AREAS);
    FiloEntity raft = FILO_ENTITY_NONE, floats = FILO_ENTITY_NONE;
    ticks(&play, 2);
    raft = thing_at(&play, x - 11.5f, 5.5f);
    floats = thing_at(&play, x + 6, 7);
    assert_true(raft.id != 0 && floats.id != 0);
    ticks(&play, 60);
    assert_true(at(&play, floats).y > 6.3f); // 0.4 m in the first second, instead of 4.9
    ticks(&play, 540);
    assert_true(at(&play, raft).y > 2.5f); // swims
    end(&play);
}

FILO_TEST(the_bridge_of_the_last_room_breaks_under_a_load) {
    Play play = begin(1, ROOM_MACHINES);
    float x = room_middle(ROOM_MACHINES);
    ticks(&play, 240);
    assert_int_equal(filo_get_global(play.world, Player)->broken, 0);
    FiloChanges *changes = filo_changes_create(play.world);
    thing_create(changes, THING_HEAVY, filo_vec2(x - 8.5f, 10), 0, 0);
    assert_true(filo_changes_apply(changes));
    filo_changes_destroy(changes);
    ticks(&play, 240);
    assert_true(filo_get_global(play.world, Player)->broken > 0);
    end(&play);
}

FILO_TEST(parameters_arrive_and_nonsense_is_refused) {
    Play play = begin(1, ROOM_STACKS);
    Rules rules = playground_rules();
    rules.gravity = filo_vec2(3, 2);
    rules.sub_steps = 900;
    rules.belt = filo_float_from_bits(0x7FC00000); // NaN
    filo_events_emit(play.events, filo_name(PLAYGROUND_RULES), FILO_TYPE(Rules), &rules);
    ticks(&play, 2);
    const FiloPhysics2 *physics = filo_get_global(play.world, FiloPhysics2);
    assert_true(physics->gravity.x == 3 && physics->gravity.y == 2 && physics->sub_steps == 16);
    assert_true(filo_get_global(play.world, Rules)->belt == playground_rules().belt);
    end(&play);
}

FILO_TEST(all_rooms_are_the_same_on_any_number_of_threads) {
    const int threads[] = { 1, 2, 8 };
    uint64_t first = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        Play play = begin(threads[i], ROOM_STACKS);
        for (int tick = 0; tick < 300; tick++) {
            hold(&play, FILO_KEY_RIGHT, tick > 60);
            hold(&play, FILO_KEY_D, tick % 100 < 50);
            if (tick % 40 == 0) hold(&play, FILO_KEY_W, true);
            if (tick % 70 == 0) hold(&play, FILO_KEY_E, true);
            if (tick == 150) hold(&play, FILO_KEY_X, true);
            point_at(&play, ROOM_STACKS, 3 + (float)(tick % 50) * 0.1f, 6);
            ticks(&play, 1);
        }
        uint64_t hash = filo_world_hash(play.world);
        if (i == 0) first = hash;
        assert_int_equal(hash, first);
        end(&play);
    }
    assert_int_equal(first, GOLDEN);
}
