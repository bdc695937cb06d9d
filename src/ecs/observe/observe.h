// Notes of changes to entities, for observers (filo/observer.h) and tracked queries (filo/query.h).
//
//   notes.c      a list of entities, each once, in the order in which they were noted
//   watch.c      observed components: notes with flags, and the last values of removed components
//   track.c      tracked queries: notes with a flag whether the entity matched before
//   observer.c   the registry of observers, and their calls
//
// Code that changes structure tests one field to decide whether it must call these: EcsEdge.special for moves between
// tables, EcsTable.watched for rows that are created or destroyed, EcsComponentData.watched for components outside of
// tables, FiloWorld.tracked for entities that are created, destroyed, activated or deactivated. All notes are made by
// the thread that changes the world: at once for direct changes, in the serial steps of a refresh for change sets
// (changes/fold.c for tracked queries, changes/moves.c for components in tables).

#ifndef FILO_ECS_OBSERVE_OBSERVE_H
#define FILO_ECS_OBSERVE_OBSERVE_H

#include "ecs/schedule/schedule.h"
#include "ecs/world.h"

#include <filo/observer.h>

// ---- Notes ----------------------------------------------------------------------------------------------

// An entry has flags, which watch.c and track.c define, and the number of the previous entry for the same entity index.
// There may be several, because indices are reused. Mostly the last one is needed.
//
// `slots` leads from an entity index to the last entry for it. It is never cleared: a slot is valid only if there is
// such an entry and it is for this index (Briggs and Torczon, "An efficient representation for sparse sets", 1993).
#define ECS_NOTE_BITS  5
#define ECS_NOTE_FLAGS ((1u << ECS_NOTE_BITS) - 1)
#define ECS_NOTES_MAX  ((1u << (32 - ECS_NOTE_BITS)) - 1)
#define ECS_NO_NOTE    UINT32_MAX

typedef struct EcsNotes {
    FiloEntity *entities; // [capacity]; one allocation with `list` and `info`
    FiloEntity *list;     // [capacity]; scratch memory for ecs_watch_list
    uint32_t *info;       // [capacity]: (previous entry + 1, or 0) << ECS_NOTE_BITS | flags
    uint32_t *slots;      // by entity index
    uint32_t count, capacity, slot_count;
} EcsNotes;

void ecs_notes_deinit(EcsNotes *notes, const FiloWorld *world);
static inline void ecs_notes_clear(EcsNotes *notes) { notes->count = 0; }
// Reserves memory for `count` entries in all, and for entities with an index below `end`. False without memory.
bool ecs_notes_reserve(EcsNotes *notes, const FiloWorld *world, size_t count, size_t end);
// Adds an entry for an entity that has none, with these flags. False if it may have one, or there is no memory.
static inline bool ecs_notes_add(EcsNotes *notes, FiloEntity entity, uint32_t flags) {
    uint32_t index = (uint32_t)entity.id, count = notes->count;
    if (FILO_UNLIKELY(index >= notes->slot_count || count == notes->capacity)) return false;
    uint32_t entry = notes->slots[index];
    if (entry < count && FILO_UNLIKELY((uint32_t)notes->entities[entry].id == index)) return false;
    notes->slots[index] = count;
    notes->entities[count] = entity;
    notes->info[count] = flags;
    notes->count = count + 1;
    return true;
}
// The entry of an entity, added without flags if there is none; ECS_NO_NOTE without memory.
uint32_t ecs_notes_put(EcsNotes *notes, const FiloWorld *world, FiloEntity entity);
static inline uint32_t ecs_note_flags(const EcsNotes *notes, uint32_t entry) {
    return notes->info[entry] & ECS_NOTE_FLAGS;
}
static inline void ecs_note_set_flags(EcsNotes *notes, uint32_t entry, uint32_t flags) {
    notes->info[entry] = (notes->info[entry] & ~ECS_NOTE_FLAGS) | flags;
}

// ---- Observed components --------------------------------------------------------------------------------

// Flags of its notes. Without ECS_NOTE_VALID the entry is new.
enum {
    ECS_NOTE_VALID = 1,
    ECS_NOTE_HAD = 2,  // the entity had the component when observers were last called
    ECS_NOTE_LOST = 4, // it had it then, and lost it since; it may have it again
    ECS_NOTE_HAS = 8,  // it has it now
    ECS_NOTE_SET = 16, // a value was set; ignored if the component was added
};

struct EcsWatch {
    EcsComponentData *component;
    EcsNotes notes;
    uint32_t users;         // observers of the component
    uint32_t wants_removed; // observers with FILO_OBSERVE_REMOVED
    uint32_t wants_set;     // observers with FILO_OBSERVE_SET
    uint32_t others;        // entries with other flags than those of a component that was just added
    // Entities that had it and lost it, in that order, and their last values. The watch owns the values: with hooks,
    // they were moved here.
    FiloEntity *removed;
    uint8_t *values;
    size_t removed_count, removed_capacity;
    // Lists of the current round.
    const FiloEntity *added, *set;
    size_t added_count, set_count;
};

// Adds and removes an observer of these kinds. False without memory.
bool ecs_watch_begin(FiloWorld *world, EcsComponentData *component, uint32_t kinds);
void ecs_watch_end(FiloWorld *world, EcsWatch *watch, uint32_t kinds);
// Updates all that depends on observers and tracked queries of a component: flags of tables and edges, and its
// EcsFastPath.
void ecs_watch_update(FiloWorld *world, EcsComponentData *component);
// The component was added to an entity. Without memory it is not noted.
void ecs_watch_added(FiloWorld *world, EcsWatch *watch, FiloEntity entity);
// Before the component is removed from an entity. A value with hooks is moved to EcsWatch.values, and a default value
// is constructed instead, which the caller destructs. Returns the saved value, or NULL.
void *ecs_watch_removed(FiloWorld *world, EcsWatch *watch, FiloEntity entity, void *value);
// Computes the lists of the current round.
void ecs_watch_list(EcsWatch *watch);
// Clears the notes and the list of removed ones.
void ecs_watch_clear(EcsWatch *watch);
// Reserves memory for `count` removed ones. False without memory.
bool ecs_watch_reserve_removed(const FiloWorld *world, EcsWatch *watch, size_t count);

// ---- Tracked queries ------------------------------------------------------------------------------------

#define ECS_NOTE_MATCHED 1 // the entity matched at the last refresh of the query

struct EcsTracking {
    EcsNotes notes;
    FiloArray(FiloEntity) entered;
    FiloArray(FiloEntity) left;
    // Cache, if all terms are in tables: the partition that was tested last, and whether it matches.
    const EcsPartition *partition;
    bool matches;
};

// Notes an entity, once, with whether it matches in this partition (NULL: it is new).
void ecs_track_note(const FiloQuery *query, FiloEntity entity, const EcsPartition *partition);

// ---- Observers ------------------------------------------------------------------------------------------

struct EcsObserverData {
    EcsSystem system; // the fields that an iterator needs
    FiloObserverFunction run;
    uint32_t id;
    uint32_t kinds;
    EcsWatch *watch;       // of the observed component; NULL: a query is observed
    FiloQuery *query;      // tracked, for this observer alone; or NULL
    bool existing;         // as it was added
    bool reports_existing; // its first call will be with all existing entities
};

#endif
