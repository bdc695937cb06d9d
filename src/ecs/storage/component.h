// A registered component. components.h has the functions that find one.

#ifndef FILO_ECS_STORAGE_COMPONENT_H
#define FILO_ECS_STORAGE_COMPONENT_H

#include <filo/containers.h>
#include <filo/holder.h>
#include <filo/query.h>
#include <filo/world.h>

#include "base/atomic.h"

typedef struct EcsTable EcsTable; // table.h
typedef FiloArray(EcsTable *) EcsTableArray;
typedef struct EcsWatch EcsWatch; // observe/observe.h

// A type that worlds own: the world that it was registered in, and those that were created like it. Allocated from the
// heap of the process, because each of these worlds may be the last one.
typedef struct EcsOwnedType {
    const FiloType *type;
    void (*release)(const FiloType *type);
    BASE_ATOMIC(uint32_t) worlds; // owners
} EcsOwnedType;
typedef FiloArray(EcsOwnedType *) EcsOwnedTypes;

typedef FiloArray(FiloComponent) EcsRequiredList; // ascending

typedef struct EcsComponentData {
    FiloComponentInfo info;
    uint32_t id;
    bool in_table;       // a column of tables; otherwise in a holder, or global
    bool settable;       // callers may add, set and remove it: not a global, FiloFamily or FiloEntityName
    bool plain;          // no hooks
    bool mixed;          // it requires others, and it or one of these is outside of tables
    bool complete;       // what belongs to it is registered too: filo_component_complete
    size_t size, align;  // of a value; a tag has size 0
    uint64_t layout;     // ecs_layout_hash of its type, which may be unloaded with its module
    uint64_t call;       // hash of FiloType.registered_by of its type; 0: NULL
    void *default_value; // NULL: zeroes
    void *global;        // the value of a global component
    const FiloHolderInterface *interface;
    void *holder;
    struct EcsSparse *sparse;       // the holder, if it is a sparse list and there are no hooks; else NULL
    struct EcsTagHolder *tag;       // the same for tags
    uint64_t *version;              // of a holder or global: FiloWorld.version when it was last written
    uint64_t own_version;           // what `version` points to, unless the component has an EcsFastPath
    EcsTableArray tables;           // that have it
    EcsOwnedTypes owned;            // types that it was registered with, and the world owns
    EcsWatch *watch;                // notes for its observers; NULL: no observers
    FiloArray(FiloQuery *) tracked; // queries with a term about it
    bool watched;                   // it has observers or tracked queries
    bool watches_set;               // it has observers with FILO_OBSERVE_SET
    EcsRequiredList required;       // FiloComponentInfo.required
    FiloName former[FILO_FORMER_NAMES]; // names that it had before; {0} after the last
} EcsComponentData;

#endif
