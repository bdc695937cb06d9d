// Shared by the tests of modules: a registry, and a log that their functions append to.

#ifndef FILO_TEST_EVENTS_MODULES_FIXTURE_H
#define FILO_TEST_EVENTS_MODULES_FIXTURE_H

#include <filo/modules.h>

#include "events/fixture.h"
#include "support/failing_allocator.h"

FILO_REFLECT(Hit, FILO_FIELD(uint32_t, target), FILO_FIELD(int32_t, damage))

static Log history;

static FiloModules *create(void) {
    FiloModules *modules;
    history = (Log){ 0 };
    assert_ok(filo_modules_create(&modules, NULL));
    return modules;
}

static inline void add(FiloModules *modules, FiloModuleDesc desc) {
    assert_ok(filo_modules_register(modules, &desc));
}

static inline void load_all(FiloModules *modules) { assert_ok(filo_modules_load_all(modules)); }

#endif
