// The pool of change sets.
//
// Sets are taken under a lock, but only for parts that record something. A set keeps its memory when it is given
// back, so a steady tick does not allocate. A program may fill sets of its own on any thread at any time, so the
// thread that applies other sets takes the lock too where it changes the lists.

#include "ecs/changes/changes.h"
#include "ecs/schedule/schedule.h"

#define FIRST_BYTES       FILO_KIB(4)
#define RESERVE_BYTES     FILO_KIB(16) // see reserve_free_sets
#define RESERVE_BYTES_MAX FILO_KIB(64)
#define RESERVE_SETS_MAX  64
#define SEARCH_LIMIT      64 // free sets that take_free compares

// ---- Sets -----------------------------------------------------------------------------------------------

bool ecs_changes_init(FiloWorld *world) {
    EcsChangesPool *pool = filo_alloc_zero(world->allocator, sizeof *pool, 0);
    if (pool == NULL) return false;
    filo_mutex_init(&pool->lock);
    filo_array_init(&pool->all, world->allocator);
    filo_map_init(&pool->by_number, sizeof(EcsChangeSet *), world->allocator);
    pool->submitted_end = &pool->submitted;
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
        if ((*set)->owns_values) ecs_changes_destruct_owned(world, *set);
        free_set(world->allocator, *set);
    }
    filo_array_deinit(&pool->all);
    filo_map_deinit(&pool->by_number);
    filo_mutex_deinit(&pool->lock);
    filo_free(world->allocator, pool, sizeof *pool, 0);
    world->changes = NULL;
}

static bool resize_set(const FiloWorld *world, EcsChangeSet *set, size_t bytes_needed) {
    size_t capacity = FILO_MAX(FILO_ALIGN_UP(bytes_needed, (size_t)64), (size_t)FIRST_BYTES);
    uint8_t *bytes = set->owns_values ? filo_alloc(world->allocator, capacity, FILO_CACHE_LINE)
                                      : filo_resize(world->allocator, set->bytes, set->capacity, capacity,
                                                    FILO_CACHE_LINE);
    if (bytes == NULL) return false;
    if (set->owns_values) {
        ecs_changes_move_owned(world, set, bytes);
        filo_free(world->allocator, set->bytes, set->capacity, FILO_CACHE_LINE);
    }
    set->bytes = bytes;
    set->capacity = capacity;
    return true;
}

bool ecs_change_set_grow(const FiloChanges *changes, size_t needed) {
    return resize_set(changes->world, changes->set, FILO_MAX(changes->set->capacity * 2, needed));
}

// A number for a new set, unique in the process, because worlds may share their events. Numbers repeat after some
// hundred million sets, but never within a world.
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
    set->last_group = ECS_NO_CHANGE_GROUP;
    if (filo_map_set(&pool->by_number, set->number, &set)) {
        if (filo_array_push(&pool->all, set)) return set;
        filo_map_remove(&pool->by_number, set->number);
    }
    free_set(allocator, set);
    return NULL;
}

// A free set; NULL if there is none. Prefers the set that the same part had before, if it is among the first: its
// capacity is what the part needed then, so a steady tick does not allocate.
static EcsChangeSet *take_free(EcsChangesPool *pool, const FiloChanges *changes) {
    EcsChangeSet **link = &pool->free;
    for (int i = 0; i < SEARCH_LIMIT && *link != NULL; i++, link = &(*link)->next)
        if ((*link)->source == changes->source && (*link)->row == changes->row) break;
    if (*link == NULL || (*link)->source != changes->source || (*link)->row != changes->row)
        link = &pool->free;
    EcsChangeSet *set = *link;
    if (set != NULL) *link = set->next;
    return set;
}

bool ecs_change_set_take(FiloChanges *changes) {
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

static void clear_records(const FiloWorld *world, EcsChangeSet *set) {
    if (FILO_UNLIKELY(set->owns_values)) ecs_changes_destruct_owned(world, set);
    set->used = set->count = set->instantiations = set->indexed_group = set->indexed = 0;
    set->last_group = ECS_NO_CHANGE_GROUP;
    set->destroys = false;
    base_store_relaxed(&set->pending_temporaries, 0);
    filo_map_clear(&set->latest);
}

// Before a set is given back. Not under the lock, because hooks may be slow.
static void clear_set(const FiloWorld *world, EcsChangeSet *set) {
    clear_records(world, set);
    ecs_change_set_clear_temporaries(set);
}

// Under the lock.
static void give_set(EcsChangesPool *pool, EcsChangeSet *set) {
    set->next = pool->free;
    pool->free = set;
}

// ---- Submitted sets -------------------------------------------------------------------------------------

void ecs_changes_submit(FiloChanges *changes) {
    EcsChangesPool *pool = changes->world->changes;
    EcsChangeSet *set = changes->set;
    set->next = NULL;
    filo_mutex_lock(&pool->lock);
    *pool->submitted_end = set;
    pool->submitted_end = &set->next;
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

// Takes `count` sets, at least one, from a list and sorts them.
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

// All submitted sets, sorted; NULL if there are none. No system runs.
static EcsChangeSet *take_submitted(EcsChangesPool *pool, size_t *count) {
    filo_mutex_lock(&pool->lock);
    EcsChangeSet *list = pool->submitted;
    pool->submitted = NULL;
    pool->submitted_end = &pool->submitted;
    filo_mutex_unlock(&pool->lock);
    *count = 0;
    for (const EcsChangeSet *set = list; set != NULL; set = set->next) ++*count;
    return *count > 1 ? take_sorted(&list, *count) : list;
}

// With several threads, how much a part of a system records depends on how its rows were divided, which depends on
// measured costs. So each free set gets capacity for what all sets recorded together, up to RESERVE_BYTES_MAX, and
// there are twice as many sets as were used: a steady tick then allocates nothing, however it is divided. Without
// memory the sets grow when they are filled. Under the lock.
static void reserve_free_sets(const FiloWorld *world, EcsChangesPool *pool) {
    size_t free_sets = 0;
    for (EcsChangeSet *set = pool->free; set != NULL; set = set->next) free_sets++;
    for (; free_sets < pool->reserve_sets; free_sets++) {
        EcsChangeSet *set = new_set(world->allocator, pool);
        if (set == NULL) break;
        give_set(pool, set);
    }
    for (EcsChangeSet *set = pool->free; set != NULL; set = set->next) {
        if (set->capacity < pool->reserve_bytes && !resize_set(world, set, pool->reserve_bytes)) return;
        if (set->temporaries.capacity < pool->reserve_temporaries &&
            !filo_array_reserve(&set->temporaries, pool->reserve_temporaries))
            return;
    }
}

// Before the first tick, so that the first changes of a game, whenever they come, find memory. Two sets for each worker.
void ecs_changes_reserve(FiloWorld *world) {
    EcsChangesPool *pool = world->changes;
    size_t workers = world->jobs != NULL ? (size_t)filo_jobs_threads(world->jobs) : 1;
    filo_mutex_lock(&pool->lock);
    pool->reserve_bytes = FILO_MAX(pool->reserve_bytes, (size_t)RESERVE_BYTES);
    pool->reserve_temporaries = FILO_MAX(pool->reserve_temporaries, RESERVE_BYTES / sizeof(FiloEntity) / 2);
    pool->reserve_sets = FILO_MAX(pool->reserve_sets, FILO_MIN(2 * workers, (size_t)RESERVE_SETS_MAX));
    reserve_free_sets(world, pool);
    filo_mutex_unlock(&pool->lock);
    ecs_refresh_reserve(world);
}

// Raises a level by powers of four until it reaches `wanted` or `most`: with each of its steps all free sets grow. False
// if it stays.
static bool raise_level(size_t *level, size_t wanted, size_t most) {
    if (wanted <= *level || *level >= most) return false;
    size_t next = FILO_MAX(*level, (size_t)8);
    while (next < wanted && next < most) next *= 4;
    *level = FILO_MIN(next, most);
    return true;
}

// Raises the reserves of the pool to what these sets used. False if they stay.
static bool raise_reserves(EcsChangesPool *pool, const EcsChangeSet *sets, size_t count) {
    size_t bytes = 0, temporaries = 0;
    for (const EcsChangeSet *set = sets; set != NULL; set = set->next) {
        bytes += set->used;
        temporaries += set->temporaries.count;
    }
    bool more = raise_level(&pool->reserve_bytes, bytes, RESERVE_BYTES_MAX);
    more =
        raise_level(&pool->reserve_temporaries, temporaries, RESERVE_BYTES_MAX / sizeof(FiloEntity)) || more;
    return raise_level(&pool->reserve_sets, count * 2, RESERVE_SETS_MAX) || more;
}

static void apply_submitted(FiloWorld *world) {
    EcsChangesPool *pool = world->changes;
    size_t count;
    EcsChangeSet *sets = take_submitted(pool, &count);
    (void)ecs_refresh_apply(world, sets);
    bool several = world->jobs != NULL && filo_jobs_threads(world->jobs) > 1;
    bool more = several && raise_reserves(pool, sets, count);
    for (EcsChangeSet *set = sets; set != NULL; set = set->next) clear_set(world, set);
    filo_mutex_lock(&pool->lock);
    for (EcsChangeSet *set = sets, *next; set != NULL; set = next) {
        next = set->next;
        give_set(pool, set);
    }
    if (more) reserve_free_sets(world, pool);
    filo_mutex_unlock(&pool->lock);
}

void ecs_changes_refresh(FiloWorld *world) {
    if (world->changes->submitted != NULL) apply_submitted(world);
    if (world->refreshed_holders > 0)
        filo_array_each (&world->components, component)
            if ((*component)->interface != NULL && (*component)->interface->refresh != NULL)
                (*component)->interface->refresh((*component)->holder);
}

void ecs_changes_drop_submitted(FiloWorld *world) {
    ecs_changes_close(&world->schedule->call_changes);
    // The sets stay submitted until the next refresh, which replaces their temporary ids in events and globals.
    for (EcsChangeSet *set = world->changes->submitted; set != NULL; set = set->next)
        clear_records(world, set);
}

// ---- Standalone change sets -------------------------------------------------------------------------------

FiloChanges *filo_changes_create(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    FiloChanges *changes = filo_alloc(world->allocator, sizeof *changes, 0);
    if (changes == NULL) return NULL;
    ecs_changes_open(changes, world, 0, 0);
    changes->standalone = true;
    return changes;
}

static bool is_standalone(const FiloChanges *changes) {
    return FILO_CHECK(changes != NULL && changes->standalone,
                      "this change set is the system's: the world applies it at the end of the phase");
}

bool filo_changes_apply(FiloChanges *changes) {
    if (!is_standalone(changes) || !ecs_may_change(changes->world, "apply a change set")) return false;
    EcsChangeSet *set = changes->set;
    if (set == NULL) return true;
    set->next = NULL;
    bool complete = ecs_refresh_apply(changes->world, set);
    // The temporary ids stay valid until the next record, for filo_changes_resolved.
    clear_records(changes->world, set);
    return complete;
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
    if (changes == NULL || !is_standalone(changes)) return;
    EcsChangesPool *pool = changes->world->changes;
    if (changes->set != NULL) {
        clear_set(changes->world, changes->set);
        filo_mutex_lock(&pool->lock);
        give_set(pool, changes->set);
        filo_mutex_unlock(&pool->lock);
    }
    filo_free(changes->world->allocator, changes, sizeof *changes, 0);
}

FiloWorld *filo_changes_world(const FiloChanges *changes) {
    return FILO_CHECK(changes != NULL, "pass a change set") ? changes->world : NULL;
}
size_t filo_changes_count(const FiloChanges *changes) {
    if (!FILO_CHECK(changes != NULL, "pass a change set")) return 0;
    return changes->set != NULL ? changes->set->count : 0;
}

FiloChangesOrder filo_changes_order(const FiloChanges *changes) {
    if (!FILO_CHECK(changes != NULL, "pass a change set")) return (FiloChangesOrder){ 0, UINT32_MAX };
    bool of_call = changes == &changes->world->schedule->call_changes;
    return (FiloChangesOrder){ .row = changes->row, .system = of_call ? UINT32_MAX : changes->source };
}
