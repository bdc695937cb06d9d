// The data of a world. The folders of the module:
//
//   storage/    directory (index → record), blocks (memory), components, tables and edges between them, holders
//   entity/     entities: create and destroy, get, add, set and remove; many at once; families, names, prefabs
//   query/      queries, iteration, terms, changes, sorting
//   observe/    observers and tracked queries
//   changes/    change sets, and the refresh that applies them
//   schedule/   systems, stages, ticks, event handlers, groups, states
//   snapshot/   snapshots, histories, providers, hash, difference
//   save/       saved worlds as files
//
// <part>.h in a folder describes the data of the part; world.h includes the parts that a world is made of. An entity
// that exists is always in exactly one table; one without table components is in the table of the empty set. Records
// and EcsChunkInfo move when their arrays grow, and a small chunk moves when it grows: pointers to them are invalid
// then. Tables, edges and components do not move.

#ifndef FILO_ECS_WORLD_H
#define FILO_ECS_WORLD_H

#include <filo/changes.h>
#include <filo/check.h>
#include <filo/system.h>
#include <filo/threads.h>

#include "ecs/entity/fast_path.h"
#include "ecs/storage/blocks.h"
#include "ecs/storage/table.h"

typedef struct EcsChangesPool EcsChangesPool;   // changes/changes.h
typedef struct EcsGather EcsGather;             // query/scratch.h
typedef struct EcsObserverData EcsObserverData; // observe/observe.h
typedef struct EcsOriginal EcsOriginal;         // entity/prefab.c
typedef struct EcsProviders EcsProviders;       // snapshot/snapshot.h
typedef struct EcsSchedule EcsSchedule;         // schedule/schedule.h
typedef struct EcsSystem EcsSystem;             // schedule/schedule.h
typedef struct EcsSortScratch EcsSortScratch;   // query/scratch.h

#define ECS_BUSY_RUNNING 0x80000000u // systems run

enum { ECS_CLOSED_TICK = 1, ECS_CLOSED_CALLER = 2 }; // a tick runs; filo_world_refuse_access

struct FiloWorld {
    // filo/accessor.h reads these three.
    EcsRecord *records;   // by entity index
    EcsChunkInfo *chunks; // by chunk id
    uint32_t index_end;   // indices below this were used

    // Why the structure may not change, in one word so that fast paths test once: the number of iterations between
    // ticks that have not ended, and ECS_BUSY_RUNNING.
    BASE_ATOMIC(uint32_t) busy;
    const char *name;
    uint64_t number; // unique in the process; 0: too many worlds exist (entity/accessor.c)
    FiloJobs *jobs;
    FiloEvents *events;
    FiloHeap heap;                  // of everything but chunks, unless the caller passed an allocator
    const FiloAllocator *allocator; // of everything but chunks
    EcsBlocks blocks;
    uint64_t seed, tick;
    uint64_t version;            // grows with each point in time that changes are counted from
    uint32_t restored;           // times that a snapshot was restored, which sets `version` back
    const char *restore_refused; // why no state may be restored; NULL: it may

    // Directory.
    size_t record_capacity; // a multiple of 64
    // By index: the generation of an entity that has, or had, a component outside of tables; or 0.
    uint16_t *outside;
    uint32_t outside_end;           // length of `outside`
    uint32_t free_first, free_last; // ECS_LOCATION_LAST: none
    uint32_t free_count;
    size_t entity_count;

    // Components.
    FiloArray(EcsComponentData *) components; // [id − 1]
#define ECS_TYPE_SLOTS 64
    struct {
        const FiloType *type;
        FiloComponent component;
    } type_slots[ECS_TYPE_SLOTS]; // cache of component_by_type, by address of the type
    FiloMap component_by_type;    // FiloType * → id
    FiloMap component_by_name;    // hash of the name → id
    uint32_t refreshed_holders;   // holders with a refresh function
    size_t checked_components;    // that the last tick has seen: storage/registered_by.c
    EcsComponentData *family, *entity_name, *prefab;
    FiloMap names;                      // hash of a name → entity
    FiloArray(FiloName) released_names; // released after observers were notified: entity/name.c
    FiloEntity *reparented;             // [FILO_REPARENTED_MAX]: see filo_world_reparented; NULL: none yet
    uint64_t reparented_first;          // number of reparented[0], counted from the creation of the world
    size_t reparented_count;

    // Tables.
    uint32_t chunk_end, chunk_capacity; // of `chunks`
    uint32_t chunk_generations;         // the last one; snapshots do not set it back
    FiloArray(uint32_t) free_chunk_ids;
    EcsTableArray tables;                      // by id
    FiloMap table_by_hash;                     // hash of components → the newest EcsTable * with it
    EcsTable *spare_tables[ECS_TABLE_CLASSES]; // memory of freed tables, by size: table.c
    EcsTable *empty;                           // of entities without table components
    uint64_t layout_ids;                       // the last one, see EcsPartition
    EcsCreateCache create_cache;

    EcsFastPath fast[ECS_FAST_COMPONENTS]; // [component id]

    // Queries and observers.
    FiloQuery *queries;      // newest first
    FiloMap queries_by_hash; // hash → the newest FiloQuery * with it
    size_t query_count;
    FiloArray(FiloQuery *) tracked;
    FiloArray(EcsWatch *) watches;          // of components with observers
    FiloArray(EcsObserverData *) observers; // in the order in which they were added
    uint32_t observer_ids;                  // the last one
    uint64_t observer_point;                // the last delivery point of events
    uint64_t observer_records;              // calls of observers that recorded events since then

    FiloMutex scratch_lock; // of the scratch memory below (query/scratch.c)
    EcsGather *gather_free, *gather_all;
    size_t gather_count;
    EcsSortScratch *sort_free;

    // In debug builds, why only threads that are a part of the tick may use the world: ECS_CLOSED_…. They are marked
    // (filo_jobs_marked).
    BASE_ATOMIC(uint32_t) closed;
    bool measuring;

    EcsChangesPool *changes;
    EcsSchedule *schedule;
    EcsProviders *providers;
    EcsOriginal *original; // cache of the entity that was copied last; NULL: none

    FiloWorldData data[FILO_WORLD_DATA]; // of other modules
    uint32_t data_count;
};

// Calls the functions of FiloWorldData. Between ticks.
void ecs_data_before_tick(FiloWorld *world);
void ecs_data_after_tick(FiloWorld *world);

// ---- What may be done now ---------------------------------------------------------------------------------

static inline bool ecs_is_running(const FiloWorld *world) {
    return (base_load_relaxed(&world->busy) & ECS_BUSY_RUNNING) != 0;
}
// One thread; no iteration begins or ends meanwhile.
static inline void ecs_set_running(FiloWorld *world, bool running) {
    uint32_t others = base_load_relaxed(&world->busy) & ~ECS_BUSY_RUNNING;
    base_store_relaxed(&world->busy, others | (running ? ECS_BUSY_RUNNING : 0));
}

// In debug builds, whether a tick runs or may run, and only on other threads: the calling thread runs no system, handler
// or observer, and no job that one of these started.
static inline bool ecs_is_beside_tick(const FiloWorld *world) {
#ifdef NDEBUG
    FILO_UNUSED(world);
    return false;
#else
    return FILO_UNLIKELY(base_load_relaxed(&world->closed) != 0) && !filo_jobs_marked();
#endif
}
// Reports an access from such a thread. Always false.
bool ecs_report_beside_tick(const FiloWorld *world) FILO_COLD;
// Whether the world may be read. False after a report. Every public function begins with this or with ecs_may_change.
static inline bool ecs_may_read(const FiloWorld *world) {
    return FILO_CHECK(world != NULL, "pass a world") &&
           (!ecs_is_beside_tick(world) || ecs_report_beside_tick(world));
}
// Whether the structure may change: no system runs, and no iteration.
static inline bool ecs_is_idle(const FiloWorld *world) {
    return FILO_LIKELY(base_load_relaxed(&world->busy) == 0 && !ecs_is_beside_tick(world));
}
// Reports why the structure may not change, if so. `what` as in "cannot … while systems run".
bool ecs_report_busy(const FiloWorld *world, const char *what) FILO_COLD;
// Whether the structure may change. False after a report.
static inline bool ecs_may_change(const FiloWorld *world, const char *what) {
    return ecs_is_idle(world) || ecs_report_busy(world, what);
}
// As ecs_may_change, with a result.
FiloResult ecs_check_change(const FiloWorld *world, const char *what);
// The same, and fails too where restoring a state is refused.
FiloResult ecs_check_restore(const FiloWorld *world, const char *what);

#endif
