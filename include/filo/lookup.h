// filo/lookup.h: one component of the entities of a list: of targets, owners, neighbours.
//
//     // A system with FILO_READ(Target) and FILO_WRITE(Velocity) as terms, which also touches FILO_READ(Position).
//     static void chase(FiloIter *it) {
//         const Target *targets = filo_iter_column(it, 0).data; // a component in tables
//         FiloLookup positions = filo_lookup(it->world, &targets->entity, sizeof *targets, it->count, Position);
//         for (size_t i = 0; i < it->count; i++) {
//             const Position *aim = filo_lookup_next(&positions); // of targets[i].entity
//             if (aim == NULL) continue;                          // it is gone
//             …
//         }
//     }
//
// It finds what filo_get would find for each of them. Where they are many and lie anywhere it takes a quarter of the
// time: filo_get waits for memory, twice, first for where the entity is and then for its component; a look-up knows
// who comes next, and has fetched both before it is asked.
//
// A look-up is a value on the stack, and there is nothing to end. Any thread that may read the component makes its own.
// It is good until the list or the structure of the world changes, as are the components that it finds; debug builds
// report one that was used for longer.

#ifndef FILO_LOOKUP_H
#define FILO_LOOKUP_H

#include <filo/world.h>

FILO_BEGIN_DECLS

#define FILO_LOOKUP_BLOCK 16 // entities that are looked up at a time
#define FILO_LOOKUP_RING  64 // components that are ready, or will be

// All private.
typedef struct FiloLookup {
    const FiloWorld *world;
    const struct FiloComponentData *data;
    const FiloEntity *entities;
    size_t stride, count;
    size_t at;                            // given so far
    uint64_t arrangement, offset;         // of the table that was looked into last
    const void *values[FILO_LOOKUP_RING]; // by number % FILO_LOOKUP_RING
} FiloLookup;

// Starts with the first of `count` entities: its id is at `entities`, each other one `stride` bytes further; for a
// plain array that is sizeof(FiloEntity).
FiloLookup filo_entity_lookup(const FiloWorld *world, const FiloEntity *entities, size_t stride, size_t count,
                              FiloComponent component);
#define filo_lookup(world, entities, stride, count, Type)                                                    \
    filo_entity_lookup((world), (entities), (stride), (count), filo_component_of((world), FILO_TYPE(Type)))

// Private: makes the next block ready, false if there is none; whether what is given next is still right.
bool filo_lookup_more(FiloLookup *lookup);
bool filo_lookup_is_right(const FiloLookup *lookup);

// The component of the next entity. NULL if it has none or does not exist, and after the last one.
static inline const void *filo_lookup_next(FiloLookup *lookup) {
    size_t at = lookup->at;
    if (at % FILO_LOOKUP_BLOCK == 0 && !filo_lookup_more(lookup)) return NULL;
#ifndef NDEBUG
    if (!filo_lookup_is_right(lookup)) return NULL;
#endif
    lookup->at = at + 1;
    return lookup->values[at % FILO_LOOKUP_RING];
}

FILO_END_DECLS

#endif
