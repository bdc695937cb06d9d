// Windows as the player has arranged them, as a JSON file.

#include "ui/ui.h"

#include <filo/files.h>

#include <string.h>

typedef struct SavedWindow {
    char name[64];
    FiloVec2 position, size;
    FiloUiDock dock;
    bool collapsed;
} SavedWindow;

FILO_REFLECT_ENUM(FiloUiDock, FILO_VALUE(FILO_UI_FLOATING, "floating"), FILO_VALUE(FILO_UI_LEFT, "left"),
                  FILO_VALUE(FILO_UI_RIGHT, "right"), FILO_VALUE(FILO_UI_TOP, "top"),
                  FILO_VALUE(FILO_UI_BOTTOM, "bottom"))
FILO_REFLECT(SavedWindow, FILO_FIELD(char, name), FILO_FIELD(FiloVec2, position), FILO_FIELD(FiloVec2, size),
             FILO_FIELD(FiloUiDock, dock), FILO_FIELD(bool, collapsed))

#define WINDOWS 512

FiloResult filo_ui_save_windows(const FiloUi *ui, const char *path) {
    if (ui == NULL || path == NULL) return FILO_MISTAKE("pass the UI and a path");
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, &(FiloJsonWriterDesc){ .indent = 4 });
    filo_json_begin_object(&writer);
    filo_json_key(&writer, "windows");
    filo_json_begin_array(&writer);
    filo_array_each (&ui->windows, window) {
        SavedWindow saved = { .position = window->position,
                              .size = window->size,
                              .dock = window->dock,
                              .collapsed = window->collapsed };
        memcpy(saved.name, window->name, sizeof saved.name);
        filo_reflect_write_json(FILO_TYPE(SavedWindow), &saved, &writer);
    }
    filo_json_end_array(&writer);
    filo_json_end_object(&writer);
    FiloResult r =
        filo_json_writer_ok(&writer)
            ? filo_file_write(path, filo_json_writer_text(&writer), filo_json_writer_length(&writer), NULL)
            : filo_error(FILO_ERROR_MEMORY, "%s: no memory for the text", path);
    filo_json_writer_deinit(&writer);
    return r;
}

static FiloVec2 sensible(FiloVec2 v) {
    return filo_vec2(filo_clamp(filo_is_nan(v.x) ? 0 : v.x, -1e5f, 1e5f),
                     filo_clamp(filo_is_nan(v.y) ? 0 : v.y, -1e5f, 1e5f));
}

static bool restore(FiloUi *ui, const SavedWindow *saved) {
    FiloString name = filo_string(saved->name);
    size_t hashes = filo_string_find(name, FILO_STRING("###"));
    const char *key = hashes != FILO_STRING_NOT_FOUND ? saved->name + hashes : saved->name;
    uint64_t id = filo_hash_combine(2, filo_hash_text(key));
    UiWindow *window = ui_window_find(ui, id);
    if (window == NULL) {
        if (ui->windows.count >= WINDOWS ||
            !filo_array_push(&ui->windows, (UiWindow){ .id = id, .z = ++ui->window_z, .since = 1 }))
            return false;
        window = &ui->windows.items[ui->windows.count - 1];
        memcpy(window->name, saved->name, sizeof window->name);
    }
    window->position = sensible(saved->position);
    window->size = sensible(saved->size);
    window->dock = saved->dock;
    window->collapsed = saved->collapsed;
    window->placed = true;
    return true;
}

// Reads the list. With `ui` NULL it only checks it, so that a broken file changes nothing.
static FiloResult read_windows(FiloUi *ui, FiloJsonReader reader) {
    FiloJsonToken token = filo_json_next(&reader);
    bool list = token.kind == FILO_JSON_OBJECT_BEGIN;
    if (list) token = filo_json_next(&reader);
    list = list && token.kind == FILO_JSON_KEY && filo_json_equal(token, "windows");
    if (list) token = filo_json_next(&reader);
    if (!list || token.kind != FILO_JSON_ARRAY_BEGIN)
        return reader.error.code != FILO_OK
                   ? reader.error
                   : filo_json_error_at(&reader, token, "expected a list \"windows\"");
    while (true) {
        FiloJsonReader before = reader;
        token = filo_json_next(&reader);
        if (token.kind == FILO_JSON_ARRAY_END) break;
        if (token.kind != FILO_JSON_OBJECT_BEGIN)
            return token.kind == FILO_JSON_ERROR ? reader.error
                                                 : filo_json_error_at(&reader, token, "expected a window");
        SavedWindow saved = { 0 };
        reader = before;
        FiloResult r = filo_reflect_read_json(FILO_TYPE(SavedWindow), &saved, &reader, NULL);
        if (r.code != FILO_OK) return r;
        if (ui != NULL && saved.name[0] != '\0' && !restore(ui, &saved))
            return filo_error(FILO_ERROR_LIMIT, "too many windows, or no memory");
    }
    while ((token = filo_json_next(&reader)).kind < FILO_JSON_END) {}
    return token.kind == FILO_JSON_ERROR ? reader.error : filo_ok();
}

FiloResult filo_ui_load_windows(FiloUi *ui, const char *path) {
    if (ui == NULL || path == NULL) return FILO_MISTAKE("pass the UI and a path");
    FiloFileData data;
    FiloResult r = filo_file_read(&data, path, NULL);
    if (r.code != FILO_OK) return r;
    FiloJsonReader reader;
    filo_json_reader_init(&reader, data.text, data.size, path);
    r = read_windows(NULL, reader);
    if (r.code == FILO_OK) r = read_windows(ui, reader);
    filo_file_free(&data);
    return r;
}
