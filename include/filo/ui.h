// filo/ui.h: panels and menus over the picture, for tools and for games. Immediate mode: call a function for each
// widget, in every frame.
//
//     static void ui(FiloApp *app, FiloUi *ui) {              // FiloAppDesc.ui
//         if (filo_ui_begin_window(ui, "Weather", NULL)) {
//             filo_ui_slider(ui, "Wind", &wind, 0, 30);
//             filo_ui_check(ui, "Rain", &rain);
//             if (filo_ui_button(ui, "Thunder")) filo_app_send(app, filo_name("thunder"), NULL, NULL);
//         }
//         filo_ui_end(ui);
//     }
//
// This header has the frame, containers, layout, themes and input; filo/ui_widgets.h has the widgets.
//
// What a widget returns. A widget that edits a value returns true in the frame in which it changed it; a button, in the
// frame in which it is clicked. What the player did is resolved against the panels of the previous frame.
//
// Containers. A function filo_ui_begin_… opens a container, and filo_ui_end closes the last one that was opened. Every
// begin needs its end, whatever it returned. False means that the content is not visible (collapsed, closed, on another
// tab): skip it. Widgets that are called all the same are neither shown nor usable.
//
// Layout. The calls of a frame make a tree, which filo_ui_end_frame lays out: sizes of content upwards, free space
// downwards, text wraps to its width. So a panel has the right size in its first frame. A container arranges its
// content in a column, a row or a grid. Sizes are in points: filo_ui_scale pixels each, rounded to whole pixels.
//
// Ids. A widget is recognised from frame to frame by its label, within its containers: two buttons "Delete" in one
// window clash. What follows "##" in a label is not shown: "Delete##7". After "###" only the rest counts, so that the
// text before may change: "Score: 1200###score". In loops, filo_ui_push_id. Two widgets with one id are reported once,
// and are outlined in debug builds; each works, as long as their order does not change.
//
// Input. filo_ui_input consumes what the UI takes: the mouse over a panel, keys while a text field or a menu has the
// focus, the gamepad while a menu has. In an app the module does that, and the game and recordings see what remains.
// Nothing of the UI is in the world or its hash. `ui` may read the world; what the player decides there enters the
// next tick by filo_app_send.
//
// Keyboard and gamepad. Tab and the directional keys move the focus, Enter, Space or the button A press a widget,
// Escape or B close a menu. A panel with FILO_UI_MENU has the focus without a click.
//
// Main thread. Nothing allocates in a steady frame. Strings and descriptions are copied, or used only during the call.
// Every function accepts invalid UTF-8 (shown as U+FFFD), NaN (shown as "nan"; sizes count as 0) and NULL.

#ifndef FILO_UI_H
#define FILO_UI_H

#include <filo/color.h>
#include <filo/gfx2d.h>
#include <filo/input.h>
#include <filo/modules.h>
#include <filo/platform.h>
#include <filo/reflect.h>
#include <filo/text.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

typedef struct FiloUi FiloUi;

#define FILO_UI_DEPTH 1024 // containers inside of each other

// ---- Themes -----------------------------------------------------------------------------------------------

// Colours and measures, in points. A theme is data: built in, from a program, or from a JSON file.
typedef struct FiloUiTheme {
    FiloColor text, text_muted, text_disabled;
    FiloColor window, panel,
        popup;       // backgrounds: of windows, of groups and areas in them, of menus and tooltips
    FiloColor title; // bar of a window
    FiloColor border, separator;
    FiloColor control, control_hover, control_active; // buttons, drop-downs, sliders
    FiloColor field;                                  // background of text fields and tracks
    FiloColor accent, accent_hover, accent_active;    // what is on, selected, or the main choice
    FiloColor on_accent;                              // text on it
    FiloColor selection;                              // rows, text
    FiloColor hover;                                  // over rows and menu items
    FiloColor focus;                                  // ring around the focused widget
    FiloColor shadow;
    FiloColor dim; // over everything behind a modal
    FiloColor good, warning, error;
    FiloColor plot;
    FiloName font, heading_font, mono_font; // {0}: the default font
    float text_size, small_size, heading_size;
    float control_height;
    float padding; // of windows and panels
    float gap;     // between widgets
    float indent;  // of trees
    float radius;  // of corners
    float border_width;
    float scroll_width;
    float label_share; // part of a row that the label of a widget takes: 0 to 1
    float shadow_size; // of windows and menus; 0: none
    float animation;   // seconds of a transition; 0: none
} FiloUiTheme;
FILO_REFLECT_DECLARE(FiloUiTheme);

const FiloUiTheme *filo_ui_theme_dark(void);
const FiloUiTheme *filo_ui_theme_light(void);

// From the next frame on. NULL: dark.
void filo_ui_set_theme(FiloUi *ui, const FiloUiTheme *theme);
// The current one, with what was pushed. Valid until the next push, pop or frame.
const FiloUiTheme *filo_ui_theme(const FiloUi *ui);
// An asset: a JSON file with the fields of FiloUiTheme, and "base": "dark" or "light" for those that are missing.
// It is loaded in the background, and again when it changes. A broken file is logged, and the theme stays as it is.
// FILO_ERROR_UNSUPPORTED without assets.
FiloResult filo_ui_use_theme_file(FiloUi *ui, const char *asset);
// Reads such a text. Unknown fields are logged.
FiloResult filo_ui_theme_read(FiloUiTheme *theme, const char *json, size_t length, const char *source);

// Changes the look of what follows, until filo_ui_pop_style. What is zero stays as it is. 32 deep.
typedef struct FiloUiStyle {
    const FiloUiTheme *theme; // instead of the current one
    FiloColor text;
    FiloColor background; // of controls
    FiloColor accent;
    float text_size, control_height, radius, padding, gap, label_share;
    FiloName font;
} FiloUiStyle;
void filo_ui_push_style(FiloUi *ui, const FiloUiStyle *style);
void filo_ui_pop_style(FiloUi *ui);

// What follows cannot be used, and looks like that, until the matching call of filo_ui_pop_disabled. With false it
// changes nothing, but still needs its pop.
void filo_ui_push_disabled(FiloUi *ui, bool disabled);
void filo_ui_pop_disabled(FiloUi *ui);

// ---- Windows and panels -----------------------------------------------------------------------------------

typedef enum FiloUiDock {
    FILO_UI_FLOATING,
    FILO_UI_LEFT,
    FILO_UI_RIGHT,
    FILO_UI_TOP,
    FILO_UI_BOTTOM,
} FiloUiDock;

typedef enum FiloUiWindowFlags {
    FILO_UI_NO_TITLE = 1, // no bar
    FILO_UI_NO_MOVE = 2,
    FILO_UI_NO_RESIZE = 4,
    FILO_UI_NO_COLLAPSE = 8,
    FILO_UI_NO_DOCK = 16,
    FILO_UI_NO_SCROLL = 32,     // content that does not fit is cut
    FILO_UI_NO_BACKGROUND = 64, // clicks beside its widgets reach the game
    FILO_UI_MENU = 128,         // keys and gamepad use it without a click; the last such panel has the focus
} FiloUiWindowFlags;

// A window that the player moves, resizes, collapses and docks at an edge. Position, size and so on are those of its
// first frame; then they are remembered, also while it is not shown.
typedef struct FiloUiWindow {
    FiloVec2 position; // of the upper left corner; {0, 0}: chosen
    FiloVec2 size;     // 0: as large as the content, and follows it until the player resizes the window
    FiloVec2 min_size, max_size; // 0: 120 × 40, and the screen
    FiloUiDock dock;
    bool collapsed;
    bool *open;     // gives it a button that sets this to false; not shown while it is false
    unsigned flags; // FiloUiWindowFlags
} FiloUiWindow;
bool filo_ui_begin_window(FiloUi *ui, const char *title, const FiloUiWindow *window);
void filo_ui_end(FiloUi *ui);

// A panel at a fixed point of the screen: menus of games, scores.
typedef struct FiloUiPanel {
    // The point of the screen, and the point of the panel that is put there: {0, 0} upper left corner, {0.5, 0.5}
    // centre, {1, 1} lower right corner.
    FiloVec2 anchor;
    FiloVec2 offset;   // from there
    FiloVec2 size;     // 0: as large as the content
    FiloVec2 max_size; // 0: the screen
    unsigned flags;    // FILO_UI_NO_BACKGROUND, FILO_UI_MENU, FILO_UI_NO_SCROLL
} FiloUiPanel;
// Two panels of one name in a frame are reported once; both are shown.
bool filo_ui_begin_panel(FiloUi *ui, const char *name, const FiloUiPanel *panel);

// Windows as the player has arranged them, as JSON text: to save and load with the settings. Names of windows are their
// ids. filo_ui_load_windows reports a broken text, and then changes nothing.
FiloResult filo_ui_save_windows(const FiloUi *ui, const char *path);
FiloResult filo_ui_load_windows(FiloUi *ui, const char *path);
// Moves a window, docks or collapses it, or brings it to the front, as the player would. False if there was never one
// of this title.
bool filo_ui_place_window(FiloUi *ui, const char *title, FiloVec2 position, FiloVec2 size, FiloUiDock dock);
bool filo_ui_collapse_window(FiloUi *ui, const char *title, bool collapsed);
bool filo_ui_raise_window(FiloUi *ui, const char *title);
// The part of the screen that docked windows and the menu bar of the last frame leave free, in pixels.
FiloRect filo_ui_free_area(const FiloUi *ui);

// ---- Layout -----------------------------------------------------------------------------------------------

typedef enum FiloUiAlign {
    FILO_UI_ALIGN_DEFAULT, // stretched in columns and grids, centred in rows
    FILO_UI_ALIGN_START,
    FILO_UI_ALIGN_CENTRE,
    FILO_UI_ALIGN_END,
    FILO_UI_ALIGN_STRETCH,
} FiloUiAlign;

// For the next widget or container only. All zero: its own size.
typedef struct FiloUiSize {
    float width, height; // 0: of its content
    float min_width, min_height, max_width, max_height;
    float grow;        // share of the free space along the row or column
    FiloUiAlign align; // across the row or column
} FiloUiSize;
void filo_ui_size(FiloUi *ui, const FiloUiSize *size);
// Short for the commonest ones. filo_ui_grow: takes the free space of the row or column.
void filo_ui_width(FiloUi *ui, float width);
void filo_ui_grow(FiloUi *ui);

typedef struct FiloUiBox {
    bool row;         // false: a column
    float padding;    // inside
    float gap;        // between the content; 0: of the theme. Negative: none
    FiloUiAlign main; // of the content along the axis, if none of it grows: start, centre or end
    FiloUiAlign cross;
    FiloColor background; // all zero: none
    bool border;
} FiloUiBox;
void filo_ui_begin_box(FiloUi *ui, const FiloUiBox *box);
void filo_ui_begin_row(FiloUi *ui);
void filo_ui_begin_column(FiloUi *ui);
// Widgets fill it row by row. A column is as wide as its widest widget; `weights` (one for each column, or NULL: the
// last one takes it) divide the free space. 1 to 16 columns.
void filo_ui_begin_grid(FiloUi *ui, int columns, const float *weights);
// A titled box.
void filo_ui_begin_group(FiloUi *ui, const char *title);
// An area that scrolls: by the wheel, its bar, keys, or by moving the focus.
typedef struct FiloUiScroll {
    float height; // 0: as high as the content, up to max_height
    float max_height;
    bool horizontal; // to the sides too
    bool plain;      // without a background and border
    bool to_end;     // stays at the end while the content grows: logs
} FiloUiScroll;
bool filo_ui_begin_scroll(FiloUi *ui, const char *name, const FiloUiScroll *scroll);

void filo_ui_spacer(FiloUi *ui, float size); // 0: takes the free space
void filo_ui_separator(FiloUi *ui);
void filo_ui_indent(FiloUi *ui, int steps); // of the rest of the container; negative: back

// ---- Ids, and the last widget -----------------------------------------------------------------------------

void filo_ui_push_id(FiloUi *ui, uint64_t id);
void filo_ui_pop_id(FiloUi *ui);

bool filo_ui_hovered(const FiloUi *ui); // the mouse is over the last widget
bool filo_ui_focused(const FiloUi *ui); // it has the focus
bool filo_ui_active(const FiloUi *ui);  // it is pressed, dragged or edited
bool filo_ui_clicked(const FiloUi *ui); // also labels and images; with the left button
// The player has ended an edit in this frame: released a slider, left a field or pressed Enter in it. For undo steps.
bool filo_ui_committed(const FiloUi *ui);
FiloRect filo_ui_rect(
    const FiloUi *ui); // of the last widget, in the previous frame, in pixels; empty in its first
void filo_ui_tooltip(FiloUi *ui, const char *text); // for the last widget, after a moment
void filo_ui_focus_next(FiloUi *ui);                // the next widget takes the focus
// Escape, or the button B, was pressed while the open window or panel had the focus as a menu or modal: back.
bool filo_ui_cancelled(const FiloUi *ui);

// ---- Choosing keys ----------------------------------------------------------------------------------------

// Waits for the next key or button, for a page on which the player chooses keys:
//
//     FiloKey key;
//     switch (filo_ui_wait_key(ui, FILO_UI_KEYBOARD | FILO_UI_MOUSE, &key)) {
//     case FILO_UI_WAITING: filo_ui_label(ui, "Press a key."); break;
//     case FILO_UI_CHOSEN: bind(action, key); asks = false; break;
//     case FILO_UI_CANCELLED: asks = false; break;
//     }
//
// Call it in every frame while the player is asked. From the first call on, all keys, buttons and movements of the mouse
// go to it, and to no widget and not to the game; that ends with a result, or with a frame without a call. Escape cancels,
// and so does the button B if no button of a gamepad is waited for. What is down already does not count, and the release
// of what was chosen does not reach the game either.
typedef enum FiloUiKeyKinds {
    FILO_UI_KEYBOARD = 1,
    FILO_UI_MOUSE = 2, // its buttons
    FILO_UI_GAMEPAD = 4,
} FiloUiKeyKinds;
typedef enum FiloUiKeyWait { FILO_UI_WAITING, FILO_UI_CHOSEN, FILO_UI_CANCELLED } FiloUiKeyWait;
// `kinds` are FiloUiKeyKinds; 0: all. `key` receives what was chosen, and FILO_KEY_NONE otherwise.
FiloUiKeyWait filo_ui_wait_key(FiloUi *ui, unsigned kinds, FiloKey *key);

// ---- State ------------------------------------------------------------------------------------------------

float filo_ui_scale(const FiloUi *ui); // pixels per point
void filo_ui_set_scale(FiloUi *ui,
                       float zoom);        // times that of the window: the player's choice. 0.5 to 4; 0: 1
FiloVec2 filo_ui_screen(const FiloUi *ui); // size in points
// Both also while the next key is waited for:
bool filo_ui_wants_mouse(const FiloUi *ui); // it is over a panel, or dragged from one
bool filo_ui_wants_keys(const FiloUi *ui);  // a text field or a menu has the focus
void filo_ui_unfocus(FiloUi *ui);           // gives the keyboard back to the game, and closes menus

typedef struct FiloUiStats {
    size_t widgets, containers; // of the last frame
    size_t quads;               // drawn
    size_t states;              // remembered ids
    double layout_ms;           // of filo_ui_end_frame
} FiloUiStats;
FiloUiStats filo_ui_stats(const FiloUi *ui);

// ---- Without an app -----------------------------------------------------------------------------------------

typedef struct FiloUiDesc {
    FiloGfx2d *gfx;                 // gets the images that widgets are drawn with; NULL: nothing is drawn
    FiloWindow *window;             // clipboard and text input; NULL: a clipboard of its own
    FiloAssets *assets;             // for theme files; may be NULL
    FiloTypesetter *typesetter;     // fonts; NULL: the built-in letters
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloUiDesc;
FiloResult filo_ui_create(FiloUi **ui, const FiloUiDesc *desc);
void filo_ui_destroy(FiloUi *ui); // before gfx, window and assets. NULL is allowed

typedef struct FiloUiFrame {
    float width, height; // of the picture, in pixels
    float scale;         // of the window, pixels per point; 0: 1
    float seconds;       // since the last frame
    bool still;          // transitions are at their end, and the caret does not blink: for pictures and tests
} FiloUiFrame;
// True if the UI takes the change. At any time between frames.
bool filo_ui_input(FiloUi *ui, const FiloInputChange *change);
void filo_ui_begin_frame(FiloUi *ui, const FiloUiFrame *frame);
void filo_ui_end_frame(FiloUi *ui);
// Draws the last frame. May be called again, and while the next tick runs.
void filo_ui_draw(FiloUi *ui, FiloDraw *draw);

// ---- As a module ------------------------------------------------------------------------------------------

// A module of the app contributes panels to the module "ui": FILO_CONTRIBUTE(FiloUiView, views). `show` is called in
// each frame, between ticks, after the game's `ui`.
typedef struct FiloUiView {
    const char *name;
    void (*show)(FiloUi *ui, void *user);
    void *user;
} FiloUiView;

// The module "ui" provides FiloUi, and uses FiloDraw, FiloGfx2d, FiloTypesetter, FiloWindow and FiloAssets if they are
// there. It draws at FILO_RENDER_UI. Panels run in every frame that is drawn, after the game's `extract` and before its
// `draw`; headless also in frames that are not drawn, if there was input: then before the ticks, and without `extract`.
#define FILO_UI_VIEWS 32
typedef struct FiloUiModule {
    FiloUi *ui; // private, like the rest
    FiloHeap heap;
    const FiloUiView *views[FILO_UI_VIEWS];
    size_t view_count;
    int64_t last_ns;
    bool ran, drawn, had_input;
} FiloUiModule;
// For filo_modules_register. `module` must not move as long as it is registered.
FiloModuleDesc filo_ui_module(FiloUiModule *module);

FILO_END_DECLS

#include <filo/ui_widgets.h>

#endif
