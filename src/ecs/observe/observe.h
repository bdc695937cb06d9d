// Noting what happens to entities, for observers (filo/observer.h) and tracked queries (filo/query.h).
//
//   notes.c      a list of entities, each once, in the order in which they were noted
//   watch.c      what happens to an observed component: notes with flags, and the last values of what was removed
//   track.c      what happens to the entities of a tracked query: notes with whether each matched before
//   observer.c   the registry of observers, and their rounds
//
// Where structure changes, one test decides whether anything must be noted: EcsEdge.special for moves between tables,
// EcsTable.watched for rows that are new or destroyed, EcsComponentData.watched for components outside of tables,
// FiloWorld.tracked for entities that come, go or change their activity. All notes are made by the thread that changes
// the world: at once for direct changes, in the serial steps of a refresh for change sets (refresh_fold.c for tracked
// queries, refresh_rows.c for components in tables).

#ifndef FILO_ECS_OBSERVE_OBSERVE_H
#define FILO_ECS_OBSERVE_OBSERVE_H

#include "ecs/schedule/schedule.h"
#include "ecs/world.h"

#include <filo/observer.h>

// ---- Notes ----------------------------------------------------------------------------------------------

// Entries have flags, whose meaning is that of the user, and know the entry before them for the same entity index. There
// may be several of these, because an index is used again; what is asked for is mostly the last one.
//
// `slots` leads from an entity index to the last entry for it. It is never cleared: a slot is believed only if there is
// such an entry and it is for this index (Briggs and Torczon, "An efficient representation for sparse sets", 1993).
#define ECS_NOTE_BITS  5
#define ECS_NOTE_FLAGS ((1u << ECS_NOTE_BITS) - 1)
#define ECS_NOTES_MAX  ((1u << (32 - ECS_NOTE_BITS)) - 1)
#define ECS_NO_NOTE    UINT32_MAX

typedef struct EcsNotes {
    FiloEntity *entities; // [capacity]; the beginning of the one block that has the next two as well
    FiloEntity *list;     // [capacity], scratch memory for going over them
    uint32_t *info;       // [capacity]: (entry before + 1, or 0) << ECS_NOTE_BITS | flags
    uint32_t *slots;      // by entity index
    uint32_t count, capacity, slot_count;
} EcsNotes;

void ecs_notes_deinit(EcsNotes *notes, const FiloWorld *world);
static inline void ecs_notes_clear(EcsNotes *notes) { notes->count = 0; }
// Room for so many entries in all, and for entities with an index below `end`. False without memory.
bool ecs_notes_reserve(EcsNotes *notes, const FiloWorld *world, size_t count, size_t end);
// Adds an entry for an entity that has none, with these flags. False if it may have one, or there is no room.
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
// The entry of an entity, made without flags if need be; ECS_NO_NOTE without memory.
uint32_t ecs_notes_put(EcsNotes *notes, const FiloWorld *world, FiloEntity entity);
static inline uint32_t ecs_note_flags(const EcsNotes *notes, uint32_t entry) {
    return notes->info[entry] & ECS_NOTE_FLAGS;
}
static inline void ecs_note_set_flags(EcsNotes *notes, uint32_t entry, uint32_t flags) {
    notes->info[entry] = (notes->info[entry] & ~ECS_NOTE_FLAGS) | flags;
}

// ---- Observed components --------------------------------------------------------------------------------

// Flags of its notes. Without ECS_NOTE_VALID nothing has happened yet.
enum {
    ECS_NOTE_VALID = 1,
    ECS_NOTE_HAD = 2,  // had the component when observers were last called
    ECS_NOTE_LOST = 4, // had it then, and lost it since; it may have got it again
    ECS_NOTE_HAS = 8,  // has it now
    ECS_NOTE_SET = 16, // was given a value; means nothing if it was added
};

struct EcsWatch {
    EcsComponentData *component;
    EcsNotes notes;
    uint32_t users;         // observers of the component
    uint32_t wants_removed; // of these, how many ask for what was removed
    uint32_t wants_set;     // and for what was set
    uint32_t others;        // entries to which something else happened than that they were added
    // Entities that had it and lost it, in that order, and the values that they had. The values are owned: with hooks,
    // they were moved here.
    FiloEntity *removed;
    uint8_t *values;
    size_t removed_count, removed_capacity;
    // Lists of the current round.
    const FiloEntity *added, *set;
    size_t added_count, set_count;
};

// One more observer, which asks for these kinds. False without memory.
bool ecs_watch_begin(FiloWorld *world, EcsComponentData *component, uint32_t kinds);
void ecs_watch_end(FiloWorld *world, EcsWatch *watch, uint32_t kinds);
// Brings what follows from observers and tracked queries of a component up to date: flags of tables and edges, and the
// functions by which the component is added and removed.
void ecs_watch_update(FiloWorld *world, EcsComponentData *component);
// Something happens to the component of an entity, which exists. Without memory it is not noted.
void ecs_watch_gained(FiloWorld *world, EcsWatch *watch, FiloEntity entity);
// Before the value goes. A value with hooks is moved away, and a default value is constructed in its memory, which the
// caller destructs as it would have done with the other. Returns where the value is kept, or NULL.
void *ecs_watch_lost(FiloWorld *world, EcsWatch *watch, FiloEntity entity, void *value);
// Lists what was added and set since the last time.
void ecs_watch_list(EcsWatch *watch);
// Forgets all that was noted.
void ecs_watch_clear(EcsWatch *watch);
// Room for so many that were removed. False without memory.
bool ecs_watch_reserve_removed(const FiloWorld *world, EcsWatch *watch, size_t count);

// ---- Tracked queries ------------------------------------------------------------------------------------

#define ECS_NOTE_MATCHED 1 // when the lists were last brought up to date

struct EcsTracking {
    EcsNotes notes;
    FiloArray(FiloEntity) entered;
    FiloArray(FiloEntity) left;
    // If all terms are in tables: the half that was last looked at, and whether it matches.
    const EcsPartition *partition;
    bool matches;
};

// Notes an entity, once, with whether it matches while it is in this half (NULL: it is new).
void ecs_track_note(const FiloQuery *query, FiloEntity entity, const EcsPartition *partition);

// ---- Observers ------------------------------------------------------------------------------------------

struct EcsObserverData {
    FiloSystem system; // as far as an iterator needs one
    FiloObserverFunction run;
    uint32_t id;
    uint32_t kinds;
    EcsWatch *watch;  // of a component; or
    FiloQuery *query; // tracked, for this observer alone
    bool fresh;       // all that exist are to be told
};

#endif
