// What a world keeps so that the calls that programs make most often need no look-up. fast_path.c gets, adds, sets and
// removes one component; entity.c creates an entity.

#ifndef FILO_ECS_ENTITY_FAST_PATH_H
#define FILO_ECS_ENTITY_FAST_PATH_H

#include "ecs/storage/sparse.h"
#include "ecs/storage/table.h"

// How the last entity was created: which components were listed, in which order. The next one with the same list is
// created without a look-up. All components are plain and in tables.
#define ECS_CREATE_CACHE_COMPONENTS 12
typedef struct EcsCreateCache {
    EcsPartition *partition;          // of the entity; NULL: none yet, or some components were required
    EcsPartition *partition_required; // the same if some were required
    uint64_t layout_id;               // of the partition, for which the offsets hold
    uint32_t count;                   // listed components; up to `total` follow those that they require
    uint32_t total;
    bool observed; // there are observers or tracked queries
    struct {
        uint32_t component, offset, size;
    } components[ECS_CREATE_CACHE_COMPONENTS];
} EcsCreateCache;

// The functions for one component, and what they need. For components with ids below ECS_FAST_COMPONENTS, in the world
// itself. The functions are for calls between ticks with nothing special about them; they pass anything else on to those
// for any component (value.c).
#define ECS_FAST_COMPONENTS 256
typedef struct EcsFastPath EcsFastPath;
struct EcsFastPath {
    void *(*add)(FiloWorld *world, FiloEntity entity, EcsFastPath *fast);
    bool (*remove)(FiloWorld *world, FiloEntity entity, EcsFastPath *fast);
    void *(*get)(const FiloWorld *world, FiloEntity entity, const EcsFastPath *fast);
    bool (*set)(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, const void *value); // not NULL
    union {
        EcsSparse sparse; // the holder itself, if there are no hooks
        struct EcsTagHolder *tag;
        struct EcsArrayHolder *array;
        struct {
            EcsEdge *edges[2];                   // of the last removal and of the last addition; NULL: none
            BASE_ATOMIC(uint64_t) cached_column; // layout id + offset of the column there: see get_in_table
            size_t size;                         // of a value
        } table;
    };                                       // by storage
    uint64_t version;                        // see EcsComponentData
    EcsComponentData *data;                  // NULL: there is no such component
} __attribute__((aligned(FILO_CACHE_LINE))); // so that indexing needs no multiplication

void ecs_fast_paths_init(FiloWorld *world);
// Chooses the functions of a component that is new, or whose holder or observers changed. A sparse list without hooks moves
// into the world.
void ecs_fast_path_update(FiloWorld *world, EcsComponentData *component);
// Destroys the holder of a component.
void ecs_holder_destroy(FiloWorld *world, EcsComponentData *component);

#endif
