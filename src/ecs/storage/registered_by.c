// The calls that register components: in messages, and whether they were made.
//
// A type may name the call that registers its component together with what belongs to it (FiloType.registered_by). That
// call declares its components complete (EcsComponentData.complete). The beginning of a tick looks at the components that
// were registered since the last one, and reports those that name a call and are not complete. So the order in which
// components are registered and completed between two ticks does not matter.

#include "base/suggest.h"
#include "ecs/storage/components.h"

#include <filo/hash.h>
#include <filo/log.h>

#include <stdio.h>

// ---- Messages -------------------------------------------------------------------------------------------

static EcsRegisteringCall call_of(const FiloType *type, const char *options) {
    EcsRegisteringCall call;
    if (type != NULL && type->registered_by != NULL)
        (void)snprintf(call.text, sizeof call.text, "%s", type->registered_by);
    else
        (void)snprintf(call.text, sizeof call.text, "filo_component(world, %s%s)",
                       type != NULL ? type->name : "NULL", options);
    return call;
}

EcsRegisteringCall ecs_registering_call(const FiloType *type) { return call_of(type, ""); }

static FiloComponent find(const FiloWorld *world, const FiloType *type, const char *options) {
    if (!FILO_CHECK(type != NULL, "pass a type: FILO_TYPE(…)")) return (FiloComponent){ 0 };
    FiloComponent component = filo_component_of(world, type);
    (void)FILO_CHECK_MADE(component.id != 0, "component %s is not registered in this world: call %s first",
                          type->name, call_of(type, options).text);
    return component;
}

FiloComponent ecs_component_find_checked(const FiloWorld *world, const FiloType *type) {
    return find(world, type, "");
}

FiloComponent ecs_global_find_checked(const FiloWorld *world, const FiloType *type) {
    return find(world, type, ", .storage = FILO_STORAGE_GLOBAL");
}

// ---- Complete components --------------------------------------------------------------------------------

uint64_t ecs_call_hash(const FiloType *type) {
    return type->registered_by != NULL ? filo_hash_text(type->registered_by) : 0;
}

static bool is_incomplete(const EcsComponentData *data) { return data->call != 0 && !data->complete; }

bool filo_component_complete(FiloWorld *world, const FiloType *type) {
    if (!FILO_CHECK(world != NULL, "pass a world") ||
        !FILO_CHECK(type != NULL, "pass a type: FILO_TYPE(…)") ||
        !FILO_CHECK_MADE(
            filo_component_of(world, type).id != 0,
            "component %s cannot be complete: before, register it with filo_component(world, %s)", type->name,
            type->name))
        return false;
    uint64_t call = ecs_call_hash(type);
    filo_array_each (&world->components, item) {
        EcsComponentData *data = *item;
        if (!is_incomplete(data) || data->call != call) continue;
        if (!ecs_may_change(world, "complete a component")) return false;
        data->complete = true;
    }
    return true;
}

void ecs_components_check_complete(FiloWorld *world) {
    size_t begin = world->checked_components;
    world->checked_components = world->components.count;
    if (filo_out_of_memory_count() > 0) return; // a call may have failed, which it has reported
    for (size_t i = begin; i < world->components.count; i++) {
        const EcsComponentData *data = world->components.items[i];
        if (!is_incomplete(data) || !base_first_time("incomplete component", filo_string(data->info.name)))
            continue;
        filo_log_warn(
            "ecs",
            "component %s is registered alone, without the systems and settings that belong to it: call "
            "%s instead of filo_component(world, %s)",
            data->info.name, data->info.type->registered_by, data->info.name);
    }
}
