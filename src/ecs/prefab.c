// Copies of entities with their children: filo_entity_copy and prefabs.
//
// The entities of the original, its root first and every parent before its children, are listed with their
// places in the list. A copy is made of all of them, then families are built anew, and references between
// members of the original become references between members of the copy.

#include "ecs/holder.h"
#include "ecs/pick.h"
#include "ecs/rows.h"
#include "ecs/world.h"

typedef struct Original {
    FiloArray(FiloEntity) members; // the root first
    FiloArray(uint32_t) parents;   // of each: place in `members`
    FiloMap places;                // entity id → place in `members`
} Original;

static void free_original(Original *original) {
    filo_array_deinit(&original->members);
    filo_array_deinit(&original->parents);
    filo_map_deinit(&original->places);
}

static bool list_member(Original *original, FiloEntity entity, uint32_t parent) {
    uint32_t place = (uint32_t)original->members.count;
    return filo_array_push(&original->members, entity) && filo_array_push(&original->parents, parent) &&
           filo_map_set(&original->places, entity.id, &place);
}

// Breadth first, so that brothers and sisters stay in their order.
static bool list_original(FiloWorld *world, Original *original, FiloEntity root) {
    filo_array_init(&original->members, world->allocator);
    filo_array_init(&original->parents, world->allocator);
    filo_map_init(&original->places, sizeof(uint32_t), world->allocator);
    bool good = list_member(original, root, 0);
    for (uint32_t i = 0; good && i < original->members.count; i++)
        for (filo_entity_each_child(world, original->members.items[i], child))
            good = good && list_member(original, child, i);
    if (!good) free_original(original);
    return good;
}

bool filo_is_copied(const FiloWorld *world, const FiloComponentData *component, bool instance) {
    return component->global == NULL && component != world->family && component != world->entity_name &&
           !(instance && component == world->prefab);
}

// Makes `copies` new entities like one member, their ids `stride` apart in `out`. False without memory; those
// that were made stay.
static bool copy_member(FiloWorld *world, FiloEntity member, bool instance, FiloEntity *out, size_t copies,
                        size_t stride) {
    if (!filo_directory_reserve(world, copies)) return false;
    const FiloRecord *record = filo_record_find(world, member);
    FiloHalf *from = world->places[filo_record_where(record) >> FILO_ROW_BITS].half;
    FiloHalf *to = instance ? &from->table->halves[0] : from;
    if (!filo_half_room(world, to, copies)) return false;
    for (size_t n = 0; n < copies; n++) {
        uint32_t row, index = filo_directory_take(world);
        uint8_t *base = filo_half_append(world, to, index, filo_record(world, index), &row);
        // The original's place, anew each time: appending may have made its chunk larger.
        uint32_t where = filo_record_where(record), source = where & (FILO_CHUNK_ROWS - 1);
        uint8_t *source_base = world->places[where >> FILO_ROW_BITS].base;
        for (uint32_t i = 0; i < from->table->column_count; i++) {
            const FiloComponentData *data = from->table->data[i];
            void *value = base + to->offsets[i] + (size_t)row * data->size;
            if (!data->plain) filo_value_construct(data, value);
            filo_value_assign(data, value, source_base + from->offsets[i] + (size_t)source * data->size);
        }
        out[n * stride] = filo_entity_of_index(world, index);
        if (filo_tracking(world)) filo_track_new(world, out[n * stride]);
    }
    if (!filo_is_outside(world, filo_entity_index(member))) return true;
    filo_array_each (&world->components, item) {
        FiloComponentData *data = *item;
        if (data->holder == NULL || !filo_is_copied(world, data, instance) ||
            filo_holder_get(world, data, member) == NULL)
            continue;
        for (size_t n = 0; n < copies; n++) {
            void *value = filo_holder_add(world, data, out[n * stride]);
            if (value == NULL) return false;
            // Adding may have moved the original's value.
            if (data->size > 0) filo_value_assign(data, value, filo_holder_get(world, data, member));
        }
    }
    return true;
}

typedef struct Remap {
    const Original *original;
    const FiloEntity *copies;
} Remap;

static void remap(FiloEntity *entity, void *user) {
    const Remap *remapping = user;
    const uint32_t *place = filo_map_get(&remapping->original->places, entity->id);
    if (place != NULL) *entity = remapping->copies[*place];
}

// References of one copied entity.
static void remap_entity(FiloWorld *world, FiloEntity entity, const Remap *remapping) {
    const FiloRecord *record = filo_record_find(world, entity);
    filo_array_each (&world->components, item) {
        FiloComponentData *data = *item;
        if (!data->info.has_entities || data->global != NULL || data == world->family) continue;
        void *value = filo_component_find(world, entity, record, data);
        if (value != NULL) filo_reflect_entities(data->info.type, value, remap, (void *)(uintptr_t)remapping);
    }
}

// Undoes what copy_member did for all members; those that were not made are {0}. `end` is FiloWorld.index_end from
// before.
static void undo_copies(FiloWorld *world, const FiloEntity *copies, size_t count, size_t members,
                        uint32_t end) {
    for (size_t i = members; i-- > 0;)
        for (size_t n = count; n-- > 0;) {
            FiloEntity copy = copies[n * members + i];
            if (copy.id != 0) filo_entity_undo_create(world, copy, end);
        }
}

// Makes `count` copies of all members: copies[n × members + place]. None without memory.
static bool copy_all(FiloWorld *world, const Original *original, bool instance, FiloEntity *copies,
                     size_t count) {
    size_t members = original->members.count;
    uint32_t end = world->index_end;
    memset(copies, 0, count * members * sizeof *copies);
    bool good = true;
    for (size_t i = 0; i < members && good; i++)
        good = copy_member(world, original->members.items[i], instance, copies + i, count, members);
    for (size_t n = 0; n < count && good; n++) {
        const FiloEntity *copy = copies + n * members;
        for (size_t i = 1; i < members && good; i++)
            good = filo_entity_set_parent(world, copy[i], copy[original->parents.items[i]]);
        if (!good) break;
        Remap remapping = { original, copy };
        for (size_t i = 0; i < members; i++) remap_entity(world, copy[i], &remapping);
    }
    if (!good) undo_copies(world, copies, count, members, end);
    return good;
}

static bool exists(const FiloWorld *world, FiloEntity entity, const char *what) {
    return filo_entity_is_good(filo_record_find(world, entity), entity, what);
}

FiloEntity filo_entity_copy(FiloWorld *world, FiloEntity entity) {
    static const char what[] = "copy an entity";
    Original original;
    if (!FILO_CHECK(world != NULL, "pass a world") || !filo_world_may_change(world, what) ||
        !exists(world, entity, what) || !list_original(world, &original, entity))
        return FILO_ENTITY_NONE;
    size_t members = original.members.count;
    FiloEntity copy = FILO_ENTITY_NONE, *copies = filo_alloc(world->allocator, members * sizeof *copies, 0);
    if (copies != NULL && copy_all(world, &original, false, copies, 1)) copy = copies[0];
    filo_free(world->allocator, copies, members * sizeof *copies, 0);
    free_original(&original);
    return copy;
}

// Deactivates all members; without memory all stay as they were. Uses `parents` for what they were.
static bool deactivate_members(FiloWorld *world, Original *original) {
    for (size_t i = 0; i < original->members.count; i++) {
        FiloEntity member = original->members.items[i];
        original->parents.items[i] = filo_entity_active(world, member);
        filo_entity_set_active(world, member, false);
        if (!filo_entity_active(world, member)) continue;
        // Their rows are still free, so going back needs no memory.
        while (i-- > 0)
            if (original->parents.items[i]) filo_entity_set_active(world, original->members.items[i], true);
        return false;
    }
    return true;
}

bool filo_prefab_make(FiloWorld *world, FiloEntity entity) {
    static const char what[] = "make a prefab";
    Original original;
    if (!FILO_CHECK(world != NULL, "pass a world") || !filo_world_may_change(world, what) ||
        !exists(world, entity, what) || !list_original(world, &original, entity))
        return false;
    bool was = filo_holder_get(world, world->prefab, entity) != NULL;
    bool good = was || filo_holder_add(world, world->prefab, entity) != NULL;
    if (good && !deactivate_members(world, &original)) {
        if (!was) filo_holder_remove(world, world->prefab, entity);
        good = false;
    }
    free_original(&original);
    return good;
}

// Parent and overrides of the instances. False without memory.
static bool finish_instances(FiloWorld *world, const FiloInstanceDesc *desc, const FiloEntity *copies,
                             size_t count, size_t members) {
    for (size_t n = 0; n < count; n++) {
        FiloEntity root = copies[n * members];
        if (desc->parent.id != 0 && !filo_entity_set_parent(world, root, desc->parent)) return false;
        if (desc->with_count > 0 && !filo_entity_change(world, root, desc->with, desc->with_count, NULL, 0))
            return false;
    }
    for (size_t n = 0; n < count && desc->entities != NULL; n++) desc->entities[n] = copies[n * members];
    return true;
}

bool filo_prefab_instantiate(FiloWorld *world, FiloEntity prefab, const FiloInstanceDesc *desc) {
    static const char what[] = "make instances of a prefab";
    FiloInstanceDesc zero = { 0 };
    if (desc == NULL) desc = &zero;
    Original original;
    if (!FILO_CHECK(world != NULL, "pass a world") || !filo_world_may_change(world, what) ||
        !exists(world, prefab, what) || (desc->parent.id != 0 && !exists(world, desc->parent, what)) ||
        !list_original(world, &original, prefab))
        return false;
    size_t count = FILO_MAX(desc->count, (size_t)1), members = original.members.count;
    if (count > FILO_ENTITY_INDEX_MAX / members) {
        filo_out_of_memory(world->name, 0, "a world has at most a billion entities");
        free_original(&original);
        return false;
    }
    uint32_t end = world->index_end;
    FiloEntity *copies = filo_alloc(world->allocator, count * members * sizeof *copies, 0);
    bool good = copies != NULL && copy_all(world, &original, true, copies, count);
    if (good && !finish_instances(world, desc, copies, count, members)) {
        undo_copies(world, copies, count, members, end);
        good = false;
    }
    filo_free(world->allocator, copies, count * members * sizeof *copies, 0);
    free_original(&original);
    return good;
}

FiloEntity filo_prefab_instance_with(FiloWorld *world, FiloEntity prefab, const FiloWith *with,
                                     size_t with_count) {
    FiloEntity entity = FILO_ENTITY_NONE;
    FiloInstanceDesc desc = { .with = with, .with_count = with_count, .entities = &entity };
    return filo_prefab_instantiate(world, prefab, &desc) ? entity : FILO_ENTITY_NONE;
}

FiloEntity filo_prefab_derive(FiloWorld *world, FiloEntity prefab, const FiloWith *with, size_t with_count) {
    FiloEntity derived = filo_prefab_instance_with(world, prefab, with, with_count);
    if (derived.id == 0) return derived;
    if (filo_prefab_make(world, derived)) {
        FiloPrefab *component = filo_holder_get(world, world->prefab, derived);
        component->base = prefab;
        return derived;
    }
    filo_entity_destroy(world, derived);
    return FILO_ENTITY_NONE;
}
