// The private structures of a scene: the scene itself, and the loader and writer, which exist only during a call.
//
//   scene.c            the scene: its entities, adding and removing
//   path.c             references in files ("tank/turret") and labels of prefab children
//   problem.c          messages with their locations
//   parse.c            text → nodes, without access to the world
//   define.c           components without a C struct
//   check.c            names, prefabs and limits of the nodes, before anything is created
//   build.c            nodes → entities
//   read.c             text → values of components, with references
//   load.c             all of these steps, one after the other
//   write.c            entities → text
//   write_value.c      values of components → text
//   write_reference.c  names and ids of saved entities, and references to them

#ifndef FILO_SCENE_PRIVATE_H
#define FILO_SCENE_PRIVATE_H

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/json.h>
#include <filo/scene.h>

typedef FiloArray(FiloEntity) SceneEntityArray;
typedef FiloArray(FiloComponent) SceneComponentArray;
typedef FiloArray(uint8_t) SceneByteArray;

// ---- The scene ------------------------------------------------------------------------------------------

// The state of an entity in a scene.
typedef struct SceneRecord {
    FiloEntity source;      // the entity of a prefab that it was copied from; {0}: none
    FiloEntity root;        // the instance that it is part of; itself, if it is the root of an instance
    uint32_t id;            // in the file; 0: none
    uint32_t first_unknown; // index + 1 of its first unknown component
} SceneRecord;

// A component that is not registered. Its text is saved again.
typedef struct SceneUnknown {
    char *name; // followed by the text, in one block
    char *text; // JSON; "": it is listed in "without"
    size_t block_size;
    FiloEntity entity; // {0}: a global
    uint32_t next;     // of the same entity, index + 1
} SceneUnknown;

struct FiloScene {
    FiloWorld *world;
    const FiloAllocator *allocator;
    char *prefix; // NULL: ""
    size_t prefix_length;
    void (*problem)(const FiloSceneProblem *problem, void *user);
    void *user;
    size_t problem_count;
    SceneEntityArray members; // all that were loaded or added, in order; copies follow their instance
    FiloMap records;          // entity id → SceneRecord, of each member
    FiloArray(SceneUnknown) unknown;
    SceneComponentArray globals;
    SceneComponentArray definitions;
    FiloMap ids; // id in the file → entity
    uint32_t last_id;
    uint32_t first_unknown_global; // index + 1
};

SceneRecord *scene_record(const FiloScene *scene, FiloEntity entity);
bool scene_add_member(FiloScene *scene, FiloEntity entity, SceneRecord record);
// Adds a component that is not registered. An entity must be a member. False without memory.
bool scene_add_unknown(FiloScene *scene, FiloEntity entity, FiloString name, FiloString text);
// The nearest member: the entity itself or an ancestor; {0} if there is none.
FiloEntity scene_member_of(const FiloScene *scene, FiloEntity entity);
// Removes members that were destroyed.
void scene_prune(FiloScene *scene);
// Creates a scene without entities. Copies the texts of the description.
FiloResult scene_new(FiloScene **scene, FiloWorld *world, const FiloSceneDesc *desc);

// The next entity in preorder in the tree of `root`; {0}: that was the last one.
FiloEntity scene_next_in_tree(const FiloWorld *world, FiloEntity root, FiloEntity entity);

// ---- Paths ----------------------------------------------------------------------------------------------

typedef struct SceneWriter SceneWriter;

// The part of a name after the last slash.
FiloString scene_label(FiloString name);
// Whether a name can be a label: it does not begin with #, has no /, and is not ".".
bool scene_is_label(FiloString name);
// Adds the labels from a child of `root` to `entity`, separated by slashes. The label of a child inside a prefab is the
// last part of its name; without a name it is "#" and its index among its siblings: the current one, or, with a writer,
// the one that it gets when the file is loaded.
void scene_add_path(FiloBuilder *text, const FiloWorld *world, FiloEntity root, FiloEntity entity,
                    SceneWriter *writer);
// The descendant with such a path; {0} if there is none.
FiloEntity scene_find_path(const FiloWorld *world, FiloEntity root, FiloString path);
// The copy of a prefab's descendant in an instance; {0} if it has none, or if it has another parent now.
FiloEntity scene_copy_of(const FiloScene *scene, FiloEntity instance, FiloEntity source);
// An entity of the scene by its full name, without the prefix; {0} if there is none.
FiloEntity scene_find_name(const FiloScene *scene, FiloString name);
// Like filo_scene_find.
FiloEntity scene_resolve(const FiloScene *scene, FiloString reference);
// The root of the prefab that an entity is, or is part of; {0}: none.
FiloEntity scene_prefab_root(const FiloWorld *world, FiloEntity entity);

// ---- Problems -------------------------------------------------------------------------------------------

// A location in the text.
typedef struct SceneLocation {
    uint32_t offset;
    int line, column;
} SceneLocation;

typedef struct SceneReport {
    FiloSceneProblemKind kind;
    FiloProblemKind value;
    const char *source; // of the text; NULL: no location
    SceneLocation location;
    FiloString entity;
    const char *path; // NULL or "": none
} SceneReport;

void scene_report(FiloScene *scene, const SceneReport *report, const char *format, ...) FILO_PRINTF(3, 4);

// The first 60 bytes of a text, for messages: printf("%.*s", …).
#define SCENE_EXCERPT(string)                                                                                \
    (int)filo_utf8_cut((string), 60).length, (string).data != NULL ? (string).data : ""

// ---- Loading ----------------------------------------------------------------------------------------------

#define SCENE_NONE        UINT32_MAX
#define SCENE_NAME_LENGTH 200 // bytes of a name, at most

typedef enum SceneNodeKind {
    SCENE_NODE_PREFAB,
    SCENE_NODE_ENTITY,
    SCENE_NODE_OVERRIDE,
} SceneNodeKind;

// A list of nodes, linked by `next`.
typedef struct SceneList {
    uint32_t first, last;
} SceneList;

// An entity, a prefab, or an override of the file.
typedef struct SceneNode {
    SceneNodeKind kind;
    SceneLocation location, name_location, prefab_location;
    FiloString name;   // for an override: the path
    FiloString rename; // for an override: the name
    FiloString prefab;
    uint32_t owner;  // the node of the prefab that it is part of; SCENE_NONE: none
    uint32_t next;   // in its list
    uint32_t same;   // the next node with the same hash of the name
    uint32_t id;     // 0: none
    uint32_t info;   // of `prefab`; SCENE_NONE: none
    uint32_t member; // index of its first member; before a prefab is created: index of its info
    uint32_t first_entry, entry_count;
    uint32_t first_without, without_count;
    SceneList children, overrides;
    bool inactive, active, removed; // as given in the file
    FiloEntity entity;              // once it is created
} SceneNode;

// An entry of "components", "without" or "globals".
typedef struct SceneEntry {
    FiloString name;
    SceneLocation location;  // of the name
    SceneLocation value;     // of the value
    FiloComponent component; // {0}: not registered
    uint32_t value_end;
    bool dropped; // ignored, after a problem was reported
} SceneEntry;

// A prefab of the file, or a prefab of the world that the file uses.
typedef struct ScenePrefabInfo {
    uint32_t node;                       // SCENE_NONE: it is a prefab of the world
    FiloEntity entity;                   // once it is created
    uint32_t first, count;               // its entities in `sources`, parents first
    uint32_t first_member, member_count; // in the scene
    size_t total;                        // number of entities
    size_t depth;                        // of its deepest child
    uint32_t dependency_count;           // prefabs of the file that must be created before
    uint32_t dependency;                 // one of these, for fail_cycle
    uint32_t first_dependant;            // list of prefabs that depend on this one, in `dependants`
} ScenePrefabInfo;

typedef struct SceneDependant {
    uint32_t info, next;
} SceneDependant;

// A reference in a value. Until all entities exist, the value is a placeholder with the index of the reference.
typedef struct SceneReference {
    FiloString text;
    SceneLocation location;
    uint32_t node;     // that it belongs to
    uint32_t path;     // of the field, in `paths`
    bool resolved;     // `entity` is valid
    FiloEntity entity; // {0}: not found
} SceneReference;

#define SCENE_PLACEHOLDER (UINT64_C(3) << 62)

// A component that the file defines.
typedef struct SceneDefinition {
    FiloString name;
    SceneLocation location, default_value;
    const FiloType *type;
    FiloStorage storage;
    bool transient, has_default;
    FiloString required[FILO_REQUIRED_MAX]; // names of components
    SceneLocation required_locations[FILO_REQUIRED_MAX];
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
    SceneText *texts;
    FiloArray(SceneNode) nodes;
    FiloArray(SceneEntry) entries; // of "components" of nodes
    FiloArray(SceneEntry) withouts;
    FiloArray(SceneEntry) globals;
    FiloArray(SceneDefinition) definitions;
    SceneList prefabs, entities;
    FiloMap names; // hash of a name → index + 1 of the newest node
    FiloMap ids;   // id → index of the node
    FiloArray(ScenePrefabInfo) infos;
    FiloMap info_by_entity; // of prefabs of the world
    FiloArray(SceneDependant) dependants;
    FiloArray(uint32_t) order;     // of prefabs, dependencies first
    FiloArray(FiloEntity) sources; // entities of prefabs
    FiloMap source_order;          // entity of a prefab → its index in that prefab
    FiloArray(SceneReference) references;
    FiloBuilder paths;        // of references, each ends in a zero
    SceneEntityArray created; // destroyed after a failure
    FiloEntity building;      // the prefab that is being created
    FiloArray(FiloComponentValue) values;
    SceneComponentArray set, other_set;
    FiloArray(FiloComponentValue) global_values; // set when nothing can fail any more
    FiloBits with_references;                    // components that have placeholders
    FiloNameBatch value_names;                   // of FiloName fields
    FiloBuilder name;                            // scratch memory
} SceneLoader;

static inline SceneNode *scene_node(SceneLoader *loader, uint32_t node) { return &loader->nodes.items[node]; }

// Set the loader's result, and return false.
bool scene_fail(SceneLoader *loader, SceneLocation location, FiloCode code, const char *format, ...)
    FILO_PRINTF(4, 5);
bool scene_no_memory(SceneLoader *loader);
SceneLocation scene_location(const SceneLoader *loader, FiloJsonToken token);
// A reader that starts at the value at a location.
FiloJsonReader scene_reader(const SceneLoader *loader, SceneLocation location);
// The text of a string or key: a slice of the file, or a copy that is valid as long as the loader. `data` is NULL
// without memory.
FiloString scene_text(SceneLoader *loader, FiloJsonToken token);
// Memory for `length` bytes and a zero, valid as long as the loader. NULL without memory.
char *scene_alloc_text(SceneLoader *loader, size_t length);
// A copy that ends in a zero, in loader->name: valid until that is used again. NULL without memory.
const char *scene_c_text(SceneLoader *loader, FiloString text);

// Fails: "components: expected an object, found a number".
bool scene_wrong_kind(SceneLoader *loader, FiloJsonToken token, const char *what, const char *expected);
void scene_unknown_member(SceneLoader *loader, FiloJsonToken key);
// Reads a name. Fails if it is empty, too long, or has a zero byte.
bool scene_parse_name(SceneLoader *loader, FiloJsonToken token, const char *what, FiloString *name);

// The steps, in this order. False: the loader has a result.
bool scene_parse(SceneLoader *loader);
bool scene_parse_definitions(SceneLoader *loader, FiloJsonToken token);
bool scene_check(SceneLoader *loader);
bool scene_define(SceneLoader *loader);
bool scene_build(SceneLoader *loader);

// A node outside of prefabs by name; SCENE_NONE if there is none.
uint32_t scene_find_node(SceneLoader *loader, FiloString name);
// A name with the prefix, in loader->name; NULL without memory.
const char *scene_world_name(SceneLoader *loader, FiloString name);

// Frees the types of definitions that were not registered.
void scene_definitions_deinit(SceneLoader *loader);

// Reads a component of an entity, or (without a node) a global one, from the text.
bool scene_read(SceneLoader *loader, uint32_t node, const SceneEntry *entry, void *value);
// Replace placeholders by entities: in all members; in a global component; in the members from `first_member` on, but
// only references to entities of the prefab.
void scene_link(SceneLoader *loader);
void scene_link_global(SceneLoader *loader, const FiloType *type, void *value);
void scene_link_prefab(SceneLoader *loader, uint32_t prefab, size_t first_member);

// Whether a component requires another, directly or indirectly.
bool scene_requires(const FiloWorld *world, FiloComponent component, FiloComponent required);
// Whether the type has fields that are references.
bool scene_has_entities(const FiloType *type);

// ---- Writing ----------------------------------------------------------------------------------------------

struct SceneWriter {
    FiloScene *scene;
    FiloWorld *world;
    FiloJsonWriter json;
    FiloResult result;     // of the first failure
    FiloEntity prefab;     // that is being written; {0}: none
    FiloEntity entity;     // that is being written, for messages
    size_t depth;          // of the entity
    bool ids_added;        // entities got an id, possibly after they were written
    bool dry_run;          // only checks whether a reference can be saved: no entity gets an id
    bool silent;           // problems were reported already
    FiloBuilder text;      // scratch memory
    FiloMap child_indices; // see scene_saved_child_index
    SceneByteArray zeroes; // the base of a value without another one
    SceneByteArray base;   // scratch memory: the base of a value with references
    SceneByteArray value;  // scratch memory: a value with references, as it is saved
};

// Set the writer's result, and return false.
bool scene_write_failed(SceneWriter *writer, FiloResult result);
bool scene_write_no_memory(SceneWriter *writer);

// Writes the fields of a value that differ from `base` (NULL: from zeroes) as an object.
void scene_write_fields(SceneWriter *writer, const FiloType *type, const void *value, const void *base);
// Whether there are such fields.
bool scene_fields_differ(SceneWriter *writer, const FiloType *type, const void *value, const void *base);
// Writes JSON text with the same layout as everything else.
void scene_write_raw(SceneWriter *writer, const char *text);
// Writes a reference, or null if it cannot be saved.
void scene_write_reference(SceneWriter *writer, FiloEntity target);
// Why a reference cannot be saved here; NULL if it can.
const char *scene_reference_problem(SceneWriter *writer, FiloEntity target);
void scene_write_definitions(SceneWriter *writer);

// The index that a child gets among its siblings when the file is loaded: copies of a prefab's children are first, in
// the order of the prefab.
unsigned scene_saved_child_index(SceneWriter *writer, FiloEntity entity);
// The prefab that an entity is saved as an instance of; {0}: none.
FiloEntity scene_instance_of(const FiloScene *scene, FiloEntity entity);
// Whether an entity is a copy in an instance, and has the same parent as in the prefab. Then only its difference to the
// prefab is saved.
bool scene_is_copy(const FiloScene *scene, FiloEntity entity);
// The name that an entity is saved with, without the prefix; empty: none. In a prefab it is the label.
FiloString scene_saved_name(const FiloScene *scene, FiloEntity entity, bool in_prefab);

#endif
