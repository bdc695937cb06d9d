// Headless apps for tests.

#ifndef FILO_TEST_APP_STAGE_H
#define FILO_TEST_APP_STAGE_H

#include "app/app.h"
#include "support/test.h"

static const FiloCommonArgs headless = { .headless = true, .backend = FILO_BACKEND_NULL, .threads = 2 };

static inline FiloApp *start(const FiloAppDesc *desc, const FiloCommonArgs *args) {
    FiloApp *app;
    assert_ok(filo_app_create(&app, desc, args));
    return app;
}

// As if the change came from the window.
static inline void change(FiloApp *app, FiloInputChange input) { filo_app_collect(app, &input); }

static inline void press(FiloApp *app, FiloKey key, bool down) {
    change(app, (FiloInputChange){ .kind = FILO_INPUT_KEY, .key = (int32_t)key, .down = down });
}

// The plain view, which an app without the inspector has.
static inline FiloResult leave_out_inspector(FiloApp *app) {
    if (filo_modules_provider(filo_app_modules(app), "FiloInspector") == NULL) return filo_ok();
    return filo_modules_unregister(filo_app_modules(app), "inspector");
}

// For errors that a test causes on purpose.
static inline void hush(void) { assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off")); }

#endif
