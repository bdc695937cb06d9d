// Recording changes. See changes.h for the form of records, changes_values.c for values with a copy hook,
// changes_read.c for how records are read back, refresh.c for how they are applied.
//
// A set of records belongs to one part of a system, and to one thread. Sets come from a pool under a lock,
// but only for parts that record something; a set keeps its memory when it goes back, so a steady tick does
// not allocate. A program may fill sets of its own on threads of its own at any time, so whoever applies others
// holds the lock too where it touches the lists.

#include "ecs/changes/changes.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/component.h"
#include "ecs/storage/components.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/holder.h"
#include "ecs/world.h"

#define FIRST_BYTES FILO_KIB(4)
#define EVEN_BYTES  FILO_KIB(64) // of a set, at most, that are kept for all sets alike
#define EVEN_SETS   64
#define LOOK_AT     64 // free sets, for the one that fits best

// ---- The pool -----------------------------------------------------------------------------------------

bool ecs_changes_init(FiloWorld *world) {
    EcsChangesPool *pool = filo_alloc_zero(world->allocator, sizeof *pool, 0);
    if (pool == NULL) return false;
    filo_mutex_init(&pool->lock);
    filo_array_init(&pool->all, world->allocator);
    filo_map_init(&pool->by_number, sizeof(EcsChangeSet *), world->allocator);
    pool->handed_in_end = &pool->handed_in;
    world->changes = pool;
    return true;
}

static void free_set(const FiloAllocator *allocator, EcsChangeSet *set) {
    filo_free(allocator, set->bytes, set->capacity, FILO_CACHE_LINE);
    filo_free(allocator, set->zeroes, set->zeroes_size, FILO_CACHE_LINE);
    filo_array_deinit(&set->temporaries);
    filo_map_deinit(&set->latest);
    filo_free(allocator, set, sizeof *set, 0);
}

void ecs_changes_deinit(FiloWorld *world) {
    EcsChangesPool *pool = world->changes;
    if (pool == NULL) return;
    ecs_refresh_deinit(world);
    filo_array_each (&pool->all, set) {
        if ((*set)->owns) ecs_changes_destruct_owned(world, *set);
        free_set(world->allocator, *set);
    }
    filo_array_deinit(&pool->all);
    filo_map_deinit(&pool->by_number);
    filo_mutex_deinit(&pool->lock);
    filo_free(world->allocator, pool, sizeof *pool, 0);
    world->changes = NULL;
}

static bool make_room(const FiloWorld *world, EcsChangeSet *set, size_t wanted) {
    size_t capacity = FILO_MAX(FILO_ALIGN_UP(wanted, (size_t)64), (size_t)FIRST_BYTES);
    uint8_t *bytes =
        set->owns ? filo_alloc(world->allocator, capacity, FILO_CACHE_LINE)
                  : filo_resize(world->allocator, set->bytes, set->capacity, capacity, FILO_CACHE_LINE);
    if (bytes == NULL) return false;
    if (set->owns) {
        ecs_changes_move_owned(world, set, bytes);
        filo_free(world->allocator, set->bytes, set->capacity, FILO_CACHE_LINE);
    }
    set->bytes = bytes;
    set->capacity = capacity;
    return true;
}

// A number for a new set: one of the process and not of the world, because worlds may share their events. After some
// hundred million sets numbers come again; a world does not have one twice.
static uint32_t next_number(const EcsChangesPool *pool) {
    static BASE_ATOMIC(uint32_t) given;
    uint32_t number;
    do number = base_add_relaxed(&given, 1) & ECS_TEMPORARY_SET;
    while (filo_map_has(&pool->by_number, number));
    return number;
}

// A new set. Under the lock.
static EcsChangeSet *new_set(const FiloAllocator *allocator, EcsChangesPool *pool) {
    EcsChangeSet *set = filo_alloc_zero(allocator, sizeof *set, 0);
    if (set == NULL) return NULL;
    filo_array_init(&set->temporaries, allocator);
    filo_map_init(&set->latest, 2 * sizeof(size_t), allocator);
    set->number = next_number(pool);
    set->open = ECS_NO_CHANGE_GROUP;
    if (filo_map_set(&pool->by_number, set->number, &set)) {
        if (filo_array_push(&pool->all, set)) return set;
        filo_map_remove(&pool->by_number, set->number);
    }
    free_set(allocator, set);
    return NULL;
}

// A free set; NULL if there is none. The one that served the same part before, if it is among the first: it has as
// much memory as the part needed then, so that a steady tick does not allocate.
static EcsChangeSet *take_free(EcsChangesPool *pool, const FiloChanges *changes) {
    EcsChangeSet **link = &pool->free;
    for (int i = 0; i < LOOK_AT && *link != NULL; i++, link = &(*link)->next)
        if ((*link)->source == changes->source && (*link)->row == changes->row) break;
    if (*link == NULL || (*link)->source != changes->source || (*link)->row != changes->row)
        link = &pool->free;
    EcsChangeSet *set = *link;
    if (set != NULL) *link = set->next;
    return set;
}

static bool take_set(FiloChanges *changes) {
    EcsChangesPool *pool = changes->world->changes;
    filo_mutex_lock(&pool->lock);
    EcsChangeSet *set = take_free(pool, changes);
    if (set == NULL) set = new_set(changes->world->allocator, pool);
    filo_mutex_unlock(&pool->lock);
    if (set == NULL) return false;
    set->source = changes->source;
    set->row = changes->row;
    changes->set = set;
    return true;
}

static void forget_records(const FiloWorld *world, EcsChangeSet *set) {
    if (FILO_UNLIKELY(set->owns)) ecs_changes_destruct_owned(world, set);
    set->used = set->count = set->instantiations = set->looked_group = set->looked = 0;
    set->open = ECS_NO_CHANGE_GROUP;
    set->destroys = false;
    base_store_relaxed(&set->promised, 0);
    filo_map_clear(&set->latest);
}

// From here on they are nobody's: the next ones have other indices.
static void forget_temporaries(EcsChangeSet *set) {
    uint64_t first = base_load_relaxed(&set->first_temporary);
    base_store_relaxed(&set->first_temporary, first + set->temporaries.count);
    filo_array_clear(&set->temporaries);
}

// Before a set is given back, and before the lock is taken: hooks may take their time.
static void empty_set(const FiloWorld *world, EcsChangeSet *set) {
    forget_records(world, set);
    forget_temporaries(set);
}

// Under the lock.
static void give_set(EcsChangesPool *pool, EcsChangeSet *set) {
    set->next = pool->free;
    pool->free = set;
}

void ecs_changes_hand_in_set(FiloChanges *changes) {
    EcsChangesPool *pool = changes->world->changes;
    EcsChangeSet *set = changes->set;
    set->next = NULL;
    filo_mutex_lock(&pool->lock);
    *pool->handed_in_end = set;
    pool->handed_in_end = &set->next;
    filo_mutex_unlock(&pool->lock);
    changes->set = NULL;
}

static bool comes_before(const EcsChangeSet *a, const EcsChangeSet *b) {
    return a->source != b->source ? a->source < b->source : a->row < b->row;
}

static EcsChangeSet *merge(EcsChangeSet *a, EcsChangeSet *b) {
    EcsChangeSet *first = NULL, **end = &first;
    while (a != NULL && b != NULL) {
        EcsChangeSet **next = comes_before(b, a) ? &b : &a;
        *end = *next;
        end = &(*next)->next;
        *next = *end;
    }
    *end = a != NULL ? a : b;
    return first;
}

// Takes so many sets, at least one, from a list and puts them in order.
static EcsChangeSet *take_sorted(EcsChangeSet **list, size_t count) {
    if (count == 1) {
        EcsChangeSet *set = *list;
        *list = set->next;
        set->next = NULL;
        return set;
    }
    EcsChangeSet *first = take_sorted(list, count / 2);
    return merge(first, take_sorted(list, count - count / 2));
}

// All that was handed in, in order; NULL if nothing was. No system runs.
static EcsChangeSet *take_handed_in(EcsChangesPool *pool, size_t *count) {
    filo_mutex_lock(&pool->lock);
    EcsChangeSet *list = pool->handed_in;
    pool->handed_in = NULL;
    pool->handed_in_end = &pool->handed_in;
    filo_mutex_unlock(&pool->lock);
    *count = 0;
    for (const EcsChangeSet *set = list; set != NULL; set = set->next) ++*count;
    return *count > 1 ? take_sorted(&list, *count) : list;
}

// On several threads, which part of a system records how much depends on how its rows were divided, and that on what
// it cost lately. So each set gets room for what all of them recorded together, as far as that is not much, and there
// are twice as many as were used: a steady tick then allocates nothing, however it is divided. Without memory for it,
// it is done when it is needed. Under the lock.
static void even_out(const FiloWorld *world, EcsChangesPool *pool) {
    size_t free_sets = 0;
    for (EcsChangeSet *set = pool->free; set != NULL; set = set->next) free_sets++;
    for (; free_sets < pool->even_sets; free_sets++) {
        EcsChangeSet *set = new_set(world->allocator, pool);
        if (set == NULL) break;
        give_set(pool, set);
    }
    for (EcsChangeSet *set = pool->free; set != NULL; set = set->next) {
        if (set->capacity < pool->even_bytes && !make_room(world, set, pool->even_bytes)) return;
        if (set->temporaries.capacity < pool->even_temporaries &&
            !filo_array_reserve(&set->temporaries, pool->even_temporaries))
            return;
    }
}

// A little more than `wanted`, if that is more than there is now, but no more than `most`.
static bool raise(size_t *level, size_t wanted, size_t most) {
    if (wanted <= *level || *level >= most) return false;
    size_t next = FILO_MAX(*level, (size_t)8);
    while (next < wanted && next < most) next *= 2;
    *level = FILO_MIN(next, most);
    return true;
}

// Whether more is to be expected than was until now.
static bool expect_as_much(EcsChangesPool *pool, const EcsChangeSet *sets, size_t count) {
    size_t bytes = 0, temporaries = 0;
    for (const EcsChangeSet *set = sets; set != NULL; set = set->next) {
        bytes += set->used;
        temporaries += set->temporaries.count;
    }
    bool more = raise(&pool->even_bytes, bytes, EVEN_BYTES);
    more = raise(&pool->even_temporaries, temporaries, EVEN_BYTES / sizeof(FiloEntity)) || more;
    return raise(&pool->even_sets, count * 2, EVEN_SETS) || more;
}

static void apply_handed_in(FiloWorld *world) {
    EcsChangesPool *pool = world->changes;
    size_t count;
    EcsChangeSet *sets = take_handed_in(pool, &count);
    (void)ecs_refresh_apply(world, sets);
    bool several = world->jobs != NULL && filo_jobs_threads(world->jobs) > 1;
    bool more = several && expect_as_much(pool, sets, count);
    for (EcsChangeSet *set = sets; set != NULL; set = set->next) empty_set(world, set);
    filo_mutex_lock(&pool->lock);
    for (EcsChangeSet *set = sets, *next; set != NULL; set = next) {
        next = set->next;
        give_set(pool, set);
    }
    if (more) even_out(world, pool);
    filo_mutex_unlock(&pool->lock);
}

void ecs_changes_refresh(FiloWorld *world) {
    if (world->changes->handed_in != NULL) apply_handed_in(world);
    if (world->refreshed_holders > 0)
        filo_array_each (&world->components, component)
            if ((*component)->interface != NULL && (*component)->interface->refresh != NULL)
                (*component)->interface->refresh((*component)->holder);
}

void ecs_changes_drop_waiting(FiloWorld *world) {
    ecs_changes_close(&world->schedule->call_changes);
    // The sets stay handed in until the next refresh, which looks for their temporary ids elsewhere.
    for (EcsChangeSet *set = world->changes->handed_in; set != NULL; set = set->next)
        forget_records(world, set);
}

// ---- By hand ------------------------------------------------------------------------------------------

FiloChanges *filo_changes_create(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    FiloChanges *changes = filo_alloc(world->allocator, sizeof *changes, 0);
    if (changes == NULL) return NULL;
    ecs_changes_open(changes, world, 0, 0);
    changes->by_hand = true;
    return changes;
}

static bool made_by_hand(const FiloChanges *changes) {
    return FILO_CHECK(changes != NULL && changes->by_hand,
                      "this change set is the system's: the world applies it at the end of the stage");
}

bool filo_changes_apply(FiloChanges *changes) {
    if (!made_by_hand(changes) || !ecs_may_change(changes->world, "apply a change set")) return false;
    EcsChangeSet *set = changes->set;
    if (set == NULL) return true;
    set->next = NULL;
    bool good = ecs_refresh_apply(changes->world, set);
    // The temporary ids stay known until the next record.
    forget_records(changes->world, set);
    return good;
}

FiloEntity filo_changes_resolved(const FiloChanges *changes, FiloEntity temporary) {
    if (changes == NULL || changes->set == NULL || changes->set->count > 0 ||
        !filo_entity_temporary(temporary) || ecs_temporary_set(temporary) != changes->set->number)
        return FILO_ENTITY_NONE;
    size_t ordinal = ecs_temporary_ordinal(changes->set, temporary);
    if (ordinal >= changes->set->temporaries.count) return FILO_ENTITY_NONE;
    FiloEntity entity = changes->set->temporaries.items[ordinal];
    return filo_entity_exists(changes->world, entity) ? entity : FILO_ENTITY_NONE;
}

void filo_changes_destroy(FiloChanges *changes) {
    if (changes == NULL || !made_by_hand(changes)) return;
    EcsChangesPool *pool = changes->world->changes;
    if (changes->set != NULL) {
        empty_set(changes->world, changes->set);
        filo_mutex_lock(&pool->lock);
        give_set(pool, changes->set);
        filo_mutex_unlock(&pool->lock);
    }
    filo_free(changes->world->allocator, changes, sizeof *changes, 0);
}

FiloWorld *filo_changes_world(const FiloChanges *changes) {
    if (!FILO_CHECK(changes != NULL, "pass a change set")) return NULL;
    return changes->world;
}
size_t filo_changes_count(const FiloChanges *changes) {
    if (!FILO_CHECK(changes != NULL, "pass a change set")) return 0;
    return changes->set != NULL ? changes->set->count : 0;
}

// ---- Recording ----------------------------------------------------------------------------------------

static FILO_COLD bool grow(const FiloChanges *changes, size_t needed) {
    return make_room(changes->world, changes->set, FILO_MAX(changes->set->capacity * 2, needed));
}

// Room for the next record of the group that is open; NULL if the record is of another kind, or there is none.
static inline uint8_t *next_record(const FiloChanges *changes, EcsChangeKind kind, uint32_t component) {
    EcsChangeSet *set = changes->set;
    if (FILO_UNLIKELY(set == NULL || set->open == ECS_NO_CHANGE_GROUP)) return NULL;
    EcsChangeGroup *group = ecs_change_group(set, set->open);
    if (group->kind != kind || group->component != component || set->capacity - set->used < group->stride)
        return NULL;
    uint8_t *record = set->bytes + set->used;
    set->used += group->stride;
    set->count++;
    group->count++;
    return record;
}

// Room for the first record of a new group; NULL without memory, or if the set would have to grow and may not.
static inline uint8_t *first_record(FiloChanges *changes, EcsChangeKind kind, uint32_t component,
                                    size_t align, size_t size, bool may_grow) {
    if (FILO_UNLIKELY(changes->set == NULL) && !take_set(changes)) return NULL;
    EcsChangeSet *set = changes->set;
    // The first record after a set was applied by hand: its temporary ids are forgotten now.
    if (FILO_UNLIKELY(set->count == 0) && kind > ECS_CHANGE_INSTANTIATE) forget_temporaries(set);
    size_t payload = FILO_MAX(align, sizeof(FiloEntity)), offset = set->used;
    EcsChangeGroup head = { .component = component & 0xFFFFFF,
                            .kind = (uint32_t)kind & 0xFF,
                            .count = 1,
                            .payload = (uint32_t)payload,
                            .stride = (uint32_t)FILO_ALIGN_UP(payload + size, payload) };
    size_t first = ecs_change_first(offset, &head), end = first + head.stride;
    if (FILO_UNLIKELY(end > set->capacity) && (!may_grow || !grow(changes, end))) return NULL;
    uint8_t *bytes = set->bytes;
    memcpy(bytes + offset, &head, sizeof head);
    set->open = offset;
    set->used = end;
    set->count++;
    return bytes + first;
}

// A new record; returns where its payload is to be written, NULL if there is no room for it.
static inline void *add_record(FiloChanges *changes, EcsChangeKind kind, FiloEntity entity,
                               uint32_t component, size_t align, size_t size, bool may_grow) {
    uint8_t *record = next_record(changes, kind, component);
    if (record == NULL) record = first_record(changes, kind, component, align, size, may_grow);
    if (FILO_UNLIKELY(record == NULL)) return NULL;
    memcpy(record, &entity, sizeof entity);
    return record + FILO_MAX(align, sizeof entity);
}

bool ecs_changes_are_good(const FiloChanges *changes) {
    return FILO_CHECK(changes != NULL,
                      "pass a change set: it->changes of a system, or of what it goes over by "
                      "filo_iter_over(it, query); between ticks, one of filo_changes_create");
}

static bool entity_is_good(const FiloChanges *changes, FiloEntity entity) {
    if (FILO_LIKELY(!filo_entity_temporary(entity)))
        return FILO_CHECK_MADE(entity.id != 0, "cannot change the entity that is none");
    return FILO_CHECK(changes->set != NULL && changes->set->count > 0 &&
                          ecs_temporary_set(entity) == changes->set->number &&
                          ecs_temporary_ordinal(changes->set, entity) < changes->set->temporaries.count,
                      "a temporary id is good in the change set that gave it, until that is applied");
}

static EcsComponentData *component_of(const FiloChanges *changes, FiloComponent component) {
    EcsComponentData *data = ecs_component_data(changes->world, component);
    return FILO_CHECK_MADE(data != NULL, "cannot change component %u: it is not registered in this world",
                           component.id)
               ? data
               : NULL;
}

static bool is_settable(const EcsComponentData *data) {
    return FILO_CHECK(data->global == NULL,
                      "component %s is global: set it with FILO_ENTITY_NONE as the entity",
                      data->info.name) &&
           FILO_CHECK(data->settable,
                      "the world keeps component %s: use filo_changes_set_parent or filo_changes_set_name",
                      data->info.name);
}

static bool record(FiloChanges *changes, EcsChangeKind kind, FiloEntity entity) {
    return ecs_changes_are_good(changes) && entity_is_good(changes, entity) &&
           add_record(changes, kind, entity, 0, 1, 0, true) != NULL;
}

static FiloEntity record_new(FiloChanges *changes, EcsChangeKind kind, FiloEntity prefab) {
    if (!ecs_changes_are_good(changes) || (changes->set == NULL && !take_set(changes)))
        return FILO_ENTITY_NONE;
    EcsChangeSet *set = changes->set;
    if (set->count == 0) forget_temporaries(set);
    FiloEntity temporary = ecs_temporary_make(set);
    if (!filo_array_push(&set->temporaries, FILO_ENTITY_NONE)) return FILO_ENTITY_NONE;
    size_t size = kind == ECS_CHANGE_INSTANTIATE ? sizeof prefab : 0;
    void *payload = add_record(changes, kind, temporary, 0, 1, size, true);
    if (payload == NULL) {
        set->temporaries.count--;
        return FILO_ENTITY_NONE;
    }
    memcpy(payload, &prefab, size);
    base_store_relaxed(&set->promised, set->temporaries.count);
    return temporary;
}

FiloEntity filo_changes_create_entity(FiloChanges *changes) {
    return record_new(changes, ECS_CHANGE_CREATE, FILO_ENTITY_NONE);
}

FiloEntity filo_changes_instantiate(FiloChanges *changes, FiloEntity prefab) {
    if (!ecs_changes_are_good(changes) ||
        !FILO_CHECK_MADE(prefab.id != 0, "cannot make an instance of the entity that is none") ||
        !FILO_CHECK(ecs_record_find(changes->world, prefab) != NULL,
                    "cannot make an instance: the prefab %u.%u does not exist (yet, or any more)",
                    filo_entity_index(prefab), filo_entity_generation(prefab)))
        return FILO_ENTITY_NONE;
    FiloEntity entity = record_new(changes, ECS_CHANGE_INSTANTIATE, prefab);
    if (entity.id != 0) changes->set->instantiations++;
    return entity;
}

bool filo_changes_destroy_entity(FiloChanges *changes, FiloEntity entity) {
    return record(changes, ECS_CHANGE_DESTROY, entity);
}

bool filo_changes_set_active(FiloChanges *changes, FiloEntity entity, bool active) {
    return record(changes, active ? ECS_CHANGE_ACTIVATE : ECS_CHANGE_DEACTIVATE, entity);
}

// Records a change like the one before, to an entity with which nothing can be wrong: most of the time a system
// does the same to all its rows. NULL if it is not that simple.
static inline uint8_t *record_another(const FiloChanges *changes, EcsChangeKind kind, FiloEntity entity,
                                      FiloComponent component) {
    if (FILO_UNLIKELY(changes == NULL || (int64_t)entity.id <= 0)) return NULL; // none, or temporary
    uint8_t *record = next_record(changes, kind, component.id);
    if (FILO_LIKELY(record != NULL)) memcpy(record, &entity, sizeof entity);
    return record;
}

static __attribute__((noinline)) bool record_component(FiloChanges *changes, EcsChangeKind kind,
                                                       FiloEntity entity, FiloComponent component) {
    if (!ecs_changes_are_good(changes) || !entity_is_good(changes, entity)) return false;
    EcsComponentData *data = component_of(changes, component);
    if (data == NULL || !is_settable(data)) return false;
    return add_record(changes, kind, entity, data->id, 1, 0, true) != NULL;
}

bool filo_changes_add(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    return record_another(changes, ECS_CHANGE_ADD, entity, component) != NULL ||
           record_component(changes, ECS_CHANGE_ADD, entity, component);
}

// Puts a value where its record has room for it.
static inline void put_value(FiloChanges *changes, const EcsComponentData *data, void *payload,
                             const void *value) {
    if (FILO_LIKELY(data->info.hooks.copy == NULL))
        ecs_bytes_copy(payload, value, data->size);
    else
        ecs_changes_own(changes, data, payload, value);
}

// The most bytes that a record may take, with the head of its group.
static size_t most_bytes(size_t align, size_t size) {
    return sizeof(EcsChangeGroup) + 3 * FILO_MAX(align, sizeof(FiloEntity)) + size;
}

static bool record_value(FiloChanges *changes, FiloEntity entity, FiloComponent component, const void *value);

// The set must grow before. A value that was read from it moves with it.
static FILO_COLD bool record_value_growing(FiloChanges *changes, FiloEntity entity,
                                           const EcsComponentData *data, const void *value) {
    EcsChangeSet *set = changes->set;
    if (set == NULL) return false; // there was no memory even for that
    uintptr_t offset = (uintptr_t)value - (uintptr_t)set->bytes;
    if (!grow(changes, set->used + most_bytes(data->align, data->size))) return false;
    if (offset < set->used) value = set->bytes + offset;
    return record_value(changes, entity, (FiloComponent){ data->id }, value);
}

static __attribute__((noinline)) bool record_value(FiloChanges *changes, FiloEntity entity,
                                                   FiloComponent component, const void *value) {
    if (!ecs_changes_are_good(changes)) return false;
    EcsComponentData *data = component_of(changes, component);
    if (data == NULL || !FILO_CHECK(value != NULL || data->size == 0, "cannot set component %s: pass a value",
                                    data->info.name))
        return false;
    bool global = entity.id == 0 && data->global != NULL;
    if (!global && (!entity_is_good(changes, entity) || !is_settable(data))) return false;
    void *payload = add_record(changes, global ? ECS_CHANGE_GLOBAL : ECS_CHANGE_SET, entity, data->id,
                               data->align, data->size, false);
    if (FILO_UNLIKELY(payload == NULL)) return record_value_growing(changes, entity, data, value);
    put_value(changes, data, payload, value);
    return true;
}

bool filo_changes_set(FiloChanges *changes, FiloEntity entity, FiloComponent component, const void *value) {
    uint8_t *record = value != NULL ? record_another(changes, ECS_CHANGE_SET, entity, component) : NULL;
    if (FILO_UNLIKELY(record == NULL)) return record_value(changes, entity, component, value);
    const EcsComponentData *data = changes->world->components.items[component.id - 1];
    put_value(changes, data, record + FILO_MAX(data->align, sizeof entity), value);
    return true;
}

bool filo_changes_remove(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    return record_another(changes, ECS_CHANGE_REMOVE, entity, component) != NULL ||
           record_component(changes, ECS_CHANGE_REMOVE, entity, component);
}

// {0}, with a report, if there is no such component.
static inline FiloComponent component_of_type(const FiloChanges *changes, const FiloType *type) {
    if (FILO_UNLIKELY(changes == NULL) && !ecs_changes_are_good(changes)) return (FiloComponent){ 0 };
    return ecs_component_checked(changes->world, type);
}

bool filo_changes_add_type(FiloChanges *changes, FiloEntity entity, const FiloType *type) {
    FiloComponent component = component_of_type(changes, type);
    return component.id != 0 && filo_changes_add(changes, entity, component);
}

bool filo_changes_set_type(FiloChanges *changes, FiloEntity entity, const FiloType *type, const void *value) {
    FiloComponent component = component_of_type(changes, type);
    return component.id != 0 && filo_changes_set(changes, entity, component, value);
}

bool filo_changes_remove_type(FiloChanges *changes, FiloEntity entity, const FiloType *type) {
    FiloComponent component = component_of_type(changes, type);
    return component.id != 0 && filo_changes_remove(changes, entity, component);
}

const void *filo_changes_get_type(FiloChanges *changes, FiloEntity entity, const FiloType *type) {
    FiloComponent component = component_of_type(changes, type);
    return component.id != 0 ? filo_changes_get(changes, entity, component) : NULL;
}

bool filo_changes_has_type(FiloChanges *changes, FiloEntity entity, const FiloType *type) {
    FiloComponent component = component_of_type(changes, type);
    return component.id != 0 && filo_changes_has(changes, entity, component);
}

bool filo_changes_set_global_type(FiloChanges *changes, const FiloType *type, const void *value) {
    return filo_changes_set_type(changes, FILO_ENTITY_NONE, type, value);
}

// ---- Recording an entity with components ------------------------------------------------------------------

static EcsComponentData *component_with(const FiloChanges *changes, const FiloComponentValue *with) {
    FiloComponent component = with->component;
    if (with->type != NULL) component = component_of_type(changes, with->type());
    if (with->type != NULL && component.id == 0) return NULL;
    EcsComponentData *data = component_of(changes, component);
    return data != NULL && is_settable(data) ? data : NULL;
}

// Room for all of it, so that recording cannot fail half-way. False after a mistake or without memory.
static bool reserve_with(FiloChanges *changes, const FiloComponentValue *with, size_t count) {
    if (!ecs_changes_are_good(changes) ||
        !FILO_CHECK(with != NULL || count == 0, "pass the components of the new entity"))
        return false;
    size_t bytes = most_bytes(1, sizeof(FiloEntity));
    for (size_t i = 0; i < count; i++) {
        const EcsComponentData *data = component_with(changes, &with[i]);
        if (data == NULL) return false;
        bytes += most_bytes(data->align, data->size);
    }
    if (changes->set == NULL && !take_set(changes)) return false;
    const EcsChangeSet *set = changes->set;
    return set->capacity - set->used >= bytes || grow(changes, set->used + bytes);
}

// Records the components of an entity. There is room for them. `before` is where the bytes of the set were before
// they may have moved, and `used` how many of them: values that were read from the set have moved along.
static FiloEntity record_with(FiloChanges *changes, FiloEntity entity, const FiloComponentValue *with,
                              size_t count, uintptr_t before, size_t used) {
    for (size_t i = 0; i < count && entity.id != 0; i++) {
        const EcsComponentData *data = component_with(changes, &with[i]);
        const void *value = with[i].value;
        size_t offset = (uintptr_t)value - before;
        if (value != NULL && offset < used) value = changes->set->bytes + offset;
        if (value != NULL && data->size > 0)
            filo_changes_set(changes, entity, (FiloComponent){ data->id }, value);
        else
            filo_changes_add(changes, entity, (FiloComponent){ data->id });
    }
    return entity;
}

FiloEntity filo_changes_create_entity_with(FiloChanges *changes, const FiloComponentValue *with,
                                           size_t count) {
    const EcsChangeSet *set = changes != NULL ? changes->set : NULL;
    uintptr_t before = set != NULL ? (uintptr_t)set->bytes : 0;
    size_t used = set != NULL ? set->used : 0;
    if (!reserve_with(changes, with, count)) return FILO_ENTITY_NONE;
    return record_with(changes, filo_changes_create_entity(changes), with, count, before, used);
}

FiloEntity filo_changes_instance_with(FiloChanges *changes, FiloEntity prefab, const FiloComponentValue *with,
                                      size_t count) {
    const EcsChangeSet *set = changes != NULL ? changes->set : NULL;
    uintptr_t before = set != NULL ? (uintptr_t)set->bytes : 0;
    size_t used = set != NULL ? set->used : 0;
    if (!reserve_with(changes, with, count)) return FILO_ENTITY_NONE;
    return record_with(changes, filo_changes_instantiate(changes, prefab), with, count, before, used);
}

// ---- Recording families and names -----------------------------------------------------------------------------

bool filo_changes_set_parent(FiloChanges *changes, FiloEntity child, FiloEntity parent) {
    if (!ecs_changes_are_good(changes) || !entity_is_good(changes, child) ||
        (parent.id != 0 && !entity_is_good(changes, parent)))
        return false;
    void *payload = add_record(changes, ECS_CHANGE_PARENT, child, 0, 1, sizeof parent, true);
    if (payload != NULL) memcpy(payload, &parent, sizeof parent);
    return payload != NULL;
}

bool filo_changes_set_name(FiloChanges *changes, FiloEntity entity, const char *text) {
    if (!ecs_changes_are_good(changes) || !entity_is_good(changes, entity)) return false;
    size_t size = text != NULL ? strlen(text) + 1 : 1;
    if (size > FILO_NAME_TEXT_LIMIT) return false;
    const EcsChangeSet *set = changes->set; // the text may lie in it
    size_t offset = set != NULL ? (uintptr_t)text - (uintptr_t)set->bytes : 0;
    bool inside = text != NULL && set != NULL && offset < set->used;
    uint8_t *record = first_record(changes, ECS_CHANGE_NAME, 0, 1, size, true);
    if (record == NULL) return false;
    if (inside) text = (const char *)changes->set->bytes + offset;
    memcpy(record, &entity, sizeof entity);
    memcpy(record + sizeof entity, text != NULL ? text : "", size);
    return true;
}

bool ecs_changes_record(FiloChanges *changes, const EcsWorldChange *change) {
    if (!ecs_changes_are_good(changes)) return false;
    void *payload = add_record(changes, ECS_CHANGE_WORLD, FILO_ENTITY_NONE, 0, _Alignof(EcsWorldChange),
                               sizeof *change, true);
    if (payload != NULL) memcpy(payload, change, sizeof *change);
    return payload != NULL;
}
