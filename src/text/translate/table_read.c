// Reading tables of translations: see filo/text.h for what is in them.

#include "text/translate/tables.h"

#include <filo/json.h>

static const char *const form_names[TEXT_PLURAL_COUNT] = { "other", "zero", "one", "two", "few", "many" };

#define TEXT_MAX FILO_MIB(64) // bytes of all texts of a table

static FiloResult no_memory(const char *source) {
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the translations", source);
}

// Adds a string; returns its offset, 0 without memory.
static uint32_t add_string(TextTable *table, FiloJsonToken token) {
    size_t length = filo_json_as_text(token, NULL, 0), start = table->strings.length;
    if (start + length + 1 > TEXT_MAX || !filo_builder_reserve(&table->strings, start + length + 1)) return 0;
    filo_json_as_text(token, table->strings.data + start, length + 1);
    table->strings.length = start + length;
    return filo_builder_add_byte(&table->strings, '\0') ? (uint32_t)start : 0;
}

static FiloResult twice(const FiloJsonReader *reader, FiloJsonToken key) {
    char text[64];
    (void)filo_json_as_text(key, text, sizeof text);
    return filo_json_error_at(reader, key, "\"%s\" is there twice", text);
}

static FiloResult read_forms(TextTable *table, FiloJsonReader *reader, TextEntry *entry,
                             FiloJsonToken begin) {
    FiloJsonToken name;
    while ((name = filo_json_next(reader)).kind == FILO_JSON_KEY) {
        uint32_t *to = filo_json_equal(name, "plural") ? &entry->argument : NULL;
        for (unsigned form = 0; form < TEXT_PLURAL_COUNT; form++)
            if (filo_json_equal(name, form_names[form])) to = &entry->forms[form];
        FiloJsonToken value = filo_json_next(reader);
        if (value.kind == FILO_JSON_ERROR) return reader->error;
        if (to == NULL)
            return filo_json_error_at(reader, name, "a text has zero, one, two, few, many, other and plural");
        if (value.kind != FILO_JSON_STRING)
            return filo_json_error_at(reader, value, "expected a string, not %s",
                                      filo_json_kind_name(value.kind));
        if (*to != 0) return twice(reader, name);
        *to = add_string(table, value);
        if (*to == 0) return no_memory(reader->source);
    }
    if (name.kind == FILO_JSON_ERROR) return reader->error;
    if (entry->forms[TEXT_PLURAL_OTHER] == 0)
        return filo_json_error_at(reader, begin, "a text needs the form other");
    return filo_ok();
}

// Finds the place of a key in the index: its entry, or where it can be added.
static uint32_t *put_key(TextTable *table, const char *key, bool *exists) {
    for (uint64_t hash = filo_hash_text(key);; hash++) {
        uint32_t *index = filo_map_get(&table->index, hash);
        *exists = index != NULL;
        if (index == NULL) return filo_map_put(&table->index, hash);
        if (strcmp(table->strings.data + table->entries.items[*index].key, key) == 0) return index;
    }
}

const TextEntry *text_table_find(const TextTable *table, const char *key) {
    for (uint64_t hash = filo_hash_text(key);; hash++) {
        const uint32_t *index = filo_map_get(&table->index, hash);
        if (index == NULL) return NULL;
        const TextEntry *entry = &table->entries.items[*index];
        if (strcmp(table->strings.data + entry->key, key) == 0) return entry;
    }
}

static FiloResult add_entry(TextTable *table, const TextEntry *entry, const FiloJsonReader *reader,
                            FiloJsonToken key) {
    bool exists;
    uint32_t *index = put_key(table, table->strings.data + entry->key, &exists);
    if (index == NULL) return no_memory(reader->source);
    if (exists) return twice(reader, key);
    *index = (uint32_t)table->entries.count;
    return filo_array_push(&table->entries, *entry) ? filo_ok() : no_memory(reader->source);
}

static FiloResult read_texts(TextTable *table, FiloJsonReader *reader, FiloJsonToken begin) {
    if (begin.kind != FILO_JSON_OBJECT_BEGIN)
        return begin.kind == FILO_JSON_ERROR ? reader->error
                                             : filo_json_error_at(reader, begin, "texts must be an object");
    FiloJsonToken key;
    while ((key = filo_json_next(reader)).kind == FILO_JSON_KEY) {
        TextEntry entry = { .key = add_string(table, key) };
        if (entry.key == 0) return no_memory(reader->source);
        FiloJsonToken value = filo_json_next(reader);
        FiloResult r = filo_ok();
        if (value.kind == FILO_JSON_STRING) {
            entry.forms[TEXT_PLURAL_OTHER] = add_string(table, value);
            if (entry.forms[TEXT_PLURAL_OTHER] == 0) r = no_memory(reader->source);
        } else if (value.kind == FILO_JSON_OBJECT_BEGIN) {
            r = read_forms(table, reader, &entry, value);
        } else {
            r = value.kind == FILO_JSON_ERROR
                    ? reader->error
                    : filo_json_error_at(reader, value, "expected a text, or an object of its plural forms");
        }
        if (r.code == FILO_OK) r = add_entry(table, &entry, reader, key);
        if (r.code != FILO_OK) return r;
    }
    return key.kind == FILO_JSON_ERROR ? reader->error : filo_ok();
}

static FiloResult read_table(TextTable *table, FiloJsonReader *reader) {
    FiloJsonToken token = filo_json_next(reader);
    if (token.kind == FILO_JSON_ERROR) return reader->error;
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return filo_json_error_at(reader, token, "a table of translations is an object");
    bool texts = false;
    while ((token = filo_json_next(reader)).kind == FILO_JSON_KEY) {
        FiloResult r = filo_ok();
        if (texts && filo_json_equal(token, "texts")) return twice(reader, token);
        if (table->language != 0 && filo_json_equal(token, "language")) return twice(reader, token);
        if (filo_json_equal(token, "texts")) {
            texts = true;
            r = read_texts(table, reader, filo_json_next(reader));
        } else if (filo_json_equal(token, "language")) {
            FiloJsonToken value = filo_json_next(reader);
            if (value.kind == FILO_JSON_ERROR) return reader->error;
            if (value.kind != FILO_JSON_STRING)
                return filo_json_error_at(reader, value, "language must be a string");
            table->language = add_string(table, value);
            if (table->language == 0) r = no_memory(reader->source);
        } else if (!filo_json_skip(reader, token)) {
            r = reader->error;
        }
        if (r.code != FILO_OK) return r;
    }
    if (token.kind == FILO_JSON_ERROR || filo_json_next(reader).kind == FILO_JSON_ERROR) return reader->error;
    return texts ? filo_ok()
                 : filo_error(FILO_ERROR_DATA, "%s: a table of translations has \"texts\"", reader->source);
}

void text_table_release(TextTable *table) {
    // Release and acquire: what other threads did with the table happens before it is freed.
    if (table == NULL || __atomic_sub_fetch(&table->references, 1, __ATOMIC_ACQ_REL) > 0) return;
    filo_builder_deinit(&table->strings);
    filo_array_deinit(&table->entries);
    filo_map_deinit(&table->index);
    filo_free(table->allocator, table, sizeof *table, 0);
}

FiloResult text_table_read(TextTable **out, FiloString json, const char *source,
                           const FiloAllocator *allocator) {
    *out = NULL;
    TextTable *table = filo_alloc_zero(allocator, sizeof *table, 0);
    if (table == NULL) return no_memory(source);
    table->references = 1;
    table->allocator = allocator;
    filo_builder_init(&table->strings, allocator);
    filo_array_init(&table->entries, allocator);
    filo_map_init(&table->index, sizeof(uint32_t), allocator);
    FiloJsonReader reader;
    filo_json_reader_init(&reader, json.data, json.length, source);
    // Offset 0 is an empty string, so that it can mean "none".
    FiloResult r =
        filo_builder_add_byte(&table->strings, '\0') ? read_table(table, &reader) : no_memory(source);
    if (r.code != FILO_OK)
        text_table_release(table);
    else
        *out = table;
    return r;
}

// ---- The type of assets ---------------------------------------------------------------------------------

static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    TextTable *table;
    FiloResult r =
        text_table_read(&table, filo_string_from(bytes->bytes, bytes->size), bytes->name, bytes->allocator);
    *data = table;
    return r;
}

static void free_table(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(allocator);
    FILO_UNUSED(user);
    text_table_release(data);
}

FiloAssetType text_table_type(void) {
    return (FiloAssetType){ .name = "translations", .decode = decode, .free = free_table };
}
