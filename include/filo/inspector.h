// filo/inspector.h: what is in a running game, shown and changed by panels that are made from descriptions alone.
//
// Every app has it behind F3: a module "inspector". It shows how long frames take, pauses, steps and rewinds the game,
// and browses the world: entities found by their components, families as trees, every component and global with an
// editor for its fields, systems with their times and switches, memory, and a tab for each module. docs/inspector.md
// describes it.
//
// The editor is made from the description of a type (filo/reflect.h): ranges, steps, units and help of its fields, enums
// as drop-downs, flags as check boxes, texts, names, colours, vectors, nested structs, arrays, and references to
// entities, which are picked from the world. A program uses it for its own settings:
//
//     typedef struct Weather { float wind; bool rain; FiloColor sky; } Weather;
//     FILO_REFLECT(Weather, FILO_FIELD(float, wind, .min = 0, .max = 30, .unit = "m/s", .help = "at the ground"),
//                  FILO_FIELD(bool, rain), FILO_FIELD(FiloColor, sky))
//
//     if (filo_ui_begin_window(ui, "Weather", NULL)) filo_inspector_edit(ui, FILO_TYPE(Weather), &weather, NULL);
//     filo_ui_end(ui);
//
// Nothing that the inspector shows is a part of the world. What it changes in it are commands (filo/command.h): in an app
// they are recorded, and a replay repeats them.

#ifndef FILO_INSPECTOR_H
#define FILO_INSPECTOR_H

#include <filo/ecs.h>
#include <filo/modules.h>
#include <filo/ui.h>

FILO_BEGIN_DECLS

// ---- Values -----------------------------------------------------------------------------------------------

// Shows the fields of a described struct as widgets, in a container of the caller, and writes what the user changes to
// `data`. True in frames in which something was changed. Hidden fields are left out, read-only ones are disabled. `world`
// is for the names of entities, and may be NULL.
bool filo_inspector_edit(FiloUi *ui, const FiloType *type, void *data, FiloWorld *world);
// The same for one field: filo_inspector_edit_field(ui, FILO_TYPE(Weather), &weather, "wind", NULL). A path that does not
// exist is shown as an error.
bool filo_inspector_edit_field(FiloUi *ui, const FiloType *type, void *data, const char *path,
                               FiloWorld *world);

// ---- The game ---------------------------------------------------------------------------------------------

typedef struct FiloInspectorHistory {
    size_t states;       // of the last ticks, that can be shown; 0: none
    size_t back;         // ticks between the last one and the one that is shown
    size_t memory;       // bytes
    double push_ms;      // what a tick costs
    const char *problem; // why there are none; NULL: nothing is wrong
} FiloInspectorHistory;

// What the inspector needs of the program that runs the world. An app provides it (FILO_INTERFACE). Without it, the world
// is changed by filo_world_command, and time cannot be controlled. All functions are called between ticks.
typedef struct FiloInspectorHost {
    void *user; // first argument of all functions
    FiloResult (*command)(void *user, const FiloCommand *command, FiloEntity *made);
    void (*pause)(void *user, bool on);
    bool (*paused)(void *user);
    void (*step)(void *user);
    void (*set_time_scale)(void *user, float scale);
    float (*time_scale)(void *user);
    double (*time)(void *user); // seconds of game time
    FiloResult (*keep_history)(void *user, double seconds);
    FiloResult (*rewind)(void *user, size_t back);
    FiloResult (*go_on)(void *user);
    FiloInspectorHistory (*history)(void *user);
} FiloInspectorHost;
#define FiloInspectorHost_VERSION FILO_VERSION(0, 1, 0)

// ---- The inspector ----------------------------------------------------------------------------------------

typedef struct FiloInspector FiloInspector;

typedef struct FiloInspectorDesc {
    FiloWorld *world;               // outlives the inspector
    FiloModules *modules;           // for their tabs; may be NULL
    const FiloInspectorHost *host;  // may be NULL
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloInspectorDesc;
FiloResult filo_inspector_create(FiloInspector **inspector, const FiloInspectorDesc *desc);
void filo_inspector_destroy(FiloInspector *inspector); // NULL is allowed

// Shows its windows. Between ticks, in a frame of the UI, outside of containers. What the user changes is applied before
// it returns.
void filo_inspector_show(FiloInspector *inspector, FiloUi *ui);
// Adds the duration of a frame to the graph, in milliseconds.
void filo_inspector_add_frame(FiloInspector *inspector, double frame_ms, double tick_ms, double draw_ms);

// Shows the fields of a component in a container of the caller, with what the user changes as commands, so that it is
// recorded: for panels of a game. With FILO_ENTITY_NONE, of a global component. Shows nothing if the entity has none.
//
//     FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);      // in FiloAppDesc.ui
//     if (filo_ui_begin_window(ui, "Rules", NULL))
//         filo_inspector_edit_component(inspector, ui, FILO_ENTITY_NONE, filo_component_of(world, FILO_TYPE(Rules)));
//     filo_ui_end(ui);
void filo_inspector_edit_component(FiloInspector *inspector, FiloUi *ui, FiloEntity entity,
                                   FiloComponent component);

// The entity whose components are shown; {0}: none.
void filo_inspector_select(FiloInspector *inspector, FiloEntity entity);
FiloEntity filo_inspector_selected(const FiloInspector *inspector);
// Undo and redo what was edited with the inspector and with filo_inspector_edit_component: the last 128 edits, where a drag
// or a typed text is one. Each is done by commands as well, so that it is recorded. Values become what they were before the
// edit, whatever the game has made of them since. An entity that was destroyed comes back with its components and
// descendants, under another id: references to it in other entities stay invalid. False if there is nothing to undo, or
// if it is refused; the panel says why. Between ticks, outside of filo_inspector_show.
bool filo_inspector_undo(FiloInspector *inspector);
bool filo_inspector_redo(FiloInspector *inspector);
bool filo_inspector_can_undo(const FiloInspector *inspector);
bool filo_inspector_can_redo(const FiloInspector *inspector);
// The query of the list of entities, as the user types it: names of components that an entity has, with a "!" before
// those that it lacks: "Boid !Frozen". "": all entities.
void filo_inspector_set_query(FiloInspector *inspector, const char *query);
// Which tab is shown: "Frame", "World", "Globals", "Systems", "Memory", "Modules". False if there is none of this name.
bool filo_inspector_show_tab(FiloInspector *inspector, const char *tab);

// ---- As a module ------------------------------------------------------------------------------------------

// The module "inspector" provides FiloInspector. It is shown while frame->debug_view is set.
typedef struct FiloInspectorModule {
    FiloInspector *inspector; // private, like the rest
    FiloHeap heap;
    FiloUiView view[1];
    FiloModuleContribution contribution[1];
    FiloFrame *frame;
    bool shown;
} FiloInspectorModule;
// For filo_modules_register. `module` must not move as long as it is registered.
FiloModuleDesc filo_inspector_module(FiloInspectorModule *module);

FILO_END_DECLS

#endif
