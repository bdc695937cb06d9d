// Any text as a file of actions: it is refused with a message and changes nothing, or it is loaded. Then the saved file
// loads again as the same.

#include <filo/input.h>
#include <filo/log.h>

#include "platform/actions.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FiloActions *make(void) {
    FiloActions *actions;
    if (filo_actions_create(&actions, NULL).code != FILO_OK) abort();
    filo_actions_add(actions, &(FiloActionDesc){ .name = "fire", .bindings = { FILO_BIND(FILO_KEY_SPACE) } });
    filo_actions_add(actions,
                     &(FiloActionDesc){ .name = "x", .bindings = { FILO_BIND_AXIS(FILO_AXIS_LEFT_X) } });
    return actions;
}

static bool same(const FiloActions *a, const FiloActions *b) {
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < FILO_ACTION_BINDINGS; j++) {
            const FiloBinding *x = &a->entries[i].desc.bindings[j], *y = &b->entries[i].desc.bindings[j];
            if (x->key != y->key || x->axis != y->axis || x->is_axis != y->is_axis || x->scale != y->scale)
                return false;
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    FiloActions *first = make(), *second = make();
    FiloResult result = platform_actions_parse(first, (const char *)data, size, "fuzz");
    if (result.code != FILO_OK) {
        if (result.message[0] == '\0' || !same(first, second)) abort();
    } else {
        FiloJsonWriter writer;
        filo_json_writer_init(&writer, NULL);
        platform_actions_write(first, &writer);
        result = platform_actions_parse(second, filo_json_writer_text(&writer),
                                        filo_json_writer_length(&writer), "saved");
        if (result.code != FILO_OK || !same(first, second)) abort();
        filo_json_writer_deinit(&writer);
    }
    filo_actions_destroy(first);
    filo_actions_destroy(second);
    return 0;
}
