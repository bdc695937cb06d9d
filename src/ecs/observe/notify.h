// Notifies observers and tracked queries: called by code that changes entities. observe.h explains how it works. If
// there is no memory to note a change, this is reported, and observers are not notified of the change.

#ifndef FILO_ECS_OBSERVE_NOTIFY_H
#define FILO_ECS_OBSERVE_NOTIFY_H

#include "ecs/world.h"

// Whether there are tracked queries.
static inline bool ecs_tracking(const FiloWorld *world) { return FILO_UNLIKELY(world->tracked.count > 0); }
// Whether entities that are created in a table or destroyed there are observed.
static inline bool ecs_observed(const FiloWorld *world, const EcsTable *table) {
    return FILO_UNLIKELY(table->watched) || ecs_tracking(world);
}

// Before a row moves along an edge with ECS_EDGE_WATCHED or ECS_EDGE_TRACKED, after the last step that can fail.
void ecs_observe_edge(FiloWorld *world, FiloEntity entity, const EcsEdge *edge, const EcsPartition *from,
                      uint8_t *base, uint32_t row);
// The same for an edge with ECS_EDGE_SIMPLE that is resolved for the partitions of the move.
void ecs_observe_simple_edge(FiloWorld *world, FiloEntity entity, const EcsEdge *edge, uint8_t *base,
                             uint32_t row);
// After an entity was created in a table.
void ecs_observe_created(FiloWorld *world, FiloEntity entity, const EcsTable *table);
// Before an entity in a table with EcsTable.watched is destroyed.
void ecs_watch_row_destroyed(FiloWorld *world, FiloEntity entity, const EcsPartition *partition,
                             uint8_t *base, uint32_t row);
// A value of an observed component was set.
void ecs_watch_set(FiloWorld *world, EcsWatch *watch, FiloEntity entity);
// Before an entity is destroyed or its activity changes.
void ecs_track_entity(FiloWorld *world, FiloEntity entity);
// After an entity was created.
void ecs_track_created(FiloWorld *world, FiloEntity entity);
// Before a component is added or removed.
void ecs_track_component(FiloWorld *world, FiloEntity entity, const EcsComponentData *component);
// Before a row moves along an edge with ECS_EDGE_TRACKED.
void ecs_track_edge(FiloWorld *world, FiloEntity entity, const EcsEdge *edge, const EcsTable *from);

// Compute EcsTable.watched, and the flags of EcsEdge.special for observers and tracked queries.
void ecs_table_update_watched(EcsTable *table);
void ecs_edge_update_watched(EcsEdge *edge, const EcsTable *from);

// Updates the lists of a tracked query.
void ecs_track_refresh_query(FiloQuery *query);
// Updates those of all tracked queries without an owner. Queries of systems and observers are updated before these run.
void ecs_track_refresh(FiloWorld *world);
// Starts and ends tracking. False without memory.
bool ecs_track_begin(FiloQuery *query);
void ecs_track_end(FiloQuery *query);
// Calls observers, in rounds, until there are no more notes. When no system runs.
void ecs_observers_deliver(FiloWorld *world);
void ecs_observers_deinit(FiloWorld *world);

#endif
