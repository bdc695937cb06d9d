// Storage outside of tables, and a user-defined holder: examples/holders/ordered.c.

#include "ecs/world_types.h"

#include "../../examples/holders/ordered.c" // NOLINT: a test is one source

static FiloEntity id_of(uint32_t index, uint32_t generation) {
    return (FiloEntity){ (uint64_t)generation << 32 | index };
}

// Lists the indices in the order of iteration, and checks that `get` and `count` agree.
static size_t list_of(const void *holder, uint32_t *indices, size_t capacity) {
    uint64_t cursor = 0;
    FiloEntity entity;
    size_t n = 0;
    while (ordered_holder.next(holder, &cursor, &entity)) {
        assert_non_null(ordered_holder.get(holder, entity));
        assert_true(n < capacity);
        indices[n++] = filo_entity_index(entity);
    }
    assert_int_equal(n, ordered_holder.count(holder));
    return n;
}

FILO_TEST(an_ordered_holder_iterates_by_index_after_any_operations) {
    void *holder = ordered_holder.create(sizeof(uint32_t), 4, NULL);
    uint32_t indices[1000];
    bool has[1000] = { false };
    uint32_t at = 1;
    for (int step = 0; step < 20000; step++) {
        at = (at * 389 + 7) % 997;
        uint32_t generation = 1 + (uint32_t)step % 3;
        if (!has[at]) {
            assert_null(ordered_holder.get(holder, id_of(at, 9)));
            *(uint32_t *)ordered_holder.add(holder, id_of(at, 9)) = at * 3;
        } else {
            assert_null(ordered_holder.get(holder, id_of(at, generation))); // another generation
            assert_int_equal(*(uint32_t *)ordered_holder.get(holder, id_of(at, 9)), at * 3);
            ordered_holder.remove(holder, id_of(at, 9));
        }
        has[at] = !has[at];
        if (step % 997 == 996) ordered_holder.refresh(holder);
        if (step % 101 != 0) continue;
        size_t n = list_of(holder, indices, 1000), expected = 0;
        for (uint32_t i = 0; i < 1000; i++)
            if (has[i]) {
                assert_int_equal(indices[expected++], i);
                assert_int_equal(*(uint32_t *)ordered_holder.get(holder, id_of(i, 9)), i * 3);
            }
        assert_int_equal(n, expected);
    }
    ordered_holder.clear(holder);
    assert_int_equal(list_of(holder, indices, 1000), 0);
    ordered_holder.destroy(holder);
}

FILO_TEST(an_ordered_holder_fills_its_gaps_before_it_grows) {
    FiloHeap heap;
    filo_heap_init(&heap, "holder", 0);
    void *holder = ordered_holder.create(16, 16, &heap.allocator);
    for (uint32_t i = 0; i < 100; i++) assert_non_null(ordered_holder.add(holder, id_of(i * 10, 1)));
    size_t used = filo_heap_stats(&heap).used;
    for (int round = 0; round < 50; round++) {
        for (uint32_t i = 0; i < 100; i += 2)
            ordered_holder.remove(holder, id_of(i * 10, 1 + (uint32_t)round));
        for (uint32_t i = 0; i < 100; i += 2) ordered_holder.add(holder, id_of(i * 10, 2 + (uint32_t)round));
        if (round % 5 == 0) ordered_holder.refresh(holder);
    }
    assert_int_equal(filo_heap_stats(&heap).used, used);
    ordered_holder.destroy(holder);
    filo_heap_deinit(&heap);
}

FILO_TEST(a_component_in_a_user_defined_holder_behaves_like_any_other) {
    FiloWorld *world = create_world();
    filo_component(world, Position);
    filo_component(world, Health, .storage = FILO_STORAGE_USER, .holder = &ordered_holder);
    FiloEntity entities[50];
    for (int i = 0; i < 50; i++) entities[i] = filo_create(world, FILO_SET(Position, (float)i, 0));
    for (int i = 49; i >= 0; i -= 2) assert_true(filo_set(world, entities[i], Health, i));
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_WRITE(Health));
    assert_int_equal(filo_query_count(query), 25);
    for (FiloIter it = filo_query_iter(query); filo_iter_next(&it);) {
        FiloColumn position = filo_column(&it, Position), health = filo_column(&it, Health);
        for (size_t i = 0; i < it.count; i++)
            assert_int_equal(FILO_AT(health, i, Health)->points, FILO_AT(position, i, const Position)->x);
    }
    filo_entity_destroy(world, entities[1]);
    FiloEntity again = filo_entity_create(world); // the same index
    assert_false(filo_has(world, again, Health));
    assert_true(filo_remove(world, entities[3], Health));
    filo_world_refresh(world);
    assert_int_equal(filo_query_count(query), 23);
    FiloEntity copy = filo_entity_copy(world, entities[5]);
    assert_int_equal(filo_get(world, copy, Health)->points, 5);
    assert_ok(filo_world_reset(world, 0));
    assert_int_equal(filo_query_count(query), 0);
    destroy_with_query(world, query);
}

static int refreshes;
static void count_refresh(void *holder) {
    refreshes++;
    ordered_holder.refresh(holder);
}

FILO_TEST(a_holder_is_notified_of_each_refresh_and_may_lack_optional_functions) {
    FiloHolderInterface plain = ordered_holder, notified = ordered_holder;
    plain.refresh = NULL;
    plain.clear = NULL; // the world removes the values one by one
    notified.refresh = count_refresh;
    FiloWorld *world = create_world();
    filo_component(world, Health, .storage = FILO_STORAGE_USER, .holder = &plain);
    filo_component(world, Target, .storage = FILO_STORAGE_USER, .holder = &notified);
    for (int i = 0; i < 20; i++) filo_create(world, FILO_SET(Health, i), FILO_ADD(Target));
    refreshes = 0;
    filo_world_refresh(world);
    assert_ok(filo_world_tick(world, 1));
    assert_true(refreshes >= 1);
    assert_ok(filo_world_reset(world, 0));
    FiloQuery *query = filo_query(world, FILO_READ(Health));
    assert_int_equal(filo_query_count(query), 0);
    FiloEntity entity = filo_create(world, FILO_SET(Health, 3));
    assert_same_entity(filo_query_first(query), entity);
    destroy_with_query(world, query);
}

FILO_TEST(a_holder_without_a_required_function_is_refused) {
    FiloWorld *world = create_world();
    FiloHolderInterface lacking[7];
    for (int i = 0; i < 7; i++) lacking[i] = ordered_holder;
    lacking[0].create = NULL;
    lacking[1].destroy = NULL;
    lacking[2].add = NULL;
    lacking[3].remove = NULL;
    lacking[4].get = NULL;
    lacking[5].count = NULL;
    lacking[6].next = NULL;
    static const char *const names[] = { "create", "destroy", "add", "remove", "get", "count", "next" };
    for (int i = 0; i < 7; i++) {
        char message[100];
        snprintf(message, sizeof message, "component Health: its holder \"%s\" has no function `%s`",
                 ordered_holder.name, names[i]);
        expect_fault(
            message,
            assert_int_equal(
                filo_component(world, Health, .storage = FILO_STORAGE_USER, .holder = &lacking[i]).id, 0));
    }
    filo_world_destroy(world);
}

static void *create_nothing(size_t size, size_t align, const FiloAllocator *allocator) {
    FILO_UNUSED(size), FILO_UNUSED(align), FILO_UNUSED(allocator);
    return NULL;
}
static void *add_nothing(void *holder, FiloEntity entity) {
    FILO_UNUSED(holder), FILO_UNUSED(entity);
    return NULL;
}

FILO_TEST(a_holder_that_returns_nothing_is_reported) {
    FiloHolderInterface empty = ordered_holder, full = ordered_holder;
    empty.create = create_nothing;
    full.add = add_nothing;
    FiloWorld *world = create_world();
    expect_fault("component Health: `create` of its holder \"",
                 assert_int_equal(
                     filo_component(world, Health, .storage = FILO_STORAGE_USER, .holder = &empty).id, 0));
    filo_component(world, Target, .storage = FILO_STORAGE_USER, .holder = &full);
    FiloEntity entity = filo_entity_create(world);
    expect_fault("component Target: `add` of its holder \"",
                 assert_false(filo_set(world, entity, Target, { 1 })));
    assert_false(filo_has(world, entity, Target));
    filo_world_destroy(world);
}

FILO_TEST(a_short_list_leads_the_iteration) {
    // Few of many entities have the component. With sparse and map storage they are found without visiting the others.
    static const FiloStorage storages[] = { FILO_STORAGE_SPARSE, FILO_STORAGE_MAP, FILO_STORAGE_ARRAY,
                                            FILO_STORAGE_TAG };
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = new_world();
        bool tag = storages[s] == FILO_STORAGE_TAG;
        FiloComponent rare =
            tag ? ID(world, Chosen) : filo_component(world, Stranger, .storage = storages[s]);
        FiloComponentValue with[] = { FILO_SET(Position, 1, 2), FILO_ADD(Frozen) };
        assert_true(filo_entity_create_block(
            world, &(FiloBlockDesc){ .count = 5000, .values = with, .value_count = 2 }));
        FiloEntity wanted[3] = { filo_entity_at(world, 4000), filo_entity_at(world, 17),
                                 filo_entity_at(world, 3999) };
        for (int i = 0; i < 3; i++) filo_entity_add(world, wanted[i], rare);
        filo_entity_set_active(world, wanted[1], false);
        filo_remove(world, wanted[2], Frozen);
        FiloQuery *query =
            filo_query(world, FILO_WRITE(Position), { .component = rare, .access = FILO_ACCESS_READ },
                       FILO_WITH(Frozen), FILO_OPTIONAL_READ(Health));
        assert_int_equal(filo_query_count(query), 1);
        FiloIter it = filo_query_iter(query);
        assert_true(filo_iter_next(&it));
        assert_same_entity(filo_iter_entity(&it, 0), wanted[0]);
        FiloColumn position = filo_column(&it, Position), health = filo_column(&it, Health);
        assert_true(FILO_AT(position, 0, Position)->y == 2.0f);
        assert_null(FILO_TRY_AT(health, 0, const Health));
        assert_false(filo_iter_next(&it));
        destroy_with_query(world, query);
    }
}
