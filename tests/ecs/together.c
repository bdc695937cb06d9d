// Systems that run together in one stage, and data of modules beside a world.

#include "ecs/double_buffer_fixture.h"
#include "support/failing_allocator.h"

// ---- Together -----------------------------------------------------------------------------------------------

static void copy_heat(FiloIter *it) { // the next x is the heat of the other
    const Sphere *now = filo_read(it, Sphere);
    Sphere *next = filo_write_next(it, Sphere);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = now[i];
        next[i].x = filo_get(it->world, now[i].other, Heat)->degrees;
    }
}
static void copy_x(FiloIter *it) { // and the next heat its x
    Heat *next = filo_write_next(it, Heat);
    const FiloEntity *other = it->user;
    for (size_t i = 0; i < it->count; i++) next[i].degrees = x_of(it->world, *other);
}

static FiloSystemDesc sphere_system(const char *together) {
    return (FiloSystemDesc){ .name = "sphere",
                             .run = copy_heat,
                             .together = together,
                             .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) },
                             .extra_access = { FILO_READ(Heat) } };
}
static FiloSystemDesc heat_system(const char *together, FiloEntity *other) {
    return (FiloSystemDesc){ .name = "heat",
                             .run = copy_x,
                             .user = other,
                             .together = together,
                             .query.terms = { FILO_READ(Heat), FILO_WRITE_NEXT(Heat) },
                             .extra_access = { FILO_READ(Sphere) } };
}

static const char *print(FiloWorld *world) {
    static char text[1024];
    filo_world_print_schedule(world, text, sizeof text);
    return text;
}

FILO_TEST(systems_that_run_together_see_the_values_from_before_of_each_other) {
    for (int threads = 0; threads <= 4; threads += 2) {
        Fixture fixture = spheres_open(threads);
        FiloEntity heat = filo_create(fixture.world, FILO_SET(Heat, 1));
        FiloEntity sphere = filo_create(fixture.world, FILO_SET(Sphere, .x = 2, .other = heat));
        FiloSystemDesc first = sphere_system("both"), second = heat_system("both", &sphere);
        assert_int_not_equal(filo_system_add(fixture.world, &first).id, 0);
        assert_int_not_equal(filo_system_add(fixture.world, &second).id, 0);
        for (int i = 1; i <= 4; i++) {
            tick(&fixture);
            assert_true(x_of(fixture.world, sphere) == (i % 2 == 0 ? 2 : 1));
            assert_true(filo_get(fixture.world, heat, Heat)->degrees == (i % 2 == 0 ? 1 : 2));
        }
        assert_string_equal(print(fixture.world), "stage 0 (update): sphere, heat\n");
        fixture_close(&fixture);
    }
}

FILO_TEST(they_are_in_one_stage_where_the_first_was_registered) {
    Fixture fixture = spheres_open(0);
    FiloWorld *world = fixture.world;
    FiloEntity none = FILO_ENTITY_NONE;
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "before", .run = do_nothing, .query.terms = { FILO_WRITE(Heat) } });
    FiloSystemDesc first = sphere_system("both"), second = heat_system("both", &none);
    filo_system_add(world, &first);
    filo_system_add(world, &(FiloSystemDesc){
                               .name = "between", .run = do_nothing, .query.terms = { FILO_READ(Sphere) } });
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "alone", .run = do_nothing, .query.terms = { FILO_WRITE(Mass) } });
    filo_system_add(world, &second);
    // In another phase they are apart.
    FiloSystemDesc later = sphere_system("both");
    later.name = "later";
    later.phase = FILO_PHASE_AFTER;
    filo_system_add(world, &later);
    assert_string_equal(print(world),
                        "stage 0 (update): before, alone\n"
                        "stage 1 (update): sphere after before (Heat), heat after before (Heat)\n"
                        "stage 2 (update): between after sphere (Sphere)\n"
                        "stage 3 (after): later\n");
    fixture_close(&fixture);
}

FILO_TEST(an_order_with_one_of_them_is_an_order_with_all) {
    Fixture fixture = spheres_open(0);
    FiloWorld *world = fixture.world;
    FiloEntity none = FILO_ENTITY_NONE;
    FiloSystemDesc first = sphere_system("both"), second = heat_system("both", &none);
    filo_system_add(world, &first);
    filo_system_add(world, &second);
    filo_system_add(world, &(FiloSystemDesc){ .name = "x", .run = do_nothing, .before = { "heat" } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "y", .run = do_nothing, .after = { "heat" } });
    assert_string_equal(print(world), "stage 0 (update): x\n"
                                      "stage 1 (update): sphere, heat after x (as declared)\n"
                                      "stage 2 (update): y after heat (as declared)\n");
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "z", .run = do_nothing, .after = { "sphere" }, .before = { "x" } });
    expect_mistake("the order of systems has a cycle", filo_world_tick(world, 1));
    fixture_close(&fixture);
}

FILO_TEST(an_order_between_them_is_a_mistake) {
    Fixture fixture = spheres_open(0);
    FiloEntity none = FILO_ENTITY_NONE;
    FiloSystemDesc first = sphere_system("both"), second = heat_system("both", &none);
    second.after[0] = "sphere";
    filo_system_add(fixture.world, &first);
    filo_system_add(fixture.world, &second);
    expect_mistake("system \"heat\" is to run after \"sphere\", but they run together",
                   filo_world_tick(fixture.world, 1));
    fixture_close(&fixture);
}

static void set_mass(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) filo_write(it, Mass)[i].kilograms = (float)*(const int *)it->user;
}

FILO_TEST(they_write_the_same_component_of_different_entities) {
    for (int threads = 0; threads <= 4; threads += 4) {
        Fixture fixture = spheres_open(threads);
        FiloWorld *world = fixture.world;
        const int numbers[] = { 1, 2 };
        FiloSystemDesc a = { .name = "a",
                             .run = set_mass,
                             .user = (void *)(uintptr_t)&numbers[0],
                             .parallel = true,
                             .together = "both",
                             .query.terms = { FILO_WRITE(Mass), FILO_READ(Heat) } };
        FiloSystemDesc b = { .name = "b",
                             .run = set_mass,
                             .user = (void *)(uintptr_t)&numbers[1],
                             .parallel = true,
                             .together = "both",
                             .query.terms = { FILO_WRITE(Mass), FILO_READ(Sphere) } };
        filo_system_add(world, &a);
        filo_system_add(world, &b);
        FiloEntity hot = filo_create(world, FILO_ADD(Mass), FILO_ADD(Heat));
        FiloEntity round = filo_create(world, FILO_ADD(Mass), FILO_ADD(Sphere));
        tick(&fixture);
        assert_true(filo_get(world, hot, Mass)->kilograms == 1 &&
                    filo_get(world, round, Mass)->kilograms == 2);
        assert_string_equal(print(world), "stage 0 (update): a, b\n");
#ifndef NDEBUG
        filo_create(world, FILO_ADD(Mass), FILO_ADD(Sphere), FILO_ADD(Heat));
        if (threads == 0) // on several, both would write it at once
            expect_fault("systems \"a\" and \"b\" run together, and both use Mass of entity 2",
                         tick(&fixture));
#endif
        fixture_close(&fixture);
    }
}

FILO_TEST(what_one_writes_the_others_do_not_use_for_other_entities) {
    Fixture fixture = spheres_open(0);
    FiloWorld *world = fixture.world;
    FiloSystemDesc a = {
        .name = "a", .run = do_nothing, .together = "both", .query.terms = { FILO_WRITE(Mass) }
    };
    filo_system_add(world, &a);
    FiloSystemDesc b = {
        .name = "b", .run = do_nothing, .together = "both", .query.terms = { FILO_READ(Sphere) }
    };
    b.extra_access[0] = (FiloTerm)FILO_READ(Mass);
    expect_fault("system \"b\" cannot run together with \"a\": one of them writes Mass",
                 assert_int_equal(filo_system_add(world, &b).id, 0));
    b.extra_access[0] = (FiloTerm){ 0 };
    b.extra_queries[0].terms[0] = (FiloTerm)FILO_READ(Mass);
    expect_fault("system \"b\" cannot run together with \"a\": one of them writes Mass",
                 assert_int_equal(filo_system_add(world, &b).id, 0));
    b.extra_queries[0].terms[0] = (FiloTerm)FILO_READ(Heat);
    assert_int_not_equal(filo_system_add(world, &b).id, 0);
    FiloSystemDesc next = { .name = "c",
                            .run = step,
                            .together = "both",
                            .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) } };
    assert_int_not_equal(filo_system_add(world, &next).id, 0); // others read the values from before
    next.name = "d";
    expect_fault("system \"d\" cannot run together with \"c\": one of them writes Sphere",
                 assert_int_equal(filo_system_add(world, &next).id, 0));
    FiloSystemDesc global = {
        .name = "e", .run = do_nothing, .together = "both", .query.terms = { FILO_WRITE(Score) }
    };
    assert_int_not_equal(filo_system_add(world, &global).id, 0);
    global.name = "f";
    global.query.terms[0] = (FiloTerm)FILO_READ(Score);
    expect_fault("system \"f\" cannot run together with \"e\": one of them writes Score",
                 assert_int_equal(filo_system_add(world, &global).id, 0));
    fixture_close(&fixture);
}

FILO_TEST(parts_of_a_parallel_system_can_be_run_one_after_the_other) {
    Fixture fixture = spheres_open(4);
    create_spheres(fixture.world);
    FiloSystemId id = add_step(fixture.world);
    FiloEntity entity = filo_entity_at(fixture.world, 1);
    for (int i = 1; i <= 4; i++) {
        filo_system_set_parallel(fixture.world, id, i % 2 == 0);
        tick(&fixture);
        assert_true(x_of(fixture.world, entity) == (float)(1 + i));
    }
    FiloSystemId serial =
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "serial", .run = do_nothing });
    filo_system_set_parallel(fixture.world, serial, false);
    expect_fault("system \"serial\" was not added with .parallel",
                 filo_system_set_parallel(fixture.world, serial, true));
    expect_fault("there is no such system",
                 filo_system_set_parallel(fixture.world, (FiloSystemId){ 0 }, false));
    expect_fault("pass a world", filo_system_set_parallel(NULL, serial, false));
    fixture_close(&fixture);
}

// ---- The order of change sets -----------------------------------------------------------------------------------

typedef struct Orders {
    FiloChangesOrder orders[64];
    size_t rows[64];
    uint32_t count; // atomic by builtins
} Orders;

static void store_order(FiloIter *it) {
    Orders *orders = it->user;
    uint32_t at = __atomic_fetch_add(&orders->count, 1, __ATOMIC_RELAXED);
    if (at >= FILO_COUNT_OF(orders->orders)) return;
    orders->orders[at] = filo_changes_order(it->changes);
    orders->rows[at] = it->first;
}

FILO_TEST(the_order_of_a_change_set_is_that_of_its_rows) {
    Fixture fixture = spheres_open(2);
    Orders orders = { .count = 0 };
    for (int i = 0; i < 40; i++) filo_create(fixture.world, FILO_SET(Mass, (float)i));
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "order",
                                                      .run = store_order,
                                                      .user = &orders,
                                                      .parallel = true,
                                                      .query.terms = { FILO_READ(Mass) } });
    tick(&fixture);
    assert_true(orders.count > 1);
    for (uint32_t i = 0; i < FILO_MIN(orders.count, 64u); i++) {
        assert_int_equal(orders.orders[i].system, 0);
        assert_true(orders.orders[i].row <= orders.rows[i]);
        for (uint32_t k = 0; k < i; k++)
            assert_true((orders.orders[i].row < orders.orders[k].row) == (orders.rows[i] < orders.rows[k]));
    }
    expect_fault("pass a change set", assert_int_equal(filo_changes_order(NULL).system, UINT32_MAX));
    fixture_close(&fixture);
}

// ---- Data beside a world ------------------------------------------------------------------------------------------

typedef struct Beside {
    int before, after, destroyed;
    uint64_t ticks_before, ticks_after;
    int *order; // of destruction
} Beside;

static void before_tick(FiloWorld *world, void *data) {
    ((Beside *)data)->before++;
    ((Beside *)data)->ticks_before = filo_world_ticks(world);
    (void)filo_entity_create(world); // the structure may change
}
static void after_tick(FiloWorld *world, void *data) {
    ((Beside *)data)->after++;
    ((Beside *)data)->ticks_after = filo_world_ticks(world);
    (void)filo_entity_create(world);
}
static void destroy(FiloWorld *world, void *data) {
    assert_non_null(filo_world_allocator(world));
    ((Beside *)data)->destroyed = ++*((Beside *)data)->order;
}

static void still_there(FiloWorld *world, void *user) {
    assert_int_equal(((Beside *)user)->destroyed, 0);
    FILO_UNUSED(world);
}

FILO_TEST(a_module_finds_its_data_beside_the_world_and_is_called_around_ticks) {
    Fixture fixture = spheres_open(2);
    int order = 0;
    const char keys[FILO_WORLD_DATA + 1] = "";
    Beside a = { .order = &order }, b = { .order = &order };
    FiloWorldData data = { &keys[0], &a, before_tick, after_tick, destroy };
    assert_null(filo_world_data(fixture.world, &keys[0]));
    assert_true(filo_world_add_data(fixture.world, &data));
    expect_fault("the world has data with this key already",
                 assert_false(filo_world_add_data(fixture.world, &data)));
    data = (FiloWorldData){ .key = &keys[1], .data = &b, .destroy = destroy };
    assert_true(filo_world_add_data(fixture.world, &data));
    assert_true(filo_world_data(fixture.world, &keys[0]) == &a &&
                filo_world_data(fixture.world, &keys[1]) == &b);
    tick(&fixture);
    assert_true(a.before == 1 && a.after == 1 && a.ticks_before == 0 && a.ticks_after == 1);
    assert_int_equal(filo_world_stats(fixture.world).entities, 2);
    filo_world_refresh(fixture.world);
    assert_true(a.before == 1 && a.after == 2);
    for (int i = 2; i < FILO_WORLD_DATA; i++) {
        data = (FiloWorldData){ .key = &keys[i], .data = &b };
        assert_true(filo_world_add_data(fixture.world, &data));
    }
    data.key = &keys[FILO_WORLD_DATA];
    expect_fault("a world has data of 8 modules at most",
                 assert_false(filo_world_add_data(fixture.world, &data)));
    expect_fault("pass a world, a key, and data", assert_false(filo_world_add_data(fixture.world, NULL)));
    expect_fault("pass a world", assert_null(filo_world_data(NULL, &keys[0])));
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "end", .run = do_nothing, .user = &b, .end = still_there });
    FiloWorld *like;
    assert_ok(filo_world_create_like(&like, fixture.world, NULL));
    assert_null(filo_world_data(like, &keys[0]));
    filo_world_destroy(like);
    fixture_close(&fixture);
    assert_true(b.destroyed == 1 && a.destroyed == 2);
}

FILO_TEST(without_memory_a_system_that_runs_together_is_not_added) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true, added = false;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloWorld *world;
        if (filo_world_create(&world, &(FiloWorldDesc){ .allocator = &failing.allocator }).code == FILO_OK) {
            if (filo_component(world, Mass).id != 0) {
                FiloSystemDesc desc = {
                    .name = "a", .run = do_nothing, .together = "both", .query.terms = { FILO_WRITE(Mass) }
                };
                added = filo_system_add(world, &desc).id != 0;
                assert_true(added == (filo_system_named(world, "a").id != 0));
            }
            filo_world_destroy(world);
        }
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
    }
    assert_true(added);
    (void)filo_fault_set_handler(before);
}
