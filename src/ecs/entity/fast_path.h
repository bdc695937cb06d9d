// Cached data for the calls that programs make most often. fast_path.c gets, adds, sets and removes one component;
// entity.c creates an entity.

#ifndef FILO_ECS_ENTITY_FAST_PATH_H
#define FILO_ECS_ENTITY_FAST_PATH_H

#include "ecs/storage/sparse.h"
#include "ecs/storage/table.h"

// The list of components that the last entity was created with, in its order, and the partition and offsets. The next
// entity with the same list is created without a search. All components are plain and in tables.
#define ECS_CREATE_CACHE_COMPONENTS 12
typedef struct EcsCreateCache {
    EcsPartition *partition; // of the entity; NULL: none yet
    uint64_t layout_id;      // of the partition, for which the offsets hold
    uint32_t count;          // components that were listed
    uint32_t total;          // all components: those that were required follow the listed ones
    bool observed;           // there are observers or tracked queries
    struct {
        uint32_t component, offset, size;
    } components[ECS_CREATE_CACHE_COMPONENTS];
} EcsCreateCache;

// The functions for one component, and their data. Components with ids below ECS_FAST_COMPONENTS have one, in the world
// itself. The functions handle the common case between ticks, and pass everything else on to the functions for any
// component (value.c).
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
// Chooses the functions of a component that is new, or whose holder or observers changed. A sparse list without hooks
// moves into the world.
void ecs_fast_path_update(FiloWorld *world, EcsComponentData *component);
// Destroys the holder of a component.
void ecs_holder_destroy(FiloWorld *world, EcsComponentData *component);

#endif
