// filo/ui_widgets.h: the widgets of filo/ui.h, which includes this header.
//
// `label` is the text of a widget and its id ("Speed", "Speed##enemy", "##hidden"). Widgets with a value show the label
// on the left, and the control beside it; without a text before "##" the control takes the whole width.

#ifndef FILO_UI_WIDGETS_H
#define FILO_UI_WIDGETS_H

#include <filo/ui.h>

FILO_BEGIN_DECLS

// ---- Text -------------------------------------------------------------------------------------------------

// Labels wrap at the width of their container, except in rows. Their lines are centred, or end at the right, if
// filo_ui_size aligns them so.
void filo_ui_label(FiloUi *ui, const char *text);
void filo_ui_format(FiloUi *ui, const char *format, ...) FILO_PRINTF(2, 3);
typedef enum FiloUiTextKind {
    FILO_UI_TEXT_NORMAL,
    FILO_UI_TEXT_MUTED,
    FILO_UI_TEXT_SMALL, // and muted
    FILO_UI_TEXT_HEADING,
    FILO_UI_TEXT_MONO,
    FILO_UI_TEXT_GOOD,
    FILO_UI_TEXT_WARNING,
    FILO_UI_TEXT_ERROR,
} FiloUiTextKind;
void filo_ui_text(FiloUi *ui, FiloUiTextKind kind, const char *text);
// A name and a value, aligned like widgets with labels.
void filo_ui_value(FiloUi *ui, const char *label, const char *format, ...) FILO_PRINTF(3, 4);

// ---- Buttons ------------------------------------------------------------------------------------------------

typedef enum FiloUiIcon {
    FILO_UI_ICON_NONE,
    FILO_UI_ICON_CHECK,
    FILO_UI_ICON_CLOSE,
    FILO_UI_ICON_DOWN,
    FILO_UI_ICON_RIGHT,
    FILO_UI_ICON_UP,
    FILO_UI_ICON_LEFT,
    FILO_UI_ICON_PLUS,
    FILO_UI_ICON_MINUS,
    FILO_UI_ICON_PLAY,
    FILO_UI_ICON_PAUSE,
    FILO_UI_ICON_STEP,
    FILO_UI_ICON_BACK,
    FILO_UI_ICON_STOP,
    FILO_UI_ICON_SEARCH,
    FILO_UI_ICON_MENU,
    FILO_UI_ICON_MORE,
    FILO_UI_ICON_GEAR,
    FILO_UI_ICON_EYE,
    FILO_UI_ICON_INFO,
    FILO_UI_ICON_WARNING,
    FILO_UI_ICON_TRASH,
    FILO_UI_ICON_COPY,
    FILO_UI_ICON_FILE,
    FILO_UI_ICON_FOLDER,
    FILO_UI_ICON_HOME,
    FILO_UI_ICON_HEART,
    FILO_UI_ICON_STAR,
    FILO_UI_ICON_LOCK,
    FILO_UI_ICON_PIN,
    FILO_UI_ICON_UNDO,
    FILO_UI_ICON_REDO,
    FILO_UI_ICON_COUNT,
} FiloUiIcon;

bool filo_ui_button(FiloUi *ui, const char *label);
bool filo_ui_primary_button(FiloUi *ui, const char *label); // the main choice
typedef struct FiloUiButton {
    FiloUiIcon icon; // before the label
    bool primary, danger;
    bool plain;           // without a background, until the mouse is over it
    bool selected;        // looks pressed
    bool start;           // the label is on the left
    const char *shortcut; // shown on the right
} FiloUiButton;
bool filo_ui_button_with(FiloUi *ui, const char *label, const FiloUiButton *button);
// An icon alone; `name` is its id, and its tooltip.
bool filo_ui_icon_button(FiloUi *ui, FiloUiIcon icon, const char *name);
void filo_ui_icon(FiloUi *ui, FiloUiIcon icon);
// A text that can be clicked.
bool filo_ui_link(FiloUi *ui, const char *label);
bool filo_ui_check(FiloUi *ui, const char *label, bool *value);
bool filo_ui_switch(FiloUi *ui, const char *label, bool *value); // the same, as a switch on the right
bool filo_ui_check_flags(FiloUi *ui, const char *label, uint64_t *flags, uint64_t flag);
bool filo_ui_radio(FiloUi *ui, const char *label, int *value, int choice);
// A row that is clicked or chosen by keys: of lists and menus.
bool filo_ui_selectable(FiloUi *ui, const char *label, bool selected);

// ---- Numbers ------------------------------------------------------------------------------------------------

// Values outside of the range are shown as they are, and clamped when they are changed. NaN is shown as "nan". A slider
// with min = max cannot be used, and shows the value; neither can one with min > max, which is logged.
bool filo_ui_slider(FiloUi *ui, const char *label, float *value, float min, float max);
bool filo_ui_slider_int(FiloUi *ui, const char *label, int *value, int min, int max);
// Dragged to the sides, or typed after a double click or Enter. `speed` is the change per point. min = max = 0: any.
bool filo_ui_drag(FiloUi *ui, const char *label, float *value, float speed, float min, float max);
bool filo_ui_drag_int(FiloUi *ui, const char *label, int *value, float speed, int min, int max);
typedef struct FiloUiNumber {
    double min, max; // both 0: any; but not of sliders
    double
        step; // of keys and buttons, and values are multiples of it; 0: a hundredth of the range; no rounding
    double speed;     // of dragging, per point; 0: a hundredth of the step, or chosen by the value
    int decimals;     // shown; 0: chosen by the step; −1: none
    bool logarithmic; // sliders: equal factors are equal distances. For ranges above 0
    const char *unit; // shown after it
} FiloUiNumber;
// `number` may be NULL: a slider goes from 0 to 1 then.
bool filo_ui_slider_number(FiloUi *ui, const char *label, double *value, const FiloUiNumber *number);
bool filo_ui_drag_number(FiloUi *ui, const char *label, double *value, const FiloUiNumber *number);
// A field with buttons for less and more.
bool filo_ui_number(FiloUi *ui, const char *label, double *value, const FiloUiNumber *number);
// Exact for all 64 bits. min = max = 0: any.
bool filo_ui_integer(FiloUi *ui, const char *label, int64_t *value, int64_t min, int64_t max);
bool filo_ui_vec2(FiloUi *ui, const char *label, FiloVec2 *value, const FiloUiNumber *number);
bool filo_ui_vec3(FiloUi *ui, const char *label, FiloVec3 *value, const FiloUiNumber *number);

// ---- Text fields ---------------------------------------------------------------------------------------------

typedef struct FiloUiTextOptions {
    const char *placeholder; // shown while it is empty
    bool password, read_only;
    bool on_enter;   // returns true once when Enter is pressed (areas: Ctrl Enter), and not for every change
    bool no_wrap;    // areas: a line that is too long is scrolled to the side
    FiloUiIcon icon; // inside, on the left
} FiloUiTextOptions;
// `text` is a buffer of `size` bytes with a zero-terminated text, which stays valid UTF-8 if it was. What does not fit
// is not typed. Keys as usual: arrows, Ctrl for words, Shift selects, Ctrl A C X V Z Y. `options` may be NULL.
bool filo_ui_text_field(FiloUi *ui, const char *label, char *text, size_t size,
                        const FiloUiTextOptions *options);
// Several lines, which wrap at the width of the area. The wheel scrolls it. A tab is a letter of the text: Escape leaves
// the area. `height` in points; 0: takes the free space of a column, at least six lines.
bool filo_ui_text_area(FiloUi *ui, const char *label, char *text, size_t size, float height,
                       const FiloUiTextOptions *options);

// ---- Choices ---------------------------------------------------------------------------------------------------

// An index outside of the items shows nothing.
bool filo_ui_choice(FiloUi *ui, const char *label, int *value, const char *const *items,
                    int count); // drop-down
// The same with any content: widgets inside (filo_ui_selectable) are the list. True while it is open.
bool filo_ui_begin_choice(FiloUi *ui, const char *label, const char *shown);
// All items at once, scrolled. Only the visible ones cost. `height` 0: eight rows.
bool filo_ui_list(FiloUi *ui, const char *label, int *value, const char *const *items, int count,
                  float height);
// A row of buttons of which one is chosen.
bool filo_ui_segments(FiloUi *ui, const char *label, int *value, const char *const *items, int count);
// A field with a swatch, which opens a picker: square, hue, alpha, hexadecimal. Straight colour.
bool filo_ui_color(FiloUi *ui, const char *label, FiloVec4 *straight);
bool filo_ui_color_bytes(FiloUi *ui, const char *label, FiloColor *premultiplied);

// ---- Pictures and plots ------------------------------------------------------------------------------------------

typedef struct FiloUiImage {
    FiloName image; // of the assets or of filo_gfx2d_add_image
    int frame;
    FiloRect part;  // in pixels of the frame; empty: all
    FiloVec2 size;  // in points; 0: the part, a pixel a point. Without a renderer 64 × 64
    FiloColor tint; // all zero: none
    bool smooth;    // linear filter
    // A nine-slice image: the borders of the image that are not stretched along their axis, in its pixels: left, top,
    // right, bottom.
    float slice[4];
} FiloUiImage;
void filo_ui_image(FiloUi *ui, const FiloUiImage *image);
bool filo_ui_image_button(FiloUi *ui, const char *name, const FiloUiImage *image);
// A column with a nine-slice image behind it.
void filo_ui_begin_framed(FiloUi *ui, const FiloUiImage *image, float padding);

typedef enum FiloUiPlotKind { FILO_UI_PLOT_LINE, FILO_UI_PLOT_BARS, FILO_UI_PLOT_HISTOGRAM } FiloUiPlotKind;
typedef struct FiloUiPlot {
    FiloUiPlotKind kind;
    const float *values;
    size_t count;
    size_t offset;  // index of the first value, for ring buffers
    float min, max; // of the axis; both 0: of the values
    int bins;       // of a histogram; 0: chosen
    float height;   // in points; 0: 80
    float mark;     // a horizontal line at this value; 0: none
    FiloColor color;
    const char *unit; // of the values, shown with the value under the mouse
} FiloUiPlot;
// More values than pixels are shown by the least and the greatest of each column of pixels. NaN leaves a gap.
void filo_ui_plot(FiloUi *ui, const char *label, const FiloUiPlot *plot);
void filo_ui_progress(FiloUi *ui, const char *label, float fraction, const char *text); // text NULL: percent

// A place for the program's own drawing, of this size in points (width 0: the whole width). The rectangle is in pixels,
// that of the previous frame. It can be dragged and focused; filo_ui_active, filo_ui_clicked.
FiloRect filo_ui_canvas(FiloUi *ui, const char *name, FiloVec2 size);
// Draws into the last canvas: coordinates are pixels from its upper left corner, and are clipped to it.
void filo_ui_canvas_box(FiloUi *ui, FiloRect rect, FiloColor color);
void filo_ui_canvas_line(FiloUi *ui, FiloVec2 from, FiloVec2 to, float width, FiloColor color);
void filo_ui_canvas_text(FiloUi *ui, FiloVec2 at, FiloColor color, const char *text);
FiloVec2 filo_ui_mouse(const FiloUi *ui); // in pixels of the screen

// ---- Trees, tabs, tables -------------------------------------------------------------------------------------------

// The content of an open tree is indented below it.
typedef struct FiloUiTree {
    bool open;     // at first
    bool leaf;     // cannot be opened
    bool selected; // shown as such; filo_ui_clicked tells whether the row was clicked
    bool framed;   // with a background: a section of a panel
    FiloUiIcon icon;
    const char *detail; // on the right, muted
} FiloUiTree;
bool filo_ui_begin_tree(FiloUi *ui, const char *label, const FiloUiTree *tree); // tree may be NULL
// A framed tree, open at first.
bool filo_ui_begin_section(FiloUi *ui, const char *label);
void filo_ui_open_tree(FiloUi *ui, const char *label, bool open); // before its begin, with the same ids

// `selected` is the index of the tab that is shown; NULL: remembered by the UI.
void filo_ui_begin_tabs(FiloUi *ui, const char *name, int *selected);
bool filo_ui_begin_tab(FiloUi *ui, const char *label); // inside of tabs; true for the one that is shown

typedef struct FiloUiColumn {
    const char *title;
    float width; // in points, at first; 0: a share of the rest
    bool right;  // texts are aligned right: numbers
    bool fixed;  // cannot be resized
} FiloUiColumn;
typedef struct FiloUiTable {
    const FiloUiColumn *columns;
    int column_count; // 1 to 32
    size_t row_count;
    float height;     // 0: takes the free space of a column, at least four rows
    float row_height; // 0: of the theme
    // Headers can be clicked if this is not NULL: the column, and −1 − column for descending order. The program sorts.
    int *sort;
    size_t *selected; // row that was clicked or chosen by keys; NULL: rows cannot be selected
    bool no_header;
    bool stripes;
} FiloUiTable;
//     if (filo_ui_begin_table(ui, "files", &table))
//         for (size_t row; filo_ui_table_row(ui, &row);) {
//             filo_ui_label(ui, files[row].name);          // one widget for each column
//             filo_ui_format(ui, "%d", files[row].size);
//         }
//     filo_ui_end(ui);
bool filo_ui_begin_table(FiloUi *ui, const char *name, const FiloUiTable *table);
// The next visible row, whose index is also a part of the ids in it. False after the last.
bool filo_ui_table_row(FiloUi *ui, size_t *row);
void filo_ui_table_show(FiloUi *ui, size_t row); // scrolls so that the row is visible; inside of the table

// ---- Menus and popups ----------------------------------------------------------------------------------------------

// Inside of a window: below its title. Outside: at the upper edge of the screen.
bool filo_ui_begin_menu_bar(FiloUi *ui);
bool filo_ui_begin_menu(FiloUi *ui, const char *label); // in a bar or in a menu
bool filo_ui_menu_item(FiloUi *ui, const char *label, const char *shortcut);
bool filo_ui_menu_check(FiloUi *ui, const char *label, bool *value);
// Opened by the right button over the last widget, or over the window if there is none before it.
bool filo_ui_begin_context_menu(FiloUi *ui, const char *name);
// Opened by the program: at the mouse, or below the focused widget. A click outside or Escape closes it.
void filo_ui_open_popup(FiloUi *ui, const char *name);
bool filo_ui_begin_popup(FiloUi *ui, const char *name);
void filo_ui_close_popup(FiloUi *ui); // that the call is in
// Nothing else can be used while it is open. Escape and the button set *open to false; NULL: neither.
bool filo_ui_begin_modal(FiloUi *ui, const char *title, bool *open);
// Any content beside the mouse, while it is over the last widget. It is only shown: input goes to what is behind it.
bool filo_ui_begin_tooltip(FiloUi *ui);

// ---- Drag and drop ---------------------------------------------------------------------------------------------------

// The last widget can be dragged; true while it is. The content is shown beside the mouse. `data` (up to 64 bytes) is
// copied.
bool filo_ui_begin_drag(FiloUi *ui, const char *type, const void *data, size_t size);
// The last widget takes what is dragged of this type. True in the frame of the drop, with a copy in `data`.
bool filo_ui_drop(FiloUi *ui, const char *type, void *data, size_t size);
// Whether something of this type is dragged now; NULL: anything.
bool filo_ui_dragging(const FiloUi *ui, const char *type);

FILO_END_DECLS

#endif
