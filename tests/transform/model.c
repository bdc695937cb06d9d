// World transforms compared with a simple model: random changes of all kinds, between ticks and inside of them. After
// each tick every value is compared.

#include "transform/fixture.h"

#include <filo/random.h>

#define ENTITIES 48
#define TICKS    400

FILO_TAG(Odd) // moves entities to other tables

// The expected state of an entity.
typedef struct Model {
    FiloEntity entity;
    FiloTransform2 transform, seen; // now, and in the last run
    bool has_transform, has_previous, previous_valid, active;
    int parent;     // −1: none
    bool in_level;  // if it has no parent: it is a child of the level
    bool has_world; // has a world transform
    FiloAffine2 now, previous;
    bool previous_set, changed, subtree_teleported; // the first of this tick, the others of this run
} Model;

typedef struct Test {
    Fixture fixture;
    FiloRandom random;
    FiloEntity level; // has many more entities, which do not move; none: there is no level
    Model models[ENTITIES];
} Test;

// ---- The model ----------------------------------------------------------------------------------------------------

static bool is_ancestor(const Test *test, int ancestor, int number) {
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
static Model *parent_model(Test *test, const Model *model) {
    for (int i = model->parent; i >= 0; i = test->models[i].parent)
        if (test->models[i].has_transform) return &test->models[i];
    return NULL;
}

static bool same(const FiloAffine2 *a, const FiloAffine2 *b) {
    return filo_vec2_equal(a->x, b->x) && filo_vec2_equal(a->y, b->y) &&
           filo_vec2_equal(a->origin, b->origin);
}

static void run_one(Test *test, Model *model, bool tick_begins) {
    Model *parent = parent_model(test, model);
    FiloAffine2 now = filo_transform2_affine(&model->transform);
    if (parent != NULL) now = filo_affine2_mul(parent->now, now);
    bool moved = memcmp(&model->transform, &model->seen, sizeof model->seen) != 0; // NOLINT
    bool teleported = moved && model->has_previous && !model->previous_valid;
    bool is_new = !model->has_world;
    model->changed = is_new || !same(&now, &model->now);
    model->subtree_teleported =
        model->changed && ((teleported && !is_new) || (parent != NULL && parent->subtree_teleported));
    if (model->changed) {
        if (model->subtree_teleported || is_new)
            model->previous = now;
        else if (!model->previous_set)
            model->previous = model->now;
        model->previous_set = tick_begins;
    } else if (!tick_begins && !model->previous_set) {
        model->previous = model->now;
    }
    model->now = now;
    model->seen = model->transform;
    model->has_world = true;
}

// Parents first.
static void run_tree(Test *test, int number, bool tick_begins) {
    Model *model = &test->models[number];
    if (model->has_transform && (model->has_world || has_family(test, number)))
        run_one(test, model, tick_begins);
    else
        model->changed = model->subtree_teleported = false;
    for (int i = 0; i < ENTITIES; i++)
        if (test->models[i].entity.id != 0 && test->models[i].parent == number)
            run_tree(test, i, tick_begins);
}

static void run(Test *test, bool tick_begins) {
    for (int i = 0; i < ENTITIES; i++)
        if (test->models[i].entity.id != 0 && test->models[i].parent < 0) run_tree(test, i, tick_begins);
}

static void set_previous_valid(Test *test) {
    for (int i = 0; i < ENTITIES; i++)
        if (test->models[i].active && test->models[i].has_transform) test->models[i].previous_valid = true;
}

// ---- Changes ------------------------------------------------------------------------------------------------------

static float random_float(Test *test) { return filo_random_float_range(&test->random, -9, 9); }

static FiloTransform2 random_transform(Test *test) {
    FiloTransform2 transform = { .position.x = random_float(test) };
    transform.position.y = random_float(test);
    if (filo_random_chance(&test->random, 0.5f)) transform.rotation = random_float(test);
    if (filo_random_chance(&test->random, 0.3f)) transform.scale = filo_vec2(random_float(test), 1);
    return transform;
}

static void remove_model(Test *test, int number) {
    for (int i = 0; i < ENTITIES; i++)
        if (test->models[i].entity.id != 0 && i != number && test->models[i].parent == number)
            remove_model(test, i);
    test->models[number] = (Model){ 0 };
}

static void create(Test *test, Model *model, FiloChanges *changes) {
    if (changes != NULL) return; // the model needs its id
    FiloWorld *world = test->fixture.world;
    *model = (Model){ .transform = random_transform(test), .active = true, .parent = -1 };
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
        filo_entity_destroy(test->fixture.world, entity);
    remove_model(test, number);
}

static void set_parent(Test *test, int number, FiloChanges *changes) {
    int parent = (int)filo_random_below(&test->random, ENTITIES + 10) - 10;
    if (parent < 0) parent = -1;
    if (parent >= 0 && (test->models[parent].entity.id == 0 || is_ancestor(test, number, parent))) return;
    // Half of the entities without a parent are in the level.
    bool in_level = parent < 0 && test->level.id != 0 && filo_random_chance(&test->random, 0.5f);
    FiloEntity parent_entity = in_level      ? test->level
                               : parent >= 0 ? test->models[parent].entity
                                             : FILO_ENTITY_NONE;
    if (changes != NULL)
        filo_changes_set_parent(changes, test->models[number].entity, parent_entity);
    else
        filo_entity_set_parent(test->fixture.world, test->models[number].entity, parent_entity);
    test->models[number].parent = parent;
    test->models[number].in_level = in_level;
}

static void set_transform(Test *test, Model *model, FiloChanges *changes, bool teleport) {
    FiloWorld *world = test->fixture.world;
    if (!model->has_transform && model->has_world) return; // its world transform is unspecified then
    model->transform = random_transform(test);
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
    FiloWorld *world = test->fixture.world;
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
    set_previous_valid(test);
    for (uint32_t n = filo_random_below(&test->random, 12); n > 0; n--) change(test, it->changes);
}

// ---- Comparing ----------------------------------------------------------------------------------------------------

static void compare(Test *test, int tick_number) {
    for (int i = 0; i < ENTITIES; i++) {
        Model *model = &test->models[i];
        if (model->entity.id == 0) continue;
        const FiloWorldTransform2 *world = filo_get(test->fixture.world, model->entity, FiloWorldTransform2);
        const FiloPreviousTransform2 *previous =
            filo_get(test->fixture.world, model->entity, FiloPreviousTransform2);
        bool ok = (world != NULL) == model->has_world && (previous != NULL) == model->has_previous;
        if (ok && model->has_world && model->has_transform)
            ok = world->valid && same(&world->now, &model->now) && same(&world->previous, &model->previous);
        if (ok && previous != NULL) ok = previous->valid == model->previous_valid;
        if (!ok) fail_msg("tick %d: entity %d differs from the model", tick_number, i);
        model->previous_set = false;
    }
}

// A level with so many unchanged entities that the order is patched, and that the level has a top node.
static FiloEntity create_level(const Fixture *fixture) {
    FiloEntity level = create_at(fixture, 0, 0), group = level;
    for (int i = 0; i < 3000; i++) {
        FiloEntity entity = create_child(fixture, group, (float)i, 1);
        group = i % 3 == 0 ? entity : level;
    }
    return level;
}

static void compare_with_model(uint64_t seed, int threads, bool in_level) {
    Test test = { .fixture = fixture_open(threads), .random = filo_random_sequence(seed) };
    if (in_level) test.level = create_level(&test.fixture);
    filo_component(test.fixture.world, Odd);
    FiloSystemDesc desc = { .name = "change",
                            .run = change_in_tick,
                            .user = &test,
                            .extra_access = { FILO_READ(FiloTransform2),
                                              FILO_READ(FiloPreviousTransform2) } };
    assert_int_not_equal(filo_system_add(test.fixture.world, &desc).id, 0);
    for (int i = 0; i < TICKS; i++) {
        for (uint32_t n = filo_random_below(&test.random, 8); n > 0; n--) change(&test, NULL);
        tick(&test.fixture);
        run(&test, false);
        compare(&test, i);
    }
    fixture_close(&test.fixture);
}

FILO_TEST(world_transforms_equal_a_simple_model) {
    for (uint64_t seed = 1; seed <= 12; seed++) compare_with_model(seed, 0, false);
}

FILO_TEST(world_transforms_equal_a_simple_model_on_four_threads) {
    for (uint64_t seed = 101; seed <= 106; seed++) compare_with_model(seed, 4, false);
}

FILO_TEST(world_transforms_equal_a_simple_model_among_many_that_do_not_move) {
    for (uint64_t seed = 201; seed <= 208; seed++) compare_with_model(seed, seed % 2 == 0 ? 4 : 0, true);
}
