// Copies of entities with their children: filo_entity_copy and prefabs.
//
// The members of the original are its root and all descendants, listed breadth first: every parent before its children.
// The ordinal of a member is its index in this list. A copy is made in three steps: copy all members, build the
// families, and change references to members of the original into references to the members of the copy with the same
// ordinals.
//
// If a prefab was derived from another, its base, a reference to a part of the base is treated like a reference to the
// member with the same path from the root.
//
// Instances with overrides: the first instance is changed, and the others are copies of it.
//
// The lists belong to the world and are reused, so that copying in a steady tick does not allocate.

#include "ecs/entity/entity.h"
#include "ecs/observe/notify.h"
#include "ecs/storage/holder.h"

#define LINEAR_SEARCH 16   // up to this many ids are searched one by one, more by a map
#define MAX_BASES     16   // of a prefab, one derived from the other; further ones are ignored
#define MAX_CACHED    4096 // capacity of `copies` that is not freed after use

// A component of a member that may refer to others.
typedef struct Referring {
    EcsComponentData *component;
    uint32_t ordinal; // of the member
} Referring;

struct EcsOriginal {
    FiloEntity root;               // of the lists; {0}: they are not valid
    FiloArray(FiloEntity) members; // the root first
    FiloArray(uint32_t) parents;   // of each: ordinal in `members`
    // [base × members + ordinal]: the same part of the prefab that it was derived from, then of the base of that one,
    // and so on. {0}: that one has no such part.
    FiloArray(FiloEntity) bases;
    FiloMap ordinals; // entity id → ordinal, if there are more than LINEAR_SEARCH ids
    FiloArray(Referring) referring;
    FiloArray(FiloEntity) copies;
};

void ecs_original_deinit(FiloWorld *world) {
    EcsOriginal *original = world->original;
    if (original == NULL) return;
    filo_array_deinit(&original->members);
    filo_array_deinit(&original->parents);
    filo_array_deinit(&original->bases);
    filo_map_deinit(&original->ordinals);
    filo_array_deinit(&original->referring);
    filo_array_deinit(&original->copies);
    filo_free(world->allocator, original, sizeof *original, 0);
}

// The world's lists, empty. NULL without memory.
static EcsOriginal *original_of(FiloWorld *world) {
    if (world->original == NULL) {
        EcsOriginal *original = filo_alloc_zero(world->allocator, sizeof *original, 0);
        if (original == NULL) return NULL;
        filo_array_init(&original->members, world->allocator);
        filo_array_init(&original->parents, world->allocator);
        filo_array_init(&original->bases, world->allocator);
        filo_map_init(&original->ordinals, sizeof(uint32_t), world->allocator);
        filo_array_init(&original->referring, world->allocator);
        filo_array_init(&original->copies, world->allocator);
        world->original = original;
    }
    EcsOriginal *original = world->original;
    original->root = FILO_ENTITY_NONE;
    filo_array_clear(&original->members);
    filo_array_clear(&original->parents);
    filo_array_clear(&original->bases);
    filo_map_clear(&original->ordinals);
    filo_array_clear(&original->referring);
    filo_array_clear(&original->copies);
    return original;
}

// ---- Listing ----------------------------------------------------------------------------------------------

// Breadth first, so that siblings stay in their order.
static bool list_members(const FiloWorld *world, EcsOriginal *original, FiloEntity root) {
    if (!filo_array_push(&original->members, root) || !filo_array_push(&original->parents, 0)) return false;
    if (!ecs_entity_is_outside(world, filo_entity_index(root))) return true;
    for (uint32_t i = 0; i < original->members.count; i++)
        filo_entity_each_child (world, original->members.items[i], child)
            if (!filo_array_push(&original->members, child) || !filo_array_push(&original->parents, i))
                return false;
    return true;
}

// Lists the parts of another root by the ordinals of the members; {0} where it has none. The children of a member are
// adjacent in the list.
static void list_parts(const FiloWorld *world, const EcsOriginal *original, FiloEntity root,
                       FiloEntity *parts) {
    size_t next = 1, members = original->members.count;
    parts[0] = root;
    for (size_t i = 0; i < members; i++) {
        FiloEntity part = parts[i].id != 0 ? filo_entity_first_child(world, parts[i]) : FILO_ENTITY_NONE;
        for (; next < members && original->parents.items[next] == i; next++) {
            parts[next] = part;
            if (part.id != 0) part = filo_entity_next_sibling(world, part);
        }
    }
}

static bool list_bases(const FiloWorld *world, EcsOriginal *original, FiloEntity prefab) {
    for (int i = 0; i < MAX_BASES && ecs_entity_is_outside(world, filo_entity_index(prefab)); i++) {
        const FiloPrefab *component = ecs_holder_get(world, world->prefab, prefab);
        if (component == NULL || ecs_record_find(world, component->base) == NULL) break;
        prefab = component->base;
        size_t first = original->bases.count;
        if (!filo_array_resize(&original->bases, first + original->members.count)) return false;
        list_parts(world, original, prefab, original->bases.items + first);
    }
    return true;
}

static bool map_ordinals(EcsOriginal *original) {
    size_t members = original->members.count, bases = original->bases.count;
    if (members + bases <= LINEAR_SEARCH) return true;
    if (!filo_map_reserve(&original->ordinals, members + bases)) return false;
    for (size_t i = members + bases; i-- > 0;) { // members last: they replace parts of bases
        uint32_t ordinal = (uint32_t)(i % members);
        FiloEntity entity = i < members ? original->members.items[i] : original->bases.items[i - members];
        if (entity.id != 0 && !filo_map_set(&original->ordinals, entity.id, &ordinal)) return false;
    }
    return true;
}

// The ordinal of a member, or of the same part of a base; UINT32_MAX if it is neither.
static uint32_t ordinal_of(const EcsOriginal *original, FiloEntity entity) {
    size_t members = original->members.count, bases = original->bases.count;
    if (entity.id == 0) return UINT32_MAX;
    if (members + bases > LINEAR_SEARCH) {
        const uint32_t *ordinal = filo_map_get(&original->ordinals, entity.id);
        return ordinal != NULL ? *ordinal : UINT32_MAX;
    }
    for (size_t i = 0; i < members; i++)
        if (original->members.items[i].id == entity.id) return (uint32_t)i;
    for (size_t i = 0; i < bases && members > 0; i++)
        if (original->bases.items[i].id == entity.id) return (uint32_t)(i % members);
    return UINT32_MAX;
}

bool ecs_component_is_copied(const FiloWorld *world, const EcsComponentData *component, bool instance) {
    return component->global == NULL && component != world->family && component != world->entity_name &&
           !(instance && component == world->prefab);
}

// Lists the components of members that are copied and may refer to entities.
static bool list_referring(FiloWorld *world, EcsOriginal *original, bool instance) {
    filo_array_clear(&original->referring);
    filo_array_each (&world->components, item) {
        EcsComponentData *data = *item;
        if (!data->info.has_entities || !ecs_component_is_copied(world, data, instance)) continue;
        for (size_t i = 0; i < original->members.count; i++) {
            FiloEntity member = original->members.items[i];
            if (ecs_component_find(world, member, ecs_record_find(world, member), data) != NULL &&
                !filo_array_push(&original->referring, (Referring){ data, (uint32_t)i }))
                return false;
        }
    }
    return true;
}

// Fills the lists of the world for this root. For instances, the parts of bases too. NULL without memory.
static EcsOriginal *list_original(FiloWorld *world, FiloEntity root, bool instance) {
    EcsOriginal *original = original_of(world);
    if (original == NULL || !list_members(world, original, root) ||
        (instance && !list_bases(world, original, root)) || !map_ordinals(original) ||
        !list_referring(world, original, instance))
        return NULL;
    original->root = root;
    return original;
}

// Makes a copy the original. False without memory.
static bool list_copy(FiloWorld *world, EcsOriginal *original, const FiloEntity *copy) {
    size_t members = original->members.count;
    original->root = copy[0];
    memcpy(original->members.items, copy, members * sizeof *copy);
    filo_array_clear(&original->bases);
    filo_map_clear(&original->ordinals);
    return map_ordinals(original) && list_referring(world, original, false);
}

// ---- Copying ----------------------------------------------------------------------------------------------

// Sets new rows of a column to a value.
static void fill_column(const EcsComponentData *data, uint8_t *values, const uint8_t *value, size_t count) {
    size_t size = data->size;
    if (!data->plain) {
        for (size_t i = 0; i < count; i++) {
            ecs_value_construct(data, values + i * size);
            ecs_value_assign(data, values + i * size, value);
        }
        return;
    }
    if (size == 0) return;
    ecs_bytes_copy(values, value, size);
    for (size_t done = 1, more; done < count; done += more) { // twice as many each time
        more = FILO_MIN(done, count - done);
        ecs_bytes_copy(values + done * size, values, more * size);
    }
}

// Appends rows to `to`, up to the end of one chunk, for new entities that are copies of a member in `from`. There is
// memory. Returns the number of rows.
static size_t copy_rows(FiloWorld *world, const EcsRecord *member, const EcsPartition *from, EcsPartition *to,
                        FiloEntity *out, size_t copies, size_t stride) {
    if (to->tail_rows == to->chunk_rows) ecs_partition_advance(to);
    uint8_t *base = to->tail_base;
    uint32_t row = to->tail_rows, count = (uint32_t)FILO_MIN(copies, (size_t)to->chunk_rows - row);
    uint32_t *indices = ecs_chunk_indices(to, base) + row, location = ecs_location(to->tail_id, row);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = indices[i] = ecs_directory_take(world);
        ecs_record_set_location(ecs_record(world, index), location + i);
        out[i * stride] = ecs_entity_of_index(world, index);
    }
    to->tail_rows += count;
    ecs_rows_unpoison(to, base, row, count);
    ecs_chunk_mark_changed(world, base);
    uint32_t source_location = ecs_record_location(member);
    const uint8_t *source = ecs_chunk_of(world, source_location)->base;
    for (uint32_t i = 0; i < from->table->column_count; i++) {
        const EcsComponentData *data = from->table->data[i];
        fill_column(data, base + to->offsets[i] + row * data->size,
                    source + from->offsets[i] + ecs_row_of(source_location) * data->size, count);
    }
    return count;
}

// Makes `copies` copies of one member, their ids `stride` apart in `out`. False without memory; copies that were made
// stay.
static bool copy_member(FiloWorld *world, FiloEntity member, bool instance, FiloEntity *out, size_t copies,
                        size_t stride) {
    if (!ecs_directory_reserve(world, copies)) return false;
    const EcsRecord *record = ecs_record_find(world, member);
    EcsPartition *from = ecs_chunk_of(world, ecs_record_location(record))->partition;
    EcsPartition *to = instance ? &from->table->partitions[0] : from;
    if (!ecs_partition_reserve(world, to, copies)) return false;
    for (size_t done = 0; done < copies;)
        done += copy_rows(world, record, from, to, out + done * stride, copies - done, stride);
    if (ecs_observed(world, to->table))
        for (size_t n = 0; n < copies; n++) ecs_observe_created(world, out[n * stride], to->table);
    if (!ecs_entity_is_outside(world, filo_entity_index(member))) return true;
    filo_array_each (&world->components, item) {
        EcsComponentData *data = *item;
        if (data->holder == NULL || !ecs_component_is_copied(world, data, instance) ||
            ecs_holder_get(world, data, member) == NULL)
            continue;
        for (size_t n = 0; n < copies; n++) {
            void *value = ecs_holder_add(world, data, out[n * stride]);
            if (value == NULL) return false;
            // Found again, because adding may have moved the value of the original.
            if (data->size > 0) ecs_value_assign(data, value, ecs_holder_get(world, data, member));
        }
    }
    return true;
}

typedef struct Remap {
    const EcsOriginal *original;
    const FiloEntity *copies;
} Remap;

static void remap(FiloEntity *entity, void *user) {
    const Remap *remapping = user;
    uint32_t ordinal = ordinal_of(remapping->original, *entity);
    if (ordinal != UINT32_MAX) *entity = remapping->copies[ordinal];
}

static void remap_value(const FiloType *type, void *value, const EcsOriginal *original,
                        const FiloEntity *copy) {
    filo_reflect_entities(type, value, remap, &(Remap){ original, copy });
}

// Changes the references in a copy.
static void remap_copy(FiloWorld *world, const EcsOriginal *original, const FiloEntity *copy) {
    filo_array_each (&original->referring, referring) {
        FiloEntity entity = copy[referring->ordinal];
        void *value = ecs_component_find(world, entity, ecs_record_find(world, entity), referring->component);
        if (value != NULL) remap_value(referring->component->info.type, value, original, copy);
    }
}

static bool try_copy_all(FiloWorld *world, const EcsOriginal *original, bool instance, FiloEntity *copies,
                         size_t count) {
    size_t members = original->members.count;
    for (size_t i = 0; i < members; i++)
        if (!copy_member(world, original->members.items[i], instance, copies + i, count, members))
            return false;
    if (members == 1 && original->referring.count == 0) return true;
    for (size_t n = 0; n < count; n++) {
        const FiloEntity *copy = copies + n * members;
        for (size_t i = 1; i < members; i++)
            if (!filo_entity_set_parent(world, copy[i], copy[original->parents.items[i]])) return false;
        remap_copy(world, original, copy);
    }
    return true;
}

// Undoes copies in the order in which copy_all made them; those that were not made are {0}, and in the end all are.
// `end` is FiloWorld.index_end from before.
static void undo_copies(FiloWorld *world, FiloEntity *copies, size_t count, size_t members, uint32_t end) {
    for (size_t i = members; i-- > 0;)
        for (size_t n = count; n-- > 0;) {
            FiloEntity *copy = &copies[n * members + i];
            if (copy->id != 0) ecs_entity_undo_create(world, *copy, end);
            *copy = FILO_ENTITY_NONE;
        }
}

// Makes `count` copies of all members: copies[n × members + ordinal], {0} before. None without memory.
static bool copy_all(FiloWorld *world, const EcsOriginal *original, bool instance, FiloEntity *copies,
                     size_t count) {
    uint32_t end = world->index_end;
    if (try_copy_all(world, original, instance, copies, count)) return true;
    undo_copies(world, copies, count, original->members.count, end);
    return false;
}

// An array for this many copies of the original, all {0}. NULL without memory.
static FiloEntity *acquire_copies(EcsOriginal *original, size_t count) {
    filo_array_clear(&original->copies);
    return filo_array_resize(&original->copies, count * original->members.count) ? original->copies.items
                                                                                 : NULL;
}

// Frees the array after use, if it is large.
static void release_copies(EcsOriginal *original) {
    if (original->copies.capacity > MAX_CACHED) filo_array_deinit(&original->copies);
}

FiloEntity filo_entity_copy(FiloWorld *world, FiloEntity entity) {
    static const char what[] = "copy an entity";
    if (!FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, what) ||
        !ecs_entity_exists(world, entity, what))
        return FILO_ENTITY_NONE;
    EcsOriginal *original = list_original(world, entity, false);
    if (original == NULL) return FILO_ENTITY_NONE;
    const FiloEntity *copies = acquire_copies(original, 1);
    bool ok = copies != NULL && copy_all(world, original, false, original->copies.items, 1);
    FiloEntity copy = ok ? copies[0] : FILO_ENTITY_NONE;
    release_copies(original);
    return copy;
}

// ---- Prefabs ----------------------------------------------------------------------------------------------

// Deactivates all members; without memory, none. `parents` stores meanwhile which were active.
static bool deactivate_members(FiloWorld *world, EcsOriginal *original) {
    for (size_t i = 0; i < original->members.count; i++) {
        FiloEntity member = original->members.items[i];
        original->parents.items[i] = filo_entity_active(world, member);
        filo_entity_set_active(world, member, false);
        if (!filo_entity_active(world, member)) continue;
        // Their old rows are still free, so this needs no memory.
        while (i-- > 0)
            if (original->parents.items[i]) filo_entity_set_active(world, original->members.items[i], true);
        return false;
    }
    return true;
}

bool filo_prefab_make(FiloWorld *world, FiloEntity entity) {
    static const char what[] = "make a prefab";
    if (!FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, what) ||
        !ecs_entity_exists(world, entity, what))
        return false;
    EcsOriginal *original = list_original(world, entity, false);
    if (original == NULL) return false;
    bool was = ecs_holder_get(world, world->prefab, entity) != NULL;
    if (!was && ecs_holder_add(world, world->prefab, entity) == NULL) return false;
    if (deactivate_members(world, original)) return true;
    if (!was) ecs_holder_remove(world, world->prefab, entity);
    return false;
}

// Applies the overrides to the first instance, and makes the others as copies of it.
static bool override_all(FiloWorld *world, const FiloInstanceDesc *desc, EcsOriginal *original,
                         FiloEntity *copies, size_t count) {
    size_t members = original->members.count;
    FiloEntity root = copies[0];
    if (!filo_entity_change(world, root, desc->values, desc->value_count, NULL, 0)) return false;
    const EcsRecord *record = ecs_record_find(world, root);
    for (size_t i = 0; i < desc->value_count; i++) {
        const FiloComponentValue *override = &desc->values[i];
        EcsComponentData *data = ecs_component_data(
            world, override->component_type != NULL ? ecs_component_by_type(world, override->component_type())
                                                    : override->component);
        if (data == NULL || !data->info.has_entities) continue;
        void *value = ecs_component_find(world, root, record, data);
        if (value != NULL) remap_value(data->info.type, value, original, copies);
    }
    return count == 1 || (list_copy(world, original, copies) &&
                          copy_all(world, original, false, copies + members, count - 1));
}

// Makes instances; with overrides, first one and then the others. False without memory: those that were made stay.
static bool try_make_instances(FiloWorld *world, const FiloInstanceDesc *desc, EcsOriginal *original,
                               FiloEntity *copies, size_t count) {
    size_t members = original->members.count;
    bool overrides = desc->value_count > 0;
    if (!copy_all(world, original, true, copies, overrides ? 1 : count) ||
        (overrides && !override_all(world, desc, original, copies, count)))
        return false;
    for (size_t n = 0; n < count && desc->parent.id != 0; n++)
        if (!filo_entity_set_parent(world, copies[n * members], desc->parent)) return false;
    return true;
}

static bool make_instances(FiloWorld *world, const FiloInstanceDesc *desc, EcsOriginal *original,
                           size_t count) {
    size_t members = original->members.count, alone = desc->value_count > 0;
    FiloEntity *copies = acquire_copies(original, count);
    uint32_t end = world->index_end;
    if (copies == NULL) return false;
    if (!try_make_instances(world, desc, original, copies, count)) {
        undo_copies(world, copies + alone * members, count - alone, members, end);
        undo_copies(world, copies, alone, members, end);
        return false;
    }
    for (size_t n = 0; n < count && desc->entities != NULL; n++) desc->entities[n] = copies[n * members];
    return true;
}

bool filo_prefab_instantiate(FiloWorld *world, FiloEntity prefab, const FiloInstanceDesc *desc) {
    static const char what[] = "make instances of a prefab";
    FiloInstanceDesc zero = { 0 };
    if (desc == NULL) desc = &zero;
    if (!FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, what) ||
        !ecs_entity_exists(world, prefab, what) ||
        (desc->parent.id != 0 && !ecs_entity_exists(world, desc->parent, what)))
        return false;
    EcsOriginal *original = list_original(world, prefab, true);
    if (original == NULL) return false;
    size_t count = FILO_MAX(desc->count, (size_t)1);
    if (count > FILO_ENTITY_INDEX_MAX / original->members.count) {
        filo_out_of_memory(world->name, 0, "a world has at most a billion entities");
        return false;
    }
    bool ok = make_instances(world, desc, original, count);
    release_copies(original);
    return ok;
}

FiloEntity filo_prefab_instance_with(FiloWorld *world, FiloEntity prefab, const FiloComponentValue *values,
                                     size_t value_count) {
    FiloEntity entity = FILO_ENTITY_NONE;
    FiloInstanceDesc desc = { .values = values, .value_count = value_count, .entities = &entity };
    return filo_prefab_instantiate(world, prefab, &desc) ? entity : FILO_ENTITY_NONE;
}

FiloEntity filo_prefab_derive(FiloWorld *world, FiloEntity prefab, const FiloComponentValue *values,
                              size_t value_count) {
    FiloEntity derived = filo_prefab_instance_with(world, prefab, values, value_count);
    if (derived.id == 0) return derived;
    if (filo_prefab_make(world, derived)) {
        FiloPrefab *component = ecs_holder_get(world, world->prefab, derived);
        component->base = prefab;
        return derived;
    }
    filo_entity_destroy(world, derived);
    return FILO_ENTITY_NONE;
}

// ---- For change sets --------------------------------------------------------------------------------------

bool ecs_prefab_instantiate_each(FiloWorld *world, FiloEntity prefab, FiloEntity *entities, size_t count) {
    memset(entities, 0, count * sizeof *entities);
    EcsOriginal *original = list_original(world, prefab, true);
    if (original == NULL) return false;
    // With one member, creating all at once yields the same ids and rows as one by one.
    if (original->members.count == 1 && count > 1 && copy_all(world, original, true, entities, count))
        return true;
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        const FiloEntity *copy = acquire_copies(original, 1);
        bool made = copy != NULL && copy_all(world, original, true, original->copies.items, 1);
        entities[i] = made ? copy[0] : FILO_ENTITY_NONE;
        release_copies(original);
        ok = made && ok;
    }
    return ok;
}

typedef struct Finding {
    const EcsOriginal *original;
    bool found;
} Finding;

static void find_member(FiloEntity *entity, void *user) {
    Finding *finding = user;
    finding->found = finding->found || ordinal_of(finding->original, *entity) != UINT32_MAX;
}

void ecs_prefab_remap_begin(FiloWorld *world) {
    if (world->original != NULL) world->original->root = FILO_ENTITY_NONE;
}

bool ecs_prefab_remap(FiloWorld *world, FiloEntity prefab, FiloEntity instance, const FiloType *type,
                      void *value) {
    EcsOriginal *original = world->original;
    if (original == NULL || original->root.id != prefab.id) original = list_original(world, prefab, true);
    if (original == NULL) return false;
    Finding finding = { original, false };
    filo_reflect_entities(type, value, find_member, &finding);
    if (!finding.found) return true;
    FiloEntity *copy = acquire_copies(original, 1);
    if (copy == NULL) return false;
    list_parts(world, original, instance, copy);
    remap_value(type, value, original, copy);
    return true;
}
