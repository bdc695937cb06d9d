// Change sets that are filled on another thread while the world ticks and changes. Most useful with ThreadSanitizer.

#include "ecs/schedule_access.h"
#include "ecs/world_types.h"

#include "base/atomic.h"

// ---- A component whose hooks share a count ------------------------------------------------------------

typedef struct Note {
    int32_t number;
    int32_t *mine; // owned copy of the number
} Note;
FILO_REFLECT(Note, FILO_FIELD(int32_t, number))

static BASE_ATOMIC(int) notes; // constructed and not destructed

static void note_construct(void *value, void *user) {
    FILO_UNUSED(user);
    *(Note *)value = (Note){ 0, malloc(sizeof(int32_t)) };
    *((Note *)value)->mine = 0;
    base_add_relaxed(&notes, 1);
}
static void note_destruct(void *value, void *user) {
    const Note *note = value;
    FILO_UNUSED(user);
    assert_int_equal(*note->mine, note->number);
    free(note->mine);
    base_sub_relaxed(&notes, 1);
}
static void note_copy(void *to, const void *from, void *user) {
    Note *note = to;
    FILO_UNUSED(user);
    note->number = ((const Note *)from)->number;
    *note->mine = note->number;
}
static void note_move(void *to, void *from, void *user) {
    FILO_UNUSED(user);
    memcpy(to, from, sizeof(Note));
    memset(from, 0xEE, sizeof(Note));
}
static const FiloComponentHooks note_hooks = {
    .construct = note_construct, .destruct = note_destruct, .copy = note_copy, .move = note_move
};

// ---- A thread that fills sets -------------------------------------------------------------------------

enum { ROUNDS = 60, OF_EACH = 40 };

typedef struct Filler {
    FiloWorld *world;
    FiloMutex lock;
    FiloCondition changed;
    FiloChanges *filled; // not applied yet; NULL: none
    bool done;
} Filler;

static void fill(FiloChanges *changes, int round) {
    FiloEntity first = FILO_ENTITY_NONE;
    for (int i = 0; i < OF_EACH; i++) {
        FiloEntity created = filo_changes_create_entity(changes);
        assert_int_not_equal(created.id, 0);
        if (i == 0) first = created;
        assert_true(filo_set(changes, created, Note, .number = round));
        assert_true(filo_set(changes, created, Target, first));
        assert_true(filo_changes_set_parent(changes, created, i > 0 ? first : FILO_ENTITY_NONE));
    }
}

static void hand_over(Filler *filler, FiloChanges *changes) {
    filo_mutex_lock(&filler->lock);
    while (filler->filled != NULL) filo_condition_wait(&filler->changed, &filler->lock);
    filler->filled = changes;
    filo_mutex_unlock(&filler->lock);
}

static void fill_sets(void *user) {
    Filler *filler = user;
    for (int i = 0; i < ROUNDS; i++) {
        FiloChanges *changes = filo_changes_create(filler->world);
        assert_non_null(changes);
        fill(changes, i);
        if (i % 3 == 0)
            filo_changes_destroy(changes); // dropped without being applied
        else
            hand_over(filler, changes);
    }
    filo_mutex_lock(&filler->lock);
    filler->done = true;
    filo_mutex_unlock(&filler->lock);
}

// Returns false after the last set.
static bool apply_filled(Filler *filler) {
    filo_mutex_lock(&filler->lock);
    FiloChanges *changes = filler->filled;
    bool more = changes != NULL || !filler->done;
    filler->filled = NULL;
    filo_condition_broadcast(&filler->changed);
    filo_mutex_unlock(&filler->lock);
    if (changes != NULL) {
        assert_true(filo_changes_apply(changes));
        filo_changes_destroy(changes);
    }
    return more;
}

// ---- Concurrent ticks and changes ---------------------------------------------------------------------

static void note_all(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        filo_set(it->changes, filo_iter_entity(it, i), Note, .number = 1);
        FiloEntity created = filo_changes_create_entity(it->changes);
        filo_set(it->changes, created, Note, .number = 2);
        filo_changes_destroy_entity(it->changes, created);
    }
}

static void change_at_once(FiloWorld *world, FiloSnapshot *snapshot) {
    FiloEntity entity = filo_entity_create(world);
    assert_true(filo_set(world, entity, Note, .number = 3));
    assert_true(filo_set(world, entity, Position, 1, 2));
    assert_ok(filo_snapshot_take(snapshot, world)); // also destructs the copies of the previous snapshot
    filo_entity_destroy(world, entity);
}

static void fill_while_it_runs(FiloStorage storage, int threads) {
    notes = 0;
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    FiloWorld *world = new_world_with(&(FiloWorldDesc){ .jobs = jobs });
    divide_eagerly(world, true);
    FiloComponentHooks hooks = note_hooks;
    if (storage == FILO_STORAGE_SPARSE) hooks.move = NULL; // sparse lists move values as bytes
    filo_component(world, Note, .storage = storage, .hooks = hooks);
    FiloComponentValue with[] = { FILO_SET(Health, 1) };
    assert_true(
        filo_entity_create_block(world, &(FiloBlockDesc){ .count = 30, .values = with, .value_count = 1 }));
    filo_system_add(
        world, &(FiloSystemDesc){
                   .name = "note", .run = note_all, .parallel = true, .query.terms = { FILO_READ(Health) } });
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    Filler filler = { .world = world };
    filo_mutex_init(&filler.lock);
    filo_condition_init(&filler.changed);
    FiloThread thread;
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = fill_sets, .user = &filler }));
    while (apply_filled(&filler)) {
        assert_ok(filo_world_tick(world, 1));
        change_at_once(world, snapshot);
    }
    filo_thread_join(&thread);
    filo_condition_deinit(&filler.changed);
    filo_mutex_deinit(&filler.lock);
    FiloQuery *query = filo_query(world, FILO_READ(Target));
    assert_int_equal(filo_query_count(query), ROUNDS * 2 / 3 * OF_EACH);
    for (FiloIter it = filo_query_iter(query); filo_iter_next(&it);)
        for (size_t i = 0; i < it.count; i++) {
            const Target *target = &filo_read(&it, Target)[i];
            const Note *note = filo_get(world, filo_iter_entity(&it, i), Note);
            assert_int_equal(filo_get(world, target->entity, Note)->number, note->number);
        }
    filo_query_release(query);
    filo_snapshot_destroy(snapshot);
    assert_int_equal(notes, filo_query_count(query = filo_query(world, FILO_READ(Note))));
    destroy_with_query(world, query);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    assert_int_equal(notes, 0);
}

FILO_TEST(a_set_may_be_filled_on_another_thread_while_the_world_runs) {
    fill_while_it_runs(FILO_STORAGE_TABLE, 2);
}

FILO_TEST(a_set_with_values_for_arrays_may_be_filled_on_another_thread) {
    fill_while_it_runs(FILO_STORAGE_ARRAY, 1);
}

FILO_TEST(a_set_with_values_for_sparse_lists_may_be_filled_on_another_thread) {
    fill_while_it_runs(FILO_STORAGE_SPARSE, 1);
}

// ---- Hooks on two threads -----------------------------------------------------------------------------

typedef struct Rendezvous { // two hooks that wait for each other
    FiloMutex lock;
    FiloCondition changed;
    int inside;
    bool timed_out;
    FiloWorld *world;
    FiloEntity entity;
} Rendezvous;

typedef struct Counted {
    int32_t number;
} Counted;
FILO_REFLECT(Counted, FILO_FIELD(int32_t, number))

static void counted_copy(void *to, const void *from, void *user) {
    Rendezvous *rendezvous = user;
    memcpy(to, from, sizeof(Counted));
    if (((const Counted *)from)->number == 0) return; // not one of the two threads
    filo_mutex_lock(&rendezvous->lock);
    rendezvous->inside++;
    filo_condition_broadcast(&rendezvous->changed);
    while (rendezvous->inside < 2 && !rendezvous->timed_out)
        rendezvous->timed_out =
            !filo_condition_wait_for(&rendezvous->changed, &rendezvous->lock, INT64_C(20000000000));
    filo_mutex_unlock(&rendezvous->lock);
}

static void record_counted(void *user) {
    Rendezvous *rendezvous = user;
    FiloChanges *changes = filo_changes_create(rendezvous->world);
    assert_true(filo_set(changes, rendezvous->entity, Counted, 1));
    filo_changes_destroy(changes);
}

FILO_TEST(a_hook_does_not_wait_for_one_that_another_thread_calls) {
    Rendezvous rendezvous = { .world = new_world() };
    filo_mutex_init(&rendezvous.lock);
    filo_condition_init(&rendezvous.changed);
    filo_component(rendezvous.world, Counted, .hooks = { .copy = counted_copy, .user = &rendezvous });
    rendezvous.entity = filo_create(rendezvous.world, FILO_ADD(Counted));
    FiloThread thread;
    assert_ok(
        filo_thread_start(&thread, &(FiloThreadDesc){ .function = record_counted, .user = &rendezvous }));
    assert_true(filo_set(rendezvous.world, rendezvous.entity, Counted, 2));
    filo_thread_join(&thread);
    assert_false(rendezvous.timed_out);
    assert_int_equal(rendezvous.inside, 2);
    filo_world_destroy(rendezvous.world);
    filo_condition_deinit(&rendezvous.changed);
    filo_mutex_deinit(&rendezvous.lock);
}

// ---- A value that owns a snapshot of its world --------------------------------------------------------

typedef struct SavePoint {
    int32_t number;
    FiloSnapshot *snapshot;
} SavePoint;
FILO_REFLECT(SavePoint, FILO_FIELD(int32_t, number))

static void end_save_point(void *value, void *user) {
    FILO_UNUSED(user);
    filo_snapshot_destroy(((SavePoint *)value)->snapshot);
}

FILO_TEST(a_hook_may_destroy_a_snapshot_whose_values_have_hooks) {
    notes = 0;
    FiloWorld *world = new_world();
    filo_component(world, Note, .hooks = note_hooks);
    filo_component(world, SavePoint, .transient = true, .hooks.destruct = end_save_point);
    filo_create(world, FILO_SET(Note, .number = 5));
    FiloEntity entity = filo_entity_create(world);
    FiloSnapshot *outlives = filo_snapshot_create(NULL), *owned = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(outlives, world));
    assert_ok(filo_snapshot_take(owned, world));
    assert_true(filo_set(world, entity, SavePoint, 1, owned));
    assert_int_equal(notes, 3);
    filo_entity_destroy(world, entity);
    assert_int_equal(notes, 2);
    filo_world_destroy(world);
    assert_int_equal(notes, 1);
    filo_snapshot_destroy(outlives);
    assert_int_equal(notes, 0);
}
