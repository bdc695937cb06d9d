// A list of components with values, resolved: from FiloWith, in the order of component ids, each once, together with
// the components that they require.

#ifndef FILO_ECS_PICK_H
#define FILO_ECS_PICK_H

#include "ecs/world.h"

typedef struct FiloPicked {
    FiloComponentData *data;
    const void *value; // NULL: the first value
} FiloPicked;

// Values are put aside: they may lie inside the world, in memory that moves when room is made for others.
typedef struct FiloPick {
    FiloPicked *items;
    size_t count, capacity;
    bool outside;        // some are not in tables
    bool listed_outside; // some of those that were listed are not
    bool required;       // some require others
    FiloPicked few[32];
    uint8_t *values; // put aside
    size_t values_size;
    _Alignas(FILO_CACHE_LINE) uint8_t few_values[512];
} FiloPick;

// For an entity that exists, or for new ones ({0}). What a component requires belongs to the list if the entity lacks
// that component. False after a mistake, which is reported with `what`, or without memory; there is then nothing to
// free.
bool filo_pick(FiloWorld *world, const FiloWith *with, size_t count, FiloEntity entity, const char *what,
               FiloPick *pick);
void filo_pick_free(FiloWorld *world, FiloPick *pick);
// The table of those that lie in tables. NULL without memory.
FiloTable *filo_pick_table(FiloWorld *world, const FiloPick *pick);
// Adds the components outside of tables that the entity lacks, and sets those with a value. False without
// memory: none was added.
bool filo_pick_add_outside(FiloWorld *world, FiloEntity entity, const FiloPick *pick);

#endif
