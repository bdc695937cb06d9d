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
// A list has a place for every binding; null is an empty one, and so are those past its end. A file may come
// from another version of the game, or from an editor: what is not known is passed over with a warning. But if
// the text is not JSON, or not ours, nothing is taken from it at all: reading fills a copy.

#include "platform/actions.h"

#include <filo/check.h>
#include <filo/files.h>
#include <filo/json.h>
#include <filo/log.h>

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

// What a file says, until it is known to be good.
typedef struct Reading {
    FiloJsonReader json;
    FiloActions *actions;
    bool has_format, has_actions;
    int64_t version;
    ReadBindings of[FILO_INPUT_ACTIONS];
} Reading;

static void warn_of(Reading *reading, FiloJsonToken token, const char *what) {
    FiloResult place = filo_json_error_at(&reading->json, token, "%s is passed over", what);
    filo_log_warn("input", "%s", place.message);
}

static void pass_over(Reading *reading, FiloJsonToken token, const char *what) {
    warn_of(reading, token, what);
    filo_json_skip(&reading->json, token);
}

static bool read_key(Reading *reading, FiloJsonToken token, FiloBinding *binding) {
    char name[64];
    if (filo_json_as_text(token, name, sizeof name) < sizeof name) binding->key = filo_key_named(name);
    if (binding->key != FILO_KEY_NONE) return true;
    pass_over(reading, token, "a key that is not known");
    return false;
}

static bool read_axis(Reading *reading, FiloJsonToken token, FiloBinding *binding) {
    char name[64];
    FiloPadAxis axis = FILO_AXIS_COUNT;
    if (filo_json_as_text(token, name, sizeof name) < sizeof name) axis = filo_pad_axis_named(name);
    if (axis == FILO_AXIS_COUNT) {
        pass_over(reading, token, "an axis that is not known");
        return false;
    }
    binding->is_axis = true;
    binding->axis = axis;
    return true;
}

static bool read_scale(Reading *reading, FiloJsonToken token, FiloBinding *binding) {
    double scale;
    if (filo_json_as_double(token, &scale) && scale >= -PLATFORM_BINDING_SCALE &&
        scale <= PLATFORM_BINDING_SCALE && (float)scale != 0) {
        binding->scale = scale != 1 ? (float)scale : 0; // which means 1
        return true;
    }
    pass_over(reading, token, "a scale that is not a number from -1000 to 1000, without 0,");
    return false;
}

// The object that began; false if it does not make a binding.
static bool read_binding_object(Reading *reading, FiloJsonToken object, FiloBinding *binding) {
    bool good = true;
    for (;;) {
        FiloJsonToken key = filo_json_next(&reading->json);
        if (key.kind != FILO_JSON_KEY) break;
        FiloJsonToken value = filo_json_next(&reading->json);
        if (value.kind == FILO_JSON_STRING && filo_json_equal(key, "key"))
            good = read_key(reading, value, binding) && good;
        else if (value.kind == FILO_JSON_STRING && filo_json_equal(key, "axis"))
            good = read_axis(reading, value, binding) && good;
        else if (filo_json_equal(key, "scale"))
            good = read_scale(reading, value, binding) && good;
        else
            pass_over(reading, value, "a member that a binding does not have");
    }
    if (!good || reading->json.error.code != FILO_OK) return false;
    if (platform_binding_good(binding) && !platform_binding_empty(binding)) return true;
    warn_of(reading, object, "a binding that is not either a key or an axis");
    return false;
}

// False if it is not understood; it is empty then.
static bool read_binding(Reading *reading, FiloJsonToken token, FiloBinding *binding) {
    bool good = true;
    if (token.kind == FILO_JSON_STRING)
        good = read_key(reading, token, binding);
    else if (token.kind == FILO_JSON_OBJECT_BEGIN)
        good = read_binding_object(reading, token, binding);
    else if (token.kind != FILO_JSON_NULL)
        pass_over(reading, token, "something that is not a binding"), good = false;
    if (!good) *binding = (FiloBinding){ 0 };
    return good;
}

// A list in which nothing is understood is not the wish to have no binding.
static void read_action(Reading *reading, PlatformActionEntry *entry) {
    ReadBindings read = { .found = true };
    bool any = false, strange = false;
    for (size_t i = 0;; i++) {
        FiloJsonToken token = filo_json_next(&reading->json);
        if (token.kind == FILO_JSON_ARRAY_END || token.kind >= FILO_JSON_END) break;
        if (i >= FILO_ACTION_BINDINGS) {
            pass_over(reading, token, "a binding too many");
            continue;
        }
        strange = !read_binding(reading, token, &read.bindings[i]) || strange;
        any = any || !platform_binding_empty(&read.bindings[i]);
    }
    if (any || !strange) reading->of[entry - reading->actions->entries] = read;
}

static void read_actions(Reading *reading, FiloJsonToken object) {
    reading->has_actions = true;
    if (object.kind != FILO_JSON_OBJECT_BEGIN) {
        pass_over(reading, object, "a list of actions that is not an object");
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
            pass_over(reading, value, "an action that the game does not have");
        else if (value.kind != FILO_JSON_ARRAY_BEGIN)
            pass_over(reading, value, "an action that is not a list of bindings");
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
            pass_over(reading, value, "a member that files of actions do not have");
    }
}

static FiloResult judge(Reading *reading, const char *source) {
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
    FiloResult result = judge(&reading, source);
    for (size_t i = 0; result.code == FILO_OK && i < actions->count; i++)
        if (reading.of[i].found)
            memcpy(actions->entries[i].desc.bindings, reading.of[i].bindings, sizeof reading.of[i].bindings);
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
