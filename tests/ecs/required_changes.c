// Required components in change sets: applying, reading back, and equal results on any number of threads.

#include "ecs/worlds.h"

#include <filo/ecs.h>
#include <filo/random.h>

typedef struct Shape {
    int32_t sides;
} Shape;
typedef struct Spot {
    float x, y;
} Spot;
typedef struct Sprite { // requires Spot, which requires Shape
    int32_t image;
} Sprite;
typedef struct Number {
    int32_t number;
} Number;
FILO_REFLECT(Shape, FILO_FIELD(int32_t, sides))
FILO_REFLECT(Spot, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(Sprite, FILO_FIELD(int32_t, image))
FILO_REFLECT(Number, FILO_FIELD(int32_t, number))
FILO_TAG(Lit)

static const Spot center = { 4, 5 };
static const Shape square = { 4 };

typedef struct Kit {
    FiloWorld *world;
    FiloComponent shape, spot, sprite;
    FiloChanges *changes;
} Kit;

static void register_all(FiloWorld *world, FiloStorage shape, FiloStorage spot, FiloStorage sprite) {
    filo_component(world, Number);
    filo_component(world, Shape, .storage = shape, .default_value = &square);
    filo_component(world, Spot, .storage = spot, .default_value = &center,
                   .required = { FILO_REQUIRED(Shape) });
    filo_component(world, Sprite, .storage = sprite, .required = { FILO_REQUIRED(Spot) });
    filo_component(world, Lit, .storage = FILO_STORAGE_TAG, .required = { FILO_REQUIRED(Sprite) });
}

static Kit open_kit(FiloStorage shape, FiloStorage spot, FiloStorage sprite) {
    Kit kit;
    assert_ok(filo_world_create(&kit.world, NULL));
    register_all(kit.world, shape, spot, sprite);
    kit.shape = filo_component_of(kit.world, FILO_TYPE(Shape));
    kit.spot = filo_component_of(kit.world, FILO_TYPE(Spot));
    kit.sprite = filo_component_of(kit.world, FILO_TYPE(Sprite));
    kit.changes = filo_changes_create(kit.world);
    return kit;
}

static void close_kit(Kit *kit) {
    filo_changes_destroy(kit->changes);
    filo_world_destroy(kit->world);
}

#define EACH_STORAGE(kit)                                                                                    \
    for (int each = 0; each < 8; each++)                                                                     \
        for (Kit kit = open_kit((each & 1) != 0 ? FILO_STORAGE_SPARSE : FILO_STORAGE_TABLE,                  \
                                (each & 2) != 0 ? FILO_STORAGE_MAP : FILO_STORAGE_TABLE,                     \
                                (each & 4) != 0 ? FILO_STORAGE_SPARSE : FILO_STORAGE_TABLE);                 \
             (kit).world != NULL; close_kit(&(kit)), (kit).world = NULL)

// ---- Applying -----------------------------------------------------------------------------------------

// A component that the same set removed before is added with its default value.
FILO_TEST(a_removed_component_that_is_required_again_has_its_default_value) {
    EACH_STORAGE(kit) {
        for (int set = 0; set < 2; set++) {
            FiloEntity entity =
                filo_create(kit.world, FILO_SET(Number, 1), FILO_SET(Spot, 7, 8), FILO_SET(Shape, 9));
            filo_changes_remove(kit.changes, entity, kit.spot);
            filo_changes_remove(kit.changes, entity, kit.shape);
            if (set != 0)
                filo_set(kit.changes, entity, Sprite, 3);
            else
                filo_changes_add(kit.changes, entity, kit.sprite);
            assert_true(filo_changes_apply(kit.changes));
            assert_int_equal(filo_get(kit.world, entity, Sprite)->image, set != 0 ? 3 : 0);
            assert_true(filo_get(kit.world, entity, Spot)->x == 4 &&
                        filo_get(kit.world, entity, Spot)->y == 5);
            assert_int_equal(filo_get(kit.world, entity, Shape)->sides, 4);
            assert_int_equal(filo_get(kit.world, entity, Number)->number, 1);
        }
    }
}

// Only one of the two was removed: the other keeps its value.
FILO_TEST(a_required_component_that_was_not_removed_keeps_its_value) {
    EACH_STORAGE(kit) {
        FiloEntity entity = filo_create(kit.world, FILO_SET(Spot, 7, 8), FILO_SET(Shape, 9));
        filo_changes_remove(kit.changes, entity, kit.shape);
        filo_set(kit.changes, entity, Spot, 1, 1);
        filo_changes_add(kit.changes, entity, kit.sprite);
        assert_true(filo_changes_apply(kit.changes));
        assert_true(filo_get(kit.world, entity, Spot)->x == 1);
        assert_int_equal(filo_get(kit.world, entity, Shape)->sides, 4);
    }
}

FILO_TEST(a_required_component_removed_later_in_the_set_is_removed) {
    EACH_STORAGE(kit) {
        FiloEntity entity = filo_entity_create(kit.world), created = filo_changes_create_entity(kit.changes);
        FiloEntity both[] = { entity, created };
        for (int i = 0; i < 2; i++) {
            filo_changes_add(kit.changes, both[i], kit.sprite);
            filo_changes_remove(kit.changes, both[i], kit.spot);
        }
        assert_true(filo_changes_apply(kit.changes));
        both[1] = filo_changes_resolved(kit.changes, created);
        for (int i = 0; i < 2; i++)
            assert_true(filo_has(kit.world, both[i], Sprite) && filo_has(kit.world, both[i], Shape) &&
                        !filo_has(kit.world, both[i], Spot));
        // Setting an existing component adds nothing in the next set.
        filo_set(kit.changes, entity, Sprite, 1);
        assert_true(filo_changes_apply(kit.changes));
        assert_false(filo_has(kit.world, entity, Spot));
        // Removing and adding it does.
        filo_changes_remove(kit.changes, entity, kit.sprite);
        filo_set(kit.changes, entity, Sprite, 2);
        assert_true(filo_changes_apply(kit.changes));
        assert_true(filo_has(kit.world, entity, Spot));
    }
}

FILO_TEST(a_destroyed_entity_gets_no_required_components) {
    EACH_STORAGE(kit) {
        FiloEntity entity = filo_entity_create(kit.world);
        filo_changes_destroy_entity(kit.changes, entity);
        filo_changes_add(kit.changes, entity, kit.sprite);
        assert_true(filo_changes_apply(kit.changes));
        assert_false(filo_entity_exists(kit.world, entity));
        FiloQuery *query = filo_query(kit.world, FILO_READ(Shape));
        assert_int_equal(filo_query_count(query), 0);
        filo_query_release(query);
    }
}

// Rows of one chunk get the same change, many at a time.
FILO_TEST(rows_that_change_together_get_required_components) {
    static FiloEntity entities[3000];
    EACH_STORAGE(kit) {
        const FiloComponentValue with[] = { FILO_SET(Number, 5) };
        assert_true(filo_entity_create_block(
            kit.world,
            &(FiloBlockDesc){ .count = 3000, .values = with, .value_count = 1, .entities = entities }));
        for (int i = 0; i < 3000; i += 7) filo_set(kit.world, entities[i], Spot, (float)i, 0);
        for (int i = 0; i < 3000; i++) filo_changes_add(kit.changes, entities[i], kit.sprite);
        assert_true(filo_changes_apply(kit.changes));
        for (int i = 0; i < 3000; i++) {
            const Spot *spot = filo_get(kit.world, entities[i], Spot);
            assert_true(filo_has(kit.world, entities[i], Sprite));
            assert_true(spot->x == (i % 7 == 0 ? (float)i : 4));
            assert_int_equal(filo_get(kit.world, entities[i], Shape)->sides, 4);
        }
    }
}

// ---- Reading back -------------------------------------------------------------------------------------

FILO_TEST(reading_back_shows_required_components) {
    EACH_STORAGE(kit) {
        FiloChanges *changes = kit.changes;
        FiloEntity bare = filo_entity_create(kit.world),
                   placed = filo_create(kit.world, FILO_SET(Spot, 7, 8));
        FiloEntity created = filo_changes_create_entity(changes),
                   instance = filo_changes_instantiate(changes, placed);
        FiloEntity all[] = { bare, placed, created, instance };
        for (int i = 0; i < 4; i++) {
            bool has = i == 1 || i == 3;
            assert_int_equal(filo_changes_has(changes, all[i], kit.spot), has);
            if (i % 2 == 0)
                filo_changes_add(changes, all[i], kit.sprite);
            else
                filo_set(changes, all[i], Sprite, i);
            assert_true(filo_changes_has(changes, all[i], kit.spot));
            assert_true(filo_changes_has(changes, all[i], kit.shape));
            const Spot *spot = filo_changes_get(changes, all[i], kit.spot);
            assert_true(spot->x == (has ? 7 : 4) && spot->y == (has ? 8 : 5));
            assert_int_equal(((const Shape *)filo_changes_get(changes, all[i], kit.shape))->sides, 4);
        }
        // Removed, required again, set.
        filo_changes_remove(changes, placed, kit.spot);
        assert_null(filo_changes_get(changes, placed, kit.spot));
        filo_changes_add(changes, placed, kit.sprite); // already has it
        assert_false(filo_changes_has(changes, placed, kit.spot));
        filo_changes_remove(changes, placed, kit.sprite);
        filo_changes_add(changes, placed, kit.sprite);
        assert_true(((const Spot *)filo_changes_get(changes, placed, kit.spot))->x == 4);
        filo_set(changes, placed, Spot, 1, 2);
        assert_true(((const Spot *)filo_changes_get(changes, placed, kit.spot))->y == 2);
        assert_true(filo_changes_apply(changes));
        for (int i = 0; i < 4; i++) {
            FiloEntity entity = i < 2 ? all[i] : filo_changes_resolved(changes, all[i]);
            assert_true(filo_has(kit.world, entity, Sprite) && filo_has(kit.world, entity, Shape));
            float x = filo_get(kit.world, entity, Spot)->x;
            assert_true(x == (i == 1 ? 1.0f : i == 3 ? 7.0f : 4.0f));
        }
    }
}

// ---- On any number of threads -------------------------------------------------------------------------

// Adds and removes components at random, of existing and new entities.
static void stir(FiloIter *it) {
    FiloColumn numbers = filo_iter_column(it, 0);
    FiloWorld *world = filo_changes_world(it->changes);
    FiloComponent spot = filo_component_of(world, FILO_TYPE(Spot)),
                  sprite = filo_component_of(world, FILO_TYPE(Sprite)),
                  lit = filo_component_of(world, FILO_TYPE(Lit));
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        FiloRandom random = filo_iter_random(it, i);
        int32_t number = FILO_AT(numbers, i, const Number)->number;
        uint32_t drawn = filo_random_u32(&random) % 16;
        if (drawn == 0) filo_changes_add(it->changes, entity, sprite);
        if (drawn == 1) filo_set(it->changes, entity, Sprite, number);
        if (drawn == 2) filo_changes_remove(it->changes, entity, spot);
        if (drawn == 3) filo_changes_remove(it->changes, entity, sprite);
        if (drawn == 4) filo_changes_add(it->changes, entity, lit);
        if (drawn == 5) filo_set(it->changes, entity, Spot, (float)number, 1);
        if (drawn == 6) {
            FiloEntity created = filo_changes_create_entity(it->changes);
            filo_set(it->changes, created, Number, number + 1);
            if (number % 2 == 0) filo_changes_add(it->changes, created, lit);
        }
        if (drawn == 7) filo_changes_destroy_entity(it->changes, entity);
        if (drawn == 8 && filo_changes_has(it->changes, entity, spot))
            filo_set(it->changes, filo_changes_instantiate(it->changes, entity), Sprite, number);
    }
}

static uint64_t run_stir(int threads, int each, uint64_t *hashes, int ticks) {
    FiloJobs *jobs = NULL;
    FiloWorld *world;
    if (threads > 0) assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .seed = 11 }));
    register_all(world, (each & 1) != 0 ? FILO_STORAGE_SPARSE : FILO_STORAGE_TABLE,
                 (each & 2) != 0 ? FILO_STORAGE_ARRAY : FILO_STORAGE_TABLE,
                 (each & 4) != 0 ? FILO_STORAGE_SPARSE : FILO_STORAGE_TABLE);
    for (int i = 0; i < 2500; i++) filo_create(world, FILO_SET(Number, i));
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "stir", .query = { .terms = { FILO_READ(Number) } }, .run = stir });
    for (int i = 0; i < ticks; i++) {
        assert_ok(filo_world_tick(world, 0.1f));
        hashes[i] = filo_world_hash(world);
    }
    FiloQuery *lit = filo_query(world, FILO_WITH(Lit), FILO_READ(Sprite));
    assert_in_range(filo_query_count(lit), 100, 100000);
    destroy_with_query(world, lit);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return hashes[ticks - 1];
}

FILO_TEST(required_components_are_the_same_on_any_number_of_threads) {
    enum { TICKS = 12 };
    static const int threads[] = { 1, 2, 4, 8, 16 };
    for (int each = 0; each < 8; each++) {
        uint64_t expected[TICKS], hashes[TICKS];
        run_stir(0, each, expected, TICKS);
        for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
            run_stir(threads[i], each, hashes, TICKS);
            assert_memory_equal(hashes, expected, sizeof hashes);
        }
    }
}
