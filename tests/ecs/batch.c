// Adding a component to many entities at once, and removing it from them.

#include "ecs/world_types.h"
#include "support/failing_allocator.h"

#include <filo/random.h>

#define MANY 10000

// Too large for the fast paths.
typedef struct Armour {
    int32_t plates[7];
} Armour;
FILO_REFLECT(Armour, FILO_FIELD(int32_t, plates))

typedef struct Crowd {
    FiloWorld *world;
    FiloComponent component;
    FiloEntity *
        entities; // [MANY], in random order; some are destroyed, one is {0}, one never existed, two are equal
} Crowd;

static Crowd new_crowd(FiloWorld *world, FiloComponent component) {
    Crowd crowd = { world, component, malloc(MANY * sizeof *crowd.entities) };
    FiloRandom random = filo_random_keyed(5, 6, 7, 8);
    for (int i = 0; i < MANY; i++) {
        crowd.entities[i] =
            i % 3 == 0 ? filo_create(world, FILO_SET(Position, (float)i, 0)) : filo_entity_create(world);
        if (i % 4 == 0) (void)filo_entity_add(world, crowd.entities[i], component);
        if (i % 5 == 0) filo_entity_set_active(world, crowd.entities[i], false);
        if (i % 7 == 0) filo_entity_destroy(world, crowd.entities[i]);
    }
    crowd.entities[5] = FILO_ENTITY_NONE;
    crowd.entities[6] = (FiloEntity){ UINT64_C(1) << 32 | FILO_ENTITY_INDEX_MAX };
    crowd.entities[8] = crowd.entities[9];
    filo_random_shuffle(&random, crowd.entities, MANY, sizeof *crowd.entities);
    return crowd;
}

static void end_crowd(Crowd *crowd) {
    free(crowd->entities);
    filo_world_destroy(crowd->world);
}

// Compares all components of all entities.
static void expect_alike(const Crowd *a, const Crowd *b) {
    size_t size = filo_component_info(a->world, a->component)->size;
    for (int i = 0; i < MANY; i++) {
        FiloEntity entity = a->entities[i];
        const void *in_a = filo_entity_get(a->world, entity, a->component),
                   *in_b = filo_entity_get(b->world, entity, b->component);
        assert_int_equal(in_a != NULL, in_b != NULL);
        if (in_a != NULL && size > 0) assert_memory_equal(in_a, in_b, size);
        const Position *at_a = filo_get(a->world, entity, Position),
                       *at_b = filo_get(b->world, entity, Position);
        assert_int_equal(at_a != NULL, at_b != NULL);
        if (at_a != NULL) assert_true(at_a->x == at_b->x);
        assert_int_equal(filo_entity_active(a->world, entity), filo_entity_active(b->world, entity));
    }
}

// Counts all entities of the world that have the component.
static size_t count_owners(const Crowd *crowd) {
    FiloQuery *query = filo_query_create(
        crowd->world,
        &(FiloQueryDesc){ .terms[0] = { .component = crowd->component, .kind = FILO_TERM_REQUIRED },
                          .activity = FILO_ANY_ACTIVITY });
    size_t count = filo_query_count(query);
    filo_query_release(query);
    return count;
}

typedef FiloComponent (*Registration)(FiloWorld *world);

// A batch call equals one call for each entity.
static void compare_with_single_calls(Registration registration) {
    FiloWorld *first = new_world(), *second = new_world();
    Crowd many = new_crowd(first, registration(first)), single = new_crowd(second, registration(second));
    assert_true(filo_entity_add_many(many.world, many.entities, MANY, many.component));
    for (int i = 0; i < MANY; i++)
        if (filo_entity_exists(single.world, single.entities[i]))
            (void)filo_entity_add(single.world, single.entities[i], single.component);
    expect_alike(&many, &single);
    assert_true(count_owners(&many) > MANY * 5 / 6);
    assert_true(filo_entity_remove_many(many.world, many.entities, MANY / 2, many.component));
    for (int i = 0; i < MANY / 2; i++)
        if (filo_entity_exists(single.world, single.entities[i]))
            filo_entity_remove(single.world, single.entities[i], single.component);
    expect_alike(&many, &single);
    assert_int_equal(count_owners(&many), count_owners(&single));
    assert_true(count_owners(&many) > MANY / 3 && count_owners(&many) < MANY / 2);
    assert_true(filo_entity_remove_many(many.world, many.entities, MANY, many.component));
    for (int i = 0; i < MANY; i++)
        assert_false(filo_entity_has(many.world, many.entities[i], many.component));
    end_crowd(&many);
    end_crowd(&single);
}

static FiloComponent in_table(FiloWorld *world) {
    return filo_component(world, Stranger, .default_value = &(Stranger){ 3 });
}
static FiloComponent as_table_tag(FiloWorld *world) { return ID(world, Frozen); }
static FiloComponent sparse(FiloWorld *world) {
    return filo_component(world, Stranger, .storage = FILO_STORAGE_SPARSE);
}
static FiloComponent sparse_with_initial(FiloWorld *world) {
    return filo_component(world, Armour, .storage = FILO_STORAGE_SPARSE,
                          .default_value = &(Armour){ { 1, 2, 3 } });
}
static FiloComponent as_tag(FiloWorld *world) { return ID(world, Chosen); }
static FiloComponent as_array(FiloWorld *world) {
    return filo_component(world, Stranger, .storage = FILO_STORAGE_ARRAY);
}
static FiloComponent as_map(FiloWorld *world) {
    return filo_component(world, Stranger, .storage = FILO_STORAGE_MAP);
}

FILO_TEST(batch_add_and_remove_equal_single_calls_in_tables) { compare_with_single_calls(in_table); }
FILO_TEST(batch_add_and_remove_equal_single_calls_for_tags_in_tables) {
    compare_with_single_calls(as_table_tag);
}
FILO_TEST(batch_add_and_remove_equal_single_calls_in_sparse_lists) { compare_with_single_calls(sparse); }
FILO_TEST(batch_add_and_remove_equal_single_calls_for_large_sparse_components) {
    compare_with_single_calls(sparse_with_initial);
}
FILO_TEST(batch_add_and_remove_equal_single_calls_for_tags) { compare_with_single_calls(as_tag); }
FILO_TEST(batch_add_and_remove_equal_single_calls_in_arrays) { compare_with_single_calls(as_array); }
FILO_TEST(batch_add_and_remove_equal_single_calls_in_maps) { compare_with_single_calls(as_map); }

// ---- Hooks ----------------------------------------------------------------------------------------------

static int alive;
static void construct(void *value, void *user) {
    FILO_UNUSED(user);
    ((Stranger *)value)->number = 1000;
    alive++;
}
static void destruct(void *value, void *user) {
    FILO_UNUSED(user);
    assert_int_equal(((const Stranger *)value)->number, 1000);
    alive--;
}

static void count_lives(FiloStorage storage) {
    FiloWorld *world = new_world();
    Crowd crowd = new_crowd(world, filo_component(world, Stranger, .storage = storage,
                                                  .hooks.construct = construct, .hooks.destruct = destruct));
    assert_true(filo_entity_add_many(world, crowd.entities, MANY, crowd.component));
    assert_int_equal(alive, count_owners(&crowd));
    assert_true(alive > MANY * 5 / 6);
    assert_true(filo_entity_remove_many(world, crowd.entities, MANY / 2, crowd.component));
    assert_int_equal(alive, count_owners(&crowd));
    assert_true(alive < MANY / 2);
    end_crowd(&crowd);
    assert_int_equal(alive, 0);
}

FILO_TEST(batch_calls_construct_and_destruct_each_value_once_in_tables) { count_lives(FILO_STORAGE_TABLE); }
FILO_TEST(batch_calls_construct_and_destruct_each_value_once_in_sparse_lists) {
    count_lives(FILO_STORAGE_SPARSE);
}

// ---- Tracked queries --------------------------------------------------------------------------------------

static void follow(Registration registration) {
    FiloWorld *world = new_world();
    FiloComponent component = registration(world);
    FiloEntity entities[100];
    for (int i = 0; i < 100; i++) entities[i] = filo_create(world, FILO_ADD(Position));
    FiloQuery *query = filo_query_create(
        world, &(FiloQueryDesc){ .terms[0] = { .component = component, .kind = FILO_TERM_REQUIRED },
                                 .tracked = true });
    size_t count;
    assert_true(filo_entity_add_many(world, entities, 60, component));
    filo_world_refresh(world);
    (void)filo_query_entered(query, &count);
    assert_int_equal(count, 60);
    assert_true(filo_entity_remove_many(world, entities + 50, 50, component));
    filo_world_refresh(world);
    (void)filo_query_left(query, &count);
    assert_int_equal(count, 10);
    destroy_with_query(world, query);
}

FILO_TEST(batch_calls_update_tracked_queries_in_tables) { follow(in_table); }
FILO_TEST(batch_calls_update_tracked_queries_in_sparse_lists) { follow(sparse); }
FILO_TEST(batch_calls_update_tracked_queries_for_tags) { follow(as_tag); }

// ---- Temporary ids ------------------------------------------------------------------------------------

// Temporary ids are valid only in their change set, even after that was applied.
static void pass_temporary_ids(Registration registration) {
    FiloWorld *world = new_world();
    FiloComponent component = registration(world);
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity temporary = filo_changes_create_entity(changes);
    assert_true(filo_changes_apply(changes));
    FiloEntity made = filo_changes_resolved(changes, temporary);
    assert_true(filo_entity_exists(world, made));
    assert_true(filo_entity_add_many(world, &temporary, 1, component));
    assert_false(filo_entity_has(world, made, component));
    filo_entity_add(world, made, component);
    assert_true(filo_entity_remove_many(world, &temporary, 1, component));
    assert_true(filo_entity_has(world, made, component));
    destroy_with_changes(world, changes);
}

FILO_TEST(batch_calls_skip_temporary_ids_in_tables) { pass_temporary_ids(in_table); }
FILO_TEST(batch_calls_skip_temporary_ids_in_sparse_lists) { pass_temporary_ids(sparse); }
FILO_TEST(batch_calls_skip_temporary_ids_for_tags) { pass_temporary_ids(as_tag); }
FILO_TEST(batch_calls_skip_temporary_ids_in_arrays) { pass_temporary_ids(as_array); }
FILO_TEST(batch_calls_skip_temporary_ids_in_maps) { pass_temporary_ids(as_map); }

// ---- Mistakes, and memory ---------------------------------------------------------------------------------

FILO_TEST(misuse_of_batch_calls_is_reported) {
    FiloWorld *world = new_world();
    FiloEntity entity = filo_create(world, FILO_ADD(Position));
    FiloComponent health = ID(world, Health), unknown = { 999 };
    expect_fault("pass a world and the entities", assert_false(filo_entity_add_many(world, NULL, 1, health)));
    expect_fault("pass a world and the entities",
                 assert_false(filo_entity_remove_many(NULL, &entity, 1, health)));
    expect_fault("cannot add a component to entities: component 999 is not registered in this world",
                 assert_false(filo_entity_add_many(world, &entity, 1, unknown)));
    expect_fault("cannot remove a component from entities: component Score is global",
                 assert_false(filo_entity_remove_many(world, &entity, 1, ID(world, Score))));
    FiloQuery *query = filo_query(world, FILO_READ(Position));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    expect_fault("cannot add a component to entities inside an iteration",
                 assert_false(filo_entity_add_many(world, &entity, 1, health)));
    filo_iter_end(&it);
    assert_true(filo_entity_add_many(world, NULL, 0, health));
    assert_true(filo_entity_remove_many(world, &entity, 1, health)); // has no Health
    destroy_with_query(world, query);
}

// With one more allocation each time, until it succeeds.
static void add_without_memory(Registration registration) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world = new_world_with(&(FiloWorldDesc){ .allocator = &failing.allocator });
    FiloComponent component = registration(world);
    enum { COUNT = 9000 };
    FiloEntity *entities = malloc(COUNT * sizeof *entities);
    for (int i = 0; i < COUNT; i++) entities[i] = filo_create(world, FILO_SET(Position, (float)i, 1));
    bool ok = false;
    for (size_t served = 0; !ok; served++) {
        assert_true(served < 200);
        failing_allow(&failing, served);
        ok = filo_entity_add_many(world, entities, COUNT, component);
        failing_end(&failing);
        for (int i = 0; i < COUNT; i++) {
            assert_true(filo_get(world, entities[i], Position)->x == (float)i);
            if (ok) assert_true(filo_entity_has(world, entities[i], component));
        }
        if (!ok) assert_true(filo_entity_remove_many(world, entities, COUNT, component));
    }
    free(entities);
    filo_world_destroy(world);
}

FILO_TEST(without_memory_a_batch_call_leaves_each_entity_valid_in_tables) { add_without_memory(in_table); }
FILO_TEST(without_memory_a_batch_call_leaves_each_entity_valid_in_sparse_lists) {
    add_without_memory(sparse);
}
FILO_TEST(without_memory_a_batch_call_leaves_each_entity_valid_for_tags) { add_without_memory(as_tag); }
