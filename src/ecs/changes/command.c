// Commands: changes of a world as data (filo/command.h). They come from users and files, so everything in them is
// checked before anything is recorded.

#include <filo/command.h>
#include <filo/system.h>

#include "base/reflect_value.h"
#include "base/suggest.h"
#include "ecs/changes/changes.h"
#include "ecs/entity/entity.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/components.h"

FILO_REFLECT_ENUM(FiloCommandKind, FILO_VALUE(FILO_COMMAND_SET, "set"), FILO_VALUE(FILO_COMMAND_ADD, "add"),
                  FILO_VALUE(FILO_COMMAND_REMOVE, "remove"), FILO_VALUE(FILO_COMMAND_CREATE, "create"),
                  FILO_VALUE(FILO_COMMAND_COPY, "copy"), FILO_VALUE(FILO_COMMAND_DESTROY, "destroy"),
                  FILO_VALUE(FILO_COMMAND_NAME, "name"), FILO_VALUE(FILO_COMMAND_PARENT, "parent"),
                  FILO_VALUE(FILO_COMMAND_ACTIVE, "active"), FILO_VALUE(FILO_COMMAND_SYSTEM, "system"),
                  FILO_VALUE(FILO_COMMAND_GROUP, "group"))

FILO_REFLECT(FiloCommand, FILO_FIELD(FiloCommandKind, kind), FILO_FIELD(FiloName, component),
             FILO_FIELD(FiloName, path), FILO_FIELD(FiloEntity, entity), FILO_FIELD(FiloEntity, other),
             FILO_FIELD(char, value))

// A command that is being applied.
typedef struct Run {
    FiloWorld *world;
    const FiloCommand *command;
    FiloChanges *changes;
    EcsComponentData *component; // NULL: the command names none
    FiloEntity made;             // a temporary id
} Run;

static FiloResult no_memory(void) { return filo_error(FILO_ERROR_MEMORY, "no memory for the change"); }

static FiloResult recorded(bool is_recorded) { return is_recorded ? filo_ok() : no_memory(); }

// ---- Looking up -----------------------------------------------------------------------------------------

static FiloResult check_entity(const FiloWorld *world, FiloEntity entity) {
    if (filo_entity_exists(world, entity)) return filo_ok();
    if (entity.id == 0) return filo_error(FILO_ERROR_NOT_FOUND, "the command names no entity");
    return filo_error(FILO_ERROR_NOT_FOUND, "entity %u.%u does not exist (any more)",
                      filo_entity_index(entity), filo_entity_generation(entity));
}

static FiloResult find_component(Run *run) {
    const FiloWorld *world = run->world;
    const char *name = filo_name_text(run->command->component);
    FiloComponent component = filo_component_resolve(world, name);
    run->component = ecs_component_data(world, component);
    if (run->component != NULL) return filo_ok();
    if (run->command->component.id == 0)
        return filo_error(FILO_ERROR_NOT_FOUND, "the command names no component");
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    for (uint32_t id = 1; id <= filo_component_count(world); id++)
        base_suggest_offer(&suggestion, filo_string(filo_component_info(world, (FiloComponent){ id })->name));
    char meant[BASE_SUGGEST_SIZE];
    return filo_error(FILO_ERROR_NOT_FOUND, "there is no component \"%s\"%s", name,
                      base_suggest_print(&suggestion, meant));
}

// A component that entities may get, lose and have changed.
static FiloResult find_settable(Run *run) {
    FiloResult r = check_entity(run->world, run->command->entity);
    if (r.code == FILO_OK) r = find_component(run);
    if (r.code != FILO_OK) return r;
    if (run->component->global != NULL)
        return filo_error(FILO_ERROR_KIND, "component %s is global: entities cannot have it",
                          run->component->info.name);
    if (!run->component->settable)
        return filo_error(FILO_ERROR_KIND, "the world manages component %s: change the name or the parent",
                          run->component->info.name);
    return filo_ok();
}

static FiloComponent id_of(const Run *run) {
    return filo_component_of(run->world, run->component->info.type);
}

static FiloResult parse_switch(const Run *run, bool *on) {
    FiloValue value = { .type = FILO_TYPE(bool), .data = on };
    return filo_reflect_parse(value, run->command->value);
}

// ---- Values ---------------------------------------------------------------------------------------------

#define STACK_BYTES 2048 // larger components need memory

// `copy` is as the value in the world, to the byte. A text that is parsed changes described fields only, so what hooks
// own is shared with the value in the world until the change set has made a copy of its own.
static FiloResult change_copy(const Run *run, const void *present, void *copy) {
    const FiloComponentInfo *info = &run->component->info;
    const char *path = filo_name_text(run->command->path);
    memcpy(copy, present, info->size);
    FiloValue field;
    FiloResult r = filo_reflect_find(&field, info->type, copy, path);
    if (r.code == FILO_OK) r = filo_reflect_parse(field, run->command->value);
    if (r.code != FILO_OK)
        return filo_error(FILO_ERROR_DATA, "%s%s%s: %s", info->name, path[0] != 0 ? "." : "", path,
                          r.message);
    return recorded(filo_changes_set(run->changes, run->command->entity, id_of(run), copy));
}

// The set of states whose component the command names; NULL if it is none.
static const EcsStates *find_states(const Run *run) {
    filo_array_each (&run->world->schedule->states, states)
        if (states->component == run->component) return states;
    return NULL;
}

static FiloResult request_state(const Run *run, const EcsStates *states) {
    const char *path = filo_name_text(run->command->path);
    if (strcmp(path, "current") != 0)
        return filo_error(FILO_ERROR_KIND, "%s is a set of states: set \"current\" to request one",
                          states->name_text);
    int64_t raw = 0;
    FiloResult r = filo_reflect_parse((FiloValue){ .type = states->type, .data = &raw }, run->command->value);
    if (r.code != FILO_OK) return filo_error(FILO_ERROR_DATA, "%s: %s", states->name_text, r.message);
    return recorded(
        filo_changes_set_state_type(run->changes, states->type, base_value_load(states->type, &raw)));
}

static FiloResult find_present(Run *run, const void **present) {
    const FiloEntity entity = run->command->entity;
    FiloResult r = entity.id != 0 ? find_settable(run) : find_component(run);
    if (r.code != FILO_OK) return r;
    const FiloComponentInfo *info = &run->component->info;
    if (entity.id == 0 && run->component->global == NULL)
        return filo_error(FILO_ERROR_KIND, "component %s is not global: name an entity", info->name);
    if (info->size == 0) return filo_error(FILO_ERROR_KIND, "%s is a tag, without a value", info->name);
    *present = entity.id != 0 ? filo_entity_get(run->world, entity, id_of(run))
                              : filo_global_get(run->world, id_of(run));
    if (*present != NULL) return filo_ok();
    return filo_error(FILO_ERROR_NOT_FOUND, "entity %u has no %s", filo_entity_index(entity), info->name);
}

static FiloResult set_value(Run *run) {
    const void *present = NULL;
    FiloResult r = find_present(run, &present);
    if (r.code != FILO_OK) return r;
    const EcsStates *states = find_states(run);
    if (states != NULL) return request_state(run, states);
    const FiloComponentInfo *info = &run->component->info;
    _Alignas(FILO_CACHE_LINE) uint8_t stack[STACK_BYTES];
    const size_t align = FILO_MAX(info->type->align, (size_t)FILO_CACHE_LINE);
    const bool fits = info->size <= sizeof stack && align <= FILO_CACHE_LINE;
    void *copy = fits ? stack : filo_alloc(run->world->allocator, info->size, align);
    if (copy == NULL) return no_memory();
    r = change_copy(run, present, copy);
    if (!fits) filo_free(run->world->allocator, copy, info->size, align);
    return r;
}

static FiloResult add_component(Run *run) {
    FiloResult r = find_settable(run);
    if (r.code != FILO_OK) return r;
    if (filo_entity_has(run->world, run->command->entity, id_of(run)))
        return filo_error(FILO_ERROR_EXISTS, "entity %u has %s already",
                          filo_entity_index(run->command->entity), run->component->info.name);
    return recorded(filo_changes_add(run->changes, run->command->entity, id_of(run)));
}

static FiloResult remove_component(Run *run) {
    FiloResult r = find_settable(run);
    if (r.code != FILO_OK) return r;
    if (!filo_entity_has(run->world, run->command->entity, id_of(run)))
        return filo_error(FILO_ERROR_NOT_FOUND, "entity %u has no %s",
                          filo_entity_index(run->command->entity), run->component->info.name);
    return recorded(filo_changes_remove(run->changes, run->command->entity, id_of(run)));
}

// ---- Entities -------------------------------------------------------------------------------------------

static FiloResult check_name(const Run *run, const char *name) {
    FiloEntity other = filo_world_find(run->world, name);
    if (other.id == 0 || other.id == run->command->entity.id) return filo_ok();
    return filo_error(FILO_ERROR_EXISTS, "entity %u is called \"%s\" already", filo_entity_index(other),
                      name);
}

static FiloResult create(Run *run) {
    const FiloCommand *command = run->command;
    FiloResult r = command->other.id != 0 ? check_entity(run->world, command->other) : filo_ok();
    if (r.code == FILO_OK) r = check_name(run, command->value);
    if (r.code == FILO_OK && command->component.id != 0) r = find_component(run);
    if (r.code != FILO_OK) return r;
    if (run->component != NULL && (run->component->global != NULL || !run->component->settable))
        return filo_error(FILO_ERROR_KIND, "an entity cannot be created with %s", run->component->info.name);
    run->made = filo_changes_create_entity(run->changes);
    bool done = run->made.id != 0;
    if (done && run->component != NULL) done = filo_changes_add(run->changes, run->made, id_of(run));
    if (done && command->other.id != 0)
        done = filo_changes_set_parent(run->changes, run->made, command->other);
    if (done && command->value[0] != 0) done = filo_changes_set_name(run->changes, run->made, command->value);
    return recorded(done);
}

static FiloResult destroy(Run *run) {
    FiloResult r = check_entity(run->world, run->command->entity);
    return r.code != FILO_OK ? r : recorded(filo_changes_destroy_entity(run->changes, run->command->entity));
}

static FiloResult set_name(Run *run) {
    FiloResult r = check_entity(run->world, run->command->entity);
    if (r.code == FILO_OK) r = check_name(run, run->command->value);
    if (r.code != FILO_OK) return r;
    return recorded(filo_changes_set_name(run->changes, run->command->entity, run->command->value));
}

static FiloResult set_parent(Run *run) {
    const FiloEntity entity = run->command->entity, parent = run->command->other;
    FiloResult r = check_entity(run->world, entity);
    if (r.code == FILO_OK && parent.id != 0) r = check_entity(run->world, parent);
    if (r.code != FILO_OK) return r;
    for (FiloEntity at = parent; at.id != 0; at = filo_entity_parent(run->world, at))
        if (at.id == entity.id)
            return filo_error(FILO_ERROR_ARGUMENT, "entity %u cannot become a child of its descendant %u",
                              filo_entity_index(entity), filo_entity_index(parent));
    return recorded(filo_changes_set_parent(run->changes, entity, parent));
}

static FiloResult set_active(Run *run) {
    bool on = false;
    FiloResult r = check_entity(run->world, run->command->entity);
    if (r.code == FILO_OK) r = parse_switch(run, &on);
    return r.code != FILO_OK ? r : recorded(filo_changes_set_active(run->changes, run->command->entity, on));
}

// The member of a family that comes after another one; {0}: none.
static FiloEntity next_member(const FiloWorld *world, FiloEntity root, FiloEntity at) {
    FiloEntity next = filo_entity_first_child(world, at);
    for (; next.id == 0 && at.id != root.id; at = filo_entity_parent(world, at))
        next = filo_entity_next_sibling(world, at);
    return next;
}

// Copies of copies would double a world with each command.
static FiloResult check_family(const FiloWorld *world, FiloEntity root) {
    FiloResult r = check_entity(world, root);
    if (r.code != FILO_OK) return r;
    size_t count = 0;
    for (FiloEntity at = root; at.id != 0; at = next_member(world, root, at))
        if (++count > FILO_COMMAND_COPIES)
            return filo_error(
                FILO_ERROR_LIMIT,
                "entity %u has more than %d descendants: copy it by filo_entity_copy, or in parts",
                filo_entity_index(root), FILO_COMMAND_COPIES - 1);
    return filo_ok();
}

// Change sets make instances, which are active; a copy is as its original.
static FiloResult copy(Run *run, FiloEntity *made) {
    FiloResult r = check_family(run->world, run->command->entity);
    if (r.code != FILO_OK) return r;
    *made = filo_entity_copy(run->world, run->command->entity);
    return recorded(made->id != 0);
}

// ---- Systems --------------------------------------------------------------------------------------------

static FiloResult switch_system(const Run *run) {
    const char *name = filo_name_text(run->command->path);
    bool on = false;
    FiloResult r = parse_switch(run, &on);
    FiloSystemId system = filo_system_named(run->world, name);
    if (r.code == FILO_OK && system.id == 0)
        r = filo_error(FILO_ERROR_NOT_FOUND, "there is no system \"%s\"", name);
    if (r.code == FILO_OK) filo_system_set_enabled(run->world, system, on);
    return r;
}

static FiloResult switch_group(const Run *run) {
    const char *name = filo_name_text(run->command->path);
    bool on = false;
    FiloResult r = parse_switch(run, &on);
    if (r.code != FILO_OK) return r;
    const char *group;
    for (size_t n = 0; (group = filo_world_group_at(run->world, n)) != NULL; n++)
        if (strcmp(group, name) == 0) return recorded(filo_changes_set_group_enabled(run->changes, name, on));
    return filo_error(FILO_ERROR_NOT_FOUND, "there is no group of systems \"%s\"", name);
}

// ---- All of them ----------------------------------------------------------------------------------------

static FiloResult record(Run *run) {
    switch (run->command->kind) {
    case FILO_COMMAND_SET: return set_value(run);
    case FILO_COMMAND_ADD: return add_component(run);
    case FILO_COMMAND_REMOVE: return remove_component(run);
    case FILO_COMMAND_CREATE: return create(run);
    case FILO_COMMAND_DESTROY: return destroy(run);
    case FILO_COMMAND_NAME: return set_name(run);
    case FILO_COMMAND_PARENT: return set_parent(run);
    case FILO_COMMAND_ACTIVE: return set_active(run);
    case FILO_COMMAND_SYSTEM: return switch_system(run);
    case FILO_COMMAND_GROUP: return switch_group(run);
    case FILO_COMMAND_COPY: break;
    }
    return filo_error(FILO_ERROR_ARGUMENT, "there is no command of kind %d", (int)run->command->kind);
}

FiloResult filo_world_command(FiloWorld *world, const FiloCommand *command, FiloEntity *made) {
    if (made != NULL) *made = FILO_ENTITY_NONE;
    if (world == NULL || command == NULL) return FILO_MISTAKE("pass a world and a command");
    if (memchr(command->value, 0, sizeof command->value) == NULL)
        return FILO_MISTAKE("the value of a command ends with a zero");
    FiloResult r = ecs_check_change(world, "apply a command");
    if (r.code != FILO_OK) return r;
    Run run = { .world = world, .command = command };
    FiloEntity copied = FILO_ENTITY_NONE;
    if (command->kind == FILO_COMMAND_COPY) {
        r = copy(&run, &copied);
        if (made != NULL) *made = copied;
        return r;
    }
    run.changes = filo_changes_create(world);
    if (run.changes == NULL) return no_memory();
    r = record(&run);
    if (r.code == FILO_OK) r = recorded(filo_changes_apply(run.changes));
    if (r.code == FILO_OK && made != NULL) *made = filo_changes_resolved(run.changes, run.made);
    filo_changes_destroy(run.changes);
    return r;
}
