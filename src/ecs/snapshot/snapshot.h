// The inside of a snapshot, and what the sources that fill and restore it share.
//
// A snapshot is one block of bytes, divided into sections. A section has a key, which says what it holds, and begins
// at a multiple of 64 bytes. Two snapshots of the same world mostly have the same keys with the same sizes, which
// makes a history small (history.c).
//
//   components   of the world, by name and layout: compared before anything is restored (components.c)
//   header       the numbers of FiloWorld (snapshot.c, restore.c)
//   pages        of the directory: records, and bits for components outside of tables (snapshot.c, tables.c)
//   tables       of each table its components, and of each partition its layout (tables.c)
//   chunks       that have rows, as copies of their memory (tables.c)
//   holders      entities in their order, and values (holders.c)
//   globals      their values (snapshot.c, restore.c)
//   names        of entities (snapshot.c, restore.c)
//   cursors      of queries and systems: since when components count as changed; what entered and left (cursors.c)
//   watches      of observed components: what observers are still to be notified of (watches.c)
//   events       that are pending (events.c)
//   providers    what they saved (provider.c)
//
// The same functions go over the world twice: first to measure, then to write.
//
// hash.c and difference.c compare worlds; runs.c divides a value into runs, for them and for saved worlds.

#ifndef FILO_ECS_SNAPSHOT_SNAPSHOT_H
#define FILO_ECS_SNAPSHOT_SNAPSHOT_H

#include "ecs/world.h"

#include <filo/snapshot.h>

// ---- Sections -------------------------------------------------------------------------------------------

typedef enum EcsSectionKind {
    ECS_SECTION_COMPONENTS = 1,
    ECS_SECTION_HEADER,
    ECS_SECTION_PAGE, // number
    ECS_SECTION_TABLES,
    ECS_SECTION_CHUNK_IDS, // the free ones
    ECS_SECTION_CHUNK,     // table, partition and ordinal
    ECS_SECTION_HOLDER,    // component, part
    ECS_SECTION_GLOBAL,    // component
    ECS_SECTION_NAMES,
    ECS_SECTION_CURSORS,
    ECS_SECTION_EVENTS,
    ECS_SECTION_PROVIDER, // hash of the name
    ECS_SECTION_WATCH,    // component, part
} EcsSectionKind;

typedef struct EcsSection {
    uint64_t key; // kind << 56 | the number named above
    size_t offset, size;
} EcsSection;
typedef FiloArray(EcsSection) EcsSectionArray;

static inline uint64_t ecs_section_key(EcsSectionKind kind, uint64_t which) {
    return (uint64_t)kind << 56 | (which & ((UINT64_C(1) << 56) - 1));
}
static inline EcsSectionKind ecs_section_kind(const EcsSection *section) {
    return (EcsSectionKind)(section->key >> 56);
}
static inline uint64_t ecs_section_which(const EcsSection *section) {
    return section->key & ((UINT64_C(1) << 56) - 1);
}

// Values with hooks in a snapshot. They were constructed there, and are destructed when it is cleared.
typedef struct EcsOwned {
    void (*destruct)(void *value, void *user);
    void *user;
    size_t offset, count, size;
} EcsOwned;

struct FiloSnapshot {
    const FiloAllocator *allocator;
    uint8_t *bytes; // aligned to 64
    size_t size, capacity;
    EcsSectionArray sections;
    FiloArray(EcsOwned) owned;
    bool has_hooks; // some component had hooks and was not transient
};

#define ECS_SNAPSHOT_ALIGN 64

// The version of a new world.
#define ECS_FIRST_VERSION 1

// The numbers of FiloWorld.
typedef struct EcsSnapshotHeader {
    uint64_t seed, tick;
    uint64_t entity_count;
    uint64_t version;
    uint32_t index_end, free_first, free_last, free_count;
    uint32_t page_count, table_count, chunk_id_end, unused;
} EcsSnapshotHeader;

// A part of the directory, which is one array in the world. Records from FiloWorld.index_end on are zero. In place of
// the generations of FiloWorld.outside it has bits, because the record has the same generation.
#define ECS_PAGE_RECORDS 8192u
typedef struct EcsSnapshotPage {
    EcsRecord records[ECS_PAGE_RECORDS];
    uint64_t outside[ECS_PAGE_RECORDS / 64];
} EcsSnapshotPage;

// The header; NULL if the snapshot is empty.
const EcsSnapshotHeader *ecs_snapshot_header(const FiloSnapshot *snapshot);
// The first section with this key; NULL if there is none.
const EcsSection *ecs_snapshot_find(const FiloSnapshot *snapshot, uint64_t key);
static inline const void *ecs_snapshot_bytes(const FiloSnapshot *snapshot, const EcsSection *section) {
    return snapshot->bytes + section->offset;
}
void ecs_snapshot_clear(FiloSnapshot *snapshot);
// Reserves memory; the content stays. False without memory.
bool ecs_snapshot_reserve(FiloSnapshot *snapshot, size_t size, size_t sections);

// ---- Rows of a partition --------------------------------------------------------------------------------

// Chunks that have rows.
static inline uint32_t ecs_partition_used_chunks(const EcsPartition *partition) {
    return ecs_partition_count(partition) > 0 ? partition->tail + 1 : 0;
}
// Rows of one of these chunks.
static inline uint32_t ecs_partition_rows_in(const EcsPartition *partition, uint32_t chunk) {
    return chunk == partition->tail ? partition->tail_rows : partition->chunk_rows;
}

// ---- Filling --------------------------------------------------------------------------------------------

typedef struct EcsSnapshotWriter {
    FiloWorld *world;
    FiloSnapshot *snapshot;
    bool measuring;
    size_t size, sections, owned;
    const EcsComponentData *refused; // has a destruct hook and no copy hook; NULL: none
    bool failed;                     // a section was larger than when it was measured
    const FiloSnapshot *providers;   // see ecs_snapshot_take_with
} EcsSnapshotWriter;

// Adds a section. NULL while measuring, or if the size is 0.
uint8_t *ecs_snapshot_section(EcsSnapshotWriter *writer, uint64_t key, size_t size);
// Copies values by their hooks to an address inside a section.
void ecs_snapshot_copy_values(EcsSnapshotWriter *writer, const EcsComponentData *component, uint8_t *to,
                              const uint8_t *from, size_t count);
// Before values with hooks are copied: checks that they can be, and counts them while measuring.
void ecs_snapshot_count_hooks(EcsSnapshotWriter *writer, const EcsComponentData *component);

void ecs_snapshot_write_components(EcsSnapshotWriter *writer);
void ecs_snapshot_write_tables(EcsSnapshotWriter *writer);
void ecs_snapshot_write_holders(EcsSnapshotWriter *writer);
void ecs_snapshot_write_cursors(EcsSnapshotWriter *writer);
void ecs_snapshot_write_watches(EcsSnapshotWriter *writer);
void ecs_snapshot_write_providers(EcsSnapshotWriter *writer);

// As filo_snapshot_take. With `providers`, which was read from a file, its sections are copied instead of what the
// providers and events of the world would save.
FiloResult ecs_snapshot_take_with(FiloSnapshot *snapshot, FiloWorld *world, const FiloSnapshot *providers);

// ---- Restoring ------------------------------------------------------------------------------------------
//
// Two steps: prepare_… reserves everything, so that nothing can fail later, and does not change the state of the world;
// commit_… restores. If something could not be prepared, drop_… frees what was.

// The name of an entity. The texts follow the last of these, each ending in a zero.
typedef struct EcsSnapshotName {
    uint64_t hash;
    FiloEntity entity;
    uint64_t length;
    uint64_t count; // of names
} EcsSnapshotName;

typedef struct EcsRestore {
    FiloWorld *world;
    const FiloSnapshot *snapshot;
    const EcsSnapshotHeader *header;
    FiloArray(void *) blocks;      // for chunks, in the order in which they are used
    FiloArray(size_t) block_sizes; // of each
    EcsTableArray tables;          // in the order of the snapshot
    size_t tables_before;          // how many the world had
    FiloArray(void *) holders;     // by component: replaces the holder of the world; or NULL
    FiloMap names;                 // replaces FiloWorld.names
    FiloArray(FiloName) name_ids;  // of these, in the order of the snapshot
    FiloResult result;
} EcsRestore;

// FILO_ERROR_KIND, with a message, if the world does not have the components of the snapshot.
FiloResult ecs_restore_check_components(const FiloWorld *world, const FiloSnapshot *snapshot);
// As filo_snapshot_restore, after these checks. What the snapshot has no section of (names, globals, holders, cursors,
// watches, providers) gets its initial value.
FiloResult ecs_snapshot_restore(const FiloSnapshot *snapshot, FiloWorld *world);

// The section of tables of a world that was just created, in words. All of them are 0.
#define ECS_NEW_TABLES_WORDS 11

bool ecs_restore_prepare_tables(EcsRestore *restore);
void ecs_restore_commit_tables(EcsRestore *restore);
void ecs_restore_drop_tables(EcsRestore *restore);

bool ecs_restore_prepare_holders(EcsRestore *restore);
void ecs_restore_commit_holders(EcsRestore *restore);
void ecs_restore_drop_holders(EcsRestore *restore);

bool ecs_restore_prepare_cursors(EcsRestore *restore);
void ecs_restore_commit_cursors(EcsRestore *restore);

bool ecs_restore_prepare_watches(EcsRestore *restore);
void ecs_restore_commit_watches(EcsRestore *restore);

// Events and providers, in one step.
FiloResult ecs_restore_providers(FiloWorld *world, const FiloSnapshot *snapshot);

// As filo_world_create_like. Without `with_required`, components of the new world require no others.
FiloResult ecs_world_create_like(FiloWorld **world, const FiloWorld *like, const FiloWorldDesc *desc,
                                 bool with_required);

// ---- Providers ------------------------------------------------------------------------------------------

typedef struct EcsProviderData {
    FiloProvider provider; // its name is a copy
    uint64_t name_hash;
} EcsProviderData;

struct EcsProviders {
    FiloArray(EcsProviderData) items; // in the order in which they were added
};

void ecs_providers_deinit(FiloWorld *world);
// The sum over providers, pending events and groups of systems that are off.
uint64_t ecs_providers_hash(const FiloWorld *world);

// ---- Pending events -------------------------------------------------------------------------------------

size_t ecs_pending_size(FiloWorld *world);
void ecs_pending_save(FiloWorld *world, uint8_t *bytes);
FiloResult ecs_pending_restore(FiloWorld *world, const uint8_t *bytes, size_t size);
uint64_t ecs_pending_hash(const FiloWorld *world);
// The size of one event in the section, with its payload.
size_t ecs_pending_event_size(const FiloPendingEvent *event);
// Writes an event without its payload. Returns the address for the payload.
uint8_t *ecs_pending_write_event(const FiloPendingEvent *event, uint8_t *to);

#endif
