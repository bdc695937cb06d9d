// Recording changes. See changes.h for the form of records, refresh.c for how they are applied.
//
// A set of records belongs to one part of a system, and to one thread. Sets come from a pool under a lock,
// but only for parts that record something; a set keeps its memory when it goes back, so a steady tick does
// not allocate.

#include "ecs/changes.h"
#include "ecs/holder.h"
#include "ecs/rows.h"

#include <filo/hash.h>

#define FIRST_BYTES FILO_KIB(4)
#define LOOK_AT     64 // free sets, for the one that fits best

// ---- The pool
// -----------------------------------------------------------------------------------------------

bool filo_changes_init(FiloWorld *world) {
    FiloChangesPool *pool = filo_alloc_zero(world->allocator, sizeof *pool, 0);
    if (pool == NULL) return false;
    filo_mutex_init(&pool->lock);
    filo_array_init(&pool->all, world->allocator);
    filo_array_init(&pool->handed_in, world->allocator);
    world->changes = pool;
    return true;
}

static void free_set(const FiloAllocator *allocator, FiloChangeSet *set) {
    filo_free(allocator, set->bytes, set->capacity, FILO_CACHE_LINE);
    filo_array_deinit(&set->temporaries);
    filo_map_deinit(&set->latest);
    filo_free(allocator, set, sizeof *set, 0);
}

void filo_changes_deinit(FiloWorld *world) {
    FiloChangesPool *pool = world->changes;
    if (pool == NULL) return;
    filo_refresh_deinit(world);
    filo_array_each (&pool->all, set) free_set(world->allocator, *set);
    filo_array_deinit(&pool->all);
    filo_array_deinit(&pool->handed_in);
    filo_mutex_deinit(&pool->lock);
    filo_free(world->allocator, pool, sizeof *pool, 0);
    world->changes = NULL;
}

// A new set. Under the lock.
static FiloChangeSet *new_set(const FiloAllocator *allocator, FiloChangesPool *pool) {
    // Room for handing all of them in, so that that cannot fail.
    size_t count = pool->all.count + 1;
    if (count > pool->handed_in.capacity &&
        !filo_array_reserve(&pool->handed_in, FILO_MAX(count, pool->handed_in.capacity * 2)))
        return NULL;
    FiloChangeSet *set = filo_alloc_zero(allocator, sizeof *set, 0);
    if (set == NULL) return NULL;
    filo_array_init(&set->temporaries, allocator);
    filo_map_init(&set->latest, sizeof(size_t), allocator);
    set->number = (uint32_t)pool->all.count;
    if (filo_array_push(&pool->all, set)) return set;
    free_set(allocator, set);
    return NULL;
}

// A free set; NULL if there is none. The one that served the same part before, if it is among the first: it has as
// much memory as the part needed then, so that a steady tick does not allocate.
static FiloChangeSet *take_free(FiloChangesPool *pool, const FiloChanges *changes) {
    FiloChangeSet **link = &pool->free;
    for (int i = 0; i < LOOK_AT && *link != NULL; i++, link = &(*link)->next_free)
        if ((*link)->source == changes->source && (*link)->row == changes->row) break;
    if (*link == NULL || (*link)->source != changes->source || (*link)->row != changes->row)
        link = &pool->free;
    FiloChangeSet *set = *link;
    if (set != NULL) *link = set->next_free;
    return set;
}

static bool take_set(FiloChanges *changes) {
    FiloChangesPool *pool = changes->world->changes;
    filo_mutex_lock(&pool->lock);
    FiloChangeSet *set = take_free(pool, changes);
    if (set == NULL) set = new_set(changes->world->allocator, pool);
    filo_mutex_unlock(&pool->lock);
    if (set == NULL) return false;
    set->source = changes->source;
    set->row = changes->row;
    changes->set = set;
    return true;
}

static void empty_set(FiloChangeSet *set) {
    set->used = set->count = set->instantiations = set->looked = 0;
    filo_array_clear(&set->temporaries);
    filo_map_clear(&set->latest);
}

static void give_set(FiloChangesPool *pool, FiloChangeSet *set) {
    empty_set(set);
    set->next_free = pool->free;
    pool->free = set;
}

void filo_changes_hand_in_set(FiloChanges *changes) {
    FiloChangesPool *pool = changes->world->changes;
    filo_mutex_lock(&pool->lock);
    (void)filo_array_push(&pool->handed_in, changes->set); // there is room, see new_set
    filo_mutex_unlock(&pool->lock);
    changes->set = NULL;
}

static bool comes_before(const FiloChangeSet *a, const FiloChangeSet *b) {
    return a->source != b->source ? a->source < b->source : a->row < b->row;
}

// Shell's sort: in place, and quick for what is nearly in order, as this mostly is.
static void sort_sets(FiloChangeSet **sets, size_t count) {
    size_t gap = 1;
    while (gap < count / 3) gap = gap * 3 + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            FiloChangeSet *set = sets[i];
            size_t at = i;
            for (; at >= gap && comes_before(set, sets[at - gap]); at -= gap) sets[at] = sets[at - gap];
            sets[at] = set;
        }
}

void filo_changes_refresh(FiloWorld *world) {
    FiloChangesPool *pool = world->changes;
    if (pool->handed_in.count > 0) {
        sort_sets(pool->handed_in.items, pool->handed_in.count);
        filo_refresh_apply(world, pool->handed_in.items, pool->handed_in.count);
        filo_array_each (&pool->handed_in, set) give_set(pool, *set);
        filo_array_clear(&pool->handed_in);
    }
    if (world->refreshed_holders > 0)
        filo_array_each (&world->components, component)
            if ((*component)->interface != NULL && (*component)->interface->refresh != NULL)
                (*component)->interface->refresh((*component)->holder);
}

// ---- By hand
// --------------------------------------------------------------------------------------------------

FiloChanges *filo_changes_begin(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    FiloChanges *changes = filo_alloc(world->allocator, sizeof *changes, 0);
    if (changes == NULL) return NULL;
    filo_changes_open(changes, world, 0, 0);
    changes->by_hand = true;
    return changes;
}

static bool made_by_hand(const FiloChanges *changes) {
    return FILO_CHECK(changes != NULL && changes->by_hand,
                      "this change set is the system's: the world applies it at the end of the stage");
}

bool filo_changes_apply(FiloChanges *changes) {
    if (!made_by_hand(changes) || !filo_world_may_change(changes->world, "apply a change set")) return false;
    FiloChangeSet *set = changes->set;
    if (set == NULL) return true;
    bool good = filo_refresh_apply(changes->world, &set, 1);
    // The temporary ids stay known until the next record.
    set->used = set->count = set->instantiations = set->looked = 0;
    filo_map_clear(&set->latest);
    return good;
}

FiloEntity filo_changes_resolved(const FiloChanges *changes, FiloEntity temporary) {
    if (changes == NULL || changes->set == NULL || changes->set->count > 0 ||
        !filo_entity_temporary(temporary) || filo_temporary_set(temporary) != changes->set->number)
        return FILO_ENTITY_NONE;
    FiloEntity entity = filo_temporary_resolve(changes->world->changes, temporary);
    return filo_entity_exists(changes->world, entity) ? entity : FILO_ENTITY_NONE;
}

void filo_changes_free(FiloChanges *changes) {
    if (changes == NULL || !made_by_hand(changes)) return;
    FiloChangesPool *pool = changes->world->changes;
    if (changes->set != NULL) {
        filo_mutex_lock(&pool->lock);
        give_set(pool, changes->set);
        filo_mutex_unlock(&pool->lock);
    }
    filo_free(changes->world->allocator, changes, sizeof *changes, 0);
}

FiloWorld *filo_changes_world(const FiloChanges *changes) { return changes->world; }
size_t filo_changes_count(const FiloChanges *changes) {
    return changes->set != NULL ? changes->set->count : 0;
}

// ---- Recording
// ------------------------------------------------------------------------------------------------

static bool grow(FiloChanges *changes, size_t needed) {
    FiloChangeSet *set = changes->set;
    size_t capacity =
        FILO_MAX(set->capacity * 2, FILO_MAX(FILO_ALIGN_UP(needed, (size_t)64), (size_t)FIRST_BYTES));
    uint8_t *bytes =
        filo_resize(changes->world->allocator, set->bytes, set->capacity, capacity, FILO_CACHE_LINE);
    if (bytes == NULL) return false;
    set->bytes = bytes;
    set->capacity = capacity;
    return true;
}

// A new record with room for its payload, which is returned; NULL without memory.
static inline void *add_record(FiloChanges *changes, FiloChangeKind kind, FiloEntity entity,
                               uint32_t component, size_t align, size_t size) {
    if (FILO_UNLIKELY(changes->set == NULL) && !take_set(changes)) return NULL;
    FiloChangeSet *set = changes->set;
    // The first record after a set was applied by hand: its temporary ids are forgotten now.
    if (FILO_UNLIKELY(set->count == 0 && set->temporaries.count > 0 && kind > FILO_CHANGE_INSTANTIATE))
        filo_array_clear(&set->temporaries);
    size_t offset = set->used, next = filo_change_next(offset, align, size);
    if (FILO_UNLIKELY(next > set->capacity) && !grow(changes, next)) return NULL;
    FiloChange *change = (FiloChange *)(void *)(set->bytes + offset);
    change->entity = entity;
    change->component = component & 0xFFFFFF;
    change->kind = (uint32_t)kind & 0xFF;
    change->size = (uint32_t)size;
    set->used = next;
    set->count++;
    return set->bytes + filo_change_payload(offset, align);
}

static bool changes_are_good(const FiloChanges *changes) {
    return FILO_CHECK(changes != NULL,
                      "pass a change set: it->changes inside a system, or one of filo_changes_begin");
}

static bool entity_is_good(const FiloChanges *changes, FiloEntity entity) {
    if (FILO_LIKELY(!filo_entity_temporary(entity)))
        return FILO_CHECK(entity.id != 0, "cannot change the entity that is none");
    return FILO_CHECK(changes->set != NULL && changes->set->count > 0 &&
                          filo_temporary_set(entity) == changes->set->number &&
                          (uint32_t)entity.id < changes->set->temporaries.count,
                      "a temporary id is good in the change set that gave it, until that is applied");
}

static FiloComponentData *component_of(const FiloChanges *changes, FiloComponent component) {
    FiloComponentData *data = filo_component_data(changes->world, component);
    return FILO_CHECK(data != NULL, "cannot change component %u: it is not registered in this world",
                      component.id)
               ? data
               : NULL;
}

static bool is_settable(const FiloComponentData *data) {
    return FILO_CHECK(data->global == NULL,
                      "component %s is global: set it with FILO_ENTITY_NONE as the entity",
                      data->info.name) &&
           FILO_CHECK(data->settable,
                      "the world keeps component %s: use filo_changes_set_parent or filo_changes_set_name",
                      data->info.name);
}

static bool record(FiloChanges *changes, FiloChangeKind kind, FiloEntity entity) {
    return changes_are_good(changes) && entity_is_good(changes, entity) &&
           add_record(changes, kind, entity, 0, 8, 0) != NULL;
}

static FiloEntity record_new(FiloChanges *changes, FiloChangeKind kind, FiloEntity prefab) {
    if (!changes_are_good(changes) || (changes->set == NULL && !take_set(changes))) return FILO_ENTITY_NONE;
    FiloChangeSet *set = changes->set;
    if (set->count == 0) filo_array_clear(&set->temporaries);
    FiloEntity temporary = filo_temporary_make(set->number, (uint32_t)set->temporaries.count);
    if (!filo_array_push(&set->temporaries, FILO_ENTITY_NONE)) return FILO_ENTITY_NONE;
    void *payload = add_record(changes, kind, temporary, 0, sizeof prefab, sizeof prefab);
    if (payload == NULL) {
        set->temporaries.count--;
        return FILO_ENTITY_NONE;
    }
    memcpy(payload, &prefab, sizeof prefab);
    return temporary;
}

FiloEntity filo_changes_create(FiloChanges *changes) {
    return record_new(changes, FILO_CHANGE_CREATE, FILO_ENTITY_NONE);
}

FiloEntity filo_changes_instantiate(FiloChanges *changes, FiloEntity prefab) {
    if (!changes_are_good(changes) ||
        !FILO_CHECK(filo_record_find(changes->world, prefab) != NULL,
                    "cannot make an instance: the prefab %u.%u does not exist (yet, or any more)",
                    filo_entity_index(prefab), filo_entity_generation(prefab)))
        return FILO_ENTITY_NONE;
    FiloEntity entity = record_new(changes, FILO_CHANGE_INSTANTIATE, prefab);
    if (entity.id != 0) changes->set->instantiations++;
    return entity;
}

bool filo_changes_destroy(FiloChanges *changes, FiloEntity entity) {
    return record(changes, FILO_CHANGE_DESTROY, entity);
}

bool filo_changes_set_active(FiloChanges *changes, FiloEntity entity, bool active) {
    return record(changes, active ? FILO_CHANGE_ACTIVATE : FILO_CHANGE_DEACTIVATE, entity);
}

bool filo_changes_add(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    if (!changes_are_good(changes) || !entity_is_good(changes, entity)) return false;
    FiloComponentData *data = component_of(changes, component);
    if (data == NULL || !is_settable(data)) return false;
    void *payload = add_record(changes, FILO_CHANGE_ADD, entity, data->id, data->align, data->size);
    if (payload == NULL) return false;
    if (data->initial != NULL)
        memcpy(payload, data->initial, data->size);
    else
        memset(payload, 0, data->size);
    return true;
}

bool filo_changes_set(FiloChanges *changes, FiloEntity entity, FiloComponent component, const void *value) {
    if (!changes_are_good(changes)) return false;
    FiloComponentData *data = component_of(changes, component);
    if (data == NULL || !FILO_CHECK(value != NULL || data->size == 0, "cannot set component %s: pass a value",
                                    data->info.name))
        return false;
    bool global = entity.id == 0 && data->global != NULL;
    if (!global && (!entity_is_good(changes, entity) || !is_settable(data))) return false;
    void *payload = add_record(changes, global ? FILO_CHANGE_GLOBAL : FILO_CHANGE_SET, entity, data->id,
                               data->align, data->size);
    if (payload == NULL) return false;
    filo_bytes_copy(payload, value, data->size);
    return true;
}

bool filo_changes_remove(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    if (!changes_are_good(changes) || !entity_is_good(changes, entity)) return false;
    FiloComponentData *data = component_of(changes, component);
    if (data == NULL || !is_settable(data)) return false;
    return add_record(changes, FILO_CHANGE_REMOVE, entity, data->id, data->align, 0) != NULL;
}

bool filo_changes_set_parent(FiloChanges *changes, FiloEntity child, FiloEntity parent) {
    if (!changes_are_good(changes) || !entity_is_good(changes, child) ||
        (parent.id != 0 && !entity_is_good(changes, parent)))
        return false;
    void *payload = add_record(changes, FILO_CHANGE_PARENT, child, 0, sizeof parent, sizeof parent);
    if (payload != NULL) memcpy(payload, &parent, sizeof parent);
    return payload != NULL;
}

bool filo_changes_set_name(FiloChanges *changes, FiloEntity entity, const char *text) {
    if (!changes_are_good(changes) || !entity_is_good(changes, entity)) return false;
    FiloName name = text != NULL && text[0] != 0 ? filo_name(text) : (FiloName){ 0 };
    void *payload = add_record(changes, FILO_CHANGE_NAME, entity, 0, sizeof name, sizeof name);
    if (payload != NULL) memcpy(payload, &name, sizeof name);
    return payload != NULL;
}

// ---- Reading back
// -----------------------------------------------------------------------------------------------

// Keys of FiloChangeSet.latest: an entity with a component, with its activity, or with its existence.
enum { KEY_ACTIVITY = 0xFFFFFE, KEY_EXISTENCE = 0xFFFFFF };

static uint64_t latest_key(FiloEntity entity, uint32_t what) { return filo_hash_combine(entity.id, what); }

static uint32_t key_of(const FiloChange *change) {
    switch ((FiloChangeKind)change->kind) {
    case FILO_CHANGE_CREATE:
    case FILO_CHANGE_INSTANTIATE:
    case FILO_CHANGE_DESTROY: return KEY_EXISTENCE;
    case FILO_CHANGE_ACTIVATE:
    case FILO_CHANGE_DEACTIVATE: return KEY_ACTIVITY;
    case FILO_CHANGE_ADD:
    case FILO_CHANGE_SET:
    case FILO_CHANGE_REMOVE: return change->component;
    case FILO_CHANGE_PARENT:
    case FILO_CHANGE_NAME:
    case FILO_CHANGE_GLOBAL: break;
    }
    return 0;
}

static const FiloChange *change_at(const FiloChangeSet *set, size_t offset) {
    return (const FiloChange *)(const void *)(set->bytes + offset);
}

// The last record noted about an entity; NULL if there is none.
static const FiloChange *noted(const FiloChangeSet *set, FiloEntity entity, uint32_t what) {
    const size_t *place = filo_map_get(&set->latest, latest_key(entity, what));
    return place != NULL ? change_at(set, *place - 1) : NULL;
}

// The entity whose components are those of an entity without changes: itself, or the prefab.
static FiloEntity model_of(const FiloChangeSet *set, FiloEntity entity) {
    if (!filo_entity_temporary(entity)) return entity;
    const FiloChange *made = noted(set, entity, KEY_EXISTENCE);
    FiloEntity prefab = FILO_ENTITY_NONE;
    if (made != NULL && made->kind == FILO_CHANGE_INSTANTIATE) memcpy(&prefab, made + 1, sizeof prefab);
    return prefab;
}

// Notes the records since the last time. Adding what is there already changes nothing, so it is not noted.
static void catch_up(FiloChanges *changes) {
    FiloChangeSet *set = changes->set;
    while (set->looked < set->used) {
        size_t offset = set->looked;
        const FiloChange *change = change_at(set, offset);
        uint32_t what = key_of(change);
        set->looked = filo_change_next(offset, filo_change_align(changes->world, change), change->size);
        if (what == 0) continue;
        if (change->kind == FILO_CHANGE_ADD) {
            const FiloChange *before = noted(set, change->entity, what);
            bool there = before != NULL ? before->kind != FILO_CHANGE_REMOVE
                                        : filo_entity_has(changes->world, model_of(set, change->entity),
                                                          (FiloComponent){ what });
            if (there) continue;
        }
        size_t place = offset + 1;
        (void)filo_map_set(&set->latest, latest_key(change->entity, what), &place);
    }
}

static const FiloChange *latest(FiloChanges *changes, FiloEntity entity, uint32_t what) {
    FiloChangeSet *set = changes->set;
    if (set == NULL || set->used == 0) return NULL;
    catch_up(changes);
    return noted(set, entity, what);
}

bool filo_changes_exists(FiloChanges *changes, FiloEntity entity) {
    if (!changes_are_good(changes)) return false;
    const FiloChange *change = latest(changes, entity, KEY_EXISTENCE);
    if (change != NULL) return change->kind != FILO_CHANGE_DESTROY;
    return !filo_entity_temporary(entity) && filo_entity_exists(changes->world, entity);
}

bool filo_changes_active(FiloChanges *changes, FiloEntity entity) {
    if (!filo_changes_exists(changes, entity)) return false;
    const FiloChange *change = latest(changes, entity, KEY_ACTIVITY);
    if (change != NULL) return change->kind == FILO_CHANGE_ACTIVATE;
    return filo_entity_temporary(entity) || filo_entity_active(changes->world, entity);
}

const void *filo_changes_get(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    if (!filo_changes_exists(changes, entity)) return NULL;
    FiloComponentData *data = component_of(changes, component);
    if (data == NULL) return NULL;
    const FiloChange *change = latest(changes, entity, data->id);
    if (change == NULL) {
        FiloEntity model = changes->set != NULL ? model_of(changes->set, entity) : entity;
        return model.id != 0 ? filo_entity_get(changes->world, model, component) : NULL;
    }
    if (change->kind == FILO_CHANGE_REMOVE) return NULL;
    size_t offset = (size_t)((const uint8_t *)change - changes->set->bytes);
    return changes->set->bytes + filo_change_payload(offset, data->align);
}

bool filo_changes_has(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    return filo_changes_get(changes, entity, component) != NULL;
}
