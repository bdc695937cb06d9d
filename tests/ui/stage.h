// What the tests of the UI share: a UI without a renderer, driven by synthetic input.
//
// A test has a function `show` that builds its panels and marks widgets (mark); frames are run until their rectangles
// are known, then input is aimed at them.

#ifndef FILO_TEST_UI_STAGE_H
#define FILO_TEST_UI_STAGE_H

#include "support/test.h"

#include <filo/log.h>
#include <filo/ui.h>

#define WIDTH  800
#define HEIGHT 600
#define MARKS  32

static FiloUi *ui;
static void (*show)(void);
static FiloRect marks[MARKS];

static inline void frame_of(float seconds) {
    filo_ui_begin_frame(
        ui, &(FiloUiFrame){ .width = WIDTH, .height = HEIGHT, .seconds = seconds, .still = true });
    if (show != NULL) show();
    filo_ui_end_frame(ui);
}
static inline void frame(void) { frame_of(1.0f / 60); }

static inline void begin(void (*function)(void)) {
    assert_ok(filo_ui_create(&ui, NULL));
    show = function;
    frame();
    frame();
}
static inline void end(void) { filo_ui_destroy(ui); }

// The rectangle of the last widget, in the last frame.
static inline void mark(int number) { marks[number] = filo_ui_rect(ui); }
static inline FiloVec2 centre(int number) {
    assert_false(filo_rect_is_empty(marks[number]));
    return filo_rect_centre(marks[number]);
}

static inline bool move(FiloVec2 to) {
    return filo_ui_input(ui, &(FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = to });
}
static inline bool button(FiloVec2 at, FiloKey key, bool down) {
    move(at);
    return filo_ui_input(
        ui, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = (int32_t)key, .down = down, .position = at });
}
static inline void click_at(FiloVec2 at) {
    button(at, FILO_MOUSE_LEFT, true);
    button(at, FILO_MOUSE_LEFT, false);
    frame();
}
static inline void click(int number) { click_at(centre(number)); }
static inline void drag(FiloVec2 from, FiloVec2 to) {
    button(from, FILO_MOUSE_LEFT, true);
    frame();
    move(filo_vec2_lerp(from, to, 0.5f));
    frame();
    move(to);
    frame();
    button(to, FILO_MOUSE_LEFT, false);
    frame();
    frame();
}
static inline bool wheel(FiloVec2 at, float by) {
    bool consumed =
        filo_ui_input(ui, &(FiloInputChange){ .kind = FILO_INPUT_WHEEL, .position = at, .move = { 0, by } });
    frame();
    frame();
    return consumed;
}

static inline bool key_change(FiloKey key, bool down) {
    return filo_ui_input(ui, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = (int32_t)key, .down = down });
}
static inline bool key(FiloKey pressed) {
    bool consumed = key_change(pressed, true);
    assert_int_equal(key_change(pressed, false), consumed); // the release goes where the press went
    frame();
    return consumed;
}
static inline bool key_with(FiloKey modifier, FiloKey pressed) {
    key_change(modifier, true);
    bool consumed = key(pressed);
    key_change(modifier, false);
    return consumed;
}
static inline bool pad(FiloKey pressed) {
    FiloInputChange change = { .kind = FILO_INPUT_PAD_KEY, .key = (int32_t)pressed, .down = true };
    bool consumed = filo_ui_input(ui, &change);
    change.down = false;
    assert_int_equal(filo_ui_input(ui, &change), consumed);
    frame();
    return consumed;
}
static inline bool type(const char *text) {
    FiloInputChange change = { .kind = FILO_INPUT_TYPED };
    filo_string_copy(filo_string(text), change.text, sizeof change.text);
    bool consumed = filo_ui_input(ui, &change);
    frame();
    return consumed;
}

static inline void hush(void) { assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off")); }

#endif
