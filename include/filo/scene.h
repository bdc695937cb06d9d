// filo/scene.h: scenes: files with entities and prefabs, in JSON.
//
//     {
//         "filo": "scene",
//         "version": 1,
//         "prefabs": {
//             "crate": { "components": { "Position": {}, "Health": { "points": 30 } } }
//         },
//         "entities": [
//             { "name": "door", "components": { "Position": { "x": 4 } } },
//             { "prefab": "crate", "components": { "Position": { "x": 9 }, "Guards": { "what": "door" } } }
//         ]
//     }
//
//     FiloScene *scene;
//     FiloResult r = filo_scene_load(&scene, world, "yard.json", NULL);       // all of it, or nothing
//     if (r.code != FILO_OK) filo_log_error("game", "%s", r.message);         // "yard.json:7:20: …"
//     filo_set(world, filo_scene_find(scene, "door"), Position, .x = 5);
//     r = filo_scene_save(scene, "yard.json");                                // one line is different now
//     filo_scene_unload(scene);                                               // destroys its entities
//
// The key of a component is the name of its type, and its value is an object with fields by name. A field that is not
// listed has the default value of the component. Required components (filo/world.h) are added. Register components
// before loading, or define them in the file. docs/scene.md describes the whole format; in short:
//
//   "components"  defines components that have no C struct: { "Loot": { "fields": { "gold": "int32_t" } } }
//   "globals"     values of global components: { "Weather": { "rain": 0.5 } }
//   "prefabs"     templates by name. They become prefabs of the world (filo/world.h) with that name
//   "entities"    a list; each has any of:
//       "name"        unique in the world
//       "id"          a number that is unique in the file, for references to an entity without a name
//       "prefab"      the prefab that it is an instance of; a prefab that has this member is based on another one
//       "active"      true or false
//       "without"     components of the prefab, or required ones, that it does not have: ["Health"]
//       "components"  its components; for an instance, the differences to the prefab
//       "overrides"   differences in the children that are copied from the prefab:
//                     { "turret": { "components": … } }; null removes that child
//       "children"    its children, besides those of the prefab
//
// References to entities are texts, and may point forward: "door" by name; "#3" by id; "tank/turret" for the copy of
// the prefab's child "turret" in the instance "tank"; "tank/#0" for the first child, if it has no name; null for
// none. A name that is not in the file is searched in the world, so scenes can use prefabs and entities of scenes
// that were loaded before. Inside a prefab, names of children are local to that prefab (their name in the world is
// "tank/turret"). References are searched there first, "." is its root, and "/door" is only searched outside.
//
// Saving writes everything in a fixed order and layout: entities as they were loaded, then new ones; components by
// name; fields as they are described, without those that equal the default value or the prefab, and without transient
// ones. So loading a saved file and saving it gives the same bytes, and a small change is a small difference. A file
// written by hand gets that layout when it is saved for the first time.
//
// Threads: as for changing the world, between ticks and one thread at a time. A scene must be unloaded or released
// before its world is destroyed.

#ifndef FILO_SCENE_H
#define FILO_SCENE_H

#include <filo/memory.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/types.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

#define FILO_SCENE_VERSION  1          // of the format
#define FILO_SCENE_ENTITIES (1u << 22) // in one file, by default
#define FILO_SCENE_DEPTH    100        // children inside children

// ---- Problems -----------------------------------------------------------------------------------------

// A part of the text that is invalid, and does not prevent loading the rest. A text that is not a valid scene (bad
// JSON, an unknown prefab, two entities with one name, a cycle of prefabs) is an error instead: nothing is loaded.
typedef enum FiloSceneProblemKind {
    FILO_SCENE_UNKNOWN_MEMBER,    // not part of the format: ignored
    FILO_SCENE_UNKNOWN_COMPONENT, // not registered: its text is stored, and saved again
    FILO_SCENE_MISPLACED,         // a global component of an entity, for example: ignored
    FILO_SCENE_REPEATED,          // a component twice: the last one is used
    FILO_SCENE_VALUE,             // does not match the description of the component: see `value`
    FILO_SCENE_UNKNOWN_REFERENCE, // refers to no entity: becomes none
    FILO_SCENE_UNKNOWN_OVERRIDE,  // the prefab has no such child or component: ignored
    FILO_SCENE_NOT_SAVED,         // when saving: a file cannot represent it
} FiloSceneProblemKind;

// All texts are valid during the call.
typedef struct FiloSceneProblem {
    FiloSceneProblemKind kind;
    FiloProblemKind value; // for FILO_SCENE_VALUE
    const char *entity;    // name; "": none
    const char *path;      // "Position.x"; "": none
    const char *message;   // "yard.json:7:20: door: Position.x: expected a number, found a string"
    int line, column;      // 0 when saving
} FiloSceneProblem;

// ---- Loading ------------------------------------------------------------------------------------------

typedef struct FiloScene FiloScene;

typedef struct FiloSceneDesc {
    const char *source; // name of a text in messages; NULL: "scene". For a file it is the path
    // Added before all names in the world, so that a scene can be loaded several times. Not saved. NULL: "".
    const char *prefix;
    FiloEntity parent;   // of all its entities; {0}: none
    size_t entity_limit; // more are an error; 0: FILO_SCENE_ENTITIES
    // Called for each problem when loading and saving. NULL: they are logged as warnings.
    void (*problem)(const FiloSceneProblem *problem, void *user);
    void *user;
    // For everything except the entities. Must outlive the scene. NULL: filo_heap().
    const FiloAllocator *allocator;
} FiloSceneDesc;

// Creates the entities of a file. On failure none are created, but components that the file defines stay registered.
// `desc` may be NULL, here and below.
FiloResult filo_scene_load(FiloScene **scene, FiloWorld *world, const char *path, const FiloSceneDesc *desc);
// Creates the entities of a text. The text is only used during the call.
FiloResult filo_scene_load_text(FiloScene **scene, FiloWorld *world, FiloString text,
                                const FiloSceneDesc *desc);
// Creates a scene without entities, for filo_scene_add….
FiloResult filo_scene_create(FiloScene **scene, FiloWorld *world, const FiloSceneDesc *desc);

// Destroys the entities and prefabs of a scene, with all their children, and the scene. NULL is allowed.
void filo_scene_unload(FiloScene *scene);
// Frees the scene without destroying its entities. NULL is allowed.
void filo_scene_release(FiloScene *scene);

// ---- Saving -------------------------------------------------------------------------------------------

// Replaces the file. On failure the old one is not changed. Fails without memory, and for families deeper than
// FILO_SCENE_DEPTH.
FiloResult filo_scene_save(FiloScene *scene, const char *path);
// Adds the text of the file to a builder. On failure nothing is added.
FiloResult filo_scene_write(FiloScene *scene, FiloBuilder *text);

// ---- Contents -----------------------------------------------------------------------------------------
//
// The children of its entities belong to a scene too. Destroyed entities do not belong to it any more.

FiloWorld *filo_scene_world(const FiloScene *scene);
// The number of problems so far.
size_t filo_scene_problems(const FiloScene *scene);

// The entity of a reference, as in the file: "door", "#3", "tank/turret". {0} if there is none in the scene.
FiloEntity filo_scene_find(const FiloScene *scene, const char *reference);
// Whether an entity or one of its ancestors belongs to the scene.
bool filo_scene_has(const FiloScene *scene, FiloEntity entity);
// Writes up to `capacity` entities and prefabs of the scene, without their children, in the order in which they are
// saved. Returns how many there are.
size_t filo_scene_entities(const FiloScene *scene, FiloEntity *entities, size_t capacity);
// The entity of a prefab that this one was copied from. Only the difference to it is saved. {0}: it is saved in full.
FiloEntity filo_scene_source(const FiloScene *scene, FiloEntity entity);

// Adds an entity and its children as the last one of the scene, or a prefab as the last prefab. It is saved in full.
// False without memory.
bool filo_scene_add(FiloScene *scene, FiloEntity entity);
// Adds all entities of the world that have no parent, by index, and all global components that are not transient.
bool filo_scene_add_world(FiloScene *scene);
// Adds a global component, which is saved then.
bool filo_scene_add_global(FiloScene *scene, FiloComponent component);
// Creates an instance of a prefab as the last entity of the scene. It is saved as an instance. `parent` {0}: none. {0}
// without memory.
FiloEntity filo_scene_instance(FiloScene *scene, FiloEntity prefab, FiloEntity parent);
// Removes an entity from the scene without destroying it. False if it was not one of filo_scene_entities.
bool filo_scene_remove(FiloScene *scene, FiloEntity entity);

FILO_END_DECLS

#endif
