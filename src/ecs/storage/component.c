// Registration of components: checks of the description, required components, types that worlds own, former names.
// components.c finds components that are registered.

#include "base/reflect_value.h"
#include "base/suggest.h"
#include "ecs/query/query.h"
#include "ecs/storage/components.h"
#include "ecs/storage/holder.h"

#include <filo/hash.h>
#include <filo/log.h>

#define COMPONENTS 65000 // maximum: the number of a column has 16 bits

static const FiloHolderInterface *holder_of(const FiloComponentDesc *desc) {
    switch (desc->storage) {
    case FILO_STORAGE_SPARSE: return &ecs_holder_sparse;
    case FILO_STORAGE_ARRAY: return &ecs_holder_array;
    case FILO_STORAGE_MAP: return &ecs_holder_map;
    case FILO_STORAGE_TAG: return &ecs_holder_tag;
    case FILO_STORAGE_USER: return desc->holder;
    case FILO_STORAGE_TABLE:
    case FILO_STORAGE_GLOBAL: break;
    }
    return NULL;
}

static bool has_entities(const FiloType *type) {
    if (type->kind == FILO_KIND_ENTITY) return true;
    for (size_t i = 0; i < type->field_count; i++)
        if (has_entities(filo_field_type(&type->fields[i]))) return true;
    return false;
}

static bool has_no_hooks(const FiloComponentHooks *hooks) {
    return hooks->construct == NULL && hooks->destruct == NULL && hooks->copy == NULL && hooks->move == NULL;
}

static bool holder_is_valid(const char *name, const FiloHolderInterface *holder) {
    if (!FILO_CHECK(holder != NULL, "component %s is stored by you: say how with .holder", name))
        return false;
    const char *missing = holder->create == NULL    ? "create"
                          : holder->destroy == NULL ? "destroy"
                          : holder->add == NULL     ? "add"
                          : holder->remove == NULL  ? "remove"
                          : holder->get == NULL     ? "get"
                          : holder->count == NULL   ? "count"
                          : holder->next == NULL    ? "next"
                                                    : NULL;
    return FILO_CHECK(
        missing == NULL,
        "component %s: its holder \"%s\" has no function `%s`; only `refresh` and `clear` may be "
        "left out",
        name, holder->name != NULL ? holder->name : "", missing);
}

static bool desc_is_valid(const FiloWorld *world, const FiloComponentDesc *desc) {
    if (!FILO_CHECK(desc->type != NULL, "say which type the component has: .type = FILO_TYPE(Position)"))
        return false;
    const FiloType *type = desc->type;
    const char *name = type->name;
    bool map = desc->storage == FILO_STORAGE_MAP;
    return FILO_CHECK(type->kind == FILO_KIND_STRUCT, "component %s must be a struct; put the value into one",
                      name) &&
           FILO_CHECK((unsigned)desc->storage <= FILO_STORAGE_USER, "component %s: there is no storage %d",
                      name, (int)desc->storage) &&
           FILO_CHECK(type->align <= (map ? 16 : FILO_CACHE_LINE),
                      "component %s is aligned to %zu bytes; its storage takes up to %d", name, type->align,
                      map ? 16 : FILO_CACHE_LINE) &&
           FILO_CHECK(type->size <= FILO_MIB(1),
                      "component %s has %zu bytes; keep anything above a MiB outside of the world", name,
                      type->size) &&
           FILO_CHECK(desc->storage != FILO_STORAGE_TAG || type->size == 0,
                      "component %s has data, so it cannot be stored as a tag; declare it with FILO_TAG, or "
                      "choose another storage",
                      name) &&
           FILO_CHECK(desc->storage != FILO_STORAGE_GLOBAL || type->size > 0,
                      "component %s has no data, so it cannot be global", name) &&
           (desc->storage != FILO_STORAGE_USER || holder_is_valid(name, desc->holder)) &&
           FILO_CHECK(type->size > 0 || has_no_hooks(&desc->hooks),
                      "component %s has no data, so there is nothing that its hooks could be called with",
                      name) &&
           FILO_CHECK(desc->hooks.move == NULL || desc->storage == FILO_STORAGE_TABLE ||
                          desc->storage == FILO_STORAGE_ARRAY || desc->storage == FILO_STORAGE_GLOBAL,
                      "component %s has a move hook; its storage moves values by memcpy, so store it in a "
                      "table or an array",
                      name) &&
           FILO_CHECK(!desc->double_buffered || (desc->storage == FILO_STORAGE_TABLE && type->size > 0),
                      "component %s is double-buffered, so it must have data and be stored in tables",
                      name) &&
           FILO_CHECK(!desc->double_buffered || has_no_hooks(&desc->hooks),
                      "component %s is double-buffered, so it must be plain data: take its hooks away",
                      name) &&
           FILO_CHECK(world->components.count < COMPONENTS, "a world has at most %d components", COMPONENTS);
}

uint64_t ecs_layout_hash(const FiloType *type) {
    uint64_t hash = filo_hash_combine(filo_hash_text(type->name), (uint64_t)type->kind);
    hash = filo_hash_combine(hash, type->size);
    for (size_t i = 0; i < type->value_count; i++) {
        hash = filo_hash_combine(hash, filo_hash_text(type->values[i].name));
        hash = filo_hash_combine(hash, (uint64_t)type->values[i].value);
    }
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        hash = filo_hash_combine(hash, filo_hash_text(field->name));
        hash = filo_hash_combine(hash, field->offset);
        hash = filo_hash_combine(hash, field->count);
        hash = filo_hash_combine(hash, field->flags & FILO_FIELD_TRANSIENT);
        hash = filo_hash_combine(hash, ecs_layout_hash(filo_field_type(field)));
    }
    return hash;
}

// Whether a registered component is like this description.
static bool is_same(const EcsComponentData *old, const FiloComponentDesc *desc,
                    const EcsRequiredList *required) {
    const FiloComponentHooks *a = &old->info.hooks, *b = &desc->hooks;
    return old->info.storage == desc->storage && old->layout == ecs_layout_hash(desc->type) &&
           old->align == FILO_MAX(desc->type->align, (size_t)1) && old->interface == holder_of(desc) &&
           old->info.transient == desc->transient && a->construct == b->construct &&
           a->destruct == b->destruct && a->copy == b->copy && a->move == b->move && a->user == b->user &&
           old->required.count == required->count &&
           (required->count == 0 ||
            memcmp(old->required.items, required->items, required->count * sizeof *required->items) == 0);
}

// ---- Required components --------------------------------------------------------------------------------
//
// EcsComponentData.required is transitive: it has what the required components require in turn. These are registered
// already, so their lists are complete, and there are no cycles. A list never changes, and is complete before an entity
// has the component. So an edge between tables that adds the component can add all of the list (edge.c).

// Inserts a component into the list, in ascending order, if it is not there yet. False without memory.
static bool put_required(EcsRequiredList *list, FiloComponent component) {
    size_t at = list->count;
    while (at > 0 && list->items[at - 1].id >= component.id) at--;
    if (at < list->count && list->items[at].id == component.id) return true;
    if (!filo_array_push(list, component)) return false;
    memmove(list->items + at + 1, list->items + at, (list->count - 1 - at) * sizeof component);
    list->items[at] = component;
    return true;
}

// The component that an entry of a description names; NULL after a mistake.
static const EcsComponentData *find_required(const FiloWorld *world, const char *name,
                                             const FiloRequired *entry) {
    FiloComponent component = entry->component;
    if (entry->type != NULL) {
        const FiloType *type = entry->type();
        if (!FILO_CHECK(strcmp(type->name, name) != 0,
                        "component %s requires itself; take it out of .required", name))
            return NULL;
        component = filo_component_of(world, type);
        if (component.id == 0) component = filo_component_named(world, type->name);
        if (!FILO_CHECK_MADE(
                component.id != 0,
                "component %s requires %s, which is not registered in this world; before it, call %s", name,
                type->name, ecs_registering_call(type).text))
            return NULL;
    }
    const EcsComponentData *data = ecs_component_data(world, component);
    if (!FILO_CHECK_MADE(
            data != NULL,
            "component %s requires component %u, which is not registered in this world; register it before",
            name, component.id) ||
        !FILO_CHECK(strcmp(data->info.name, name) != 0,
                    "component %s requires itself; take it out of .required", name) ||
        !FILO_CHECK(data->global == NULL, "component %s requires %s, which is global: no entity has it", name,
                    data->info.name) ||
        !FILO_CHECK(
            data->settable,
            "component %s requires %s, which the world keeps; use the functions for names and families", name,
            data->info.name))
        return NULL;
    return data;
}

// Lists what a component requires, transitively. False after a mistake or without memory.
static bool list_required(const FiloWorld *world, const FiloComponentDesc *desc, EcsRequiredList *list) {
    const char *name = desc->type->name;
    for (size_t i = 0; i < FILO_REQUIRED_MAX; i++) {
        const FiloRequired *entry = &desc->required[i];
        if (entry->type == NULL && entry->component.id == 0) continue;
        if (!FILO_CHECK(desc->storage != FILO_STORAGE_GLOBAL,
                        "component %s is global: no entity has it, so it cannot require others", name))
            return false;
        const EcsComponentData *data = find_required(world, name, entry);
        if (data == NULL || !put_required(list, (FiloComponent){ data->id })) return false;
        filo_array_each (&data->required, component)
            if (!put_required(list, *component)) return false;
    }
    return true;
}

// Moves the list into a new component.
static void set_required(const FiloWorld *world, EcsComponentData *data, EcsRequiredList *list) {
    data->required = *list;
    filo_array_init(list, world->allocator);
    data->info.required = data->required.items;
    data->info.required_count = data->required.count;
    bool outside = !data->in_table;
    filo_array_each (&data->required, component)
        outside = outside || !ecs_component_data(world, *component)->in_table;
    data->mixed = outside && data->required.count > 0;
}

// ---- Types that worlds own ------------------------------------------------------------------------------

static EcsOwnedType *find_owned(const EcsComponentData *data, const FiloType *type) {
    filo_array_each (&data->owned, owned)
        if ((*owned)->type == type) return *owned;
    return NULL;
}

// Makes the world an owner of the type, if the description has `release`. False without memory.
static bool own_type(EcsComponentData *data, const FiloComponentDesc *desc) {
    if (desc->release == NULL || find_owned(data, desc->type) != NULL) return true;
    EcsOwnedType *owned = filo_alloc(NULL, sizeof *owned, 0);
    if (owned == NULL) return false;
    *owned = (EcsOwnedType){ .type = desc->type, .release = desc->release, .worlds = 1 };
    if (filo_array_push(&data->owned, owned)) return true;
    filo_free(NULL, owned, sizeof *owned, 0);
    return false;
}

bool ecs_component_share_type(EcsComponentData *component, const EcsComponentData *other) {
    EcsOwnedType *owned = find_owned(other, component->info.type);
    if (owned == NULL || find_owned(component, owned->type) != NULL) return true;
    if (!filo_array_push(&component->owned, owned)) return false;
    base_add_relaxed(&owned->worlds, 1);
    return true;
}

static void release_types(EcsOwnedTypes *types) {
    filo_array_each (types, item) {
        EcsOwnedType *owned = *item;
        // Acquire and release: pairs with itself in other threads. The world that releases the type last must see all
        // that the others did with it.
        if (base_sub_acq_rel(&owned->worlds, 1) > 1) continue;
        owned->release(owned->type);
        filo_free(NULL, owned, sizeof *owned, 0);
    }
    filo_array_deinit(types);
}

// ---- Former names ---------------------------------------------------------------------------------------

// Adds the former names of a description that are not there yet, up to FILO_FORMER_NAMES. False without memory.
static bool add_former(EcsComponentData *component, const FiloComponentDesc *desc) {
    for (size_t i = 0; i < FILO_FORMER_NAMES; i++) {
        const char *name = desc->formerly[i];
        if (name == NULL || name[0] == '\0' || ecs_component_had_name(component, filo_string(name))) continue;
        size_t at = 0;
        while (at < FILO_FORMER_NAMES && component->former[at].id != 0) at++;
        if (at == FILO_FORMER_NAMES) return true;
        component->former[at] = filo_name(name);
        if (component->former[at].id == 0) return false;
    }
    return true;
}

// ---- Registering ----------------------------------------------------------------------------------------

static void free_component(FiloWorld *world, EcsComponentData *data) {
    ecs_holder_destroy(world, data);
    if (data->global != NULL) ecs_value_destruct(data, data->global);
    filo_free(world->allocator, data->global, data->size, data->align);
    filo_free(world->allocator, data->default_value, data->size, data->align);
    filo_array_deinit(&data->tables);
    filo_array_deinit(&data->required);
    filo_array_deinit(&data->tracked);
    filo_free(world->allocator, data, sizeof *data, 0);
}

void ecs_component_destroy(FiloWorld *world, EcsComponentData *data) {
    EcsOwnedTypes types = data->owned;
    free_component(world, data);
    release_types(&types);
}

static EcsComponentData *new_component(FiloWorld *world, const FiloComponentDesc *desc) {
    EcsComponentData *data = filo_alloc_zero(world->allocator, sizeof *data, 0);
    if (data == NULL) return NULL;
    const FiloType *type = desc->type;
    const FiloComponentHooks *hooks = &desc->hooks;
    data->size = type->size;
    data->layout = ecs_layout_hash(type);
    data->call = ecs_call_hash(type);
    data->align = FILO_MAX(type->align, (size_t)1);
    data->in_table = desc->storage == FILO_STORAGE_TABLE;
    data->settable = desc->storage != FILO_STORAGE_GLOBAL;
    data->plain = has_no_hooks(hooks);
    data->info = (FiloComponentInfo){ .type = type,
                                      .name = type->name,
                                      .storage = desc->storage,
                                      .size = type->size,
                                      .transient = desc->transient,
                                      .double_buffered = desc->double_buffered,
                                      .has_entities = has_entities(type),
                                      .hooks = *hooks };
    data->interface = holder_of(desc);
    data->version = &data->own_version;
    filo_array_init(&data->tables, world->allocator);
    filo_array_init(&data->owned, world->allocator);
    filo_array_init(&data->required, world->allocator);
    filo_array_init(&data->tracked, world->allocator);
    bool ok = true;
    if (desc->default_value != NULL && data->size > 0) {
        data->default_value = filo_alloc(world->allocator, data->size, data->align);
        ok = data->default_value != NULL;
        if (ok) memcpy(data->default_value, desc->default_value, data->size);
        data->info.default_value = data->default_value;
    }
    if (ok && desc->storage == FILO_STORAGE_GLOBAL) {
        data->global = filo_alloc(world->allocator, data->size, data->align);
        ok = data->global != NULL;
        if (ok) ecs_value_construct(data, data->global);
    }
    if (ok && data->interface != NULL) {
        data->holder = ecs_holder_create(world, data);
        ok = data->holder != NULL;
        if (desc->storage == FILO_STORAGE_SPARSE && data->plain) data->sparse = data->holder;
        if (desc->storage == FILO_STORAGE_TAG) data->tag = data->holder;
    }
    if (ok) return data;
    free_component(world, data);
    return NULL;
}

// Adds the component to the world with its id, type and name: all of it or, without memory, nothing.
static bool add_component(FiloWorld *world, EcsComponentData *data) {
    uint64_t type_key = (uint64_t)(uintptr_t)data->info.type, name_key = filo_hash_text(data->info.name);
    if (world->components.count == world->components.capacity &&
        !filo_array_reserve(&world->components, FILO_MAX(world->components.capacity * 2, (size_t)32)))
        return false;
    data->id = (uint32_t)world->components.count + 1;
    if (!filo_map_set(&world->component_by_type, type_key, &data->id)) return false;
    if (!filo_map_set(&world->component_by_name, name_key, &data->id)) {
        filo_map_remove(&world->component_by_type, type_key);
        return false;
    }
    size_t slot = ecs_type_slot(data->info.type);
    world->type_slots[slot].type = data->info.type;
    world->type_slots[slot].component = (FiloComponent){ data->id };
    return filo_array_push(&world->components, data);
}

// Replaces the type of a component by an equal one, which is at another address if a module was loaded again. Older
// types that the world owns stay until the end, because pointers to them may exist. False without memory.
static bool replace_type(FiloWorld *world, EcsComponentData *data, const FiloComponentDesc *desc) {
    uint64_t key = (uint64_t)(uintptr_t)desc->type;
    bool mapped = filo_map_has(&world->component_by_type, key);
    if (!mapped && !filo_map_set(&world->component_by_type, key, &data->id)) return false;
    if (!own_type(data, desc)) {
        if (!mapped) filo_map_remove(&world->component_by_type, key);
        return false;
    }
    if (data->info.type == desc->type) return true;
    data->info.type = desc->type;
    data->call = ecs_call_hash(desc->type);
    data->info.name = desc->type->name; // the older text may be unloaded with its module
    ecs_queries_update_type(world, data);
    return true;
}

static FiloComponent register_component(FiloWorld *world, const FiloComponentDesc *desc,
                                        EcsRequiredList *required) {
    FiloComponent none = { 0 };
    FiloComponent registered = filo_component_of(world, desc->type);
    if (registered.id == 0) registered = filo_component_named(world, desc->type->name);
    if (registered.id != 0) {
        EcsComponentData *old = ecs_component_data(world, registered);
        if (!FILO_CHECK(old->info.double_buffered == desc->double_buffered,
                        "component %s is registered already, and %s double-buffered there", desc->type->name,
                        old->info.double_buffered ? "is" : "is not"))
            return none;
        const char *call = desc->type->registered_by;
        if (!FILO_CHECK(is_same(old, desc, required),
                        "component %s is registered already, with another storage, layout or hooks, or other "
                        "required components%s%s",
                        desc->type->name, call != NULL ? "; leave it to " : "", call != NULL ? call : ""))
            return none;
        return replace_type(world, old, desc) && add_former(old, desc) ? registered : none;
    }
    if (!ecs_may_change(world, "register a component")) return none;
    EcsComponentData *data = new_component(world, desc);
    if (data == NULL) return none;
    set_required(world, data, required);
    if (!add_former(data, desc) || !own_type(data, desc) || !add_component(world, data)) {
        // The caller still owns the types.
        filo_array_each (&data->owned, owned) filo_free(NULL, *owned, sizeof **owned, 0);
        filo_array_deinit(&data->owned);
        free_component(world, data);
        return none;
    }
    world->refreshed_holders += data->interface != NULL && data->interface->refresh != NULL;
    ecs_fast_path_update(world, data);
    return (FiloComponent){ data->id };
}

#ifndef NDEBUG
// Warns of fields that the description leaves out: they are neither saved nor hashed.
static void report_gaps(const FiloComponentDesc *desc) {
    const FiloType *type = desc->type;
    size_t offset = 0, size;
    if (desc->transient || desc->partial) return;
    if (!base_first_time("component", filo_string(type->name))) return;
    for (; base_type_gap(type, &offset, &size); offset += size)
        filo_log_warn(
            "ecs",
            "component %s: its description leaves out %zu byte%s at offset %zu of %zu, which are neither "
            "saved nor hashed; describe them with FILO_FIELD, or register it with .partial = true",
            type->name, size, size == 1 ? "" : "s", offset, type->size);
}
#endif

FiloComponent filo_component_register(FiloWorld *world, const FiloComponentDesc *desc) {
    FiloComponent component = { 0 };
    if (!FILO_CHECK(world != NULL && desc != NULL, "pass a world and a description of the component") ||
        !desc_is_valid(world, desc))
        return component;
    EcsRequiredList required;
    filo_array_init(&required, world->allocator);
    size_t count = world->components.count;
    if (list_required(world, desc, &required)) component = register_component(world, desc, &required);
    filo_array_deinit(&required);
#ifndef NDEBUG
    if (world->components.count > count) report_gaps(desc);
#else
    FILO_UNUSED(count);
#endif
    return component;
}

FiloComponent ecs_component_register_like(FiloWorld *world, const EcsComponentData *other,
                                          bool with_required) {
    FiloComponentDesc desc = { .type = other->info.type,
                               .storage = other->info.storage,
                               .holder = other->info.storage == FILO_STORAGE_USER ? other->interface : NULL,
                               .default_value = other->default_value,
                               .transient = other->info.transient,
                               .double_buffered = other->info.double_buffered,
                               .hooks = other->info.hooks };
    for (size_t i = 0; i < FILO_FORMER_NAMES && other->former[i].id != 0; i++)
        desc.formerly[i] = filo_name_text(other->former[i]);
    FiloComponent component = { 0 };
    EcsRequiredList required;
    filo_array_init(&required, world->allocator);
    if (!with_required || other->required.count == 0 ||
        filo_array_push_many(&required, other->required.items, other->required.count))
        component = register_component(world, &desc, &required);
    filo_array_deinit(&required);
    if (component.id != 0) ecs_component_data(world, component)->complete = other->complete;
    return component;
}
