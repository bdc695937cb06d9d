// Shared by the tests of modules that register components and systems in a world.

#ifndef FILO_TEST_REGISTRATION_H
#define FILO_TEST_REGISTRATION_H

#include <filo/system.h>

#include "support/failing_allocator.h"
#include "support/warnings.h"

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

// ---- The call that registers components -------------------------------------------------------------------

typedef struct FirstFault {
    char message[1024];
    int count;
} FirstFault;

static inline FiloFaultAnswer store_first_fault(const FiloFault *fault, void *user) {
    FirstFault *first = user;
    if (first->count++ == 0) snprintf(first->message, sizeof first->message, "%s", fault->message);
    return FILO_FAULT_CONTINUE;
}

// Runs `statement`, and fails the test unless it reports a fault whose message is exactly `text`; others may follow.
#define expect_exact_fault(text, statement)                                                                  \
    do {                                                                                                     \
        FirstFault first_fault = { .count = 0 };                                                             \
        FiloFaultHandler old_handler =                                                                       \
            filo_fault_set_handler((FiloFaultHandler){ store_first_fault, &first_fault });                   \
        statement;                                                                                           \
        filo_fault_set_handler(old_handler);                                                                 \
        assert_string_equal(first_fault.message, text);                                                      \
    } while (0)

typedef struct ModuleTypes {
    const char *call; // that registers them
    const FiloTypeFunction *types;
    size_t count;
} ModuleTypes;

static inline void expect_call_in_messages(const ModuleTypes *module) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    for (size_t i = 0; i < module->count; i++) {
        const FiloComponentValue value = { .component_type = module->types[i] };
        char message[512];
        snprintf(message, sizeof message,
                 "cannot create an entity: component %s is not registered in this world: call %s first",
                 module->types[i]()->name, module->call);
        expect_exact_fault(message, assert_int_equal(filo_entity_create_with(world, &value, 1).id, 0));
    }
    filo_world_destroy(world);
}

// The warnings are logged once in a process.
static inline void expect_warnings_about_components_alone(const ModuleTypes *module) {
    for (size_t i = 0; i < module->count; i++) {
        const FiloType *type = module->types[i]();
        FiloWorld *world;
        assert_ok(filo_world_create(&world, NULL));
        assert_true(
            filo_component_register(world, &(FiloComponentDesc){ .type = type, .partial = true }).id != 0);
        char message[512];
        snprintf(
            message, sizeof message,
            "component %s is registered alone, without the systems and settings that belong to it: call %s "
            "instead of filo_component(world, %s)",
            type->name, module->call, type->name);
        expect_warning(message, assert_ok(filo_world_tick(world, 0.1f)));
        filo_world_destroy(world);
    }
}

// All components of a module name its call, and all of a world in which it was made are complete. To be called before the
// warnings above were logged.
static inline void expect_complete(FiloWorld *world, const ModuleTypes *module) {
    FiloWorld *empty;
    assert_ok(filo_world_create(&empty, NULL));
    uint32_t own = filo_component_count(empty); // of every world
    filo_world_destroy(empty);
    for (size_t i = 0; i < module->count; i++)
        assert_true(filo_component_of(world, module->types[i]()).id > own);
    for (uint32_t id = own + 1; id <= filo_component_count(world); id++) {
        const FiloType *type = filo_component_info(world, (FiloComponent){ id })->type;
        if (type->registered_by == NULL && strncmp(type->name, "Filo", 4) == 0)
            assert_string_equal(type->name, "FiloInput"); // of an app; needs nothing else
    }
    expect_no_warning(assert_ok(filo_world_tick(world, 0.1f)));
}

// What a user is told who forgot to make the call that registers a module in a world.
static inline void expect_registering_call(const ModuleTypes *module, Registration registration) {
    expect_call_in_messages(module);
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    assert_true(registration(world));
    expect_complete(world, module);
    filo_world_destroy(world);
    expect_warnings_about_components_alone(module);
}

#endif
