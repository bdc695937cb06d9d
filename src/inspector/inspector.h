// Private state of the inspector, and the functions that its sources share.
//
//   value.c     widgets for one value, made from its description
//   fields.c    structs and arrays, made of values
//   picker.c    choosing an entity or a component
//   list.c      which entities the list shows, found bit by bit
//   world.c     the tab with that list, and the tab with global components
//   entity.c    the window of one entity
//   frame.c     the tab with times and the control of time
//   systems.c   the tabs of systems, memory and modules
//   undo.c      undo and redo of edits
//
// The world does not change while widgets are shown: what the user does becomes a request, and all requests are carried
// out when the last widget has been shown. So no pointer into the world is used after a change.

#ifndef FILO_INSPECTOR_INSPECTOR_H
#define FILO_INSPECTOR_INSPECTOR_H

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/inspector.h>

#include "base/reflect_value.h"

// ---- Lists of entities ------------------------------------------------------------------------------------

typedef struct InspectorRow {
    FiloEntity entity;
    uint32_t depth; // in its family, where families are shown
} InspectorRow;

// The entities of a query, which is scanned bit by bit: in each frame some rows of the world, so that a large world costs
// no more than a small one. `rows` is the result of the last scan that was completed.
typedef struct InspectorList {
    FiloArray(InspectorRow) rows;
    FiloArray(FiloEntity) next; // found by the present scan
    size_t scanned;             // rows of the query so far
    int wait;                   // frames until the next scan begins
    FiloQuery *query;
    char text[128];    // of the query, as typed
    char applied[128]; // the one that `query` was made of
    char search[64];   // a part of the name, or a number
    char problem[160]; // of the query; "": none
    bool families;     // roots, and below them the children of those that are open
    bool is_complete;  // a scan was completed since the query or the search changed
    char searched[64]; // the search of the present scan
    FiloMap open;      // entities whose children are shown
} InspectorList;

// Which part of a long array is shown. One array at a time has one; the others begin at their start.
typedef struct InspectorPage {
    char path[192];
    FiloEntity entity;
    uint32_t component;
    size_t first;
} InspectorPage;

// A text that is being typed, and becomes a value when it is entered.
typedef struct InspectorDraft {
    uint64_t key; // of what is edited; 0: nothing is
    char text[256];
} InspectorDraft;

// ---- The inspector ----------------------------------------------------------------------------------------

#define INSPECTOR_FRAMES   120 // in the graph
#define INSPECTOR_COMMANDS 16  // in one frame
#define INSPECTOR_SYSTEMS  256 // whose times are smoothed
#define INSPECTOR_LINES    64  // of a module
#define INSPECTOR_STATUS   320

typedef enum InspectorTab {
    INSPECTOR_TAB_FRAME,
    INSPECTOR_TAB_WORLD,
    INSPECTOR_TAB_GLOBALS,
    INSPECTOR_TAB_SYSTEMS,
    INSPECTOR_TAB_MEMORY,
    INSPECTOR_TAB_MODULES,
    INSPECTOR_TAB_COUNT
} InspectorTab;

// What the user wants to be done after the last widget.
typedef struct InspectorRequests {
    FiloCommand commands[INSPECTOR_COMMANDS];
    size_t command_count;
    bool rewinds, goes_on, changes_history, undoes, redoes;
    bool commits; // what was edited is a step of its own: the next change begins another one
    size_t back;
    double history_seconds;
} InspectorRequests;

// An edit that can be undone.
typedef struct InspectorStep {
    FiloCommand command; // that was carried out; of a drag, the last
    FiloArray(FiloCommand) undo;
    FiloEntity made; // by the command
    bool joins;      // it continues the last step
    bool is_lost;    // it cannot be undone
} InspectorStep;

typedef struct InspectorUndo {
    FiloArray(InspectorStep) steps;
    size_t done; // steps that are not undone
    bool open;   // further changes of the same value join the last step
} InspectorUndo;

struct FiloInspector {
    const FiloAllocator *allocator;
    FiloWorld *world;
    FiloModules *modules;
    const FiloInspectorHost *host;
    int tab;
    int module_tab;

    FiloEntity selected;
    bool shows_entity; // its window
    size_t selected_row;
    int scroll_frames; // in which the list is scrolled to the selected row
    InspectorList list;

    char picker_search[64]; // of the drop-down that is open
    char component_search[64];
    InspectorList picker;

    float frame_ms[INSPECTOR_FRAMES];
    size_t frame_next;
    double tick_ms, draw_ms; // smoothed
    double system_ms[INSPECTOR_SYSTEMS];
    uint16_t system_order[INSPECTOR_SYSTEMS]; // as shown
    size_t system_count;                      // that it was computed for
    int system_sort, sorted_by, system_wait;
    int memory_sort;
    FiloLine lines[INSPECTOR_LINES];

    InspectorPage page;
    InspectorDraft draft;
    void *copy; // of the component that is edited
    size_t copy_size;

    InspectorRequests requests;
    InspectorUndo undo;
    bool keeps_anyway;             // the user wants to keep states, however long it takes
    int slow_ticks;                // in a row, in which keeping a state took too long
    char status[INSPECTOR_STATUS]; // why the last request was refused; "": it was not

    // For tests, which aim input at widgets: called with the name of a widget and its rectangle. NULL: none.
    void (*mark)(const char *name, FiloRect rect, void *user);
    void *mark_user;
};

// After a widget: tells a test where it is.
static inline void inspector_mark(const FiloInspector *inspector, const FiloUi *ui, const char *name) {
    if (inspector != NULL && inspector->mark != NULL)
        inspector->mark(name, filo_ui_rect(ui), inspector->mark_user);
}

// A command that is carried out after the last widget. The caller fills in the rest. NULL if there are too many; then it
// is dropped.
FiloCommand *inspector_request(FiloInspector *inspector, FiloCommandKind kind, FiloEntity entity);

// Ends keeping states if that slows the game down, unless the user has switched it on.
void inspector_limit_history(FiloInspector *inspector);
// Carries out all requests. No widget uses a pointer into the world after this.
void inspector_carry_out(FiloInspector *inspector);

// Changes the world, through the host if there is one.
FiloResult inspector_apply(FiloInspector *inspector, const FiloCommand *command, FiloEntity *made);

// ---- undo.c -----------------------------------------------------------------------------------------------

void inspector_undo_init(InspectorUndo *undo, const FiloAllocator *allocator);
void inspector_undo_deinit(InspectorUndo *undo);
// Before a command is applied: what will undo it. Then it is added, or dropped if the command was refused.
void inspector_undo_prepare(FiloInspector *inspector, const FiloCommand *command, InspectorStep *step);
void inspector_undo_add(FiloInspector *inspector, InspectorStep *step, FiloEntity made);
void inspector_undo_drop(InspectorStep *step);
// The buttons, and why the last request was refused.
void inspector_show_undo(FiloInspector *inspector, FiloUi *ui);

// ---- value.c, fields.c ------------------------------------------------------------------------------------

// Editing a value: widgets change `data`, and `changed` is called with the path of what was changed.
typedef struct InspectorEdit {
    FiloUi *ui;
    const FiloWorld *world;   // for entities; NULL: none can be picked
    FiloInspector *inspector; // to pick and select them; may be NULL
    FiloEntity entity;        // and component: what is edited
    uint32_t component;
    BaseFieldPath path;
    void (*changed)(struct InspectorEdit *edit, FiloValue value); // NULL: nothing else is to be done
    bool any;                                                     // something was changed
} InspectorEdit;

void inspector_edit_struct(InspectorEdit *edit, const FiloType *type, void *data);
// A value, or all values of an array.
void inspector_edit_value(InspectorEdit *edit, const char *label, FiloValue value);
// A value that is neither an array nor a nested struct. True if it was changed.
bool inspector_edit_leaf(InspectorEdit *edit, const char *label, FiloValue value);
// A text field that changes nothing before Enter is pressed or the field is left. `key` identifies what is edited. True
// if it was, with the text in `text`, which has `size` bytes, at most as many as a draft.
bool inspector_edit_draft(FiloInspector *inspector, FiloUi *ui, const char *label, uint64_t key, char *text,
                          size_t size, const char *placeholder);
// Whether a struct has a widget of its own, such as a colour or a vector.
bool inspector_is_leaf(const FiloType *type);

// ---- picker.c ---------------------------------------------------------------------------------------------

#define INSPECTOR_LABEL 96
// The name of an entity, or its number and a component that tells what it is: "#17 Boid".
const char *inspector_entity_label(const FiloWorld *world, FiloEntity entity, char text[INSPECTOR_LABEL]);
// The components of an entity, but for its name and family, as a list. "" without any.
const char *inspector_component_names(const FiloWorld *world, FiloEntity entity, char *text, size_t size);
// A field for an entity, with a list to pick it from. True if another one was picked.
bool inspector_pick_entity(InspectorEdit *edit, const char *label, FiloEntity *entity);
// A drop-down with the components that entities may have, except those of `without`. {0} if none was picked.
FiloComponent inspector_pick_component(FiloInspector *inspector, FiloUi *ui, const char *label,
                                       const char *shown, FiloEntity without);

// ---- list.c -----------------------------------------------------------------------------------------------

// Continues the scan. Creates the query again if its text has changed.
void inspector_list_update(InspectorList *list, FiloWorld *world);
bool inspector_list_is_open(const InspectorList *list, FiloEntity entity);
void inspector_list_set_open(InspectorList *list, FiloEntity entity, bool open);
// Begins the scan again.
void inspector_list_restart(InspectorList *list);
void inspector_list_init(InspectorList *list, const FiloAllocator *allocator);
void inspector_list_deinit(InspectorList *list);
// Whether `text` has `part` in it, in upper or lower case. "" is in every text.
bool inspector_contains(const char *text, const char *part);

// ---- Tabs and windows -------------------------------------------------------------------------------------

void inspector_show_time(FiloInspector *inspector, FiloUi *ui); // above the tabs
void inspector_show_frame(FiloInspector *inspector, FiloUi *ui);
void inspector_show_world(FiloInspector *inspector, FiloUi *ui);
void inspector_show_globals(FiloInspector *inspector, FiloUi *ui);
void inspector_show_systems(FiloInspector *inspector, FiloUi *ui);
void inspector_show_memory(FiloInspector *inspector, FiloUi *ui);
void inspector_show_modules(FiloInspector *inspector, FiloUi *ui);
void inspector_show_entity(FiloInspector *inspector, FiloUi *ui);
// The value of a component of an entity, or of a global one with {0}. NULL if there is none.
const void *inspector_value_of(const FiloWorld *world, FiloEntity entity, FiloComponent component);
// Whether the world adds and removes a component by itself.
bool inspector_is_managed(const char *component);
// A component of the selected entity, or a global component with {0}. `open`: its fields are shown at first.
void inspector_show_component(FiloInspector *inspector, FiloUi *ui, FiloEntity entity,
                              FiloComponent component, bool open);

#endif
