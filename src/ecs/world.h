// The inside of a world. Who needs what lies where, looks here.
//
//   worlds        world.c
//   directory     entities.c: index → record: which chunk and row an entity is in, and its generation
//                 (records move when it grows: nobody keeps a pointer to one across that)
//   blocks        blocks.c: memory of chunks, in a few sizes, from slabs in large pages
//   components    component.c; value.c, accessor.c, lookup.c: their values, of one entity and of many
//   tables        table.c: entities with the same set of table components; rows in chunks, columns in rows
//   moves         move.c: from table to table along cached edges; rows.h: copying values and rows
//   holders       holder.c, holder_*.c: components that lie outside of tables
//   entities      entity.c; pick.c: lists of components with values; block.c, many.c: many at once
//   quick ways    quick.c: getting, adding and removing one component, where nothing is in the way
//   structure     family.c, entity_name.c, prefab.c
//   queries       query.c; iter.h: iter.c, driven.c: going over tables, or a shorter list; term.c: terms by type;
//                 changed.c, each.c, sort.c; lent.c: buffers for them
//   observing     observe.h: notes.c, watch.c, track.c, observer.c
//   change sets   changes.c, changes_values.c, changes_read.c; refresh.c, refresh_fold.c, refresh_rows.c:
//                 applying them
//   systems       schedule.h: system.c, schedule.c, schedule_print.c, run.c, handler.c; group.c, state.c: what is on
//   places        spatial.h: spatial.c, spatial_rebuild.c, spatial_search.c, spatial_nearest.c
//   state         snapshot.h: snapshot.c, snapshot_*.c, history.c; provider.c: state outside of components
//   comparing     hash.c, difference.c; runs.c: what counts of a value
//   files         save.h: save.c, save_write.c, save_types.c, load.c, load_check.c, convert.c
//
// An entity that is in use is always in exactly one table; one without table components is in the table of
// the empty set.

#ifndef FILO_ECS_WORLD_H
#define FILO_ECS_WORLD_H

#include <filo/changes.h>
#include <filo/check.h>
#include <filo/containers.h>
#include <filo/holder.h>
#include <filo/query.h>
#include <filo/system.h>
#include <filo/threads.h>
#include <filo/world.h>

#include "base/asan.h"
#include "base/atomic.h"

// ---- Directory ------------------------------------------------------------------------------------------

// What is known of an index: six bytes, so that an entity with 16 bytes of data stays below 28 in all. A
// record is not aligned; it is read and written by the functions below.
//
// In use: where = chunk id << 13 | row in the chunk. Free: ECS_LOCATION_FREE | the index that was freed next
// (the list of free ones goes from the one freed first to the one freed last). While a refresh works on it:
// ECS_LOCATION_PENDING | number of its outcome.
typedef struct EcsRecord {
    uint8_t location[4];
    uint8_t generation[2]; // of the entity, or of the next one at this index; 0: retired
} EcsRecord;

#define ECS_LOCATION_FREE    0x80000000u
#define ECS_LOCATION_PENDING 0x40000000u
#define ECS_LOCATION_MASK    0x3FFFFFFFu
#define ECS_LOCATION_LAST    ECS_LOCATION_MASK // in the list of free indices: nobody follows
#define ECS_ROW_BITS         13
#define ECS_CHUNK_ROWS       (1u << ECS_ROW_BITS) // at most
#define ECS_CHUNKS           (1u << 17)           // at most
#define ECS_GENERATION_LAST  0xFFFFu

static inline uint32_t ecs_record_location(const EcsRecord *record) {
    uint32_t location;
    memcpy(&location, record->location, 4);
    return location;
}
static inline void ecs_record_set_location(EcsRecord *record, uint32_t location) {
    memcpy(record->location, &location, 4);
}
static inline uint32_t ecs_record_generation(const EcsRecord *record) {
    uint16_t generation;
    memcpy(&generation, record->generation, 2);
    return generation;
}
static inline void ecs_record_set_generation(EcsRecord *record, uint32_t generation) {
    uint16_t narrow = (uint16_t)generation;
    memcpy(record->generation, &narrow, 2);
}

// ---- Blocks ---------------------------------------------------------------------------------------------

#define ECS_BLOCK_SIZE    FILO_KIB(128) // of a full chunk
#define ECS_BLOCK_CLASSES 10            // 256 bytes, 512, … 128 KiB
#define ECS_BLOCK_MIN     256
#define ECS_SLAB_SIZE     FILO_MIB(2)

typedef struct EcsBlocks {
    const FiloAllocator *allocator; // of blocks that are larger, and of slabs if there is no account
    FiloMemoryAccount *account;     // NULL, or slabs come from the system and blocks are charged to this
    struct EcsFreeBlock *free[ECS_BLOCK_CLASSES]; // lists
    FiloArray(void *) slabs;
    uint8_t *next, *end; // the rest of the newest slab
    size_t used;         // bytes of blocks given out
} EcsBlocks;

void ecs_blocks_init(EcsBlocks *blocks, const FiloAllocator *allocator, FiloMemoryAccount *account);
void ecs_blocks_deinit(EcsBlocks *blocks);
// Rounded up to a size that blocks come in. Larger ones than ECS_BLOCK_SIZE come in multiples of 4 KiB.
size_t ecs_block_size(size_t size);
// Aligned to 64 bytes, not zeroed. NULL without memory. `size` as ecs_block_size gives it.
void *ecs_block_take(EcsBlocks *blocks, size_t size);
void ecs_block_give(EcsBlocks *blocks, void *block, size_t size);
// The same for memory that is kept until the end. `size` is at most ECS_BLOCK_SIZE and a multiple of
// ECS_BLOCK_MIN.
void *ecs_block_take_permanent(EcsBlocks *blocks, size_t size);

// ---- Components -----------------------------------------------------------------------------------------

typedef struct EcsTable EcsTable;
typedef FiloArray(EcsTable *) EcsTableArray;
typedef struct EcsNotes EcsNotes;               // observe.h
typedef struct EcsWatch EcsWatch;               // the same
typedef struct EcsTracking EcsTracking;         // the same
typedef struct EcsObserverData EcsObserverData; // the same

// A type that belongs to worlds: the one it was registered in, and those that were created like it. From the heap of
// the process, because any of them may be the last.
typedef struct EcsOwnedType {
    const FiloType *type;
    void (*release)(const FiloType *type);
    BASE_ATOMIC(uint32_t) worlds;
} EcsOwnedType;
typedef FiloArray(EcsOwnedType *) EcsOwnedTypes;

typedef FiloArray(FiloComponent) EcsRequiredList; // ascending

typedef struct FiloComponentData FiloComponentData;
struct FiloComponentData {
    FiloComponentInfo info;
    uint32_t id;
    bool in_table;       // columns of tables; else in a holder, or global
    bool settable;       // entities have it, and anybody may give it to them: not global, no family, no name
    bool plain;          // no hooks
    bool mixed;          // it requires others, and it or one of these lies outside of tables
    size_t size, align;  // of a value; a tag has size 0
    uint64_t layout;     // ecs_layout_hash of its type, which may be gone when a module is loaded again
    void *default_value; // NULL: zeroes
    void *global;        // the value of a global component
    const FiloHolderInterface *interface;
    void *holder;
    struct EcsSparse *sparse;       // the holder, if it is of this kind and there are no hooks: a quick way
    struct EcsTagHolder *tag;       // the same
    uint64_t *version;              // of a holder or global: when it was last written, as FiloWorld.version
    uint64_t own_version;           // where that is, unless there is a EcsFastPath
    EcsTableArray tables;           // that have it
    EcsOwnedTypes owned;            // types that it was registered with
    EcsWatch *watch;                // what its observers are going to be told; NULL: it has none
    FiloArray(FiloQuery *) tracked; // queries that have a term about it
    bool watched;                   // it has observers or tracked queries
    bool watches_set;               // observers ask for what was set
    EcsRequiredList required;       // FiloComponentInfo.required
    FiloName former[FILO_FORMER_NAMES]; // names that it had before; {0} after the last
};

// ---- Tables -----------------------------------------------------------------------------------------------

// A piece of a table. Memory: a version stamp for all columns (rows came or went) and one for each, the entity
// index of each row, then the columns, each aligned to 64 bytes.
typedef struct EcsChunk {
    uint8_t *base;
    uint32_t id; // in FiloWorld.places
} EcsChunk;

// Arrangements are multiples of this, so that the offset of a column fits below.
#define ECS_LAYOUT_ID_STEP (UINT64_C(1) << 18)

// The active or the inactive entities of a table. Chunks before the tail are full, those behind it (at most
// one spare) empty. A single chunk grows from small to full size; several are all of full size.
typedef struct EcsPartition {
    // What an iteration needs lies in one line of memory: with many small tables that is what it waits for.
    _Alignas(FILO_CACHE_LINE) uint32_t chunk_rows; // rows that fit into one chunk now
    uint32_t tail, tail_rows; // the last chunk with rows (0 if there are none), and its rows
    uint8_t *first_base;      // of chunk 0, to save a step; NULL: none
    EcsChunk *chunks;
    uint32_t layout;    // changes when offsets do
    uint32_t indices;   // where in a chunk the entity indices lie
    uint8_t *tail_base; // of the tail, to save a step; NULL: there are no chunks
    uint32_t tail_id;   // the same
    uint32_t tail_end;  // rows that fit into the tail; 0: there are no chunks
    bool inactive;

    uint32_t capacity; // rows that fit into all chunks
    uint32_t touched;  // while a refresh works on it: its number there + 1
    uint64_t
        layout_id; // a multiple of ECS_LAYOUT_ID_STEP that no other half has or had, and another one whenever `layout` changes
    uint32_t *offsets; // of each column in a chunk
    uint32_t *by_size; // of columns that have data, in the order of EcsTable.by_size
    EcsTable *table;
    uint32_t chunk_count, chunk_capacity;
    size_t block_size; // of each chunk now
} EcsPartition;

static inline uint32_t ecs_partition_count(const EcsPartition *partition) { // rows
    return partition->tail * partition->chunk_rows + partition->tail_rows;
}

// How a row of one table becomes a row of another.
typedef struct EcsCopy {
    uint16_t from, to; // columns
    uint32_t size;
} EcsCopy;

typedef struct EcsEdge {
    uint64_t key; // component << 1 | added, or ECS_EDGE_TABLE | id of the other table
    // The halves that were last moved between, how they were arranged then, and the offsets that follow: of the
    // copies, from and to, and of the first new column. No arrangement, 0: none, or columns have move hooks. If the edge
    // is for one component, both halves are active or both are not.
    EcsPartition *resolved_from, *resolved_to;
    uint64_t from_layout_id, to_layout_id;
    uint32_t *offsets, *end_8, *end_4; // of copies of 8 bytes, then of 4, then of the rest
    uint32_t added_offset;
    bool has_rest;   // some copies are neither of 8 bytes nor of 4
    uint8_t special; // ECS_EDGE_…: what a move along it takes besides copying; 0: nothing
    bool plain;      // no column of either has hooks
    bool movable;    // no column of either has a move hook
    EcsCopy *copies; // in the same order
    uint32_t copy_count, copy_8, copy_4;
    EcsTable *to;
    EcsWatch *watch; // if it is simple, one of these
    FiloQuery *query;
    uint16_t *added;   // columns of `to` that are new
    uint16_t *dropped; // columns of the table that are not in `to`
    uint32_t added_count, dropped_count;
    size_t memory_size;
} EcsEdge;

#define ECS_EDGE_TABLE (UINT64_C(1) << 63)

enum {
    ECS_EDGE_CONSTRUCTS = 1, // a new column has a construct hook
    ECS_EDGE_DESTRUCTS = 2,  // a column that goes has a destruct hook
    ECS_EDGE_WATCHED = 4,    // a column that comes or goes has observers
    ECS_EDGE_TRACKED = 8,    // or tracked queries
    ECS_EDGE_SIMPLE = 16,    // there is one of both, and nothing else
};

#define ECS_TABLE_CLASSES  32  // tables from 32 × ECS_BLOCK_MIN bytes on have memory of their own
#define ECS_DIRECT_COLUMNS 256 // components below this are found in a table by one step

struct EcsTable {
    EcsPartition partitions[2]; // active, inactive
    EcsEdge *last_edge;         // the one that was looked up last; NULL: none
    uint32_t id;
    uint32_t column_count;
    uint32_t *components; // [column_count], ascending
    uint32_t *sizes;      // of each column
    FiloComponentData **data;
    uint16_t *column_of; // by component id below `direct`: column + 1, 0 if it has none
    uint32_t direct;
    uint32_t by_size_8, by_size_4, by_size_count;
    uint16_t *by_size;  // columns that have data: those of 8 bytes first, then of 4, then the rest
    bool plain;         // no column has hooks
    bool movable;       // no column has a move hook: rows move as bytes
    bool watched;       // some column has observers
    bool has_rest;      // there are columns that are neither plain data of 8 bytes nor of 4
    size_t row_size;    // bytes of a row, with its entity index
    size_t memory_size; // of this struct with all its arrays
    EcsEdge **edges;    // by hash of the key
    uint32_t edge_count, edge_mask;
    uint64_t hash;       // of the components
    EcsTable *same_hash; // the next one with this hash
};

// Where a chunk is, by its id.
typedef struct EcsChunkInfo {
    uint8_t *base;
    EcsPartition *partition;
    uint64_t layout_id; // of the half
    uint32_t ordinal;
    uint32_t generation; // of the chunk, see FiloChunkId
} EcsChunkInfo;

// ---- Queries ----------------------------------------------------------------------------------------------

typedef enum EcsTermSource {
    ECS_SOURCE_TABLE,  // a column, or none
    ECS_SOURCE_HOLDER, // a pointer per row
    ECS_SOURCE_PARENT, // a pointer per row
    ECS_SOURCE_GLOBAL, // one pointer
} EcsTermSource;

typedef struct EcsQueryTerm {
    FiloComponentData *component;
    FiloTermKind kind;
    FiloAccess access;
    EcsTermSource place;
    bool changed;
} EcsQueryTerm;

#define ECS_NO_COLUMN      UINT16_MAX
#define ECS_OUTSIDE_COLUMN (UINT16_MAX - 1) // of a term that is not in tables: the column is set by others

// A half of a table that matches.
typedef struct EcsMatch {
    EcsPartition *partition;
    uint32_t layout; // of the half, for which the offsets hold
    bool any;        // it has one of the terms of which any will do
    struct EcsMatchColumn {
        uint32_t offset; // in a chunk
        uint16_t column; // ECS_NO_COLUMN: it has none
    } terms[];
} EcsMatch;

// Pointers for rows that do not lie together.
#define ECS_GATHER_ROWS 256
typedef struct EcsGather {
    void *pointers[FILO_TERMS][ECS_GATHER_ROWS];
    uint32_t indices[ECS_GATHER_ROWS];
    uint32_t rows[ECS_GATHER_ROWS];
    struct EcsGather *next_free, *next_all;
} EcsGather;

// FiloIter.flags
enum {
    ECS_ITER_SLOW = 1,    // gathers, or asks for changes, or is a part
    ECS_ITER_COUNTED = 2, // in FiloWorld.busy
    ECS_ITER_ENDED = 4,
    ECS_ITER_VARIED = 8, // some terms have a column in some tables only
    ECS_ITER_LOOKS = 16, // only looks: nothing counts as written. Always with ECS_ITER_SLOW
};

// Room to sort in (sort.c), lent like the above.
typedef struct EcsSortScratch {
    struct EcsSortScratch *next_free;
    size_t size; // bytes, with this
} EcsSortScratch;

struct FiloQuery {
    FiloWorld *world;
    size_t users;
    uint64_t hash;
    FiloQueryDesc desc; // as it was asked for, with types replaced by components
    EcsQueryTerm terms[FILO_TERMS];
    const FiloType
        *types[FILO_TERMS]; // of terms that are found by type, see filo_iter_read_type; NULL: not so
    uint32_t term_count;
    uint32_t global_terms; // bits
    FiloActivity activity;
    uint32_t fixed;      // the first terms, up to here, have a column in every match
    uint32_t varied;     // from here on, no term has one in any
    uint32_t written;    // bits of the fixed terms that are written
    uint32_t outside;    // terms that are not in tables, and not global
    bool gathers;        // there are some: a pointer per row
    bool filters;        // and they may leave rows out
    uint32_t tag_filter; // 1 + a term that is a tag outside of tables, required or rejected; 0: none
    bool any;            // there are terms of which any will do
    bool any_row;        // and some of these are not in tables
    bool changed;        // some term asks for changes
    size_t match_size;   // bytes
    uint8_t *matches;    // in the order in which tables appeared
    size_t match_count, match_capacity;
    uint64_t last_version; // of the world, when it was last gone over
    EcsTracking *tracking; // NULL: not tracked
    uint64_t owner;        // a system or observer whose tracked query it is, as a hash; 0: anybody's
    FiloQuery *next;       // in FiloWorld.queries
};

// ---- Change sets ------------------------------------------------------------------------------------------

typedef struct EcsChangesPool EcsChangesPool; // changes.h

// ---- Systems ----------------------------------------------------------------------------------------------

typedef struct EcsSchedule EcsSchedule; // schedule.h

// ---- Providers --------------------------------------------------------------------------------------------

typedef struct EcsProviders EcsProviders; // snapshot.h

// ---- Creating -----------------------------------------------------------------------------------------------

// How an entity was created lately, so that the next one that is asked for in the same way is created without
// looking anything up: which components were given in which order. All are plain and lie in tables.
#define ECS_CREATE_CACHE_COMPONENTS 12
typedef struct EcsCreateCache {
    EcsPartition *partition; // where it went; NULL: there is no recipe, or some components were required
    EcsPartition *partition_required; // the same if some were required
    uint32_t layout;                  // of the half, for which the offsets hold
    uint32_t count;                   // listed; up to `total`, those follow that these require
    uint32_t total;
    bool observed; // somebody wants to hear of it
    struct {
        uint32_t component, offset, size;
    } components[ECS_CREATE_CACHE_COMPONENTS];
} EcsCreateCache;

typedef struct EcsOriginal EcsOriginal; // prefab.c

// ---- Sparse lists -------------------------------------------------------------------------------------------

// A dense list of entities and values, and by entity index the place in it: see holder.h.
typedef struct EcsSparse {
    uint32_t *slots; // by entity index: place in the list + 1, 0 if it is not there
    FiloEntity
        *entities;   // [count], in the order of adding, except that the last takes the place of one that goes
    uint8_t *values; // [count × size]
    uint32_t slot_count;
    uint32_t count, capacity;
    uint32_t align;
    size_t size;
    const FiloAllocator *allocator;
} EcsSparse;

// ---- Quick ways ---------------------------------------------------------------------------------------------

// How a component is got, and added and removed between ticks, where that is written out: see quick.c. All that the
// first steps need lies in the world itself, for the components with the lowest ids.
#define ECS_FAST_COMPONENTS 256
typedef struct EcsFastPath EcsFastPath;
struct EcsFastPath {
    void *(*add)(FiloWorld *world, FiloEntity entity, EcsFastPath *fast);
    bool (*remove)(FiloWorld *world, FiloEntity entity, EcsFastPath *fast);
    void *(*get)(const FiloWorld *world, FiloEntity entity, const EcsFastPath *fast);
    bool (*set)(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, const void *value); // not NULL
    union {                                                                                 // by storage
        EcsSparse sparse; // the holder itself, if there are no hooks
        struct EcsTagHolder *tag;
        struct EcsArrayHolder *array;
        struct {
            EcsEdge *edges[2]; // along which an entity lost it or got it, the last time; NULL: none
            BASE_ATOMIC(uint64_t)
            cached_column; // an arrangement, and the offset of the column there; see get_in_table
            size_t size;   // of a value
        } table;
    };
    uint64_t version;                        // see FiloComponentData
    FiloComponentData *data;                 // NULL: there is no such component
} __attribute__((aligned(FILO_CACHE_LINE))); // and so of a size that is quickly multiplied

// ---- The world --------------------------------------------------------------------------------------------

#define ECS_BUSY_RUNNING   0x80000000u // as `running`
#define ECS_BUSY_ITERATING 0x7FFFFFFFu

struct FiloWorld {
    // What filo/accessor.h looks at comes first.
    EcsRecord *records;   // by index
    EcsChunkInfo *chunks; // chunks by id
    uint32_t index_end;   // indices below this were given

    // Why the structure may not change, in one word, so that the quick ways look once: the number of iterations between
    // ticks that have not ended, and ECS_BUSY_RUNNING.
    BASE_ATOMIC(uint32_t) busy;
    const char *name;
    uint64_t number; // that no other world has; 0: it could not be given
    FiloJobs *jobs;
    FiloEvents *events;
    FiloHeap heap;                  // of everything but chunks, unless an allocator was given
    const FiloAllocator *allocator; // of everything but chunks
    EcsBlocks blocks;
    uint64_t seed, tick;
    uint64_t version;  // grows whenever who looks for changes must tell before from after
    uint32_t restored; // times that a snapshot was restored, which sets `version` back

    // Directory.
    size_t record_capacity; // of records; a multiple of 64
    uint16_t *outside;      // by index: the generation of an entity that has, or had, a component that
                            // lies outside of tables; 0: nobody has
    uint32_t outside_end;   // how far that goes: from here on nobody has
    uint32_t free_first, free_last; // ECS_LOCATION_LAST: none
    uint32_t free_count;
    size_t entity_count;

    FiloArray(FiloComponentData *) components; // [id − 1]
#define ECS_TYPE_SLOTS 64
    struct {
        const FiloType *type;
        FiloComponent component;
    } type_slots[ECS_TYPE_SLOTS]; // by address of the type: the latest registered with this slot
    FiloMap component_by_type;    // FiloType * → id
    FiloMap component_by_name;    // hash of the name → id
    uint32_t refreshed_holders;   // holders that want to know of each refresh
    FiloComponentData *family, *entity_name, *prefab;
    FiloMap names;                  // hash of a name → entity
    FiloArray(FiloName) gone_names; // that observers are still told of, see entity_name.c
    // Entities that got another parent: see filo_world_reparented. Each has a number; the first one here has this.
    FiloEntity *reparented; // [FILO_REPARENTED_MAX]; NULL: none yet
    uint64_t reparented_first;
    size_t reparented_count;

    uint32_t chunk_id_end, chunk_info_capacity; // of places
    uint32_t chunk_generations;                 // given so far; snapshots do not set it back
    FiloArray(uint32_t) free_chunk_ids;
    EcsTableArray tables;                      // by id
    FiloMap table_by_hash;                     // hash of components → the newest EcsTable * with it
    EcsTable *spare_tables[ECS_TABLE_CLASSES]; // memory of tables that went, by size; see table.c
    EcsTable *empty;                           // of entities without table components
    uint64_t layout_ids;                       // given so far, see EcsPartition
    EcsTable *last_created;                    // where the last entity was created, to save a look-up
    EcsCreateCache create_cache;

    EcsFastPath fast[ECS_FAST_COMPONENTS]; // [id]; none has the id 0

    FiloQuery *queries; // newest first
    size_t query_count;
    FiloArray(FiloQuery *) tracked;
    FiloArray(EcsWatch *) watches;          // of components that have observers
    FiloArray(EcsObserverData *) observers; // in the order in which they were added
    uint32_t observer_ids;                  // given so far
    uint64_t observer_point,
        observer_records; // the last delivery point of events, and calls that recorded some since

    FiloMutex scratch_lock; // of those below (lent.c)
    EcsGather *gather_free, *gather_all;
    size_t gather_count;
    EcsSortScratch *sort_free;

    bool running; // systems run: the structure stays
#ifndef NDEBUG
    BASE_ATOMIC(bool) ticking; // threads that are a part of the tick are marked (filo_jobs_marked)
#endif
    bool measuring;

    EcsChangesPool *changes;
    EcsSchedule *schedule;
    EcsProviders *providers;
    EcsOriginal *original; // that was copied last; NULL: none was
};

// ---- run.c: access from beside a tick -----------------------------------------------------------------

// In debug builds, whether a tick runs, and the calling thread is no part of it: it runs no system, handler or observer,
// and no job that one of these started.
static inline bool ecs_is_beside_tick(const FiloWorld *world) {
#ifdef NDEBUG
    FILO_UNUSED(world);
    return false;
#else
    return FILO_UNLIKELY(base_load_relaxed(&world->ticking)) && !filo_jobs_marked();
#endif
}
// Reports it. Always false.
bool ecs_report_beside_tick(void) FILO_COLD;
// Whether the world may be looked at: all that is asked of it begins with this. False after a report.
static inline bool ecs_may_look(const FiloWorld *world) {
    return FILO_CHECK(world != NULL, "pass a world") &&
           (!ecs_is_beside_tick(world) || ecs_report_beside_tick());
}

// ---- entities.c: the directory ------------------------------------------------------------------------

static inline EcsRecord *ecs_record(const FiloWorld *world, uint32_t index) { return &world->records[index]; }
static inline FiloEntity ecs_entity_make(uint32_t index, uint32_t generation) {
    return (FiloEntity){ (uint64_t)generation << 32 | index };
}
// Whether a record is in use and of this generation. `entity` has the index of the record.
static inline bool ecs_record_is_of(const EcsRecord *record, FiloEntity entity) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t
        end; // the upper half of `where`, and the generation: ECS_LOCATION_FREE lies right below the latter
    memcpy(&end, (const uint8_t *)record + 2, 4);
    return end >> 15 == entity.id >> 31;
#else
    return ecs_record_generation(record) == entity.id >> 32 &&
           (ecs_record_location(record) & ECS_LOCATION_FREE) == 0;
#endif
}
// The record of an entity that exists; NULL if it does not.
static inline EcsRecord *ecs_record_find(const FiloWorld *world, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(index >= world->index_end)) return NULL;
    EcsRecord *record = ecs_record(world, index);
    return FILO_LIKELY(ecs_record_is_of(record, entity)) ? record : NULL;
}
static inline FiloEntity ecs_entity_of_index(const FiloWorld *world, uint32_t index) {
    return ecs_entity_make(index, ecs_record_generation(ecs_record(world, index)));
}
static inline bool ecs_entity_is_outside(const FiloWorld *world, uint32_t index) {
    return index < world->outside_end && world->outside[index] != 0;
}
// Whether an entity exists and is marked as one that has, or had, something outside of tables: one look for both.
static inline bool ecs_entity_exists_outside(const FiloWorld *world, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
    uint64_t generation = entity.id >> 32;
    return FILO_LIKELY(index < world->outside_end && generation != 0) && world->outside[index] == generation;
}
// Room for marking indices below `end`. False without memory.
bool ecs_outside_reach(FiloWorld *world, size_t end);
// Marks an entity that exists. False without memory.
static inline bool ecs_entity_mark_outside(FiloWorld *world, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(index >= world->outside_end) && !ecs_outside_reach(world, (size_t)index + 1))
        return false;
    world->outside[index] = (uint16_t)(entity.id >> 32);
    return true;
}
// Memory for `count` more indices, so that giving them cannot fail.
bool ecs_directory_grow(FiloWorld *world, size_t count);
static inline bool ecs_directory_reserve(FiloWorld *world, size_t count) {
    if (FILO_LIKELY(count <= world->free_count)) return true;
    uint64_t end = world->index_end + (uint64_t)(count - world->free_count);
    return FILO_LIKELY(end <= world->record_capacity) || ecs_directory_grow(world, count);
}
// An index for a new entity; there must be room. Its record is in use, its place is not set.
static inline uint32_t ecs_directory_take(FiloWorld *world) {
    world->entity_count++;
    uint32_t index = world->free_first;
    if (index != ECS_LOCATION_LAST) {
        EcsRecord *record = ecs_record(world, index);
        world->free_first = ecs_record_location(record) & ECS_LOCATION_MASK;
        if (world->free_first == ECS_LOCATION_LAST) world->free_last = ECS_LOCATION_LAST;
        world->free_count--;
        ecs_record_set_location(record, 0);
        return index;
    }
    index = world->index_end++;
    EcsRecord *record = ecs_record(world, index);
    ecs_record_set_location(record, 0);
    ecs_record_set_generation(record, 1);
    return index;
}
// Takes an index that is free, or beyond the end (the ones between become free). There must be room. Slow
// where many are free that became so in no order.
bool ecs_directory_reserve_at(FiloWorld *world, uint32_t index);
void ecs_directory_take_at(FiloWorld *world, uint32_t index, uint32_t generation);
// Puts an index at the end of the list of free ones.
static inline void ecs_directory_append_free(FiloWorld *world, uint32_t index, EcsRecord *record) {
    ecs_record_set_location(record, ECS_LOCATION_FREE | ECS_LOCATION_LAST);
    if (world->free_last != ECS_LOCATION_LAST)
        ecs_record_set_location(ecs_record(world, world->free_last), ECS_LOCATION_FREE | index);
    else
        world->free_first = index;
    world->free_last = index;
    world->free_count++;
}
// Frees the index of an entity that has nothing outside of tables; ids with its generation are stale from now
// on.
static inline void ecs_directory_give_inside(FiloWorld *world, uint32_t index, EcsRecord *record) {
    uint32_t generation = ecs_record_generation(record);
    world->entity_count--;
    if (FILO_UNLIKELY(generation == ECS_GENERATION_LAST)) {
        ecs_record_set_generation(record, 0);
        ecs_record_set_location(record, ECS_LOCATION_FREE | ECS_LOCATION_LAST);
        return;
    }
    ecs_record_set_generation(record, generation + 1);
    ecs_directory_append_free(world, index, record);
}
// The same for many such entities.
void ecs_directory_give_rows(FiloWorld *world, const uint32_t *indices, uint32_t count);
// The same for any entity.
static inline void ecs_directory_give(FiloWorld *world, uint32_t index) {
    if (index < world->outside_end) world->outside[index] = 0;
    ecs_directory_give_inside(world, index, ecs_record(world, index));
}
// Undoes ecs_directory_take, the latest first: the index comes next again, with the same generation. `end` is
// FiloWorld.index_end from before it was taken.
void ecs_directory_take_back(FiloWorld *world, uint32_t index, uint32_t end);
// Takes all indices out of the list whose records are marked with ECS_LOCATION_PENDING.
void ecs_directory_unlink_marked(FiloWorld *world);
void ecs_directory_deinit(FiloWorld *world);

// ---- table.c ------------------------------------------------------------------------------------------

static inline uint32_t ecs_location(uint32_t chunk_id, uint32_t row) {
    return chunk_id << ECS_ROW_BITS | row;
}
static inline uint32_t *ecs_chunk_indices(const EcsPartition *partition, const uint8_t *base) {
    return (uint32_t *)(void *)(base + partition->indices); // NOLINT: chunks are not const
}
// When rows last came or went, and when each column was last written, as FiloWorld.version.
static inline uint64_t *ecs_chunk_version(uint8_t *base) { return (uint64_t *)(void *)base; }
static inline uint64_t *ecs_chunk_versions(uint8_t *base) { return (uint64_t *)(void *)base + 1; }
static inline size_t ecs_chunk_versions_size(const EcsTable *table) {
    return (table->column_count + 1) * sizeof(uint64_t);
}
static inline uint8_t *ecs_chunk_column(const EcsPartition *partition, uint8_t *base, uint32_t column) {
    return base + partition->offsets[column];
}
// Marks a column of a chunk as changed. On several threads at once, perhaps, but always with the same number. Who
// does it again does not write: later loads would wait until it is known where to.
static inline void ecs_column_mark_changed(const FiloWorld *world, uint8_t *base, uint32_t column) {
    uint64_t *stamp = &ecs_chunk_versions(base)[column];
    if (FILO_UNLIKELY(__atomic_load_n(stamp, __ATOMIC_RELAXED) != world->version))
        __atomic_store_n(stamp, world->version, __ATOMIC_RELAXED);
}
// Rows came or went: marks all columns of a chunk as changed.
static inline void ecs_chunk_mark_changed(const FiloWorld *world, uint8_t *base) {
    *ecs_chunk_version(base) = world->version;
}
// The column of a component in a table; ECS_NO_COLUMN if it has none.
uint32_t ecs_table_column_slow(const EcsTable *table, uint32_t component);
static inline uint32_t ecs_table_column(const EcsTable *table, uint32_t component) {
    if (FILO_LIKELY(component < table->direct)) return (uint32_t)(uint16_t)(table->column_of[component] - 1);
    return component < ECS_DIRECT_COLUMNS ? ECS_NO_COLUMN : ecs_table_column_slow(table, component);
}
// The table of a set of components, made if need be. `components` ascending, all stored in tables. NULL
// without memory.
EcsTable *ecs_table_of(FiloWorld *world, const uint32_t *components, uint32_t count);
// Memory for `count` more rows, so that appending them cannot fail.
bool ecs_partition_grow(FiloWorld *world, EcsPartition *partition, size_t count);
static inline bool ecs_partition_reserve(FiloWorld *world, EcsPartition *partition, size_t count) {
    return FILO_LIKELY(ecs_partition_count(partition) + count <= partition->capacity) ||
           ecs_partition_grow(world, partition, count);
}
// Brings what is remembered of the tail up to date with `tail` and `chunks`.
static inline void ecs_partition_update_tail(EcsPartition *partition) {
    partition->tail_base = partition->chunk_count > 0 ? partition->chunks[partition->tail].base : NULL;
    partition->tail_id = partition->chunk_count > 0 ? partition->chunks[partition->tail].id : 0;
    partition->tail_end = partition->chunk_count > 0 ? partition->chunk_rows : 0;
}
// To the next chunk, which is there and empty.
static inline void ecs_partition_advance(EcsPartition *partition) {
    partition->tail++;
    partition->tail_rows = 0;
    ecs_partition_update_tail(partition);
}
// Offsets have changed: what follows from them does too.
void ecs_partition_update_layout(FiloWorld *world, EcsPartition *partition);
// Debug builds tell what a pointer that was kept too long leads to: rows and blocks that are not in use any more are filled
// with ECS_GONE, and the address sanitizer stops whatever touches such a row. Rows are said to leave when their values were
// moved or destructed, and to arrive before something is written to them.
#define ECS_GONE 0xDD
#ifndef NDEBUG
void ecs_rows_leave(const EcsPartition *partition, uint8_t *base, uint32_t first, uint32_t count);
#else
static inline void ecs_rows_leave(const EcsPartition *partition, uint8_t *base, uint32_t first,
                                  uint32_t count) {
    (void)partition, (void)base, (void)first, (void)count;
}
#endif
#ifdef BASE_ASAN
void ecs_rows_arrive(const EcsPartition *partition, uint8_t *base, uint32_t first, uint32_t count);
#else
static inline void ecs_rows_arrive(const EcsPartition *partition, uint8_t *base, uint32_t first,
                                   uint32_t count) {
    (void)partition, (void)base, (void)first, (void)count;
}
#endif
// A new row at the end, for the entity with this index; there must be room. Columns are not initialised; the
// place in the directory is set. Returns the base of the chunk.
static inline uint8_t *ecs_partition_append(FiloWorld *world, EcsPartition *partition, uint32_t index,
                                            EcsRecord *record, uint32_t *row) {
    if (FILO_UNLIKELY(partition->tail_rows == partition->chunk_rows)) ecs_partition_advance(partition);
    uint8_t *base = partition->tail_base;
    uint32_t at = partition->tail_rows++;
    ecs_rows_arrive(partition, base, at, 1);
    ecs_chunk_indices(partition, base)[at] = index;
    ecs_record_set_location(record, ecs_location(partition->tail_id, at));
    ecs_chunk_mark_changed(world, base);
    *row = at;
    return base;
}
// Says where a chunk is, under another generation than any before.
static inline void ecs_chunk_set(FiloWorld *world, uint32_t id, uint8_t *base, EcsPartition *partition,
                                 uint32_t ordinal) {
    world->chunks[id] =
        (EcsChunkInfo){ base, partition, partition->layout_id, ordinal, ++world->chunk_generations };
}
// The last chunk with rows has none left.
void ecs_partition_retreat(FiloWorld *world, EcsPartition *partition);
// Takes the last `count` rows out.
void ecs_partition_shrink(FiloWorld *world, EcsPartition *partition, uint32_t count);
void ecs_table_give_memory(FiloWorld *world, EcsTable *table);
void ecs_tables_deinit(FiloWorld *world);

// ---- move.c -------------------------------------------------------------------------------------------

// The edge from a table to the one with a component more or less; NULL without memory. The component must
// (not) be in the table. With a component come those that it requires, as far as these lie in tables; its own column
// is the first of EcsEdge.added.
EcsEdge *ecs_table_edge_slow(FiloWorld *world, EcsTable *table, uint32_t component, bool add);
static inline EcsEdge *ecs_table_edge(FiloWorld *world, EcsTable *table, uint32_t component, bool add) {
    EcsEdge *last = table->last_edge;
    if (FILO_LIKELY(last != NULL && last->key == ((uint64_t)component << 1 | add))) return last;
    return ecs_table_edge_slow(world, table, component, add);
}
// The edge to any table.
EcsEdge *ecs_table_edge_to(FiloWorld *world, EcsTable *table, EcsTable *to);
// Moves the columns that both tables have, with hooks or without.
void ecs_row_move_slowly(const EcsEdge *edge, const EcsPartition *from, uint8_t *from_base, uint32_t from_row,
                         const EcsPartition *to, uint8_t *base, uint32_t row);
// Destructs the columns that only the old table has.
void ecs_row_destruct_dropped(const EcsEdge *edge, const EcsPartition *from, uint8_t *base, uint32_t row);
void ecs_table_free_edges(FiloWorld *world, EcsTable *table);
// Notes the offsets for moves between two halves, so that each is found in one step, unless columns have move
// hooks. One thread.
void ecs_edge_resolve(EcsEdge *edge, EcsPartition *from, EcsPartition *to);
static inline bool ecs_edge_resolved(const EcsEdge *edge, const EcsPartition *from, const EcsPartition *to) {
    return edge->from_layout_id == from->layout_id && edge->to_layout_id == to->layout_id;
}
// What filo_entity_add, filo_entity_set and filo_entity_remove do for a component that has come or gone along an edge
// before, when the structure may change. Those with `required` are for a component that requires
// others, all of which lie in tables.
void *ecs_table_add(FiloWorld *world, FiloEntity entity, EcsFastPath *fast);
void *ecs_table_add_required(FiloWorld *world, FiloEntity entity, EcsFastPath *fast);
bool ecs_table_set(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, const void *value);
bool ecs_table_set_required(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, const void *value);
bool ecs_table_remove(FiloWorld *world, FiloEntity entity, EcsFastPath *fast);
// Moves an entity to a half with room for it; new columns get their first values. Returns the new base and
// row.
uint8_t *ecs_entity_move(FiloWorld *world, uint32_t index, EcsRecord *record, EcsEdge *edge, EcsPartition *to,
                         uint32_t *row);

// ---- holder.c -----------------------------------------------------------------------------------------

extern const FiloHolderInterface ecs_holder_sparse, ecs_holder_array, ecs_holder_map, ecs_holder_tag;
// For a component that is described already. NULL without memory.
void *ecs_holder_create(FiloWorld *world, const FiloComponentData *component);
// The value, NULL if the entity has none; for tags anything but NULL. Stale ids are recognised.
void *ecs_holder_get(const FiloWorld *world, const FiloComponentData *component, FiloEntity entity);
// Adds the component to an existing entity, with its first value; it must not be there. NULL without memory.
void *ecs_holder_add(FiloWorld *world, FiloComponentData *component, FiloEntity entity);
bool ecs_holder_remove(FiloWorld *world, FiloComponentData *component, FiloEntity entity);
// Takes an entity out of all holders.
void ecs_holders_forget(FiloWorld *world, FiloEntity entity);

// ---- prefab.c -----------------------------------------------------------------------------------------

// Whether copies of an entity, or instances of a prefab, get a component of it: all but family and name, and,
// for instances, being a prefab.
bool ecs_component_is_copied(const FiloWorld *world, const FiloComponentData *component, bool instance);

// ---- component.c --------------------------------------------------------------------------------------

static inline FiloComponentData *ecs_component_data(const FiloWorld *world, FiloComponent component) {
    return FILO_LIKELY(component.id - 1 < world->components.count) ? world->components.items[component.id - 1]
                                                                   : NULL;
}
// The same few types are asked for again and again: a small table by address comes before the map.
static inline size_t filo_type_slot(const FiloType *type) {
    return ((uintptr_t)type >> 4 ^ (uintptr_t)type >> 9) & (ECS_TYPE_SLOTS - 1);
}
// {0}: another type took the slot.
static inline FiloComponent ecs_component_cached(const FiloWorld *world, const FiloType *type) {
    size_t slot = filo_type_slot(type);
    return FILO_LIKELY(world->type_slots[slot].type == type) ? world->type_slots[slot].component
                                                             : (FiloComponent){ 0 };
}
// As filo_component_of, without a call where the type is remembered.
static inline FiloComponent ecs_component_by_type(const FiloWorld *world, const FiloType *type) {
    FiloComponent component = ecs_component_cached(world, type);
    return FILO_LIKELY(component.id != 0) ? component : filo_component_of(world, type);
}
// The component of a type; {0}, with a report, if it is not registered.
FiloComponent ecs_component_found(const FiloWorld *world, const FiloType *type) FILO_COLD;
static inline FiloComponent ecs_component_checked(const FiloWorld *world, const FiloType *type) {
    FiloComponent component = ecs_component_cached(world, type);
    return FILO_LIKELY(component.id != 0) ? component : ecs_component_found(world, type);
}
// Equal for types with the same names, kinds, values and fields at the same places.
uint64_t ecs_layout_hash(const FiloType *type);
// Lets the component of another world, which has the same type, share that type if it is an owned one. False without
// memory.
bool ecs_component_share_type(FiloComponentData *component, const FiloComponentData *other);
// The same component in another world, where all before it have the same numbers as in the first. {0} without memory.
// Whether the component had this name before.
bool ecs_component_was(const FiloComponentData *component, FiloString name);
FiloComponent ecs_component_register_like(FiloWorld *world, const FiloComponentData *other,
                                          bool with_required);
FiloResult ecs_components_init(FiloWorld *world);
void ecs_components_deinit(FiloWorld *world);
// ---- entity.c, value.c --------------------------------------------------------------------------------

// Reports that the structure may not change now, unless it may.
FiloResult ecs_world_check_change(const FiloWorld *world, const char *what);
// The same as a bool: true if it may change.
bool ecs_world_may_not_change(const FiloWorld *world, const char *what) FILO_COLD;
// `what` as in "cannot … while systems run".
static inline bool ecs_world_may_change(const FiloWorld *world, const char *what) {
    return FILO_LIKELY(base_load_relaxed(&world->busy) == 0 && !ecs_is_beside_tick(world)) ||
           ecs_world_may_not_change(world, what);
}
// One thread, and no iteration begins or ends meanwhile.
static inline void ecs_world_set_running(FiloWorld *world, bool running) {
    uint32_t others = base_load_relaxed(&world->busy) & ~ECS_BUSY_RUNNING;
    base_store_relaxed(&world->busy, others | (running ? ECS_BUSY_RUNNING : 0));
    world->running = running;
}
// Report what is wrong with what the caller passed; true if nothing is. `what` as above.
bool ecs_entity_is_good(const EcsRecord *record, FiloEntity entity, const char *what);
bool ecs_component_is_good(const FiloComponentData *data, FiloComponent component, const char *what);
void ecs_fast_paths_init(FiloWorld *world);
// Destroys the holder of a component.
void ecs_holder_destroy(FiloWorld *world, FiloComponentData *component);
// The component is new, or its holder is. A sparse list without hooks is moved into the world.
void ecs_fast_path_update(FiloWorld *world, FiloComponentData *component);
// Where the value of a component of an existing entity is, in a table or holder; NULL if it has none.
void *ecs_component_find(const FiloWorld *world, FiloEntity entity, const EcsRecord *record,
                         const FiloComponentData *component);
// Marks a component of an entity as changed.
void ecs_component_mark_changed(FiloWorld *world, const EcsRecord *record, FiloComponentData *component);
// In debug builds, reports an access from beside a tick, or that the running system did not declare.
bool ecs_access_allowed(const FiloWorld *world, const FiloComponentData *component, FiloAccess access);
static inline bool ecs_access_good(const FiloWorld *world, const FiloComponentData *component,
                                   FiloAccess access) {
#ifdef NDEBUG
    FILO_UNUSED(world), FILO_UNUSED(component), FILO_UNUSED(access);
    return true;
#else
    return ecs_may_look(world) &&
           (component == NULL || !world->running || ecs_access_allowed(world, component, access));
#endif
}
// The same as filo_entity_add, filo_entity_set and filo_entity_remove, in any case.
bool ecs_entity_set_any(FiloWorld *world, FiloEntity entity, FiloComponent component, const void *value);
void *ecs_entity_add_any(FiloWorld *world, FiloEntity entity, FiloComponent component);
bool ecs_entity_remove_any(FiloWorld *world, FiloEntity entity, FiloComponent component);
// The value of a component, wherever it is stored; NULL if the entity does not exist, or lacks it.
void *ecs_entity_find(const FiloWorld *world, FiloEntity entity, const FiloComponentData *data);
// Destroys all descendants, and takes the entity out of its own family.
void ecs_family_destroy_children(FiloWorld *world, FiloEntity entity);
// Whether an entity is another one or below it.
// Forgets which entities got other parents: readers have to look at all.
void ecs_family_forget(FiloWorld *world);
void ecs_family_deinit(FiloWorld *world);
bool ecs_family_descends(const FiloWorld *world, FiloEntity entity, FiloEntity ancestor);
// Takes an entity out of its parent's list, and lets its children go.
void ecs_family_leave(FiloWorld *world, FiloEntity entity);
// Takes an entity out of its family, of the names and of all holders.
void ecs_entity_forget(FiloWorld *world, FiloEntity entity);
// Of an entity that loses its name, or all of them: the world gives the names back.
void ecs_name_forget(FiloWorld *world, FiloName name);
void ecs_names_forget_all(FiloWorld *world);
// No observer is told of the names that went.
void ecs_names_flush(FiloWorld *world);

void ecs_row_destruct(const EcsPartition *partition, uint8_t *base, uint32_t row);
// Destroys one entity, without its children and its place in a family.
void ecs_entity_destroy_alone(FiloWorld *world, FiloEntity entity, EcsRecord *record);
// Undoes the creation of an entity for which memory was missing, the latest first: its id is given again. `end` is
// FiloWorld.index_end from before.
void ecs_entity_undo_create(FiloWorld *world, FiloEntity entity, uint32_t end);

// ---- prefab.c -----------------------------------------------------------------------------------------

void ecs_original_deinit(FiloWorld *world);
// As many instances of a prefab that exists, with the same ids and rows as if they were made one after the other.
// False without memory for some, which are {0}.
bool ecs_prefab_instantiate_each(FiloWorld *world, FiloEntity prefab, FiloEntity *entities, size_t count);
// Turns references to the prefab and its parts, in a value, into those to a fresh instance and its parts. From
// the beginning on, the world must not change. False without memory.
void ecs_prefab_remap_begin(FiloWorld *world);
bool ecs_prefab_remap(FiloWorld *world, FiloEntity prefab, FiloEntity instance, const FiloType *type,
                      void *value);

// ---- provider.c ---------------------------------------------------------------------------------------

void ecs_providers_deinit(FiloWorld *world);

// ---- query.c, iter.c, each.c --------------------------------------------------------------------------

// A new table appeared. False without memory: no query has it.
bool ecs_queries_add_table(FiloWorld *world, EcsTable *table);
void ecs_queries_deinit(FiloWorld *world);
// The type of a component is now at another address.
void ecs_queries_retype(FiloWorld *world, const FiloComponentData *component);
// As filo_query_create; with an owner, the query is shared only with the same owner.
FiloQuery *ecs_query_create_for(FiloWorld *world, const FiloQueryDesc *desc, uint64_t owner);
// Behind the last match there are always some of nothing, so that an iteration may look ahead without care.
#define ECS_MATCHES_AHEAD 8
extern EcsPartition ecs_no_partition; // nobody writes to it
void ecs_query_end_matches(FiloQuery *query);
static inline EcsMatch *ecs_query_match(const FiloQuery *query, size_t n) {
    return (EcsMatch *)(void *)(query->matches + n * query->match_size);
}
// Rows that an iteration looks at; more than match if terms must be looked at for each row.
size_t ecs_query_rows(const FiloQuery *query);
// An iteration over a part of these, `begin` to `end`, for systems: does not count as an iteration between
// ticks. For terms that ask for changes, `since` is the version of the world that the caller saw last.
// In place, because an iterator is large.
void ecs_iter_begin(FiloIter *it, FiloQuery *query, size_t begin, size_t end, uint64_t since);
static inline FiloIter ecs_query_iter_part(FiloQuery *query, size_t begin, size_t end, uint64_t since) {
    FiloIter it;
    ecs_iter_begin(&it, query, begin, end, since);
    return it;
}
// An iteration over all that nobody writes in: nothing counts as changed by it.
void ecs_iter_look(FiloIter *it, FiloQuery *query);
// In debug builds, reports what the running system would do by going over this query and did not declare; up to
// `most` of what the terms say.
bool ecs_query_declared(const FiloQuery *query, FiloAccess most);
// Whether an entity that exists matches now; or would, if it were in another half.
bool ecs_query_has(const FiloQuery *query, FiloEntity entity, const EcsRecord *record);
bool ecs_query_has_in(const FiloQuery *query, FiloEntity entity, const EcsPartition *partition);

// ---- accessor.c ---------------------------------------------------------------------------------------

// A world has its number from the beginning to the end.
void ecs_world_number_take(FiloWorld *world);
void ecs_world_number_give(const FiloWorld *world);

// ---- lent.c -------------------------------------------------------------------------------------------

// So many buffers for gathered rows, so that as many iterations at once find one. False without memory.
bool ecs_gathers_reserve(FiloWorld *world, size_t count);
// One of them; NULL without memory.
EcsGather *ecs_gather_take(FiloWorld *world);
void ecs_gather_give(FiloWorld *world, EcsGather *gather);
// Room for so many bytes; NULL without memory.
void *ecs_sort_scratch_take(FiloWorld *world, size_t size);
void ecs_sort_scratch_give(FiloWorld *world, void *room);
void ecs_scratch_deinit(FiloWorld *world);

// ---- watch.c, track.c, observer.c ---------------------------------------------------------------------

// Whether structure of entities as such is observed: those that come, go or change their activity.
static inline bool ecs_tracking(const FiloWorld *world) { return FILO_UNLIKELY(world->tracked.count > 0); }
// Whether somebody wants to hear of entities that come into or go from a table.
static inline bool ecs_observed(const FiloWorld *world, const EcsTable *table) {
    return FILO_UNLIKELY(table->watched) || ecs_tracking(world);
}
// Whether the structure may change, and nothing is in the way of the quick ways.
static inline bool ecs_world_is_quiet(const FiloWorld *world) {
    return FILO_LIKELY(base_load_relaxed(&world->busy) == 0 && !ecs_is_beside_tick(world));
}

// What follows. Each notes something for observers and tracked queries that care; what cannot be noted for lack of
// memory is lost to them, and reported.

// Before an entity leaves a row along an edge that is ECS_EDGE_WATCHED or ECS_EDGE_TRACKED, when nothing can fail any
// more.
void ecs_observe_edge(FiloWorld *world, FiloEntity entity, const EcsEdge *edge, const EcsPartition *from,
                      uint8_t *base, uint32_t row);
// The same for an edge that is ECS_EDGE_SIMPLE, along which it moves from where the edge was resolved for.
void ecs_observe_simply(FiloWorld *world, FiloEntity entity, const EcsEdge *edge, uint8_t *base,
                        uint32_t row);
// After an entity was created in a table.
void ecs_observe_created(FiloWorld *world, FiloEntity entity, const EcsTable *table);
// Before all entities are destroyed.
void ecs_observe_clear(FiloWorld *world);
// Before a row of a table that is watched goes with its entity.
void ecs_watch_row_ends(FiloWorld *world, FiloEntity entity, const EcsPartition *partition, uint8_t *base,
                        uint32_t row);
// Before an entity is destroyed or its activity changes.
void ecs_track_entity(FiloWorld *world, FiloEntity entity);
// An entity was created.
void ecs_track_created(FiloWorld *world, FiloEntity entity);
// Before a component comes or goes; and all that do along an edge.
void ecs_track_component(FiloWorld *world, FiloEntity entity, const FiloComponentData *component);
void ecs_track_edge(FiloWorld *world, FiloEntity entity, const EcsEdge *edge, const EcsTable *from);

// A table or an edge is new.
void ecs_table_watch(EcsTable *table);
void ecs_edge_watch(EcsEdge *edge, const EcsTable *from);

// A tracked query finds out what came and went since the last time.
void ecs_track_refresh_query(FiloQuery *query);
// The same for all but those of systems and observers, which are refreshed when these run.
void ecs_track_refresh(FiloWorld *world);
bool ecs_track_begin(FiloQuery *query);
void ecs_track_end(FiloQuery *query);
// Calls observers, in rounds, until there is nothing more to tell. When no system runs.
void ecs_observers_deliver(FiloWorld *world);
void ecs_observers_deinit(FiloWorld *world);

#endif
