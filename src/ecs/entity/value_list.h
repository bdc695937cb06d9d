// A resolved list of components with values: each component of a list of FiloComponentValue once, in the order of ids,
// together with the components that they require.

#ifndef FILO_ECS_ENTITY_VALUE_LIST_H
#define FILO_ECS_ENTITY_VALUE_LIST_H

#include "ecs/world.h"

typedef struct EcsListedValue {
    EcsComponentData *data;
    const void *value; // in EcsValueList.values; NULL: the default value
} EcsListedValue;

// It has temporary copies of the values, because the originals may be in the world, in memory that moves when the list
// is applied. A short list needs no allocation.
typedef struct EcsValueList {
    EcsListedValue *items;
    size_t count, capacity;
    bool outside;        // some components are not in tables
    bool listed_outside; // some of these were listed by the caller, not required
    bool required;       // some components require others
    EcsListedValue few[32];
    uint8_t *values; // the copies
    size_t values_size;
    _Alignas(FILO_CACHE_LINE) uint8_t few_values[512];
} EcsValueList;

// Resolves a list for an entity that exists, or for new ones ({0}). What a component requires belongs to the list if
// the entity lacks that component. False after a mistake, which is reported with `what`, or without memory; there is
// then nothing to free.
bool ecs_value_list_resolve(FiloWorld *world, const FiloComponentValue *values, size_t count,
                            FiloEntity entity, const char *what, EcsValueList *list);
void ecs_value_list_free(FiloWorld *world, EcsValueList *list);
// Whether a listed value is not that of FILO_BOUND for an enum whose states are not registered, which is reported.
// schedule/state.c.
bool ecs_bound_is_valid(const FiloWorld *world, const FiloComponentValue *listed);
// The table with the components of the list that are stored in tables. NULL without memory.
EcsTable *ecs_value_list_table(FiloWorld *world, const EcsValueList *list);
// Adds the components outside of tables that the entity lacks, and sets those with a value. False without memory: none
// was added.
bool ecs_value_list_add_outside(FiloWorld *world, FiloEntity entity, const EcsValueList *list);

#endif
