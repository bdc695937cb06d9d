// Required components: whatever the way in which an entity gets a component, and wherever that and those that it
// requires are stored, they come with it.

#include "../../examples/holders/ordered.c" // NOLINT: a test is one source
#include "support/failing_allocator.h"
#include "support/test.h"

#include <filo/ecs.h>

// Sprite requires Place, which requires Mesh; Lamp requires Sprite, and nothing else by itself.
typedef struct Mesh {
    int32_t number;
} Mesh;
typedef struct Place {
    float x, y;
    FiloEntity near;
} Place;
typedef struct Sprite {
    int32_t image;
} Sprite;
typedef struct Lamp {
    double light;
} Lamp;
typedef struct Weight { // requires nothing, and nothing requires it
    int64_t grams;
} Weight;
typedef struct Sky { // global
    int32_t color;
} Sky;
FILO_REFLECT(Mesh, FILO_FIELD(int32_t, number))
FILO_REFLECT(Place, FILO_FIELD(float, x), FILO_FIELD(float, y), FILO_FIELD(FiloEntity, near))
FILO_REFLECT(Sprite, FILO_FIELD(int32_t, image))
FILO_REFLECT(Lamp, FILO_FIELD(double, light))
FILO_REFLECT(Weight, FILO_FIELD(int64_t, grams))
FILO_REFLECT(Sky, FILO_FIELD(int32_t, color))
FILO_TAG(Seen)
FILO_TAG(Drawn)

static const Place somewhere = { 1, 2, { 0 } }; // the default value of Place

typedef struct Kit {
    FiloWorld *world;
    FiloComponent mesh, place, sprite, lamp, weight;
    int number; // of the entity that is made
} Kit;

static FiloComponentDesc describe(const FiloType *type, FiloStorage storage) {
    return (FiloComponentDesc){ .type = type,
                                .storage = storage,
                                .holder = storage == FILO_STORAGE_USER ? &ordered_holder : NULL };
}

// False without memory.
static bool register_kit(Kit *kit, FiloStorage mesh, FiloStorage place, FiloStorage sprite) {
    FiloWorld *world = kit->world;
    FiloComponentDesc desc = describe(FILO_TYPE(Weight), FILO_STORAGE_TABLE);
    if ((kit->weight = filo_component_register(world, &desc)).id == 0) return false;
    desc = describe(FILO_TYPE(Mesh), mesh);
    if ((kit->mesh = filo_component_register(world, &desc)).id == 0) return false;
    desc = describe(FILO_TYPE(Place), place);
    desc.default_value = &somewhere;
    desc.required[0] = (FiloRequired)FILO_REQUIRED(Mesh);
    if ((kit->place = filo_component_register(world, &desc)).id == 0) return false;
    desc = describe(FILO_TYPE(Sprite), sprite);
    desc.required[3] = (FiloRequired){ NULL, kit->place };
    if ((kit->sprite = filo_component_register(world, &desc)).id == 0) return false;
    kit->lamp = filo_component(world, Lamp, .required = { FILO_REQUIRED(Sprite) });
    return kit->lamp.id != 0;
}

static Kit open_kit(FiloStorage mesh, FiloStorage place, FiloStorage sprite) {
    Kit kit = { 0 };
    assert_ok(filo_world_create(&kit.world, NULL));
    assert_true(register_kit(&kit, mesh, place, sprite));
    return kit;
}

static Kit open_tables(void) { return open_kit(FILO_STORAGE_TABLE, FILO_STORAGE_TABLE, FILO_STORAGE_TABLE); }

#define HAS(kit, entity, Type) filo_has((kit)->world, (entity), Type)

// It has nothing but these, and what they require, with default values.
static void expect_sprite(const Kit *kit, FiloEntity entity, int32_t image) {
    const Sprite *sprite = filo_get(kit->world, entity, Sprite);
    const Place *place = filo_get(kit->world, entity, Place);
    const Mesh *mesh = filo_get(kit->world, entity, Mesh);
    assert_true(sprite != NULL && place != NULL && mesh != NULL);
    assert_int_equal(sprite->image, image);
    assert_true(place->x == 1 && place->y == 2 && place->near.id == 0);
    assert_int_equal(mesh->number, 0);
    assert_false(HAS(kit, entity, Lamp));
}

static void expect_nothing(const Kit *kit, FiloEntity entity) {
    assert_false(HAS(kit, entity, Sprite) || HAS(kit, entity, Place) || HAS(kit, entity, Mesh));
}

// ---- Every way ----------------------------------------------------------------------------------------

// Gives a Sprite with the image `number` (0: its default value) to a new entity, or to one that has a Weight. {0} without
// memory; `left` is then the entity that was there before and is to be as it was, if there is one.
typedef FiloEntity (*Way)(Kit *kit, FiloEntity *left);

static FiloEntity heavy(Kit *kit, FiloEntity *left) {
    return *left = filo_create(kit->world, FILO_SET(Weight, 1000 + kit->number));
}

static FiloEntity done(bool good, FiloEntity entity) { return good ? entity : FILO_ENTITY_NONE; }

static FiloEntity by_add(Kit *kit, FiloEntity *left) {
    FiloEntity entity = heavy(kit, left);
    if (entity.id == 0) return entity;
    Sprite *sprite = filo_entity_add(kit->world, entity, kit->sprite);
    if (sprite != NULL) sprite->image = kit->number;
    return done(sprite != NULL, entity);
}
static FiloEntity by_add_type(Kit *kit, FiloEntity *left) {
    FiloEntity entity = filo_entity_create(kit->world);
    *left = entity;
    if (entity.id == 0) return entity;
    Sprite *sprite = filo_add(kit->world, entity, Sprite);
    if (sprite != NULL) sprite->image = kit->number;
    return done(sprite != NULL, entity);
}
static FiloEntity by_set(Kit *kit, FiloEntity *left) {
    FiloEntity entity = heavy(kit, left);
    return done(entity.id != 0 && filo_entity_set(kit->world, entity, kit->sprite, &(Sprite){ kit->number }),
                entity);
}
static FiloEntity by_set_type(Kit *kit, FiloEntity *left) {
    FiloEntity entity = filo_entity_create(kit->world);
    *left = entity;
    return done(entity.id != 0 && filo_set(kit->world, entity, Sprite, kit->number), entity);
}
static FiloEntity by_create(Kit *kit, FiloEntity *left) {
    FILO_UNUSED(left);
    return filo_create(kit->world, FILO_SET(Weight, 5), FILO_SET(Sprite, kit->number));
}
static FiloEntity by_create_alone(Kit *kit, FiloEntity *left) {
    FILO_UNUSED(left);
    return filo_create(kit->world, FILO_SET(Sprite, kit->number));
}
static FiloEntity by_block(Kit *kit, FiloEntity *left) {
    FILO_UNUSED(left);
    FiloEntity entities[3];
    const FiloComponentValue with[] = { FILO_SET(Sprite, kit->number) };
    bool good = filo_entity_create_block(
        kit->world, &(FiloBlockDesc){ .count = 3, .values = with, .value_count = 1, .entities = entities });
    if (good) expect_sprite(kit, entities[2], kit->number);
    return done(good, entities[1]);
}
static FiloEntity by_change(Kit *kit, FiloEntity *left) {
    FiloEntity entity = heavy(kit, left);
    const FiloComponentValue with[] = { FILO_SET(Sprite, kit->number) };
    return done(entity.id != 0 && filo_entity_change(kit->world, entity, with, 1, &kit->weight, 1), entity);
}
static FiloEntity by_override(Kit *kit, FiloEntity *left) {
    FiloEntity prefab = heavy(kit, left);
    if (prefab.id == 0 || !filo_prefab_make(kit->world, prefab)) return FILO_ENTITY_NONE;
    FiloEntity entities[2];
    const FiloComponentValue with[] = { FILO_SET(Sprite, kit->number) };
    bool good = filo_prefab_instantiate(
        kit->world, prefab,
        &(FiloInstanceDesc){ .count = 2, .values = with, .value_count = 1, .entities = entities });
    if (good) expect_sprite(kit, entities[0], kit->number);
    return done(good, entities[1]);
}
static FiloEntity by_derive(Kit *kit, FiloEntity *left) {
    FiloEntity prefab = heavy(kit, left);
    if (prefab.id == 0 || !filo_prefab_make(kit->world, prefab)) return FILO_ENTITY_NONE;
    const FiloComponentValue with[] = { FILO_SET(Sprite, kit->number) };
    FiloEntity derived = filo_prefab_derive(kit->world, prefab, with, 1);
    return derived.id != 0 ? filo_instance(kit->world, derived) : derived;
}
static FiloEntity by_copy(Kit *kit, FiloEntity *left) {
    FILO_UNUSED(left);
    FiloEntity entity = filo_create(kit->world, FILO_SET(Sprite, kit->number));
    return entity.id != 0 ? filo_entity_copy(kit->world, entity) : entity;
}

// All or, without memory, nothing.
static const Way whole_ways[] = { by_add,   by_add_type, by_set,      by_set_type, by_create, by_create_alone,
                                  by_block, by_change,   by_override, by_derive,   by_copy };

static FiloEntity set_image(Kit *kit, FiloEntity entity) {
    if (entity.id == 0) return entity;
    filo_edit(kit->world, entity, Sprite)->image = kit->number;
    return entity;
}
static FiloEntity by_add_many(Kit *kit, FiloEntity *left) {
    FiloEntity pair[2] = { heavy(kit, left), filo_entity_create(kit->world) };
    bool good = filo_entity_add_many(kit->world, pair, 2, kit->sprite);
    if (good && pair[0].id != 0 && pair[1].id != 0) expect_sprite(kit, pair[1], 0);
    return set_image(kit, done(good && pair[1].id != 0, pair[0]));
}
static FiloEntity by_query(Kit *kit, FiloEntity *left) {
    FiloEntity entity = heavy(kit, left);
    FiloQuery *query = filo_query(kit->world, FILO_WITH(Weight));
    bool good = entity.id != 0 && query != NULL && filo_query_add_all(query, kit->sprite);
    filo_query_release(query);
    return set_image(kit, done(good, entity));
}

// Applies and ends a set.
static FiloEntity applied(Kit *kit, FiloChanges *changes, FiloEntity entity, bool good) {
    FILO_UNUSED(kit);
    good = good && filo_changes_apply(changes);
    if (good && filo_entity_temporary(entity)) entity = filo_changes_resolved(changes, entity);
    filo_changes_destroy(changes);
    return done(good, entity);
}
static FiloEntity by_changes_add(Kit *kit, FiloEntity *left) {
    FiloEntity entity = heavy(kit, left);
    FiloChanges *changes = filo_changes_create(kit->world);
    bool good = changes != NULL && entity.id != 0 && filo_changes_add(changes, entity, kit->sprite);
    return set_image(kit, applied(kit, changes, entity, good));
}
static FiloEntity by_changes_set(Kit *kit, FiloEntity *left) {
    FiloEntity entity = heavy(kit, left);
    FiloChanges *changes = filo_changes_create(kit->world);
    bool good = changes != NULL && entity.id != 0 && filo_set(changes, entity, Sprite, kit->number);
    return applied(kit, changes, entity, good);
}
static FiloEntity by_changes_create(Kit *kit, FiloEntity *left) {
    FILO_UNUSED(left);
    FiloChanges *changes = filo_changes_create(kit->world);
    FiloEntity entity = changes != NULL ? filo_changes_create_entity(changes) : FILO_ENTITY_NONE;
    bool good = entity.id != 0 && filo_set(changes, entity, Sprite, kit->number);
    return applied(kit, changes, entity, good);
}
static FiloEntity by_changes_instance(Kit *kit, FiloEntity *left) {
    FiloEntity prefab = heavy(kit, left);
    FiloChanges *changes = filo_changes_create(kit->world);
    FiloEntity entity =
        changes != NULL && prefab.id != 0 ? filo_changes_instantiate(changes, prefab) : FILO_ENTITY_NONE;
    bool good = entity.id != 0 && filo_set(changes, entity, Sprite, kit->number);
    return applied(kit, changes, entity, good);
}

// Some of it may be missing without memory.
static const Way part_ways[] = { by_add_many,    by_query,          by_changes_add,
                                 by_changes_set, by_changes_create, by_changes_instance };

static const FiloStorage storages[] = { FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY,
                                        FILO_STORAGE_MAP, FILO_STORAGE_USER };

// Several times, because the first time is seldom as later ones are.
static void take_ways(Kit *kit, const Way *ways, size_t count) {
    for (size_t way = 0; way < count; way++)
        for (int i = 0; i < 5; i++) {
            FiloEntity left;
            kit->number = (int)(way * 10) + i + 1;
            expect_sprite(kit, ways[way](kit, &left), kit->number);
        }
}

FILO_TEST(whatever_the_way_and_the_storage_they_come_too) {
    for (size_t a = 0; a < FILO_COUNT_OF(storages); a++)
        for (size_t b = 0; b < FILO_COUNT_OF(storages); b++)
            for (size_t c = 0; c < FILO_COUNT_OF(storages); c++) {
                Kit kit = open_kit(storages[a], storages[b], storages[c]);
                take_ways(&kit, whole_ways, FILO_COUNT_OF(whole_ways));
                take_ways(&kit, part_ways, FILO_COUNT_OF(part_ways));
                filo_world_destroy(kit.world);
            }
}

// Each allocation of each way fails once.
static void run_out(const Way *ways, size_t count, bool whole, FiloStorage place, FiloStorage sprite) {
    for (size_t way = 0; way < count; way++) {
        bool more = true;
        size_t failed = 0;
        for (size_t fail_at = 0; more; fail_at++) {
            FailingAllocator failing;
            Kit kit = { .number = 7 };
            failing_init(&failing, SIZE_MAX);
            assert_ok(filo_world_create(&kit.world, &(FiloWorldDesc){ .allocator = &failing.allocator }));
            assert_true(register_kit(&kit, FILO_STORAGE_TABLE, place, sprite));
            failing.fail_at = failing.calls + fail_at;
            FiloEntity left = { 0 }, entity = ways[way](&kit, &left);
            more = failing.calls > failing.fail_at;
            if (entity.id != 0) {
                expect_sprite(&kit, entity, 7);
            } else {
                failed++;
                if (whole && left.id != 0) expect_nothing(&kit, left);
                if (whole && left.id == 0)
                    for (uint32_t i = 0; i < filo_entity_index_end(kit.world); i++) {
                        FiloEntity other = filo_entity_at(kit.world, i);
                        assert_true(other.id == 0 || HAS(&kit, other, Place) == HAS(&kit, other, Sprite));
                    }
                // With memory it succeeds.
                expect_sprite(&kit, ways[way](&kit, &left), 7);
            }
            filo_world_destroy(kit.world);
            assert_int_equal(failing.blocks, 0);
        }
        assert_in_range(failed, 1, 100);
    }
}

static FiloFaultAnswer ignore_fault(const FiloFault *fault, void *user) {
    FILO_UNUSED(user);
    return fault->kind == FILO_FAULT_OUT_OF_MEMORY ? FILO_FAULT_CONTINUE : FILO_FAULT_DEFAULT;
}

FILO_TEST(without_memory_all_of_them_come_or_none) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ ignore_fault, NULL });
    for (size_t b = 0; b < FILO_COUNT_OF(storages); b++)
        for (size_t c = 0; c < FILO_COUNT_OF(storages); c++) {
            run_out(whole_ways, FILO_COUNT_OF(whole_ways), true, storages[b], storages[c]);
            run_out(part_ways, FILO_COUNT_OF(part_ways), false, storages[b], storages[c]);
        }
    filo_fault_set_handler(before);
}

FILO_TEST(a_component_that_cannot_be_registered_without_memory_can_be_later) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ ignore_fault, NULL });
    bool more = true;
    size_t failed = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing;
        Kit kit = { 0 };
        failing_init(&failing, SIZE_MAX);
        assert_ok(filo_world_create(&kit.world, &(FiloWorldDesc){ .allocator = &failing.allocator }));
        failing.fail_at = failing.calls + fail_at;
        bool good = register_kit(&kit, FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_TABLE);
        more = failing.calls > failing.fail_at;
        failing.fail_at = SIZE_MAX;
        failed += !good;
        if (!good) // registered again, those that are known are fine
            assert_true(register_kit(&kit, FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_TABLE));
        kit.number = 3;
        FiloEntity left;
        expect_sprite(&kit, by_set(&kit, &left), 3);
        filo_world_destroy(kit.world);
        assert_int_equal(failing.blocks, 0);
    }
    assert_in_range(failed, 5, 100);
    filo_fault_set_handler(before);
}

// ---- Values -------------------------------------------------------------------------------------------

FILO_TEST(explicit_values_win_in_whatever_order) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        Kit kit = open_kit(FILO_STORAGE_TABLE, storages[i], FILO_STORAGE_TABLE);
        for (int again = 0; again < 3; again++) {
            FiloEntity before = filo_create(kit.world, FILO_SET(Place, 7, 8, { 0 }), FILO_SET(Sprite, 3));
            FiloEntity after = filo_create(kit.world, FILO_SET(Sprite, 3), FILO_SET(Place, 7, 8, { 0 }));
            FiloEntity changed = filo_create(kit.world, FILO_SET(Weight, 1));
            const FiloComponentValue with[] = { FILO_SET(Sprite, 3), FILO_SET(Place, 7, 8, { 0 }) };
            assert_true(filo_entity_change(kit.world, changed, with, 2, NULL, 0));
            FiloChanges *changes = filo_changes_create(kit.world);
            FiloEntity first = filo_changes_create_entity(changes),
                       second = filo_changes_create_entity(changes);
            filo_set(changes, first, Place, 7, 8, { 0 });
            filo_set(changes, first, Sprite, 3);
            filo_set(changes, second, Sprite, 3);
            filo_set(changes, second, Place, 7, 8, { 0 });
            assert_true(filo_changes_apply(changes));
            FiloEntity all[] = { before, after, changed, filo_changes_resolved(changes, first),
                                 filo_changes_resolved(changes, second) };
            for (size_t k = 0; k < FILO_COUNT_OF(all); k++) {
                const Place *place = filo_get(kit.world, all[k], Place);
                assert_true(place->x == 7 && place->y == 8);
                assert_int_equal(filo_get(kit.world, all[k], Sprite)->image, 3);
                assert_true(HAS(&kit, all[k], Mesh));
            }
            filo_changes_destroy(changes);
        }
        filo_world_destroy(kit.world);
    }
}

// Twice, because the second one is made by how the first was made.
FILO_TEST(a_component_that_is_listed_twice_keeps_its_value) {
    Kit kit = open_tables();
    for (int again = 0; again < 2; again++)
        expect_sprite(&kit, filo_create(kit.world, FILO_SET(Sprite, 3), FILO_ADD(Sprite)), 3);
    for (int again = 0; again < 2; again++)
        expect_sprite(&kit, filo_create(kit.world, FILO_SET(Sprite, 3), FILO_ADD(Place)), 3);
    filo_world_destroy(kit.world);
}

FILO_TEST(what_is_there_stays_as_it_is) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        Kit kit = open_kit(FILO_STORAGE_TABLE, storages[i], FILO_STORAGE_TABLE);
        for (int way = 0; way < 6; way++) {
            FiloEntity entity = filo_create(kit.world, FILO_SET(Place, 7, 8, { 0 }));
            filo_set(kit.world, entity, Mesh, 55);
            FiloChanges *changes = filo_changes_create(kit.world);
            const FiloComponentValue with[] = { FILO_SET(Sprite, 1) };
            if (way == 0) filo_add(kit.world, entity, Sprite);
            if (way == 1) filo_set(kit.world, entity, Sprite, 1);
            if (way == 2) filo_entity_change(kit.world, entity, with, 1, NULL, 0);
            if (way == 3) filo_entity_add_many(kit.world, &entity, 1, kit.sprite);
            if (way == 4) filo_set(changes, entity, Sprite, 1);
            if (way == 5) filo_changes_add(changes, entity, kit.sprite);
            assert_true(filo_changes_apply(changes));
            filo_changes_destroy(changes);
            assert_true(HAS(&kit, entity, Sprite));
            assert_true(filo_get(kit.world, entity, Place)->x == 7);
            assert_int_equal(filo_get(kit.world, entity, Mesh)->number, 55);
        }
        filo_world_destroy(kit.world);
    }
}

// A value that lies in the world, where memory moves when others are added.
FILO_TEST(a_value_may_be_that_of_another_entity) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++)
        for (size_t k = 0; k < FILO_COUNT_OF(storages); k++) {
            Kit kit = open_kit(FILO_STORAGE_TABLE, storages[i], storages[k]);
            FiloEntity last = filo_create(kit.world, FILO_SET(Sprite, 77));
            for (int n = 0; n < 300; n++) {
                FiloEntity entity = filo_entity_create(kit.world);
                assert_true(filo_entity_set(kit.world, entity, kit.sprite,
                                            filo_entity_get(kit.world, last, kit.sprite)));
                expect_sprite(&kit, entity, 77);
                last = entity;
            }
            filo_world_destroy(kit.world);
        }
}

FILO_TEST(four_steps_of_requirements_come_at_once) {
    Kit kit = open_kit(FILO_STORAGE_SPARSE, FILO_STORAGE_TABLE, FILO_STORAGE_TABLE);
    FiloEntity entity = filo_entity_create(kit.world);
    Lamp *lamp = filo_add(kit.world, entity, Lamp);
    assert_non_null(lamp);
    lamp->light = 0.5;
    assert_true(filo_get(kit.world, entity, Lamp)->light == 0.5);
    assert_true(HAS(&kit, entity, Sprite) && HAS(&kit, entity, Place) && HAS(&kit, entity, Mesh));
    assert_int_equal(filo_world_stats(kit.world).tables, 2); // the empty one, and that with all of them
    const FiloComponentInfo *info = filo_component_info(kit.world, kit.lamp);
    assert_int_equal(info->required_count, 3);
    assert_int_equal(info->required[0].id, kit.mesh.id);
    assert_int_equal(info->required[1].id, kit.place.id);
    assert_int_equal(info->required[2].id, kit.sprite.id);
    assert_int_equal(filo_component_info(kit.world, kit.mesh)->required_count, 0);
    filo_world_destroy(kit.world);
}

// Also what is required by something that is there already.
FILO_TEST(all_that_is_required_comes_however_it_is_required) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        Kit kit = open_kit(storages[i], FILO_STORAGE_TABLE, FILO_STORAGE_TABLE);
        FiloEntity entity = filo_create(kit.world, FILO_ADD(Place));
        assert_true(filo_remove(kit.world, entity, Mesh));
        filo_set(kit.world, entity, Place, 3, 3, { 0 }); // it is there: nothing comes
        assert_false(HAS(&kit, entity, Mesh));
        filo_add(kit.world, entity, Sprite);
        assert_true(HAS(&kit, entity, Mesh));
        assert_true(filo_get(kit.world, entity, Place)->x == 3);
        filo_world_destroy(kit.world);
    }
}

// ---- Removing -----------------------------------------------------------------------------------------

FILO_TEST(a_required_component_can_be_removed_and_stays_removed) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        Kit kit = open_kit(FILO_STORAGE_TABLE, storages[i], FILO_STORAGE_TABLE);
        FiloEntity entity = filo_create(kit.world, FILO_SET(Sprite, 4));
        assert_true(filo_remove(kit.world, entity, Place));
        filo_set(kit.world, entity, Sprite, 5);
        assert_non_null(filo_add(kit.world, entity, Sprite));
        assert_true(filo_entity_add_many(kit.world, &entity, 1, kit.sprite));
        const FiloComponentValue with[] = { FILO_SET(Sprite, 6) };
        assert_true(filo_entity_change(kit.world, entity, with, 1, NULL, 0));
        FiloChanges *changes = filo_changes_create(kit.world);
        filo_set(changes, entity, Sprite, 7);
        filo_changes_add(changes, entity, kit.sprite);
        assert_false(filo_changes_has(changes, entity, kit.place));
        assert_true(filo_changes_apply(changes));
        filo_changes_destroy(changes);
        assert_false(HAS(&kit, entity, Place));
        assert_true(HAS(&kit, entity, Sprite) && HAS(&kit, entity, Mesh));
        // As do copies and instances.
        FiloEntity copy = filo_entity_copy(kit.world, entity);
        assert_true(filo_prefab_make(kit.world, entity));
        FiloEntity instance = filo_instance(kit.world, entity, FILO_SET(Sprite, 9));
        assert_false(HAS(&kit, copy, Place) || HAS(&kit, instance, Place));
        assert_int_equal(filo_get(kit.world, instance, Sprite)->image, 9);
        // Until it gets the other again.
        assert_true(filo_remove(kit.world, copy, Sprite));
        assert_true(HAS(&kit, copy, Mesh));
        filo_add(kit.world, copy, Sprite);
        assert_true(filo_get(kit.world, copy, Place)->y == 2);
        filo_world_destroy(kit.world);
    }
}

FILO_TEST(what_a_change_both_requires_and_removes_is_removed) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        Kit kit = open_kit(FILO_STORAGE_TABLE, storages[i], FILO_STORAGE_TABLE);
        FiloEntity entity = filo_create(kit.world, FILO_SET(Weight, 1)), other;
        const FiloComponentValue with[] = { FILO_SET(Sprite, 6) };
        assert_true(filo_entity_change(kit.world, entity, with, 1, &kit.place, 1));
        assert_true(HAS(&kit, entity, Sprite) && HAS(&kit, entity, Mesh) && !HAS(&kit, entity, Place));
        other = filo_create(kit.world, FILO_SET(Place, 7, 8, { 0 }));
        assert_true(filo_entity_change(kit.world, other, with, 1, &kit.place, 1));
        assert_true(HAS(&kit, other, Sprite) && !HAS(&kit, other, Place));
        filo_world_destroy(kit.world);
    }
}

// ---- Tags ---------------------------------------------------------------------------------------------

FILO_TEST(tags_require_and_are_required) {
    static const FiloStorage tags[] = { FILO_STORAGE_TAG, FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE };
    for (size_t a = 0; a < FILO_COUNT_OF(tags); a++)
        for (size_t b = 0; b < FILO_COUNT_OF(tags); b++) {
            FiloWorld *world;
            assert_ok(filo_world_create(&world, NULL));
            filo_component(world, Weight);
            FiloComponent seen = filo_component(world, Seen, .storage = tags[a]);
            filo_component(world, Mesh, .required = { FILO_REQUIRED(Seen) });
            FiloComponent drawn = filo_component(world, Drawn, .storage = tags[b],
                                                 .required = { FILO_REQUIRED(Mesh), FILO_REQUIRED(Seen) });
            for (int way = 0; way < 5; way++) {
                FiloEntity entity = filo_create(world, FILO_SET(Weight, 1));
                const FiloComponentValue with[] = { FILO_ADD(Drawn) };
                FiloChanges *changes = filo_changes_create(world);
                if (way == 0) assert_null(filo_entity_add(world, entity, drawn));
                if (way == 1) assert_true(filo_entity_set(world, entity, drawn, NULL));
                if (way == 2) assert_true(filo_entity_add_many(world, &entity, 1, drawn));
                if (way == 3) assert_true(filo_changes_add(changes, entity, drawn));
                if (way == 4) assert_true(filo_entity_change(world, entity, with, 1, NULL, 0));
                assert_true(filo_changes_apply(changes));
                filo_changes_destroy(changes);
                assert_true(filo_has(world, entity, Drawn) && filo_has(world, entity, Seen) &&
                            filo_has(world, entity, Mesh));
                assert_true(filo_entity_remove(world, entity, seen));
                assert_true(filo_entity_set(world, entity, drawn, NULL));
                assert_false(filo_has(world, entity, Seen));
            }
            filo_world_destroy(world);
        }
}

// ---- Blocks -------------------------------------------------------------------------------------------

static void fill_sprites(FiloIter *it, void *user) {
    FILO_UNUSED(user);
    FiloColumn sprite = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) FILO_AT(sprite, i, Sprite)->image = (int32_t)(it->first + i);
}

// Only what is listed is filled, so what is required may lie anywhere.
FILO_TEST(a_block_is_filled_although_required_components_lie_outside_of_tables) {
    Kit kit = open_kit(FILO_STORAGE_MAP, FILO_STORAGE_SPARSE, FILO_STORAGE_TABLE);
    static FiloEntity entities[3000];
    const FiloComponentValue with[] = { FILO_SET(Sprite, 5) };
    assert_true(filo_entity_create_block(
        kit.world,
        &(FiloBlockDesc){
            .count = 3000, .values = with, .value_count = 1, .entities = entities, .fill = fill_sprites }));
    for (int i = 0; i < 3000; i++) expect_sprite(&kit, entities[i], i);
    filo_world_destroy(kit.world);
}

// More than a list of its own has room for.
#define MANY_TYPES 40
FILO_TEST(long_lists_and_long_requirements_are_fine) {
    static FiloType types[MANY_TYPES];
    static char names[MANY_TYPES][16];
    FiloComponent components[MANY_TYPES];
    FiloComponentValue with[MANY_TYPES];
    Mesh values[MANY_TYPES];
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    for (int i = 0; i < MANY_TYPES; i++) {
        snprintf(names[i], sizeof names[i], "Kind%d", i);
        types[i] = *FILO_TYPE(Mesh);
        types[i].name = names[i];
        FiloComponentDesc desc = { .type = &types[i],
                                   .storage = i % 5 == 4 ? FILO_STORAGE_SPARSE : FILO_STORAGE_TABLE };
        if (i > 0) desc.required[0].component = components[i - 1];
        components[i] = filo_component_register(world, &desc);
        assert_int_not_equal(components[i].id, 0);
    }
    assert_int_equal(filo_component_info(world, components[MANY_TYPES - 1])->required_count, MANY_TYPES - 1);
    FiloEntity made[4];
    for (int i = 0; i < MANY_TYPES; i++) {
        values[i].number = i;
        with[i] = (FiloComponentValue){ .component = components[MANY_TYPES - 1 - i], .value = &values[i] };
    }
    made[0] = filo_entity_create_with(world, with, 1);
    made[1] = filo_entity_create_with(world, with, MANY_TYPES);
    made[2] = filo_entity_create(world);
    assert_true(filo_entity_set(world, made[2], components[MANY_TYPES - 1], &(Mesh){ 9 }));
    made[3] = filo_entity_create(world);
    assert_true(filo_entity_change(world, made[3], with, 20, NULL, 0));
    for (size_t k = 0; k < FILO_COUNT_OF(made); k++)
        assert_int_equal(filo_entity_components(world, made[k], NULL, 0), MANY_TYPES);
    assert_int_equal(((const Mesh *)filo_entity_get(world, made[1], components[0]))->number, MANY_TYPES - 1);
    assert_int_equal(((const Mesh *)filo_entity_get(world, made[3], components[20]))->number, 19);
    assert_int_equal(((const Mesh *)filo_entity_get(world, made[3], components[19]))->number, 0);
    filo_world_destroy(world);
}

// ---- Hooks and tracked queries ------------------------------------------------------------------------

typedef struct Counts {
    int made, ended, copied;
} Counts;

static void count_made(void *value, void *user) {
    FILO_UNUSED(value);
    ((Counts *)user)->made++;
}
static void count_ended(void *value, void *user) {
    FILO_UNUSED(value);
    ((Counts *)user)->ended++;
}
static void count_copied(void *to, const void *from, void *user) {
    memcpy(to, from, sizeof(Mesh));
    ((Counts *)user)->copied++;
}

FILO_TEST(hooks_of_required_components_run) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        FiloWorld *world;
        Counts counts = { 0 };
        assert_ok(filo_world_create(&world, NULL));
        FiloComponentDesc desc = describe(FILO_TYPE(Mesh), storages[i]);
        desc.hooks = (FiloComponentHooks){ count_made, count_ended, count_copied, NULL, &counts };
        filo_component_register(world, &desc);
        filo_component(world, Sprite, .required = { FILO_REQUIRED(Mesh) });
        FiloEntity entities[12];
        for (int n = 0; n < 3; n++) entities[n] = filo_create(world, FILO_SET(Sprite, 1));
        for (int n = 3; n < 12; n++) entities[n] = filo_entity_create(world);
        for (int n = 3; n < 6; n++) filo_set(world, entities[n], Sprite, 1);
        for (int n = 6; n < 9; n++) filo_add(world, entities[n], Sprite);
        FiloChanges *changes = filo_changes_create(world);
        for (int n = 9; n < 12; n++) filo_set(changes, entities[n], Sprite, 1);
        assert_true(filo_changes_apply(changes));
        filo_changes_destroy(changes);
        assert_int_equal(counts.made, 12);
        assert_int_equal(counts.ended, 0);
        assert_int_equal(counts.copied, 0);
        filo_world_destroy(world);
        assert_int_equal(counts.ended, 12);
    }
}

// A query that knows nothing of the component that is given.
FILO_TEST(tracked_queries_notice_what_comes_with_others) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++)
        for (size_t k = 0; k < FILO_COUNT_OF(storages); k++) {
            Kit kit = open_kit(storages[i], FILO_STORAGE_TABLE, storages[k]);
            FiloQuery *query = filo_query_create(
                kit.world, &(FiloQueryDesc){ .terms = { FILO_READ(Mesh) }, .tracked = true });
            for (size_t way = 0; way < FILO_COUNT_OF(whole_ways) + FILO_COUNT_OF(part_ways); way++) {
                FiloEntity left, entity = way < FILO_COUNT_OF(whole_ways)
                                              ? whole_ways[way](&kit, &left)
                                              : part_ways[way - FILO_COUNT_OF(whole_ways)](&kit, &left);
                filo_world_refresh(kit.world);
                size_t count;
                const FiloEntity *entered = filo_query_entered(query, &count);
                bool found = false;
                for (size_t n = 0; n < count; n++) found = found || entered[n].id == entity.id;
                assert_true(found);
            }
            filo_query_release(query);
            filo_world_destroy(kit.world);
        }
}

// ---- Worlds -------------------------------------------------------------------------------------------

FILO_TEST(a_world_that_is_created_like_another_requires_the_same) {
    Kit kit = open_kit(FILO_STORAGE_SPARSE, FILO_STORAGE_TABLE, FILO_STORAGE_TABLE);
    FiloWorld *like;
    assert_ok(filo_world_create_like(&like, kit.world, NULL));
    for (uint32_t id = 1; id <= filo_component_count(like); id++) {
        const FiloComponentInfo *a = filo_component_info(kit.world, (FiloComponent){ id });
        const FiloComponentInfo *b = filo_component_info(like, (FiloComponent){ id });
        assert_int_equal(a->required_count, b->required_count);
        for (size_t i = 0; i < a->required_count; i++) assert_int_equal(a->required[i].id, b->required[i].id);
    }
    filo_world_destroy(kit.world);
    kit.world = like;
    take_ways(&kit, whole_ways, FILO_COUNT_OF(whole_ways));
    filo_world_destroy(like);
}

// What was removed is removed, and what the world requires makes no difference to its state.
FILO_TEST(a_snapshot_is_restored_as_it_was) {
    Kit kit = open_tables();
    FiloWorld *other;
    assert_ok(filo_world_create(&other, NULL));
    filo_component(other, Weight);
    filo_component(other, Mesh);
    filo_component(other, Place, .default_value = &somewhere);
    filo_component(other, Sprite);
    filo_component(other, Lamp);
    FiloEntity entity = filo_create(kit.world, FILO_SET(Sprite, 4));
    assert_true(filo_remove(kit.world, entity, Place));
    uint64_t hash = filo_world_hash(kit.world);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, kit.world));
    filo_add(kit.world, entity, Place);
    assert_ok(filo_snapshot_restore(snapshot, kit.world));
    assert_false(HAS(&kit, entity, Place));
    assert_true(filo_world_hash(kit.world) == hash);
    assert_ok(filo_snapshot_restore(snapshot, other));
    assert_true(filo_world_hash(other) == hash);
    filo_snapshot_destroy(snapshot);
    filo_world_destroy(other);
    filo_world_destroy(kit.world);
}

// What is remembered of how the last entities were made is forgotten with the tables that they were in.
FILO_TEST(entities_are_made_again_after_their_tables_went) {
    Kit kit = open_tables();
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, kit.world));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++) {
            kit.number = i + 1;
            FiloEntity left;
            expect_sprite(&kit, by_create_alone(&kit, &left), i + 1);
            expect_sprite(&kit, by_set_type(&kit, &left), i + 1);
            expect_sprite(&kit, by_add_type(&kit, &left), i + 1);
        }
        FiloQuery *query = filo_query(kit.world, FILO_READ(Sprite), FILO_READ(Place));
        assert_int_equal(filo_query_count(query), 9);
        filo_query_release(query);
        if (round == 1) filo_create(kit.world, FILO_SET(Sprite, 1));
        if (round == 2) filo_create(kit.world, FILO_SET(Weight, 1));
        assert_ok(filo_snapshot_restore(snapshot, kit.world));
    }
    filo_snapshot_destroy(snapshot);
    filo_world_destroy(kit.world);
}

// ---- Files --------------------------------------------------------------------------------------------

// A world of yesterday, in which nothing was required, saved.
static void save_yesterday(FiloBytes *bytes, FiloEntity *entities) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Sprite, .storage = FILO_STORAGE_SPARSE);
    filo_component(world, Lamp);
    filo_component(world, Place);
    entities[0] = filo_create(world, FILO_SET(Sprite, 3));
    entities[1] = filo_create(world, FILO_SET(Lamp, 0.5));
    entities[2] = filo_create(world, FILO_SET(Sprite, 4), FILO_SET(Place, 7, 8, { 0 }));
    entities[3] = filo_create(world, FILO_SET(Place, 9, 9, { 0 }));
    entities[4] = filo_create(world, FILO_SET(Sprite, 5));
    entities[5] = filo_entity_create(world);
    filo_entity_set_active(world, entities[4], false);
    assert_ok(filo_world_save_bytes(world, bytes, NULL));
    filo_world_destroy(world);
}

FILO_TEST(an_old_file_gets_what_is_required_today) {
    FiloBytes bytes = { 0 };
    FiloEntity entities[6];
    save_yesterday(&bytes, entities);
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++)
        for (size_t k = 0; k < FILO_COUNT_OF(storages); k++) {
            Kit kit = open_kit(storages[i], storages[k], FILO_STORAGE_TABLE);
            assert_ok(filo_world_load_bytes(kit.world, bytes.items, bytes.count, "yesterday", NULL));
            expect_sprite(&kit, entities[0], 3);
            expect_sprite(&kit, entities[4], 5);
            assert_false(filo_entity_active(kit.world, entities[4]));
            assert_true(filo_get(kit.world, entities[1], Lamp)->light == 0.5);
            assert_int_equal(filo_get(kit.world, entities[1], Sprite)->image, 0);
            assert_true(filo_get(kit.world, entities[1], Place)->x == 1 && HAS(&kit, entities[1], Mesh));
            assert_true(filo_get(kit.world, entities[2], Place)->x == 7 && HAS(&kit, entities[2], Mesh));
            assert_true(filo_get(kit.world, entities[3], Place)->x == 9 && HAS(&kit, entities[3], Mesh));
            assert_false(HAS(&kit, entities[3], Sprite));
            expect_nothing(&kit, entities[5]);
            // And the world goes on requiring.
            take_ways(&kit, whole_ways, FILO_COUNT_OF(whole_ways));
            filo_world_destroy(kit.world);
        }
    filo_array_deinit(&bytes);
}

FILO_TEST(what_was_removed_is_not_there_again_after_loading) {
    Kit kit = open_kit(FILO_STORAGE_TABLE, FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE);
    FiloEntity whole = filo_create(kit.world, FILO_SET(Sprite, 4));
    FiloEntity part = filo_create(kit.world, FILO_SET(Lamp, 4));
    assert_true(filo_remove(kit.world, part, Place));
    uint64_t hash = filo_world_hash(kit.world);
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(kit.world, &bytes, NULL));
    assert_ok(filo_world_load_bytes(kit.world, bytes.items, bytes.count, "today", NULL));
    assert_true(filo_world_hash(kit.world) == hash);
    expect_sprite(&kit, whole, 4);
    assert_true(HAS(&kit, part, Lamp) && HAS(&kit, part, Mesh) && !HAS(&kit, part, Place));
    // Tomorrow, a Sprite requires one thing more: that comes, and what was removed stays so.
    FiloWorld *tomorrow;
    assert_ok(filo_world_create(&tomorrow, NULL));
    filo_component(tomorrow, Seen, .storage = FILO_STORAGE_TAG);
    filo_component(tomorrow, Mesh);
    filo_component(tomorrow, Place, .required = { FILO_REQUIRED(Mesh) });
    filo_component(tomorrow, Sprite, .required = { FILO_REQUIRED(Place), FILO_REQUIRED(Seen) });
    filo_component(tomorrow, Lamp, .required = { FILO_REQUIRED(Sprite) });
    filo_component(tomorrow, Weight);
    assert_ok(filo_world_load_bytes(tomorrow, bytes.items, bytes.count, "today", NULL));
    assert_true(filo_has(tomorrow, part, Seen) && filo_has(tomorrow, whole, Seen));
    assert_false(filo_has(tomorrow, part, Place));
    assert_true(filo_has(tomorrow, whole, Place));
    filo_world_destroy(tomorrow);
    filo_array_deinit(&bytes);
    filo_world_destroy(kit.world);
}

FILO_TEST(an_old_file_without_memory_leaves_the_world_as_it_was) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ ignore_fault, NULL });
    FiloBytes bytes = { 0 };
    FiloEntity entities[6];
    save_yesterday(&bytes, entities);
    Kit kit = open_kit(FILO_STORAGE_MAP, FILO_STORAGE_TABLE, FILO_STORAGE_TABLE);
    filo_create(kit.world, FILO_SET(Sprite, 4));
    uint64_t hash = filo_world_hash(kit.world);
    bool more = true;
    size_t failed = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing;
        failing_init(&failing, fail_at);
        FiloResult result = filo_world_load_bytes(kit.world, bytes.items, bytes.count, "yesterday",
                                                  &(FiloLoadDesc){ .allocator = &failing.allocator });
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
        if (result.code == FILO_OK) { // less than was asked for was enough
            hash = filo_world_hash(kit.world);
            continue;
        }
        assert_error(result, FILO_ERROR_MEMORY, "yesterday: ");
        assert_true(filo_world_hash(kit.world) == hash);
        failed++;
    }
    assert_in_range(failed, 20, 1000);
    expect_sprite(&kit, entities[0], 3);
    filo_array_deinit(&bytes);
    filo_world_destroy(kit.world);
    filo_fault_set_handler(before);
}

// ---- Mistakes -----------------------------------------------------------------------------------------

FILO_TEST(requirements_that_make_no_sense_are_mistakes) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    FiloComponent sky = filo_component(world, Sky, .storage = FILO_STORAGE_GLOBAL);
    expect_fault("component Sprite requires Mesh, which is not registered in this world; before it, call "
                 "filo_component(world, Mesh)",
                 filo_component(world, Sprite, .required = { FILO_REQUIRED(Mesh) }));
    expect_fault(
        "component Sprite requires component 77, which is not registered in this world; register it before",
        filo_component(world, Sprite, .required = { { NULL, { 77 } } }));
    expect_fault("component Sprite requires itself; take it out of .required",
                 filo_component(world, Sprite, .required = { FILO_REQUIRED(Sprite) }));
    expect_fault("component Sprite requires Sky, which is global: no entity has it",
                 filo_component(world, Sprite, .required = { FILO_REQUIRED(Sky) }));
    expect_fault("component Sprite requires Sky, which is global: no entity has it",
                 filo_component(world, Sprite, .required = { { NULL, sky } }));
    expect_fault(
        "component Sprite requires FiloFamily, which the world keeps; use the functions for names and "
        "families",
        filo_component(world, Sprite, .required = { FILO_REQUIRED(FiloFamily) }));
    assert_int_equal(filo_component_of(world, FILO_TYPE(Sprite)).id, 0);
    filo_component(world, Mesh);
    filo_component(world, Weight);
    expect_fault(
        "component Lamp is global: no entity has it, so it cannot require others",
        filo_component(world, Lamp, .storage = FILO_STORAGE_GLOBAL, .required = { FILO_REQUIRED(Mesh) }));
    FiloComponent sprite = filo_component(world, Sprite, .required = { FILO_REQUIRED(Mesh) });
    expect_fault("component Sprite requires itself; take it out of .required",
                 filo_component(world, Sprite, .required = { { NULL, sprite } }));
    static const char other[] =
        "component Sprite is registered already, with another storage, layout or hooks, or other required "
        "components";
    expect_fault(other, filo_component(world, Sprite));
    expect_fault(other, filo_component(world, Sprite, .required = { FILO_REQUIRED(Weight) }));
    expect_fault(other,
                 filo_component(world, Sprite, .required = { FILO_REQUIRED(Mesh), FILO_REQUIRED(Weight) }));
    // In another order, twice or by way of others they are the same.
    FiloComponent lamp =
        filo_component(world, Lamp, .required = { FILO_REQUIRED(Sprite), FILO_REQUIRED(Weight) });
    assert_int_equal(
        filo_component(world, Sprite, .required = { FILO_REQUIRED(Mesh), FILO_REQUIRED(Mesh) }).id,
        sprite.id);
    assert_int_equal(
        filo_component(world, Lamp,
                       .required = { FILO_REQUIRED(Weight), FILO_REQUIRED(Sprite), FILO_REQUIRED(Mesh) })
            .id,
        lamp.id);
    filo_world_destroy(world);
}

FILO_TEST(a_mistake_about_a_component_brings_nothing_of_what_it_requires) {
    Kit kit = open_tables();
    FiloEntity gone = filo_entity_create(kit.world);
    filo_entity_destroy(kit.world, gone);
    expect_fault("does not exist", filo_add(kit.world, gone, Sprite));
    expect_fault("does not exist", filo_set(kit.world, gone, Sprite, 1));
    FiloEntity entity = filo_entity_create(kit.world);
    expect_fault("cannot set component Sprite: pass a value",
                 filo_entity_set(kit.world, entity, kit.sprite, NULL));
    expect_nothing(&kit, entity);
    filo_world_destroy(kit.world);
}
