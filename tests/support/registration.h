// Shared by the tests of modules that register components and systems in a world.

#ifndef FILO_TEST_REGISTRATION_H
#define FILO_TEST_REGISTRATION_H

#include <filo/system.h>

#include "support/failing_allocator.h"

typedef bool (*Registration)(FiloWorld *world);

// Registers again in a world that has it.
static inline void expect_nothing_registered(FiloWorld *world, Registration registration) {
    FiloWorldStats before = filo_world_stats(world);
    assert_true(registration(world));
    FiloWorldStats after = filo_world_stats(world);
    assert_int_equal(after.components, before.components);
    assert_int_equal(after.systems, before.systems);
    assert_int_equal(after.queries, before.queries);
    assert_ok(filo_world_tick(world, 0.1f));
}

typedef struct ExpectedComponent {
    const char *name;
    bool transient;
} ExpectedComponent;

static inline void expect_components(const FiloWorld *world, const ExpectedComponent *components,
                                     size_t count) {
    for (size_t i = 0; i < count; i++) {
        const FiloComponentInfo *info =
            filo_component_info(world, filo_component_named(world, components[i].name));
        assert_non_null(info);
        assert_int_equal(info->transient, components[i].transient);
        assert_int_equal(info->storage, FILO_STORAGE_TABLE);
    }
}

static inline bool register_within(size_t budget, Registration registration, bool *created) {
    FiloWorld *world;
    *created = filo_world_create(&world, &(FiloWorldDesc){ .memory_budget = budget }).code == FILO_OK;
    if (!*created) return false;
    bool ok = registration(world);
    // A world in which some registration failed can still be used.
    FiloCode ticked = filo_world_tick(world, 0.1f).code;
    assert_true(ticked == FILO_OK || ticked == FILO_ERROR_MEMORY);
    filo_world_destroy(world);
    return ok;
}

// Registers with more and more memory, until it suffices.
static inline void expect_registration_to_fail_cleanly(Registration registration) {
    FiloFaultHandler old = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    size_t failures = 0;
    bool ok = false, created;
    for (size_t budget = 4096; !ok && budget < FILO_MIB(64); budget += budget / 16) {
        ok = register_within(budget, registration, &created);
        failures += created && !ok;
    }
    filo_fault_set_handler(old);
    assert_true(ok);
    assert_true(failures > 0);
}

#endif
