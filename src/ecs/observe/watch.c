// Observed components: entities to which a component is added, from which it is removed, or for which it is set. See
// EcsWatch in observe.h.
//
// Each entity has one note with flags, which accumulate the net effect of all events. "added" and "set" are computed
// from the flags when observers are called. "removed" is a list that only grows: if an entity had the component at the
// last call and loses it, its value is saved until the next call, whatever happens to the entity later.

#include "ecs/observe/notify.h"
#include "ecs/observe/observe.h"
#include "ecs/storage/holder.h"

// ---- Beginning and ending -------------------------------------------------------------------------------

bool ecs_watch_begin(FiloWorld *world, EcsComponentData *component, uint32_t kinds) {
    EcsWatch *watch = component->watch;
    if (watch == NULL) {
        watch = filo_alloc_zero(world->allocator, sizeof *watch, 0);
        if (watch == NULL) return false;
        if (!filo_array_push(&world->watches, watch)) {
            filo_free(world->allocator, watch, sizeof *watch, 0);
            return false;
        }
        watch->component = component;
        component->watch = watch;
    }
    watch->users++;
    watch->wants_removed += (kinds & FILO_OBSERVE_REMOVED) != 0;
    watch->wants_set += (kinds & FILO_OBSERVE_SET) != 0;
    ecs_watch_update(world, component);
    return true;
}

static void free_removed(const FiloWorld *world, EcsWatch *watch) {
    const EcsComponentData *component = watch->component;
    filo_free(world->allocator, watch->removed, watch->removed_capacity * sizeof *watch->removed, 0);
    filo_free(world->allocator, watch->values, watch->removed_capacity * component->size, component->align);
    watch->removed = NULL;
    watch->values = NULL;
    watch->removed_count = watch->removed_capacity = 0;
}

void ecs_watch_end(FiloWorld *world, EcsWatch *watch, uint32_t kinds) {
    watch->users--;
    watch->wants_removed -= (kinds & FILO_OBSERVE_REMOVED) != 0;
    watch->wants_set -= (kinds & FILO_OBSERVE_SET) != 0;
    EcsComponentData *component = watch->component;
    if (watch->users == 0) {
        ecs_watch_clear(watch);
        free_removed(world, watch);
        ecs_notes_deinit(&watch->notes, world);
        for (size_t i = 0; i < world->watches.count; i++)
            if (world->watches.items[i] == watch) {
                filo_array_remove(&world->watches, i);
                break;
            }
        filo_free(world->allocator, watch, sizeof *watch, 0);
        component->watch = NULL;
    }
    ecs_watch_update(world, component);
}

void ecs_table_update_watched(EcsTable *table) {
    table->watched = false;
    for (uint32_t i = 0; i < table->column_count; i++)
        table->watched = table->watched || table->data[i]->watch != NULL;
}

// ECS_EDGE_SIMPLE: no hooks, one observed component or tracked query, and columns are either added or one is dropped.
void ecs_edge_update_watched(EcsEdge *edge, const EcsTable *from) {
    size_t watches = 0, queries = 0;
    edge->special &= ECS_EDGE_CONSTRUCTS | ECS_EDGE_DESTRUCTS;
    edge->watch = NULL;
    edge->query = NULL;
    for (uint32_t i = 0; i < edge->added_count + edge->dropped_count; i++) {
        const EcsComponentData *component = i < edge->added_count
                                                ? edge->to->data[edge->added[i]]
                                                : from->data[edge->dropped[i - edge->added_count]];
        if (component->watch != NULL) edge->watch = component->watch;
        if (component->tracked.count > 0) edge->query = component->tracked.items[0];
        watches += component->watch != NULL;
        queries += component->tracked.count;
    }
    bool simple = edge->added_count == 0 ? edge->dropped_count == 1 : edge->dropped_count == 0;
    if (edge->special == 0 && simple && watches + queries == 1) edge->special |= ECS_EDGE_SIMPLE;
    if (watches > 0) edge->special |= ECS_EDGE_WATCHED;
    if (queries > 0) edge->special |= ECS_EDGE_TRACKED;
}

void ecs_watch_update(FiloWorld *world, EcsComponentData *component) {
    component->watched = component->watch != NULL || component->tracked.count > 0;
    component->watches_set = component->watch != NULL && component->watch->wants_set > 0;
    filo_array_each (&component->tables, table) ecs_table_update_watched(*table);
    filo_array_each (&world->tables, table)
        for (uint32_t i = 0; (*table)->edges != NULL && i <= (*table)->edge_mask; i++)
            if ((*table)->edges[i] != NULL) ecs_edge_update_watched((*table)->edges[i], *table);
    ecs_fast_path_update(world, component);
    world->create_cache.partition = NULL;
}

// ---- Events ---------------------------------------------------------------------------------------------

#define JUST_ADDED (ECS_NOTE_VALID | ECS_NOTE_HAS)
#define UNCHANGED  (ECS_NOTE_VALID | ECS_NOTE_HAD | ECS_NOTE_HAS) // had it at the last call, and still has

// The entry of an entity, and its flags; for a new entry, the flags `initial`. ECS_NO_NOTE without memory.
static uint32_t entry_of(const FiloWorld *world, EcsWatch *watch, FiloEntity entity, uint32_t initial,
                         uint32_t *flags) {
    uint32_t entry = ecs_notes_put(&watch->notes, world, entity);
    if (FILO_UNLIKELY(entry == ECS_NO_NOTE)) return entry;
    *flags = ecs_note_flags(&watch->notes, entry);
    watch->others -= *flags != 0 && *flags != JUST_ADDED;
    if (*flags == 0) *flags = initial;
    return entry;
}

static void set_flags(EcsWatch *watch, uint32_t entry, uint32_t flags) {
    watch->others += flags != JUST_ADDED;
    ecs_note_set_flags(&watch->notes, entry, flags);
}

void ecs_watch_added(FiloWorld *world, EcsWatch *watch, FiloEntity entity) {
    uint32_t flags;
    if (FILO_LIKELY(ecs_notes_add(&watch->notes, entity, JUST_ADDED))) return;
    uint32_t entry = entry_of(world, watch, entity, ECS_NOTE_VALID, &flags);
    if (entry != ECS_NO_NOTE) set_flags(watch, entry, flags | ECS_NOTE_HAS);
}

bool ecs_watch_reserve_removed(const FiloWorld *world, EcsWatch *watch, size_t count) {
    const EcsComponentData *component = watch->component;
    if (count <= watch->removed_capacity) return true;
    size_t capacity = FILO_MAX(FILO_MAX(watch->removed_capacity * 2, count), (size_t)16),
           size = component->size;
    FiloEntity *removed = filo_alloc(world->allocator, capacity * sizeof *removed, 0);
    uint8_t *values = size > 0 ? filo_alloc(world->allocator, capacity * size, component->align) : NULL;
    if (removed == NULL || (values == NULL && size > 0)) {
        filo_free(world->allocator, removed, capacity * sizeof *removed, 0);
        filo_free(world->allocator, values, capacity * size, component->align);
        return false;
    }
    size_t kept = watch->removed_count;
    if (kept > 0) memcpy(removed, watch->removed, kept * sizeof *removed);
    if (kept > 0 && size > 0) ecs_rows_move(component, values, watch->values, kept);
    free_removed(world, watch);
    watch->removed = removed;
    watch->values = values;
    watch->removed_count = kept;
    watch->removed_capacity = capacity;
    return true;
}

// Appends an entity and its value to the list of removed ones. Returns the saved value; NULL without memory or for a
// tag.
static void *save_removed(const FiloWorld *world, EcsWatch *watch, FiloEntity entity, void *value) {
    const EcsComponentData *component = watch->component;
    if (FILO_UNLIKELY(watch->removed_count == watch->removed_capacity) &&
        !ecs_watch_reserve_removed(world, watch, watch->removed_count + 1))
        return NULL;
    size_t n = watch->removed_count++;
    watch->removed[n] = entity;
    if (component->size == 0) return NULL;
    uint8_t *moved = watch->values + n * component->size;
    if (FILO_LIKELY(component->plain)) {
        ecs_bytes_copy(moved, value, component->size);
    } else {
        ecs_rows_move(component, moved, value, 1);
        ecs_value_construct(component, value);
    }
    return moved;
}

void *ecs_watch_removed(FiloWorld *world, EcsWatch *watch, FiloEntity entity, void *value) {
    uint32_t flags = UNCHANGED;
    if (FILO_LIKELY(ecs_notes_add(&watch->notes, entity, ECS_NOTE_VALID | ECS_NOTE_HAD | ECS_NOTE_LOST))) {
        watch->others++;
    } else {
        uint32_t entry = entry_of(world, watch, entity, UNCHANGED, &flags);
        if (entry == ECS_NO_NOTE) return NULL;
        uint32_t lost = (flags & ECS_NOTE_HAD) != 0 ? ECS_NOTE_LOST : 0;
        set_flags(watch, entry, (flags | lost) & ~(uint32_t)(ECS_NOTE_HAS | ECS_NOTE_SET));
    }
    bool first = (flags & (ECS_NOTE_HAD | ECS_NOTE_LOST)) == ECS_NOTE_HAD;
    return first && watch->wants_removed > 0 ? save_removed(world, watch, entity, value) : NULL;
}

void ecs_watch_set(FiloWorld *world, EcsWatch *watch, FiloEntity entity) {
    uint32_t flags, entry = entry_of(world, watch, entity, UNCHANGED, &flags);
    if (FILO_UNLIKELY(entry == ECS_NO_NOTE)) return;
    if ((flags & (ECS_NOTE_HAD | ECS_NOTE_LOST)) == ECS_NOTE_HAD) flags |= ECS_NOTE_SET;
    set_flags(watch, entry, flags);
}

// ---- Changes of rows ------------------------------------------------------------------------------------

void ecs_observe_simple_edge(FiloWorld *world, FiloEntity entity, const EcsEdge *edge, uint8_t *base,
                             uint32_t row) {
    EcsWatch *watch = edge->watch;
    const EcsPartition *from = edge->resolved_from;
    if (watch == NULL)
        ecs_track_note(edge->query, entity, from);
    else if (edge->added_count > 0)
        ecs_watch_added(world, watch, entity);
    else
        ecs_watch_removed(world, watch, entity,
                          base + from->offsets[edge->dropped[0]] + row * watch->component->size);
}

static void watch_columns(FiloWorld *world, FiloEntity entity, const EcsEdge *edge, const EcsPartition *from,
                          uint8_t *base, uint32_t row) {
    const EcsTable *table = from->table;
    for (uint32_t i = 0; i < edge->dropped_count; i++) {
        uint32_t column = edge->dropped[i];
        EcsWatch *watch = table->data[column]->watch;
        if (watch != NULL)
            ecs_watch_removed(world, watch, entity,
                              base + from->offsets[column] + (size_t)row * table->sizes[column]);
    }
    for (uint32_t i = 0; i < edge->added_count; i++) {
        EcsWatch *watch = edge->to->data[edge->added[i]]->watch;
        if (watch != NULL) ecs_watch_added(world, watch, entity);
    }
}

void ecs_observe_edge(FiloWorld *world, FiloEntity entity, const EcsEdge *edge, const EcsPartition *from,
                      uint8_t *base, uint32_t row) {
    if ((edge->special & ECS_EDGE_TRACKED) != 0) ecs_track_edge(world, entity, edge, from->table);
    if ((edge->special & ECS_EDGE_WATCHED) != 0) watch_columns(world, entity, edge, from, base, row);
}

void ecs_observe_created(FiloWorld *world, FiloEntity entity, const EcsTable *table) {
    if (ecs_tracking(world)) ecs_track_created(world, entity);
    for (uint32_t i = 0; i < table->column_count && table->watched; i++)
        if (table->data[i]->watch != NULL) ecs_watch_added(world, table->data[i]->watch, entity);
}

void ecs_watch_row_destroyed(FiloWorld *world, FiloEntity entity, const EcsPartition *partition,
                             uint8_t *base, uint32_t row) {
    const EcsTable *table = partition->table;
    for (uint32_t i = 0; i < table->column_count; i++)
        if (table->data[i]->watch != NULL)
            ecs_watch_removed(world, table->data[i]->watch, entity,
                              base + partition->offsets[i] + (size_t)row * table->sizes[i]);
}

// ---- Lists for observers --------------------------------------------------------------------------------

void ecs_watch_list(EcsWatch *watch) {
    EcsNotes *notes = &watch->notes;
    watch->added = notes->entities;
    watch->added_count = notes->count;
    watch->set = NULL;
    watch->set_count = 0;
    if (FILO_LIKELY(watch->others == 0)) return;
    // The list of set ones overwrites the entities of the notes, which are not needed any more.
    size_t added = 0, set = 0;
    for (uint32_t i = 0; i < notes->count; i++) {
        uint32_t flags = ecs_note_flags(notes, i);
        FiloEntity entity = notes->entities[i];
        if ((flags & ECS_NOTE_HAS) == 0) continue;
        if ((flags & (ECS_NOTE_HAD | ECS_NOTE_LOST)) != ECS_NOTE_HAD)
            notes->list[added++] = entity;
        else if ((flags & ECS_NOTE_SET) != 0)
            notes->entities[set++] = entity;
    }
    watch->added = notes->list;
    watch->added_count = added;
    watch->set = notes->entities;
    watch->set_count = set;
}

void ecs_watch_clear(EcsWatch *watch) {
    const EcsComponentData *component = watch->component;
    for (size_t i = 0; i < watch->removed_count && component->info.hooks.destruct != NULL; i++)
        ecs_value_destruct(component, watch->values + i * component->size);
    watch->removed_count = 0;
    watch->others = 0;
    watch->added_count = watch->set_count = 0;
    ecs_notes_clear(&watch->notes);
}
