// Problems and errors: messages with their locations.

#include "scene/scene.h"

#include <filo/log.h>

#include <stdio.h>

void scene_report(FiloScene *scene, const SceneReport *report, const char *format, ...) {
    char text[384], location[200] = "", entity[128], message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    scene->problem_count++;
    const char *path = report->path != NULL ? report->path : "";
    if (report->source != NULL)
        snprintf(location, sizeof location, "%s:%d:%d: ", report->source, report->location.line,
                 report->location.column);
    filo_string_copy(report->entity, entity, sizeof entity);
    snprintf(message, sizeof message, "%s%s%s%s%s%s", location, entity, entity[0] != '\0' ? ": " : "", path,
             path[0] != '\0' ? ": " : "", text);
    if (scene->problem == NULL) {
        filo_log_warn("scene", "%s", message);
        return;
    }
    FiloSceneProblem problem = { .kind = report->kind,
                                 .value = report->value,
                                 .entity = entity,
                                 .path = path,
                                 .message = message,
                                 .line = report->source != NULL ? report->location.line : 0,
                                 .column = report->source != NULL ? report->location.column : 0 };
    scene->problem(&problem, scene->user);
}

bool scene_fail(SceneLoader *loader, SceneLocation location, FiloCode code, const char *format, ...) {
    char text[FILO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    loader->result = filo_error(code, "%s:%d:%d: %s", loader->source, location.line, location.column, text);
    return false;
}

bool scene_no_memory(SceneLoader *loader) {
    loader->result = filo_error(FILO_ERROR_MEMORY, "%s: no memory to load the scene", loader->source);
    return false;
}
