// Commands: changes of the world that an editor makes between ticks (filo/command.h).
//
// A command is applied at once, so that it shows in a pause too. The recording has it among the messages of the next
// tick, and a replay applies it right before that tick. No tick runs between the two moments, so both begin the tick
// with the same world.

#include "app/app.h"

#include <filo/check.h>

static FiloResult check_moment(const FiloApp *app, const FiloCommand *command) {
    if (app == NULL || command == NULL) return FILO_MISTAKE("pass an app and a command");
    if (app->tick.running || app->drawing)
        return FILO_MISTAKE("change the world between ticks: in `frame`, `extract` or `ui`, not in `draw`");
    if (app->replay != NULL)
        return filo_error(FILO_ERROR_BUSY, "a replay cannot be changed: it repeats what was recorded");
    if (app->rewind.active)
        return filo_error(FILO_ERROR_BUSY, "the past cannot be changed: go on from this tick first");
    return filo_ok();
}

// Adds it to the messages of the next tick. False without memory.
static bool queue(FiloApp *app, const FiloCommand *command) {
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, NULL);
    filo_reflect_write_json(FILO_TYPE(FiloCommand), command, &writer);
    bool queued = filo_json_writer_ok(&writer) &&
                  app_messages_queue(
                      &app->messages, app->command_event,
                      filo_string_from(filo_json_writer_text(&writer), filo_json_writer_length(&writer)));
    filo_json_writer_deinit(&writer);
    return queued;
}

FiloResult filo_app_command(FiloApp *app, const FiloCommand *command, FiloEntity *made) {
    if (made != NULL) *made = FILO_ENTITY_NONE;
    FiloResult r = check_moment(app, command);
    if (r.code != FILO_OK) return r;
    if (app->recorder == NULL) return filo_world_command(app->world, command, made);
    // A recording ends with a tick. If no further tick follows, it has the hash from before the commands.
    if (!app->has_unrecorded_commands) app->recorded_hash = filo_world_hash(app->world);
    r = filo_world_command(app->world, command, made);
    if (r.code != FILO_OK) return r;
    app->has_unrecorded_commands = true;
    if (queue(app, command)) return r;
    app->record_failed = true;
    filo_log_error("app", "no memory to record a command: the game goes on without being recorded");
    return r;
}

bool app_command_is(const FiloApp *app, FiloName event) { return event.id == app->command_event.id; }

FiloResult app_commands_replay(FiloApp *app, const FiloInputMessage *messages, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!app_command_is(app, messages[i].event)) continue;
        FiloCommand command = { 0 };
        FiloJsonReader reader;
        const char *name = filo_name_text(messages[i].event);
        filo_json_reader_init(&reader, messages[i].text.data, messages[i].text.length, name);
        FiloNameBatch names = { 0 }; // what the command changes has names of its own
        FiloResult r = app_message_read(FILO_TYPE(FiloCommand), &command, &reader, name, &names);
        if (r.code == FILO_OK) r = filo_world_command(app->world, &command, NULL);
        filo_name_batch_end(&names, false);
        if (r.code != FILO_OK)
            return filo_error(r.code, "a command of the recording does not fit the game: %s", r.message);
    }
    return filo_ok();
}
