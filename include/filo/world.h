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
//     const Position *position = filo_get(world, ship, Position);      // NULL if it has none
//     filo_entity_destroy(world, ship);
//     filo_world_destroy(world);
//
// Names. A function is called after the object that it acts on, which is its first argument: filo_world_…,
// filo_entity_… (in a world), filo_changes_… (in a change set, filo/changes.h); components are given by their FiloComponent.
// The macros with a C type instead leave the object out of their name, and take a world or a change set:
//
//     filo_create(object, FILO_SET(Type, value), …)       a new entity; filo_instance(object, prefab, …)
//     filo_destroy(object, entity)
//     filo_get(object, entity, Type)                       const Type *, NULL where the entity has none
//     filo_has(object, entity, Type)
//     filo_add(object, entity, Type)                       with its first value
//     filo_set(object, entity, Type, value)                filo_set_global(object, Type, value)
//     filo_remove(object, entity, Type)
//
// In a world they act at once, in a change set they are recorded. A world alone can be edited: filo_edit and
// filo_edit_global give a Type * to write through, and it is a mistake if the entity has none; filo_try_edit gives NULL then.
// What is put into lists and descriptions is written in capitals: FILO_SET, FILO_READ.
//
// Macros are for C; C++ code calls the functions.
//
// An entity is a number. What it is, is said by its components: plain structs, described once by
// filo/reflect.h. Entities with the same set of components lie together in a table, each component in a
// column of its own, so that going over them is going over arrays (filo/query.h). Other ways to store a
// component are chosen by one word where it is registered.
//
// There are two times in the life of a world. Between ticks, the functions below change it at once; one
// thread at a time. During a tick systems run (filo/system.h), many at once; they read and write the
// components that they declared, and record everything else in a change set (filo/changes.h), which is
// applied when their stage has ended. Calling a function that changes the structure while systems run, or
// inside an iteration, is a caller's mistake: a debug build stops there, a release build reports it and
// changes nothing.
//
// Functions that need memory and get none report it (filo_out_of_memory) and return "none", NULL or false;
// the world is then as it was before. What they returned may be passed on to others, which then do nothing: without
// memory, {0} and a component that is not registered are no mistake. One call of filo_out_of_memory_result
// (filo/check.h) after a set-up says whether all of it is there.

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
    FiloEvents *events;             // what systems emit goes here; NULL: they cannot emit
    const FiloAllocator *allocator; // where all memory comes from; NULL: from the system, in large pages
    size_t memory_budget;           // bytes; 0: no limit. An allocator of yours has a budget of its own
    uint64_t seed;                  // of filo_iter_random; worlds with the same seed do the same
} FiloWorldDesc;

// Several may exist, and know nothing of each other. `desc` may be NULL. The scheduler and the events must
// outlive it.
FiloResult filo_world_create(FiloWorld **world, const FiloWorldDesc *desc);
// Destroys all entities and frees everything; observers hear nothing of it. Between ticks. NULL is allowed.
void filo_world_destroy(FiloWorld *world);
// Destroys all entities; components, queries and systems stay. Global components get their first value again, states
// are the initial ones, which the next tick enters, and all groups of systems are on. What handlers of events
// recorded before, and is not applied yet, is dropped.
void filo_world_clear(FiloWorld *world);

FiloJobs *filo_world_jobs(const FiloWorld *world);
FiloEvents *filo_world_events(const FiloWorld *world);
// Where the memory of the world comes from, for what is kept beside it. As long as the world; NULL after a mistake.
const FiloAllocator *filo_world_allocator(const FiloWorld *world);
uint64_t filo_world_seed(const FiloWorld *world);
// Ticks so far; during a tick, the number of ticks before it.
uint64_t filo_world_ticks(const FiloWorld *world);

typedef struct FiloWorldStats {
    size_t entities; // in use, active or not
    size_t inactive; // of which inactive
    size_t tables;   // sets of components that occurred
    size_t chunks;   // pieces that tables consist of
    size_t components, queries, systems;
    size_t memory;        // bytes in use
    size_t memory_budget; // 0: no limit
} FiloWorldStats;

FiloWorldStats filo_world_stats(const FiloWorld *world);

// ---- Components ---------------------------------------------------------------------------------------

// A component of one world; {0} is none. Numbers are given in the order of registration, so register in the
// same order wherever worlds are to behave the same.
typedef struct FiloComponent {
    uint32_t id;
} FiloComponent;

// How a component is stored. Going over entities by filo_read and filo_write is for tables; filo_column, FiloEach, look-ups
// and accessors are for all of them (filo/query.h). What each costs differs:
typedef enum FiloStorage {
    FILO_STORAGE_TABLE,  // in columns: fastest to go over; adding and removing moves the entity to another
                         // table
    FILO_STORAGE_SPARSE, // in a list of its own: quick to add and remove, reached by one more step
    FILO_STORAGE_ARRAY,  // in an array by entity: fastest to look up; takes memory for every entity of the
                         // world
    FILO_STORAGE_MAP,    // in a hash map: least memory for what very few entities have
    FILO_STORAGE_TAG,    // for FILO_TAG: one bit per entity, quick to set and clear, without moving anything.
                         // (In a
                         // table, a tag makes its entities lie together.)
    FILO_STORAGE_GLOBAL, // one for the whole world: score, input, camera
    FILO_STORAGE_USER,   // in a holder of yours: filo/holder.h
} FiloStorage;

// Optional: for components that are more than plain data. Hooks are to a value what constructors and destructors are:
// they work on the values that they are given and on nothing else, and must not use the world. To hear that entities
// get and lose a component is what observers are for (filo/observer.h).
//
// No lock is taken around them. Between ticks, and while change sets are applied, they are called by the thread that
// changes the world. A value that is recorded in a change set is constructed, copied and moved by the thread that
// records, so several threads may call hooks at the same time, for different values; one value may be copied by several
// at once, so `copy` only reads from it. A snapshot destructs its copies on the thread that ends it. What hooks share by
// way of `user` must be ready for that: counters are atomic, memory comes from a heap for any thread, like FiloHeap.
typedef struct FiloComponentHooks {
    void (*construct)(void *value, void *user); // after it got its first value, and before it is set
    void (*destruct)(void *value, void *user);  // before it goes
    void (*copy)(void *to, const void *from, void *user); // `to` is constructed; NULL: memcpy
    void (*move)(void *to, void *from, void *user);       // to fresh memory, and forget `from`; NULL: memcpy
    void *user;
} FiloComponentHooks;

// A component that another one requires, for FiloComponentDesc.
#define FILO_REQUIRED_MAX 8
typedef struct FiloRequired {
    FiloTypeFunction type;   // the component, by its type; or
    FiloComponent component; // by itself, as for components without a C type
} FiloRequired;
#define FILO_REQUIRED(Type)                                                                                  \
    {                                                                                                        \
        filo_type_##Type, { 0 }                                                                              \
    }

#define FILO_FORMER_NAMES 4 // that a component may have

typedef struct FiloComponentDesc {
    const FiloType *type; // a struct; must outlive the world, unless that releases it
    FiloStorage storage;
    const FiloHolderInterface *holder; // for FILO_STORAGE_USER
    const void *default_value;         // default value, copied; NULL: zeroes
    bool transient;                    // a cache: not saved, not hashed
    // The description of the type leaves bytes out on purpose: a pointer, a handle of another library. They are neither
    // saved nor hashed. Otherwise a debug build logs a warning about such bytes, once for each component: they may be a
    // field that was forgotten. (One that fits where padding would be is not noticed.)
    bool partial;
    FiloComponentHooks hooks;
    // What an entity that gets this component needs besides it: see "Required components" below. In any order; registered
    // before; not global.
    FiloRequired required[FILO_REQUIRED_MAX];
    // Names that it had before, copied: .formerly = { "Hitpoints" }. Saved worlds and scenes that know it by one of these
    // find it. A component that has such a name now goes first. (A field has .was, filo/reflect.h.)
    const char *formerly[FILO_FORMER_NAMES];
    // Makes the type the world's, if it could be registered: called when neither it nor a world that was created like
    // it (filo/snapshot.h) needs the type any more. NULL: the type is somebody else's, and outlives all of these.
    void (*release)(const FiloType *type);
    int end_; // closes the list of the macro below
} FiloComponentDesc;

// Registers a component, at any time between ticks. Registering the same again is fine and returns the same;
// with another storage, hooks, layout or other required components under the same name it is a caller's mistake. {0}
// after a mistake or without memory. The type may be the same at another address, as when a module was loaded again:
// then the newer holds, and each that came with `release` is released at the end.
FiloComponent filo_component_register(FiloWorld *world, const FiloComponentDesc *desc);
// The same in a few words: filo_component(world, Position), filo_component(world, Burning, .storage =
// FILO_STORAGE_SPARSE).
#define filo_component(world, ...)                                                                           \
    filo_component_register((world), &FILO_COMPONENT_DESC_(__VA_ARGS__, .end_ = 0))

// Required components. A component may name others that it does not work without:
//
//     filo_component(world, Position);
//     filo_component(world, Sprite, .required = { FILO_REQUIRED(Position), FILO_REQUIRED(PreviousPosition) });
//
// What Position and PreviousPosition require is required by Sprite too. Whenever an entity gets a Sprite, it gets in the
// same step all of these that it lacks, each with its default value; what it has already stays as it is. This holds for
// every way to get one: direct calls, change sets, overrides of instances, scenes. In a list, explicit values win over
// default values, whatever the order.
//
// Only the moment counts in which an entity gets the component. Setting one that is there already adds nothing. A
// required component may be removed while the one that requires it stays, and stays removed: also in copies,
// instances of prefabs, snapshots and saved worlds, which are what their original was. Where a list both gives a
// component and removes one that it requires (filo_entity_change), that is removed. Removing a component leaves those
// that it required.
//
// A saved world that is older than a requirement gets what its entities lack when it is loaded (filo/snapshot.h).

// The component of a type or with a name; {0} if it is not registered. Any thread.
FiloComponent filo_component_of(const FiloWorld *world, const FiloType *type);
FiloComponent filo_component_named(const FiloWorld *world, const char *name);
// The component with this name or, if there is none, the one that had it before (.formerly); {0} if there is none either.
// For what reads files. Any thread.
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
    const FiloType *filo_type_##Type(void);                                                                  \
    const FiloType *filo_type_##Type(void) {                                                                 \
        static const FiloType type = { .name = #Type, .kind = FILO_KIND_STRUCT, .size = 0, .align = 1 };     \
        return &type;                                                                                        \
    }

// What a component is; NULL for one that does not exist. Any thread.
typedef struct FiloComponentInfo {
    const FiloType *type;
    const char *name; // of the type
    FiloStorage storage;
    size_t size;               // bytes of a value; 0: a tag
    const void *default_value; // default value; NULL: zeroes
    bool transient;
    bool has_entities; // some field refers to an entity
    FiloComponentHooks hooks;
    const FiloComponent *required; // what comes with it: what it requires, and what these do, by number
    size_t required_count;
} FiloComponentInfo;
const FiloComponentInfo *filo_component_info(const FiloWorld *world, FiloComponent component);
// Components have the ids 1 to this.
uint32_t filo_component_count(const FiloWorld *world);

// ---- Entities -----------------------------------------------------------------------------------------

#define FILO_ENTITY_NONE ((FiloEntity){ 0 })

// An id is an index and a generation. When an entity is destroyed its index is used again, the one that was
// freed first before the others, with another generation: so an old id is recognised, everywhere and for ever
// (an index whose generations are used up is retired).
#define FILO_ENTITY_INDEX_MAX 0x3FFFFFFFu // about a billion entities at a time
static inline uint32_t filo_entity_index(FiloEntity entity) { return (uint32_t)entity.id; }
static inline uint32_t filo_entity_generation(FiloEntity entity) {
    return (uint32_t)(entity.id >> 32) & 0xFFFF;
}
// A temporary id, given by a change set; it stands for an entity that does not exist yet.
static inline bool filo_entity_temporary(FiloEntity entity) { return entity.id >> 63 != 0; }
static inline bool filo_entity_equal(FiloEntity a, FiloEntity b) { return a.id == b.id; }

// A component with its value, for creating and adding several at once.
typedef struct FiloComponentValue {
    FiloTypeFunction type;   // the component, by its type; or
    FiloComponent component; // by itself
    const void *value;       // NULL: the first value of the component. Not one that lies in the world
} FiloComponentValue;

// FILO_SET(Position, .x = 1, .y = 2): a component with a value, for the time of the call.
#define FILO_SET(Type, ...)                                                                                  \
    {                                                                                                        \
        filo_type_##Type, { 0 }, &(Type) { __VA_ARGS__ }                                                     \
    }
// FILO_SET_COPY(Position, &place): with a copy of what the pointer leads to.
#define FILO_SET_COPY(Type, pointer)                                                                         \
    { filo_type_##Type, { 0 }, (1 ? (pointer) : (const Type *)NULL) /* the compiler compares the types */ }
// FILO_ADD(Enemy): with the first value, or a tag.
#define FILO_ADD(Type)                                                                                       \
    { filo_type_##Type, { 0 }, NULL }

// A new entity with nothing. {0} without memory.
FiloEntity filo_entity_create(FiloWorld *world);
// A new entity with these components. {0} without memory or after a mistake (a component that is not
// registered).
FiloEntity filo_entity_create_with(FiloWorld *world, const FiloComponentValue *values, size_t count);
// The same: filo_create(world, FILO_SET(Position, 1, 2), FILO_ADD(Enemy)), or, inside a system,
// filo_create(it->changes, …). With one component at least; a new entity with nothing is filo_entity_create(world).
#define filo_create(object, ...)                                                                             \
    FILO_OF_(object, filo_entity_create_with, filo_changes_create_entity_with)                               \
    ((object), (const FiloComponentValue[]){ __VA_ARGS__ },                                                  \
     sizeof((const FiloComponentValue[]){ __VA_ARGS__ }) / sizeof(FiloComponentValue))

// A new entity under a given id, as when loading or on the other side of a network. False if its index is in
// use, or without memory. The generation of later entities at this index goes on from there; ids of earlier
// ones that are made again this way are good again. Many at once are best made as a block (below, .ids): one by one,
// each takes the longer the more indices are free that were freed in no order.
bool filo_entity_create_as(FiloWorld *world, FiloEntity entity);

// Many at once, alike. Their columns are filled directly.
typedef struct FiloBlockDesc {
    size_t count;                     // entities
    const FiloComponentValue *values; // their components; each value is copied to all
    size_t value_count;
    const FiloEntity *ids; // `count` ids to create them under; NULL: new ones
    FiloEntity *entities;  // receives the ids; NULL: nobody wants them
    bool inactive;
    // Called with the new rows, part by part, in order: `it` has the components of `with` as its terms, all of which may
    // be written: filo_write(it, Position). NULL: the values of `with` are what they have.
    void (*fill)(FiloIter *it, void *user);
    void *user;
} FiloBlockDesc;
// All or, without memory or after a mistake, none of them.
bool filo_entity_create_block(FiloWorld *world, const FiloBlockDesc *desc);

// Destroys an entity, its components, and all its children and theirs. A stale id is a caller's mistake; {0}
// does nothing.
void filo_entity_destroy(FiloWorld *world, FiloEntity entity);
// The same in a world, or recorded in a change set.
#define filo_destroy(object, entity)                                                                         \
    FILO_OF_(object, filo_entity_destroy, filo_changes_destroy_entity)((object), (entity))
// The same for many; those that went with others, or are stale, are passed over.
void filo_entity_destroy_many(FiloWorld *world, const FiloEntity *entities, size_t count);

// False for {0}, for what was destroyed, and for ids that were never given. Any thread.
bool filo_entity_exists(const FiloWorld *world, FiloEntity entity);
// The entity that now has this index; {0} if it is free.
FiloEntity filo_entity_at(const FiloWorld *world, uint32_t index);
// Indices in use are below this.
uint32_t filo_entity_index_end(const FiloWorld *world);

// Inactive entities keep everything; queries pass over them unless they ask for them. New ones are active.
// Children are not touched.
void filo_entity_set_active(FiloWorld *world, FiloEntity entity, bool active);
bool filo_entity_active(const FiloWorld *world, FiloEntity entity);

// ---- Components of entities -----------------------------------------------------------------------------
//
// Each comes in two forms: by component number, and in a few words by type: filo_get(world, ship, Position).
// A stale entity, or a component that is not registered, is a caller's mistake everywhere here except in
// filo_entity_has and filo_entity_get, which then answer false and NULL.

// The value of a component, NULL if the entity has none. Good until the structure of the world changes. Any
// thread that may read the component.
//
// In a debug build, a pointer that was kept longer mostly leads to bytes of 0xDD, which is what values are filled with that
// an entity left in a table, sparse list or array. Built with the address sanitizer, Filo makes rows of tables that were
// left unusable, and the program stops where one is touched.
const void *filo_entity_get(const FiloWorld *world, FiloEntity entity, FiloComponent component);
#define filo_get(object, entity, Type)                                                                       \
    ((const Type *)FILO_OF_(object, filo_entity_get_type, filo_changes_get_type)((object), (entity),         \
                                                                                 FILO_TYPE(Type)))
// The same for many entities in any order, two to four times as quick as one by one if they are in no cache: values[i]
// is that of entities[i], or NULL. Returns how many have it; 0 after a mistake, with every value NULL. (One after
// another, without a list of values: filo/lookup.h.)
size_t filo_entity_get_many(const FiloWorld *world, const FiloEntity *entities, size_t count,
                            FiloComponent component, const void **values);
// The value to be written: marks the component as changed. That the entity has none is a caller's mistake; then it
// returns NULL.
void *filo_entity_edit(FiloWorld *world, FiloEntity entity, FiloComponent component);
#define filo_edit(world, entity, Type) ((Type *)filo_entity_edit_type((world), (entity), FILO_TYPE(Type)))
// The same where the entity may have none: NULL then.
void *filo_entity_try_edit(FiloWorld *world, FiloEntity entity, FiloComponent component);
#define filo_try_edit(world, entity, Type)                                                                   \
    ((Type *)filo_entity_try_edit_type((world), (entity), FILO_TYPE(Type)))
bool filo_entity_has(const FiloWorld *world, FiloEntity entity, FiloComponent component);
#define filo_has(object, entity, Type)                                                                       \
    FILO_OF_(object, filo_entity_has_type, filo_changes_has_type)((object), (entity), FILO_TYPE(Type))

// Adds a component with its default value, and those that it requires; if it is there already, it stays as it is. Returns
// the value, NULL without memory or for tags.
void *filo_entity_add(FiloWorld *world, FiloEntity entity, FiloComponent component);
// In a change set it returns a bool: whether it was recorded.
#define filo_add(object, entity, Type)                                                                       \
    FILO_OF_(object, filo_entity_add_type, filo_changes_add_type)((object), (entity), FILO_TYPE(Type))
// The same for many entities, two to three times as quick as one by one; those that are stale, and temporary
// ids, are passed over. False after a mistake, or without memory: then some may lack it.
bool filo_entity_add_many(FiloWorld *world, const FiloEntity *entities, size_t count,
                          FiloComponent component);
// Sets a component to a copy of `value`, adding it if need be, with those that it requires. `value` may be what filo_entity_get returned for another
// entity. False without memory or after a mistake.
bool filo_entity_set(FiloWorld *world, FiloEntity entity, FiloComponent component, const void *value);
#define filo_set(object, entity, Type, ...)                                                                  \
    FILO_OF_(object, filo_entity_set_type, filo_changes_set_type)                                            \
    ((object), (entity), FILO_TYPE(Type), &(Type){ __VA_ARGS__ })
// Takes a component away. False if the entity has none; that is no mistake.
bool filo_entity_remove(FiloWorld *world, FiloEntity entity, FiloComponent component);
#define filo_remove(object, entity, Type)                                                                    \
    FILO_OF_(object, filo_entity_remove_type, filo_changes_remove_type)((object), (entity), FILO_TYPE(Type))
// The same for many entities, as filo_entity_add_many. False after a mistake, or without memory: then some may
// still have it.
bool filo_entity_remove_many(FiloWorld *world, const FiloEntity *entities, size_t count,
                             FiloComponent component);

// Adds (or sets) and removes several at once: the entity moves once. What is in both lists is removed. False
// without memory or after a mistake.
bool filo_entity_change(FiloWorld *world, FiloEntity entity, const FiloComponentValue *values,
                        size_t value_count, const FiloComponent *without, size_t without_count);

// Fills `components` with up to `capacity` components of the entity, by number, and returns how many it has.
size_t filo_entity_components(const FiloWorld *world, FiloEntity entity, FiloComponent *components,
                              size_t capacity);

// A new entity with the same components and values, active or inactive like the other. References from the
// copied entities to themselves and each other become references to the copies. Children are copied too.
// Names are not: they are unique.
FiloEntity filo_entity_copy(FiloWorld *world, FiloEntity entity);

// ---- Global components ----------------------------------------------------------------------------------

// A component that is registered as FILO_STORAGE_GLOBAL has one value, from registration on. In systems it is
// a term like others.
const void *filo_global_get(const FiloWorld *world, FiloComponent component);
void *filo_global_edit(FiloWorld *world, FiloComponent component);
// Sets it to a copy of `value`. False after a mistake.
bool filo_global_set(FiloWorld *world, FiloComponent component, const void *value);
#define filo_get_global(world, Type)                                                                         \
    ((const Type *)filo_global_get((world), filo_component_of((world), FILO_TYPE(Type))))
#define filo_edit_global(world, Type)                                                                        \
    ((Type *)filo_global_edit((world), filo_component_of((world), FILO_TYPE(Type))))
#define filo_set_global(object, Type, ...)                                                                   \
    FILO_OF_(object, filo_global_set_type, filo_changes_set_global_type)                                     \
    ((object), FILO_TYPE(Type), &(Type){ __VA_ARGS__ })

// ---- Names and families ---------------------------------------------------------------------------------

// A name, unique in the world; NULL or "" takes it away. False if another entity has it, without memory, or if
// there are too many names in the process (FILO_NAME_LIMIT of filo/strings.h; this is logged). The text is copied.
// A name goes with its entity, and what it took is used again.
bool filo_entity_set_name(FiloWorld *world, FiloEntity entity, const char *name);
// NULL if it has none. Good as long as the entity has this name. Any thread.
const char *filo_entity_name(const FiloWorld *world, FiloEntity entity);
// {0} if there is none. Any thread.
FiloEntity filo_world_find(const FiloWorld *world, const char *name);

// Makes `child` the last child of `parent`; {0} makes it nobody's. False if it would be its own ancestor (a
// mistake), or without memory. When a parent is destroyed its children are; when a child is, its brothers and
// sisters keep their order.
bool filo_entity_set_parent(FiloWorld *world, FiloEntity child, FiloEntity parent);
// Puts a child before another child of the same parent; {0}: to the end.
void filo_entity_move_before(FiloWorld *world, FiloEntity child, FiloEntity sibling);
FiloEntity filo_entity_parent(const FiloWorld *world, FiloEntity entity);
FiloEntity filo_entity_first_child(const FiloWorld *world, FiloEntity entity);
FiloEntity filo_entity_next_sibling(const FiloWorld *world, FiloEntity entity);
size_t filo_entity_child_count(const FiloWorld *world, FiloEntity entity);
// Goes over the children of `parent` in their order: filo_entity_each_child (world, ship, child) use(child);
// The structure must not change meanwhile.
#define filo_entity_each_child(world, parent, child)                                                         \
    for (FiloEntity child = filo_entity_first_child((world), (parent)); child.id != 0;                       \
         child = filo_entity_next_sibling((world), child))

// What is kept beside the world and follows families, such as world transforms, asks which entities got another parent,
// or lost theirs, since it asked last with the same cursor. That is 0 at first.
//
//     FiloReparented changed = filo_world_reparented(world, &cursor);
//     if (changed.lost) look_at_all(); // otherwise:
//     for (size_t i = 0; i < changed.count; i++) look_at(changed.entities[i]);
#define FILO_REPARENTED_MAX 8192
typedef struct FiloReparented {
    // In the order in which it happened. An entity may be there several times, and may not exist any more; those that were
    // destroyed with their parents are not there. Good until the structure of the world changes.
    const FiloEntity *entities;
    size_t count;
    // Not all are known: it is the first time, a snapshot was restored, there was no memory, or there were more than
    // FILO_REPARENTED_MAX of them. Then there is no list.
    bool lost;
} FiloReparented;
// Between ticks, or in a system.
FiloReparented filo_world_reparented(const FiloWorld *world, uint64_t *cursor);

// How names and families are stored: ordinary components, for those who want to query or save them. Only the
// functions above change them. The name is a counted one (filo/strings.h), good as long as the entity has it: to
// keep it elsewhere, in another component for example, take filo_name(filo_name_text(name)).
typedef struct FiloEntityName {
    FiloName name;
} FiloEntityName;
FILO_REFLECT_DECLARE(FiloEntityName);
typedef struct FiloFamily {
    FiloEntity parent, first, last, next, previous;
} FiloFamily;
FILO_REFLECT_DECLARE(FiloFamily);

// ---- Prefabs --------------------------------------------------------------------------------------------

// An entity that serves as a template, with its children. It is inactive, so systems pass over it.
typedef struct FiloPrefab {
    FiloEntity base; // the prefab it was made from by filo_prefab_derive; {0}: none
} FiloPrefab;
FILO_REFLECT_DECLARE(FiloPrefab);

// Makes the entity and its children a prefab.
bool filo_prefab_make(FiloWorld *world, FiloEntity entity);

typedef struct FiloInstanceDesc {
    size_t count;      // 0: 1
    FiloEntity parent; // of all instances; {0}: none
    const FiloComponentValue
        *values; // overrides: components that the instances (not their children) have besides or with other
                 // values
    size_t value_count;
    FiloEntity
        *entities; // receives the ids of the instances (not of their children); NULL: nobody wants them
} FiloInstanceDesc;
// Active copies of a prefab (or of any entity) and its children. References to the prefab and its children, in
// these or in overrides, become references to each instance and its own; the same goes for references to the
// children of the prefab that it was derived from, if they are in the same places. (To refer to the prefab
// itself, set the component afterwards.) All or, without memory, none. `desc` may be NULL.
bool filo_prefab_instantiate(FiloWorld *world, FiloEntity prefab, const FiloInstanceDesc *desc);
// One instance: filo_instance(world, prefab); with overrides, filo_instance(world, prefab, FILO_SET(Position,
// 3, 4)); inside a system, filo_instance(it->changes, prefab, …).
#define filo_instance(object, ...) FILO_INSTANCE_(object, __VA_ARGS__, { NULL, { 0 }, NULL })
// A prefab that is a copy of another, with overrides of its own.
FiloEntity filo_prefab_derive(FiloWorld *world, FiloEntity prefab, const FiloComponentValue *values,
                              size_t value_count);

// ---- State ----------------------------------------------------------------------------------------------

// A number that is equal for equal worlds: the same entities (by index and generation) with equal components,
// in the sense of filo_reflect_equal, the same order of children, the same ticks, and what providers add
// (filo/snapshot.h). Storage, row order, names of systems and transient components do not count. Between
// ticks; uses the workers.
uint64_t filo_world_hash(const FiloWorld *world);
// Of one entity, or one component over all entities: to find where two worlds differ.
uint64_t filo_entity_hash(const FiloWorld *world, FiloEntity entity);
uint64_t filo_component_hash(const FiloWorld *world, FiloComponent component);

// ---- Behind the macros --------------------------------------------------------------------------------

#define FILO_COMPONENT_DESC_(Type, ...)                                                                      \
    (FiloComponentDesc) { .type = FILO_TYPE(Type), __VA_ARGS__ }

// The list has one more at its end, which is not counted: without overrides it would be empty, which C does
// not allow.
#define FILO_INSTANCE_(object, prefab, ...)                                                                  \
    FILO_OF_(object, filo_prefab_instance_with, filo_changes_instance_with)                                  \
    ((object), (prefab), (const FiloComponentValue[]){ __VA_ARGS__ },                                        \
     sizeof((const FiloComponentValue[]){ __VA_ARGS__ }) / sizeof(FiloComponentValue) - 1)

// The function for a world or the one for a change set.
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
