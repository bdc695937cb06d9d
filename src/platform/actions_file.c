// Bindings as a JSON file:
//
//     {
//         "format": "filo actions",
//         "version": 1,
//         "actions": {
//             "fire": ["Space", "Pad A", { "axis": "Right Trigger" }],
//             "move x": [{ "key": "A", "scale": -1 }, "D", null, { "axis": "Left X" }]
//         }
//     }
//
// A list has an element per binding. null is an empty binding, and so are those past the end of the list. A file may
// come from another version of the game, or from a text editor: what is unknown is skipped with a warning. A text that
// is not JSON, or not a file of actions, changes nothing: bindings are read into a copy first.

#include "platform/actions.h"

#include "base/suggest.h"

#include <filo/check.h>
#include <filo/files.h>
#include <filo/json.h>
#include <filo/log.h>

#include <stdio.h>
#include <string.h>

#define FORMAT     "filo actions"
#define VERSION    1
#define FILE_LIMIT FILO_MIB(1)

// ---- Writing --------------------------------------------------------------------------------------------

static void write_binding(FiloJsonWriter *writer, const FiloBinding *binding) {
    if (platform_binding_empty(binding)) {
        filo_json_write_null(writer);
        return;
    }
    bool plain = binding->scale == 0 || binding->scale == 1;
    if (plain && !binding->is_axis) {
        filo_json_write_text(writer, filo_key_name(binding->key));
        return;
    }
    filo_json_on_one_line(writer);
    filo_json_begin_object(writer);
    filo_json_key(writer, binding->is_axis ? "axis" : "key");
    filo_json_write_text(writer,
                         binding->is_axis ? filo_pad_axis_name(binding->axis) : filo_key_name(binding->key));
    if (!plain) filo_json_key(writer, "scale"), filo_json_write_float(writer, binding->scale);
    filo_json_end_object(writer);
}

static void write_action(FiloJsonWriter *writer, const FiloActionDesc *desc) {
    size_t count = FILO_ACTION_BINDINGS;
    while (count > 0 && platform_binding_empty(&desc->bindings[count - 1])) count--;
    filo_json_key(writer, desc->name);
    filo_json_on_one_line(writer);
    filo_json_begin_array(writer);
    for (size_t i = 0; i < count; i++) write_binding(writer, &desc->bindings[i]);
    filo_json_end_array(writer);
}

void platform_actions_write(const FiloActions *actions, FiloJsonWriter *writer) {
    filo_json_begin_object(writer);
    filo_json_key(writer, "format"), filo_json_write_text(writer, FORMAT);
    filo_json_key(writer, "version"), filo_json_write_int64(writer, VERSION);
    filo_json_key(writer, "actions");
    filo_json_begin_object(writer);
    for (size_t i = 0; i < actions->count; i++) write_action(writer, &actions->entries[i].desc);
    filo_json_end_object(writer);
    filo_json_end_object(writer);
}

FiloResult filo_actions_save(const FiloActions *actions, const char *path) {
    if (actions == NULL || path == NULL) return FILO_MISTAKE("pass actions and a path to filo_actions_save");
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, &(FiloJsonWriterDesc){ .indent = 4, .allocator = actions->allocator });
    platform_actions_write(actions, &writer);
    FiloResult result =
        filo_json_writer_ok(&writer)
            ? filo_file_write(path, filo_json_writer_text(&writer), filo_json_writer_length(&writer), NULL)
            : filo_error(FILO_ERROR_MEMORY, "%s: no memory to write the actions", path);
    filo_json_writer_deinit(&writer);
    return result;
}

// ---- Reading --------------------------------------------------------------------------------------------

typedef struct ReadBindings {
    bool found; // in the file
    FiloBinding bindings[FILO_ACTION_BINDINGS];
} ReadBindings;

// The contents of a file, until it has been read to its end.
typedef struct Reading {
    FiloJsonReader json;
    FiloActions *actions;
    const char *action; // whose bindings are being read
    bool has_format, has_actions;
    int64_t version;
    ReadBindings read[FILO_INPUT_ACTIONS];
} Reading;

static void warn_skipped(Reading *reading, FiloJsonToken token, const char *what) {
    FiloResult warning = filo_json_error_at(&reading->json, token, "%s is skipped", what);
    filo_log_warn("input", "%s", warning.message);
}

static void skip(Reading *reading, FiloJsonToken token, const char *what) {
    warn_skipped(reading, token, what);
    filo_json_skip(&reading->json, token);
}

// Skips the name of a key or an axis that does not exist.
static void skip_name(Reading *reading, FiloJsonToken token, const char *kind, const char *name,
                      const BaseSuggestion *suggestion) {
    char meant[BASE_SUGGEST_SIZE];
    FiloResult warning =
        filo_json_error_at(&reading->json, token, "%s \"%s\" of the action \"%s\" is skipped%s", kind, name,
                           reading->action, base_suggest_print(suggestion, meant));
    filo_log_warn("input", "%s", warning.message);
    filo_json_skip(&reading->json, token);
}

static bool read_key(Reading *reading, FiloJsonToken token, FiloBinding *binding) {
    char name[64];
    if (filo_json_as_text(token, name, sizeof name) < sizeof name) binding->key = filo_key_named(name);
    if (binding->key != FILO_KEY_NONE) return true;
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    for (int key = FILO_KEY_NONE + 1; key < FILO_KEY_COUNT; key++)
        base_suggest_offer(&suggestion, filo_string(filo_key_name((FiloKey)key)));
    skip_name(reading, token, "the unknown key", name, &suggestion);
    return false;
}

static bool read_axis(Reading *reading, FiloJsonToken token, FiloBinding *binding) {
    char name[64];
    FiloPadAxis axis = FILO_AXIS_COUNT;
    if (filo_json_as_text(token, name, sizeof name) < sizeof name) axis = filo_pad_axis_named(name);
    if (axis == FILO_AXIS_COUNT) {
        BaseSuggestion suggestion = base_suggest(filo_string(name));
        for (int i = 0; i < FILO_AXIS_COUNT; i++)
            base_suggest_offer(&suggestion, filo_string(filo_pad_axis_name((FiloPadAxis)i)));
        skip_name(reading, token, "the unknown axis", name, &suggestion);
        return false;
    }
    binding->is_axis = true;
    binding->axis = axis;
    return true;
}

static bool read_scale(Reading *reading, FiloJsonToken token, FiloBinding *binding) {
    double scale;
    if (filo_json_as_double(token, &scale) && scale >= -PLATFORM_BINDING_SCALE_MAX &&
        scale <= PLATFORM_BINDING_SCALE_MAX && (float)scale != 0) {
        binding->scale = scale != 1 ? (float)scale : 0; // which means 1
        return true;
    }
    skip(reading, token, "a scale that is not a number from -1000 to 1000, without 0,");
    return false;
}

// Reads an object after its beginning. False if it is not a binding.
static bool read_binding_object(Reading *reading, FiloJsonToken object, FiloBinding *binding) {
    bool valid = true;
    for (;;) {
        FiloJsonToken key = filo_json_next(&reading->json);
        if (key.kind != FILO_JSON_KEY) break;
        FiloJsonToken value = filo_json_next(&reading->json);
        if (value.kind == FILO_JSON_STRING && filo_json_equal(key, "key"))
            valid = read_key(reading, value, binding) && valid;
        else if (value.kind == FILO_JSON_STRING && filo_json_equal(key, "axis"))
            valid = read_axis(reading, value, binding) && valid;
        else if (filo_json_equal(key, "scale"))
            valid = read_scale(reading, value, binding) && valid;
        else
            skip(reading, value, "a member that a binding does not have");
    }
    if (!valid || reading->json.error.code != FILO_OK) return false;
    if (platform_binding_valid(binding) && !platform_binding_empty(binding)) return true;
    warn_skipped(reading, object, "a binding that is not either a key or an axis");
    return false;
}

// False, with an empty binding, if it is not understood.
static bool read_binding(Reading *reading, FiloJsonToken token, FiloBinding *binding) {
    bool valid = true;
    if (token.kind == FILO_JSON_STRING)
        valid = read_key(reading, token, binding);
    else if (token.kind == FILO_JSON_OBJECT_BEGIN)
        valid = read_binding_object(reading, token, binding);
    else if (token.kind != FILO_JSON_NULL)
        skip(reading, token, "something that is not a binding"), valid = false;
    if (!valid) *binding = (FiloBinding){ 0 };
    return valid;
}

// An action none of whose bindings is understood keeps its bindings.
static void read_action(Reading *reading, PlatformActionEntry *entry) {
    ReadBindings read = { .found = true };
    bool any = false, all_valid = true;
    reading->action = entry->desc.name;
    for (size_t i = 0;; i++) {
        FiloJsonToken token = filo_json_next(&reading->json);
        if (token.kind == FILO_JSON_ARRAY_END || token.kind >= FILO_JSON_END) break;
        if (i >= FILO_ACTION_BINDINGS) {
            skip(reading, token, "a binding too many");
            continue;
        }
        all_valid = read_binding(reading, token, &read.bindings[i]) && all_valid;
        any = any || !platform_binding_empty(&read.bindings[i]);
    }
    if (any || all_valid) reading->read[entry - reading->actions->entries] = read;
}

static void skip_action(Reading *reading, FiloJsonToken value, const char *name) {
    char what[320];
    snprintf(what, sizeof what, "the action \"%s\", which the game does not have,", name);
    skip(reading, value, what);
}

static void read_actions(Reading *reading, FiloJsonToken object) {
    reading->has_actions = true;
    if (object.kind != FILO_JSON_OBJECT_BEGIN) {
        skip(reading, object, "a list of actions that is not an object");
        return;
    }
    for (;;) {
        FiloJsonToken key = filo_json_next(&reading->json);
        if (key.kind != FILO_JSON_KEY) return;
        char name[256];
        size_t length = filo_json_as_text(key, name, sizeof name);
        PlatformActionEntry *entry =
            length < sizeof name ? platform_actions_find(reading->actions, filo_string_from(name, length))
                                 : NULL;
        FiloJsonToken value = filo_json_next(&reading->json);
        if (value.kind >= FILO_JSON_END) return;
        if (entry == NULL)
            skip_action(reading, value, name);
        else if (value.kind != FILO_JSON_ARRAY_BEGIN)
            skip(reading, value, "an action that is not a list of bindings");
        else
            read_action(reading, entry);
    }
}

static void read_file(Reading *reading) {
    FiloJsonToken first = filo_json_next(&reading->json);
    if (first.kind != FILO_JSON_OBJECT_BEGIN) {
        filo_json_skip(&reading->json, first);
        return;
    }
    for (;;) {
        FiloJsonToken key = filo_json_next(&reading->json);
        if (key.kind != FILO_JSON_KEY) return;
        FiloJsonToken value = filo_json_next(&reading->json);
        if (value.kind >= FILO_JSON_END) return;
        if (filo_json_equal(key, "format"))
            reading->has_format = value.kind == FILO_JSON_STRING && filo_json_equal(value, FORMAT);
        else if (filo_json_equal(key, "version") && filo_json_as_int64(value, &reading->version))
            continue;
        else if (filo_json_equal(key, "actions"))
            read_actions(reading, value);
        else
            skip(reading, value, "a member that files of actions do not have");
    }
}

static FiloResult check_file(Reading *reading, const char *source) {
    while (reading->json.error.code == FILO_OK && filo_json_next(&reading->json).kind < FILO_JSON_END) {}
    if (reading->json.error.code != FILO_OK) return reading->json.error;
    if (!reading->has_format || !reading->has_actions)
        return filo_error(FILO_ERROR_DATA, "%s: not a file of actions", source);
    if (reading->version != VERSION)
        return filo_error(FILO_ERROR_DATA, "%s: version %lld of a file of actions; this program reads %d",
                          source, (long long)reading->version, VERSION);
    return filo_ok();
}

FiloResult platform_actions_parse(FiloActions *actions, const char *text, size_t length, const char *source) {
    Reading reading = { .actions = actions };
    filo_json_reader_init(&reading.json, text, length, source);
    read_file(&reading);
    FiloResult result = check_file(&reading, source);
    for (size_t i = 0; result.code == FILO_OK && i < actions->count; i++)
        if (reading.read[i].found)
            memcpy(actions->entries[i].desc.bindings, reading.read[i].bindings,
                   sizeof reading.read[i].bindings);
    return result;
}

FiloResult filo_actions_load(FiloActions *actions, const char *path) {
    if (actions == NULL || path == NULL) return FILO_MISTAKE("pass actions and a path to filo_actions_load");
    FiloFileData file;
    FiloResult result = filo_file_read(
        &file, path, &(FiloFileReadDesc){ .allocator = actions->allocator, .limit = FILE_LIMIT });
    if (result.code != FILO_OK) return result;
    result = platform_actions_parse(actions, file.text, file.size, path);
    filo_file_free(&file);
    return result;
}
