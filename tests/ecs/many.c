// Thousands of systems and queries in one world: were the work to grow with the square of their number, this test would
// take minutes.

#include "ecs/system_fixture.h"

enum { MANY = 10000, KINDS = 150, ROUNDS = MANY / KINDS };

typedef struct Crowd {
    Fixture fixture;
    FiloComponent kinds[KINDS];
} Crowd;

static void free_type(const FiloType *type) { filo_type_destroy(type, NULL); }

static Crowd crowd_open(void) {
    Crowd crowd = { .fixture = fixture_open(0) };
    for (int i = 0; i < KINDS; i++) {
        char name[16];
        snprintf(name, sizeof name, "Kind%d", i);
        const FiloField field = { .name = "number", .type_function = filo_type_float };
        const FiloType *type;
        assert_ok(filo_type_create(&type, name, &field, 1, NULL));
        crowd.kinds[i] = filo_component_register(crowd.fixture.world,
                                                 &(FiloComponentDesc){ .type = type, .release = free_type });
    }
    return crowd;
}

// The terms of the n-th of all pairs of kinds.
static FiloQueryDesc pair(const Crowd *crowd, int n) {
    int a = 1;
    for (; n >= a; a++) n -= a;
    FiloQueryDesc desc = { 0 };
    desc.terms[0] = (FiloTerm){ .component = crowd->kinds[a], .access = FILO_ACCESS_READ };
    desc.terms[1] = (FiloTerm){ .component = crowd->kinds[n], .access = FILO_ACCESS_WRITE };
    return desc;
}

static uint32_t stage_of(const Crowd *crowd, const char *name) {
    const FiloWorld *world = crowd->fixture.world;
    return filo_system_stats(world, filo_system_named(world, name)).stage;
}

// Each writes one of the kinds, in turns: so all of a round share a stage. Each is before or after one of the round before.
FILO_TEST(ten_thousand_systems_are_put_into_stages) {
    Crowd crowd = crowd_open();
    for (int n = 0; n < MANY; n++) {
        char name[16], other[16];
        snprintf(name, sizeof name, "%d", n);
        snprintf(other, sizeof other, "%d", n - KINDS);
        FiloSystemDesc desc = { .name = name, .run = do_nothing };
        desc.query.terms[0] = (FiloTerm){ .component = crowd.kinds[n % KINDS], .access = FILO_ACCESS_WRITE };
        if (n >= KINDS) *(n % 2 == 0 ? desc.before : desc.after) = other;
        assert_int_not_equal(filo_system_add(crowd.fixture.world, &desc).id, 0);
    }
    tick(&crowd.fixture);
    // Those with an odd number are in the order of registration, the others in the opposite one.
    assert_int_equal(stage_of(&crowd, "1"), 0);
    assert_int_equal(stage_of(&crowd, "151"), 1);
    assert_int_equal(stage_of(&crowd, "9901"), ROUNDS);
    assert_int_equal(stage_of(&crowd, "9900"), 0);
    assert_int_equal(stage_of(&crowd, "9750"), 1);
    assert_int_equal(stage_of(&crowd, "0"), ROUNDS);
    for (int n = 0; n < MANY; n += 3) {
        char name[16];
        snprintf(name, sizeof name, "%d", n);
        filo_system_remove(crowd.fixture.world, filo_system_named(crowd.fixture.world, name));
    }
    tick(&crowd.fixture);
    assert_int_equal(filo_system_named(crowd.fixture.world, "9900").id, 0);
    assert_int_equal(stage_of(&crowd, "9901"), ROUNDS);
    fixture_close(&crowd.fixture);
}

FILO_TEST(ten_thousand_queries_are_made_shared_and_released) {
    Crowd crowd = crowd_open();
    FiloWorld *world = crowd.fixture.world;
    size_t before = filo_world_stats(world).queries;
    static FiloQuery *queries[MANY];
    for (int n = 0; n < MANY; n++) {
        FiloQueryDesc desc = pair(&crowd, n);
        assert_non_null(queries[n] = filo_query_create(world, &desc));
        assert_ptr_equal(filo_query_create(world, &desc), queries[n]);
    }
    assert_int_equal(filo_world_stats(world).queries, before + MANY);
    for (int n = 0; n < MANY; n++) {
        filo_query_release(queries[n]);
        assert_int_equal(filo_query_reference_count(queries[n]), 1);
        filo_query_release(queries[n]);
    }
    assert_int_equal(filo_world_stats(world).queries, before);
    FiloQueryDesc again = pair(&crowd, 7);
    FiloQuery *query = filo_query_create(world, &again);
    assert_int_equal(filo_query_reference_count(query), 1);
    filo_query_release(query);
    fixture_close(&crowd.fixture);
}
