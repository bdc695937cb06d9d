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

typedef FiloArray(FiloEntity) FiloEntityArray;
typedef FiloArray(FiloComponent) FiloComponentArray;
typedef FiloArray(uint8_t) FiloByteArray;

// ---- The handle -----------------------------------------------------------------------------------------

// What a scene knows of one of its entities.
typedef struct FiloSceneRecord {
    FiloEntity source;   // the entity of a prefab that it was copied from; {0}: none
    FiloEntity root;     // the instance that it was copied with; itself, if it is the instance
    uint32_t id;         // in the file; 0: none
    uint32_t first_kept; // number + 1 of its first kept component
} FiloSceneRecord;

// A component that is not registered, as it stood in the file.
typedef struct FiloSceneKept {
    char *name; // with the text behind it, in one block
    char *text;
    size_t block_size;
    FiloEntity entity; // {0}: it was a global
    uint32_t next;     // of the same entity, number + 1
} FiloSceneKept;

struct FiloScene {
    FiloWorld *world;
    const FiloAllocator *allocator;
    char *prefix; // NULL: ""
    size_t prefix_length;
    void (*problem)(const FiloSceneProblem *problem, void *user);
    void *user;
    size_t problem_count;
    FiloEntityArray members; // all that were loaded or added, in order, instances followed by their children
    FiloMap records;         // entity id → FiloSceneRecord, of each member
    FiloArray(FiloSceneKept) kept;
    FiloComponentArray globals;
    FiloComponentArray definitions;
    FiloMap ids; // id in the file → entity
    uint32_t last_id;
    uint32_t kept_globals; // number + 1 of the first kept global
};

FiloSceneRecord *filo_scene_record(const FiloScene *scene, FiloEntity entity);
bool filo_scene_add_member(FiloScene *scene, FiloEntity entity, FiloSceneRecord record);
// Adds a component that is not registered; an entity must be a member.
bool filo_scene_keep(FiloScene *scene, FiloEntity entity, FiloString name, FiloString text);
// The entity itself or one above it that is a member; {0} if there is none.
FiloEntity filo_scene_member_of(const FiloScene *scene, FiloEntity entity);
// Forgets members that were destroyed.
void filo_scene_prune(FiloScene *scene);
// Copies the descriptor's texts; false without memory.
FiloResult filo_scene_new(FiloScene **scene, FiloWorld *world, const FiloSceneDesc *desc);

// The entity that comes after another in its family, children first, up to and without what lies outside of
// `root`; {0}: that was the last one.
FiloEntity filo_scene_walk(const FiloWorld *world, FiloEntity root, FiloEntity entity);

// ---- Paths ----------------------------------------------------------------------------------------------

typedef struct FiloSceneWriter FiloSceneWriter;

// Labels from below `root` down to `entity`, with slashes between. The label of a child inside a prefab is
// the last part of its name; without one, "#" and its number among its brothers and sisters: as it is now,
// or, for a writer, as it will be when the file is loaded.
void filo_scene_add_path(FiloBuilder *text, const FiloWorld *world, FiloEntity root, FiloEntity entity,
                         FiloSceneWriter *writer);
// The descendant of a prefab by such a path; {0} if there is none.
FiloEntity filo_scene_walk_path(const FiloWorld *world, FiloEntity root, FiloString path);
// The copy of a prefab's descendant in an instance; {0} if it has none, or one that was moved elsewhere.
FiloEntity filo_scene_copy_of(const FiloScene *scene, FiloEntity instance, FiloEntity source);
// An entity of the scene by its whole name, without the prefix; {0} if there is none.
FiloEntity filo_scene_find_name(const FiloScene *scene, FiloString name);
// As filo_scene_find, for a slice.
FiloEntity filo_scene_resolve(const FiloScene *scene, FiloString reference);
// The prefab that an entity is part of, itself included; {0}: none.
FiloEntity filo_scene_prefab_root(const FiloWorld *world, FiloEntity entity);

// ---- Problems -------------------------------------------------------------------------------------------

// A place in the text.
typedef struct FiloScenePlace {
    uint32_t offset;
    int line, column;
} FiloScenePlace;

typedef struct FiloSceneReport {
    FiloSceneProblemKind kind;
    FiloProblemKind value;
    const char *source; // NULL: no place
    FiloScenePlace place;
    FiloString entity;
    const char *path; // NULL or "": none
} FiloSceneReport;

void filo_scene_report(FiloScene *scene, const FiloSceneReport *report, const char *format, ...)
    FILO_PRINTF(3, 4);

// Up to 60 bytes of a text, for messages: printf("%.*s", …).
#define FILO_SCENE_SHOWN(string)                                                                             \
    (int)filo_utf8_cut((string), 60).length, (string).data != NULL ? (string).data : ""

// ---- A file while it is loaded ----------------------------------------------------------------------------

#define FILO_SCENE_NONE UINT32_MAX

typedef enum FiloSceneNodeKind {
    FILO_SCENE_NODE_PREFAB,
    FILO_SCENE_NODE_ENTITY,
    FILO_SCENE_NODE_OVERRIDE,
} FiloSceneNodeKind;

// A list of nodes, linked by `next`.
typedef struct FiloSceneList {
    uint32_t first, last;
} FiloSceneList;

// An entity of the file, a prefab, or what differs in a child of an instance.
typedef struct FiloSceneNode {
    FiloSceneNodeKind kind;
    FiloScenePlace place, name_place, prefab_place;
    FiloString name;   // of an override: the path
    FiloString rename; // of an override: the name
    FiloString prefab;
    uint32_t owner;  // the prefab that it is inside of; FILO_SCENE_NONE: of none
    uint32_t next;   // in its list
    uint32_t same;   // with the same hash of the name
    uint32_t id;     // 0: none
    uint32_t info;   // of the prefab; FILO_SCENE_NONE: none
    uint32_t member; // the number of its first member, once it is created
    uint32_t first_use, use_count;
    uint32_t first_without, without_count;
    FiloSceneList children, overrides;
    bool inactive, active, removed; // as the file says
    FiloEntity entity;              // once it is created
} FiloSceneNode;

// A component of a node.
typedef struct FiloSceneUse {
    FiloString name;
    FiloScenePlace place;    // of the name
    FiloScenePlace value;    // of the value
    FiloComponent component; // {0}: not registered
    uint32_t value_end;
    bool dropped;
} FiloSceneUse;

// A prefab that the file has or uses.
typedef struct FiloScenePrefabInfo {
    uint32_t node;                       // FILO_SCENE_NONE: it was in the world before
    FiloEntity entity;                   // once it is there
    uint32_t first, count;               // its entities in `sources`, parents first
    uint32_t first_member, member_count; // in the scene
    size_t total;                        // entities in it
    size_t depth;                        // of its deepest child
    uint32_t waits;                      // for this many others to be created first
    uint32_t needs;                      // one of these
    uint32_t first_waiting;              // those that wait for this one, in `waiting`
} FiloScenePrefabInfo;

typedef struct FiloSceneWaiting {
    uint32_t info, next;
} FiloSceneWaiting;

// A reference in a value. Until all entities exist, the value is a placeholder that has its number.
typedef struct FiloSceneReference {
    FiloString text;
    FiloScenePlace place;
    uint32_t node; // where it stands
    uint32_t path; // of the field, in `paths`
    bool known;    // it was looked for
    FiloEntity entity;
} FiloSceneReference;

#define FILO_SCENE_PLACEHOLDER (UINT64_C(3) << 62)

// A component that the file defines.
typedef struct FiloSceneDefinition {
    FiloString name;
    FiloScenePlace place, initial;
    const FiloType *type;
    FiloStorage storage;
    bool transient, has_initial;
    FiloString required[FILO_REQUIRED_MAX]; // names of components
    FiloScenePlace required_places[FILO_REQUIRED_MAX];
    size_t required_count;
    FiloComponent component;
} FiloSceneDefinition;

typedef struct FiloSceneText {
    struct FiloSceneText *next;
    size_t block_size;
    char bytes[];
} FiloSceneText;

typedef struct FiloSceneLoader {
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
    FiloSceneText *texts;
    FiloArray(FiloSceneNode) nodes;
    FiloArray(FiloSceneUse) uses; // of nodes
    FiloArray(FiloSceneUse) withouts;
    FiloArray(FiloSceneUse) globals;
    FiloArray(FiloSceneDefinition) definitions;
    FiloSceneList prefabs, entities;
    FiloMap names; // hash of a name → number + 1 of the newest node in `nodes`
    FiloMap ids;   // id → number of the node
    FiloArray(FiloScenePrefabInfo) infos;
    FiloMap info_by_entity; // of prefabs that were in the world
    FiloArray(FiloSceneWaiting) waiting;
    FiloArray(uint32_t) order;     // of prefabs, those that others need first
    FiloArray(FiloEntity) sources; // entities of prefabs
    FiloMap source_order;          // entity of a prefab → its number in that prefab
    FiloArray(FiloSceneReference) references;
    FiloBuilder paths;    // of references, with a zero after each
    FiloEntityArray made; // to be destroyed if something fails
    FiloEntity building;  // the prefab that is being made
    FiloArray(FiloWith) with;
    FiloComponentArray set, other_set;
    FiloArray(FiloWith) global_values; // to be set when nothing can fail any more
    FiloBits with_references;          // components that have placeholders
    FiloNameBatch value_names;         // of FiloName fields
    FiloBuilder name;                  // a text for a moment
} FiloSceneLoader;

static inline FiloSceneNode *filo_scene_node(FiloSceneLoader *loader, uint32_t node) {
    return &loader->nodes.items[node];
}

// Sets the loader's result; false, to be returned.
bool filo_scene_fail(FiloSceneLoader *loader, FiloScenePlace place, FiloCode code, const char *format, ...)
    FILO_PRINTF(4, 5);
bool filo_scene_no_memory(FiloSceneLoader *loader);
FiloScenePlace filo_scene_place(const FiloSceneLoader *loader, FiloJsonToken token);
// A reader that begins with the value at a place.
FiloJsonReader filo_scene_reader(const FiloSceneLoader *loader, FiloScenePlace place);
// The text of a string or key; in the file, or a copy that lives as long as the loader. `data` is NULL
// without memory.
FiloString filo_scene_text(FiloSceneLoader *loader, FiloJsonToken token);
// Ends in a zero, in the loader's builder: good until the next such text. NULL without memory.
const char *filo_scene_c_text(FiloSceneLoader *loader, FiloString text);

// Fails: "components: expected an object, found a number".
bool filo_scene_wrong_kind(FiloSceneLoader *loader, FiloJsonToken token, const char *what,
                           const char *expected);
void filo_scene_unknown_member(FiloSceneLoader *loader, FiloJsonToken key);
// A text that can be the name of something.
bool filo_scene_parse_name(FiloSceneLoader *loader, FiloJsonToken token, const char *what, FiloString *name);

// The steps, in this order. False: the loader has a result.
bool filo_scene_parse(FiloSceneLoader *loader);
bool filo_scene_parse_definitions(FiloSceneLoader *loader, FiloJsonToken token);
bool filo_scene_check(FiloSceneLoader *loader);
bool filo_scene_define(FiloSceneLoader *loader);
bool filo_scene_build(FiloSceneLoader *loader);

// A node outside of prefabs by name; FILO_SCENE_NONE if there is none.
uint32_t filo_scene_find_node(FiloSceneLoader *loader, FiloString name);
// A name with the prefix before it, in the loader's builder; NULL without memory.
const char *filo_scene_world_name(FiloSceneLoader *loader, FiloString name);

// Frees the types of definitions that were not registered.
void filo_scene_definitions_deinit(FiloSceneLoader *loader);

// Reads a component of an entity, or (without a node) a global one, from the text.
bool filo_scene_read(FiloSceneLoader *loader, uint32_t node, const FiloSceneUse *use, void *value);
// Replaces the placeholders in all members; in a global component; or, in the members from `first_member` on,
// only those that stand in this prefab and refer to inside of it.
void filo_scene_link(FiloSceneLoader *loader);
void filo_scene_link_global(FiloSceneLoader *loader, const FiloType *type, void *value);
void filo_scene_link_prefab(FiloSceneLoader *loader, uint32_t prefab, size_t first_member);

// Whether a component requires another, by itself or by way of others.
bool filo_scene_requires(const FiloWorld *world, FiloComponent component, FiloComponent required);
// Whether a value of this type can have references.
bool filo_scene_has_entities(const FiloType *type);

// ---- Writing ----------------------------------------------------------------------------------------------

struct FiloSceneWriter {
    FiloScene *scene;
    FiloWorld *world;
    FiloJsonWriter json;
    FiloResult result;    // of the first failure
    FiloEntity prefab;    // inside of which we are; {0}: none
    FiloEntity entity;    // that is written, for messages
    size_t depth;         // entities inside each other
    bool numbered;        // an entity got an id that it did not have: what was written may lack it
    bool looking;         // whether a reference can be saved: nobody gets an id for that
    bool silent;          // problems are known already
    FiloBuilder text;     // a text for a moment
    FiloMap numbers;      // of children: see filo_scene_saved_number
    FiloByteArray zeroes; // what a value is compared with that has no other base
    FiloByteArray base;   // what a part of an instance is compared with
    FiloByteArray value;  // as it is saved
};

// A problem of the entity that is written.
void filo_scene_not_saved(FiloSceneWriter *writer, const char *path, const char *reason);
bool filo_scene_write_failed(FiloSceneWriter *writer, FiloResult result);

// Writes the fields of a value that differ from `base` (NULL: from zeroes) as an object.
void filo_scene_write_fields(FiloSceneWriter *writer, const FiloType *type, const void *value,
                             const void *base);
// Whether there are any.
bool filo_scene_fields_differ(FiloSceneWriter *writer, const FiloType *type, const void *value,
                              const void *base);
// Writes text that is JSON, in the form of everything else.
void filo_scene_write_raw(FiloSceneWriter *writer, const char *text);
// Writes a reference, or null for one that is lost.
void filo_scene_write_reference(FiloSceneWriter *writer, FiloEntity target);
// Why a reference cannot be saved here; NULL if it can.
const char *filo_scene_reference_lost(FiloSceneWriter *writer, FiloEntity target);
void filo_scene_write_definitions(FiloSceneWriter *writer);

// The number that a child will have among its brothers and sisters when the file is loaded: those that come
// from a prefab are first, in the prefab's order.
unsigned filo_scene_saved_number(FiloSceneWriter *writer, FiloEntity entity);
// The prefab that an entity is saved as an instance of; {0}: none.
FiloEntity filo_scene_instance_of(const FiloScene *scene, FiloEntity entity);
// Whether an entity is a part of an instance, where the prefab has it: it is saved as a difference, or not at
// all.
bool filo_scene_is_copy(const FiloScene *scene, FiloEntity entity);
// The name, without the prefix, that an entity is saved with; empty: none. In a prefab, the label.
FiloString filo_scene_saved_name(const FiloScene *scene, FiloEntity entity, bool in_prefab);

#endif
