// Change sets: values with and without hooks, temporary ids, and reading back.

#include "ecs/world_types.h"

#include "ecs/changes/changes.h"

// ---- Values that are read from the set or the world ---------------------------------------------------

FILO_TEST(a_value_read_from_the_set_can_be_recorded_in_it) {
    enum { COUNT = 2000 }; // the set grows several times
    FiloWorld *world = new_world();
    FiloComponent position = ID(world, Position);
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity *entities = malloc(COUNT * sizeof *entities);
    entities[0] = filo_changes_create_entity(changes);
    assert_true(filo_set(changes, entities[0], Position, 3, 4));
    for (int i = 1; i < COUNT; i++) {
        entities[i] = filo_changes_create_entity(changes);
        const void *value = filo_changes_get(changes, entities[i - 1], position);
        assert_true(filo_changes_set(changes, entities[i], position, value));
    }
    assert_true(filo_changes_apply(changes));
    for (int i = 0; i < COUNT; i++) {
        const Position *at = filo_get(world, filo_changes_resolved(changes, entities[i]), Position);
        assert_true(at->x == 3 && at->y == 4);
    }
    // The set also grows between two records of the same kind.
    for (int i = 0; i < COUNT; i++) entities[i] = filo_create(world, FILO_SET(Health, i));
    assert_true(filo_set(changes, entities[0], Position, 5, 6));
    for (int i = 1; i < COUNT; i++)
        assert_true(filo_changes_set(changes, entities[i], position,
                                     filo_changes_get(changes, entities[i - 1], position)));
    assert_true(filo_changes_apply(changes));
    for (int i = 0; i < COUNT; i++) assert_true(filo_get(world, entities[i], Position)->y == 6);
    filo_changes_destroy(changes);
    free(entities);
    filo_world_destroy(world);
}

FILO_TEST(a_value_in_the_world_can_be_recorded) {
    FiloWorld *world = new_world();
    FiloComponent position = ID(world, Position);
    FiloEntity from = filo_create(world, FILO_SET(Position, 7, 8)), to = filo_entity_create(world);
    FiloChanges *changes = filo_changes_create(world);
    assert_true(filo_changes_set(changes, to, position, filo_entity_get(world, from, position)));
    filo_entity_destroy(world, from);
    assert_true(filo_changes_apply(changes));
    assert_true(filo_get(world, to, Position)->y == 8);
    destroy_with_changes(world, changes);
}

// ---- Outside of tables ----------------------------------------------------------------------------------

FILO_TEST(changes_of_sparse_components_and_tags_are_applied_in_the_order_of_records) {
    FiloWorld *world = new_world();
    filo_component(world, Stranger, .storage = FILO_STORAGE_SPARSE);
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world),
               destroyed = filo_entity_create(world), d = filo_entity_create(world),
               e = filo_entity_create(world);
    for (int i = 0; i < 100; i++) filo_entity_create(world); // so that the list leads the iteration
    FiloChanges *changes = filo_changes_create(world);
    filo_set(changes, a, Stranger, 1);
    filo_add(changes, b, Stranger);
    filo_add(changes, b, Chosen);
    FiloEntity created = filo_changes_create_entity(changes);
    filo_set(changes, created, Stranger, 5);
    filo_add(changes, created, Chosen);
    filo_add(changes, created, Chosen); // twice is once
    filo_remove(changes, a, Stranger);
    filo_remove(changes, e, Stranger); // it has none
    filo_remove(changes, e, Chosen);
    filo_destroy(changes, destroyed);
    filo_set(changes, destroyed, Stranger, 7); // dropped
    filo_add(changes, destroyed, Chosen);
    filo_set(changes, d, Stranger, 9);
    filo_set(changes, d, Stranger, 10);
    filo_add(changes, d, Stranger); // does not change the value
    filo_add(changes, d, Chosen);
    filo_remove(changes, d, Chosen);
    filo_set(changes, e, Stranger, 11);
    assert_true(filo_changes_apply(changes));
    created = filo_changes_resolved(changes, created);
    FiloQuery *strangers = filo_query(world, FILO_READ(Stranger)),
              *chosen = filo_query(world, FILO_WITH(Chosen));
    const FiloEntity order[] = { created, b, d, e }; // the created entity has the row of the first one
    const int32_t numbers[] = { 5, 0, 10, 11 };
    size_t row = 0;
    FiloIter it = filo_query_iter(strangers);
    while (filo_iter_next(&it)) {
        FiloColumn stranger = filo_column(&it, Stranger);
        for (size_t i = 0; i < it.count; i++, row++) {
            assert_true(row < FILO_COUNT_OF(order) && filo_iter_entity(&it, i).id == order[row].id);
            assert_int_equal(FILO_AT(stranger, i, const Stranger)->number, numbers[row]);
        }
    }
    assert_int_equal(row, FILO_COUNT_OF(order));
    assert_int_equal(filo_query_count(chosen), 2);
    assert_true(filo_has(world, b, Chosen) && filo_has(world, created, Chosen));
    filo_query_release(strangers);
    filo_query_release(chosen);
    destroy_with_changes(world, changes);
}

// ---- Values with hooks --------------------------------------------------------------------------------

typedef struct Label { // owns its text, and stores its own address
    int32_t length;
    char *text;
    struct Label *self;
} Label;
FILO_REFLECT(Label, FILO_FIELD(int32_t, length))

static BASE_ATOMIC(int) labels; // constructed and not destructed

static char *text_like(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return memcpy(copy, text, size);
}

static void label_construct(void *value, void *user) {
    Label *label = value;
    FILO_UNUSED(user);
    *label = (Label){ 0, text_like(""), label };
    base_add_relaxed(&labels, 1);
}
static void label_destruct(void *value, void *user) {
    Label *label = value;
    FILO_UNUSED(user);
    assert_ptr_equal(label->self, label);
    free(label->text);
    label->self = NULL;
    base_sub_relaxed(&labels, 1);
}
static void label_copy(void *to, const void *from, void *user) {
    Label *label = to;
    FILO_UNUSED(user);
    assert_ptr_equal(label->self, label);
    char *text = text_like(((const Label *)from)->text);
    free(label->text);
    label->text = text;
    label->length = (int32_t)strlen(text);
}
static void label_move(void *to, void *from, void *user) {
    Label *label = to;
    FILO_UNUSED(user);
    assert_ptr_equal(((Label *)from)->self, from);
    memcpy(label, from, sizeof *label);
    label->self = label;
    ((Label *)from)->self = NULL;
}

static const FiloComponentHooks label_hooks = {
    .construct = label_construct, .destruct = label_destruct, .copy = label_copy, .move = label_move
};

// Records a label whose text is freed before this returns.
static bool record_label(FiloChanges *changes, FiloEntity entity, const char *text) {
    Label label = { .text = text_like(text) };
    bool good = filo_changes_set(changes, entity,
                                 filo_component_of(filo_changes_world(changes), FILO_TYPE(Label)), &label);
    memset(label.text, '?', strlen(text));
    free(label.text);
    return good;
}

static void expect_label(const Label *label, const char *text) {
    assert_non_null(label);
    assert_string_equal(label->text, text);
    assert_int_equal(label->length, strlen(text));
    assert_ptr_equal(label->self, label);
}

static void record_labels(FiloStorage storage) {
    enum { COUNT = 300 }; // the set grows
    labels = 0;
    FiloWorld *world = new_world();
    filo_component(world, Label, .storage = storage, .hooks = label_hooks);
    FiloEntity entities[COUNT], destroyed = filo_entity_create(world);
    FiloChanges *changes = filo_changes_create(world);
    char text[32];
    for (int i = 0; i < COUNT; i++) {
        entities[i] = filo_entity_create(world);
        snprintf(text, sizeof text, "label %d", i);
        assert_true(record_label(changes, entities[i], text));
        if (i % 3 == 0) assert_true(filo_set(changes, entities[i], Health, i));
        expect_label(filo_get(changes, entities[i], Label), text);
    }
    expect_label(filo_get(changes, entities[7], Label), "label 7");
    assert_true(record_label(changes, entities[1], "later"));
    assert_true(record_label(changes, destroyed, "dropped"));
    assert_true(filo_remove(changes, entities[2], Label));
    filo_entity_destroy(world, destroyed);
    assert_int_equal(labels, COUNT + 2);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(labels, COUNT - 1);
    assert_false(filo_has(world, entities[2], Label));
    assert_string_equal(filo_get(world, entities[0], Label)->text, "label 0");
    assert_string_equal(filo_get(world, entities[1], Label)->text, "later");
    assert_string_equal(filo_get(world, entities[COUNT - 1], Label)->text, "label 299");
    // Dropped records are destructed.
    assert_true(record_label(changes, entities[0], "dropped"));
    assert_ok(filo_world_reset(world, 0));
    assert_int_equal(labels, 1);
    filo_changes_destroy(changes);
    assert_int_equal(labels, 0);
    filo_world_destroy(world);
    assert_int_equal(labels, 0);
}

FILO_TEST(a_value_with_a_copy_hook_is_copied_when_it_is_recorded_in_tables) {
    record_labels(FILO_STORAGE_TABLE);
}
FILO_TEST(a_value_with_a_copy_hook_is_copied_when_it_is_recorded_in_arrays) {
    record_labels(FILO_STORAGE_ARRAY);
}

// Labels in storages that move values by memcpy do not store their address.
static void plain_label_destruct(void *value, void *user) {
    FILO_UNUSED(user);
    free(((Label *)value)->text);
    labels--;
}
static void plain_label_copy(void *to, const void *from, void *user) {
    ((Label *)to)->self = to;
    label_copy(to, from, user);
}

static void record_plain_labels(FiloStorage storage) {
    labels = 0;
    FiloWorld *world = new_world();
    filo_component(world, Label, .storage = storage,
                   .hooks = { label_construct, plain_label_destruct, plain_label_copy, NULL, NULL });
    FiloEntity entities[300];
    FiloChanges *changes = filo_changes_create(world);
    for (size_t i = 0; i < FILO_COUNT_OF(entities); i++) {
        entities[i] = filo_entity_create(world);
        assert_true(record_label(changes, entities[i], i % 2 == 0 ? "even" : "odd"));
    }
    assert_string_equal(filo_get(changes, entities[3], Label)->text, "odd");
    assert_true(filo_changes_apply(changes));
    for (size_t i = 0; i < FILO_COUNT_OF(entities); i++)
        assert_string_equal(filo_get(world, entities[i], Label)->text, i % 2 == 0 ? "even" : "odd");
    assert_int_equal(labels, FILO_COUNT_OF(entities));
    destroy_with_changes(world, changes);
    assert_int_equal(labels, 0);
}

FILO_TEST(a_value_with_a_copy_hook_is_copied_when_it_is_recorded_in_sparse_storage) {
    record_plain_labels(FILO_STORAGE_SPARSE);
}
FILO_TEST(a_value_with_a_copy_hook_is_copied_when_it_is_recorded_in_maps) {
    record_plain_labels(FILO_STORAGE_MAP);
}

FILO_TEST(a_global_with_a_copy_hook_is_copied_when_it_is_recorded) {
    labels = 0;
    FiloWorld *world = new_world();
    filo_component(world, Label, .storage = FILO_STORAGE_GLOBAL, .hooks = label_hooks);
    FiloChanges *changes = filo_changes_create(world);
    assert_true(record_label(changes, FILO_ENTITY_NONE, "first"));
    assert_true(record_label(changes, FILO_ENTITY_NONE, "second"));
    assert_int_equal(labels, 3);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(labels, 1);
    expect_label(filo_get_global(world, Label), "second");
    destroy_with_changes(world, changes);
    assert_int_equal(labels, 0);
}

FILO_TEST(recorded_values_that_were_never_applied_are_destructed_with_the_world) {
    labels = 0;
    FiloWorld *world = new_world();
    filo_component(world, Label, .hooks = label_hooks);
    FiloChanges changes;
    ecs_changes_open(&changes, world, 0, 0);
    assert_true(record_label(&changes, filo_entity_create(world), "set"));
    ecs_changes_close(&changes);
    assert_int_equal(labels, 1);
    filo_world_destroy(world);
    assert_int_equal(labels, 0);
}

static void label_all(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        char text[32];
        FiloEntity self = filo_iter_entity(it, i);
        snprintf(text, sizeof text, "%u", filo_entity_index(self));
        assert_true(record_label(it->changes, self, text));
        if (i % 2 == 0) assert_true(record_label(it->changes, filo_changes_create_entity(it->changes), text));
    }
}

FILO_TEST(parallel_systems_record_values_with_hooks) {
    enum { COUNT = 3000 };
    labels = 0;
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 4 }));
    FiloWorld *world = new_world_with(&(FiloWorldDesc){ .jobs = jobs });
    filo_component(world, Label, .hooks = label_hooks);
    FiloComponentValue with[] = { FILO_SET(Health, 1) };
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = COUNT, .values = with, .value_count = 1 }));
    filo_system_add(world, &(FiloSystemDesc){ .name = "label all",
                                              .run = label_all,
                                              .parallel = true,
                                              .query.terms = { FILO_READ(Health) } });
    assert_ok(filo_world_tick(world, 1));
    assert_ok(filo_world_tick(world, 1));
    FiloQuery *query = filo_query(world, FILO_READ(Label));
    assert_int_equal(labels, filo_query_count(query)); // no copy leaks
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        const Label *column = filo_read(&it, Label);
        for (size_t i = 0; i < it.count; i++) {
            const Label *label = &column[i];
            assert_int_equal(strlen(label->text), label->length);
        }
    }
    destroy_with_query(world, query);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    assert_int_equal(labels, 0);
}

// ---- Temporary ids of user sets -----------------------------------------------------------------------

static void spawn(FiloIter *it) { assert_int_not_equal(filo_changes_create_entity(it->changes).id, 0); }

static void store_created(const FiloEvent *event, void *user) {
    *(FiloEntity *)user = ((const Target *)event->payload)->entity;
}

FILO_TEST(temporary_ids_of_a_user_set_stay_unresolved_until_it_is_applied) {
    FiloJobs *jobs;
    FiloEvents *events;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    assert_ok(filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs }));
    FiloWorld *world = new_world_with(&(FiloWorldDesc){ .jobs = jobs, .events = events });
    filo_system_add(world, &(FiloSystemDesc){ .name = "spawn", .run = spawn, .once = true });
    FiloChanges *set = filo_changes_create(world), *other = filo_changes_create(world);
    FiloEntity temporary = filo_changes_create_entity(set);
    FiloEntity created = FILO_ENTITY_NONE;
    filo_events_subscribe(events, &(FiloHandlerDesc){ .event = filo_name("created"),
                                                      .type = FILO_TYPE(Target),
                                                      .function = store_created,
                                                      .user = &created });
    filo_edit_global(world, Score)->leader = temporary;
    assert_ok(filo_world_tick(world, 1)); // the system creates an entity, and ids are resolved
    assert_true(filo_events_emit(events, filo_name("created"), FILO_TYPE(Target), &(Target){ temporary }));
    assert_int_not_equal(filo_changes_create_entity(other).id, 0);
    assert_true(filo_changes_apply(other)); // resolves ids again
    assert_same_entity(filo_get_global(world, Score)->leader, temporary);
    assert_true(filo_changes_apply(set));
    FiloEntity real = filo_changes_resolved(set, temporary);
    assert_int_not_equal(real.id, 0);
    assert_same_entity(filo_get_global(world, Score)->leader, real);
    filo_events_deliver(events);
    assert_same_entity(created, real);
    // A temporary id of a destroyed set resolves to no entity.
    filo_edit_global(world, Score)->leader = filo_changes_create_entity(set);
    filo_changes_destroy(set);
    assert_int_not_equal(filo_changes_create_entity(other).id, 0);
    assert_true(filo_changes_apply(other));
    assert_int_equal(filo_get_global(world, Score)->leader.id, 0);
    destroy_with_changes(world, other);
    filo_events_destroy(events);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Reading back -------------------------------------------------------------------------------------

FILO_TEST(a_recorded_global_is_read_back) {
    FiloWorld *world = new_world();
    filo_edit_global(world, Score)->points = 1;
    FiloChanges *changes = filo_changes_create(world);
    assert_int_equal(filo_get(changes, FILO_ENTITY_NONE, Score)->points, 1);
    assert_true(filo_changes_has(changes, FILO_ENTITY_NONE, ID(world, Score)));
    assert_false(filo_changes_has(changes, FILO_ENTITY_NONE, ID(world, Health)));
    assert_null(filo_get(changes, FILO_ENTITY_NONE, Health));
    assert_true(filo_set(changes, FILO_ENTITY_NONE, Score, .points = 2));
    assert_true(filo_set(changes, FILO_ENTITY_NONE, Score, .points = 3));
    assert_int_equal(filo_get(changes, FILO_ENTITY_NONE, Score)->points, 3);
    assert_int_equal(filo_get_global(world, Score)->points, 1);
    destroy_with_changes(world, changes);
}

FILO_TEST(children_of_a_destroyed_entity_read_back_as_destroyed) {
    FiloWorld *world = new_world();
    FiloEntity root = filo_entity_create(world), child = filo_create(world, FILO_SET(Health, 1)),
               grandchild = filo_entity_create(world), saved = filo_entity_create(world),
               late = filo_entity_create(world), other = filo_entity_create(world);
    filo_entity_set_parent(world, child, root);
    filo_entity_set_parent(world, grandchild, child);
    filo_entity_set_parent(world, saved, root);
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity made = filo_changes_create_entity(changes);
    assert_true(filo_changes_set_parent(changes, made, grandchild));
    assert_true(filo_changes_exists(changes, made));
    assert_true(filo_changes_destroy_entity(changes, root));
    assert_true(filo_changes_set_parent(changes, saved, FILO_ENTITY_NONE)); // so it is not destroyed
    assert_true(filo_changes_set_parent(changes, late, grandchild));
    assert_true(filo_changes_set_parent(changes, root, other)); // dropped
    const FiloEntity going[] = { root, child, grandchild, late, made };
    for (size_t i = 0; i < FILO_COUNT_OF(going); i++) {
        assert_false(filo_changes_exists(changes, going[i]));
        assert_false(filo_changes_active(changes, going[i]));
        assert_int_equal(filo_changes_parent(changes, going[i]).id, 0);
    }
    assert_null(filo_get(changes, child, Health));
    assert_false(filo_changes_has(changes, child, ID(world, Health)));
    assert_true(filo_changes_exists(changes, saved));
    assert_true(filo_changes_exists(changes, other));
    assert_true(filo_changes_apply(changes));
    assert_true(filo_entity_exists(world, saved));
    assert_true(filo_entity_exists(world, other));
    assert_int_equal(filo_world_stats(world).entities, 2);
    destroy_with_changes(world, changes);
}

FILO_TEST(recorded_parents_and_names_are_read_back) {
    FiloWorld *world = new_world();
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world), c = filo_entity_create(world),
               stale = filo_entity_create(world);
    filo_entity_destroy(world, stale);
    filo_entity_set_parent(world, b, a);
    assert_true(filo_entity_set_name(world, b, "b"));
    FiloChanges *changes = filo_changes_create(world);
    assert_same_entity(filo_changes_parent(changes, b), a);
    assert_string_equal(filo_changes_name(changes, b), "b");
    FiloEntity made = filo_changes_create_entity(changes);
    assert_int_equal(filo_changes_parent(changes, made).id, 0);
    assert_null(filo_changes_name(changes, made));
    assert_true(filo_changes_set_parent(changes, b, made));
    assert_true(filo_changes_set_name(changes, b, ""));
    assert_true(filo_changes_set_name(changes, made, "made"));
    assert_same_entity(filo_changes_parent(changes, b), made);
    assert_null(filo_changes_name(changes, b));
    assert_string_equal(filo_changes_name(changes, made), "made");
    // Records that will be dropped do not read back: a parent that does not exist, or that is a descendant.
    assert_true(filo_changes_set_parent(changes, c, b));
    assert_true(filo_changes_set_parent(changes, c, stale));
    assert_true(filo_changes_set_parent(changes, made, c));
    assert_same_entity(filo_changes_parent(changes, c), b);
    assert_int_equal(filo_changes_parent(changes, made).id, 0);
    assert_int_equal(filo_changes_parent(changes, stale).id, 0);
    assert_true(filo_changes_apply(changes));
    FiloEntity real = filo_changes_resolved(changes, made);
    assert_same_entity(filo_entity_parent(world, b), real);
    assert_same_entity(filo_entity_parent(world, c), b);
    assert_int_equal(filo_entity_parent(world, real).id, 0);
    assert_string_equal(filo_entity_name(world, real), "made");
    destroy_with_changes(world, changes);
}

// Recorded parents and later parents of the world can form a cycle. Applying the set drops the record that closes it.
FILO_TEST(a_set_whose_parents_became_cyclic_can_still_be_read_back) {
    FiloWorld *world = new_world();
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world), c = filo_entity_create(world),
               d = filo_entity_create(world);
    FiloChanges *changes = filo_changes_create(world);
    assert_true(filo_changes_set_parent(changes, a, b));
    assert_true(filo_changes_set_parent(changes, d, a));
    assert_true(filo_changes_destroy_entity(changes, filo_entity_create(world)));
    assert_same_entity(filo_changes_parent(changes, a), b);
    assert_true(filo_entity_set_parent(world, b, c));
    assert_true(filo_entity_set_parent(world, c, a));
    assert_true(filo_changes_exists(changes, a));
    assert_true(filo_changes_exists(changes, d));
    assert_true(filo_changes_destroy_entity(changes, c));
    assert_false(filo_changes_exists(changes, d));
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_entity_parent(world, a).id, 0); // `a` would be its own ancestor
    destroy_with_changes(world, changes);
}

static void ask(FiloIter *it) {
    FiloEntity self = filo_iter_entity(it, 0);
    FiloComponent velocity = ID(it->world, Velocity), health = ID(it->world, Health);
    assert_true(filo_has(it->world, self, Velocity));
    assert_true(filo_changes_has(it->changes, self, velocity));
    assert_false(filo_changes_has(it->changes, self, health));
    assert_true(filo_set(it->changes, self, Health, 1));
    assert_true(filo_changes_has(it->changes, self, health));
    assert_true(filo_changes_has(it->changes, self, velocity));
    FiloEntity instance = filo_changes_instantiate(it->changes, self);
    assert_true(filo_changes_has(it->changes, instance, velocity));
    FiloEntity made = filo_changes_create_entity(it->changes);
    assert_null(filo_changes_get(it->changes, made, velocity));       // reads no value of the world
    assert_int_equal(filo_get(it->changes, self, Health)->points, 1); // reads its own record
#ifndef NDEBUG
    expect_fault("reads Velocity, which it did not declare",
                 assert_null(filo_changes_get(it->changes, self, velocity)));
#endif
    ++*(int *)it->user;
}

FILO_TEST(has_needs_no_declared_access_in_a_change_set) {
    FiloWorld *world = new_world();
    filo_create(world, FILO_SET(Position, 1, 2), FILO_SET(Velocity, 3, 4));
    int asked = 0;
    filo_system_add(world,
                    &(FiloSystemDesc){
                        .name = "ask", .run = ask, .user = &asked, .query.terms = { FILO_READ(Position) } });
    assert_ok(filo_world_tick(world, 1));
    assert_int_equal(asked, 1);
    filo_world_destroy(world);
}

FILO_TEST(an_unregistered_type_is_reported_by_name) {
    only_in_debug_builds();
    FiloWorld *world = new_world();
    FiloEntity entity = filo_entity_create(world);
    FiloChanges *changes = filo_changes_create(world);
    static const char message[] =
        "component Stranger is not registered in this world: call filo_component(world, Stranger) first";
    expect_fault(message, assert_false(filo_set(changes, entity, Stranger, 1)));
    expect_fault(message, assert_false(filo_add(changes, entity, Stranger)));
    expect_fault(message, assert_false(filo_remove(changes, entity, Stranger)));
    expect_fault(message, assert_null(filo_get(changes, entity, Stranger)));
    expect_fault("pass a change set",
                 assert_false(filo_changes_set_type(NULL, entity, FILO_TYPE(Health), &(Health){ 1 })));
    expect_fault("pass a change set", assert_int_equal(filo_changes_parent(NULL, entity).id, 0));
    expect_fault("pass a change set", assert_null(filo_changes_name(NULL, entity)));
    assert_int_equal(filo_changes_count(changes), 0);
    destroy_with_changes(world, changes);
}

// ---- Memory ---------------------------------------------------------------------------------------------

static void move_late(FiloIter *it) {
    if (filo_world_ticks(it->world) != 3) return;
    for (size_t i = 0; i < it->count; i++) filo_set(it->changes, filo_iter_entity(it, i), Position, 7, 8);
}

FILO_TEST(the_first_changes_of_a_game_find_memory_whenever_they_come) {
    FiloJobs *jobs;
    FiloWorld *world;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 2 }));
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }));
    filo_component(world, Position);
    FiloEntity entity = FILO_ENTITY_NONE;
    for (int i = 0; i < 300; i++) entity = filo_create(world, FILO_SET(Position, 1, 2));
    filo_system_add(world, &(FiloSystemDesc){ .name = "move late",
                                              .run = move_late,
                                              .parallel = true,
                                              .query.terms = { FILO_WITH(Position) } });
    for (int i = 0; i < 3; i++) assert_ok(filo_world_tick(world, 0.1f));
    uint64_t calls = filo_memory_system_calls();
    assert_ok(filo_world_tick(world, 0.1f));
    assert_int_equal(filo_memory_system_calls() - calls, 0);
    assert_true(filo_get(world, entity, Position)->x == 7);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
