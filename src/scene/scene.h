// The inside of a scene: what is kept as long as it lives, and what exists only while a file is loaded.
//
//   scene.c            the handle: its entities, adding and removing
//   path.c             references in files ("tank/turret") and labels of prefab children
//   problem.c          messages with their places
//   parse.c            text → nodes, without touching the world
//   define.c           components without a C struct
//   check.c            names, prefabs and limits of the nodes, before anything is created
//   build.c            nodes → entities
//   read.c             values of components, with references
//   load.c             all of these steps, one after the other
//   write.c            entities → text
//   write_value.c      values of components → text
//   write_reference.c  how saved entities are called, and what others call them

#ifndef FILO_SCENE_PRIVATE_H
#define FILO_SCENE_PRIVATE_H

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/json.h>
#include <filo/scene.h>

typedef FiloArray(FiloEntity) SceneEntityArray;
typedef FiloArray(FiloComponent) SceneComponentArray;
typedef FiloArray(uint8_t) SceneByteArray;

// ---- The handle -----------------------------------------------------------------------------------------

// What a scene knows of one of its entities.
typedef struct SceneRecord {
    FiloEntity source;   // the entity of a prefab that it was copied from; {0}: none
    FiloEntity root;     // the instance that it was copied with; itself, if it is the instance
    uint32_t id;         // in the file; 0: none
    uint32_t first_kept; // number + 1 of its first kept component
} SceneRecord;

// A component that is not registered, as it stood in the file.
typedef struct SceneKept {
    char *name; // with the text behind it, in one block
    char *text;
    size_t block_size;
    FiloEntity entity; // {0}: it was a global
    uint32_t next;     // of the same entity, number + 1
} SceneKept;

struct FiloScene {
    FiloWorld *world;
    const FiloAllocator *allocator;
    char *prefix; // NULL: ""
    size_t prefix_length;
    void (*problem)(const FiloSceneProblem *problem, void *user);
    void *user;
    size_t problem_count;
    SceneEntityArray members; // all that were loaded or added, in order, instances followed by their children
    FiloMap records;          // entity id → SceneRecord, of each member
    FiloArray(SceneKept) kept;
    SceneComponentArray globals;
    SceneComponentArray definitions;
    FiloMap ids; // id in the file → entity
    uint32_t last_id;
    uint32_t kept_globals; // number + 1 of the first kept global
};

SceneRecord *scene_record(const FiloScene *scene, FiloEntity entity);
bool scene_add_member(FiloScene *scene, FiloEntity entity, SceneRecord record);
// Adds a component that is not registered; an entity must be a member.
bool scene_keep(FiloScene *scene, FiloEntity entity, FiloString name, FiloString text);
// The entity itself or one above it that is a member; {0} if there is none.
FiloEntity scene_member_of(const FiloScene *scene, FiloEntity entity);
// Forgets members that were destroyed.
void scene_prune(FiloScene *scene);
// Copies the descriptor's texts; false without memory.
FiloResult scene_new(FiloScene **scene, FiloWorld *world, const FiloSceneDesc *desc);

// The entity that comes after another in its family, children first, up to and without what lies outside of
// `root`; {0}: that was the last one.
FiloEntity scene_walk(const FiloWorld *world, FiloEntity root, FiloEntity entity);

// ---- Paths ----------------------------------------------------------------------------------------------

typedef struct SceneWriter SceneWriter;

// Labels from below `root` down to `entity`, with slashes between. The label of a child inside a prefab is
// the last part of its name; without one, "#" and its number among its brothers and sisters: as it is now,
// or, for a writer, as it will be when the file is loaded.
void scene_add_path(FiloBuilder *text, const FiloWorld *world, FiloEntity root, FiloEntity entity,
                    SceneWriter *writer);
// The descendant of a prefab by such a path; {0} if there is none.
FiloEntity scene_walk_path(const FiloWorld *world, FiloEntity root, FiloString path);
// The copy of a prefab's descendant in an instance; {0} if it has none, or one that was moved elsewhere.
FiloEntity scene_copy_of(const FiloScene *scene, FiloEntity instance, FiloEntity source);
// An entity of the scene by its whole name, without the prefix; {0} if there is none.
FiloEntity scene_find_name(const FiloScene *scene, FiloString name);
// As filo_scene_find, for a slice.
FiloEntity scene_resolve(const FiloScene *scene, FiloString reference);
// The prefab that an entity is part of, itself included; {0}: none.
FiloEntity scene_prefab_root(const FiloWorld *world, FiloEntity entity);

// ---- Problems -------------------------------------------------------------------------------------------

// A place in the text.
typedef struct ScenePlace {
    uint32_t offset;
    int line, column;
} ScenePlace;

typedef struct SceneReport {
    FiloSceneProblemKind kind;
    FiloProblemKind value;
    const char *source; // NULL: no place
    ScenePlace place;
    FiloString entity;
    const char *path; // NULL or "": none
} SceneReport;

void scene_report(FiloScene *scene, const SceneReport *report, const char *format, ...) FILO_PRINTF(3, 4);

// Up to 60 bytes of a text, for messages: printf("%.*s", …).
#define SCENE_SHOWN(string)                                                                                  \
    (int)filo_utf8_cut((string), 60).length, (string).data != NULL ? (string).data : ""

// ---- A file while it is loaded ----------------------------------------------------------------------------

#define SCENE_NONE UINT32_MAX

typedef enum SceneNodeKind {
    SCENE_NODE_PREFAB,
    SCENE_NODE_ENTITY,
    SCENE_NODE_OVERRIDE,
} SceneNodeKind;

// A list of nodes, linked by `next`.
typedef struct SceneList {
    uint32_t first, last;
} SceneList;

// An entity of the file, a prefab, or what differs in a child of an instance.
typedef struct SceneNode {
    SceneNodeKind kind;
    ScenePlace place, name_place, prefab_place;
    FiloString name;   // of an override: the path
    FiloString rename; // of an override: the name
    FiloString prefab;
    uint32_t owner;  // the prefab that it is inside of; SCENE_NONE: of none
    uint32_t next;   // in its list
    uint32_t same;   // with the same hash of the name
    uint32_t id;     // 0: none
    uint32_t info;   // of the prefab; SCENE_NONE: none
    uint32_t member; // the number of its first member, once it is created
    uint32_t first_use, use_count;
    uint32_t first_without, without_count;
    SceneList children, overrides;
    bool inactive, active, removed; // as the file says
    FiloEntity entity;              // once it is created
} SceneNode;

// A component of a node.
typedef struct SceneUse {
    FiloString name;
    ScenePlace place;        // of the name
    ScenePlace value;        // of the value
    FiloComponent component; // {0}: not registered
    uint32_t value_end;
    bool dropped;
} SceneUse;

// A prefab that the file has or uses.
typedef struct ScenePrefabInfo {
    uint32_t node;                       // SCENE_NONE: it was in the world before
    FiloEntity entity;                   // once it is there
    uint32_t first, count;               // its entities in `sources`, parents first
    uint32_t first_member, member_count; // in the scene
    size_t total;                        // entities in it
    size_t depth;                        // of its deepest child
    uint32_t waits;                      // for this many others to be created first
    uint32_t needs;                      // one of these
    uint32_t first_waiting;              // those that wait for this one, in `waiting`
} ScenePrefabInfo;

typedef struct SceneWaiting {
    uint32_t info, next;
} SceneWaiting;

// A reference in a value. Until all entities exist, the value is a placeholder that has its number.
typedef struct SceneReference {
    FiloString text;
    ScenePlace place;
    uint32_t node; // where it stands
    uint32_t path; // of the field, in `paths`
    bool known;    // it was looked for
    FiloEntity entity;
} SceneReference;

#define SCENE_PLACEHOLDER (UINT64_C(3) << 62)

// A component that the file defines.
typedef struct SceneDefinition {
    FiloString name;
    ScenePlace place, default_value;
    const FiloType *type;
    FiloStorage storage;
    bool transient, has_default;
    FiloString required[FILO_REQUIRED_MAX]; // names of components
    ScenePlace required_places[FILO_REQUIRED_MAX];
    size_t required_count;
    FiloComponent component;
} SceneDefinition;

typedef struct SceneText {
    struct SceneText *next;
    size_t block_size;
    char bytes[];
} SceneText;

typedef struct SceneLoader {
    FiloScene *scene;
    FiloWorld *world;
    const FiloAllocator *allocator;
    const FiloSceneDesc *desc;
    const char *source;
    const char *text;
    size_t length;
    FiloJsonReader reader;
    FiloResult result;
    size_t entity_limit;
    size_t total; // entities that will be created
    SceneText *texts;
    FiloArray(SceneNode) nodes;
    FiloArray(SceneUse) uses; // of nodes
    FiloArray(SceneUse) withouts;
    FiloArray(SceneUse) globals;
    FiloArray(SceneDefinition) definitions;
    SceneList prefabs, entities;
    FiloMap names; // hash of a name → number + 1 of the newest node in `nodes`
    FiloMap ids;   // id → number of the node
    FiloArray(ScenePrefabInfo) infos;
    FiloMap info_by_entity; // of prefabs that were in the world
    FiloArray(SceneWaiting) waiting;
    FiloArray(uint32_t) order;     // of prefabs, those that others need first
    FiloArray(FiloEntity) sources; // entities of prefabs
    FiloMap source_order;          // entity of a prefab → its number in that prefab
    FiloArray(SceneReference) references;
    FiloBuilder paths;     // of references, with a zero after each
    SceneEntityArray made; // to be destroyed if something fails
    FiloEntity building;   // the prefab that is being made
    FiloArray(FiloComponentValue) values;
    SceneComponentArray set, other_set;
    FiloArray(FiloComponentValue) global_values; // to be set when nothing can fail any more
    FiloBits with_references;                    // components that have placeholders
    FiloNameBatch value_names;                   // of FiloName fields
    FiloBuilder name;                            // a text for a moment
} SceneLoader;

static inline SceneNode *scene_node(SceneLoader *loader, uint32_t node) { return &loader->nodes.items[node]; }

// Sets the loader's result; false, to be returned.
bool scene_fail(SceneLoader *loader, ScenePlace place, FiloCode code, const char *format, ...)
    FILO_PRINTF(4, 5);
bool scene_no_memory(SceneLoader *loader);
ScenePlace scene_place(const SceneLoader *loader, FiloJsonToken token);
// A reader that begins with the value at a place.
FiloJsonReader scene_reader(const SceneLoader *loader, ScenePlace place);
// The text of a string or key; in the file, or a copy that lives as long as the loader. `data` is NULL
// without memory.
FiloString scene_text(SceneLoader *loader, FiloJsonToken token);
// Ends in a zero, in the loader's builder: good until the next such text. NULL without memory.
const char *scene_c_text(SceneLoader *loader, FiloString text);

// Fails: "components: expected an object, found a number".
bool scene_wrong_kind(SceneLoader *loader, FiloJsonToken token, const char *what, const char *expected);
void scene_unknown_member(SceneLoader *loader, FiloJsonToken key);
// A text that can be the name of something.
bool scene_parse_name(SceneLoader *loader, FiloJsonToken token, const char *what, FiloString *name);

// The steps, in this order. False: the loader has a result.
bool scene_parse(SceneLoader *loader);
bool scene_parse_definitions(SceneLoader *loader, FiloJsonToken token);
bool scene_check(SceneLoader *loader);
bool scene_define(SceneLoader *loader);
bool scene_build(SceneLoader *loader);

// A node outside of prefabs by name; SCENE_NONE if there is none.
uint32_t scene_find_node(SceneLoader *loader, FiloString name);
// A name with the prefix before it, in the loader's builder; NULL without memory.
const char *scene_world_name(SceneLoader *loader, FiloString name);

// Frees the types of definitions that were not registered.
void scene_definitions_deinit(SceneLoader *loader);

// Reads a component of an entity, or (without a node) a global one, from the text.
bool scene_read(SceneLoader *loader, uint32_t node, const SceneUse *use, void *value);
// Replaces the placeholders in all members; in a global component; or, in the members from `first_member` on,
// only those that stand in this prefab and refer to inside of it.
void scene_link(SceneLoader *loader);
void scene_link_global(SceneLoader *loader, const FiloType *type, void *value);
void scene_link_prefab(SceneLoader *loader, uint32_t prefab, size_t first_member);

// Whether a component requires another, by itself or by way of others.
bool scene_requires(const FiloWorld *world, FiloComponent component, FiloComponent required);
// Whether a value of this type can have references.
bool scene_has_entities(const FiloType *type);

// ---- Writing ----------------------------------------------------------------------------------------------

struct SceneWriter {
    FiloScene *scene;
    FiloWorld *world;
    FiloJsonWriter json;
    FiloResult result;     // of the first failure
    FiloEntity prefab;     // inside of which we are; {0}: none
    FiloEntity entity;     // that is written, for messages
    size_t depth;          // entities inside each other
    bool numbered;         // an entity got an id that it did not have: what was written may lack it
    bool looking;          // whether a reference can be saved: nobody gets an id for that
    bool silent;           // problems are known already
    FiloBuilder text;      // a text for a moment
    FiloMap numbers;       // of children: see scene_saved_number
    SceneByteArray zeroes; // what a value is compared with that has no other base
    SceneByteArray base;   // what a part of an instance is compared with
    SceneByteArray value;  // as it is saved
};

// A problem of the entity that is written.
void scene_not_saved(SceneWriter *writer, const char *path, const char *reason);
bool scene_write_failed(SceneWriter *writer, FiloResult result);

// Writes the fields of a value that differ from `base` (NULL: from zeroes) as an object.
void scene_write_fields(SceneWriter *writer, const FiloType *type, const void *value, const void *base);
// Whether there are any.
bool scene_fields_differ(SceneWriter *writer, const FiloType *type, const void *value, const void *base);
// Writes text that is JSON, in the form of everything else.
void scene_write_raw(SceneWriter *writer, const char *text);
// Writes a reference, or null for one that is lost.
void scene_write_reference(SceneWriter *writer, FiloEntity target);
// Why a reference cannot be saved here; NULL if it can.
const char *scene_reference_lost(SceneWriter *writer, FiloEntity target);
void scene_write_definitions(SceneWriter *writer);

// The number that a child will have among its brothers and sisters when the file is loaded: those that come
// from a prefab are first, in the prefab's order.
unsigned scene_saved_number(SceneWriter *writer, FiloEntity entity);
// The prefab that an entity is saved as an instance of; {0}: none.
FiloEntity scene_instance_of(const FiloScene *scene, FiloEntity entity);
// Whether an entity is a part of an instance, where the prefab has it: it is saved as a difference, or not at
// all.
bool scene_is_copy(const FiloScene *scene, FiloEntity entity);
// The name, without the prefix, that an entity is saved with; empty: none. In a prefab, the label.
FiloString scene_saved_name(const FiloScene *scene, FiloEntity entity, bool in_prefab);

#endif
