// Private state of the UI, and the functions that its sources share.
//
//   core/     frame, ids, remembered state, tree, layout, input, focus, windows, popups, themes, module
//   paint/    the list of quads, clipping, generated images, icons, text
//   widgets/  one file for each kind of widget
//
// A frame. filo_ui_begin_frame empties the tree. Each widget and container appends a node (tree.c), and reads what the
// player did to it (touch.c). filo_ui_end_frame lays the tree out (layout.c), paints it into a list of commands
// (paint_tree.c), and stores the rectangles of widgets as hits, by which input is resolved until the next frame ends
// (input.c). So input never waits: a press and a release between two frames are a click, and each change is consumed
// or not at the moment when it arrives.
//
// Nodes are in an array, each behind its parent, so loops over the array replace recursion: a tree of any depth needs
// no stack. All sizes in nodes are in pixels.

#ifndef FILO_UI_PRIVATE_H
#define FILO_UI_PRIVATE_H

#include <filo/ui.h>

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/log.h>
#include <filo/text.h>

#include <pthread.h>
#include <stdarg.h>

#define UI_NONE        UINT32_MAX
#define UI_STYLES      32
#define UI_IDS         1024 // pushed ids
#define UI_POPUPS      16   // open menus inside of each other
#define UI_EVENTS      512  // of one frame
#define UI_STATE_LIMIT 65536
#define UI_DRAG_BYTES  64
#define UI_LABEL_BYTES 256

// ---- Nodes --------------------------------------------------------------------------------------------------

typedef struct UiNode UiNode;
typedef void (*UiPaintFunction)(FiloUi *ui, const UiNode *node);
// The size of a leaf. `width` below 0: as wide as it wants.
typedef FiloVec2 (*UiMeasureFunction)(FiloUi *ui, const UiNode *node, float width);

enum { UI_COLUMN, UI_ROW, UI_GRID, UI_STACK };

enum {
    UI_HIDDEN = 1 << 0,
    UI_SCROLL_X = 1 << 1,
    UI_SCROLL_Y = 1 << 2,
    UI_CLIP = 1 << 3,      // children are clipped to its rectangle
    UI_SHRINK = 1 << 4,    // may be narrower than its content: text
    UI_NO_BASIS = 1 << 5,  // its share of a row does not depend on its content
    UI_HIT = 1 << 6,       // can be hovered
    UI_FOCUSABLE = 1 << 7, // by Tab and directional keys
    UI_KEYS_TEXT = 1 << 8, // takes all keys while it has the focus
    UI_KEYS_X = 1 << 9,    // takes left and right while it has the focus
    UI_KEYS_Y = 1 << 10,   // takes up and down
    UI_WHEEL = 1 << 11,    // takes the wheel, beside scroll areas
    UI_OUTSIDE = 1 << 12,  // not a part of the layout: it has the rectangle of its parent
    UI_DISABLED = 1 << 13,
    UI_DRAGS = 1 << 14, // a press begins a drag and no click
    UI_CLASH = 1 << 15,
    UI_BLOCKS = 1 << 16, // background of a root: nothing behind it is hovered
    UI_LIST = 1 << 17,   // directional keys do not leave it at its ends
    UI_CURSOR_TEXT = 1 << 18,
    UI_CURSOR_X = 1 << 19,
    UI_CURSOR_Y = 1 << 20,
    UI_CURSOR_HAND = 1 << 21,
    UI_CONTAINER = 1 << 22,
    UI_DROP_TARGET = 1 << 24, // what is dragged is over it
};

struct UiNode {
    uint64_t id; // 0: none
    uint32_t parent, first, last, next;
    uint32_t root; // index in FiloUi.roots
    uint32_t flags;
    uint8_t axis, main, cross, align; // FiloUiAlign; `align` is its own across the axis of its parent
    uint8_t columns;
    bool no_gap_before;
    float indent;     // in columns
    float padding[4]; // left, top, right, bottom
    const FiloUiTheme *theme;
    float gap;
    float grow;
    float fixed[2], min[2], max[2];    // 0: none
    UiPaintFunction paint, paint_over; // before and after its children
    UiMeasureFunction measure;
    void *data; // scratch memory of the frame
    float *weights;
    float *
        track_sizes; // of a grid: widths of its columns, 0 for those that share the rest; NULL: of the content
    float fit_limit; // the height that it wants is at most this; 0: no limit
    float *tracks;   // sizes of the columns of a grid, then of its rows
    // Results:
    float fit[2], least; // wanted size, and the least width
    float size[2];
    float content[2]; // of scroll areas: size of what is inside
    FiloVec2 scroll;
    FiloRect rect, clip; // `clip` is that of its parent
};

typedef enum UiRootKind {
    UI_ROOT_PANEL,
    UI_ROOT_WINDOW,
    UI_ROOT_BAR,
    UI_ROOT_MODAL,
    UI_ROOT_POPUP,
    UI_ROOT_TOOLTIP,
    UI_ROOT_DRAG,
} UiRootKind;

typedef struct UiRoot {
    UiRootKind kind;
    uint32_t node;
    uint64_t id;
    uint64_t order;
    FiloVec2 anchor, offset; // panels
    FiloRect beside;         // popups: the rectangle that it is put below, or beside
    bool to_the_side;
    bool menu;
    size_t window; // index in FiloUi.windows
} UiRoot;

// An open container.
typedef struct UiOpen {
    uint32_t node;
    const char *function; // "filo_ui_begin_row", for messages
    char name[40];
    size_t id_depth, style_depth;
    uint64_t id;
    uint32_t last_widget;
    uint8_t kind; // UiOpenKind
    bool hidden;
    float indent;
    uint64_t root_id;
    void *data;
} UiOpen;

enum { UI_OPEN_PLAIN, UI_OPEN_ROOT, UI_OPEN_TABS, UI_OPEN_TAB, UI_OPEN_TABLE, UI_OPEN_BAR, UI_OPEN_POPUP };

// ---- Remembered state -----------------------------------------------------------------------------------------

// Of one id. Entries that were not used for some seconds are forgotten, unless `keep` is set.
typedef struct UiState {
    uint64_t id;   // 0: free
    uint64_t seen; // number of the frame
    FiloRect rect, visible;
    FiloVec2 scroll;
    float hover, press, open_amount;
    float values[4];
    int32_t number;
    uint16_t repeats; // widgets with the same id in this frame
    bool open, keep, known, clash_reported, range_reported;
} UiState;

typedef struct UiStates {
    UiState *items;
    size_t count, capacity;
    UiState overflow; // shared by all ids beyond the limit
    bool limit_reported;
} UiStates;

typedef struct UiWindow {
    uint64_t id;
    char name[64];
    FiloVec2 position, size; // in points; size 0: of its content
    FiloUiDock dock;
    bool collapsed, placed;
    uint64_t z, seen, since;
    FiloRect rect; // in pixels, of the last frame
    FiloVec2 grabbed, grabbed_size;
    float title_height;
} UiWindow;

typedef struct UiPopup {
    uint64_t id, owner;
    FiloRect beside;
    bool to_the_side, by_keys;
    uint64_t seen, opened;
    uint64_t focus_before;
} UiPopup;

// ---- Input ------------------------------------------------------------------------------------------------------

typedef struct UiHit {
    uint64_t id, root;
    FiloRect rect, visible;
    uint32_t flags;
    FiloVec2 scroll_room[2]; // of scroll areas: how far it can be scrolled to the start, and to the end
} UiHit;

typedef enum UiEventKind {
    UI_PRESSED,
    UI_RELEASED,
    UI_CLICKED, // by the mouse, keys or gamepad
    UI_DRAGGED,
    UI_WHEELED,
    UI_KEY,
    UI_TYPED,
} UiEventKind;

enum { UI_SHIFT = 1, UI_CONTROL = 2, UI_ALT = 4 };

typedef struct UiEvent {
    uint64_t id;
    UiEventKind kind;
    int32_t key; // FiloKey; buttons of gamepads are turned into keys
    uint8_t modifiers, clicks;
    bool by_keys;
    FiloVec2 position, move;
    char text[FILO_INPUT_TEXT];
} UiEvent;

// What the player did to a widget since the last frame.
typedef struct UiTouch {
    bool hovered, held, pressed, released, clicked, double_clicked, right_clicked, focused, ring, by_keys;
    bool disabled;
    FiloVec2 position; // of the mouse, at the last event
    FiloVec2 pressed_at;
} UiTouch;

typedef struct UiInput {
    FiloVec2 mouse;
    bool mouse_known;
    FiloKeySet down, consumed;
    uint32_t pad_consumed[FILO_INPUT_PADS], pad_down[FILO_INPUT_PADS];
    int game_buttons; // mouse buttons that are down and belong to the game
    uint64_t hot;     // under the mouse
    uint64_t hot_root;
    uint64_t active; // captured by a press
    FiloKey active_button;
    FiloVec2 pressed_at;
    uint64_t focus, focus_root;
    bool focus_by_keys; // shown by a ring; directional keys move it
    uint32_t focus_flags;
    double last_press_time;
    uint64_t last_press_id;
    FiloVec2 last_press_at;
    uint8_t press_count;
    FiloKey repeat_key;
    float repeat_left;
    FiloIVec2 stick; // direction of a stick that is held
    int32_t stick_pad;
    float stick_left;
    double hover_time; // how long the mouse rests on `hot`
} UiInput;

// ---- Painting -----------------------------------------------------------------------------------------------------

typedef struct UiCommand {
    enum { UI_PAINT_QUAD, UI_PAINT_IMAGE, UI_PAINT_TEXT } kind;
    FiloQuad quad;
    FiloName image;
    int32_t frame;
    bool smooth;
    FiloRect part, rect;
    FiloColor color;
    struct UiTextRun *text;
} UiCommand;

typedef struct UiAtlas {
    FiloName name;
    bool ready;
    float scale;
    int border;
    FiloRect icons[FILO_UI_ICON_COUNT];
    int icon_size;
} UiAtlas;

typedef struct UiEdit UiEdit;

typedef struct UiStyle {
    const FiloUiTheme *theme; // in the arena
    FiloColor background;     // of controls; all zero: of the theme
} UiStyle;

struct FiloUi {
    const FiloAllocator *allocator;
    FiloGfx2d *gfx;
    FiloWindow *window;
    FiloAssets *assets;
    FiloArena arena;           // of the frame
    FiloArray(char) clipboard; // without a window

    FiloUiTheme theme; // as set
    FiloAsset theme_asset;
    uint32_t theme_version;
    UiStyle styles[UI_STYLES];
    size_t style_count; // at least 1 in a frame
    size_t styles_lost;
    size_t disabled, disabled_pushes;

    uint64_t frame; // number, from 1
    bool in_frame;
    pthread_t thread; // of the frame
    double time;
    float seconds, scale, window_scale, zoom, width, height;
    bool still;

    FiloArray(UiNode) nodes;
    FiloArray(UiRoot) roots;
    FiloArray(UiOpen) open;
    size_t open_lost;
    uint64_t ids[UI_IDS];
    size_t id_count, ids_lost;
    FiloUiSize next_size;
    bool has_next_size, focus_next, out_of_memory;
    bool field_labelled; // the field that is being built

    uint32_t last; // node of the last widget
    uint64_t last_id;
    uint32_t opener; // node of the last drop-down
    UiTouch last_touch;
    bool last_committed;

    UiStates states;
    FiloArray(UiWindow) windows;
    uint64_t window_z;
    UiPopup popups[UI_POPUPS];
    size_t popup_count;
    size_t popup_level; // nesting of the popups that are being built
    uint64_t modal;     // root id of the topmost modal of the last frame
    uint64_t next_modal;
    uint64_t menu_root, next_menu_root, menu_focused;
    float bar_height, next_bar_height;
    FiloRect free_area;
    UiWindow *moving; // while a window is dragged: shows where it docks
    FiloUiDock dock_preview;
    uint32_t open_window; // node of the content of the window that is being built

    UiInput input;
    FiloArray(UiHit) hits;
    UiEvent events[UI_EVENTS];
    size_t event_count;
    struct {
        uint64_t frame; // in which it was last asked for
        unsigned kinds;
        FiloKey key; // FILO_KEY_NONE: none yet; FILO_KEY_ESCAPE: cancelled
    } wait;
    bool show_focus;             // scroll until the focused widget is visible
    bool text_input, cursor_set; // of the window

    UiEdit *edit;

    struct {
        char type[32];
        uint8_t data[UI_DRAG_BYTES];
        size_t size;
        uint64_t source;
        bool active, dropped;
        FiloVec2 at;
        uint64_t frame;
    } drag;

    FiloArray(UiCommand) commands;
    UiAtlas atlas;
    FiloRect clip; // while painting
    float fade;    // while painting: opacity of the root
    uint32_t canvas;

    FiloUiStats stats;
    FiloTypesetter *typesetter;
    bool owns_typesetter;
    uint64_t asked_frame; // paint/text.c: is_built_in
    FiloName asked_font;
    bool asked_built_in;
};

// ---- core/frame.c -----------------------------------------------------------------------------------------------

// Whether a widget may be called now.
bool ui_usable(const FiloUi *ui);
// Scratch memory of the frame, zeroed. NULL without memory.
void *ui_alloc(FiloUi *ui, size_t size);
#define ui_new(ui, Type) ((Type *)ui_alloc((ui), sizeof(Type)))
const char *ui_copy(FiloUi *ui, FiloString text);
// Points as whole pixels; NaN and less than 0 are 0.
float ui_px(const FiloUi *ui, float points);
static inline const FiloUiTheme *ui_theme(const FiloUi *ui) {
    return ui->style_count > 0 ? ui->styles[ui->style_count - 1].theme : &ui->theme;
}
static inline bool ui_color_set(FiloColor c) { return (c.r | c.g | c.b | c.a) != 0; }

// ---- core/theme.c -------------------------------------------------------------------------------------------------

void ui_theme_update(FiloUi *ui); // from its file

// ---- core/ids.c ---------------------------------------------------------------------------------------------------

// The shown part of a label, without "##…".
FiloString ui_label_text(const char *label);
uint64_t ui_id(const FiloUi *ui, const char *label);
// Claims an id for a widget of this frame. If it is taken, reports that, and gives another one.
uint64_t ui_claim(FiloUi *ui, const char *label, bool *clash);
void ui_push_raw_id(FiloUi *ui, uint64_t id);
// The state of an id; created if there is none. Valid until the next call. Never NULL.
UiState *ui_state(FiloUi *ui, uint64_t id);
UiState *ui_state_find(FiloUi *ui, uint64_t id); // NULL if there is none
void ui_states_sweep(FiloUi *ui);
void ui_states_free(FiloUi *ui);
// Moves a value towards a target with the speed of the theme.
float ui_animate(const FiloUi *ui, float value, float target);

// ---- core/tree.c --------------------------------------------------------------------------------------------------

// Appends a node to the open container. Valid until the next node. NULL outside of frames and without memory.
UiNode *ui_add(FiloUi *ui);
// The same, for a widget: with the size of filo_ui_size, and as the last widget.
UiNode *ui_add_widget(FiloUi *ui, uint64_t id);
static inline UiNode *ui_node(FiloUi *ui, uint32_t index) { return &ui->nodes.items[index]; }
static inline uint32_t ui_index(const FiloUi *ui, const UiNode *node) {
    return (uint32_t)(node - ui->nodes.items);
}
// Appends a node and opens it. `name` is for messages. A widget passes no function for a container of its own, and closes it
// by ui->open.count-- if the result is not NULL; or leaves it to filo_ui_end, which closes it with the one around it.
UiNode *ui_begin(FiloUi *ui, const char *function, const char *name);
UiNode *ui_begin_root(FiloUi *ui, const char *function, const char *name, UiRootKind kind, uint64_t id);
// Opens a container that shows nothing.
void ui_begin_hidden(FiloUi *ui, const char *function, const char *name);
UiOpen *ui_top(FiloUi *ui); // NULL if none is open
bool ui_is_hidden(const FiloUi *ui);
void ui_close_all(FiloUi *ui); // reports what was not closed
void ui_apply_size(FiloUi *ui, UiNode *node);

// ---- core/layout.c ------------------------------------------------------------------------------------------------

void ui_layout(FiloUi *ui);
void ui_layout_positions(FiloUi *ui);
// core/arrange.c: where roots are.
void ui_arrange_widths(FiloUi *ui);
void ui_arrange_heights(FiloUi *ui);
void ui_arrange_positions(FiloUi *ui);
uint32_t *ui_sort_roots(FiloUi *ui); // indices, lowest first, in scratch memory; NULL without memory

// ---- core/input.c, core/focus.c ----------------------------------------------------------------------------------

void ui_input_frame(FiloUi *ui); // repeats, time
void ui_input_end(FiloUi *ui);
const UiHit *ui_hit_at(const FiloUi *ui, FiloVec2 point, uint64_t *root);
const UiHit *ui_hit_of(const FiloUi *ui, uint64_t id);
void ui_update_hot(FiloUi *ui);
UiEvent *ui_send(FiloUi *ui, uint64_t id, UiEventKind kind);
uint8_t ui_modifiers(const FiloUi *ui);
UiTouch ui_touch(FiloUi *ui, uint64_t id);
void ui_set_focus(FiloUi *ui, uint64_t id, bool by_keys);
// core/wait_key.c. Whether the next key is waited for; then it gets all presses.
bool ui_waits_for_key(const FiloUi *ui);
void ui_wait_press(FiloUi *ui, FiloKey key);
// True if the key was used.
bool ui_focus_key(FiloUi *ui, FiloKey key, uint8_t modifiers);
bool ui_focus_owns_keys(const FiloUi *ui);
void ui_focus_frame(FiloUi *ui); // after the layout: menus take the focus
void ui_scroll_to_focus(FiloUi *ui);

// ---- core/popups.c --------------------------------------------------------------------------------------------------

void ui_popup_open(FiloUi *ui, uint64_t id, uint64_t owner, FiloRect beside, bool to_the_side, bool by_keys);
bool ui_popup_is_open(const FiloUi *ui, uint64_t id);
void ui_popups_close(FiloUi *ui, size_t count); // all but the first `count`
void ui_popups_end(FiloUi *ui);
bool ui_popup_root(const FiloUi *ui, uint64_t root);
// Begins the root of an open popup, as a column with the look of a menu.
UiNode *ui_begin_popup_root(FiloUi *ui, const char *function, uint64_t id);

// ---- core/windows.c -------------------------------------------------------------------------------------------------

UiWindow *ui_window_find(const FiloUi *ui, uint64_t id);
void ui_windows_touch(FiloUi *ui, uint64_t root); // a press inside: to the front
void ui_scroll_bars(FiloUi *ui, uint64_t id);     // of the scroll area that was just begun
void ui_paint_scroll_bars(FiloUi *ui, const UiNode *node);

// ---- paint/ -----------------------------------------------------------------------------------------------------------

void ui_paint_tree(FiloUi *ui);
void ui_paint_quad(FiloUi *ui, const FiloQuad *quad);
void ui_paint_box(FiloUi *ui, FiloRect rect, FiloColor color);
void ui_paint_round(FiloUi *ui, FiloRect rect, float radius, FiloColor color);
void ui_paint_outline(FiloUi *ui, FiloRect rect, float radius, float width, FiloColor color);
void ui_paint_shadow(FiloUi *ui, FiloRect rect, FiloColor fill, float size, FiloColor color);
void ui_paint_line(FiloUi *ui, FiloVec2 from, FiloVec2 to, float width, FiloColor color);
void ui_paint_circle(FiloUi *ui, FiloVec2 centre, float radius, FiloColor color);
void ui_paint_icon(FiloUi *ui, FiloUiIcon icon, FiloRect rect, FiloColor color); // centred
// A gradient between opaque colours, from left to right, and down to `bottom`, which may be all zero: not at all.
void ui_paint_gradient(FiloUi *ui, FiloRect rect, FiloColor left, FiloColor right, FiloColor bottom);
void ui_paint_image(FiloUi *ui, FiloName image, int frame, FiloRect part, FiloRect rect, FiloColor color,
                    bool smooth);
void ui_paint_focus(FiloUi *ui, FiloRect rect, float radius);
FiloRect ui_push_clip(FiloUi *ui, FiloRect rect); // returns the old one, to be restored
void ui_atlas_update(FiloUi *ui);
void ui_icons_paint(FiloPixels *pixels, FiloUiIcon icon, int size);

// ---- paint/text.c: all that the UI needs of text -------------------------------------------------------------------------

typedef struct UiTextStyle {
    FiloName font;
    float size; // in pixels
    FiloColor color;
    bool bold;
    FiloTextDirection direction;
} UiTextStyle;
FiloResult ui_text_create(FiloUi *ui);
void ui_text_destroy(FiloUi *ui);
void ui_text_frame(FiloUi *ui);              // once a frame
UiTextStyle ui_text_style(const FiloUi *ui); // of the theme, normal
float ui_text_line(FiloUi *ui, const UiTextStyle *style);
// Width 0 or less: no wrapping. Letters of a word that is wider than the line are divided.
FiloVec2 ui_text_measure(FiloUi *ui, const UiTextStyle *style, FiloString text, float width);
// Paints lines from the upper left corner of `box`. Lines wrap at its width if `wrap`; otherwise what is too wide ends in
// an ellipsis.
typedef enum UiTextAlign { UI_TEXT_LEFT, UI_TEXT_CENTRE, UI_TEXT_RIGHT } UiTextAlign;
void ui_text_paint(FiloUi *ui, const UiTextStyle *style, FiloRect box, UiTextAlign align, bool wrap,
                   FiloString text);
// The part of a text that wraps at this width which is in the same line as a byte, and whether the text reads from right
// to left.
void ui_text_row(FiloUi *ui, const UiTextStyle *style, FiloString text, float width, size_t byte,
                 size_t *from, size_t *to, bool *rtl);
// Of one line, which is not cut: x of the caret before a byte, and the byte nearest to x.
float ui_text_caret(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t byte);
size_t ui_text_hit(FiloUi *ui, const UiTextStyle *style, FiloString line, float x);
// From a byte to the next or previous letter or word, in the order of reading.
size_t ui_text_step(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t byte, bool word,
                    int direction);
bool ui_text_is_rtl(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t byte);
void ui_text_word(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t byte, size_t *from,
                  size_t *to);
// Rectangles of a selection, relative to the line; several where directions are mixed.
size_t ui_text_selection(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t from, size_t to,
                         FiloRect *rects, size_t capacity);
// Paints one line at a point, clipped to the current clip.
void ui_text_paint_line(FiloUi *ui, const UiTextStyle *style, FiloVec2 at, FiloString line);
void ui_text_draw(FiloUi *ui, FiloDraw *draw, const UiCommand *command);

// ---- widgets/ -----------------------------------------------------------------------------------------------------------

UiTextStyle ui_style_of(const FiloUi *ui, FiloUiTextKind kind);
// A leaf with a text: centred vertically in its rectangle.
UiNode *ui_add_text(FiloUi *ui, FiloString text, const UiTextStyle *style, UiTextAlign align, bool wrap);
// Begins a row with the label of a widget on the left, if it has one. Ended by ui_field_end. The control is the next node.
void ui_field_begin(FiloUi *ui, const char *label);
void ui_field_control(FiloUi *ui, UiNode *node); // gives the control its share of the row
void ui_field_end(FiloUi *ui);
UiTextAlign ui_table_align(FiloUi *ui, const UiOpen *row); // of the next cell
// What all widgets that can be clicked share: an id, what the player did, and animated states.
typedef struct UiWidget {
    uint64_t id;
    uint32_t node;
    UiTouch touch;
    float hover, press; // 0 to 1
} UiWidget;
// Claims the id of a label and appends a node for it. False if there is nothing to show.
bool ui_widget(FiloUi *ui, const char *label, uint32_t flags, UiWidget *widget);
// The same for an id that is known already.
bool ui_widget_of(FiloUi *ui, uint64_t id, uint32_t flags, UiWidget *widget);
// One of several texts of which one is chosen: a segment, a tab. `on` is animated, 0 to 1.
typedef struct UiOptionData {
    UiWidget widget;
    FiloString text;
    UiTextStyle style;
    float on;
} UiOptionData;
// Adds one, whose `data` is a UiOptionData. NULL if there is nothing to show.
UiNode *ui_add_option(FiloUi *ui, const char *label, bool on, UiWidget *widget);
// Of a control's background, by its state.
FiloColor ui_control_color(const FiloUiTheme *theme, const UiWidget *widget);
FiloColor ui_accent_color(const FiloUiTheme *theme, const UiWidget *widget);
void ui_paint_control(FiloUi *ui, const UiNode *node, const UiWidget *widget, FiloColor background);
// The vertical middle of a line of text in a rectangle.
FiloRect ui_line_box(FiloUi *ui, const UiTextStyle *style, FiloRect rect);
// A button that shows a value, and opens a popup below it. True if it was clicked.
typedef struct UiOpener {
    uint64_t id, popup;
    FiloUiIcon icon;
    FiloColor swatch; // shown instead of a text, if it is not all zero
    bool has_swatch;
} UiOpener;
bool ui_add_opener(FiloUi *ui, UiOpener *opener, FiloString text, uint32_t flags);
// widgets/edit.c: the text field that has the focus.
void ui_edit_free(FiloUi *ui);
void ui_edit_end_frame(FiloUi *ui);
// For number fields: a text field in place of the node. True when the text was entered (Enter, or the focus was lost).
bool ui_edit_inline(FiloUi *ui, uint64_t id, char *text, size_t size, bool *cancelled);
// Whether a field has lost the focus since it was edited. True once. With `text`, that of a number field.
bool ui_edit_was_left(FiloUi *ui, uint64_t id, char *text, size_t size);

#endif
