// filo/scene.h: entities as files: scenes and prefabs in JSON.
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
// A component stands under the name of its type and lists fields by name; what is not listed has the first
// value of the component. What it requires (filo/world.h) comes with it. Register components before loading, or define them in the file. docs/scene.md
// describes the whole format; in short:
//
//   "components"  defines components that have no C struct: { "Loot": { "fields": { "gold": "int32_t" } } }
//   "globals"     values of global components: { "Weather": { "rain": 0.5 } }
//   "prefabs"     templates by name. They become prefabs of the world (filo/world.h) of that name
//   "entities"    a list; each has any of:
//       "name"        unique in the world
//       "id"          a number that is unique in the file, by which others refer to an entity without a name
//       "prefab"      what it is an instance of; a prefab may itself have one, and is then based on it
//       "active"      true or false
//       "without"     components that the prefab has, or that others require, and it does not have: ["Health"]
//       "components"  what it has; for an instance, what differs from the prefab
//       "overrides"   what differs in the children that come from the prefab:
//                     { "turret": { "components": … } }; null: it does not have that child
//       "children"    entities in it, besides those of the prefab
//
// References to entities are texts, and may point forward: "door" by name; "#3" by id; "tank/turret" is the
// child that the instance "tank" has from its prefab's child "turret", and "tank/#0" the first child, if it
// has no name; null is nobody. What is not in the file is looked up in the world, so scenes can use prefabs
// and entities of scenes that were loaded before. Inside a prefab, names of children belong to that prefab
// (in the world the child is called "tank/turret"), references look there first, "." is its root, and "/door"
// does not look there.
//
// Saving writes everything in a fixed order and form: entities as they were loaded, new ones after them;
// components by name; fields as they are described, without those that are as they would be anyway, and
// without what is transient. So loading a saved file and saving it gives the same bytes, and a small change
// is a small difference. A file written by hand takes that form when it is saved for the first time.
//
// Threads: as for changing the world: between ticks, one at a time. A scene must be unloaded or released
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
#define FILO_SCENE_ENTITIES (1u << 22) // in one file, unless told otherwise
#define FILO_SCENE_DEPTH    100        // children inside children

// ---- Problems -----------------------------------------------------------------------------------------

// Something that does not fit but need not stop anybody. A text that is not a scene at all (bad JSON, no such
// prefab, two entities with one name, prefabs made of each other) is an error instead: nothing is loaded.
typedef enum FiloSceneProblemKind {
    FILO_SCENE_UNKNOWN_MEMBER,    // no such word in the format: passed over
    FILO_SCENE_UNKNOWN_COMPONENT, // not registered: kept as text, and saved again
    FILO_SCENE_MISPLACED,         // a global component on an entity or the like: passed over
    FILO_SCENE_REPEATED,          // a component twice: the last one holds
    FILO_SCENE_VALUE,             // does not fit the description of the component: see `value`
    FILO_SCENE_UNKNOWN_REFERENCE, // refers to nobody: becomes none
    FILO_SCENE_UNKNOWN_OVERRIDE,  // the prefab has no such child or component: passed over
    FILO_SCENE_NOT_SAVED,         // when saving: something that the file cannot express
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
    const char *source; // what a text is called in messages; NULL: "scene". A file is called by its path
    const char *
        prefix; // put before all names in the world, so that a scene can be loaded several times; not saved. NULL: ""
    FiloEntity parent;   // of all its entities; {0}: none
    size_t entity_limit; // more are refused; 0: FILO_SCENE_ENTITIES
    void (*problem)(const FiloSceneProblem *problem,
                    void *user); // when loading and saving; NULL: they are logged as warnings
    void *user;
    const FiloAllocator
        *allocator; // of everything but the entities themselves; NULL: filo_heap(). Must outlive the scene
} FiloSceneDesc;

// Creates the entities of a file; on failure none (components that it defines stay registered). `desc` may be
// NULL, here and below.
FiloResult filo_scene_load(FiloScene **scene, FiloWorld *world, const char *path, const FiloSceneDesc *desc);
// The same from a text, which is no longer needed afterwards.
FiloResult filo_scene_load_text(FiloScene **scene, FiloWorld *world, FiloString text,
                                const FiloSceneDesc *desc);
// An empty scene, to be filled by hand.
FiloResult filo_scene_create(FiloScene **scene, FiloWorld *world, const FiloSceneDesc *desc);

// Destroys the entities and prefabs of a scene, with all their children, and the scene. NULL is allowed.
void filo_scene_unload(FiloScene *scene);
// Frees the scene and leaves its entities alone. NULL is allowed.
void filo_scene_release(FiloScene *scene);

// ---- Saving -------------------------------------------------------------------------------------------

// Replaces the file, or leaves the old one alone on failure. Fails without memory, and for families deeper
// than FILO_SCENE_DEPTH.
FiloResult filo_scene_save(FiloScene *scene, const char *path);
// Adds the same text to a builder; on failure nothing.
FiloResult filo_scene_write(FiloScene *scene, FiloBuilder *text);

// ---- What is in it ------------------------------------------------------------------------------------
//
// The children of its entities belong to a scene by themselves. What was destroyed belongs to it no longer.

FiloWorld *filo_scene_world(const FiloScene *scene);
// How many problems were found so far.
size_t filo_scene_problems(const FiloScene *scene);

// An entity by what a reference in the file would say: "door", "#3", "tank/turret". {0} if there is none in
// the scene.
FiloEntity filo_scene_find(const FiloScene *scene, const char *reference);
// Whether an entity, or one above it, belongs to the scene.
bool filo_scene_has(const FiloScene *scene, FiloEntity entity);
// Fills `entities` with up to `capacity` entities and prefabs of the scene, without their children, in the
// order in which they are saved, and returns how many there are.
size_t filo_scene_entities(const FiloScene *scene, FiloEntity *entities, size_t capacity);
// The entity of the prefab that this one is made from and saved as a difference to; {0}: it is saved in full.
FiloEntity filo_scene_source(const FiloScene *scene, FiloEntity entity);

// Makes an entity, with its children, the last one of the scene; a prefab becomes the last prefab. False
// without memory. It is saved in full.
bool filo_scene_add(FiloScene *scene, FiloEntity entity);
// All entities of the world that have no parent, by index, and all global components that are not transient.
bool filo_scene_add_world(FiloScene *scene);
// Saves this global component too.
bool filo_scene_add_global(FiloScene *scene, FiloComponent component);
// An instance of a prefab, last in the scene, which is saved as such. {0} without memory. `parent` {0}: none.
FiloEntity filo_scene_instance(FiloScene *scene, FiloEntity prefab, FiloEntity parent);
// The scene forgets the entity; the world does not. False if it was not one of filo_scene_entities.
bool filo_scene_remove(FiloScene *scene, FiloEntity entity);

FILO_END_DECLS

#endif
