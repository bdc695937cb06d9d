// The inside of a snapshot, and what the sources that fill it and put it back share.
//
// A snapshot is one block of bytes, cut into sections. A section is known by a key that says what it is, and
// lies at a multiple of 64 bytes; two snapshots of the same world mostly have the same keys with the same
// sizes, which is what makes a history small (history.c).
//
//   components   which components the world had: compared before anything is restored
//   header       the numbers of FiloWorld
//   pages        of the directory: records as they lie, and which have something outside of tables, as bits
//   tables       of each table: its components, and of each half how rows and chunks lie
//   chunks       that have rows, as they lie
//   holders      entities in their order, and values
//   globals, names
//   cursors      of queries and systems: since when things count as changed; who came and went
//   watches      of components that are observed: what is to be told
//   events       that wait
//   providers    what they saved
//
// Filling goes over the world twice with the same functions: first to measure, then to write.

#ifndef FILO_ECS_SNAPSHOT_H
#define FILO_ECS_SNAPSHOT_H

#include "ecs/world.h"

#include <filo/snapshot.h>

// ---- Sections -------------------------------------------------------------------------------------------

typedef enum EcsSectionKind {
    ECS_SECTION_COMPONENTS = 1,
    ECS_SECTION_HEADER,
    ECS_SECTION_PAGE,      // number
    ECS_SECTION_TABLES,    //
    ECS_SECTION_CHUNK_IDS, //
    ECS_SECTION_CHUNK,     // table, half and ordinal
    ECS_SECTION_HOLDER,    // component, part
    ECS_SECTION_GLOBAL,    // component
    ECS_SECTION_NAMES,
    ECS_SECTION_CURSORS,
    ECS_SECTION_EVENTS,
    ECS_SECTION_PROVIDER, // hash of the name
    ECS_SECTION_WATCH,    // component, part
} EcsSectionKind;

typedef struct EcsSection {
    uint64_t key; // kind << 56 | what it says above
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

// Values in a snapshot that have hooks: constructed there, and to be destructed.
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

// The numbers of FiloWorld.
typedef struct EcsSnapshotHeader {
    uint64_t seed, tick;
    uint64_t entity_count;
    uint64_t version;
    uint32_t index_end, free_first, free_last, free_count;
    uint32_t page_count, table_count, chunk_id_end, unused;
} EcsSnapshotHeader;

// A part of the directory, which is one array in the world. Beyond the last index that was given it is zero.
// FiloWorld.outside has generations; here a bit is enough, since the record has the same generation.
#define ECS_PAGE_RECORDS 8192u
typedef struct EcsSnapshotPage {
    EcsRecord records[ECS_PAGE_RECORDS];
    uint64_t outside[ECS_PAGE_RECORDS / 64];
} EcsSnapshotPage;

// The first section with this key; NULL if there is none.
const EcsSection *ecs_snapshot_find(const FiloSnapshot *snapshot, uint64_t key);
static inline const void *ecs_snapshot_at(const FiloSnapshot *snapshot, const EcsSection *section) {
    return snapshot->bytes + section->offset;
}
// Empties it.
void ecs_snapshot_clear(FiloSnapshot *snapshot);
// Memory for a content of so many bytes and sections; what it holds is kept. False without memory.
bool ecs_snapshot_reserve(FiloSnapshot *snapshot, size_t size, size_t sections);

// ---- Filling --------------------------------------------------------------------------------------------

typedef struct EcsSnapshotWriter {
    FiloWorld *world;
    FiloSnapshot *snapshot;
    bool measuring;
    size_t size, sections, owned;
    const EcsComponentData *refused; // cannot be kept, see snapshot.h in include
    bool failed;                     // out of memory, or a provider wrote more than it said
    // Instead of what the providers of the world would save: given by a file.
    const FiloSnapshot *providers;
} EcsSnapshotWriter;

// A section of this size; NULL while measuring, or if it is empty.
uint8_t *ecs_snapshot_section(EcsSnapshotWriter *writer, uint64_t key, size_t size);
// Makes copies of values with hooks, at a place inside a section.
void ecs_snapshot_copy_values(EcsSnapshotWriter *writer, const EcsComponentData *component, uint8_t *to,
                              const uint8_t *from, size_t count);
// A component with hooks is about to be kept.
void ecs_snapshot_note_hooks(EcsSnapshotWriter *writer, const EcsComponentData *component);

void ecs_snapshot_write_components(EcsSnapshotWriter *writer);
void ecs_snapshot_write_tables(EcsSnapshotWriter *writer);
void ecs_snapshot_write_holders(EcsSnapshotWriter *writer);
void ecs_snapshot_write_cursors(EcsSnapshotWriter *writer);
void ecs_snapshot_write_watches(EcsSnapshotWriter *writer);
void ecs_snapshot_write_providers(EcsSnapshotWriter *writer);

// filo_snapshot_take; with providers, these sections stand for what the world's providers and events would
// save.
FiloResult ecs_snapshot_take_with(FiloSnapshot *snapshot, FiloWorld *world, const FiloSnapshot *providers);

// ---- Restoring ------------------------------------------------------------------------------------------
//
// In three steps: prepare_… makes sure that nothing can fail later, and changes nothing that shows; commit_…
// does it; and if something could not be prepared, drop_… frees what was.

// The name of an entity. The texts follow after the last, each ending in a zero.
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
    FiloArray(void *) blocks;      // for chunks, in the order in which they will be needed
    FiloArray(size_t) block_sizes; // of each
    EcsTableArray tables;          // as the snapshot has them
    size_t tables_before;          // of the world
    FiloArray(void *) holders;     // by component: a new one that takes the place of the old; or NULL
    FiloMap names;                 // takes the place of the world's
    FiloArray(FiloName) name_ids;  // of these, in the order of the snapshot
    FiloResult result;
} EcsRestore;

// FILO_ERROR_KIND, with a message, if the world does not have the components of the snapshot.
FiloResult ecs_restore_check_components(const FiloWorld *world, const FiloSnapshot *snapshot);

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

// Events and providers; not in steps.
FiloResult ecs_restore_providers(FiloWorld *world, const FiloSnapshot *snapshot);

// filo_world_create_like; without required components, entities of the new world get what they are given and no more.
FiloResult ecs_world_create_like(FiloWorld **world, const FiloWorld *like, const FiloWorldDesc *desc,
                                 bool with_required);

// ---- Providers ------------------------------------------------------------------------------------------

typedef struct EcsProviderData {
    FiloProvider provider; // its name is a copy
    uint64_t name_hash;
} EcsProviderData;

struct EcsProviders {
    FiloArray(EcsProviderData) items; // in the order of adding
};

// Made when it is first needed; NULL without memory.
EcsProviders *ecs_providers(FiloWorld *world);
void ecs_providers_deinit(FiloWorld *world);
// The sum over providers, waiting events and groups of systems that are off.
uint64_t ecs_providers_hash(const FiloWorld *world);

// Events that wait (snapshot_events.c).
size_t ecs_pending_size(FiloWorld *world);
void ecs_pending_save(FiloWorld *world, uint8_t *bytes);
FiloResult ecs_pending_restore(FiloWorld *world, const uint8_t *bytes, size_t size);
uint64_t ecs_pending_hash(const FiloWorld *world);
// One event in such a section: its size with the payload; and all but the payload, for which the place is
// returned.
size_t ecs_pending_event_size(const FiloPendingEvent *event);
uint8_t *ecs_pending_write_event(const FiloPendingEvent *event, uint8_t *to);

#endif
