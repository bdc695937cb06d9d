// filo/lookup.h: look-ups: one component of each entity of a list of targets, owners, neighbours.
//
//     typedef struct Target { FiloEntity entity; float weight; } Target;
//
//     // A system with the terms FILO_READ(Target), FILO_READ(Position), FILO_WRITE(Velocity).
//     static void chase(FiloIter *it) {
//         const Position *here = filo_read(it, Position);
//         Velocity *velocity = filo_write(it, Velocity);
//         FiloLookup there = filo_follow(it, Target, entity, Position); // of each row's Target.entity
//         for (size_t i = 0; i < it->count; i++) {
//             const Position *aim = filo_lookup_next(&there);
//             if (aim == NULL) continue; // the target does not exist any more
//             …
//         }
//     }
//
// It returns what filo_get would return for each entity. For many entities in random order, it takes a third to a half
// of the time: filo_get waits for memory twice, for the location of the entity and then for its component. A look-up
// has the list of the next entities, and prefetches both. For a handful of entities, or a small world that fits into
// the processor's cache, filo_get is as fast.
//
// A look-up is a value on the stack, and needs no clean-up. Each thread that may read the component makes its own. The
// look-up and the components that it returns are valid until the list or the structure of the world changes; debug
// builds report a look-up that is used for longer.

#ifndef FILO_LOOKUP_H
#define FILO_LOOKUP_H

#include <filo/query.h>

#include <stddef.h>

FILO_BEGIN_DECLS

#define FILO_LOOKUP_BLOCK 16 // entities that are looked up at a time
#define FILO_LOOKUP_RING  64 // components that are found ahead of the caller

// All private.
typedef struct FiloLookup {
    size_t at_;                            // returned so far
    const void *values_[FILO_LOOKUP_RING]; // by number % FILO_LOOKUP_RING
    unsigned char private_[72];
} FiloLookup;

// Starts a look-up for `count` ids, the first at `entities` and each next one `stride` bytes further; for a plain array
// that is sizeof(FiloEntity). A component that is not registered, or global, is a caller's mistake, as is a list that
// is NULL: the look-up then finds nothing.
FiloLookup filo_entity_lookup(const FiloWorld *world, const FiloEntity *entities, size_t stride, size_t count,
                              FiloComponent component);
// The same by type: filo_lookup(world, targets, sizeof *targets, count, Position).
#define filo_lookup(world, entities, stride, count, Type)                                                    \
    filo_entity_lookup_type((world), (entities), (stride), (count), FILO_TYPE(Type))

// A look-up for the entities that the rows of an iteration refer to, in a field of the component Type. One of the terms
// reads or writes Type, in any storage. FiloLookup aims = filo_follow(it, Target, entity, Position). Rows that lack an
// optional Type, and fields without an entity, find nothing. After a mistake, such as a type that is not among the
// terms, the look-up finds nothing.
#define filo_follow(it, Type, field, Wanted)                                                                 \
    filo_iter_follow_type((it), FILO_TYPE(Type), sizeof(Type), offsetof(Type, field), FILO_TYPE(Wanted))
// The same by the number of a term, counted from 0, for queries with several terms of that type, for example of the
// parent.
#define filo_iter_lookup(it, term, Type, field, Wanted)                                                      \
    filo_iter_lookup_type((it), (term), sizeof(Type), offsetof(Type, field), FILO_TYPE(Wanted))

// Private. Finds the next block; false if there is none.
bool filo_lookup_more(FiloLookup *lookup);
// Private, for debug builds: whether the next component is still right. Reports it if not.
bool filo_lookup_is_valid(const FiloLookup *lookup);

// The component of the next entity. NULL if it has none or does not exist, and after the last one. Call it once for
// each entity of the list, also if the result is not needed: each call advances to the next entity.
static inline const void *filo_lookup_next(FiloLookup *lookup) {
    size_t at = lookup->at_;
    if (at % FILO_LOOKUP_BLOCK == 0 && !filo_lookup_more(lookup)) return NULL;
#ifndef NDEBUG
    if (!filo_lookup_is_valid(lookup)) return NULL;
#endif
    lookup->at_ = at + 1;
    return lookup->values_[at % FILO_LOOKUP_RING];
}

// Behind the macros.
FiloLookup filo_entity_lookup_type(const FiloWorld *world, const FiloEntity *entities, size_t stride,
                                   size_t count, const FiloType *type);
FiloLookup filo_iter_lookup_type(const FiloIter *it, unsigned term, size_t size, size_t offset,
                                 const FiloType *type);

FiloLookup filo_iter_follow_type(const FiloIter *it, const FiloType *of, size_t size, size_t offset,
                                 const FiloType *type);

FILO_END_DECLS

#endif
