// A small world for tests of the inspector: two ships, one of them frozen, a boat that belongs to the first, and wind. The
// host can refuse commands, and counts them.

#ifndef FILO_TEST_INSPECTOR_SHIPS_H
#define FILO_TEST_INSPECTOR_SHIPS_H

#include "stage.h"

typedef struct Body {
    float mass;
    FiloVec2 position;
    FiloEntity target;
} Body;
FILO_REFLECT(Body, FILO_FIELD(float, mass, .min = 0, .max = 10), FILO_FIELD(FiloVec2, position),
             FILO_FIELD(FiloEntity, target))

typedef struct Wind {
    float speed;
} Wind;
FILO_REFLECT(Wind, FILO_FIELD(float, speed, .min = 0, .max = 10))

FILO_TAG(Frozen)

static FiloEntity first, second, child;
static int sent;
static FiloResult answer; // of the host

static FiloResult command(void *user, const FiloCommand *sent_command, FiloEntity *made) {
    (void)user;
    sent++;
    *made = FILO_ENTITY_NONE;
    return answer.code != FILO_OK ? answer : filo_world_command(world, sent_command, made);
}
static void set_bool(void *user, bool on) { (void)user, (void)on; }
static bool get_false(void *user) { return (void)user, false; }
static void do_nothing(void *user) { (void)user; }
static void set_float(void *user, float value) { (void)user, (void)value; }
static float get_one(void *user) { return (void)user, 1; }
static double get_time(void *user) { return (void)user, 1; }
static double kept = -1;
static FiloResult keep(void *user, double seconds) {
    (void)user;
    kept = seconds;
    return filo_ok();
}
static FiloResult rewind_to(void *user, size_t back) { return (void)user, (void)back, filo_ok(); }
static FiloResult go_on(void *user) { return (void)user, filo_ok(); }
static FiloInspectorHistory present;
static FiloInspectorHistory history(void *user) { return (void)user, present; }
static const FiloInspectorHost host = { .command = command,
                                        .pause = set_bool,
                                        .paused = get_false,
                                        .step = do_nothing,
                                        .set_time_scale = set_float,
                                        .time_scale = get_one,
                                        .time = get_time,
                                        .keep_history = keep,
                                        .rewind = rewind_to,
                                        .go_on = go_on,
                                        .history = history };

static void drift(FiloIter *it) { (void)it; }

static void begin(void) {
    open_stage(&host);
    filo_component(world, Body);
    filo_component(world, Frozen);
    filo_component(world, Wind, .storage = FILO_STORAGE_GLOBAL);
    filo_system_add(world, &(FiloSystemDesc){ .name = "drift", .run = drift, .groups = { "weather" } });
    first = filo_create(world, FILO_SET(Body, .mass = 5));
    second = filo_create(world, FILO_SET(Body, .mass = 2), FILO_ADD(Frozen));
    child = filo_create(world, FILO_SET(Body, .mass = 1));
    filo_entity_set_name(world, first, "First ship");
    filo_entity_set_name(world, child, "boat");
    filo_entity_set_parent(world, child, first);
    assert_ok(filo_world_tick(world, 0));
    sent = 0;
    answer = filo_ok();
    filo_inspector_show_tab(inspector, "World");
    frames(3);
}

#endif
