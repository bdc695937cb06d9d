// Components: registering them, their sizes and alignments, many of them, hooks.

#include "ecs/storages.h"
#include "support/failing_allocator.h"

#include <stdalign.h>

typedef struct Huge {
    uint8_t bytes[65536];
} Huge;
typedef struct Aligned {
    alignas(64) float lanes[16];
} Aligned;
FILO_REFLECT(Huge, FILO_FIELD(uint8_t, bytes))
FILO_REFLECT(Aligned, FILO_FIELD(float, lanes))

static FiloComponent register_as(FiloWorld *world, const FiloType *type, FiloStorage storage) {
    return filo_component_register(world, &(FiloComponentDesc){ .type = type, STORED_IN(storage) });
}

FILO_TEST(component_ids_follow_the_order_of_registration) {
    FiloWorld *a = new_world(), *b = new_world();
    assert_int_equal(ID(a, Health).id, ID(b, Health).id);
    assert_int_equal(ID(a, Velocity).id, ID(a, Position).id + 1);
    assert_int_equal(filo_component_named(a, "Health").id, ID(a, Health).id);
    assert_int_equal(filo_component_named(a, "Wealth").id, 0);
    assert_int_equal(ID(a, Stranger).id, 0);
    const FiloComponentInfo *info = filo_component_info(a, ID(a, Target));
    assert_string_equal(info->name, "Target");
    assert_int_equal(info->size, sizeof(Target));
    assert_true(info->has_entities);
    assert_false(filo_component_info(a, ID(a, Health))->has_entities);
    assert_null(filo_component_info(a, (FiloComponent){ 0 }));
    assert_null(filo_component_info(a, (FiloComponent){ filo_component_count(a) + 1 }));
    assert_int_equal(filo_world_stats(a).components, filo_component_count(a));
    filo_world_destroy(a);
    filo_world_destroy(b);
}

static void count_up(void *value, void *user) {
    FILO_UNUSED(value);
    ++*(int *)user;
}

FILO_TEST(registering_again_returns_the_same_id_and_a_different_description_is_a_mistake) {
    FiloWorld *world = new_world();
    FiloComponent health = ID(world, Health);
    uint32_t count = filo_component_count(world);
    int calls = 0;
    assert_int_equal(filo_component(world, Health).id, health.id);
    static const FiloField points = { .name = "points", .type_function = filo_type_int32_t };
    static const FiloField others = { .name = "wounds", .type_function = filo_type_int32_t };
    const FiloType again = {
        .name = "Health", .kind = FILO_KIND_STRUCT, .size = 4, .align = 4, .fields = &points, .field_count = 1
    };
    const FiloType another = {
        .name = "Health", .kind = FILO_KIND_STRUCT, .size = 4, .align = 4, .fields = &others, .field_count = 1
    };
    static const FiloField passing = { .name = "points",
                                       .type_function = filo_type_int32_t,
                                       .flags = FILO_FIELD_TRANSIENT };
    const FiloType unsaved = { .name = "Health",
                               .kind = FILO_KIND_STRUCT,
                               .size = 4,
                               .align = 4,
                               .fields = &passing,
                               .field_count = 1 };
#define REGISTERED "component Health is registered already, with another storage, layout or hooks"
    expect_fault(REGISTERED,
                 assert_int_equal(filo_component(world, Health, .storage = FILO_STORAGE_MAP).id, 0));
    expect_fault(REGISTERED, assert_int_equal(filo_component(world, Health, .transient = true).id, 0));
    expect_fault(
        REGISTERED,
        assert_int_equal(filo_component(world, Health, .hooks = { .construct = count_up, .user = &calls }).id,
                         0));
    expect_fault(REGISTERED, assert_int_equal(register_as(world, &another, FILO_STORAGE_TABLE).id, 0));
    expect_fault(REGISTERED, assert_int_equal(register_as(world, &unsaved, FILO_STORAGE_TABLE).id, 0));
    // As from a module that was loaded again: an equal description at another address.
    assert_int_equal(register_as(world, &again, FILO_STORAGE_TABLE).id, health.id);
    assert_int_equal(filo_component_of(world, &again).id, health.id);
    assert_int_equal(ID(world, Health).id, health.id);
    assert_int_equal(filo_component_count(world), count);
    filo_world_destroy(world);
}

FILO_TEST(invalid_component_descriptions_are_refused) {
    FiloWorld *world = new_world();
    uint32_t count = filo_component_count(world);
    const FiloType large = { .name = "Large", .kind = FILO_KIND_STRUCT, .size = FILO_MIB(1) + 1, .align = 1 };
    const FiloType aligned = { .name = "Page", .kind = FILO_KIND_STRUCT, .size = 128, .align = 128 };
    const FiloType empty = { .name = "Empty", .kind = FILO_KIND_STRUCT, .size = 0, .align = 1 };
    expect_fault("component float must be a struct; put the value into one",
                 assert_int_equal(
                     filo_component_register(world, &(FiloComponentDesc){ .type = FILO_TYPE(float) }).id, 0));
    expect_fault("component Stranger: there is no storage 99",
                 assert_int_equal(filo_component(world, Stranger, .storage = (FiloStorage)99).id, 0));
    expect_fault("component Large has 1048577 bytes; keep anything above a MiB outside of the world",
                 assert_int_equal(register_as(world, &large, FILO_STORAGE_TABLE).id, 0));
    expect_fault("component Page is aligned to 128 bytes; its storage takes up to 64",
                 assert_int_equal(register_as(world, &aligned, FILO_STORAGE_TABLE).id, 0));
    expect_fault("component Aligned is aligned to 64 bytes; its storage takes up to 16",
                 assert_int_equal(filo_component(world, Aligned, .storage = FILO_STORAGE_MAP).id, 0));
    expect_fault("component Stranger has data, so it cannot be stored as a tag; declare it with FILO_TAG",
                 assert_int_equal(filo_component(world, Stranger, .storage = FILO_STORAGE_TAG).id, 0));
    expect_fault("component Empty has no data, so it cannot be global",
                 assert_int_equal(register_as(world, &empty, FILO_STORAGE_GLOBAL).id, 0));
    expect_fault("component Stranger is stored by you: say how with .holder",
                 assert_int_equal(filo_component(world, Stranger, .storage = FILO_STORAGE_USER).id, 0));
    expect_fault("component Empty has no data, so there is nothing that its hooks could be called with",
                 assert_int_equal(
                     filo_component_register(
                         world, &(FiloComponentDesc){ .type = &empty, .hooks = { .construct = count_up } })
                         .id,
                     0));
    assert_int_equal(filo_component_count(world), count);
    filo_world_destroy(world);
}

FILO_TEST(a_component_of_64_kib_works_in_every_storage) {
    static Huge value;
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = new_world();
        FiloComponent huge = register_as(world, FILO_TYPE(Huge), storages[s]);
        FiloEntity entities[40];
        for (int i = 0; i < 40; i++) {
            entities[i] = filo_create(world, FILO_SET(Health, i));
            memset(&value, i, sizeof value);
            assert_true(filo_entity_set(world, entities[i], huge, &value));
        }
        for (int i = 0; i < 40; i += 3) assert_true(filo_entity_remove(world, entities[i], huge));
        FiloChanges *changes = filo_changes_create(world);
        memset(&value, 200, sizeof value);
        for (int i = 0; i < 40; i += 6) assert_true(filo_changes_set(changes, entities[i], huge, &value));
        assert_true(filo_changes_apply(changes));
        filo_changes_destroy(changes);
        for (int i = 0; i < 40; i++) {
            const Huge *is = filo_entity_get(world, entities[i], huge);
            assert_int_equal(is != NULL, i % 3 != 0 || i % 6 == 0);
            if (is == NULL) continue;
            assert_int_equal(is->bytes[0], i % 6 == 0 ? 200 : i);
            assert_int_equal(is->bytes[65535], i % 6 == 0 ? 200 : i);
        }
        filo_world_destroy(world);
    }
}

FILO_TEST(a_component_of_size_zero_works_in_every_storage) {
    for (int s = 0; s <= (int)FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = create_world();
        filo_component(world, Health);
        bool tag = s == (int)FILO_COUNT_OF(storages);
        FiloComponent frozen = register_as(world, FILO_TYPE(Frozen), tag ? FILO_STORAGE_TAG : storages[s]);
        FiloEntity entities[300];
        for (int i = 0; i < 300; i++) entities[i] = filo_create(world, FILO_SET(Health, i));
        for (int i = 0; i < 300; i += 2) assert_null(filo_entity_add(world, entities[i], frozen));
        for (int i = 0; i < 300; i += 4) assert_true(filo_entity_remove(world, entities[i], frozen));
        for (int i = 1; i < 300; i += 100) assert_true(filo_entity_set(world, entities[i], frozen, NULL));
        FiloQuery *query = filo_query(world, FILO_READ(Health), FILO_WITH(Frozen));
        FiloQuery *others = filo_query(world, FILO_READ(Health), FILO_WITHOUT(Frozen));
        assert_int_equal(filo_query_count(query), 75 + 3);
        assert_int_equal(filo_query_count(others), 300 - 78);
        for (FiloIter it = filo_query_iter(query); filo_iter_next(&it);) {
            FiloColumn health = filo_column(&it, Health);
            for (size_t i = 0; i < it.count; i++) {
                int32_t points = FILO_AT(health, i, const Health)->points;
                assert_true(points % 4 == 2 || points % 100 == 1);
            }
        }
        filo_query_release(query);
        destroy_with_query(world, others);
    }
}

FILO_TEST(values_are_aligned_in_every_storage) {
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        if (storages[s] == FILO_STORAGE_MAP) continue;
        FiloWorld *world = new_world();
        FiloComponent aligned = register_as(world, FILO_TYPE(Aligned), storages[s]);
        FiloChanges *changes = filo_changes_create(world);
        for (int i = 0; i < 500; i++) {
            FiloEntity entity = filo_create(world, FILO_SET(Health, i));
            assert_int_equal((uintptr_t)filo_entity_add(world, entity, aligned) % 64, 0);
            FiloEntity temporary = filo_changes_create_entity(changes);
            assert_true(filo_changes_set(changes, temporary, aligned, &(Aligned){ { (float)i } }));
            assert_int_equal((uintptr_t)filo_changes_get(changes, temporary, aligned) % 64, 0);
        }
        assert_true(filo_changes_apply(changes));
        filo_changes_destroy(changes);
        FiloQuery *query = filo_query(world, FILO_WRITE(Aligned));
        assert_int_equal(filo_query_count(query), 1000);
        for (FiloIter it = filo_query_iter(query); filo_iter_next(&it);) {
            FiloColumn column = filo_column(&it, Aligned);
            for (size_t i = 0; i < it.count; i++)
                assert_int_equal((uintptr_t)FILO_AT(column, i, Aligned) % 64, 0);
        }
        destroy_with_query(world, query);
    }
}

// Adding and removing must be equal in all storages. All bytes of the default value are `byte`.
static void add_and_remove(FiloWorld *world, FiloComponent component, size_t size, uint8_t byte) {
    enum { ENTITIES = 40 };
    FiloEntity entities[ENTITIES], stale = filo_entity_create(world);
    filo_entity_destroy(world, stale);
    uint8_t value[64];
    for (int i = 0; i < ENTITIES; i++) entities[i] = filo_entity_create(world);
    for (int i = 0; i < ENTITIES; i++) {
        const uint8_t *created = filo_entity_add(world, entities[i], component);
        for (size_t at = 0; at < size; at++) assert_int_equal(created[at], byte);
        memset(value, i + 1, sizeof value);
        if (size > 0) memcpy(filo_entity_edit(world, entities[i], component), value, size);
        filo_entity_add(world, entities[i], component); // again: does not change the value
    }
    for (int i = 0; i < ENTITIES; i += 3) {
        assert_true(filo_entity_remove(world, entities[i], component));
        assert_false(filo_entity_remove(world, entities[i], component));
    }
    // Sets half of them, some of which have the component.
    for (int i = 0; i < ENTITIES; i += 2) {
        memset(value, i + 101, sizeof value);
        assert_true(filo_entity_set(world, entities[i], component, value));
    }
    for (int i = 0; i < ENTITIES; i++) {
        bool has = i % 3 != 0 || i % 2 == 0;
        memset(value, i % 2 == 0 ? i + 101 : i + 1, sizeof value);
        assert_int_equal(filo_entity_has(world, entities[i], component), has);
        const void *actual = filo_entity_get(world, entities[i], component);
        if (has && size > 0) assert_memory_equal(actual, value, size);
    }
    assert_false(filo_entity_has(world, stale, component));
    expect_fault("does not exist", assert_false(filo_entity_set(world, stale, component, value)));
    expect_fault("does not exist", filo_entity_add(world, stale, component));
    expect_fault("does not exist", filo_entity_remove(world, stale, component));
    // An entity that reuses an index has no components.
    filo_entity_destroy(world, entities[1]);
    FiloEntity heir = filo_entity_create(world);
    assert_false(filo_entity_has(world, heir, component));
    filo_entity_add(world, heir, component);
    assert_true(filo_entity_has(world, heir, component));
    for (int i = 2; i < ENTITIES; i++) filo_entity_destroy(world, entities[i]);
    filo_entity_destroy(world, entities[0]);
    filo_entity_destroy(world, heir);
}

FILO_TEST(adding_and_removing_is_equal_in_all_storages_with_low_and_high_ids) {
    static const size_t sizes[] = { 0, 1, 4, 8, 12, 16, 24, 64 };
    static char names[2][FILO_COUNT_OF(storages) + 1][FILO_COUNT_OF(sizes)][2][96];
    static FiloType types[2][FILO_COUNT_OF(storages) + 1][FILO_COUNT_OF(sizes)][2], more[300];
    static char more_names[FILO_COUNT_OF(more)][32];
    uint8_t nines[64];
    memset(nines, 9, sizeof nines);
    FiloWorld *world = new_world();
    for (size_t high = 0; high < 2; high++) {
        for (size_t i = 0; i < FILO_COUNT_OF(more) && high == 1; i++) {
            snprintf(more_names[i], sizeof more_names[i], "more%zu", i);
            more[i] = (FiloType){ .name = more_names[i], .kind = FILO_KIND_STRUCT, .size = 4, .align = 4 };
            assert_int_not_equal(register_as(world, &more[i], FILO_STORAGE_TABLE).id, 0);
        }
        for (size_t s = 0; s <= FILO_COUNT_OF(storages); s++)
            for (size_t n = 0; n < FILO_COUNT_OF(sizes); n++)
                for (size_t initial = 0; initial < 2; initial++) {
                    bool tag = s == FILO_COUNT_OF(storages);
                    if ((sizes[n] == 0 && initial == 1) || (tag && sizes[n] > 0)) continue;
                    char *name = names[high][s][n][initial];
                    snprintf(name, sizeof names[0][0][0][0], "%zu.%zu.%zu.%zu", high, s, sizes[n], initial);
                    FiloType *type = &types[high][s][n][initial];
                    *type = (FiloType){ .name = name,
                                        .kind = FILO_KIND_STRUCT,
                                        .size = sizes[n],
                                        .align = sizes[n] % 4 == 0 ? 4 : 1 };
                    FiloStorage storage = tag ? FILO_STORAGE_TAG : storages[s];
                    FiloComponent component = filo_component_register(
                        world, &(FiloComponentDesc){ .type = type,
                                                     STORED_IN(storage),
                                                     .default_value = initial == 1 ? nines : NULL });
                    assert_int_not_equal(component.id, 0);
                    add_and_remove(world, component, sizes[n], initial == 1 ? 9 : 0);
                }
    }
    filo_world_destroy(world);
}

FILO_TEST(a_world_takes_thousands_of_components) {
    enum { TYPES = 5000, HAS = 300 };
    FiloType *types = calloc(TYPES, sizeof *types);
    char(*names)[16] = calloc(TYPES, sizeof *names);
    FiloComponent *components = calloc(TYPES, sizeof *components);
    FiloComponentValue with[HAS];
    int32_t values[HAS];
    FiloWorld *world = new_world();
    for (int i = 0; i < TYPES; i++) {
        snprintf(names[i], sizeof names[i], "type%d", i);
        types[i] = (FiloType){ .name = names[i], .kind = FILO_KIND_STRUCT, .size = 4, .align = 4 };
        components[i] = register_as(world, &types[i], i % 10 == 9 ? FILO_STORAGE_SPARSE : FILO_STORAGE_TABLE);
        assert_int_not_equal(components[i].id, 0);
    }
    FiloEntity entities[20];
    for (int e = 0; e < 20; e++) {
        for (int i = 0; i < HAS; i++) {
            values[i] = e * 1000 + i;
            with[HAS - 1 - i] = (FiloComponentValue){ .component = components[(e * 211 + i * 16) % TYPES],
                                                      .value = &values[i] };
        }
        entities[e] = filo_entity_create_with(world, with, HAS);
        assert_true(filo_entity_exists(world, entities[e]));
    }
    // One at a time, which creates three hundred tables.
    FiloEntity slow = filo_entity_create(world);
    for (int i = 0; i < HAS; i++) {
        values[i] = i;
        assert_true(filo_entity_set(world, slow, components[(i * 37) % TYPES], &values[i]));
    }
    for (int e = 0; e < 20; e++) {
        assert_int_equal(filo_entity_components(world, entities[e], NULL, 0), HAS);
        for (int i = 0; i < HAS; i++) {
            const int32_t *value =
                filo_entity_get(world, entities[e], components[(e * 211 + i * 16) % TYPES]);
            assert_int_equal(*value, e * 1000 + i);
        }
        assert_null(filo_entity_get(world, entities[e], components[(e * 211 + 1) % TYPES]));
    }
    for (int i = 0; i < HAS; i++) {
        assert_int_equal(*(const int32_t *)filo_entity_get(world, slow, components[(i * 37) % TYPES]), i);
        if (i % 2 == 0) assert_true(filo_entity_remove(world, slow, components[(i * 37) % TYPES]));
    }
    assert_int_equal(filo_entity_components(world, slow, NULL, 0), HAS / 2);
    FiloQuery *query = filo_query(world, { .component = components[16 * 5], .access = FILO_ACCESS_READ });
    assert_same_entity(filo_query_first(query), entities[0]);
    destroy_with_query(world, query);
    free(types);
    free(names);
    free(components);
}

FILO_TEST(a_component_type_can_be_built_at_run_time) {
    const FiloField fields[] = { { .name = "speed", .type_function = filo_type_float },
                                 { .name = "leader", .type_function = filo_type_FiloEntity } };
    const FiloType *type;
    assert_ok(filo_type_create(&type, "Follow", fields, 2, NULL));
    FiloWorld *world = new_world();
    struct {
        float speed;
        FiloEntity leader;
    } first = { 2.5f, { 0 } }, other = { 4.0f, { 0 } };
    FiloComponent follow =
        filo_component_register(world, &(FiloComponentDesc){ .type = type, .default_value = &first });
    assert_true(filo_component_info(world, follow)->has_entities);
    FiloEntity a = filo_entity_create(world);
    filo_entity_add(world, a, follow);
    assert_memory_equal(filo_entity_get(world, a, follow), &first, sizeof first);
    other.leader = a;
    assert_true(filo_entity_set(world, a, follow, &other));
    FiloEntity copy = filo_entity_copy(world, a);
    other.leader = copy;
    assert_memory_equal(filo_entity_get(world, copy, follow), &other, sizeof other);
    FiloQuery *query = filo_query(world, { .component = follow, .access = FILO_ACCESS_WRITE });
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    assert_int_equal(it.count, 2);
    assert_ptr_equal(filo_column_at(filo_iter_column(&it, 0), 1, type->size),
                     filo_entity_get(world, filo_iter_entity(&it, 1), follow));
    filo_iter_end(&it);
    destroy_with_query(world, query);
    filo_type_destroy(type, NULL);
}

// ---- Types that belong to the world ---------------------------------------------------------------------

static int released;

static void release_loot(const FiloType *type) {
    released++;
    filo_type_destroy(type, NULL);
}

static const FiloType *new_loot(void) {
    const FiloField fields[] = { { .name = "gold", .type_function = filo_type_int32_t } };
    const FiloType *type;
    assert_ok(filo_type_create(&type, "Loot", fields, 1, NULL));
    return type;
}

FILO_TEST(a_type_lives_as_long_as_any_world_created_like_its_first_world) {
    for (int first_removed = 0; first_removed < 2; first_removed++) {
        released = 0;
        FiloWorld *worlds[2], *third;
        worlds[0] = new_world();
        FiloComponent loot = filo_component_register(
            worlds[0], &(FiloComponentDesc){ .type = new_loot(), .release = release_loot });
        FiloEntity entity = filo_entity_create(worlds[0]);
        assert_true(filo_entity_set(worlds[0], entity, loot, &(int32_t){ 7 }));
        FiloSnapshot *snapshot = filo_snapshot_create(NULL);
        assert_ok(filo_snapshot_take(snapshot, worlds[0]));
        assert_ok(filo_world_create_like(&worlds[1], worlds[0], NULL));
        assert_ok(filo_snapshot_restore(snapshot, worlds[1]));
        filo_snapshot_destroy(snapshot);
        uint64_t hash = filo_world_hash(worlds[0]);
        filo_world_destroy(worlds[first_removed]);
        assert_int_equal(released, 0);
        FiloWorld *left = worlds[!first_removed];
        assert_true(filo_world_hash(left) == hash);
        assert_string_equal(filo_component_info(left, loot)->name, "Loot");
        assert_ok(filo_world_create_like(&third, left, NULL));
        filo_world_destroy(left);
        assert_int_equal(released, 0);
        filo_world_destroy(third);
        assert_int_equal(released, 1);
    }
}

FILO_TEST(each_type_that_a_component_was_registered_with_is_released_once) {
    released = 0;
    FiloWorld *world = new_world(), *like;
    const FiloType *types[] = { new_loot(), new_loot(), new_loot() };
    FiloComponent loot = { 0 };
    for (size_t i = 0; i < 5; i++) { // the first two again
        FiloComponentDesc desc = { .type = types[i % 3], .release = release_loot };
        FiloComponent again = filo_component_register(world, &desc);
        assert_true(i == 0 || again.id == loot.id);
        loot = again;
        assert_ptr_equal(filo_component_info(world, loot)->type, types[i % 3]);
        assert_ptr_equal(filo_component_info(world, loot)->name, types[i % 3]->name);
    }
    for (size_t i = 0; i < FILO_COUNT_OF(types); i++)
        assert_int_equal(filo_component_of(world, types[i]).id, loot.id);
    assert_int_equal(released, 0);
    assert_ok(filo_world_create_like(&like, world, NULL));
    assert_ptr_equal(filo_component_info(like, loot)->type, types[1]);
    filo_world_destroy(world);
    assert_int_equal(released, 2);
    filo_world_destroy(like);
    assert_int_equal(released, 3);
}

// With one more allocation each time, until it succeeds.
FILO_TEST(a_type_that_was_not_registered_for_lack_of_memory_stays_the_callers) {
    released = 0;
    bool ok = false;
    int failed = 0;
    for (size_t served = 0; !ok; served++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloWorld *world = new_world_with(&(FiloWorldDesc){ .allocator = &failing.allocator });
        const FiloType *type = new_loot();
        failing_allow(&failing, served);
        ok = filo_component_register(world, &(FiloComponentDesc){ .type = type, .release = release_loot })
                 .id != 0;
        failing_end(&failing);
        failed += !ok;
        filo_world_destroy(world);
        assert_int_equal(released, ok);
        if (!ok) filo_type_destroy(type, NULL);
    }
    assert_true(failed >= 2); // the allocations of the component and of its type
}

// Sixteen times, so that all lists of types must grow.
FILO_TEST(a_second_type_that_was_not_registered_for_lack_of_memory_stays_the_callers) {
    released = 0;
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world = new_world_with(&(FiloWorldDesc){ .allocator = &failing.allocator });
    int registered = 0, failed = 0;
    for (size_t served = 0; registered < 16;) {
        const FiloType *type = new_loot();
        FiloComponentDesc desc = { .type = type, .release = release_loot };
        if (registered > 0) failing_allow(&failing, served);
        bool ok = filo_component_register(world, &desc).id != 0;
        failing_end(&failing);
        const FiloComponentInfo *info = filo_component_info(world, filo_component_named(world, "Loot"));
        assert_int_equal(info->type == type, ok);
        assert_int_equal(filo_component_of(world, type).id != 0, ok);
        registered += ok;
        failed += !ok;
        served = ok ? 0 : served + 1;
        if (!ok) filo_type_destroy(type, NULL);
    }
    assert_true(failed > 0);
    filo_world_destroy(world);
    assert_int_equal(released, registered);
}

FILO_TEST(a_global_has_its_default_value_from_registration_on) {
    FiloWorld *world = create_world();
    filo_component(world, Score, .storage = FILO_STORAGE_GLOBAL, .default_value = &(Score){ .points = 7 });
    assert_int_equal(filo_get_global(world, Score)->points, 7);
    filo_edit_global(world, Score)->points = 8;
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity made = filo_changes_create_entity(changes);
    assert_true(filo_set(changes, FILO_ENTITY_NONE, Score, 9, made));
    assert_int_equal(filo_get_global(world, Score)->points, 8);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_get_global(world, Score)->points, 9);
    assert_same_entity(filo_get_global(world, Score)->leader, filo_changes_resolved(changes, made));
    filo_changes_destroy(changes);
    assert_ok(filo_world_reset(world, 0));
    assert_int_equal(filo_get_global(world, Score)->points, 7);
    filo_world_destroy(world);
}

// ---- Hooks ----------------------------------------------------------------------------------------------

// A value that may be moved as bytes, and must be destructed once.
typedef struct Handle {
    int32_t number;
} Handle;
FILO_REFLECT(Handle, FILO_FIELD(int32_t, number))

static void close_handle(void *value, void *user) { ((int *)user)[((Handle *)value)->number]++; }

FILO_TEST(a_value_without_a_copy_hook_is_destructed_once) {
    static const FiloStorage kinds[] = { FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY,
                                         FILO_STORAGE_MAP };
    for (size_t s = 0; s < FILO_COUNT_OF(kinds); s++) {
        int closed[5] = { 0 };
        FiloWorld *world = new_world();
        filo_component(world, Handle, .storage = kinds[s],
                       .hooks = { .destruct = close_handle, .user = closed });
        FiloEntity set = filo_entity_create(world), changed = filo_entity_create(world), block;
        assert_true(filo_set(world, set, Handle, 1));
        filo_create(world, FILO_SET(Handle, 2));
        assert_true(
            filo_entity_change(world, changed, (FiloComponentValue[]){ FILO_SET(Handle, 3) }, 1, NULL, 0));
        assert_true(filo_entity_create_block(
            world, &(FiloBlockDesc){ .count = 1,
                                     .values = (FiloComponentValue[]){ FILO_SET(Handle, 4) },
                                     .value_count = 1,
                                     .entities = &block }));
        for (int i = 0; i < 5; i++) assert_int_equal(closed[i], 0);
        filo_world_destroy(world);
        for (int i = 1; i < 5; i++) assert_int_equal(closed[i], 1);
    }
}

// A value that stores its own address.
typedef struct Rooted {
    struct Rooted *self;
    int32_t number;
} Rooted;
FILO_REFLECT(Rooted, FILO_FIELD(int32_t, number))

static void root(void *value, void *user) {
    FILO_UNUSED(user);
    ((Rooted *)value)->self = value;
}

static void copy_root(void *to, const void *from, void *user) {
    FILO_UNUSED(user);
    ((Rooted *)to)->number = ((const Rooted *)from)->number;
}

static void move_root(void *to, void *from, void *user) {
    copy_root(to, from, user);
    root(to, user);
}

FILO_TEST(values_in_arrays_and_tables_move_by_their_hook) {
    static const FiloStorage kinds[] = { FILO_STORAGE_TABLE, FILO_STORAGE_ARRAY };
    for (size_t s = 0; s < FILO_COUNT_OF(kinds); s++) {
        FiloWorld *world = new_world();
        filo_component(world, Rooted, .storage = kinds[s],
                       .hooks = { .construct = root, .copy = copy_root, .move = move_root });
        FiloSnapshot *snapshot = filo_snapshot_create(NULL);
        static FiloEntity entities[20000];
        for (int i = 0; i < 20000; i++) {
            entities[i] = filo_entity_create(world);
            assert_true(filo_set(world, entities[i], Rooted, .number = i));
            if (i == 5000) assert_ok(filo_snapshot_take(snapshot, world));
        }
        for (int round = 0; round < 2; round++) {
            int count = round == 0 ? 20000 : 5001;
            for (int i = 0; i < count; i++) {
                const Rooted *rooted = filo_get(world, entities[i], Rooted);
                assert_ptr_equal(rooted->self, rooted);
                assert_int_equal(rooted->number, i);
            }
            if (round == 0) assert_ok(filo_snapshot_restore(snapshot, world));
        }
        for (int i = 5001; i < 20000; i++) {
            FiloEntity entity = filo_create(world, FILO_SET(Rooted, .number = i));
            const Rooted *rooted = filo_get(world, entity, Rooted);
            assert_ptr_equal(rooted->self, rooted);
        }
        destroy_with_snapshot(world, snapshot);
    }
}
