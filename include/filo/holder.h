// filo/holder.h: holders: user-defined storage of components.
//
// Register the component with FILO_STORAGE_USER and an interface; the world then stores its values through the holder.
// Queries, change sets, snapshots and hashes work as with the built-in storages, which are holders like this one.
// examples/holders has a complete one.
//
// The world checks entities before it calls the holder: a holder never gets a stale id, never gets an entity to add
// that it has, and never one to remove that it has not. While systems run only `get` and `next` are called, by several
// threads at once; everything else is called by one thread.

#ifndef FILO_HOLDER_H
#define FILO_HOLDER_H

#include <filo/world.h>

FILO_BEGIN_DECLS

struct FiloHolderInterface {
    const char *name; // for messages
    // Creates a holder for values of `size` bytes with this alignment; NULL without memory. All memory must come from
    // `allocator`, which reports it when there is none. NULL without such a report is a caller's mistake.
    void *(*create)(size_t size, size_t align, const FiloAllocator *allocator);
    void (*destroy)(void *holder);
    // Adds an entity, and returns its value, not initialised; NULL without memory, as `create`.
    void *(*add)(void *holder, FiloEntity entity);
    void (*remove)(void *holder, FiloEntity entity);
    // The value of an entity; NULL if it is not in the holder.
    void *(*get)(const void *holder, FiloEntity entity);
    size_t (*count)(const void *holder);
    // Iterates over all entities in a deterministic order: *cursor starts at 0; false at the end.
    bool (*next)(const void *holder, uint64_t *cursor, FiloEntity *entity);
    // Optional: called at every refresh, for example to sort. Values may move.
    void (*refresh)(void *holder);
    // Optional: removes all entities; NULL: the world removes them one by one.
    void (*clear)(void *holder);
};

FILO_END_DECLS

#endif
