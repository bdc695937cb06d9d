// Pure objects (filo/objects.h) in an app: the kinds of its description, what they do to the window, and results that come
// from outside of ticks.
//
// A result of a function without `ticks` waits among the messages (message.c), as the text [object, "type", value]. So it
// enters a tick together with them, and a recording has it.

#include "app/app.h"

#include <filo/check.h>
#include <filo/json.h>

#include <inttypes.h>

#define EVENT_RESULT "object result" // the messages that are results

// ---- Kinds, resources and the camera ------------------------------------------------------------------------

FiloResult app_objects_load(FiloApp *app) {
    FiloAssets *assets = filo_app_assets(app);
    if (app->desc.resource_count > 0 && assets == NULL)
        return FILO_MISTAKE("%s has resources, but no module that loads assets", app->name);
    for (size_t i = 0; i < app->desc.resource_count; i++)
        if (filo_assets_load(assets, app->desc.resources[i]).id == 0)
            return filo_error(FILO_ERROR_NOT_FOUND, "%s cannot be loaded", app->desc.resources[i]);
    return filo_ok();
}

// With load_in_background, resources may be missing; drawing shows placeholders.
static FiloResult check_resources(const FiloApp *app) {
    const FiloAssets *assets = filo_app_assets(app);
    for (size_t i = 0; i < app->desc.resource_count && !app->desc.load_in_background; i++) {
        FiloAsset asset = filo_assets_find(assets, filo_name(app->desc.resources[i]));
        if (filo_asset_state(assets, asset) == FILO_ASSET_FAILED) return *filo_asset_error(assets, asset);
    }
    return filo_ok();
}

// Whether the camera is one in space.
static bool is_in_space(const FiloObjectDesc *desc) {
    for (size_t i = 0; i < FILO_OBJECT_TERMS; i++)
        if (desc->shows[i].type == filo_type_FiloTransform3 || desc->shows[i].type == filo_type_FiloCamera3)
            return true;
    return false;
}

static FiloResult create_camera(FiloApp *app) {
    bool in_space = is_in_space(app->desc.camera);
    const FiloType *type = in_space ? FILO_TYPE(FiloCamera3) : FILO_TYPE(FiloCamera);
    FiloComponent component = filo_component_of(app->world, type);
    if (component.id == 0 && in_space)
        return FILO_MISTAKE("%s has a camera in space, but no module that draws with it: set .gfx3d = true",
                            app->name);
    if (component.id == 0)
        return FILO_MISTAKE("%s has a camera, but no module that draws with it: load \"gfx2d\"", app->name);
    FiloObjectKind kind;
    FiloResult r = filo_object_kind_add(&kind, app->world, app->desc.camera);
    if (r.code != FILO_OK) return r;
    FiloEntity camera = filo_entity_create(app->world);
    FiloComponent state = filo_component_of(app->world, app->desc.camera->state());
    if (filo_entity_add(app->world, camera, component) == NULL ||
        filo_entity_add(app->world, camera, state) == NULL ||
        !filo_entity_set_name(app->world, camera, "camera"))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the camera", app->name);
    return filo_ok();
}

FiloResult app_objects_define(FiloApp *app) {
    FiloResult r = check_resources(app);
    if (r.code == FILO_OK && app->desc.kind_count > 0)
        r = filo_object_kinds_add(NULL, app->world, app->desc.kinds, app->desc.kind_count);
    if (r.code == FILO_OK && app->desc.camera != NULL) r = create_camera(app);
    if (r.code == FILO_OK && app->desc.sequential) filo_objects_set_sequential(app->world, true);
    return r;
}

// ---- The window ---------------------------------------------------------------------------------------------

// During a tick, on any thread, one at a time.
static void keep_action(const FiloEvent *event, void *user) {
    FiloApp *app = user;
    (void)filo_array_push(&app->tick.window_actions, *(const FiloWindowAction *)event->payload);
}

static void act(FiloApp *app, FiloWindowAction *action) {
    FiloWindow *window = filo_app_window(app);
    action->text[sizeof action->text - 1] = '\0';
    if (action->kind == FILO_WINDOW_QUIT) filo_app_quit(app);
    if (window == NULL) return;
    switch (action->kind) {
    case FILO_WINDOW_TITLE: filo_window_set_title(window, action->text); break;
    case FILO_WINDOW_FULL_SCREEN: filo_window_set_full_screen(window, action->on); break;
    case FILO_WINDOW_CAPTURE: filo_window_capture_mouse(window, action->on); break;
    case FILO_WINDOW_QUIT: break;
    }
}

void app_objects_after_tick(FiloApp *app) {
    filo_array_each (&app->tick.window_actions, action) act(app, action);
    filo_array_clear(&app->tick.window_actions);
}

// ---- Results ------------------------------------------------------------------------------------------------

static void write_result(FiloJsonWriter *writer, FiloEntity object, const FiloType *type, const void *value) {
    filo_json_begin_array(writer);
    filo_json_write_uint64(writer, object.id);
    filo_json_write_text(writer, type->name);
    filo_reflect_write_json(type, value, writer);
    filo_json_end_array(writer);
}

static void queue_result(FiloEntity object, const FiloType *type, const void *value, void *user) {
    FiloApp *app = user;
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, NULL);
    write_result(&writer, object, type, value);
    size_t length = filo_json_writer_length(&writer);
    if (length > FILO_INPUT_MESSAGE)
        filo_log_error(
            "app",
            "the result %s of a function takes %zu bytes of text, and at most %d can be recorded: it "
            "is dropped; set `ticks` of the function, or make the result smaller",
            type->name, length, FILO_INPUT_MESSAGE);
    else if (filo_json_writer_ok(&writer))
        (void)app_messages_queue(&app->messages, app->result_event,
                                 filo_string_from(filo_json_writer_text(&writer), length));
    filo_json_writer_deinit(&writer);
}

bool app_objects_is_result(const FiloApp *app, FiloName event) { return event.id == app->result_event.id; }

static FiloResult read_result(FiloApp *app, FiloJsonReader *reader, const FiloType **type,
                              FiloEntity *object) {
    char name[256];
    bool well_formed = filo_json_next(reader).kind == FILO_JSON_ARRAY_BEGIN &&
                       filo_json_as_uint64(filo_json_next(reader), &object->id);
    FiloJsonToken token = filo_json_next(reader);
    if (!well_formed || token.kind != FILO_JSON_STRING ||
        filo_json_as_text(token, name, sizeof name) >= sizeof name)
        return filo_error(FILO_ERROR_DATA, "a result of a function is broken");
    *type = filo_objects_event_named(app->world, name);
    return *type != NULL ? filo_ok()
                         : filo_error(FILO_ERROR_KIND,
                                      "a function returned %s, which no object of this game takes", name);
}

FiloResult app_objects_enter_result(FiloApp *app, const FiloInputMessage *message) {
    FiloJsonReader reader;
    filo_json_reader_init(&reader, message->text.data, message->text.length, EVENT_RESULT);
    const FiloType *type = NULL;
    FiloEntity object = { 0 };
    FiloResult r = read_result(app, &reader, &type, &object);
    if (r.code != FILO_OK) return r;
    void *value = filo_alloc_zero(NULL, FILO_MAX(type->size, (size_t)1), FILO_CACHE_LINE);
    if (value == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the result of a function");
    FiloNameBatch names = { 0 };
    r = app_message_read(type, value, &reader, EVENT_RESULT, &names);
    if (r.code == FILO_OK && (filo_json_next(&reader).kind != FILO_JSON_ARRAY_END ||
                              filo_json_next(&reader).kind != FILO_JSON_END))
        r = filo_error(FILO_ERROR_DATA, "a result of a function is broken");
    filo_name_batch_end(&names, r.code == FILO_OK);
    if (r.code == FILO_OK) filo_objects_result(app->world, object, type, value);
    filo_free(NULL, value, FILO_MAX(type->size, (size_t)1), FILO_CACHE_LINE);
    return r;
}

// ---- Life ---------------------------------------------------------------------------------------------------

FiloResult app_objects_init(FiloApp *app) {
    app->result_event = filo_name(EVENT_RESULT);
    filo_objects_set_results(app->world, queue_result, app, app->replay != NULL);
    FiloSubscription window =
        filo_events_subscribe(app->events, &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_WINDOW),
                                                               .type = FILO_TYPE(FiloWindowAction),
                                                               .function = keep_action,
                                                               .user = app });
    if (window.generation == 0)
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the events", app->name);
    return filo_ok();
}

void app_objects_deinit(FiloApp *app) { filo_array_deinit(&app->tick.window_actions); }
