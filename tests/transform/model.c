// World transforms beside a model that is as plain as can be: all kinds of changes, between ticks and inside of them, by
// chance; after each tick every value is compared.

#include "transform/places.h"

#include <filo/random.h>

#define ENTITIES 48
#define TICKS    400

FILO_TAG(Odd) // moves entities to other tables

// An entity, as it should be.
typedef struct Model {
    FiloEntity entity;
    FiloTransform2 transform, seen; // seen by the last run
    bool has_transform, has_previous, previous_valid, active;
    int parent;    // −1: none
    bool in_level; // then: it is a child of the level
    bool placed;   // has a world transform
    FiloAffine2 now, previous;
    bool kept, changed, jumped; // of this tick, and of this run
} Model;

typedef struct Test {
    Places places;
    FiloRandom random;
    FiloEntity level; // with many more entities, which stand still; none: there are no others
    Model models[ENTITIES];
} Test;

// ---- The model ----------------------------------------------------------------------------------------------------

static bool is_above(const Test *test, int ancestor, int number) {
    for (; number >= 0; number = test->models[number].parent)
        if (number == ancestor) return true;
    return false;
}

static bool has_family(const Test *test, int number) {
    if (test->models[number].parent >= 0 || test->models[number].in_level) return true;
    for (int i = 0; i < ENTITIES; i++)
        if (test->models[i].entity.id != 0 && test->models[i].parent == number) return true;
    return false;
}

// The nearest ancestor with a transform.
static Model *above(Test *test, const Model *model) {
    for (int i = model->parent; i >= 0; i = test->models[i].parent)
        if (test->models[i].has_transform) return &test->models[i];
    return NULL;
}

static bool same(const FiloAffine2 *a, const FiloAffine2 *b) {
    return filo_vec2_equal(a->x, b->x) && filo_vec2_equal(a->y, b->y) &&
           filo_vec2_equal(a->origin, b->origin);
}

static void run_one(Test *test, Model *model, bool tick_begins) {
    Model *parent = above(test, model);
    FiloAffine2 now = filo_transform2_affine(&model->transform);
    if (parent != NULL) now = filo_affine2_mul(parent->now, now);
    bool moved = memcmp(&model->transform, &model->seen, sizeof model->seen) != 0; // NOLINT
    bool teleported = moved && model->has_previous && !model->previous_valid;
    bool is_new = !model->placed;
    model->changed = is_new || !same(&now, &model->now);
    model->jumped = model->changed && ((teleported && !is_new) || (parent != NULL && parent->jumped));
    if (model->changed) {
        if (model->jumped || is_new)
            model->previous = now;
        else if (!model->kept)
            model->previous = model->now;
        model->kept = tick_begins;
    } else if (!tick_begins && !model->kept) {
        model->previous = model->now;
    }
    model->now = now;
    model->seen = model->transform;
    model->placed = true;
}

// Parents first.
static void run_tree(Test *test, int number, bool tick_begins) {
    Model *model = &test->models[number];
    if (model->has_transform && (model->placed || has_family(test, number)))
        run_one(test, model, tick_begins);
    else
        model->changed = model->jumped = false;
    for (int i = 0; i < ENTITIES; i++)
        if (test->models[i].entity.id != 0 && test->models[i].parent == number)
            run_tree(test, i, tick_begins);
}

static void run(Test *test, bool tick_begins) {
    for (int i = 0; i < ENTITIES; i++)
        if (test->models[i].entity.id != 0 && test->models[i].parent < 0) run_tree(test, i, tick_begins);
}

static void keep_previous(Test *test) {
    for (int i = 0; i < ENTITIES; i++)
        if (test->models[i].active && test->models[i].has_transform) test->models[i].previous_valid = true;
}

// ---- Changes ------------------------------------------------------------------------------------------------------

static float chance_float(Test *test) { return filo_random_float_range(&test->random, -9, 9); }

static FiloTransform2 any_transform(Test *test) {
    FiloTransform2 transform = { .position = { chance_float(test), chance_float(test) } };
    if (filo_random_chance(&test->random, 0.5f)) transform.rotation = chance_float(test);
    if (filo_random_chance(&test->random, 0.3f)) transform.scale = filo_vec2(chance_float(test), 1);
    return transform;
}

static void forget(Test *test, int number) {
    for (int i = 0; i < ENTITIES; i++)
        if (test->models[i].entity.id != 0 && i != number && test->models[i].parent == number)
            forget(test, i);
    test->models[number] = (Model){ 0 };
}

static void create(Test *test, Model *model, FiloChanges *changes) {
    if (changes != NULL) return; // its id would not be known
    FiloWorld *world = test->places.world;
    *model = (Model){ .transform = any_transform(test), .active = true, .parent = -1 };
    model->has_transform = filo_random_chance(&test->random, 0.8f);
    model->has_previous = model->has_transform && filo_random_chance(&test->random, 0.6f);
    model->entity = filo_entity_create(world);
    if (model->has_transform)
        assert_true(filo_entity_set(world, model->entity, filo_component_of(world, FILO_TYPE(FiloTransform2)),
                                    &model->transform));
    if (model->has_previous) filo_add(world, model->entity, FiloPreviousTransform2);
}

static void destroy(Test *test, int number, FiloChanges *changes) {
    FiloEntity entity = test->models[number].entity;
    if (changes != NULL)
        filo_changes_destroy_entity(changes, entity);
    else
        filo_entity_destroy(test->places.world, entity);
    forget(test, number);
}

static void set_parent(Test *test, int number, FiloChanges *changes) {
    int parent = (int)filo_random_below(&test->random, ENTITIES + 10) - 10;
    if (parent < 0) parent = -1;
    if (parent >= 0 && (test->models[parent].entity.id == 0 || is_above(test, number, parent))) return;
    // What has no parent is in the level, half of the time.
    bool in_level = parent < 0 && test->level.id != 0 && filo_random_chance(&test->random, 0.5f);
    FiloEntity above_it = in_level      ? test->level
                          : parent >= 0 ? test->models[parent].entity
                                        : FILO_ENTITY_NONE;
    if (changes != NULL)
        filo_changes_set_parent(changes, test->models[number].entity, above_it);
    else
        filo_entity_set_parent(test->places.world, test->models[number].entity, above_it);
    test->models[number].parent = parent;
    test->models[number].in_level = in_level;
}

static void set_transform(Test *test, Model *model, FiloChanges *changes, bool teleport) {
    FiloWorld *world = test->places.world;
    if (!model->has_transform && model->placed) return; // what it has then is not said
    model->transform = any_transform(test);
    model->has_transform = true;
    if (teleport) {
        if (changes != NULL)
            assert_true(filo_teleport(changes, model->entity, model->transform));
        else
            assert_true(filo_teleport(world, model->entity, model->transform));
        model->has_previous = true;
        model->previous_valid = false;
        return;
    }
    FiloComponent component = filo_component_of(world, FILO_TYPE(FiloTransform2));
    if (changes != NULL)
        assert_true(filo_changes_set(changes, model->entity, component, &model->transform));
    else
        assert_true(filo_entity_set(world, model->entity, component, &model->transform));
}

static void flip(Test *test, Model *model, FiloChanges *changes, bool activity) {
    FiloWorld *world = test->places.world;
    FiloComponent odd = filo_component_of(world, FILO_TYPE(Odd));
    if (activity) {
        model->active = !model->active;
        if (changes != NULL)
            filo_changes_set_active(changes, model->entity, model->active);
        else
            filo_entity_set_active(world, model->entity, model->active);
    } else if (changes != NULL) {
        filo_changes_add(changes, model->entity, odd);
    } else if (!filo_entity_remove(world, model->entity, odd)) {
        filo_entity_add(world, model->entity, odd);
    }
}

static void change(Test *test, FiloChanges *changes) {
    int number = (int)filo_random_below(&test->random, ENTITIES);
    Model *model = &test->models[number];
    if (model->entity.id == 0) {
        create(test, model, changes);
        return;
    }
    uint32_t kind = filo_random_below(&test->random, 100);
    if (kind < 4)
        destroy(test, number, changes);
    else if (kind < 20)
        set_parent(test, number, changes);
    else if (kind < 35)
        set_transform(test, model, changes, true);
    else if (kind < 80)
        set_transform(test, model, changes, false);
    else
        flip(test, model, changes, kind < 84);
}

static void change_in_tick(FiloIter *it) {
    Test *test = it->user;
    run(test, true);
    keep_previous(test);
    for (uint32_t n = filo_random_below(&test->random, 12); n > 0; n--) change(test, it->changes);
}

// ---- Comparing ----------------------------------------------------------------------------------------------------

static void compare(Test *test, int tick_number) {
    for (int i = 0; i < ENTITIES; i++) {
        Model *model = &test->models[i];
        if (model->entity.id == 0) continue;
        const FiloWorldTransform2 *world = filo_get(test->places.world, model->entity, FiloWorldTransform2);
        const FiloPreviousTransform2 *previous =
            filo_get(test->places.world, model->entity, FiloPreviousTransform2);
        bool good = (world != NULL) == model->placed && (previous != NULL) == model->has_previous;
        if (good && model->placed && model->has_transform)
            good = world->valid && same(&world->now, &model->now) && same(&world->previous, &model->previous);
        if (good && previous != NULL) good = previous->valid == model->previous_valid;
        if (!good) fail_msg("tick %d: entity %d is not as it should be", tick_number, i);
        model->kept = false;
    }
}

// A level in which so many entities stand still that what changes is little, and that it is no single piece of work.
static FiloEntity create_level(const Places *places) {
    FiloEntity level = at(places, 0, 0), group = level;
    for (int i = 0; i < 3000; i++) {
        FiloEntity entity = below(places, group, (float)i, 1);
        group = i % 3 == 0 ? entity : level;
    }
    return level;
}

static void follow_the_model(uint64_t seed, int threads, bool in_level) {
    Test test = { .places = places_open(threads), .random = filo_random_sequence(seed) };
    if (in_level) test.level = create_level(&test.places);
    filo_component(test.places.world, Odd);
    FiloSystemDesc desc = { .name = "change",
                            .run = change_in_tick,
                            .user = &test,
                            .extra_access = { FILO_READ(FiloTransform2),
                                              FILO_READ(FiloPreviousTransform2) } };
    assert_int_not_equal(filo_system_add(test.places.world, &desc).id, 0);
    for (int i = 0; i < TICKS; i++) {
        for (uint32_t n = filo_random_below(&test.random, 8); n > 0; n--) change(&test, NULL);
        tick(&test.places);
        run(&test, false);
        compare(&test, i);
    }
    places_close(&test.places);
}

FILO_TEST(world_transforms_follow_a_plain_model) {
    for (uint64_t seed = 1; seed <= 12; seed++) follow_the_model(seed, 0, false);
}

FILO_TEST(world_transforms_follow_a_plain_model_on_four_threads) {
    for (uint64_t seed = 101; seed <= 106; seed++) follow_the_model(seed, 4, false);
}

FILO_TEST(world_transforms_follow_a_plain_model_among_many_that_stand_still) {
    for (uint64_t seed = 201; seed <= 208; seed++) follow_the_model(seed, seed % 2 == 0 ? 4 : 0, true);
}
