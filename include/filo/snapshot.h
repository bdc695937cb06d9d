// filo/snapshot.h: the whole state of a world: kept, put back, saved to files, compared.
//
//     FiloSnapshot *before = filo_snapshot_create(NULL);
//     FiloResult r = filo_snapshot_take(before, world);               // as fast as copying the memory
//     for (int i = 0; i < 60; i++) filo_world_tick(world, 1.0f / 60);
//     r = filo_snapshot_restore(before, world);                       // a second ago, to the last bit
//
//     filo_history_push(history, world);                              // once a tick, and then
//     r = filo_history_rewind(history, world, 90);                    // back by 90 ticks
//
//     r = filo_world_save(world, "slot1.save", NULL);                 // for another day, or another program
//     r = filo_world_load(world, "slot1.save", NULL);
//
// There are two kinds of keeping. A snapshot (and a history, which is many of them) is for this process: the
// memory of the world as it lies, with everything that decides what happens next: entities and their ids,
// free ids, the order of rows and of tables, what counts as changed, who came and went, what observers are still to be
// told, waiting events, and what providers add. A world that is restored goes on exactly as it did, or would have done, after the
// moment of the snapshot. A file is for other days: it holds what the descriptions of components say
// (filo/reflect.h), and is understood by programs whose components have changed since.
//
// What is never kept: systems, queries, handlers, observers and providers themselves; they stay as they are. Of
// restoring and loading observers hear nothing (filo/observer.h). A component that is `transient` keeps its place: who had
// it has it again, with its first value.
//
// Components with hooks: a snapshot holds copies that were made by `construct` and `copy`, and destructs them
// when it is taken again or destroyed. A component that has `destruct` but no `copy` cannot be kept, unless
// it is transient; that is refused with a message. A history holds bytes alone and refuses components with
// hooks, unless they are transient.
//
// All functions here are used between ticks, by the thread that changes the world. What fails has a message,
// and leaves the world as it was.

#ifndef FILO_SNAPSHOT_H
#define FILO_SNAPSHOT_H

#include <filo/containers.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// ---- Snapshots ------------------------------------------------------------------------------------------

typedef struct FiloSnapshot FiloSnapshot;

// An empty one. NULL without memory. `allocator` NULL: filo_heap().
FiloSnapshot *filo_snapshot_create(const FiloAllocator *allocator);
// NULL is allowed.
void filo_snapshot_destroy(FiloSnapshot *snapshot);

// Fills it with the state of the world. What it held is gone, also on failure. Allocates only when it has
// become too small.
FiloResult filo_snapshot_take(FiloSnapshot *snapshot, FiloWorld *world);
// Puts the world into the state of the snapshot, which stays as it is. The world may be another than the one
// it was taken from: its components must be the same, registered in the same order; it may have more of them.
// Otherwise it is FILO_ERROR_KIND, and the message says where they part. What they require is not compared:
// entities have what they had. Queries and systems that the snapshot does not know see everything as changed.
//
// Nothing has happened when it fails, with one exception: events and providers are put back one after the
// other, before the entities; if one of them fails, those before it are restored already, and the message
// says so. Restore again, this or another snapshot.
FiloResult filo_snapshot_restore(const FiloSnapshot *snapshot, FiloWorld *world);

bool filo_snapshot_is_empty(const FiloSnapshot *snapshot);
// Bytes that it holds; and the ticks of the world when it was taken.
size_t filo_snapshot_size(const FiloSnapshot *snapshot);
uint64_t filo_snapshot_ticks(const FiloSnapshot *snapshot);

// A world with the same components as another, with what they require, and the same seed, but without entities, queries, systems and
// providers: restore a snapshot into it to try out what would happen. `desc` may be NULL; then it has the
// same scheduler, and no events. Either world may be destroyed first: types that were to be released live until both
// are gone.
FiloResult filo_world_create_like(FiloWorld **world, const FiloWorld *like, const FiloWorldDesc *desc);

// ---- History --------------------------------------------------------------------------------------------

// The states of the last ticks. Only the newest is kept whole; of an older one, what is different from the
// next, compressed.
typedef struct FiloHistory FiloHistory;

typedef struct FiloHistoryDesc {
    size_t length;        // states that are kept; 0: 600, ten seconds
    size_t memory_budget; // bytes; 0: no limit. The oldest go when it is used up; the newest always stays
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloHistoryDesc;

// `desc` may be NULL.
FiloResult filo_history_create(FiloHistory **history, const FiloHistoryDesc *desc);
// NULL is allowed.
void filo_history_destroy(FiloHistory *history);

// Adds the present state of the world. When there are `length` of them the oldest goes. On failure the
// history is as it was.
FiloResult filo_history_push(FiloHistory *history, FiloWorld *world);
// Puts the world into the state that was pushed `back` times before the last push (0: the last one itself).
// Newer ones are forgotten, so that pushing goes on from there. FILO_ERROR_NOT_FOUND if it is not kept (any
// more). On failure world and history are as they were.
FiloResult filo_history_rewind(FiloHistory *history, FiloWorld *world, size_t back);
// The same into a snapshot; nothing is forgotten.
FiloResult filo_history_get(FiloHistory *history, size_t back, FiloSnapshot *snapshot);

// States that are kept; filo_history_rewind goes back by one less, at most.
size_t filo_history_count(const FiloHistory *history);
// The ticks of the world at that state; 0 if it is not kept.
uint64_t filo_history_ticks(const FiloHistory *history, size_t back);
// Bytes in use.
size_t filo_history_memory(const FiloHistory *history);
// Forgets all states; the memory stays.
void filo_history_clear(FiloHistory *history);

// ---- Files ----------------------------------------------------------------------------------------------
//
// A file says of each component what it consists of: fields by name, enums by the names of their values,
// FiloName as text. When it is loaded, each field goes to the one with the same name, or to the one that had
// this name before (FILO_FIELD(…, .was = "hp")):
//
//   a field that is new                  has its first value;
//   a field that is gone                 is dropped, and reported;
//   a number of another type             is converted; what does not fit becomes the nearest that does, and
//   is
//                                        reported;
//   a value of an enum that is gone      leaves the first value, and is reported;
//   text and lists of another length     are cut or filled up; that something was cut is reported;
//   a component that nobody registered   is dropped, and reported;
//   a component with another storage     is simply stored that way;
//   a required component that is new     is added, with its default value, where an entity lacks it (filo/world.h).
//
// Entities keep their ids and the order of rows. Files do not hold what only a snapshot can: after loading,
// everything counts as changed, tracked queries find nobody entered or left, and nothing waits to be told to observers.
// Events that wait are in the file if the world has events, except whom their `done` would tell.
//
// A file is compressed (zstd), has a checksum, and is never less than 1/4096 of what it holds, so that a
// small file cannot ask for much memory. A damaged or hostile file is refused with FILO_ERROR_DATA, and the
// world stays as it was.

typedef struct FiloSaveDesc {
    int level;                      // of compression, 1 to 19; 0: 3
    bool skip_sync;                 // see FiloFileWriteDesc
    const FiloAllocator *allocator; // of what is needed meanwhile; NULL: filo_heap()
} FiloSaveDesc;

// Writes the world to a file, all or nothing. `desc` may be NULL.
FiloResult filo_world_save(FiloWorld *world, const char *path, const FiloSaveDesc *desc);

typedef struct FiloLoadDesc {
    // Called for everything that the file has and the program has not; each sentence once. Good during the
    // call. NULL: they are logged.
    void (*report)(const char *sentence, void *user);
    void *user;
    size_t limit;                   // a file that holds more bytes than this is refused; 0: 4 GiB
    const FiloAllocator *allocator; // of what is needed meanwhile; NULL: filo_heap()
} FiloLoadDesc;

// Puts the world into the state of a file. `desc` may be NULL.
FiloResult filo_world_load(FiloWorld *world, const char *path, const FiloLoadDesc *desc);

typedef FiloArray(uint8_t) FiloBytes;

// The same to and from memory. `bytes` is an array of yours: what is saved is added to it. `name` is what
// messages call the bytes.
FiloResult filo_world_save_bytes(FiloWorld *world, FiloBytes *bytes, const FiloSaveDesc *desc);
FiloResult filo_world_load_bytes(FiloWorld *world, const void *bytes, size_t size, const char *name,
                                 const FiloLoadDesc *desc);

// ---- Difference -----------------------------------------------------------------------------------------

// The first thing that differs, as a sentence in `text`: "entity 17 (door): Health.points is 3, was 4"; first ticks,
// then globals (with states), entities by index with their components by number, waiting events, groups of systems,
// and what providers hash. False, and "", if filo_world_hash would see nothing. What does not fit is cut.
bool filo_world_difference(FiloWorld *world, FiloWorld *before, char *text, size_t size);
// The same of two snapshots of worlds with the components of `world`, which is not changed. FILO_OK and "" if
// they are equal.
FiloResult filo_snapshot_difference(const FiloSnapshot *snapshot, const FiloSnapshot *before,
                                    const FiloWorld *world, char *text, size_t size);

// ---- Providers ------------------------------------------------------------------------------------------

// State of the simulation outside of components (a physics engine, a generator, a queue) is kept, put back
// and hashed by whoever owns it.
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
    const char *name; // unique in the world, and the same for ever: files have it. Copied
    // Bytes that `save` writes next.
    size_t (*size)(FiloWorld *world, void *user);
    // Writes exactly so many bytes.
    void (*save)(FiloWorld *world, void *bytes, void *user);
    // Goes back to what was saved. `bytes` NULL: to the first state, since the snapshot or file knows nothing
    // of this provider. Bytes from a file may be anything. On failure nothing should have changed. It must
    // not change the world, whose entities are restored after this.
    FiloResult (*restore)(FiloWorld *world, const void *bytes, size_t size, void *user);
    // Equal for equal states, the same on every machine. NULL: is not part of the hash.
    uint64_t (*hash)(FiloWorld *world, void *user);
    bool not_in_files; // its bytes mean nothing to another process
    void *user;
} FiloProvider;

// Between ticks. False without memory, or after a mistake (a name that is taken). Remove it before `user`
// goes.
bool filo_world_add_provider(FiloWorld *world, const FiloProvider *provider);
// False if there is none of this name.
bool filo_world_remove_provider(FiloWorld *world, const char *name);

FILO_END_DECLS

#endif
