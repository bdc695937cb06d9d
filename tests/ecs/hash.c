// The hash of a world: equal for equal worlds, different after each change.

#include "ecs/state_scene.h"

#include <inttypes.h>
#include <math.h>

#define GOLDEN UINT64_C(0xF92E8A78FA682EDB)

static FiloWorld *scene_world(void) {
    FiloWorld *world = create_scene_world();
    return world;
}

// ---- What does not matter ------------------------------------------------------------------------------

FILO_TEST(the_order_of_rows_does_not_matter) {
    FiloWorld *a = scene_world(), *b = scene_world();
    FiloEntity entities[6];
    for (int i = 0; i < 6; i++) {
        entities[i] = filo_entity_create(a);
        filo_entity_create(b);
    }
    for (int i = 0; i < 6; i++) filo_set(a, entities[i], Place, (float)i, 1);
    for (int i = 0; i < 6; i++) filo_set(a, entities[i], Burning, (float)i);
    for (int i = 5; i >= 0; i--) filo_set(b, entities[i], Burning, (float)i);
    for (int i = 5; i >= 0; i--) filo_set(b, entities[i], Place, (float)i, 1);
    assert_true(filo_world_hash(a) == filo_world_hash(b));
    filo_set(b, entities[0], Place, 1, 1);
    filo_set(b, entities[1], Place, 0, 1); // two values swapped
    assert_true(filo_world_hash(a) != filo_world_hash(b));
    filo_world_destroy(a);
    filo_world_destroy(b);
}

FILO_TEST(storage_does_not_matter) {
    const FiloStorage storages[] = { FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY,
                                     FILO_STORAGE_MAP, FILO_STORAGE_USER };
    uint64_t hashes[FILO_COUNT_OF(storages)], ones[FILO_COUNT_OF(storages)],
        components[FILO_COUNT_OF(storages)];
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        FiloWorld *world = create_world();
        FiloComponent life =
            filo_component(world, Life, .storage = storages[i], .holder = i == 4 ? &list_holder : NULL);
        filo_component(world, Lit, .storage = i % 2 == 0 ? FILO_STORAGE_TABLE : FILO_STORAGE_TAG);
        FiloEntity entity = FILO_ENTITY_NONE;
        for (int n = 0; n < 20; n++) {
            entity = filo_create(world, FILO_SET(Life, (uint8_t)n, n * 3, n / 7.0));
            if (n % 2 == 1) filo_add(world, entity, Lit);
        }
        hashes[i] = filo_world_hash(world);
        ones[i] = filo_entity_hash(world, entity);
        components[i] = filo_component_hash(world, life);
        filo_world_destroy(world);
        assert_true(hashes[i] == hashes[0] && ones[i] == ones[0] && components[i] == components[0]);
    }
}

FILO_TEST(signed_zeros_hash_equal_and_so_do_all_nans) {
    FiloWorld *a = scene_world(), *b = scene_world();
    uint32_t odd_bits = 0xFFC12345u;
    uint64_t odd_wide = UINT64_C(0x7FF0000000000001);
    float odd;
    double wide;
    memcpy(&odd, &odd_bits, 4);
    memcpy(&wide, &odd_wide, 8);
    filo_create(a, FILO_SET(Place, 0.0f, NAN), FILO_SET(Life, 1, 2, NAN), FILO_SET(Weight, 0.0),
                FILO_SET(Burning, -0.0f));
    filo_create(b, FILO_SET(Place, -0.0f, 1), FILO_SET(Life, 1, 2, 0), FILO_SET(Weight, -0.0),
                FILO_SET(Burning, 0.0f));
    memcpy(&filo_edit(b, filo_entity_at(b, 0), Place)->y, &odd, 4);
    memcpy(&filo_edit(b, filo_entity_at(b, 0), Life)->age, &wide, 8);
    assert_true(filo_world_hash(a) == filo_world_hash(b));
    filo_world_destroy(a);
    filo_world_destroy(b);
}

FILO_TEST(padding_and_bytes_after_the_end_of_a_text_do_not_matter) {
    FiloWorld *a = scene_world(), *b = scene_world();
    Life life;
    Bond bond;
    memset(&life, 0xAA, sizeof life);
    memset(&bond, 0xAA, sizeof bond);
    life.kind = 1, life.points = 2, life.age = 3;
    bond.other = FILO_ENTITY_NONE, bond.kind = filo_name("k");
    memcpy(bond.label, "text", 5);
    FiloEntity x = filo_entity_create(a), y = filo_entity_create(b);
    filo_entity_set(a, x, filo_component_of(a, FILO_TYPE(Life)), &life);
    filo_entity_set(a, x, filo_component_of(a, FILO_TYPE(Bond)), &bond);
    filo_set(b, y, Life, 1, 2, 3);
    filo_set(b, y, Bond, { 0 }, filo_name("k"), "text");
    assert_true(filo_world_hash(a) == filo_world_hash(b));
    filo_edit(b, y, Bond)->label[3] = 's';
    assert_true(filo_world_hash(a) != filo_world_hash(b));
    filo_world_destroy(a);
    filo_world_destroy(b);
}

FILO_TEST(transient_components_do_not_matter) {
    FiloWorld *a = scene_world(), *b = scene_world();
    filo_create(a, FILO_SET(Place, 1, 2), FILO_SET(Picture, 3));
    filo_create(b, FILO_SET(Place, 1, 2));
    assert_true(filo_world_hash(a) == filo_world_hash(b));
    assert_true(filo_component_hash(a, filo_component_of(a, FILO_TYPE(Picture))) == 0);
    filo_world_destroy(a);
    filo_world_destroy(b);
}

FILO_TEST(the_number_of_threads_does_not_matter) {
    uint64_t first = 0;
    for (int threads = 0; threads <= 8; threads = threads == 0 ? 1 : threads * 2) {
        FiloJobs *jobs = NULL;
        if (threads > 0) assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
        FiloWorld *world;
        assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }));
        assert_true(scene_register(world));
        FiloComponentValue with[] = { FILO_ADD(Place), FILO_ADD(Life) };
        assert_true(filo_entity_create_block(
            world, &(FiloBlockDesc){ .count = 60000, .values = with, .value_count = 2 }));
        for (uint32_t i = 0; i < 60000; i++) filo_edit(world, filo_entity_at(world, i), Place)->x = (float)i;
        uint64_t hash = filo_world_hash(world);
        if (threads == 0) first = hash;
        assert_true(hash == first);
        filo_world_destroy(world);
        if (jobs != NULL) filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
}

// ---- What matters --------------------------------------------------------------------------------------

FILO_TEST(each_difference_changes_the_hash) {
    Scene scene;
    scene_open(&scene, 1);
    FiloWorld *world = scene.world;
    uint64_t hashes[16];
    size_t count = 0;
    FiloEntity a = filo_create(world, FILO_SET(Place, 1, 2)), b = filo_entity_create(world),
               c = filo_entity_create(world);
    hashes[count++] = filo_world_hash(world);
    filo_edit(world, a, Place)->y = 3;
    hashes[count++] = filo_world_hash(world);
    filo_add(world, a, Frozen);
    hashes[count++] = filo_world_hash(world);
    filo_add(world, a, Lit);
    hashes[count++] = filo_world_hash(world);
    filo_entity_set_active(world, a, false);
    hashes[count++] = filo_world_hash(world);
    filo_set(world, a, Crown, 0);
    hashes[count++] = filo_world_hash(world);
    filo_entity_set_name(world, a, "a name");
    hashes[count++] = filo_world_hash(world);
    filo_entity_set_parent(world, b, a);
    filo_entity_set_parent(world, c, a);
    hashes[count++] = filo_world_hash(world);
    filo_entity_move_before(world, c, b);
    hashes[count++] = filo_world_hash(world);
    filo_edit_global(world, Score)->booms++;
    hashes[count++] = filo_world_hash(world);
    scene.dice++;
    hashes[count++] = filo_world_hash(world);
    filo_events_emit_later(scene.events, filo_name("boom"), FILO_TYPE(Boom), &(Boom){ .size = 1 }, 9);
    hashes[count++] = filo_world_hash(world);
    filo_entity_destroy(world, c);
    hashes[count++] = filo_world_hash(world);
    filo_entity_create(world); // the same index, another generation
    hashes[count++] = filo_world_hash(world);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (hashes[i] == hashes[k]) fail_msg("states %zu and %zu have the same hash", k, i);
    scene_close(&scene);
}

FILO_TEST(the_tick_changes_the_hash) {
    FiloWorld *world = scene_world();
    uint64_t before = filo_world_hash(world);
    assert_ok(filo_world_tick(world, 1));
    assert_true(filo_world_hash(world) != before);
    filo_world_destroy(world);
}

FILO_TEST(entities_and_components_can_be_hashed_alone) {
    FiloWorld *a = scene_world(), *b = scene_world();
    FiloEntity entities[3];
    for (int i = 0; i < 3; i++) {
        entities[i] = filo_create(a, FILO_SET(Place, 1, 2), FILO_SET(Weight, 5));
        filo_create(b, FILO_SET(Place, 1, 2), FILO_SET(Weight, 5));
    }
    FiloComponent place = filo_component_of(a, FILO_TYPE(Place)),
                  weight = filo_component_of(a, FILO_TYPE(Weight));
    filo_edit(b, entities[1], Weight)->grams = 6;
    for (int i = 0; i < 3; i++)
        assert_true((filo_entity_hash(a, entities[i]) == filo_entity_hash(b, entities[i])) == (i != 1));
    assert_true(filo_component_hash(a, place) == filo_component_hash(b, place));
    assert_true(filo_component_hash(a, weight) != filo_component_hash(b, weight));
    assert_true(filo_entity_hash(a, entities[0]) != filo_entity_hash(a, entities[1]));
    filo_entity_destroy(a, entities[0]);
    assert_true(filo_entity_hash(a, entities[0]) == 0);
    filo_world_destroy(a);
    filo_world_destroy(b);
}

FILO_TEST(an_unknown_component_is_a_mistake) {
    only_in_debug_builds();
    FiloWorld *world = scene_world();
    expect_fault("component 999 is not registered",
                 assert_true(filo_component_hash(world, (FiloComponent){ 999 }) == 0));
    filo_world_destroy(world);
}

// ---- Long types ----------------------------------------------------------------------------------------

typedef struct Patch {
    uint8_t a; // padding follows, so that fields cannot be hashed together
    float b;
} Patch;
FILO_REFLECT(Patch, FILO_FIELD(uint8_t, a), FILO_FIELD(float, b))
typedef struct Quilt {
    Patch patches[50];
    char name[8];
} Quilt;
FILO_REFLECT(Quilt, FILO_FIELD(Patch, patches), FILO_FIELD(char, name))

FILO_TEST(types_with_many_fields_are_hashed_to_their_end) {
    FiloWorld *world = create_world();
    filo_component(world, Quilt);
    Quilt quilt;
    memset(&quilt, 0x55, sizeof quilt); // padding too
    for (int i = 0; i < 50; i++) quilt.patches[i] = (Patch){ (uint8_t)i, (float)i };
    memcpy(quilt.name, "n", 2);
    FiloEntity entity = filo_entity_create(world);
    filo_entity_set(world, entity, filo_component_of(world, FILO_TYPE(Quilt)), &quilt);
    uint64_t hash = filo_world_hash(world);
    for (int i = 0; i < 50; i++) {
        filo_edit(world, entity, Quilt)->patches[i].b += 1;
        assert_true(filo_world_hash(world) != hash);
        filo_edit(world, entity, Quilt)->patches[i].b -= 1;
        assert_true(filo_world_hash(world) == hash);
    }
    filo_edit(world, entity, Quilt)->name[4] = 'x'; // after the end of the text
    assert_true(filo_world_hash(world) == hash);
    filo_edit(world, entity, Quilt)->name[1] = 'x';
    assert_true(filo_world_hash(world) != hash);
    filo_world_destroy(world);
}

// The same on every machine, with every compiler, at every level of optimisation.
FILO_TEST(a_world_matches_its_golden_hash) {
    FiloWorld *world = scene_world();
    scene_golden_pair(world, 7);
    if (filo_world_hash(world) != GOLDEN) fail_msg("the hash is 0x%016" PRIX64, filo_world_hash(world));
    filo_world_destroy(world);
}
