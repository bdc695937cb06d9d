// Objects whose members are objects of their own: child entities, which end with their parent.

#include "objects/fixture.h"

typedef struct Torch {
    float x;
    int32_t sparks; // of the past
} Torch;
FILO_REFLECT(Torch, FILO_FIELD(float, x), FILO_FIELD(int32_t, sparks))
typedef struct Spark {
    float x, age;
} Spark;
FILO_REFLECT(Spark, FILO_FIELD(float, x), FILO_FIELD(float, age))

// Moves, counts its sparks, and throws one in each tick.
static void step_torch(FiloIter *it) {
    const Torch *past = filo_read(it, Torch);
    Torch *next = filo_write_next(it, Torch);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity self = filo_iter_entity(it, i);
        next[i] = (Torch){ .x = past[i].x + 1 };
        for (FiloEntity spark = filo_entity_first_child(it->world, self); spark.id != 0;
             spark = filo_entity_next_sibling(it->world, spark))
            next[i].sparks += filo_get(it->world, spark, Spark)->age < 1;
        FiloEntity spark = filo_create(it->changes, FILO_SET(Spark, .x = past[i].x));
        filo_changes_set_parent(it->changes, spark, self);
    }
}

// Stays where its torch was, and ends after two seconds.
static void step_spark(FiloIter *it) {
    const Spark *past = filo_read(it, Spark);
    Spark *next = filo_write_next(it, Spark);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity torch = filo_entity_parent(it->world, filo_iter_entity(it, i));
        next[i] = (Spark){ .x = filo_get(it->world, torch, Torch)->x, .age = past[i].age + it->delta };
        if (next[i].age >= 2) filo_object_kill(it, i);
    }
}

FILO_TEST(members_are_child_entities_that_see_their_parent_and_end_with_it) {
    uint64_t hash = 0;
    for (int threads = 0; threads <= 16; threads = threads == 0 ? 1 : threads * 2) {
        Fixture fixture = fixture_open(threads);
        FiloTerm family = FILO_READ(FiloFamily);
        FiloObjectDesc kinds[] = {
            { .name = "torch",
              .state = FILO_STATE_OF(Torch),
              .step = step_torch,
              .extra_access = { family, FILO_READ(Spark) } },
            { .name = "spark",
              .state = FILO_STATE_OF(Spark),
              .step = step_spark,
              .extra_access = { family, FILO_READ(Torch) } },
        };
        assert_ok(filo_object_kinds_add(NULL, fixture.world, kinds, 2));
        FiloEntity torches[10];
        for (int i = 0; i < 10; i++)
            torches[i] = filo_create(fixture.world, FILO_SET(Torch, .x = (float)i * 100));
        for (int i = 0; i < 8; i++) tick(&fixture);
        assert_int_equal(filo_objects_count(fixture.world, Spark), 10 * 4); // each lives for four ticks
        const Spark *spark =
            filo_get(fixture.world, filo_entity_first_child(fixture.world, torches[3]), Spark);
        assert_true(spark->x == 300 + 7); // where the torch was a tick ago
        assert_int_equal(filo_get(fixture.world, torches[3], Torch)->sparks, 2);
        if (hash == 0) hash = filo_world_hash(fixture.world);
        assert_true(filo_world_hash(fixture.world) == hash);
        filo_destroy(fixture.world, torches[3]);
        assert_int_equal(filo_objects_count(fixture.world, Spark), 9 * 4);
        tick(&fixture);
        fixture_close(&fixture);
    }
}
