#include "shared/parameters.h"

#include <string.h>

void parameters_sync(Parameters *parameters, const FiloType *type, void *shown, const void *in_world) {
    if (filo_reflect_equal(type, shown, in_world)) parameters->sent = false;
    if (!parameters->sent) memcpy(shown, in_world, type->size);
    parameters->seen = filo_reflect_hash(type, shown, 0);
}

void parameters_send(Parameters *parameters, FiloApp *app, const FiloType *type, const void *shown,
                     FiloName event) {
    if (filo_reflect_hash(type, shown, 0) == parameters->seen) return;
    bool sent = filo_app_send(app, event, type, shown);
    parameters->sent = sent && filo_app_args(app)->replay == NULL; // a replay ignores it
}
