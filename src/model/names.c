// Names that are unique in their list. A name that is taken gets a number: "Leg", "Leg.2". Each name in the table has the
// number that its next duplicate tries first, so that a file in which all names are equal does not take quadratic time.

#include "model/model.h"

#include <filo/hash.h>

#include <stdio.h>
#include <string.h>

#define NAME_SIZE ((size_t)1024) // bytes of a name that are used; only hostile files have longer ones

static ModelName *find(const ModelNames *names, const char *text, size_t length) {
    size_t mask = names->capacity - 1, i = (size_t)filo_hash(text, length) & mask;
    for (;; i = (i + 1) & mask) {
        ModelName *slot = &names->slots[i];
        if (slot->text == NULL) return slot;
        if (slot->length == length && memcmp(slot->text, text, length) == 0) return slot;
    }
}

static bool grow(ModelReader *reader, ModelNames *names) {
    if (names->capacity > names->count * 2) return true;
    ModelNames larger = { .capacity = names->capacity == 0 ? 16 : names->capacity * 2 };
    larger.slots = model_temporary(reader, NULL, 0, larger.capacity * sizeof(ModelName));
    if (larger.slots == NULL) return false;
    memset(larger.slots, 0, larger.capacity * sizeof(ModelName));
    for (size_t i = 0; i < names->capacity; i++)
        if (names->slots[i].text != NULL)
            *find(&larger, names->slots[i].text, names->slots[i].length) = names->slots[i];
    larger.count = names->count;
    model_names_free(reader, names);
    *names = larger;
    return true;
}

static const char *add(ModelReader *reader, ModelNames *names, const char *text, size_t length,
                       uint32_t value) {
    char *copy = model_copy_text(reader, text, length);
    if (copy == NULL) return NULL;
    *find(names, text, length) = (ModelName){ .text = copy, .length = (uint32_t)length, .value = value };
    names->count++;
    return copy;
}

static const char *add_numbered(ModelReader *reader, ModelNames *names, const char *text, size_t length,
                                uint32_t *next) {
    char *numbered = model_temporary(reader, NULL, 0, length + 16);
    if (numbered == NULL) return NULL;
    size_t total;
    do {
        memcpy(numbered, text, length);
        total = length + (size_t)snprintf(numbered + length, 16, ".%u", (*next)++);
    } while (find(names, numbered, total)->text != NULL);
    const char *name = add(reader, names, numbered, total, 2);
    model_temporary_free(reader, numbered, length + 16);
    return name;
}

const char *model_unique_name(ModelReader *reader, ModelNames *names, const char *text, size_t length,
                              const char *fallback) {
    // Up to a zero, because names are compared as texts.
    length = text != NULL ? strnlen(text, FILO_MIN(length, NAME_SIZE)) : 0;
    if (!grow(reader, names)) return NULL;
    if (length == 0) {
        text = fallback;
        length = strlen(fallback);
    }
    ModelName *slot = find(names, text, length);
    if (slot->text == NULL) return add(reader, names, text, length, 2);
    return add_numbered(reader, names, text, length, &slot->value);
}

ModelName *model_names_find(ModelReader *reader, ModelNames *names, const char *text, size_t length) {
    length = FILO_MIN(length, NAME_SIZE);
    if (!grow(reader, names)) return NULL;
    ModelName *slot = find(names, text, length);
    if (slot->text == NULL && add(reader, names, text, length, UINT32_MAX) == NULL) return NULL;
    return slot;
}

void model_names_free(ModelReader *reader, ModelNames *names) {
    model_temporary_free(reader, names->slots, names->capacity * sizeof(ModelName));
    *names = (ModelNames){ 0 };
}
