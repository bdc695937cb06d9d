// Names of entities: the process has no more names in use than entities have.

#include "ecs/log.h"
#include "ecs/world_types.h"

#include <filo/observer.h>
#include <filo/snapshot.h>
#include <filo/system.h>

typedef struct Kind {
    FiloName name;
} Kind;
FILO_REFLECT(Kind, FILO_FIELD(FiloName, name))

static const char *numbered(char *text, size_t size, const char *what, uint32_t number) {
    snprintf(text, size, "%s %u", what, number);
    return text;
}

FILO_TEST(three_million_names_in_sequence_do_not_exhaust_the_names) {
    FiloWorld *world = new_world();
    uint32_t before = filo_name_in_use();
    char text[32];
    for (uint32_t i = 0; i < 3000000; i++) {
        FiloEntity entity = filo_entity_create(world);
        if (!filo_entity_set_name(world, entity, numbered(text, sizeof text, "mayfly", i)))
            fail_msg("there was no name for number %u", i);
        filo_entity_destroy(world, entity);
    }
    assert_int_equal(filo_name_in_use(), before);
    FiloEntity last = filo_entity_create(world);
    assert_true(filo_entity_set_name(world, last, "last"));
    assert_string_equal(filo_entity_name(world, last), "last");
    assert_true(filo_world_find(world, "last").id == last.id);
    filo_world_destroy(world);
}

// Every method by which an entity loses its name.
FILO_TEST(removed_names_release_their_memory) {
    uint32_t before = filo_name_in_use();
    FiloWorld *world = new_world();
    uint32_t with_world = filo_name_in_use();
    char text[32];
    for (int method = 0; method < 6; method++) {
        FiloEntity entities[100];
        FiloChanges *changes = filo_changes_create(world);
        for (uint32_t i = 0; i < 100; i++) {
            entities[i] = filo_entity_create(world);
            numbered(text, sizeof text, "member", i);
            if (i % 2 == 0)
                assert_true(filo_entity_set_name(world, entities[i], text));
            else
                assert_true(filo_changes_set_name(changes, entities[i], text));
        }
        assert_true(filo_changes_apply(changes));
        assert_int_equal(filo_name_in_use(), with_world + 100);
        for (uint32_t i = 0; i < 100 && method <= 3; i++) {
            assert_true(filo_world_find(world, numbered(text, sizeof text, "member", i)).id ==
                        entities[i].id);
            if (method == 0) filo_entity_destroy(world, entities[i]);
            if (method == 1) assert_true(filo_entity_set_name(world, entities[i], NULL));
            if (method == 2) filo_changes_destroy_entity(changes, entities[i]);
            if (method == 3) filo_changes_set_name(changes, entities[i], "");
        }
        assert_true(filo_changes_apply(changes));
        if (method == 4) assert_ok(filo_world_reset(world, 0));
        if (method == 5) filo_entity_destroy_many(world, entities, 100);
        assert_int_equal(filo_name_in_use(), with_world);
        filo_changes_destroy(changes);
    }
    FiloEntity entity = filo_entity_create(world);
    for (uint32_t i = 0; i < 100; i++)
        assert_true(filo_entity_set_name(world, entity, numbered(text, sizeof text, "alias", i)));
    assert_int_equal(filo_name_in_use(), with_world + 1);
    filo_world_destroy(world);
    assert_in_range(filo_name_in_use(), before, with_world); // names of components stay
}

FILO_TEST(a_change_set_copies_the_text_of_a_name) {
    FiloWorld *world = new_world();
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world);
    uint32_t before = filo_name_in_use();
    char long_text[600];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    assert_true(filo_changes_set_name(changes, a, "short"));
    assert_true(filo_changes_set_name(changes, b, long_text));
    assert_int_equal(filo_name_in_use(), before);
    assert_string_equal(filo_changes_name(changes, a), "short");
    assert_string_equal(filo_changes_name(changes, b), long_text);
    // The text is in the set itself, which grows.
    for (int i = 0; i < 100; i++) {
        assert_true(filo_changes_set_name(changes, a, ""));
        assert_true(filo_changes_set_name(changes, a, filo_changes_name(changes, b)));
        assert_string_equal(filo_changes_name(changes, a), long_text);
    }
    assert_true(filo_changes_set_name(changes, a, "short"));
    assert_true(filo_changes_apply(changes));
    assert_string_equal(filo_entity_name(world, a), "short");
    assert_string_equal(filo_entity_name(world, b), long_text);
    destroy_with_changes(world, changes);
}

// ---- Snapshots ------------------------------------------------------------------------------------------

static void use_up_ids(void) {
    char text[32];
    for (uint32_t i = 0; i < 20000; i++) {
        FiloName name;
        assert_ok(filo_name_retain(&name, filo_string(numbered(text, sizeof text, "between", i))));
        filo_name_release(name);
    }
}

FILO_TEST(a_snapshot_restores_names_that_were_removed_since) {
    FiloWorld *world = new_world();
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    FiloEntity entities[50];
    char text[32];
    for (uint32_t i = 0; i < 50; i++) {
        entities[i] = filo_entity_create(world);
        assert_true(filo_entity_set_name(world, entities[i], numbered(text, sizeof text, "kept", i)));
    }
    uint32_t named = filo_name_in_use();
    uint64_t hash = filo_world_hash(world);
    assert_ok(filo_snapshot_take(snapshot, world));
    for (uint32_t i = 0; i < 50; i++) {
        if (i % 2 == 0)
            filo_entity_destroy(world, entities[i]);
        else
            assert_true(filo_entity_set_name(world, entities[i], numbered(text, sizeof text, "other", i)));
    }
    use_up_ids();
    for (int twice = 0; twice < 2; twice++) {
        assert_ok(filo_snapshot_restore(snapshot, world));
        assert_int_equal(filo_name_in_use(), named);
        assert_true(filo_world_hash(world) == hash);
        for (uint32_t i = 0; i < 50; i++) {
            numbered(text, sizeof text, "kept", i);
            assert_string_equal(filo_entity_name(world, entities[i]), text);
            assert_true(filo_world_find(world, text).id == entities[i].id);
            assert_string_equal(filo_name_text(filo_get(world, entities[i], FiloEntityName)->name), text);
        }
    }
    FiloWorld *other;
    assert_ok(filo_world_create_like(&other, world, NULL));
    assert_ok(filo_snapshot_restore(snapshot, other));
    filo_world_destroy(world);
    use_up_ids();
    assert_string_equal(filo_entity_name(other, entities[7]), "kept 7");
    assert_true(filo_world_hash(other) == hash);
    filo_world_destroy(other);
    assert_int_equal(filo_name_in_use(), named - 50);
    filo_snapshot_destroy(snapshot);
}

FILO_TEST(a_history_restores_names_that_were_removed_since) {
    FiloWorld *world = new_world();
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    char text[32];
    FiloEntity entity = filo_entity_create(world);
    for (uint32_t i = 0; i < 30; i++) {
        assert_true(filo_entity_set_name(world, entity, numbered(text, sizeof text, "then", i)));
        assert_ok(filo_history_push(history, world));
        use_up_ids();
    }
    for (uint32_t i = 0; i < 30; i += 7) {
        assert_ok(filo_history_rewind(history, world, i == 0 ? 0 : 7));
        assert_string_equal(filo_entity_name(world, entity), numbered(text, sizeof text, "then", 29 - i));
        assert_true(filo_world_find(world, text).id == entity.id);
    }
    filo_history_destroy(history);
    filo_world_destroy(world);
}

// ---- Observers ------------------------------------------------------------------------------------------

static void log_names(FiloIter *it, const FiloObserved *observed) {
    const FiloEntityName *names = filo_observed_values(observed, FiloEntityName);
    for (size_t i = 0; i < observed->count; i++) log_add(it->user, "%s ", filo_name_text(names[i].name));
}

FILO_TEST(observers_can_read_removed_names) {
    FiloWorld *world = new_world();
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    Log log = { 0 };
    FiloObserver observer = filo_observer_add(world, &(FiloObserverDesc){ .run = log_names,
                                                                          .user = &log,
                                                                          .type = FILO_TYPE(FiloEntityName),
                                                                          .kinds = FILO_OBSERVE_REMOVED });
    assert_int_not_equal(observer.id, 0);
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world);
    filo_entity_set_name(world, a, "ann");
    filo_entity_set_name(world, b, "ben");
    filo_world_refresh(world);
    uint32_t named = filo_name_in_use();
    filo_entity_destroy(world, a);
    filo_entity_set_name(world, b, NULL);
    filo_world_refresh(world);
    expect_log(&log, "ann ben ");
    assert_int_equal(filo_name_in_use(), named - 2);
    // Also after a restore of a snapshot that was taken before the report.
    filo_entity_set_name(world, b, "bob");
    filo_world_refresh(world);
    filo_entity_destroy(world, b);
    assert_ok(filo_snapshot_take(snapshot, world));
    filo_world_refresh(world);
    expect_log(&log, "bob ");
    use_up_ids();
    assert_ok(filo_snapshot_restore(snapshot, world));
    filo_world_refresh(world);
    expect_log(&log, "bob ");
    destroy_with_snapshot(world, snapshot);
}

// ---- Saves ----------------------------------------------------------------------------------------------

static FiloWorld *crowd(uint32_t count) {
    FiloWorld *world = new_world();
    filo_component(world, Kind);
    char text[32];
    for (uint32_t i = 0; i < count; i++) {
        FiloEntity entity = filo_entity_create(world);
        assert_true(filo_entity_set_name(world, entity, numbered(text, sizeof text, "citizen", i)));
    }
    return world;
}

FILO_TEST(a_save_with_too_many_names_is_refused_and_leaves_none) {
    enum { COUNT = 100000 };
    const char *path = filo_test_path("crowd.save");
    uint32_t at_first = filo_name_in_use();
    FiloWorld *world = crowd(COUNT);
    uint64_t hash = filo_world_hash(world);
    assert_ok(filo_world_save(world, path, &(FiloSaveDesc){ .skip_sync = true }));
    assert_ok(filo_world_reset(world, 0));
    uint32_t before = filo_name_in_use(), others = 0;
    assert_in_range(before, at_first, at_first + 100);
    static FiloName names[FILO_NAME_LIMIT];
    char text[32];
    while (filo_name_in_use() < FILO_NAME_LIMIT - FILO_NAME_RESERVE - COUNT / 2) {
        assert_ok(
            filo_name_retain(&names[others], filo_string(numbered(text, sizeof text, "resident", others))));
        others++;
    }
    assert_error(filo_world_load(world, path, NULL), FILO_ERROR_LIMIT, "there are too many names");
    assert_int_equal(filo_name_in_use(), before + others);
    assert_int_equal(filo_world_stats(world).entities, 0);
    FiloEntity entity = filo_entity_create(world);
    assert_true(filo_entity_set_name(world, entity, "a normal name"));
    while (others > 0) filo_name_release(names[--others]);
    assert_ok(filo_world_load(world, path, NULL));
    assert_true(filo_world_hash(world) == hash);
    assert_int_equal(filo_name_in_use(), before + COUNT);
    filo_world_destroy(world);
}

// Names in values of components are never released, because the values may have been copied.
FILO_TEST(names_in_values_stay_if_a_save_is_accepted_and_only_then) {
    const char *path = filo_test_path("kinds.save");
    FiloWorld *world = crowd(3);
    FiloEntity entity = filo_world_find(world, "citizen 1");
    FiloName kind;
    assert_ok(filo_name_retain(&kind, FILO_STRING("kind of a save")));
    assert_true(filo_set(world, entity, Kind, kind));
    assert_ok(filo_world_save(world, path, &(FiloSaveDesc){ .skip_sync = true }));
    filo_world_destroy(world);
    filo_name_release(kind);
    world = crowd(0);
    uint32_t before = filo_name_in_use();
    assert_error(filo_world_load(world, path, &(FiloLoadDesc){ .limit = 10 }), FILO_ERROR_LIMIT, "");
    assert_int_equal(filo_name_in_use(), before);
    assert_ok(filo_world_load(world, path, NULL));
    assert_int_equal(filo_name_in_use(), before + 4);
    assert_string_equal(filo_name_text(filo_get(world, entity, Kind)->name), "kind of a save");
    filo_world_destroy(world);
    assert_int_equal(filo_name_in_use(), before + 1);
    assert_int_not_equal(filo_name_find(FILO_STRING("kind of a save")).id, 0);
}
