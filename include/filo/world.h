// filo/world.h: the world: entities, and the components they have.
//
//     typedef struct Position { float x, y; } Position;
//     FILO_REFLECT(Position, FILO_FIELD(float, x), FILO_FIELD(float, y))
//
//     FiloWorld *world;
//     FiloResult r = filo_world_create(&world, NULL);
//     filo_component(world, Position);
//     filo_component(world, Velocity);
//
//     FiloEntity ship = filo_create(world, FILO_SET(Position, .x = 10), FILO_SET(Velocity, 1, 0));
//     filo_set(world, ship, Position, .x = 20);
//     const Position *position = filo_get(world, ship, Position);      // NULL if the entity has none
//     filo_entity_destroy(world, ship);
//     filo_world_destroy(world);
//
// Names. A function is named after the object that it acts on, which is its first argument: filo_world_…, filo_entity_…
// (in a world), filo_changes_… (in a change set, filo/changes.h). Functions take a component as a FiloComponent. Macros
// take it as a C type; they leave the object out of their name, and take a world or a change set:
//
//     filo_create(object, FILO_SET(Type, value), …)       a new entity; filo_instance(object, prefab, …)
//     filo_destroy(object, entity)
//     filo_get(object, entity, Type)                       const Type *, NULL if the entity has none
//     filo_has(object, entity, Type)
//     filo_add(object, entity, Type)                       with its default value
//     filo_set(object, entity, Type, value)                filo_set_global(object, Type, value)
//     filo_remove(object, entity, Type)
//
// In a world they act at once; in a change set they are recorded. Only a world can be edited: filo_edit and
// filo_edit_global return a Type * to write through. It is a mistake if the entity has no such component; filo_try_edit
// returns NULL then. Macros for lists and descriptions are in capitals: FILO_SET, FILO_READ.
//
// What is used without a test can be used after a mistake too. If the program goes on then, as release builds do, filo_edit,
// filo_edit_global, filo_get_global and filo_add return memory of this type with its default value, which nothing else
// reads. It is valid until the thread's next mistake.
//
// Macros are for C; C++ code calls the functions.
//
// An entity is an id. Its components are plain structs, described once by filo/reflect.h. Entities with the same set of
// components are stored together in a table, with a column for each component, so that iterating over them is iterating
// over arrays (filo/query.h). Another storage is chosen with one word where the component is registered.
//
// A world has two phases. Between ticks, the functions below change it at once, on one thread at a time. During a tick
// systems run (filo/system.h), several at once. They read and write the components that they declared, and record
// everything else in a change set (filo/changes.h), which is applied at the end of their phase. Calling a function that
// changes the structure while systems run, or inside an iteration, is a caller's mistake: a debug build stops there, a
// release build reports it and changes nothing.
//
// Functions that need memory and get none report it (filo_out_of_memory) and return {0}, NULL or false; the world is
// then as it was before. These results may be passed to other functions, which then do nothing: after memory ran out,
// {0} and a component that is not registered are no mistake. One call of filo_out_of_memory_result (filo/check.h) after
// a set-up tells whether all of it succeeded.

#ifndef FILO_WORLD_H
#define FILO_WORLD_H

#include <filo/events.h>
#include <filo/jobs.h>
#include <filo/memory.h>
#include <filo/reflect.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- The world ----------------------------------------------------------------------------------------

typedef struct FiloWorld FiloWorld;
typedef struct FiloIter FiloIter;                       // filo/query.h
typedef struct FiloChanges FiloChanges;                 // filo/changes.h
typedef struct FiloHolderInterface FiloHolderInterface; // filo/holder.h

typedef struct FiloWorldDesc {
    const char *name;               // in filo_memory_list and messages; must outlive the world; NULL: "world"
    FiloJobs *jobs;                 // runs the systems; NULL: everything runs on the thread that ticks
    FiloEvents *events;             // receives the events of systems; NULL: they cannot record events
    const FiloAllocator *allocator; // of all memory; NULL: memory comes from the system, in large pages
    size_t memory_budget;           // bytes; 0: no limit. Ignored with an allocator, which has its own budget
    uint64_t seed; // of filo_iter_random; worlds with the same seed behave the same. A part of the state
} FiloWorldDesc;

// Creates a world. Several may exist; they are independent of each other. `desc` may be NULL. `jobs` and `events` must
// outlive the world.
FiloResult filo_world_create(FiloWorld **world, const FiloWorldDesc *desc);
// Destroys all entities and frees everything; observers are not called. Between ticks. NULL is allowed.
void filo_world_destroy(FiloWorld *world);
// Makes the world as new, with a seed: from then on it is equal, tick by tick, to a world that was just created with this
// seed and the same registrations in the same order. To begin again, this is cheaper than another world. Between ticks,
// and not in a handler of events.
//
// What was registered stays: components, queries, systems, handlers, observers, providers. No entity is left; ids,
// generations and ticks begin again, so an id that was stored before may be that of another entity afterwards. Global
// components have their default values, states are the initial ones, which the next tick enters, groups of systems are
// on. Providers restore their initial state, queries and systems have seen nothing. Events that wait, and changes that
// handlers recorded, are dropped. Observers are not called, except that those with `existing` begin again.
//
// Not a part of it, as of all states (filo/snapshot.h): what filo_system_set_enabled has set, and data beside the world.
// On failure (no memory, a provider) the result is that of filo_snapshot_restore.
FiloResult filo_world_reset(FiloWorld *world, uint64_t seed);

// From now on, restoring a state into the world (filo_snapshot_restore, filo_history_rewind, filo_world_load, filo_world_reset) is refused
// with FILO_ERROR_BUSY and this sentence, and changes nothing. NULL: restoring is possible again. The app says so while
// it records or replays a game. Between ticks; the text must live as long as it is set.
void filo_world_refuse_restore(FiloWorld *world, const char *reason);
// While access is refused, debug builds report every use of the world by a thread that is not a part of a tick, as they
// do while a tick is running. The app says so while it draws, when a tick may be running. A tick that is to run meanwhile
// is started from a job that is marked (filo_jobs_set_mark). No effect in release builds. Between ticks, or on the thread that
// draws.
void filo_world_refuse_access(FiloWorld *world, bool refused);

FiloJobs *filo_world_jobs(const FiloWorld *world);
FiloEvents *filo_world_events(const FiloWorld *world);
// The allocator of the world, for data that a module stores beside it. Any thread. Valid as long as the world; NULL after a
// mistake.
const FiloAllocator *filo_world_allocator(const FiloWorld *world);
// As the world was created with, reset to or restored with.
uint64_t filo_world_seed(const FiloWorld *world);
// Ticks so far; during a tick, the number of ticks before it.
uint64_t filo_world_ticks(const FiloWorld *world);
// Seconds of game time of the tick that is running, or of the last one; 0 before the first.
float filo_world_delta(const FiloWorld *world);

// Data that a module stores beside a world. It is not a part of the state: snapshots, saved files and hashes do not have it,
// and worlds that are created like this one do not either. (For state outside of components, see FiloProvider.)
typedef struct FiloWorldData {
    const void *key; // an address that belongs to the module, by which it finds the data
    void *data;
    // Each may be NULL. They are called between ticks, by the thread that ticks, so they may change the world.
    void (*before_tick)(FiloWorld *world, void *data); // at the beginning of filo_world_tick
    // At its end; also after filo_world_refresh, and after handlers of events were called between ticks.
    void (*after_tick)(FiloWorld *world, void *data);
    // With the world, when its systems have been removed. It may release queries, and uses the world for nothing else. The
    // last one that was added is destroyed first.
    void (*destroy)(FiloWorld *world, void *data);
} FiloWorldData;
#define FILO_WORLD_DATA 8 // of one world, at most
// Adds data. Between ticks. False after a mistake: a key that is taken, or too many.
bool filo_world_add_data(FiloWorld *world, const FiloWorldData *data);
// The data of a key; NULL if there is none. Any thread.
void *filo_world_data(const FiloWorld *world, const void *key);

typedef struct FiloWorldStats {
    size_t entities; // in use, active or not
    size_t inactive; // of which inactive
    size_t tables;   // one for each set of components that occurred
    size_t chunks;   // blocks of memory that tables consist of
    size_t components, queries, systems;
    size_t memory;        // bytes in use
    size_t memory_budget; // 0: no limit
} FiloWorldStats;

FiloWorldStats filo_world_stats(const FiloWorld *world);

// ---- Components ---------------------------------------------------------------------------------------

// A component of one world; {0} is none. Ids count up in the order of registration, so register in the same order in
// all worlds that are to behave the same.
typedef struct FiloComponent {
    uint32_t id;
} FiloComponent;

// How a component is stored. filo_read and filo_write are for components in tables; filo_column, FiloEach, look-ups and
// accessors are for every storage (filo/query.h). The costs differ:
typedef enum FiloStorage {
    // In columns: fastest to iterate over. Adding and removing moves the entity to another table.
    FILO_STORAGE_TABLE,
    // In a sparse set: fast to add and remove, one more indirection to reach.
    FILO_STORAGE_SPARSE,
    // In an array by entity index: fastest to look up. Takes memory for every entity of the world.
    FILO_STORAGE_ARRAY,
    // In a hash map: least memory for a component that very few entities have.
    FILO_STORAGE_MAP,
    // For FILO_TAG: one bit per entity, fast to set and clear, moves nothing. (A tag in a table groups its entities.)
    FILO_STORAGE_TAG,
    // One value for the whole world: score, input, camera.
    FILO_STORAGE_GLOBAL,
    // In a holder of the user: filo/holder.h.
    FILO_STORAGE_USER,
} FiloStorage;

// Optional: for components that are more than plain data. Hooks are the constructor, destructor, copy and move
// operations of a value. They access only the values that are passed to them, and must not use the world. To be
// notified that a component is added to entities or removed from them, use observers (filo/observer.h).
//
// No lock is held while they are called. Between ticks, and while change sets are applied, the thread that changes the
// world calls them. A value that is recorded in a change set is constructed, copied and moved by the thread that
// records it, so several threads may call hooks at the same time, for different values. Several threads may copy from
// one value at once, so `copy` only reads `from`. A snapshot destructs its copies on the thread that destroys it. Data
// that hooks share through `user` must be thread-safe: atomic counters, memory from a heap for any thread, like
// FiloHeap.
typedef struct FiloComponentHooks {
    void (*construct)(void *value, void *user); // after the default value was written, before a value is set
    void (*destruct)(void *value, void *user);  // before the memory of the value is freed or reused
    void (*copy)(void *to, const void *from, void *user); // `to` is constructed; NULL: memcpy
    // Moves to raw memory, and leaves `from` as raw memory; NULL: memcpy.
    void (*move)(void *to, void *from, void *user);
    void *user;
} FiloComponentHooks;

// A component that another component requires, for FiloComponentDesc.
#define FILO_REQUIRED_MAX 24
typedef struct FiloRequired {
    FiloTypeFunction type;   // the component, by its type; or NULL and
    FiloComponent component; // the component, for example one without a C type
} FiloRequired;
#define FILO_REQUIRED(Type)                                                                                  \
    {                                                                                                        \
        filo_type_##Type, { 0 }                                                                              \
    }

#define FILO_FORMER_NAMES 4 // maximum of a component

typedef struct FiloComponentDesc {
    const FiloType *type; // a struct; must outlive the world, unless `release` is set
    FiloStorage storage;
    const FiloHolderInterface *holder; // for FILO_STORAGE_USER
    const void *default_value;         // copied; NULL: zeroes
    bool transient;                    // a cache: not saved, not hashed
    // Systems may write the next value of each entity while all others read the present one: FILO_WRITE_NEXT in
    // filo/query.h. Takes twice the memory. Only in tables, with data and without hooks.
    bool double_buffered;
    // The description of the type leaves bytes out on purpose: a pointer, a handle of another library. They are neither
    // saved nor hashed. Without this flag, a debug build logs a warning about such bytes, once for each component: they
    // may be a field that was forgotten. (A field that fits where padding would be is not noticed.)
    bool partial;
    FiloComponentHooks hooks;
    // Components that an entity gets together with this one: see "Required components" below. In any order; registered
    // before this one; not global.
    FiloRequired required[FILO_REQUIRED_MAX];
    // Names that it had before, copied: .formerly = { "Hitpoints" }. Saved worlds and scenes with one of these names
    // find it, unless another component has that name now. (The same for a field is .was, filo/reflect.h.)
    const char *formerly[FILO_FORMER_NAMES];
    // Makes the world the owner of the type, if the registration succeeds. It is called when neither this world nor a
    // world that was created like it (filo/snapshot.h) needs the type any more. NULL: the type is not owned, and
    // outlives them.
    void (*release)(const FiloType *type);
    int end_; // closes the list of the macro below
} FiloComponentDesc;

// Registers a component, at any time between ticks. Registering the same component again returns the same id. Another
// storage, layout, hooks, buffering or other required components under the same name are a caller's mistake. {0} after a mistake
// or without memory. The type may be the same at another address, if a module was loaded again: then the newer one is
// used, and every type with `release` is released at the end of the world.
FiloComponent filo_component_register(FiloWorld *world, const FiloComponentDesc *desc);
// The same as a macro: filo_component(world, Position),
// filo_component(world, Burning, .storage = FILO_STORAGE_SPARSE).
#define filo_component(world, ...)                                                                           \
    filo_component_register((world), &FILO_COMPONENT_DESC_(__VA_ARGS__, .end_ = 0))

// Required components. A component may name others that it needs:
//
//     filo_component(world, Position);
//     filo_component(world, Sprite, .required = { FILO_REQUIRED(Position), FILO_REQUIRED(PreviousPosition) });
//
// Sprite also requires what Position and PreviousPosition require. When an entity gets a Sprite, it gets in the same
// step all of these that it lacks, each with its default value; components that it has stay as they are. This holds for
// direct calls, change sets, overrides of instances and scenes. In a list, explicit values take precedence over default
// values, in any order.
//
// Required components are added only at the moment in which an entity gets the component that requires them. Setting a
// component that the entity has adds nothing. A required component may be removed, and stays removed: also in copies,
// instances of prefabs, snapshots and saved worlds. If a list both adds a component and removes one that it requires
// (filo_entity_change), the required one is removed. Removing a component does not remove those that it required.
//
// When a saved world is loaded that is older than a requirement, its entities get what they lack (filo/snapshot.h).

// The component of a type or with a name; {0} if it is not registered. Any thread.
FiloComponent filo_component_of(const FiloWorld *world, const FiloType *type);
FiloComponent filo_component_named(const FiloWorld *world, const char *name);
// The component with this name or, if there is none, the component with this former name (.formerly); {0} if there is
// neither. For code that reads files. Any thread.
FiloComponent filo_component_resolve(const FiloWorld *world, const char *name);

// A component without data: FILO_TAG(Frozen), outside of functions and without a semicolon, declares it and
// defines its description; FILO_TAG_DECLARE(Frozen); in a header shared by several sources.
//
// A tag has no value: FILO_ADD(Frozen), filo_add(world, entity, Frozen) and FILO_WITH(Frozen) are for tags;
// FILO_SET, filo_set, filo_read and the like do not compile, with an error that names the struct below.
#define FILO_TAG_DECLARE(Type)                                                                               \
    typedef struct Type##_is_a_tag_without_a_value_so_use_FILO_ADD_or_filo_add Type;                         \
    FILO_REFLECT_DECLARE(Type)
#define FILO_TAG(Type)                                                                                       \
    typedef struct Type##_is_a_tag_without_a_value_so_use_FILO_ADD_or_filo_add Type;                         \
    FILO_TAG_TYPE_(filo_type_##Type, #Type, NULL)
// The same for a tag that a call registers, as below: FILO_TAG_MODULE(Moored, "sailing_register(world)").
#define FILO_TAG_MODULE(Type, call)                                                                          \
    typedef struct Type##_is_a_tag_without_a_value_so_use_FILO_ADD_or_filo_add Type;                         \
    FILO_TAG_TYPE_(filo_type_##Type, #Type, call)

// Components of modules. Some components need more than to be registered: systems, settings, other components. One call
// registers all of that, such as filo_physics2_register(world), and the type names this call (FiloType.registered_by in
// filo/reflect.h). Messages about such a component advise the call, and not filo_component. At the end, the call declares
// that the components are complete. A module of a game may do the same:
//
//     FILO_REFLECT_MODULE(Sail, "sailing_register(world)", FILO_FIELD(float, area, .unit = "m²"))
//     FILO_TAG_MODULE(Moored, "sailing_register(world)")
//
//     bool sailing_register(FiloWorld *world) {
//         return filo_component(world, Sail).id != 0 && filo_component(world, Moored).id != 0 &&
//                filo_system_add(world, &sail).id != 0 && filo_component_complete(world, FILO_TYPE(Sail));
//     }
//
// If such a component is registered by filo_component alone, and the call was not made before the next tick, that tick
// logs a warning with the name of the call, once for each component in the process.

// Declares that what belongs to a component is registered as well; and so for all components of the world whose types name
// the same call. A program that needs only the data of a component, without its module, calls it too. Between ticks.
// Calling it again does nothing. False after a mistake: a component that is not registered.
bool filo_component_complete(FiloWorld *world, const FiloType *type);

typedef struct FiloComponentInfo {
    const FiloType *type;
    const char *name; // of the type
    FiloStorage storage;
    size_t size;               // bytes of a value; 0: a tag
    const void *default_value; // NULL: zeroes
    bool transient;
    bool double_buffered;
    bool has_entities; // some field refers to an entity
    FiloComponentHooks hooks;
    const FiloComponent *required; // all that it requires, directly or through others, by ascending id
    size_t required_count;
} FiloComponentInfo;
// The description of a component; NULL if it does not exist. Any thread.
const FiloComponentInfo *filo_component_info(const FiloWorld *world, FiloComponent component);
// The number of components. Their ids are 1 to this.
uint32_t filo_component_count(const FiloWorld *world);

// ---- Entities -----------------------------------------------------------------------------------------

#define FILO_ENTITY_NONE ((FiloEntity){ 0 })

// An id is an index and a generation. The index of a destroyed entity is used again with another generation, so that a
// stale id is always recognised. The index that was freed first is used first. An index whose generations are used up
// is retired.
#define FILO_ENTITY_INDEX_MAX 0x3FFFFFFFu // about a billion entities at a time
static inline uint32_t filo_entity_index(FiloEntity entity) { return (uint32_t)entity.id; }
static inline uint32_t filo_entity_generation(FiloEntity entity) {
    return (uint32_t)(entity.id >> 32) & 0xFFFF;
}
// Whether it is a temporary id of a change set, for an entity that does not exist yet.
static inline bool filo_entity_temporary(FiloEntity entity) { return entity.id >> 63 != 0; }
static inline bool filo_entity_equal(FiloEntity a, FiloEntity b) { return a.id == b.id; }

// A component with its value, for creating and adding several at once.
typedef struct FiloComponentValue {
    FiloTypeFunction component_type; // the component, by its type; or NULL and
    FiloComponent component;         // the component
    const void *value;               // NULL: the default value. Must not point into the world
} FiloComponentValue;

// FILO_SET(Position, .x = 1, .y = 2): a component with a value. Fields that are not given are 0, whatever the default value of
// the component is. The value lives as long as the block in which this is written.
#define FILO_SET(Type, ...)                                                                                  \
    {                                                                                                        \
        filo_type_##Type, { 0 }, &(Type) { __VA_ARGS__ }                                                     \
    }
// FILO_SET_COPY(Position, &start): a component with a copy of the value that the pointer points to.
#define FILO_SET_COPY(Type, pointer)                                                                         \
    { filo_type_##Type, { 0 }, (1 ? (pointer) : (const Type *)NULL) /* the compiler compares the types */ }
// FILO_ADD(Enemy): a component with its default value, or a tag.
#define FILO_ADD(Type)                                                                                       \
    { filo_type_##Type, { 0 }, NULL }

// A new entity without components. {0} without memory.
FiloEntity filo_entity_create(FiloWorld *world);
// A new entity with these components. {0} without memory or after a mistake (a component that is not registered).
FiloEntity filo_entity_create_with(FiloWorld *world, const FiloComponentValue *values, size_t count);
// The same: filo_create(world, FILO_SET(Position, 1, 2), FILO_ADD(Enemy)), or, inside a system,
// filo_create(it->changes, …). With at least one component; for a new entity without components, use
// filo_entity_create.
#define filo_create(object, ...)                                                                             \
    FILO_OF_(object, filo_entity_create_with, filo_changes_create_entity_with)                               \
    ((object), (const FiloComponentValue[]){ __VA_ARGS__ },                                                  \
     sizeof((const FiloComponentValue[]){ __VA_ARGS__ }) / sizeof(FiloComponentValue))

// Creates an entity with a given id, for loading and networking. False if its index is in use, or without memory. The
// generations of later entities at this index continue from there. If the id is one of a destroyed entity, it is valid
// again. To create many, use a block (below, .ids): one by one, each takes longer the more indices are free that were
// freed in no order.
bool filo_entity_create_as(FiloWorld *world, FiloEntity entity);

// Many entities with the same components, whose columns are filled directly.
typedef struct FiloBlockDesc {
    size_t count;                     // entities
    const FiloComponentValue *values; // components of each; each value is copied to all entities
    size_t value_count;
    const FiloEntity *ids; // `count` ids to create them with, as filo_entity_create_as; NULL: new ids
    FiloEntity *entities;  // receives the ids; may be NULL
    bool inactive;
    // Called with the new rows, part by part, in order. The terms of `it` are the components of `values`, and all of
    // them may be written: filo_write(it, Position). NULL: the entities have `values`.
    void (*fill)(FiloIter *it, void *user);
    void *user;
} FiloBlockDesc;
// Creates all or, without memory or after a mistake, none of them.
bool filo_entity_create_block(FiloWorld *world, const FiloBlockDesc *desc);

// Destroys an entity, its components, and all its descendants. A stale id is a caller's mistake; {0} does nothing.
void filo_entity_destroy(FiloWorld *world, FiloEntity entity);
// The same in a world or, recorded, in a change set.
#define filo_destroy(object, entity)                                                                         \
    FILO_OF_(object, filo_entity_destroy, filo_changes_destroy_entity)((object), (entity))
// The same for many. Stale ids are ignored, also those of entities that were destroyed as descendants of others.
void filo_entity_destroy_many(FiloWorld *world, const FiloEntity *entities, size_t count);

// False for {0}, for destroyed entities, and for ids that never existed. Any thread.
bool filo_entity_exists(const FiloWorld *world, FiloEntity entity);
// The entity that now has this index; {0} if it is free.
FiloEntity filo_entity_at(const FiloWorld *world, uint32_t index);
// Indices in use are below this.
uint32_t filo_entity_index_end(const FiloWorld *world);

// Inactive entities keep all components; queries ignore them unless their `activity` includes them. New entities are
// active. Children do not change.
void filo_entity_set_active(FiloWorld *world, FiloEntity entity, bool active);
bool filo_entity_active(const FiloWorld *world, FiloEntity entity);

// ---- Components of entities -----------------------------------------------------------------------------
//
// Each has two forms: a function that takes a FiloComponent, and a macro that takes a type: filo_get(world, ship,
// Position). A component that is not registered is a caller's mistake, and so is a stale entity, except in
// filo_entity_has and filo_entity_get, which then return false and NULL.

// The value of a component, NULL if the entity has none. Valid until the structure of the world changes. Any thread
// that may read the component.
//
// In a debug build, a pointer that is used for longer mostly points to bytes of 0xDD: rows of tables, sparse lists and
// arrays that are no longer in use are filled with these. Built with the address sanitizer, Filo poisons such rows of
// tables, and the program stops at the access.
const void *filo_entity_get(const FiloWorld *world, FiloEntity entity, FiloComponent component);
#define filo_get(object, entity, Type)                                                                       \
    ((const Type *)FILO_OF_(object, filo_entity_get_type, filo_changes_get_type)((object), (entity),         \
                                                                                 FILO_TYPE(Type)))
// The same for many entities in any order, two to four times as fast as one by one if they are not in the processor's
// cache: values[i] is that of entities[i], or NULL. Returns how many have it; 0 after a mistake, with every value NULL.
// (One after the other, without a list of values: filo/lookup.h.)
size_t filo_entity_get_many(const FiloWorld *world, const FiloEntity *entities, size_t count,
                            FiloComponent component, const void **values);
// The value, to write to: marks the component as changed. It is a caller's mistake if the entity has none; then the
// function returns NULL, and the macro memory that nothing reads.
void *filo_entity_edit(FiloWorld *world, FiloEntity entity, FiloComponent component);
#define filo_edit(world, entity, Type) ((Type *)filo_entity_edit_type((world), (entity), FILO_TYPE(Type)))
// The same for an entity that may have none: NULL then.
void *filo_entity_try_edit(FiloWorld *world, FiloEntity entity, FiloComponent component);
#define filo_try_edit(world, entity, Type)                                                                   \
    ((Type *)filo_entity_try_edit_type((world), (entity), FILO_TYPE(Type)))
bool filo_entity_has(const FiloWorld *world, FiloEntity entity, FiloComponent component);
#define filo_has(object, entity, Type)                                                                       \
    FILO_OF_(object, filo_entity_has_type, filo_changes_has_type)((object), (entity), FILO_TYPE(Type))

// Adds a component with its default value, and those that it requires. A component that the entity has stays as it is.
// Returns the value; NULL without memory or for tags.
void *filo_entity_add(FiloWorld *world, FiloEntity entity, FiloComponent component);
// The same by type. In a change set it returns a bool: whether it was recorded.
#define filo_add(object, entity, Type)                                                                       \
    FILO_OF_(object, filo_entity_add_type, filo_changes_add_type)((object), (entity), FILO_TYPE(Type))
// The same for many entities, two to three times as fast as one by one. Stale and temporary ids are ignored. False
// after a mistake, or without memory: then some may lack it.
bool filo_entity_add_many(FiloWorld *world, const FiloEntity *entities, size_t count,
                          FiloComponent component);
// Sets a component to a copy of `value`. If the entity lacks it, it is added together with those that it requires.
// `value` may be what filo_entity_get returned for another entity. False without memory or after a mistake.
bool filo_entity_set(FiloWorld *world, FiloEntity entity, FiloComponent component, const void *value);
#define filo_set(object, entity, Type, ...)                                                                  \
    FILO_OF_(object, filo_entity_set_type, filo_changes_set_type)                                            \
    ((object), (entity), FILO_TYPE(Type), &(Type){ __VA_ARGS__ })
// Removes a component. False if the entity has none; that is no mistake.
bool filo_entity_remove(FiloWorld *world, FiloEntity entity, FiloComponent component);
#define filo_remove(object, entity, Type)                                                                    \
    FILO_OF_(object, filo_entity_remove_type, filo_changes_remove_type)((object), (entity), FILO_TYPE(Type))
// The same for many entities, as filo_entity_add_many. False after a mistake, or without memory: then some may
// still have it.
bool filo_entity_remove_many(FiloWorld *world, const FiloEntity *entities, size_t count,
                             FiloComponent component);

// Adds or sets several components and removes others; the entity moves once. A component in both lists is removed.
// False without memory or after a mistake.
bool filo_entity_change(FiloWorld *world, FiloEntity entity, const FiloComponentValue *values,
                        size_t value_count, const FiloComponent *without, size_t without_count);

// Fills `components` with up to `capacity` components of the entity, by ascending id, and returns how many it has.
size_t filo_entity_components(const FiloWorld *world, FiloEntity entity, FiloComponent *components,
                              size_t capacity);

// A new entity with the same components and values, active or inactive like the original. Descendants are copied as
// well. References between the copied entities become references between the copies. Names are not copied: they are
// unique. {0} without memory or after a mistake.
FiloEntity filo_entity_copy(FiloWorld *world, FiloEntity entity);

// ---- Global components ----------------------------------------------------------------------------------

// A component that is registered with FILO_STORAGE_GLOBAL has one value in the world, from its registration on. In
// systems it is a term like others. After a mistake the functions return NULL, and the macros memory that nothing reads.
const void *filo_global_get(const FiloWorld *world, FiloComponent component);
void *filo_global_edit(FiloWorld *world, FiloComponent component);
// Sets it to a copy of `value`. False after a mistake.
bool filo_global_set(FiloWorld *world, FiloComponent component, const void *value);
#define filo_get_global(world, Type)  ((const Type *)filo_global_get_type((world), FILO_TYPE(Type)))
#define filo_edit_global(world, Type) ((Type *)filo_global_edit_type((world), FILO_TYPE(Type)))
#define filo_set_global(object, Type, ...)                                                                   \
    FILO_OF_(object, filo_global_set_type, filo_changes_set_global_type)                                     \
    ((object), FILO_TYPE(Type), &(Type){ __VA_ARGS__ })

// ---- Names and families ---------------------------------------------------------------------------------

// Sets the name of an entity, unique in the world; NULL or "" removes it. False if another entity has it, without
// memory, or if there are too many names in the process (FILO_NAME_LIMIT of filo/strings.h; this is logged). The text
// is copied. A name is released with its entity, and its memory is used again.
bool filo_entity_set_name(FiloWorld *world, FiloEntity entity, const char *name);
// The name of an entity; NULL if it has none. Valid as long as the entity has this name. Any thread.
const char *filo_entity_name(const FiloWorld *world, FiloEntity entity);
// The entity with a name; {0} if there is none. Any thread.
FiloEntity filo_world_find(const FiloWorld *world, const char *name);

// Makes `child` the last child of `parent`; {0}: it has no parent then. False if it would be its own ancestor (a
// mistake), or without memory. Destroying a parent destroys its children; destroying a child does not change the order
// of its siblings.
bool filo_entity_set_parent(FiloWorld *world, FiloEntity child, FiloEntity parent);
// Moves a child before another child of the same parent; {0}: to the end.
void filo_entity_move_before(FiloWorld *world, FiloEntity child, FiloEntity sibling);
FiloEntity filo_entity_parent(const FiloWorld *world, FiloEntity entity);
FiloEntity filo_entity_first_child(const FiloWorld *world, FiloEntity entity);
FiloEntity filo_entity_next_sibling(const FiloWorld *world, FiloEntity entity);
size_t filo_entity_child_count(const FiloWorld *world, FiloEntity entity);
// Loops over the children of `parent` in their order: filo_entity_each_child (world, ship, child) use(child);
// The structure of the world must not change in the loop.
#define filo_entity_each_child(world, parent, child)                                                         \
    for (FiloEntity child = filo_entity_first_child((world), (parent)); child.id != 0;                       \
         child = filo_entity_next_sibling((world), child))

// The entities that got another parent, or lost theirs, since the last call with the same cursor. For data beside the
// world that depends on families, such as world transforms. The cursor is 0 at first.
//
//     FiloReparented changed = filo_world_reparented(world, &cursor);
//     if (changed.lost) look_at_all(); // otherwise:
//     for (size_t i = 0; i < changed.count; i++) look_at(changed.entities[i]);
#define FILO_REPARENTED_MAX 8192
typedef struct FiloReparented {
    // In the order of the changes. An entity may be listed several times, and may not exist any more. Entities that
    // were destroyed with their parents are not listed. Valid until the structure of the world changes.
    const FiloEntity *entities;
    size_t count;
    // The list is not complete, and empty: it is the first call, a snapshot was restored, there was no memory, or there
    // were more than FILO_REPARENTED_MAX changes.
    bool lost;
} FiloReparented;
// Between ticks, or in a system.
FiloReparented filo_world_reparented(const FiloWorld *world, uint64_t *cursor);

// Names and families are stored as ordinary components, which can be queried and saved. Only the functions above change
// them. The name is reference-counted (filo/strings.h), and valid as long as the entity has it. To store it elsewhere,
// for example in another component, use filo_name(filo_name_text(name)).
typedef struct FiloEntityName {
    FiloName name;
} FiloEntityName;
FILO_REFLECT_DECLARE(FiloEntityName);
typedef struct FiloFamily {
    FiloEntity parent, first, last, next, previous;
} FiloFamily;
FILO_REFLECT_DECLARE(FiloFamily);

// ---- Prefabs --------------------------------------------------------------------------------------------

// The component of a prefab: an entity that serves as a template, with its children. It is inactive, so systems ignore
// it.
typedef struct FiloPrefab {
    FiloEntity base; // the prefab that it was derived from by filo_prefab_derive; {0}: none
} FiloPrefab;
FILO_REFLECT_DECLARE(FiloPrefab);

// Makes the entity and its descendants a prefab. False without memory or after a mistake.
bool filo_prefab_make(FiloWorld *world, FiloEntity entity);

typedef struct FiloInstanceDesc {
    size_t count;      // 0: 1
    FiloEntity parent; // of all instances; {0}: none
    // Overrides: components that are set on the instances, not on their children.
    const FiloComponentValue *values;
    size_t value_count;
    FiloEntity *entities; // receives the ids of the instances, not of their children; may be NULL
} FiloInstanceDesc;
// Makes active copies of a prefab (or of any entity) and its descendants. References to the prefab and its descendants,
// in their components and in overrides, become references to the instance and its descendants. The same holds for
// references to descendants of the prefab that it was derived from, if they have the same path from the root. (To refer
// to the prefab itself, set the component afterwards.) Makes all or, without memory, none. `desc` may be NULL.
bool filo_prefab_instantiate(FiloWorld *world, FiloEntity prefab, const FiloInstanceDesc *desc);
// One instance: filo_instance(world, prefab); with overrides, filo_instance(world, prefab, FILO_SET(Position, 3, 4));
// inside a system, filo_instance(it->changes, prefab, …).
#define filo_instance(object, ...) FILO_INSTANCE_(object, __VA_ARGS__, { NULL, { 0 }, NULL })
// A prefab that is a copy of another one with overrides. {0} without memory or after a mistake.
FiloEntity filo_prefab_derive(FiloWorld *world, FiloEntity prefab, const FiloComponentValue *values,
                              size_t value_count);

// ---- State ----------------------------------------------------------------------------------------------

// A hash that is equal for equal worlds: the same seed and ticks, the same entities (by index and generation) with equal
// components, in the sense of filo_reflect_equal, the same order of children, and equal data of providers
// (filo/snapshot.h). Storage, row order, names of systems and transient components do not count. Between ticks; uses
// the workers.
uint64_t filo_world_hash(const FiloWorld *world);
// The hash of one entity, or of one component of all entities: to find where two worlds differ.
uint64_t filo_entity_hash(const FiloWorld *world, FiloEntity entity);
uint64_t filo_component_hash(const FiloWorld *world, FiloComponent component);

// ---- Behind the macros --------------------------------------------------------------------------------

#define FILO_TAG_TYPE_(function, text, call)                                                                 \
    const FiloType *function(void);                                                                          \
    const FiloType *function(void) {                                                                         \
        static const FiloType type = {                                                                       \
            .name = text, .kind = FILO_KIND_STRUCT, .size = 0, .align = 1, .registered_by = call             \
        };                                                                                                   \
        return &type;                                                                                        \
    }

#define FILO_COMPONENT_DESC_(Type, ...)                                                                      \
    (FiloComponentDesc) { .type = FILO_TYPE(Type), __VA_ARGS__ }

// The list has one more element at its end, which is not counted: C does not allow an empty list.
#define FILO_INSTANCE_(object, prefab, ...)                                                                  \
    FILO_OF_(object, filo_prefab_instance_with, filo_changes_instance_with)                                  \
    ((object), (prefab), (const FiloComponentValue[]){ __VA_ARGS__ },                                        \
     sizeof((const FiloComponentValue[]){ __VA_ARGS__ }) / sizeof(FiloComponentValue) - 1)

// Selects the function for a world or the one for a change set.
#define FILO_OF_(object, of_world, of_changes)                                                               \
    _Generic((object), FiloWorld * : of_world, const FiloWorld * : of_world, FiloChanges * : of_changes)

const void *filo_entity_get_type(const FiloWorld *world, FiloEntity entity, const FiloType *type);
void *filo_entity_edit_type(FiloWorld *world, FiloEntity entity, const FiloType *type);
bool filo_entity_has_type(const FiloWorld *world, FiloEntity entity, const FiloType *type);
void *filo_entity_try_edit_type(FiloWorld *world, FiloEntity entity, const FiloType *type);
void *filo_entity_add_type(FiloWorld *world, FiloEntity entity, const FiloType *type);
bool filo_entity_set_type(FiloWorld *world, FiloEntity entity, const FiloType *type, const void *value);
bool filo_entity_remove_type(FiloWorld *world, FiloEntity entity, const FiloType *type);
FiloEntity filo_prefab_instance_with(FiloWorld *world, FiloEntity prefab, const FiloComponentValue *values,
                                     size_t value_count);
const void *filo_global_get_type(const FiloWorld *world, const FiloType *type);
void *filo_global_edit_type(FiloWorld *world, const FiloType *type);
bool filo_global_set_type(FiloWorld *world, const FiloType *type, const void *value);

FiloEntity filo_changes_create_entity_with(FiloChanges *changes, const FiloComponentValue *values,
                                           size_t value_count);
FiloEntity filo_changes_instance_with(FiloChanges *changes, FiloEntity prefab,
                                      const FiloComponentValue *values, size_t value_count);
bool filo_changes_destroy_entity(FiloChanges *changes, FiloEntity entity);
const void *filo_changes_get_type(FiloChanges *changes, FiloEntity entity, const FiloType *type);
bool filo_changes_has_type(FiloChanges *changes, FiloEntity entity, const FiloType *type);
bool filo_changes_add_type(FiloChanges *changes, FiloEntity entity, const FiloType *type);
bool filo_changes_set_type(FiloChanges *changes, FiloEntity entity, const FiloType *type, const void *value);
bool filo_changes_remove_type(FiloChanges *changes, FiloEntity entity, const FiloType *type);
bool filo_changes_set_global_type(FiloChanges *changes, const FiloType *type, const void *value);

FILO_END_DECLS

#endif
