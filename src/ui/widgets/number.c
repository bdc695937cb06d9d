// Sliders, numbers that are dragged, and number fields. All edit a double; those of other types convert.

#include "ui/ui.h"

#include <math.h>
#include <stdio.h>

typedef enum NumberKind { NUMBER_SLIDER, NUMBER_DRAG, NUMBER_FIELD } NumberKind;

typedef struct NumberData {
    UiWidget widget;
    NumberKind kind;
    float fraction, value_width; // of a slider
    char text[64];
    UiTextStyle style;
} NumberData;

#define TEXT_BYTES 64

// ---- Values --------------------------------------------------------------------------------------------------------

static bool has_range(const FiloUiNumber *n) { return n->min < n->max; }

static double clamp_number(const FiloUiNumber *n, double value) {
    if (!has_range(n)) return value;
    return value < n->min ? n->min : value > n->max ? n->max : value;
}

// Multiples of the step, counted from the least value.
static double round_number(const FiloUiNumber *n, double value) {
    if (!(n->step > 0)) return clamp_number(n, value);
    double start = has_range(n) ? n->min : 0;
    double steps = (value - start) / n->step;
    if (!(steps > -9e15 && steps < 9e15)) return clamp_number(n, value);
    return clamp_number(n, start + (double)(int64_t)(steps + (steps < 0 ? -0.5 : 0.5)) * n->step);
}

static int decimals_of(const FiloUiNumber *n) {
    if (n->decimals != 0) return FILO_CLAMP(n->decimals, 0, 12);
    if (n->step > 0) {
        int decimals = 0;
        for (double step = n->step;
             decimals < 9 && step - (double)(int64_t)(step + 1e-9) > 1e-6 && step < 1e6; step *= 10)
            decimals++;
        return decimals;
    }
    double size = has_range(n) ? n->max - n->min : 10;
    return size <= 2 ? 3 : size <= 50 ? 2 : size <= 500 ? 1 : 0;
}

static void print_number(char *text, size_t size, const FiloUiNumber *n, double value, bool unit) {
    const char *suffix = unit && n->unit != NULL ? n->unit : "";
    const char *space = suffix[0] != '\0' && (unsigned char)suffix[0] < 128 && suffix[0] != '%' ? " " : "";
    if (value != value)
        snprintf(text, size, "nan");
    else if (value > 1e15 || value < -1e15)
        snprintf(text, size, "%.6g%s%s", value, space, suffix);
    else
        snprintf(text, size, "%.*f%s%s", decimals_of(n), value, space, suffix);
}

static double to_fraction(const FiloUiNumber *n, double value) {
    if (!has_range(n) || value != value) return 0;
    value = clamp_number(n, value);
    if (n->logarithmic && n->min > 0) return log(value / n->min) / log(n->max / n->min);
    return (value - n->min) / (n->max - n->min);
}

static double from_fraction(const FiloUiNumber *n, double fraction) {
    fraction = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    if (n->logarithmic && n->min > 0) return round_number(n, n->min * pow(n->max / n->min, fraction));
    return round_number(n, n->min + (n->max - n->min) * fraction);
}

static double key_step(const FiloUiNumber *n, double value) {
    if (n->step > 0) return n->step;
    if (has_range(n)) return (n->max - n->min) / 100;
    double size = fabs(value);
    return size > 10 ? size / 100 : 0.1;
}

// ---- Painting --------------------------------------------------------------------------------------------------------

#define VALUE_WIDTH 56.0f
#define KNOB        14.0f
#define TRACK_WIDTH 40.0f // at least

static FiloVec2 measure_number(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    const NumberData *data = node->data;
    float wanted =
        data->kind == NUMBER_SLIDER
            ? filo_max(ui_px(ui, 64) + data->value_width, ui_px(ui, 120))
            : filo_max(ui_text_measure(ui, &data->style, filo_string(data->text), 0).x + ui_px(ui, 24),
                       ui_px(ui, 64));
    return filo_vec2(wanted, ui_px(ui, node->theme->control_height));
}

static float digits_width(FiloUi *ui, const UiTextStyle *style, const FiloUiNumber *n, double value) {
    char text[TEXT_BYTES];
    print_number(text, sizeof text, n, value, true);
    for (size_t i = 0; text[i] != '\0'; i++)
        if (text[i] >= '0' && text[i] <= '9') text[i] = '0';
    return ui_text_measure(ui, style, filo_string(text), 0).x;
}

// Room for the text of every value in the range, and of the present one, so that the track does not change its length
// while the knob is dragged.
static float value_width(FiloUi *ui, const UiTextStyle *style, const FiloUiNumber *n, double value) {
    float widest = filo_max(digits_width(ui, style, n, n->min), digits_width(ui, style, n, n->max));
    if (!(value >= n->min && value <= n->max)) widest = filo_max(widest, digits_width(ui, style, n, value));
    return filo_max(widest + ui_px(ui, 8), ui_px(ui, VALUE_WIDTH));
}

// The part of a slider in which the knob moves. The value is beside it, and gives way where there is little room.
static FiloRect slider_track(const FiloUi *ui, FiloRect rect, float value) {
    float knob = ui_px(ui, KNOB) / 2, least = ui_px(ui, TRACK_WIDTH);
    FiloRect track = rect;
    track.min.x += knob;
    track.max.x = filo_max(track.max.x - value - knob, filo_min(track.min.x + least, rect.max.x - knob));
    return track;
}

static void paint_slider(FiloUi *ui, const UiNode *node) {
    const NumberData *data = node->data;
    const FiloUiTheme *theme = node->theme;
    FiloRect track = slider_track(ui, node->rect, data->value_width);
    float thick = ui_px(ui, 4), knob = ui_px(ui, KNOB),
          middle = filo_floor((node->rect.min.y + node->rect.max.y) / 2);
    float x = filo_round(track.min.x + (track.max.x - track.min.x) * data->fraction);
    FiloRect line = filo_rect(filo_vec2(track.min.x - thick / 2, middle - thick / 2),
                              filo_vec2(track.max.x + thick / 2, middle + thick / 2));
    FiloRect done = line;
    done.max.x = filo_max(x, line.min.x);
    ui_paint_round(ui, line, thick / 2, theme->control);
    ui_paint_round(ui, done, thick / 2, ui_accent_color(theme, &data->widget));
    FiloRect handle = filo_rect_from_size(filo_vec2(x - filo_floor(knob / 2), middle - filo_floor(knob / 2)),
                                          filo_vec2(knob, knob));
    FiloColor fill = data->widget.touch.disabled
                         ? theme->text_disabled
                         : filo_color_lerp(filo_color_lerp(theme->text, theme->on_accent, data->widget.hover),
                                           theme->accent_hover, data->widget.press * 0.4f);
    ui_paint_round(ui, handle, knob / 2, fill);
    if (data->widget.touch.ring) ui_paint_focus(ui, handle, knob / 2);
    FiloRect text = node->rect;
    text.min.x = track.max.x + knob / 2 + ui_px(ui, 4);
    if (text.max.x - text.min.x > ui_px(ui, 20))
        ui_text_paint(ui, &data->style, ui_line_box(ui, &data->style, text), UI_TEXT_RIGHT, false,
                      filo_string(data->text));
}

static void paint_number(FiloUi *ui, const UiNode *node) {
    const NumberData *data = node->data;
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius), border = filo_max(ui_px(ui, theme->border_width), 1);
    FiloColor fill = filo_color_lerp(theme->field, theme->control_hover, data->widget.hover * 0.3f);
    ui_paint_round(ui, node->rect, radius, fill);
    ui_paint_outline(ui, node->rect, radius, border, theme->border);
    if (data->widget.touch.ring) ui_paint_focus(ui, node->rect, radius);
    FiloRect box = filo_rect(filo_vec2(node->rect.min.x + ui_px(ui, 8), node->rect.min.y),
                             filo_vec2(node->rect.max.x - ui_px(ui, 8), node->rect.max.y));
    ui_text_paint(ui, &data->style, ui_line_box(ui, &data->style, box),
                  data->kind == NUMBER_DRAG ? UI_TEXT_CENTRE : UI_TEXT_LEFT, false, filo_string(data->text));
    if (data->kind != NUMBER_DRAG || data->widget.hover <= 0 || filo_rect_size(node->rect).x < ui_px(ui, 72))
        return;
    float side = ui_px(ui, 16);
    FiloColor arrow = filo_color_fade(theme->text_muted, data->widget.hover);
    FiloRect left = node->rect, right = node->rect;
    left.max.x = left.min.x + side;
    right.min.x = right.max.x - side;
    ui_paint_icon(ui, FILO_UI_ICON_LEFT, left, arrow);
    ui_paint_icon(ui, FILO_UI_ICON_RIGHT, right, arrow);
}

// ---- Changing --------------------------------------------------------------------------------------------------------

static double slide(FiloUi *ui, const UiWidget *widget, const FiloUiNumber *n, float text, double value) {
    const UiState *state = ui_state(ui, widget->id);
    if (!(widget->touch.held || widget->touch.released) || !state->known) return value;
    FiloRect track = slider_track(ui, state->rect, text);
    float width = filo_max(track.max.x - track.min.x, 1);
    return from_fraction(n, (double)((widget->touch.position.x - track.min.x) / width));
}

static double drag(FiloUi *ui, const UiWidget *widget, const FiloUiNumber *n, double value) {
    double speed = n->speed > 0   ? n->speed
                   : n->step > 0  ? n->step / 4
                   : has_range(n) ? (n->max - n->min) / 300
                                  : fmax(fabs(value) / 200, 0.01);
    UiState *state = ui_state(ui, widget->id);
    for (size_t i = 0; i < ui->event_count; i++) {
        const UiEvent *event = &ui->events[i];
        if (event->id != widget->id) continue;
        if (event->kind == UI_PRESSED) state->scroll.x = event->position.x, state->values[2] = 0;
        if (event->kind != UI_DRAGGED || event->key != FILO_MOUSE_LEFT) continue;
        float moved = event->position.x - state->scroll.x;
        if (!state->open && filo_abs(moved) < ui_px(ui, 3)) continue; // not yet a drag
        state->open = true;
        state->scroll.x = event->position.x;
        double factor = (event->modifiers & UI_SHIFT) != 0     ? 0.1
                        : (event->modifiers & UI_CONTROL) != 0 ? 10
                                                               : 1;
        double change = (double)(moved / ui->scale) * speed * factor + (double)state->values[2];
        double next = round_number(n, value + change);
        // What rounding has swallowed is kept for the next movement.
        state->values[2] = n->step > 0 ? (float)(value + change - next) : 0;
        value = next;
    }
    if (widget->touch.released) state->open = false;
    return value;
}

static double step_by_keys(FiloUi *ui, const UiWidget *widget, const FiloUiNumber *n, double value) {
    for (size_t i = 0; i < ui->event_count; i++) {
        const UiEvent *event = &ui->events[i];
        if (event->id != widget->id || event->kind != UI_KEY) continue;
        double direction = event->key == FILO_KEY_RIGHT ? 1 : event->key == FILO_KEY_LEFT ? -1 : 0;
        double factor = (event->modifiers & UI_SHIFT) != 0 ? 10 : 1;
        if (direction == 0) continue;
        if (n->logarithmic && n->min > 0 && has_range(n))
            value = from_fraction(n, to_fraction(n, value) + direction * 0.01 * factor);
        else
            value = round_number(n, (value == value ? value : 0) + direction * key_step(n, value) * factor);
        ui->last_committed = true;
    }
    return value;
}

// Takes over what was typed. True if the value changed.
static bool accept_number(FiloUi *ui, const char *text, const FiloUiNumber *n, double *value) {
    double typed;
    if (filo_parse_double(filo_string_trim(filo_string(text)), &typed).code != FILO_OK) return false;
    typed = clamp_number(n, typed);
    ui->last_committed = true;
    bool changed = typed != *value;
    *value = typed;
    return changed;
}

// While it is typed into, a text field is in its place. True if a number was entered.
static bool type_number(FiloUi *ui, uint64_t id, const FiloUiNumber *n, double *value) {
    char text[TEXT_BYTES];
    bool cancelled;
    print_number(text, sizeof text, n, *value, false);
    return ui_edit_inline(ui, id, text, sizeof text, &cancelled) && !cancelled &&
           accept_number(ui, text, n, value);
}

static bool add_number(FiloUi *ui, uint64_t id, NumberKind kind, double *value, const FiloUiNumber *n,
                       uint32_t flags) {
    UiState *state = ui_state(ui, id);
    bool typing = state->number == 1 && ui->input.focus == id;
    if (typing) {
        bool entered = type_number(ui, id, n, value);
        ui_field_control(ui, ui_node(ui, ui->last));
        return entered;
    }
    char left[TEXT_BYTES];
    double before = *value, now = before;
    bool entered = state->number == 1 && ui_edit_was_left(ui, id, left, sizeof left);
    ui_state(ui, id)->number = 0;
    UiWidget widget;
    NumberData *data = ui_new(ui, NumberData);
    if (data == NULL || !ui_widget_of(ui, id, flags | UI_FOCUSABLE | UI_KEYS_X | UI_CURSOR_X, &widget))
        return false;
    if (entered) accept_number(ui, left, n, &now);
    const UiTextStyle style = ui_text_style(ui);
    const float text = kind == NUMBER_SLIDER ? value_width(ui, &style, n, now) : 0;
    if (kind == NUMBER_SLIDER) now = slide(ui, &widget, n, text, now);
    if (kind == NUMBER_DRAG) now = drag(ui, &widget, n, now);
    now = step_by_keys(ui, &widget, n, now);
    if (widget.touch.released) ui->last_committed = true;
    bool type = kind == NUMBER_FIELD
                    ? widget.touch.clicked
                    : widget.touch.double_clicked || (widget.touch.clicked && widget.touch.by_keys);
    if (type && !widget.touch.disabled) {
        ui_state(ui, id)->number = 1;
        ui->input.focus_flags |= UI_KEYS_TEXT; // letters that follow in the same frame are for the field
    }
    *value = now;
    *data = (NumberData){ .widget = widget,
                          .kind = kind,
                          .fraction = (float)to_fraction(n, now),
                          .value_width = text,
                          .style = style };
    print_number(data->text, sizeof data->text, n, now, true);
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_number;
    node->paint = kind == NUMBER_SLIDER ? paint_slider : paint_number;
    ui_field_control(ui, node);
    return now != before && !(now != now && before != before);
}

// A slider whose range has no more than one value cannot be used: that of a list with one entry, for example.
static bool has_choice(FiloUi *ui, uint64_t id, const char *label, const FiloUiNumber *n) {
    if (has_range(n)) return true;
    UiState *state = ui_state(ui, id);
    if (n->min > n->max && !state->range_reported)
        filo_log_warn("ui", "slider \"%s\" goes from %g to %g: it cannot be used, because that is less",
                      label != NULL ? label : "", n->min, n->max);
    state->range_reported = n->min > n->max;
    return false;
}

static bool number_widget(FiloUi *ui, const char *label, NumberKind kind, double *value,
                          const FiloUiNumber *number) {
    const FiloUiNumber unit = { .max = kind == NUMBER_SLIDER ? 1 : 0 };
    FiloUiNumber n = number != NULL ? *number : unit;
    if (n.min != n.min || n.max != n.max) n.min = unit.min, n.max = unit.max;
    bool clash;
    uint64_t id = ui_claim(ui, label, &clash);
    const bool is_fixed = kind == NUMBER_SLIDER && !has_choice(ui, id, label, &n);
    if (is_fixed) filo_ui_push_disabled(ui, true);
    ui_field_begin(ui, label);
    bool changed = add_number(ui, id, kind, value, &n, clash ? UI_CLASH : 0);
    ui_field_end(ui);
    if (is_fixed) filo_ui_pop_disabled(ui);
    return changed;
}

// ---- The widgets -------------------------------------------------------------------------------------------------------

#define CHECK_VALUE(ui, value) (ui_usable(ui) && FILO_CHECK((value) != NULL, "pass a number to be edited"))

bool filo_ui_slider_number(FiloUi *ui, const char *label, double *value, const FiloUiNumber *number) {
    return CHECK_VALUE(ui, value) && number_widget(ui, label, NUMBER_SLIDER, value, number);
}

bool filo_ui_drag_number(FiloUi *ui, const char *label, double *value, const FiloUiNumber *number) {
    return CHECK_VALUE(ui, value) && number_widget(ui, label, NUMBER_DRAG, value, number);
}

static bool edit_float(FiloUi *ui, const char *label, NumberKind kind, float *value,
                       const FiloUiNumber *number) {
    double wide = (double)*value;
    bool changed = number_widget(ui, label, kind, &wide, number) && (float)wide != *value;
    if (changed) *value = (float)wide;
    return changed;
}

static bool edit_int(FiloUi *ui, const char *label, NumberKind kind, int *value, FiloUiNumber number) {
    double wide = (double)*value;
    number.step = 1;
    number.decimals = -1;
    if (!number_widget(ui, label, kind, &wide, &number)) return false;
    wide = wide < -2147483648.0 ? -2147483648.0 : wide > 2147483647.0 ? 2147483647.0 : wide;
    int next = (int)(wide < 0 ? wide - 0.5 : wide + 0.5);
    bool changed = next != *value;
    *value = next;
    return changed;
}

bool filo_ui_slider(FiloUi *ui, const char *label, float *value, float min, float max) {
    FiloUiNumber number = { .min = (double)min, .max = (double)max };
    return CHECK_VALUE(ui, value) && edit_float(ui, label, NUMBER_SLIDER, value, &number);
}

bool filo_ui_slider_int(FiloUi *ui, const char *label, int *value, int min, int max) {
    return CHECK_VALUE(ui, value) &&
           edit_int(ui, label, NUMBER_SLIDER, value, (FiloUiNumber){ .min = min, .max = max });
}

bool filo_ui_drag(FiloUi *ui, const char *label, float *value, float speed, float min, float max) {
    FiloUiNumber number = { .min = (double)min, .max = (double)max, .speed = speed > 0 ? (double)speed : 0 };
    return CHECK_VALUE(ui, value) && edit_float(ui, label, NUMBER_DRAG, value, &number);
}

bool filo_ui_drag_int(FiloUi *ui, const char *label, int *value, float speed, int min, int max) {
    FiloUiNumber number = { .min = min, .max = max, .speed = speed > 0 ? (double)speed : 0 };
    return CHECK_VALUE(ui, value) && edit_int(ui, label, NUMBER_DRAG, value, number);
}

// A row of a field and two buttons. Returns −1 or 1 if a button was clicked.
static int step_buttons(FiloUi *ui) {
    int step = 0;
    filo_ui_size(ui, &(FiloUiSize){ .width = ui_theme(ui)->control_height });
    if (filo_ui_button_with(ui, "##less", &(FiloUiButton){ .icon = FILO_UI_ICON_MINUS })) step = -1;
    filo_ui_size(ui, &(FiloUiSize){ .width = ui_theme(ui)->control_height });
    if (filo_ui_button_with(ui, "##more", &(FiloUiButton){ .icon = FILO_UI_ICON_PLUS })) step = 1;
    return step;
}

// Begins the row; the field is the next node. False without memory.
static bool begin_stepper(FiloUi *ui, uint64_t id) {
    UiNode *row = ui_begin(ui, NULL, "number");
    if (row == NULL) return false;
    row->axis = UI_ROW;
    row->gap = ui_px(ui, 4);
    ui_field_control(ui, row);
    ui_push_raw_id(ui, id);
    ui->field_labelled = false;
    return true;
}

static void end_stepper(FiloUi *ui, uint32_t field, uint64_t id, bool labelled) {
    if (ui->id_count > 0) ui->id_count--;
    ui->open.count--;
    ui->field_labelled = labelled;
    ui->last = field;
    ui->last_id = id;
}

bool filo_ui_number(FiloUi *ui, const char *label, double *value, const FiloUiNumber *number) {
    if (!CHECK_VALUE(ui, value)) return false;
    const FiloUiNumber empty = { 0 };
    FiloUiNumber n = number != NULL ? *number : empty;
    bool clash;
    uint64_t id = ui_claim(ui, label, &clash);
    ui_field_begin(ui, label);
    bool labelled = ui->field_labelled, changed = false;
    if (begin_stepper(ui, id)) {
        changed = add_number(ui, id, NUMBER_FIELD, value, &n, clash ? UI_CLASH : 0);
        uint32_t field = ui->last;
        bool committed = ui->last_committed;
        int step = step_buttons(ui);
        if (step != 0) {
            double next = round_number(&n, (*value == *value ? *value : 0) + step * key_step(&n, *value));
            changed = changed || next != *value;
            committed = true;
            *value = next;
        }
        end_stepper(ui, field, id, labelled);
        ui->last_committed = committed;
    }
    ui_field_end(ui);
    return changed;
}

// ---- Exact integers ------------------------------------------------------------------------------------------------------

static int64_t clamp_integer(int64_t value, int64_t min, int64_t max) {
    return min < max ? FILO_CLAMP(value, min, max) : value;
}

static int64_t add_clamped(int64_t value, int64_t by) {
    int64_t sum;
    return __builtin_add_overflow(value, by, &sum) ? (by > 0 ? INT64_MAX : INT64_MIN) : sum;
}

// The field of an integer. True if it was changed by typing or keys.
static bool integer_field(FiloUi *ui, uint64_t id, int64_t *value, int64_t min, int64_t max, uint32_t flags) {
    int64_t before = *value;
    if (ui_state(ui, id)->number == 1 && ui->input.focus == id) {
        char text[TEXT_BYTES];
        snprintf(text, sizeof text, "%lld", (long long)*value);
        bool cancelled;
        int64_t typed;
        bool entered = ui_edit_inline(ui, id, text, sizeof text, &cancelled) && !cancelled;
        ui_field_control(ui, ui_node(ui, ui->last));
        if (!entered || filo_parse_int64(filo_string_trim(filo_string(text)), &typed).code != FILO_OK)
            return false;
        *value = clamp_integer(typed, min, max);
        ui->last_committed = true;
        return *value != before;
    }
    char left[TEXT_BYTES];
    int64_t typed_before;
    bool entered = ui_state(ui, id)->number == 1 && ui_edit_was_left(ui, id, left, sizeof left);
    ui_state(ui, id)->number = 0;
    UiWidget widget;
    NumberData *data = ui_new(ui, NumberData);
    if (data == NULL || !ui_widget_of(ui, id, flags | UI_FOCUSABLE | UI_KEYS_X, &widget)) return false;
    if (entered && filo_parse_int64(filo_string_trim(filo_string(left)), &typed_before).code == FILO_OK) {
        *value = clamp_integer(typed_before, min, max);
        ui->last_committed = true;
    }
    for (size_t i = 0; i < ui->event_count; i++)
        if (ui->events[i].id == id && ui->events[i].kind == UI_KEY) {
            int64_t by = (ui->events[i].modifiers & UI_SHIFT) != 0 ? 10 : 1;
            if (ui->events[i].key == FILO_KEY_RIGHT)
                *value = clamp_integer(add_clamped(*value, by), min, max);
            if (ui->events[i].key == FILO_KEY_LEFT)
                *value = clamp_integer(add_clamped(*value, -by), min, max);
        }
    if (widget.touch.clicked && !widget.touch.disabled) {
        ui_state(ui, id)->number = 1;
        ui->input.focus_flags |= UI_KEYS_TEXT;
    }
    *data = (NumberData){ .widget = widget, .kind = NUMBER_FIELD, .style = ui_text_style(ui) };
    snprintf(data->text, sizeof data->text, "%lld", (long long)*value);
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_number;
    node->paint = paint_number;
    ui_field_control(ui, node);
    return *value != before;
}

bool filo_ui_integer(FiloUi *ui, const char *label, int64_t *value, int64_t min, int64_t max) {
    if (!CHECK_VALUE(ui, value)) return false;
    bool clash;
    uint64_t id = ui_claim(ui, label, &clash);
    ui_field_begin(ui, label);
    bool labelled = ui->field_labelled, changed = false;
    if (begin_stepper(ui, id)) {
        changed = integer_field(ui, id, value, min, max, clash ? UI_CLASH : 0);
        uint32_t field = ui->last;
        bool committed = ui->last_committed;
        int step = step_buttons(ui);
        if (step != 0) {
            int64_t next = clamp_integer(add_clamped(*value, step), min, max);
            changed = changed || next != *value;
            committed = true;
            *value = next;
        }
        end_stepper(ui, field, id, labelled);
        ui->last_committed = committed;
    }
    ui_field_end(ui);
    return changed;
}

// ---- Vectors -------------------------------------------------------------------------------------------------------------

static bool edit_floats(FiloUi *ui, const char *label, float *const *values, int count,
                        const FiloUiNumber *number) {
    static const char *const names[] = { "##x", "##y", "##z" };
    bool clash, changed = false, committed = false;
    uint64_t id = ui_claim(ui, label, &clash);
    ui_field_begin(ui, label);
    bool labelled = ui->field_labelled;
    if (begin_stepper(ui, id)) {
        for (int i = 0; i < count; i++) {
            changed = edit_float(ui, names[i], NUMBER_DRAG, values[i], number) || changed;
            committed = committed || ui->last_committed;
        }
        end_stepper(ui, ui->last, ui->last_id, labelled);
        ui->last_committed = committed;
    }
    ui_field_end(ui);
    return changed;
}

bool filo_ui_vec2(FiloUi *ui, const char *label, FiloVec2 *value, const FiloUiNumber *number) {
    return CHECK_VALUE(ui, value) &&
           edit_floats(ui, label, (float *const[]){ &value->x, &value->y }, 2, number);
}

bool filo_ui_vec3(FiloUi *ui, const char *label, FiloVec3 *value, const FiloUiNumber *number) {
    return CHECK_VALUE(ui, value) &&
           edit_floats(ui, label, (float *const[]){ &value->x, &value->y, &value->z }, 3, number);
}
