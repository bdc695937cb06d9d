// filo/snapshot.h: the whole state of a world: copied, restored, saved to files, compared.
//
//     FiloSnapshot *before = filo_snapshot_create(NULL);
//     FiloResult r = filo_snapshot_take(before, world);               // as fast as copying the memory
//     for (int i = 0; i < 60; i++) filo_world_tick(world, 1.0f / 60);
//     r = filo_snapshot_restore(before, world);                       // a second ago, to the last bit
//
//     filo_history_push(history, world);                              // once a tick, and then
//     r = filo_history_rewind(history, world, 90);                    // back by 90 ticks
//
//     r = filo_world_save(world, "slot1.save", NULL);                 // for another process
//     r = filo_world_load(world, "slot1.save", NULL);
//
// A snapshot (and a history, which is many of them) is for this process. It is a copy of the world's memory, with
// everything that decides what happens next: seed and ticks, entities and their ids, free ids, the order of rows and of
// tables, what counts as changed, what entered and left tracked queries, pending notifications of observers, pending
// events, and what providers add. A world that is restored continues exactly as it did, or would have done, after the moment of
// the snapshot. A file is for other processes. It holds the described fields of components (filo/reflect.h), and can
// be loaded by programs whose components have changed since.
//
// Systems, queries, handlers, observers and providers themselves are not a part of the state; they stay as they are.
// Restoring and loading do not notify observers (filo/observer.h). Entities have a `transient` component again if
// they had it, but with its default value. Of a double-buffered component the present values are saved, and a snapshot
// has zeroes in place of the second column.
//
// Components with hooks: a snapshot holds copies that were made by `construct` and `copy`, and destructs them when it
// is taken again or destroyed. A component that has `destruct` but no `copy` cannot be copied and is refused with a
// message, unless it is transient. A history holds bytes only and refuses components with hooks, unless they are
// transient.
//
// All functions here are used between ticks, by the thread that changes the world. A failure has a message, and
// leaves the world as it was.

#ifndef FILO_SNAPSHOT_H
#define FILO_SNAPSHOT_H

#include <filo/containers.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// ---- Snapshots ------------------------------------------------------------------------------------------

typedef struct FiloSnapshot FiloSnapshot;

// Creates an empty snapshot. NULL without memory. `allocator` NULL: filo_heap().
FiloSnapshot *filo_snapshot_create(const FiloAllocator *allocator);
// NULL is allowed.
void filo_snapshot_destroy(FiloSnapshot *snapshot);

// Fills it with the state of the world. The former content is lost, also on failure. Allocates only when it has
// become too small.
FiloResult filo_snapshot_take(FiloSnapshot *snapshot, FiloWorld *world);
// Restores the state of the snapshot, which stays as it is. The seed is a part of the state: afterwards the world has that
// of the snapshot. (For a world as new with another seed see filo_world_reset.) The world may be another than the one it
// was taken from: it must have the same components, registered in the same order, and may have more. Otherwise the result is
// FILO_ERROR_KIND, and the message names the difference. What components require is not compared: entities have what
// they had. For queries and systems that the snapshot does not have, everything counts as changed.
//
// On failure nothing has changed, with one exception: events and providers are restored one after the other, before the
// entities. If one of them fails, those before it are restored already, and the message says so. Restore again, this or
// another snapshot. Of a file, providers with `check` say before anything is restored whether they accept it.
FiloResult filo_snapshot_restore(const FiloSnapshot *snapshot, FiloWorld *world);

bool filo_snapshot_is_empty(const FiloSnapshot *snapshot);
// Bytes that it holds.
size_t filo_snapshot_size(const FiloSnapshot *snapshot);
// The ticks of the world when it was taken.
uint64_t filo_snapshot_ticks(const FiloSnapshot *snapshot);

// Creates a world with the same components as another, with what they require, and the same seed, but without entities,
// queries, systems and providers: restore a snapshot into it to try out what would happen. `desc` may be NULL; then it
// has the same scheduler, and no events. Either world may be destroyed first: types with a `release` function are
// released when both are destroyed.
FiloResult filo_world_create_like(FiloWorld **world, const FiloWorld *like, const FiloWorldDesc *desc);

// ---- History --------------------------------------------------------------------------------------------

// The states of the last ticks. The newest is stored whole; of each older one, its difference from the next,
// compressed.
typedef struct FiloHistory FiloHistory;

typedef struct FiloHistoryDesc {
    size_t length;        // of states, at most; 0: 600, ten seconds
    size_t memory_budget; // bytes; 0: no limit. Beyond it the oldest states are dropped, but never the newest
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloHistoryDesc;

// `desc` may be NULL.
FiloResult filo_history_create(FiloHistory **history, const FiloHistoryDesc *desc);
// NULL is allowed.
void filo_history_destroy(FiloHistory *history);

// Adds the present state of the world. When there are `length` of them the oldest is dropped. On failure the history
// is as it was.
FiloResult filo_history_push(FiloHistory *history, FiloWorld *world);
// Restores the state that was pushed `back` pushes before the last one (0: the last one itself). Newer states are
// dropped, so that pushing continues from there. FILO_ERROR_NOT_FOUND if the history does not have it (any more). On
// failure world and history are as they were.
FiloResult filo_history_rewind(FiloHistory *history, FiloWorld *world, size_t back);
// The same into a snapshot. No state is dropped.
FiloResult filo_history_get(FiloHistory *history, size_t back, FiloSnapshot *snapshot);

// The number of states. The largest `back` is one less.
size_t filo_history_count(const FiloHistory *history);
// The ticks of the world at a state; 0 if the history does not have it.
uint64_t filo_history_ticks(const FiloHistory *history, size_t back);
// Bytes in use.
size_t filo_history_memory(const FiloHistory *history);
// Drops all states. The memory stays reserved.
void filo_history_clear(FiloHistory *history);

// ---- Files ----------------------------------------------------------------------------------------------
//
// A file describes the components in it: fields by name, enums by the names of their values, FiloName as text. When
// it is loaded, the value of a field goes to the field with the same name, or to the one that had this name before
// (FILO_FIELD(…, .was = "hp")):
//
//   a field that is new                  has its default value;
//   a field that does not exist any more is dropped, and reported;
//   a number of another type             is converted; one that does not fit becomes the nearest that does, and is
//                                        reported;
//   a value of an enum that is gone      becomes the default value, and is reported;
//   text and lists of another length     are cut or filled up; that something was cut is reported;
//   a component that is not registered   is dropped, and reported;
//   a component with another storage     is stored in the new one;
//   a required component that is new     is added, with its default value, where an entity lacks it (filo/world.h).
//
// Ids of entities and the order of rows stay the same. After loading, everything counts as changed, nothing entered
// or left tracked queries, and observers have no pending notifications. Pending events are in the file if the world
// has events, without their `done` functions.
//
// A file is compressed (zstd) and has a checksum. A damaged or hostile file is refused with FILO_ERROR_DATA, and the
// world stays as it was. A small file cannot demand much memory: its content has at most 16 MiB, or 32 times the bytes of
// the file (of larger content, a file is padded to that), and the world that is read from it, before it replaces
// another, takes at most three times the content, or 48 MiB. What is beyond that is refused with FILO_ERROR_LIMIT or
// FILO_ERROR_MEMORY, unless FiloLoadDesc.limit allows it.

typedef struct FiloSaveDesc {
    int level;                      // of compression, 1 to 19; 0: 3
    bool skip_sync;                 // see FiloFileWriteDesc
    const FiloAllocator *allocator; // of temporary memory; NULL: filo_heap()
} FiloSaveDesc;

// Writes the world to a file, all or nothing. `desc` may be NULL.
FiloResult filo_world_save(FiloWorld *world, const char *path, const FiloSaveDesc *desc);

typedef struct FiloLoadDesc {
    // Called for each report above; each sentence once. The sentence is valid during the call. NULL: they are logged.
    void (*report)(const char *sentence, void *user);
    void *user;
    size_t limit;                   // bytes of content, and of the world that is read; 0: as above
    const FiloAllocator *allocator; // of temporary memory; NULL: filo_heap()
} FiloLoadDesc;

// Puts the world into the state of a file. `desc` may be NULL.
FiloResult filo_world_load(FiloWorld *world, const char *path, const FiloLoadDesc *desc);

typedef FiloArray(uint8_t) FiloBytes;

// The same to and from memory. `bytes` is an array of the caller, to which the file is appended. `name` is the name
// of the bytes in messages.
FiloResult filo_world_save_bytes(FiloWorld *world, FiloBytes *bytes, const FiloSaveDesc *desc);
FiloResult filo_world_load_bytes(FiloWorld *world, const void *bytes, size_t size, const char *name,
                                 const FiloLoadDesc *desc);

// ---- Difference -----------------------------------------------------------------------------------------

// The first difference, as a sentence in `text`: "entity 17 (door): Health.points is 3, was 4". It compares seed
// and ticks, then globals (with states), entities by index with their components by id, pending events, groups of
// systems, and hashes of providers. False, and "", if the worlds have the same filo_world_hash. A text that does not fit
// is cut.
bool filo_world_difference(FiloWorld *world, FiloWorld *before, char *text, size_t size);
// The same for two snapshots of worlds with the components of `world`, which does not change. FILO_OK and "" if they
// are equal.
FiloResult filo_snapshot_difference(const FiloSnapshot *snapshot, const FiloSnapshot *before,
                                    const FiloWorld *world, char *text, size_t size);

// ---- Providers ------------------------------------------------------------------------------------------

// A provider saves, restores and hashes state of the simulation outside of components: of a physics engine, a
// generator, a queue.
//
//     static size_t dice_size(FiloWorld *world, void *user) { return sizeof(Dice); }
//     static void dice_save(FiloWorld *world, void *bytes, void *user) { memcpy(bytes, user, sizeof(Dice)); }
//     static FiloResult dice_restore(FiloWorld *world, const void *bytes, size_t size, void *user) { … }
//     static uint64_t dice_hash(FiloWorld *world, void *user) { return ((Dice *)user)->state; }
//
//     filo_world_add_provider(world, &(FiloProvider){
//         .name = "dice", .size = dice_size, .save = dice_save, .restore = dice_restore, .hash = dice_hash,
//         .user = &dice });
typedef struct FiloProvider {
    const char *name; // unique in the world; copied. Files contain it, so it must not change
    // The number of bytes that the next `save` writes.
    size_t (*size)(FiloWorld *world, void *user);
    // Writes exactly this many bytes.
    void (*save)(FiloWorld *world, void *bytes, void *user);
    // Whether `restore` would accept these bytes of a file, which may be anything. Called before anything is restored.
    // `loaded` is a world with the entities of the file, to compare with. It changes nothing. NULL: `restore` checks,
    // and what was restored before it stays so if it refuses.
    FiloResult (*check)(const FiloWorld *loaded, const void *bytes, size_t size, void *user);
    // Restores what was saved. `bytes` NULL: the initial state, because the snapshot or file has nothing of this
    // provider, or the world is reset. filo_world_seed is the restored one already. Without `check`, bytes from a file may
    // be anything. On failure nothing should have changed. It must not change the world, whose entities are restored
    // after this.
    FiloResult (*restore)(FiloWorld *world, const void *bytes, size_t size, void *user);
    // Equal for equal states, the same on every machine. NULL: it is not a part of the hash.
    uint64_t (*hash)(FiloWorld *world, void *user);
    bool not_in_files; // its bytes are not valid in another process
    void *user;
} FiloProvider;

// Adds a provider. Between ticks. False without memory, or after a mistake (a name that is taken). Remove it before
// `user` becomes invalid.
bool filo_world_add_provider(FiloWorld *world, const FiloProvider *provider);
// False if there is none with this name.
bool filo_world_remove_provider(FiloWorld *world, const char *name);

FILO_END_DECLS

#endif
