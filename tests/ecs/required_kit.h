// What the tests of required components share: components that require each other, in any storage.

#ifndef FILO_TEST_ECS_REQUIRED_KIT_H
#define FILO_TEST_ECS_REQUIRED_KIT_H

#include "ecs/out_of_memory.h"
#include "ecs/storages.h"

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
    return (FiloComponentDesc){ .type = type, STORED_IN(storage) };
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

// ---- Every method ----------------------------------------------------------------------------------------

// Gives a Sprite with the image `number` (0: its default value) to a new entity, or to one that has a Weight. {0} without
// memory; `left` is then the entity that was there before and is to be as it was, if there is one.
typedef FiloEntity (*Method)(Kit *kit, FiloEntity *left);

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
static const Method whole_methods[] = { by_add,      by_add_type,     by_set,   by_set_type,
                                        by_create,   by_create_alone, by_block, by_change,
                                        by_override, by_derive,       by_copy };

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
static const Method partial_methods[] = { by_add_many,    by_query,          by_changes_add,
                                          by_changes_set, by_changes_create, by_changes_instance };

// Several times, because the first time is seldom as later ones are.
static void try_methods(Kit *kit, const Method *methods, size_t count) {
    for (size_t method = 0; method < count; method++)
        for (int i = 0; i < 5; i++) {
            FiloEntity left;
            kit->number = (int)(method * 10) + i + 1;
            expect_sprite(kit, methods[method](kit, &left), kit->number);
        }
}

#endif
