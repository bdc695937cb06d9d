// Observers: the order of calls, and changes and events that observers record.

#include "ecs/observer_fixture.h"
#include "ecs/schedule_access.h"

#include <filo/hash.h>

// ---- Order ------------------------------------------------------------------------------------------------

FILO_TEST(removed_is_reported_before_added_and_added_before_set) {
    FiloWorld *world = new_world();
    Log log = { 0 };
    FiloEntity one = filo_create(world, FILO_SET(Health, 1)), two = filo_create(world, FILO_SET(Health, 2)),
               three = filo_create(world, FILO_SET(Position, 0, 0));
    observe_health(world, &log);
    filo_observer_add(
        world, &(FiloObserverDesc){
                   .run = log_observed, .type = FILO_TYPE(Position), .kinds = OF_COMPONENT, .user = &log });
    filo_observer_add(world,
                      &(FiloObserverDesc){ .run = log_observed,
                                           .kinds = OF_QUERY,
                                           .query.terms = { FILO_READ(Health), FILO_WITHOUT(Position) },
                                           .user = &log });
    filo_add(world, one, Position);
    filo_set(world, two, Health, 20);
    filo_set(world, three, Health, 30);
    filo_remove(world, three, Position);
    filo_world_refresh(world);
    expect_log(&log, "removed 2; left 0; added 2=30; added 0; entered 2; set 1=20; ");
    filo_world_destroy(world);
}

// Logs the name of the observer.
static void log_observer_name(FiloIter *it, const FiloObserved *observed) {
    FILO_UNUSED(observed);
    log_add(*(Log **)it->user, "%s ", system_name(it));
}

FILO_TEST(observers_are_called_in_the_order_in_which_they_were_added) {
    FiloWorld *world = new_world();
    Log log = { 0 }, *user = &log;
    FiloObserver ids[4];
    static const char *const names[] = { "d", "a", "c", "b" };
    for (int i = 0; i < 4; i++) {
        FiloObserverDesc desc = { .name = names[i], .run = log_observer_name, .user = (void *)&user };
        if (i % 2 == 0)
            desc.kinds = FILO_OBSERVE_ADDED, desc.type = FILO_TYPE(Health);
        else
            desc.kinds = FILO_OBSERVE_ENTERED, desc.query.terms[0] = (FiloTerm)FILO_READ(Health);
        ids[i] = filo_observer_add(world, &desc);
    }
    filo_create(world, FILO_SET(Health, 1));
    filo_world_refresh(world);
    expect_log(&log, "d a c b ");
    filo_observer_remove(world, ids[1]);
    ids[1] = filo_observer_add(world, &(FiloObserverDesc){ .name = "e",
                                                           .run = log_observer_name,
                                                           .type = FILO_TYPE(Health),
                                                           .kinds = FILO_OBSERVE_ADDED,
                                                           .user = (void *)&user });
    filo_create(world, FILO_SET(Health, 1));
    filo_world_refresh(world);
    expect_log(&log, "d c b e ");
    filo_world_destroy(world);
}

// ---- Ticks ------------------------------------------------------------------------------------------------

typedef struct Hit {
    FiloEntity target;
} Hit;
FILO_REFLECT(Hit, FILO_FIELD(FiloEntity, target))

typedef struct Game {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloWorld *world;
    Log log;
} Game;

static void open_game(Game *game, int threads) {
    *game = (Game){ 0 };
    assert_ok(filo_jobs_create(&game->jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_events_create(&game->events, &(FiloEventsDesc){ .jobs = game->jobs }));
    game->world = new_world_with(&(FiloWorldDesc){ .jobs = game->jobs, .events = game->events, .seed = 3 });
}

static void close_game(Game *game) {
    filo_world_destroy(game->world);
    filo_events_destroy(game->events);
    filo_jobs_destroy(game->jobs, FILO_JOBS_FINISH);
}

static void count_health(FiloIter *it) {
    Game *game = it->user;
    size_t count = 0;
    for (FiloIter over = filo_iter_over(it, it->query); filo_iter_next(&over);) count += over.count;
    log_add(&game->log, "%s(%zu) ", system_name(it), count);
}

static void add_health(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) filo_set(it->changes, filo_iter_entity(it, i), Health, 1);
    log_add(&((Game *)it->user)->log, "give ");
}

// Logs its name and the number of entities. For each added component it records an event and adds a velocity.
static void log_and_respond(FiloIter *it, const FiloObserved *observed) {
    Game *game = it->user;
    log_add(&game->log, "%s(%s %zu, %g) ", system_name(it), kind_name(observed->kind), observed->count,
            (double)it->delta);
    for (size_t i = 0; i < observed->count && observed->kind == FILO_OBSERVE_ADDED; i++) {
        assert_int_equal(it->tick, filo_world_ticks(it->world));
        filo_add(it->changes, observed->entities[i], Velocity);
        filo_event_record(it->events, filo_name("healed"), FILO_TYPE(Hit), &(Hit){ observed->entities[i] });
    }
}

static void on_healed(FiloIter *it, const FiloEvent *event) {
    Game *game = it->user;
    const Hit *hit = event->payload;
    log_add(&game->log, "healed(%u) ", filo_entity_index(hit->target));
    filo_add(it->changes, hit->target, Frozen);
}

static void observe_game(Game *game, const char *name, const FiloType *type) {
    filo_observer_add(game->world, &(FiloObserverDesc){ .name = name,
                                                        .run = log_and_respond,
                                                        .type = type,
                                                        .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED,
                                                        .user = game });
}

static void note_frozen(FiloIter *it, const FiloObserved *observed) {
    log_add(&((Game *)it->user)->log, "frozen(%zu) ", observed->count);
}

FILO_TEST(observers_are_called_at_the_refreshes_of_a_tick) {
    Game game;
    open_game(&game, 2);
    FiloWorld *world = game.world;
    observe_game(&game, "health", FILO_TYPE(Health));
    filo_observer_add(world, &(FiloObserverDesc){ .run = note_frozen,
                                                  .type = FILO_TYPE(Frozen),
                                                  .kinds = FILO_OBSERVE_ADDED,
                                                  .user = &game });
    filo_world_handle(
        world, &(FiloWorldHandlerDesc){
                   .event = filo_name("healed"), .type = FILO_TYPE(Hit), .run = on_healed, .user = &game });
    filo_system_add(world, &(FiloSystemDesc){ .name = "before",
                                              .run = count_health,
                                              .once = true,
                                              .user = &game,
                                              .phase = FILO_PHASE_BEFORE,
                                              .query.terms = { FILO_WITH(Health), FILO_WITH(Velocity) } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "give",
                                              .run = add_health,
                                              .user = &game,
                                              .query.terms = { FILO_WITH(Position), FILO_WITHOUT(Health) } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "after",
                                              .run = count_health,
                                              .once = true,
                                              .user = &game,
                                              .phase = FILO_PHASE_AFTER,
                                              .query.terms = { FILO_WITH(Health), FILO_WITH(Frozen) } });
    filo_create(world, FILO_SET(Health, 1));
    filo_create(world, FILO_SET(Position, 0, 0));
    expect_log(&game.log, "");
    assert_ok(filo_world_tick(world, 0.5f));
    // Changes between ticks are reported before any system. At the end of a phase: observers, events, and observers of
    // the changes of handlers. The next phase sees all changes.
    expect_log(&game.log, "health(added 1, 0.5) healed(0) frozen(1) before(1) "
                          "give health(added 1, 0.5) healed(1) frozen(1) after(2) ");
    assert_int_equal(filo_world_ticks(world), 1);

    // Between ticks, refresh and delivery call observers, so that nothing is pending in the tick.
    FiloEntity third = filo_create(world, FILO_SET(Health, 1));
    filo_world_refresh(world);
    expect_log(&game.log, "health(added 1, 0) ");
    assert_true(filo_has(world, third, Velocity));
    filo_events_deliver(game.events);
    expect_log(&game.log, "healed(2) frozen(1) ");
    filo_entity_destroy(world, third);
    assert_ok(filo_world_tick(world, 0.25f));
    expect_log(&game.log, "health(removed 1, 0.25) before(2) after(2) ");
    close_game(&game);
}

FILO_TEST(events_of_observers_keep_their_order_among_others) {
    Game game;
    open_game(&game, 1);
    observe_game(&game, "first", FILO_TYPE(Health));
    observe_game(&game, "second", FILO_TYPE(Position));
    filo_world_handle(game.world, &(FiloWorldHandlerDesc){ .event = filo_name("healed"),
                                                           .type = FILO_TYPE(Hit),
                                                           .run = on_healed,
                                                           .user = &game });
    for (int i = 0; i < 3; i++) { // three refreshes, one delivery
        filo_create(game.world, FILO_SET(Position, 0, 0));
        filo_create(game.world, FILO_SET(Health, 1));
        filo_world_refresh(game.world);
    }
    log_clear(&game.log);
    filo_events_deliver(game.events);
    expect_log(&game.log, "healed(1) healed(0) healed(3) healed(2) healed(5) healed(4) ");
    filo_create(game.world, FILO_SET(Health, 1));
    filo_world_refresh(game.world);
    filo_create(game.world, FILO_SET(Health, 1));
    filo_world_refresh(game.world);
    log_clear(&game.log);
    filo_events_deliver(game.events);
    expect_log(&game.log, "healed(6) healed(7) ");
    close_game(&game);
}

static void emit_now(FiloIter *it, const FiloObserved *observed) {
    FILO_UNUSED(observed);
    Game *game = it->user;
    expect_fault("event \"healed\": inside a system, record events in it->events",
                 filo_events_emit_now(game->events, filo_name("healed"), FILO_TYPE(Hit), &(Hit){ { 0 } }));
    log_add(&game->log, "emitted ");
}

FILO_TEST(an_observer_records_events_and_does_not_emit_them_at_once) {
    Game game;
    open_game(&game, 1);
    filo_world_handle(game.world, &(FiloWorldHandlerDesc){ .event = filo_name("healed"),
                                                           .type = FILO_TYPE(Hit),
                                                           .run = on_healed,
                                                           .user = &game });
    filo_observer_add(game.world, &(FiloObserverDesc){ .run = emit_now,
                                                       .type = FILO_TYPE(Health),
                                                       .kinds = FILO_OBSERVE_ADDED,
                                                       .user = &game });
    filo_create(game.world, FILO_SET(Health, 1));
    filo_world_refresh(game.world);
    expect_log(&game.log, "emitted ");
    close_game(&game);
}

static void draw(FiloIter *it, const FiloObserved *observed) {
    FILO_UNUSED(observed);
    FiloRandom random = filo_iter_random(it, 0);
    *(uint32_t *)it->user = filo_random_u32(&random);
    assert_null(it->events); // the world has no events
    assert_int_equal(it->count, 0);
}

FILO_TEST(observers_draw_different_random_numbers) {
    uint32_t drawn[2][4] = { { 0 } };
    for (int run = 0; run < 2; run++) {
        FiloWorld *world = new_world_with(&(FiloWorldDesc){ .seed = 11 });
        for (int i = 0; i < 3; i++) // all equal except for the last
            filo_observer_add(world, &(FiloObserverDesc){ .name = i < 2 ? "draw" : "other",
                                                          .run = draw,
                                                          .type = FILO_TYPE(Health),
                                                          .kinds = FILO_OBSERVE_ADDED,
                                                          .user = &drawn[run][i] });
        filo_create(world, FILO_SET(Health, 1));
        filo_world_refresh(world);
        drawn[run][3] = drawn[run][0];
        filo_create(world, FILO_SET(Health, 1));
        filo_world_refresh(world);
        assert_int_equal(drawn[run][3], drawn[run][0]); // the same within one tick
        assert_ok(filo_world_tick(world, 1));
        filo_create(world, FILO_SET(Health, 1));
        filo_world_refresh(world);
        assert_int_not_equal(drawn[run][3], drawn[run][0]);
        filo_world_destroy(world);
    }
    assert_memory_equal(drawn[0], drawn[1], sizeof drawn[0]);
    assert_int_not_equal(drawn[0][0], drawn[0][1]);
    assert_int_not_equal(drawn[0][0], drawn[0][2]);
}

// ---- Rounds -----------------------------------------------------------------------------------------------

// For each added health, creates two entities with one point less, down to 0.
static void multiply(FiloIter *it, const FiloObserved *observed) {
    log_add(it->user, "%zu ", observed->count);
    for (size_t i = 0; i < observed->count; i++) {
        int32_t points = filo_get(it->world, observed->entities[i], Health)->points;
        if (points == 0) continue;
        FiloEntity child = filo_changes_create_entity(it->changes);
        filo_set(it->changes, child, Health, points - 1);
        filo_set(it->changes, filo_changes_create_entity(it->changes), Health, points - 1);
    }
}

FILO_TEST(changes_made_by_observers_are_reported_in_the_next_round) {
    FiloWorld *world = new_world();
    Log log = { 0 };
    filo_observer_add(
        world, &(FiloObserverDesc){
                   .run = multiply, .type = FILO_TYPE(Health), .kinds = FILO_OBSERVE_ADDED, .user = &log });
    filo_create(world, FILO_SET(Health, 4));
    filo_world_refresh(world);
    expect_log(&log, "1 2 4 8 16 ");
    assert_int_equal(filo_world_stats(world).entities, 31);
    filo_create(world, FILO_SET(Health, 1));
    assert_ok(filo_world_tick(world, 1));
    expect_log(&log, "1 2 ");
    filo_world_destroy(world);
}

// Replaces one tag by another.
typedef struct Ping {
    const FiloType *from, *to;
    int calls;
} Ping;

static void ping(FiloIter *it, const FiloObserved *observed) {
    Ping *self = it->user;
    self->calls++;
    for (size_t i = 0; i < observed->count; i++) {
        filo_changes_remove_type(it->changes, observed->entities[i], self->from);
        filo_changes_add_type(it->changes, observed->entities[i], self->to);
    }
}

// Endlessly replaces Frozen by Chosen and back: an observer of a component, and one of a query.
static void add_pings(FiloWorld *world, Ping *thaw, Ping *freeze) {
    *thaw = (Ping){ FILO_TYPE(Frozen), FILO_TYPE(Chosen), 0 };
    *freeze = (Ping){ FILO_TYPE(Chosen), FILO_TYPE(Frozen), 0 };
    filo_observer_add(world, &(FiloObserverDesc){ .name = "thaw",
                                                  .run = ping,
                                                  .type = FILO_TYPE(Frozen),
                                                  .kinds = FILO_OBSERVE_ADDED,
                                                  .user = thaw });
    filo_observer_add(world, &(FiloObserverDesc){ .name = "freeze",
                                                  .run = ping,
                                                  .query.terms = { FILO_WITH(Chosen) },
                                                  .kinds = FILO_OBSERVE_ENTERED,
                                                  .user = freeze });
}

static const char *const too_many_rounds = "observers \"thaw\", \"freeze\" keep causing what they observe: "
                                           "16 rounds of one refresh were not enough; the "
                                           "rest waits for the next one";

FILO_TEST(endless_observer_rounds_are_reported_and_no_change_is_lost) {
    FiloWorld *world = new_world();
    Ping thaw, freeze;
    Log log = { 0 };
    observe_health(world, &log);
    add_pings(world, &thaw, &freeze);
    FiloEntity entity = filo_create(world, FILO_ADD(Frozen));
    expect_fault(too_many_rounds, filo_world_refresh(world));
    assert_int_equal(thaw.calls, 8);
    assert_int_equal(freeze.calls, 8);
    assert_true(filo_has(world, entity, Frozen) && !filo_has(world, entity, Chosen));
    expect_fault(too_many_rounds, assert_ok(filo_world_tick(world, 1))); // at the beginning of the tick
    assert_int_equal(thaw.calls, 16);
    thaw.to = FILO_TYPE(Health);
    assert_ok(filo_world_tick(world, 1));
    assert_int_equal(thaw.calls, 17);
    assert_true(filo_has(world, entity, Health));
    expect_log(&log, "added 0=0; ");
    filo_world_refresh(world);
    assert_int_equal(thaw.calls + freeze.calls, 33);
    filo_world_destroy(world);
}

// An entity that an observer creates and destroys in the same round is not reported.
static void make_and_unmake(FiloIter *it, const FiloObserved *observed) {
    FILO_UNUSED(observed);
    ++*(int *)it->user;
    FiloEntity entity = filo_changes_create_entity(it->changes);
    filo_add(it->changes, entity, Health);
    filo_changes_destroy_entity(it->changes, entity);
}

FILO_TEST(a_round_without_net_changes_is_the_last) {
    FiloWorld *world = new_world();
    int calls = 0;
    filo_observer_add(world, &(FiloObserverDesc){ .run = make_and_unmake,
                                                  .type = FILO_TYPE(Health),
                                                  .kinds = FILO_OBSERVE_ADDED,
                                                  .user = &calls });
    filo_observer_add(
        world, &(FiloObserverDesc){ .run = make_and_unmake, .kinds = FILO_OBSERVE_ENTERED, .user = &calls });
    filo_create(world, FILO_SET(Health, 1));
    filo_world_refresh(world);
    assert_int_equal(calls, 2);
    filo_world_destroy(world);
}

// ---- Threads ------------------------------------------------------------------------------------------------

typedef struct Chain { // hash of all reports to an observer
    uint64_t hash;
} Chain;

static void note_all(FiloIter *it, const FiloObserved *observed) {
    Chain *chain = it->user;
    chain->hash = filo_hash_combine(chain->hash, observed->kind);
    const Health *last = observed->type == FILO_TYPE(Health) ? filo_observed_values(observed, Health) : NULL;
    for (size_t i = 0; i < observed->count; i++) {
        chain->hash = filo_hash_combine(chain->hash, observed->entities[i].id);
        if (last != NULL) chain->hash = filo_hash_combine(chain->hash, (uint64_t)last[i].points);
    }
}

// Creates an entity for a removed health; removes Frozen for an added one.
static void react(FiloIter *it, const FiloObserved *observed) {
    note_all(it, observed);
    const Health *last = filo_observed_values(observed, Health);
    FiloRandom random = filo_iter_random(it, 0);
    for (size_t i = 0; i < observed->count; i++) {
        if (observed->kind == FILO_OBSERVE_REMOVED && last[i].points % 3 == 0) {
            FiloEntity created = filo_changes_create_entity(it->changes);
            filo_set(it->changes, created, Health, last[i].points + 1);
            filo_set(it->changes, created, Position, filo_random_float(&random), 0);
        }
        if (observed->kind == FILO_OBSERVE_ADDED) filo_remove(it->changes, observed->entities[i], Frozen);
        if (observed->kind == FILO_OBSERVE_SET) filo_add(it->changes, observed->entities[i], Chosen);
    }
}

static void stir(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        FiloEntity entity = filo_iter_entity(it, i);
        switch (filo_random_below(&random, 9)) {
        case 0: filo_changes_destroy_entity(it->changes, entity); break;
        case 1: filo_remove(it->changes, entity, Health); break;
        case 2:
        case 3: filo_set(it->changes, entity, Health, (int32_t)filo_random_below(&random, 100)); break;
        case 4: filo_add(it->changes, entity, Frozen); break;
        case 5: filo_changes_set_active(it->changes, entity, filo_random_below(&random, 3) != 0); break;
        case 6: {
            FiloEntity created = filo_changes_create_entity(it->changes);
            filo_set(it->changes, created, Position, 1, 2);
            if (filo_random_below(&random, 2) == 0) filo_add(it->changes, created, Health);
            break;
        }
        case 7:
            filo_remove(it->changes, entity, Health);
            filo_add(it->changes, entity, Health);
            break;
        default: break;
        }
    }
}

static uint64_t run_on(int threads, FiloStorage storage) {
    FiloJobs *jobs;
    FiloWorld *world;
    Chain chains[4] = { { 0 } };
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .seed = 5 }));
    divide_eagerly(world, true);
    filo_component(world, Position);
    filo_component(world, Health, .storage = storage);
    filo_component(world, Frozen);
    filo_component(world, Chosen, .storage = FILO_STORAGE_TAG);
    FiloObserverDesc desc = { .run = react,
                              .type = FILO_TYPE(Health),
                              .kinds = OF_COMPONENT,
                              .extra_access = { FILO_READ(Position) },
                              .user = &chains[0] };
    filo_observer_add(world, &desc);
    filo_observer_add(world, &(FiloObserverDesc){ .run = note_all,
                                                  .type = FILO_TYPE(Frozen),
                                                  .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED,
                                                  .user = &chains[1] });
    filo_observer_add(
        world, &(FiloObserverDesc){ .run = note_all,
                                    .kinds = OF_QUERY,
                                    .query = { .terms = { FILO_READ(Position), FILO_WITHOUT(Chosen) } },
                                    .user = &chains[2] });
    filo_observer_add(world, &(FiloObserverDesc){ .run = note_all, .kinds = OF_QUERY, .user = &chains[3] });
    filo_system_add(world, &(FiloSystemDesc){ .name = "stir",
                                              .run = stir,
                                              .parallel = true,
                                              .query = { .terms = { FILO_READ(Position) },
                                                         .activity = FILO_ANY_ACTIVITY } });
    FiloComponentValue with[] = { FILO_SET(Position, 1, 1), FILO_SET(Health, 7) };
    assert_true(
        filo_entity_create_block(world, &(FiloBlockDesc){ .count = 3000, .values = with, .value_count = 2 }));
    uint64_t hash = 0;
    for (int i = 0; i < 12; i++) {
        assert_ok(filo_world_tick(world, 1));
        hash = filo_hash_combine(hash, filo_world_hash(world));
        for (int k = 0; k < 4; k++) hash = filo_hash_combine(hash, chains[k].hash);
    }
    for (int k = 0; k < 4; k++) assert_int_not_equal(chains[k].hash, 0);
    assert_true(filo_world_stats(world).entities > 500);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return hash;
}

static void expect_same_on_threads(FiloStorage storage) {
    uint64_t one = run_on(1, storage);
    for (int threads = 2; threads <= 16; threads *= 2) assert_int_equal(run_on(threads, storage), one);
}

FILO_TEST(observers_of_tables_are_notified_equally_on_any_number_of_threads) {
    expect_same_on_threads(FILO_STORAGE_TABLE);
}
FILO_TEST(observers_of_sparse_lists_are_notified_equally_on_any_number_of_threads) {
    expect_same_on_threads(FILO_STORAGE_SPARSE);
}
