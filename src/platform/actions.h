// Actions with what the player chose, and what the game gave.

#ifndef FILO_PLATFORM_ACTIONS_H
#define FILO_PLATFORM_ACTIONS_H

#include <filo/input.h>

typedef struct FiloActionEntry {
    FiloActionDesc desc; // as it is now; its texts are our copies
    FiloName name;
    FiloBinding given[FILO_ACTION_BINDINGS];
} FiloActionEntry;

struct FiloActions {
    const FiloAllocator *allocator;
    size_t count;
    FiloActionEntry entries[FILO_INPUT_ACTIONS];
};

static inline bool filo_binding_empty(const FiloBinding *binding) {
    return binding->key == FILO_KEY_NONE && !binding->is_axis;
}
#define FILO_BINDING_SCALE 1000 // the largest
// Whether it is empty or means something.
bool filo_binding_good(const FiloBinding *binding);

// NULL if there is none.
FiloActionEntry *filo_actions_find(FiloActions *actions, FiloString name);

// What filo_actions_save writes.
void filo_actions_write(const FiloActions *actions, FiloJsonWriter *writer);

// filo_actions_load of a text; `source` is named in messages.
FiloResult filo_actions_parse(FiloActions *actions, const char *text, size_t length, const char *source);

#endif
