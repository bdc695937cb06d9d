// filo/holder.h: a way of your own to store a component.
//
// Register the component with FILO_STORAGE_USER and an interface; the world then asks the holder for
// everything. Queries, change sets, snapshots and hashes work as with the built-in kinds, which are holders
// like this one. examples/holders has a complete one.
//
// The world checks entities before it asks: a holder never sees a stale id, never gets an entity twice, and
// is never asked to remove what it does not have. While systems run only `get` and `next` are called, by many
// threads at once; everything else by one thread.

#ifndef FILO_HOLDER_H
#define FILO_HOLDER_H

#include <filo/world.h>

FILO_BEGIN_DECLS

struct FiloHolderInterface {
    const char *name; // for messages
    // Makes a holder for values of `size` bytes with this alignment; NULL without memory. Take all memory
    // from `allocator`.
    void *(*create)(size_t size, size_t align, const FiloAllocator *allocator);
    void (*destroy)(void *holder);
    // Room for the entity's value, not initialised; NULL without memory.
    void *(*add)(void *holder, FiloEntity entity);
    void (*remove)(void *holder, FiloEntity entity);
    // NULL if the entity is not in it.
    void *(*get)(const void *holder, FiloEntity entity);
    size_t (*count)(const void *holder);
    // Goes over all entities in a defined order: *cursor starts at 0; false at the end.
    bool (*next)(const void *holder, uint64_t *cursor, FiloEntity *entity);
    // Optional: called at every refresh, to put things in order. Values may move.
    void (*refresh)(void *holder);
    // Optional: forget all; NULL: the world removes one by one.
    void (*clear)(void *holder);
};

FILO_END_DECLS

#endif
