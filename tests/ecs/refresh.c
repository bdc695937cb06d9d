// Change sets: the rules by which they are applied, on any number of threads.

#include "ecs/world_types.h"

#include "ecs/changes/changes.h"

// ---- Rules ----------------------------------------------------------------------------------------------

FILO_TEST(destroying_wins_over_every_other_record_of_the_entity) {
    FiloWorld *world = new_world();
    FiloEntity a = filo_create(world, FILO_SET(Health, 1)), b = filo_create(world, FILO_SET(Health, 2));
    FiloChanges *changes = filo_changes_create(world);
    assert_true(filo_changes_destroy_entity(changes, a));
    assert_true(filo_set(changes, a, Health, 9));
    assert_true(filo_changes_set_active(changes, a, true));
    assert_true(filo_set(changes, b, Position, 9, 9));
    assert_true(filo_changes_destroy_entity(changes, b));
    assert_true(filo_changes_destroy_entity(changes, b));
    FiloEntity brief = filo_changes_create_entity(changes);
    assert_true(filo_set(changes, brief, Health, 3));
    assert_true(filo_changes_destroy_entity(changes, brief));
    assert_false(filo_changes_exists(changes, a));
    assert_null(filo_changes_get(changes, a, ID(world, Health)));
    assert_true(filo_entity_exists(world, a));
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_world_stats(world).entities, 0);
    assert_int_equal(filo_changes_resolved(changes, brief).id, 0);
    destroy_with_changes(world, changes);
}

FILO_TEST(the_last_of_several_changes_to_a_component_wins) {
    FiloWorld *world = new_world();
    filo_component(world, Stranger, .default_value = &(Stranger){ 42 }, .storage = FILO_STORAGE_SPARSE);
    FiloEntity entities[5];
    for (int i = 0; i < 5; i++) entities[i] = filo_create(world, FILO_SET(Health, 1), FILO_SET(Stranger, 1));
    FiloChanges *changes = filo_changes_create(world);
    for (int both = 0; both < 2; both++) {
        FiloComponent component = both ? ID(world, Stranger) : ID(world, Health);
        const int32_t two = 2, three = 3;
        assert_true(filo_changes_set(changes, entities[0], component, &two));
        assert_true(filo_changes_set(changes, entities[0], component, &three));
        assert_true(filo_changes_set(changes, entities[1], component, &two));
        assert_true(filo_changes_remove(changes, entities[1], component));
        assert_true(filo_changes_remove(changes, entities[2], component));
        assert_true(filo_changes_set(changes, entities[2], component, &three));
        assert_true(filo_changes_remove(changes, entities[3], component));
        assert_true(filo_changes_add(changes, entities[3], component)); // gets its default value again
        assert_true(filo_changes_add(changes, entities[4], component)); // already has it
        assert_int_equal(*(const int32_t *)filo_changes_get(changes, entities[0], component), 3);
        assert_false(filo_changes_has(changes, entities[1], component));
        assert_int_equal(*(const int32_t *)filo_changes_get(changes, entities[2], component), 3);
        assert_int_equal(*(const int32_t *)filo_changes_get(changes, entities[3], component), both ? 42 : 0);
        assert_int_equal(*(const int32_t *)filo_changes_get(changes, entities[4], component), 1);
        assert_int_equal(*(const int32_t *)filo_entity_get(world, entities[0], component), 1); // not yet
    }
    assert_true(filo_changes_apply(changes));
    static const int32_t expected[] = { 3, -1, 3, 0, 1 };
    for (int i = 0; i < 5; i++) {
        const Health *health = filo_get(world, entities[i], Health);
        const Stranger *stranger = filo_get(world, entities[i], Stranger);
        assert_int_equal(health != NULL ? health->points : -1, expected[i]);
        assert_int_equal(stranger != NULL ? stranger->number : -1, i == 3 ? 42 : expected[i]);
    }
    destroy_with_changes(world, changes);
}

FILO_TEST(temporary_ids_are_replaced_in_all_records) {
    FiloWorld *world = new_world();
    FiloEntity old = filo_create(world, FILO_ADD(Target));
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity a = filo_changes_create_entity(changes), b = filo_changes_create_entity(changes);
    assert_true(filo_entity_temporary(a));
    assert_int_not_equal(a.id, b.id);
    assert_true(filo_set(changes, old, Target, b));
    assert_true(filo_set(changes, a, Target, a));
    assert_true(filo_set(changes, FILO_ENTITY_NONE, Score, 1, a));
    assert_true(filo_changes_set_parent(changes, b, a));
    assert_true(filo_changes_set_parent(changes, old, b));
    assert_true(filo_changes_set_name(changes, b, "middle"));
    assert_true(filo_changes_set_active(changes, b, false));
    assert_false(filo_changes_active(changes, b));
    assert_int_equal(filo_changes_resolved(changes, a).id, 0); // not yet
    assert_int_equal(filo_changes_count(changes), 9);
    assert_true(filo_changes_apply(changes));
    FiloEntity real_a = filo_changes_resolved(changes, a), real_b = filo_changes_resolved(changes, b);
    assert_false(filo_entity_temporary(real_a));
    assert_same_entity(filo_get(world, old, Target)->entity, real_b);
    assert_same_entity(filo_get(world, real_a, Target)->entity, real_a);
    assert_same_entity(filo_get_global(world, Score)->leader, real_a);
    assert_same_entity(filo_entity_parent(world, real_b), real_a);
    assert_same_entity(filo_entity_parent(world, old), real_b);
    assert_same_entity(filo_world_find(world, "middle"), real_b);
    assert_false(filo_entity_active(world, real_b));
    assert_int_equal(filo_changes_count(changes), 0);
    assert_true(filo_changes_set_active(changes, old, true));
    assert_int_equal(filo_changes_resolved(changes, a).id, 0); // cleared by the next record
    destroy_with_changes(world, changes);
}

FILO_TEST(destroying_an_entity_destroys_its_descendants) {
    FiloWorld *world = new_world();
    FiloEntity root = filo_entity_create(world), child = filo_entity_create(world),
               grandchild = filo_entity_create(world), saved = filo_entity_create(world),
               late = filo_entity_create(world);
    filo_entity_set_parent(world, child, root);
    filo_entity_set_parent(world, grandchild, child);
    filo_entity_set_parent(world, saved, root);
    FiloChanges *changes = filo_changes_create(world);
    assert_true(filo_set(changes, grandchild, Health, 1));
    assert_true(filo_set(changes, child, Health, 1)); // recorded before its parent is destroyed
    assert_true(filo_changes_destroy_entity(changes, root));
    assert_true(filo_changes_set_parent(changes, saved, FILO_ENTITY_NONE)); // so it is not destroyed
    assert_true(filo_changes_set_parent(changes, late, grandchild));
    assert_true(filo_changes_apply(changes));
    assert_true(filo_entity_exists(world, saved));
    assert_int_equal(filo_entity_parent(world, saved).id, 0);
    assert_int_equal(filo_world_stats(world).entities, 1);
    destroy_with_changes(world, changes);
}

FILO_TEST(a_set_is_applied_to_the_world_at_the_time_of_apply) {
    FiloWorld *world = new_world();
    FiloEntity entity = filo_create(world, FILO_SET(Health, 1)),
               prefab = filo_create(world, FILO_SET(Health, 2));
    FiloChanges *changes = filo_changes_create(world);
    assert_true(filo_set(changes, entity, Health, 5));
    FiloEntity instance = filo_changes_instantiate(changes, prefab),
               child = filo_changes_create_entity(changes);
    assert_true(filo_changes_set_parent(changes, child, instance));
    filo_entity_destroy(world, entity);
    filo_entity_destroy(world, prefab);
    FiloEntity other = filo_create(world, FILO_SET(Health, 3)); // reuses the index
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_get(world, other, Health)->points, 3);
    assert_int_equal(filo_changes_resolved(changes, instance).id, 0);
    FiloEntity real = filo_changes_resolved(changes, child);
    assert_true(filo_entity_exists(world, real));
    assert_int_equal(filo_entity_parent(world, real).id, 0);
    destroy_with_changes(world, changes);
}

FILO_TEST(an_instance_in_a_set_copies_the_prefab_before_the_set_is_applied) {
    FiloWorld *world = new_world();
    FiloEntity prefab = filo_create(world, FILO_SET(Health, 1), FILO_SET(Target, { 0 }));
    FiloEntity part = filo_create(world, FILO_SET(Target, prefab));
    assert_true(filo_entity_set_parent(world, part, prefab));
    assert_true(filo_set(world, prefab, Target, part));
    assert_true(filo_prefab_make(world, prefab));
    FiloChanges *changes = filo_changes_create(world);
    assert_true(filo_set(changes, prefab, Health, 50));
    FiloEntity instance = filo_changes_instantiate(changes, prefab),
               other = filo_changes_instantiate(changes, prefab);
    assert_true(filo_add(changes, instance, Health)); // already has it
    assert_int_equal(((const Health *)filo_changes_get(changes, instance, ID(world, Health)))->points, 1);
    assert_true(filo_set(changes, other, Health, 7));
    assert_true(filo_changes_active(changes, instance));
    assert_true(filo_changes_apply(changes));
    FiloEntity real = filo_changes_resolved(changes, instance),
               second = filo_changes_resolved(changes, other);
    assert_int_equal(filo_get(world, real, Health)->points, 1);
    assert_int_equal(filo_get(world, second, Health)->points, 7);
    assert_int_equal(filo_get(world, prefab, Health)->points, 50);
    FiloEntity its_part = filo_entity_first_child(world, real);
    assert_same_entity(filo_get(world, real, Target)->entity, its_part);
    assert_same_entity(filo_get(world, its_part, Target)->entity, real);
    assert_true(filo_entity_active(world, its_part));
    assert_false(filo_has(world, real, FiloPrefab));
    destroy_with_changes(world, changes);
}

FILO_TEST(overrides_in_a_set_that_refer_to_the_prefab_refer_to_the_instance) {
    FiloWorld *world = new_world();
    FiloEntity prefab = filo_create(world, FILO_SET(Health, 1)),
               other = filo_create(world, FILO_SET(Health, 2));
    FiloEntity part = filo_create(world, FILO_SET(Health, 3));
    assert_true(filo_entity_set_parent(world, part, prefab));
    assert_true(filo_prefab_make(world, prefab) && filo_prefab_make(world, other));
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity made[6], plain = filo_changes_create_entity(changes);
    for (int i = 0; i < 6; i++) made[i] = filo_changes_instantiate(changes, i == 3 ? other : prefab);
    assert_true(filo_set(changes, plain, Target, part)); // not an instance
    assert_true(filo_set(changes, made[0], Target, part));
    assert_true(filo_set(changes, made[1], Target, prefab));
    assert_true(filo_set(changes, made[2], Target, made[0]));
    assert_true(filo_set(changes, made[3], Target, other));
    assert_true(filo_set(changes, made[4], Target, other)); // not part of the prefab
    assert_true(filo_set(changes, made[5], Target, part));
    assert_true(filo_set(changes, prefab, Target, part));
    assert_true(filo_changes_apply(changes));
    FiloEntity real[6];
    for (int i = 0; i < 6; i++) real[i] = filo_changes_resolved(changes, made[i]);
    FiloEntity expected[6] = { filo_entity_first_child(world, real[0]), real[1], real[0], real[3], other,
                               filo_entity_first_child(world, real[5]) };
    for (int i = 0; i < 6; i++) assert_same_entity(filo_get(world, real[i], Target)->entity, expected[i]);
    assert_same_entity(filo_get(world, filo_changes_resolved(changes, plain), Target)->entity, part);
    assert_same_entity(filo_get(world, prefab, Target)->entity, part);
    destroy_with_changes(world, changes);
}

FILO_TEST(instances_in_a_set_get_the_same_ids_as_single_calls) {
    FiloEntity ids[2][40];
    for (int cut = 0; cut < 2; cut++) {
        FiloWorld *world = new_world();
        FiloEntity single = filo_create(world, FILO_SET(Health, 1)),
                   family = filo_create(world, FILO_SET(Health, 2));
        assert_true(filo_entity_set_parent(world, filo_create(world, FILO_SET(Health, 3)), family));
        FiloChanges *changes = filo_changes_create(world);
        for (int i = 0; i < 40; i++) {
            FiloEntity made = filo_changes_instantiate(changes, i / 8 % 2 ? single : family);
            ids[cut][i] = made;
            if (!cut && i != 39) continue;
            assert_true(filo_changes_apply(changes));
            for (int k = cut ? i : 0; k <= i; k++) ids[cut][k] = filo_changes_resolved(changes, ids[cut][k]);
        }
        destroy_with_changes(world, changes);
    }
    assert_memory_equal(ids[0], ids[1], sizeof ids[0]);
}

FILO_TEST(an_instance_in_a_set_is_no_prefab_and_lacks_its_name_and_parent) {
    FiloWorld *world = new_world();
    FiloEntity prefab = filo_create(world, FILO_SET(Health, 1));
    assert_true(filo_entity_set_name(world, prefab, "tank"));
    assert_true(filo_entity_set_parent(world, prefab, filo_entity_create(world)));
    assert_true(filo_prefab_make(world, prefab));
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity instance = filo_changes_instantiate(changes, prefab);
    assert_true(filo_changes_has(changes, instance, ID(world, Health)));
    FiloComponent others[] = { ID(world, FiloPrefab), ID(world, FiloEntityName), ID(world, FiloFamily) };
    for (size_t i = 0; i < FILO_COUNT_OF(others); i++) {
        assert_false(filo_changes_has(changes, instance, others[i]));
        assert_null(filo_changes_get(changes, instance, others[i]));
        assert_true(filo_changes_has(changes, prefab, others[i]));
    }
    FiloEntity derived = filo_changes_instantiate(changes, prefab); // becomes a prefab
    assert_true(filo_add(changes, derived, FiloPrefab));
    assert_true(filo_changes_has(changes, derived, ID(world, FiloPrefab)));
    assert_true(filo_changes_apply(changes));
    for (size_t i = 0; i < FILO_COUNT_OF(others); i++)
        assert_false(filo_entity_has(world, filo_changes_resolved(changes, instance), others[i]));
    assert_true(filo_has(world, filo_changes_resolved(changes, derived), FiloPrefab));
    destroy_with_changes(world, changes);
}

typedef struct Landscape {
    _Alignas(64) int32_t heights[1000];
} Landscape;
FILO_REFLECT(Landscape, FILO_FIELD(int32_t, heights))

FILO_TEST(an_added_component_reads_back_as_its_default_value) {
    static const Landscape hills = { .heights = { [7] = 8 } };
    for (int with_initial = 0; with_initial < 2; with_initial++) {
        FiloWorld *world = new_world();
        FiloComponent component =
            filo_component(world, Landscape, .default_value = with_initial ? &hills : NULL);
        FiloEntity entity = filo_entity_create(world);
        FiloChanges *changes = filo_changes_create(world);
        assert_true(filo_add(changes, entity, Health));
        assert_true(filo_changes_add(changes, entity, component));
        assert_int_equal(filo_get(changes, entity, Health)->points, 0);
        const Landscape *land = filo_get(changes, entity, Landscape);
        assert_int_equal((uintptr_t)land % 64, 0);
        assert_memory_equal(land, with_initial ? &hills : &(Landscape){ 0 }, sizeof *land);
        assert_true(filo_set(changes, entity, Landscape, .heights = { [9] = 1 }));
        land = filo_get(changes, entity, Landscape);
        assert_int_equal((uintptr_t)land % 64, 0);
        assert_int_equal(land->heights[7] * 10 + land->heights[9], 1);
        assert_true(filo_changes_apply(changes));
        assert_int_equal(filo_get(world, entity, Landscape)->heights[9], 1);
        destroy_with_changes(world, changes);
    }
}

// Adjacent rows move together: between chunks with different ends, with and without gaps, with and without recorded
// values.
FILO_TEST(rows_that_move_together_keep_their_values_and_their_order) {
    enum { COUNT = 20000 };
    FiloWorld *world = new_world();
    FiloEntity *entities = malloc(COUNT * sizeof *entities), *order = malloc(COUNT * sizeof *order);
    FiloComponent velocity = ID(world, Velocity), position = ID(world, Position);
    for (int i = 0; i < COUNT; i++)
        entities[i] = filo_create(world, FILO_SET(Health, i), FILO_SET(Position, (float)i, 0));
    FiloChanges *changes = filo_changes_create(world);
    for (int i = 0; i < COUNT; i++)
        if (i % 1000 != 0) assert_true(filo_changes_add(changes, entities[i], velocity));
    for (int i = 0; i < COUNT; i += 3) assert_true(filo_set(changes, entities[i], Health, -i));
    assert_true(filo_changes_apply(changes));
    for (int i = COUNT - 1; i >= 0; i--)
        if (i % 1000 != 1) assert_true(filo_changes_remove(changes, entities[i], position));
    assert_true(filo_changes_apply(changes));
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(filo_get(world, entities[i], Health)->points, i % 3 == 0 ? -i : i);
        const Position *at = filo_get(world, entities[i], Position);
        assert_int_equal(at != NULL, i % 1000 == 1);
        if (at != NULL) assert_true(at->x == (float)i);
        const Velocity *speed = filo_get(world, entities[i], Velocity);
        assert_int_equal(speed != NULL, i % 1000 != 0);
        if (speed != NULL) assert_true(speed->x == 0 && speed->y == 0);
    }
    // Rows without positions were moved in the order of the records.
    FiloQuery *query = filo_query(world, FILO_READ(Health), FILO_WITH(Velocity), FILO_WITHOUT(Position));
    size_t count = filo_query_entities(query, order, COUNT);
    assert_int_equal(count, COUNT - 2 * (COUNT / 1000));
    for (size_t i = 1; i < count; i++)
        assert_true(filo_entity_index(order[i]) < filo_entity_index(order[i - 1]));
    filo_query_release(query);
    filo_changes_destroy(changes);
    free(entities);
    free(order);
    filo_world_destroy(world);
}

// Sets are applied by source, then by row, in whatever order they were closed.
FILO_TEST(sets_are_applied_in_the_order_of_source_and_row) {
    static const struct {
        uint32_t source;
        uint64_t row;
    } order[] = { { 1, 40 }, { 0, 5 }, { 2, 0 }, { 1, 7 }, { 0, 1 }, { 2, 300 }, { 1, 0 }, { 0, 100 } };
    static const int32_t sorted[] = { 1, 5, 100, 1000, 1007, 1040, 2000, 2300 };
    FiloWorld *world = new_world();
    FiloEntity shared = filo_create(world, FILO_ADD(Health));
    for (size_t i = 0; i < FILO_COUNT_OF(order); i++) {
        FiloChanges changes;
        ecs_changes_open(&changes, world, order[i].source, order[i].row);
        int32_t number = (int32_t)(order[i].source * 1000 + order[i].row);
        FiloEntity entity = filo_changes_create_entity(&changes);
        assert_true(filo_set(&changes, entity, Velocity, (float)number, 0));
        assert_true(filo_set(&changes, shared, Health, number));
        ecs_changes_close(&changes);
    }
    filo_world_refresh(world);
    FiloQuery *query = filo_query(world, FILO_READ(Velocity));
    assert_int_equal(filo_query_count(query), FILO_COUNT_OF(order));
    for (size_t i = 0; i < FILO_COUNT_OF(order); i++) {
        FiloEntity entity = filo_query_at(query, i);
        assert_true(filo_get(world, entity, Velocity)->x == (float)sorted[i]);
        assert_int_equal(filo_entity_index(entity), i + 1);
    }
    assert_int_equal(filo_get(world, shared, Health)->points, 2300);
    destroy_with_query(world, query);
}

// ---- Threads --------------------------------------------------------------------------------------------

enum { MANY = 12000, TICKS = 6 };

// Records changes of every kind, which depend only on the row.
static void stir(FiloIter *it) {
    Health *health = filo_write(it, Health);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity self = filo_iter_entity(it, i);
        FiloRandom random = filo_iter_random(it, i);
        health[i].points++;
        switch (filo_random_below(&random, 12)) {
        case 0: filo_set(it->changes, self, Position, (float)filo_entity_index(self), 1); break;
        case 1: filo_set(it->changes, self, Velocity, 1, (float)it->tick); break;
        case 2: filo_remove(it->changes, self, Position); break;
        case 3: filo_remove(it->changes, self, Velocity); break;
        case 4: filo_changes_destroy_entity(it->changes, self); break;
        case 5: filo_add(it->changes, self, Chosen); break;
        case 6: filo_add(it->changes, self, Frozen); break;
        case 7: filo_changes_set_active(it->changes, self, false); break;
        case 8: {
            FiloEntity made = filo_changes_create_entity(it->changes);
            filo_set(it->changes, made, Health, (int32_t)filo_entity_index(self));
            filo_set(it->changes, made, Target, self);
            filo_set(it->changes, self, Target, made);
            if (filo_random_below(&random, 4) == 0) filo_changes_set_parent(it->changes, made, self);
            break;
        }
        case 9: filo_remove(it->changes, self, Chosen); break;
        default: break;
        }
    }
}

typedef struct Picture {
    FiloEntity *entities[4];
    size_t counts[4];
    uint64_t hash;
} Picture;

static Picture stirred(int threads) {
    FiloJobs *jobs = NULL;
    if (threads > 0) assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    FiloWorld *world = new_world_with(&(FiloWorldDesc){ .jobs = jobs, .seed = 3 });
    FiloComponentValue with[] = { FILO_SET(Health, 1) };
    assert_true(
        filo_entity_create_block(world, &(FiloBlockDesc){ .count = MANY, .values = with, .value_count = 1 }));
    filo_system_add(
        world, &(FiloSystemDesc){
                   .name = "stir", .run = stir, .parallel = true, .query.terms = { FILO_WRITE(Health) } });
    for (int i = 0; i < TICKS; i++) assert_ok(filo_world_tick(world, 1));
    FiloQuery *queries[] = {
        filo_query_create(world, &(FiloQueryDesc){ .activity = FILO_ANY_ACTIVITY }),
        filo_query(world, FILO_READ(Position)),
        filo_query(world, FILO_READ(Health), FILO_WITH(Chosen)),
        filo_query(world, FILO_READ(Target), FILO_WITHOUT(Frozen)),
    };
    Picture picture = { .hash = filo_world_hash(world) };
    for (int i = 0; i < 4; i++) {
        picture.counts[i] = filo_query_count(queries[i]);
        picture.entities[i] = malloc(picture.counts[i] * sizeof(FiloEntity));
        filo_query_entities(queries[i], picture.entities[i], picture.counts[i]);
        filo_query_release(queries[i]);
    }
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return picture;
}

static void free_picture(Picture *picture) {
    for (int i = 0; i < 4; i++) free(picture->entities[i]);
}

FILO_TEST(large_sets_produce_the_same_rows_in_the_same_order_on_any_number_of_threads) {
    Picture expected = stirred(0);
    assert_true(expected.counts[0] > MANY / 2 && expected.counts[1] > 100 && expected.counts[2] > 100);
    static const int threads[] = { 1, 2, 4, 8 };
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        Picture picture = stirred(threads[t]);
        assert_true(picture.hash == expected.hash);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(picture.counts[i], expected.counts[i]);
            assert_memory_equal(picture.entities[i], expected.entities[i],
                                picture.counts[i] * sizeof(FiloEntity));
        }
        free_picture(&picture);
    }
    free_picture(&expected);
}

// A user set in a world with a scheduler: many tables, with rows moved in and out of the same one.
static void shuffle(int threads, FiloEntity *order, size_t *count) {
    FiloJobs *jobs = NULL;
    if (threads > 0) assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    FiloWorld *world = new_world_with(&(FiloWorldDesc){ .jobs = jobs });
    FiloEntity *entities = malloc(MANY * sizeof *entities);
    for (int i = 0; i < MANY; i++)
        entities[i] = i % 2 == 0 ? filo_create(world, FILO_SET(Health, i))
                                 : filo_create(world, FILO_SET(Health, i), FILO_SET(Position, (float)i, 0));
    FiloChanges *changes = filo_changes_create(world);
    for (int i = 0; i < MANY; i++) {
        if (i % 7 == 0)
            filo_changes_destroy_entity(changes, entities[i]);
        else if (i % 2 == 0)
            filo_set(changes, entities[i], Position, (float)i, 0); // to the table that the odd ones left
        else
            filo_remove(changes, entities[i], Position);
        if (i % 3 == 0) {
            FiloEntity made = filo_changes_create_entity(changes);
            filo_set(changes, made, Health, -i);
            if (i % 5 == 0) filo_set(changes, made, Position, (float)-i, 0);
        }
    }
    assert_true(filo_changes_apply(changes));
    filo_changes_destroy(changes);
    for (int i = 0; i < MANY; i++) {
        if (i % 7 == 0) continue;
        assert_int_equal(filo_get(world, entities[i], Health)->points, i);
        const Position *position = filo_get(world, entities[i], Position);
        assert_int_equal(position != NULL, i % 2 == 0);
        if (position != NULL) assert_true(position->x == (float)i);
    }
    FiloQuery *query = filo_query(world, FILO_READ(Health));
    *count = filo_query_entities(query, order, 2 * MANY);
    filo_query_release(query);
    free(entities);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_large_user_set_is_applied_equally_on_any_number_of_threads) {
    FiloEntity *expected = malloc(2 * MANY * sizeof *expected), *order = malloc(2 * MANY * sizeof *order);
    size_t expected_count, count;
    shuffle(0, expected, &expected_count);
    for (int threads = 1; threads <= 8; threads *= 2) {
        shuffle(threads, order, &count);
        assert_int_equal(count, expected_count);
        assert_memory_equal(order, expected, count * sizeof *order);
    }
    free(expected);
    free(order);
}
