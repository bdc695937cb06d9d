// Messages: events that a game sends into the next tick from outside of ticks, such as the choice in a menu.
//
// A payload waits as JSON, and is read back when the tick begins, whether the game is recorded or not. A replay has
// only that text. So both get the same values to the bit, and what JSON cannot hold (transient fields, bytes that are
// not UTF-8) is missing in both.

#include "app/app.h"

#include <filo/check.h>

// ---- Sending ----------------------------------------------------------------------------------------------

static bool check_message(const FiloApp *app, FiloName event, const FiloType *type, const void *payload) {
    if (!FILO_CHECK(app != NULL && event.id != 0, "pass an app and an event to filo_app_send")) return false;
    const char *name = filo_name_text(event);
    if (!FILO_CHECK(filo_jobs_worker(app->jobs) == 0,
                    "event \"%s\": only the main thread sends messages; systems record events in it->events",
                    name) ||
        !FILO_CHECK((type != NULL) == (payload != NULL),
                    "event \"%s\": give a payload and its type, or neither", name) ||
        !FILO_CHECK(type == NULL || type->size <= FILO_APP_MESSAGE,
                    "event \"%s\": a message carries at most %d bytes, and %s has %zu: send a number that "
                    "stands for it",
                    name, FILO_APP_MESSAGE, type->name, type->size))
        return false;
    if (!FILO_CHECK(!app_objects_is_result(app, event),
                    "event \"%s\": this is the name of results of functions; choose another", name) ||
        !FILO_CHECK(!app_command_is(app, event), "event \"%s\": use filo_app_command", name))
        return false;
    FiloResult declared = filo_events_declare(app->events, event, type);
    return FILO_CHECK(declared.code == FILO_OK, "%s", declared.message);
}

// Writes a payload as text. The caller deinitialises the writer. False without memory, or if the text is too long.
static bool write_text(const FiloType *type, const void *payload, const char *name, FiloJsonWriter *writer) {
    filo_json_writer_init(writer, NULL);
    filo_reflect_write_json(type, payload, writer);
    return filo_json_writer_ok(writer) &&
           FILO_CHECK(filo_json_writer_length(writer) <= FILO_INPUT_MESSAGE,
                      "event \"%s\": %s takes %zu bytes of text, and a message has at most %d", name,
                      type->name, filo_json_writer_length(writer), FILO_INPUT_MESSAGE);
}

bool app_messages_queue(AppMessages *messages, FiloName event, FiloString text) {
    size_t before = messages->texts.length;
    FiloInputMessage message = { .event = event, .text = { NULL, text.length } };
    if (filo_builder_add(&messages->texts, text) && filo_array_push(&messages->list, message)) return true;
    messages->texts.length = before;
    messages->texts.failed = false;
    return false;
}

bool filo_app_send(FiloApp *app, FiloName event, const FiloType *type, const void *payload) {
    if (!check_message(app, event, type, payload)) return false;
    if (app->replay != NULL) return true; // ignored: the recording has its own messages
    if (type == NULL) return app_messages_queue(&app->messages, event, FILO_STRING(""));
    FiloJsonWriter writer;
    bool queued = write_text(type, payload, filo_name_text(event), &writer) &&
                  app_messages_queue(
                      &app->messages, event,
                      filo_string_from(filo_json_writer_text(&writer), filo_json_writer_length(&writer)));
    filo_json_writer_deinit(&writer);
    return queued;
}

// ---- Into a tick ------------------------------------------------------------------------------------------

const FiloInputMessage *app_messages_list(AppMessages *messages, size_t *count) {
    const char *text = filo_builder_text(&messages->texts);
    filo_array_each (&messages->list, message) {
        message->text.data = text;
        text += message->text.length;
    }
    *count = messages->list.count;
    return messages->list.items;
}

void app_messages_clear(AppMessages *messages) {
    filo_array_clear(&messages->list);
    filo_builder_clear(&messages->texts);
}

void app_messages_deinit(AppMessages *messages) {
    filo_array_deinit(&messages->list);
    filo_builder_deinit(&messages->texts);
}

static void store_first_problem(const FiloProblem *problem, void *user) {
    FiloResult *result = user;
    if (result->code == FILO_OK && problem->kind != FILO_PROBLEM_OUT_OF_RANGE)
        *result = filo_error(FILO_ERROR_DATA, "%s", problem->message);
}

FiloResult app_message_read(const FiloType *type, void *value, FiloJsonReader *reader, const char *name,
                            FiloNameBatch *names) {
    FiloResult problem = filo_ok();
    FiloReadOptions options = { .problem = store_first_problem, .user = &problem, .names = names };
    FiloResult r = filo_reflect_read_json(type, value, reader, &options);
    if (r.code == FILO_OK) r = problem;
    if (r.code == FILO_OK) r = names->result;
    return r.code == FILO_OK ? r : filo_error(r.code, "message \"%s\": %s", name, r.message);
}

static FiloResult read_text(const FiloType *type, void *value, FiloString text, const char *name) {
    FiloJsonReader reader;
    filo_json_reader_init(&reader, text.data, text.length, name);
    FiloNameBatch names = { 0 };
    FiloResult r = app_message_read(type, value, &reader, name, &names);
    if (r.code == FILO_OK && filo_json_next(&reader).kind != FILO_JSON_END)
        r = filo_error(FILO_ERROR_DATA, "message \"%s\": there is more than one value", name);
    filo_name_batch_end(&names, r.code == FILO_OK);
    return r;
}

FiloResult app_message_emit(FiloApp *app, const FiloInputMessage *message) {
    if (app_objects_is_result(app, message->event)) return app_objects_enter_result(app, message);
    if (app_command_is(app, message->event)) return filo_ok(); // has been applied
    const char *name = filo_name_text(message->event);
    const FiloType *type = NULL;
    bool declared = filo_events_declared(app->events, message->event, &type);
    if (message->text.length == 0 && type == NULL) {
        filo_events_emit(app->events, message->event, NULL, NULL);
        return filo_ok();
    }
    // A game that is replayed may never declare an event that it sent when it was recorded. Without handlers it has no
    // effect.
    if (!declared && filo_events_handlers(app->events, message->event) == 0) return filo_ok();
    if (type == NULL || message->text.length == 0)
        return filo_error(FILO_ERROR_KIND,
                          "message \"%s\": the recording has another one of that name, with%s a payload",
                          name, message->text.length > 0 ? "" : "out");
    _Alignas(FILO_EVENT_ALIGN) uint8_t value[FILO_APP_MESSAGE] = { 0 };
    if (type->size > sizeof value)
        return filo_error(FILO_ERROR_KIND, "message \"%s\": %s is too large for one", name, type->name);
    FiloResult r = read_text(type, value, message->text, name);
    if (r.code == FILO_OK) filo_events_emit(app->events, message->event, type, value);
    return r;
}
