// Actions with their current bindings and their default bindings.

#ifndef FILO_PLATFORM_ACTIONS_H
#define FILO_PLATFORM_ACTIONS_H

#include <filo/input.h>

typedef struct PlatformActionEntry {
    FiloActionDesc desc; // with the current bindings; its texts are copies
    FiloName name;
    FiloBinding defaults[FILO_ACTION_BINDINGS];
} PlatformActionEntry;

struct FiloActions {
    const FiloAllocator *allocator;
    size_t count;
    PlatformActionEntry entries[FILO_INPUT_ACTIONS];
};

static inline bool platform_binding_empty(const FiloBinding *binding) {
    return binding->key == FILO_KEY_NONE && !binding->is_axis;
}
#define PLATFORM_BINDING_SCALE_MAX 1000
// Whether it is empty, or a key or axis that exists.
bool platform_binding_valid(const FiloBinding *binding);

// NULL if there is none.
PlatformActionEntry *platform_actions_find(FiloActions *actions, FiloString name);

// What filo_actions_save writes.
void platform_actions_write(const FiloActions *actions, FiloJsonWriter *writer);

// filo_actions_load of a text; `source` is named in messages.
FiloResult platform_actions_parse(FiloActions *actions, const char *text, size_t length, const char *source);

#endif
