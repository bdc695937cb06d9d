// What the tests of the inspector share: a world, a UI without a renderer, and input that is aimed at widgets by name.

#ifndef FILO_TEST_INSPECTOR_STAGE_H
#define FILO_TEST_INSPECTOR_STAGE_H

#include "support/test.h"

#include "inspector/inspector.h"

#include <filo/log.h>

#define STAGE_MARKS 256

static FiloUi *ui;
static FiloWorld *world;
static FiloInspector *inspector;
static void (*show)(void); // NULL: the inspector

static struct {
    char name[64];
    FiloRect rect;
} marks[STAGE_MARKS];
static size_t mark_count;

static inline void store_mark(const char *name, FiloRect rect, void *user) {
    (void)user;
    if (mark_count == STAGE_MARKS) return;
    filo_string_copy(filo_string(name), marks[mark_count].name, sizeof marks[0].name);
    marks[mark_count++].rect = rect;
}

static inline void frame(void) {
    mark_count = 0;
    filo_ui_begin_frame(ui,
                        &(FiloUiFrame){ .width = 1280, .height = 900, .seconds = 1.0f / 60, .still = true });
    if (show != NULL)
        show();
    else
        filo_inspector_show(inspector, ui);
    filo_ui_end_frame(ui);
}

static inline void frames(int count) {
    for (int i = 0; i < count; i++) frame();
}

static inline void open_stage(const FiloInspectorHost *host) {
    assert_ok(filo_world_create(&world, NULL));
    assert_ok(filo_ui_create(&ui, NULL));
    assert_ok(filo_inspector_create(&inspector, &(FiloInspectorDesc){ .world = world, .host = host }));
    inspector->mark = store_mark;
}

static inline void close_stage(void) {
    filo_inspector_destroy(inspector);
    filo_ui_destroy(ui);
    filo_world_destroy(world);
}

// ---- Input ------------------------------------------------------------------------------------------------

static inline bool is_shown(const char *name) {
    for (size_t i = 0; i < mark_count; i++)
        if (strcmp(marks[i].name, name) == 0) return !filo_rect_is_empty(marks[i].rect);
    return false;
}

static inline FiloRect rect_of(const char *name) {
    for (size_t i = 0; i < mark_count; i++)
        if (strcmp(marks[i].name, name) == 0 && !filo_rect_is_empty(marks[i].rect)) return marks[i].rect;
    fail_msg("there is no widget \"%s\"", name);
    return (FiloRect){ 0 };
}

static inline FiloVec2 at(const char *name, float x) {
    const FiloRect rect = rect_of(name);
    return filo_vec2(filo_lerp(rect.min.x, rect.max.x, x), (rect.min.y + rect.max.y) / 2);
}

static inline void move(FiloVec2 to) {
    filo_ui_input(ui, &(FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = to });
}

static inline void button(FiloVec2 point, FiloKey key, bool down) {
    move(point);
    filo_ui_input(ui, &(FiloInputChange){
                          .kind = FILO_INPUT_KEY, .key = (int32_t)key, .down = down, .position = point });
}

static inline void click_at(FiloVec2 point) {
    button(point, FILO_MOUSE_LEFT, true);
    button(point, FILO_MOUSE_LEFT, false);
    frames(2);
}

static inline void click(const char *name) { click_at(at(name, 0.5f)); }

static inline void drag(FiloVec2 from, FiloVec2 to) {
    button(from, FILO_MOUSE_LEFT, true);
    frame();
    for (int i = 1; i <= 4; i++) {
        move(filo_vec2_lerp(from, to, (float)i / 4));
        frame();
    }
    button(to, FILO_MOUSE_LEFT, false);
    frames(2);
}

static inline void key(FiloKey pressed) {
    FiloInputChange change = { .kind = FILO_INPUT_KEY, .key = (int32_t)pressed, .down = true };
    filo_ui_input(ui, &change);
    change.down = false;
    filo_ui_input(ui, &change);
    frame();
}

static inline void type(const char *text) {
    FiloInputChange change = { .kind = FILO_INPUT_TYPED };
    filo_string_copy(filo_string(text), change.text, sizeof change.text);
    filo_ui_input(ui, &change);
    frame();
}

// Replaces the text of a field, and leaves it by Enter. A number that can be dragged is typed after a double click.
static inline void enter(const char *name, const char *text) {
    click_at(at(name, 0.8f));
    click_at(at(name, 0.8f));
    FiloInputChange control = { .kind = FILO_INPUT_KEY, .key = FILO_KEY_LEFT_CONTROL, .down = true };
    filo_ui_input(ui, &control);
    key(FILO_KEY_A);
    control.down = false;
    filo_ui_input(ui, &control);
    if (text[0] == 0)
        key(FILO_KEY_BACKSPACE);
    else
        type(text);
    key(FILO_KEY_ENTER);
    frame();
}

// Opens a drop-down, and clicks on one of its items.
static inline void choose(const char *name, int item) {
    const FiloRect field = rect_of(name); // while it is open, the last widget is one of its items
    click_at(at(name, 0.9f));
    click_at(filo_vec2(field.min.x + 18, field.max.y + 7 + (float)item * 27 + 13));
    key(FILO_KEY_ESCAPE); // one with check boxes is still open
    frame();
}

#endif
