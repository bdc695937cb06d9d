// Shared by the tests of required components: components that require each other, in any storage.

#ifndef FILO_TEST_ECS_REQUIRED_FIXTURE_H
#define FILO_TEST_ECS_REQUIRED_FIXTURE_H

#include "ecs/storages.h"
#include "support/failing_allocator.h"

// Sprite requires Spot, which requires Mesh. Lamp requires only Sprite directly.
typedef struct Mesh {
    int32_t number;
} Mesh;
typedef struct Spot {
    float x, y;
    FiloEntity near;
} Spot;
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
FILO_REFLECT(Spot, FILO_FIELD(float, x), FILO_FIELD(float, y), FILO_FIELD(FiloEntity, near))
FILO_REFLECT(Sprite, FILO_FIELD(int32_t, image))
FILO_REFLECT(Lamp, FILO_FIELD(double, light))
FILO_REFLECT(Weight, FILO_FIELD(int64_t, grams))
FILO_REFLECT(Sky, FILO_FIELD(int32_t, color))
FILO_TAG(Seen)
FILO_TAG(Drawn)

static const Spot default_spot = { 1, 2, { 0 } }; // the default value of Spot

typedef struct Kit {
    FiloWorld *world;
    FiloComponent mesh, spot, sprite, lamp, weight;
    int number; // of the entity that is created
} Kit;

static FiloComponentDesc describe(const FiloType *type, FiloStorage storage) {
    return (FiloComponentDesc){ .type = type, STORED_IN(storage) };
}

// False without memory.
static bool register_kit(Kit *kit, FiloStorage mesh, FiloStorage spot, FiloStorage sprite) {
    FiloWorld *world = kit->world;
    FiloComponentDesc desc = describe(FILO_TYPE(Weight), FILO_STORAGE_TABLE);
    if ((kit->weight = filo_component_register(world, &desc)).id == 0) return false;
    desc = describe(FILO_TYPE(Mesh), mesh);
    if ((kit->mesh = filo_component_register(world, &desc)).id == 0) return false;
    desc = describe(FILO_TYPE(Spot), spot);
    desc.default_value = &default_spot;
    desc.required[0] = (FiloRequired)FILO_REQUIRED(Mesh);
    if ((kit->spot = filo_component_register(world, &desc)).id == 0) return false;
    desc = describe(FILO_TYPE(Sprite), sprite);
    desc.required[3] = (FiloRequired){ NULL, kit->spot };
    if ((kit->sprite = filo_component_register(world, &desc)).id == 0) return false;
    kit->lamp = filo_component(world, Lamp, .required = { FILO_REQUIRED(Sprite) });
    return kit->lamp.id != 0;
}

static Kit open_kit(FiloStorage mesh, FiloStorage spot, FiloStorage sprite) {
    Kit kit = { 0 };
    assert_ok(filo_world_create(&kit.world, NULL));
    assert_true(register_kit(&kit, mesh, spot, sprite));
    return kit;
}

static Kit open_tables(void) { return open_kit(FILO_STORAGE_TABLE, FILO_STORAGE_TABLE, FILO_STORAGE_TABLE); }

#define HAS(kit, entity, Type) filo_has((kit)->world, (entity), Type)

// The entity has only a Sprite, what it requires with default values, and perhaps a Weight.
static void expect_sprite(const Kit *kit, FiloEntity entity, int32_t image) {
    const Sprite *sprite = filo_get(kit->world, entity, Sprite);
    const Spot *spot = filo_get(kit->world, entity, Spot);
    const Mesh *mesh = filo_get(kit->world, entity, Mesh);
    assert_true(sprite != NULL && spot != NULL && mesh != NULL);
    assert_int_equal(sprite->image, image);
    assert_true(spot->x == 1 && spot->y == 2 && spot->near.id == 0);
    assert_int_equal(mesh->number, 0);
    assert_false(HAS(kit, entity, Lamp));
}

static void expect_nothing(const Kit *kit, FiloEntity entity) {
    assert_false(HAS(kit, entity, Sprite) || HAS(kit, entity, Spot) || HAS(kit, entity, Mesh));
}

// ---- Every method ----------------------------------------------------------------------------------------

// Adds a Sprite with the image `number` (0: its default value) to a new entity, or to one that has a Weight. Returns
// {0} without memory; then `*existing` is the entity that existed before, which must be unchanged, if there is one.
typedef FiloEntity (*Method)(Kit *kit, FiloEntity *existing);

static FiloEntity heavy(Kit *kit, FiloEntity *existing) {
    return *existing = filo_create(kit->world, FILO_SET(Weight, 1000 + kit->number));
}

static FiloEntity entity_or_none(bool ok, FiloEntity entity) { return ok ? entity : FILO_ENTITY_NONE; }

static FiloEntity by_add(Kit *kit, FiloEntity *existing) {
    FiloEntity entity = heavy(kit, existing);
    if (entity.id == 0) return entity;
    Sprite *sprite = filo_entity_add(kit->world, entity, kit->sprite);
    if (sprite != NULL) sprite->image = kit->number;
    return entity_or_none(sprite != NULL, entity);
}
static FiloEntity by_add_type(Kit *kit, FiloEntity *existing) {
    FiloEntity entity = filo_entity_create(kit->world);
    *existing = entity;
    if (entity.id == 0) return entity;
    Sprite *sprite = filo_add(kit->world, entity, Sprite);
    if (sprite != NULL) sprite->image = kit->number;
    return entity_or_none(sprite != NULL, entity);
}
static FiloEntity by_set(Kit *kit, FiloEntity *existing) {
    FiloEntity entity = heavy(kit, existing);
    return entity_or_none(
        entity.id != 0 && filo_entity_set(kit->world, entity, kit->sprite, &(Sprite){ kit->number }), entity);
}
static FiloEntity by_set_type(Kit *kit, FiloEntity *existing) {
    FiloEntity entity = filo_entity_create(kit->world);
    *existing = entity;
    return entity_or_none(entity.id != 0 && filo_set(kit->world, entity, Sprite, kit->number), entity);
}
static FiloEntity by_create(Kit *kit, FiloEntity *existing) {
    FILO_UNUSED(existing);
    return filo_create(kit->world, FILO_SET(Weight, 5), FILO_SET(Sprite, kit->number));
}
static FiloEntity by_create_alone(Kit *kit, FiloEntity *existing) {
    FILO_UNUSED(existing);
    return filo_create(kit->world, FILO_SET(Sprite, kit->number));
}
static FiloEntity by_block(Kit *kit, FiloEntity *existing) {
    FILO_UNUSED(existing);
    FiloEntity entities[3];
    const FiloComponentValue with[] = { FILO_SET(Sprite, kit->number) };
    bool ok = filo_entity_create_block(
        kit->world, &(FiloBlockDesc){ .count = 3, .values = with, .value_count = 1, .entities = entities });
    if (ok) expect_sprite(kit, entities[2], kit->number);
    return entity_or_none(ok, entities[1]);
}
static FiloEntity by_change(Kit *kit, FiloEntity *existing) {
    FiloEntity entity = heavy(kit, existing);
    const FiloComponentValue with[] = { FILO_SET(Sprite, kit->number) };
    return entity_or_none(entity.id != 0 && filo_entity_change(kit->world, entity, with, 1, &kit->weight, 1),
                          entity);
}
static FiloEntity by_override(Kit *kit, FiloEntity *existing) {
    FiloEntity prefab = heavy(kit, existing);
    if (prefab.id == 0 || !filo_prefab_make(kit->world, prefab)) return FILO_ENTITY_NONE;
    FiloEntity entities[2];
    const FiloComponentValue with[] = { FILO_SET(Sprite, kit->number) };
    bool ok = filo_prefab_instantiate(
        kit->world, prefab,
        &(FiloInstanceDesc){ .count = 2, .values = with, .value_count = 1, .entities = entities });
    if (ok) expect_sprite(kit, entities[0], kit->number);
    return entity_or_none(ok, entities[1]);
}
static FiloEntity by_derive(Kit *kit, FiloEntity *existing) {
    FiloEntity prefab = heavy(kit, existing);
    if (prefab.id == 0 || !filo_prefab_make(kit->world, prefab)) return FILO_ENTITY_NONE;
    const FiloComponentValue with[] = { FILO_SET(Sprite, kit->number) };
    FiloEntity derived = filo_prefab_derive(kit->world, prefab, with, 1);
    return derived.id != 0 ? filo_instance(kit->world, derived) : derived;
}
static FiloEntity by_copy(Kit *kit, FiloEntity *existing) {
    FILO_UNUSED(existing);
    FiloEntity entity = filo_create(kit->world, FILO_SET(Sprite, kit->number));
    return entity.id != 0 ? filo_entity_copy(kit->world, entity) : entity;
}

// Without memory, these add nothing.
static const Method whole_methods[] = { by_add,      by_add_type,     by_set,   by_set_type,
                                        by_create,   by_create_alone, by_block, by_change,
                                        by_override, by_derive,       by_copy };

static FiloEntity set_image(Kit *kit, FiloEntity entity) {
    if (entity.id == 0) return entity;
    filo_edit(kit->world, entity, Sprite)->image = kit->number;
    return entity;
}
static FiloEntity by_add_many(Kit *kit, FiloEntity *existing) {
    FiloEntity pair[2] = { heavy(kit, existing), filo_entity_create(kit->world) };
    bool ok = filo_entity_add_many(kit->world, pair, 2, kit->sprite);
    if (ok && pair[0].id != 0 && pair[1].id != 0) expect_sprite(kit, pair[1], 0);
    return set_image(kit, entity_or_none(ok && pair[1].id != 0, pair[0]));
}
static FiloEntity by_query(Kit *kit, FiloEntity *existing) {
    FiloEntity entity = heavy(kit, existing);
    FiloQuery *query = filo_query(kit->world, FILO_WITH(Weight));
    bool ok = entity.id != 0 && query != NULL && filo_query_add_all(query, kit->sprite);
    filo_query_release(query);
    return set_image(kit, entity_or_none(ok, entity));
}

// Applies and destroys a set.
static FiloEntity apply_and_destroy(Kit *kit, FiloChanges *changes, FiloEntity entity, bool ok) {
    FILO_UNUSED(kit);
    ok = ok && filo_changes_apply(changes);
    if (ok && filo_entity_temporary(entity)) entity = filo_changes_resolved(changes, entity);
    filo_changes_destroy(changes);
    return entity_or_none(ok, entity);
}
static FiloEntity by_changes_add(Kit *kit, FiloEntity *existing) {
    FiloEntity entity = heavy(kit, existing);
    FiloChanges *changes = filo_changes_create(kit->world);
    bool ok = changes != NULL && entity.id != 0 && filo_changes_add(changes, entity, kit->sprite);
    return set_image(kit, apply_and_destroy(kit, changes, entity, ok));
}
static FiloEntity by_changes_set(Kit *kit, FiloEntity *existing) {
    FiloEntity entity = heavy(kit, existing);
    FiloChanges *changes = filo_changes_create(kit->world);
    bool ok = changes != NULL && entity.id != 0 && filo_set(changes, entity, Sprite, kit->number);
    return apply_and_destroy(kit, changes, entity, ok);
}
static FiloEntity by_changes_create(Kit *kit, FiloEntity *existing) {
    FILO_UNUSED(existing);
    FiloChanges *changes = filo_changes_create(kit->world);
    FiloEntity entity = changes != NULL ? filo_changes_create_entity(changes) : FILO_ENTITY_NONE;
    bool ok = entity.id != 0 && filo_set(changes, entity, Sprite, kit->number);
    return apply_and_destroy(kit, changes, entity, ok);
}
static FiloEntity by_changes_instance(Kit *kit, FiloEntity *existing) {
    FiloEntity prefab = heavy(kit, existing);
    FiloChanges *changes = filo_changes_create(kit->world);
    FiloEntity entity =
        changes != NULL && prefab.id != 0 ? filo_changes_instantiate(changes, prefab) : FILO_ENTITY_NONE;
    bool ok = entity.id != 0 && filo_set(changes, entity, Sprite, kit->number);
    return apply_and_destroy(kit, changes, entity, ok);
}

// Without memory, these may add a part.
static const Method partial_methods[] = { by_add_many,    by_query,          by_changes_add,
                                          by_changes_set, by_changes_create, by_changes_instance };

// Several times, because later calls use caches and existing tables.
static void try_methods(Kit *kit, const Method *methods, size_t count) {
    for (size_t method = 0; method < count; method++)
        for (int i = 0; i < 5; i++) {
            FiloEntity existing;
            kit->number = (int)(method * 10) + i + 1;
            expect_sprite(kit, methods[method](kit, &existing), kit->number);
        }
}

#endif
