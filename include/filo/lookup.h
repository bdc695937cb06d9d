// filo/lookup.h: one component of the entities of a list: of targets, owners, neighbours.
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
//             if (aim == NULL) continue; // it is gone
//             …
//         }
//     }
//
// It finds what filo_get would find for each of them. Where they are many and lie anywhere, it does so in a third to a
// half of the time: filo_get waits for memory, twice, first for where the entity is and then for its component; a
// look-up knows who comes next, and has fetched both before it is asked. For a handful, or for entities of a small
// world, which lie in the processor's cache, filo_get is as good.
//
// A look-up is a value on the stack, and there is nothing to end. Any thread that may read the component makes its own.
// It is good until the list or the structure of the world changes, as are the components that it finds; debug builds
// report one that was used for longer.

#ifndef FILO_LOOKUP_H
#define FILO_LOOKUP_H

#include <filo/query.h>

#include <stddef.h>

FILO_BEGIN_DECLS

#define FILO_LOOKUP_BLOCK 16 // entities that are looked up at a time
#define FILO_LOOKUP_RING  64 // components that are ready, or will be

// All private.
typedef struct FiloLookup {
    size_t at_;                            // given so far
    const void *values_[FILO_LOOKUP_RING]; // by number % FILO_LOOKUP_RING
    unsigned char private_[72];
} FiloLookup;

// Starts with the first of `count` entities: its id is at `entities`, each other one `stride` bytes further; for a
// plain array that is sizeof(FiloEntity). A component that is not registered, or global, is a caller's mistake, as is a
// list that is not there: the look-up then finds nothing.
FiloLookup filo_entity_lookup(const FiloWorld *world, const FiloEntity *entities, size_t stride, size_t count,
                              FiloComponent component);
// The same by type: filo_lookup(world, targets, sizeof *targets, count, Position).
#define filo_lookup(world, entities, stride, count, Type)                                                    \
    filo_entity_lookup_type((world), (entities), (stride), (count), FILO_TYPE(Type))

// The entities that the rows of an iteration refer to: those in a field of the component Type, which is read or written
// by one of the terms, wherever it is stored. FiloLookup aims = filo_follow(it, Target, entity, Position). Rows that lack
// an optional one, and fields without an entity, find nothing; neither does a look-up after a mistake, as a type that
// is not among the terms.
#define filo_follow(it, Type, field, Wanted)                                                                 \
    filo_iter_follow_type((it), FILO_TYPE(Type), sizeof(Type), offsetof(Type, field), FILO_TYPE(Wanted))
// The same by the number of a term, counted from 0, where several have that type: of the parent, for example.
#define filo_iter_lookup(it, term, Type, field, Wanted)                                                      \
    filo_iter_lookup_type((it), (term), sizeof(Type), offsetof(Type, field), FILO_TYPE(Wanted))

// Private: makes the next block ready, false if there is none; whether what is given next is still right.
bool filo_lookup_more(FiloLookup *lookup);
bool filo_lookup_is_right(const FiloLookup *lookup);

// The component of the next entity. NULL if it has none or does not exist, and after the last one. Call it once for
// each entity of the list, also where the answer is not wanted: it is always the next one's.
static inline const void *filo_lookup_next(FiloLookup *lookup) {
    size_t at = lookup->at_;
    if (at % FILO_LOOKUP_BLOCK == 0 && !filo_lookup_more(lookup)) return NULL;
#ifndef NDEBUG
    if (!filo_lookup_is_right(lookup)) return NULL;
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
