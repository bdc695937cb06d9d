// Any bytes as the JSON of a struct, and as a path with a value: nothing is accessed outside the struct. An accepted
// value can be written and read again as the same.

#include "support/creature.h"

#include <filo/check.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(const FiloProblem *problem, void *user) {
    *(size_t *)user += strlen(problem->message) + strlen(problem->path);
}

static void read_json(const char *text, size_t size) {
    size_t seen = 0;
    FiloReadOptions options = { .problem = ignore, .user = &seen };
    Creature first = { 0 }, second = { 0 };
    FiloJsonReader reader;
    filo_json_reader_init(&reader, text, size, "fuzz");
    if (filo_reflect_read_json(FILO_TYPE(Creature), &first, &reader, &options).code != FILO_OK) return;
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, NULL);
    filo_reflect_write_json(FILO_TYPE(Creature), &first, &writer);
    if (!filo_json_writer_ok(&writer)) abort();
    filo_json_reader_init(&reader, filo_json_writer_text(&writer), filo_json_writer_length(&writer), "again");
    if (filo_reflect_read_json(FILO_TYPE(Creature), &second, &reader, &options).code != FILO_OK) abort();
    second.cache = first.cache;
    char path[64];
    if (filo_reflect_difference(FILO_TYPE(Creature), &first, &second, path, sizeof path)) abort();
    if (filo_reflect_hash(FILO_TYPE(Creature), &first, 1) !=
        filo_reflect_hash(FILO_TYPE(Creature), &second, 1))
        abort();
    filo_json_writer_deinit(&writer);
}

// "path=value"
static void set_by_path(char *text) {
    char *value_text = strchr(text, '=');
    if (value_text == NULL) return;
    *value_text++ = '\0';
    Creature creature = creature_sample();
    FiloValue value;
    if (filo_reflect_find(&value, FILO_TYPE(Creature), &creature, text).code != FILO_OK) return;
    if (filo_reflect_parse(value, value_text).code != FILO_OK) return;
    char printed[64];
    filo_reflect_print(value, printed, sizeof printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (size > 0 && text[0] != '{')
        set_by_path(text);
    else
        read_json(text, size);
    free(text);
    return 0;
}
