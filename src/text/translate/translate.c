// The tables that a typesetter uses, and texts with arguments.

#include "text/typesetter.h"

#include <filo/check.h>
#include <filo/log.h>

#include <math.h>
#include <stdio.h>

// ---- Tables ---------------------------------------------------------------------------------------------

static TextTable *retain(TextTable *table) {
    if (table != NULL) __atomic_fetch_add(&table->references, 1, __ATOMIC_RELAXED);
    return table;
}

void text_tables_init(FiloTypesetter *setter) {
    filo_map_init(&setter->tables.missing, 0, setter->allocator);
    setter->tables.version = 1;
}

static void free_use(FiloTypesetter *setter, TextTableUse *use) {
    text_table_release(use->table);
    if (use->asset.id != 0) filo_assets_unload(setter->assets, use->asset);
    filo_name_release(use->name);
    *use = (TextTableUse){ 0 };
}

static void clear(FiloTypesetter *setter) {
    for (size_t i = 0; i < setter->tables.count; i++) free_use(setter, &setter->tables.uses[i]);
    setter->tables.count = 0;
    setter->tables.version++;
}

void text_tables_deinit(FiloTypesetter *setter) {
    clear(setter);
    filo_map_deinit(&setter->tables.missing);
}

// A use with this name, as the last one. NULL if there are too many, or without memory.
static TextTableUse *put_use(FiloTypesetter *setter, const char *name, FiloResult *result) {
    TextTables *tables = &setter->tables;
    TextTableUse use = { 0 };
    *result = filo_name_retain(&use.name, filo_string(name));
    if (result->code != FILO_OK) return NULL;
    for (size_t i = 0; i < tables->count; i++)
        if (tables->uses[i].name.id == use.name.id) {
            filo_name_release(use.name);
            use = tables->uses[i];
            memmove(&tables->uses[i], &tables->uses[i + 1], (--tables->count - i) * sizeof use);
            break;
        }
    if (tables->count == TEXT_TABLES_MAX) {
        filo_name_release(use.name);
        *result = filo_error(FILO_ERROR_LIMIT, "%s: %d tables of translations are in use already", name,
                             TEXT_TABLES_MAX);
        return NULL;
    }
    tables->version++;
    filo_map_clear(&tables->missing);
    tables->uses[tables->count] = use;
    return &tables->uses[tables->count++];
}

static void take_asset(FiloTypesetter *setter, TextTableUse *use) {
    uint32_t version = filo_asset_version(setter->assets, use->asset);
    if (version == use->version || filo_asset_state(setter->assets, use->asset) != FILO_ASSET_READY) return;
    use->version = version;
    text_table_release(use->table);
    use->table = retain((TextTable *)filo_asset_data(setter->assets, use->asset));
    setter->tables.version++;
    filo_map_clear(&setter->tables.missing);
}

void text_tables_update(FiloTypesetter *setter) {
    for (size_t i = 0; i < setter->tables.count; i++)
        if (setter->tables.uses[i].asset.id != 0) take_asset(setter, &setter->tables.uses[i]);
}

FiloResult filo_text_use_translations(FiloTypesetter *setter, const char *asset) {
    if (setter == NULL) return FILO_MISTAKE("pass the typesetter that filo_typesetter_create returned");
    if (asset == NULL || asset[0] == '\0') return FILO_MISTAKE("name the asset with the translations");
    if (setter->assets == NULL)
        return FILO_MISTAKE("give the typesetter assets, or use filo_text_add_translations");
    FiloResult r;
    TextTableUse *use = put_use(setter, asset, &r);
    if (use == NULL) return r;
    if (use->asset.id == 0) use->asset = filo_assets_load_as(setter->assets, "translations", asset);
    if (use->asset.id == 0) {
        free_use(setter, use);
        setter->tables.count--;
        return filo_error(FILO_ERROR_NOT_FOUND, "%s: this table of translations cannot be loaded", asset);
    }
    take_asset(setter, use);
    return filo_ok();
}

FiloResult filo_text_add_translations(FiloTypesetter *setter, const char *name, FiloString json) {
    if (setter == NULL) return FILO_MISTAKE("pass the typesetter that filo_typesetter_create returned");
    if (name == NULL || name[0] == '\0') return FILO_MISTAKE("give the table of translations a name");
    TextTable *table;
    FiloResult r = text_table_read(&table, json, name, setter->allocator);
    if (r.code != FILO_OK) return r;
    TextTableUse *use = put_use(setter, name, &r);
    if (use == NULL) {
        text_table_release(table);
        return r;
    }
    text_table_release(use->table);
    if (use->asset.id != 0) filo_assets_unload(setter->assets, use->asset);
    use->asset = (FiloAsset){ 0 };
    use->table = table;
    return r;
}

void filo_text_clear_translations(FiloTypesetter *setter) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned")) return;
    clear(setter);
}

uint32_t filo_text_translations_version(const FiloTypesetter *setter) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned")) return 0;
    return setter->tables.version;
}

// ---- Texts ----------------------------------------------------------------------------------------------

#define MISSING_MAX 256 // keys that are reported

static void report_missing(FiloTypesetter *setter, const char *key) {
    TextTables *tables = &setter->tables;
    // While a table is loading, nothing is missing.
    for (size_t i = 0; i < tables->count; i++)
        if (tables->uses[i].table == NULL &&
            filo_asset_state(setter->assets, tables->uses[i].asset) == FILO_ASSET_LOADING)
            return;
    uint64_t hash = filo_hash_text(key);
    if (tables->missing.count >= MISSING_MAX || filo_map_has(&tables->missing, hash)) return;
    if (filo_map_put(&tables->missing, hash) != NULL)
        filo_log_warn("text", "no table of translations has \"%s\"", key);
}

static const TextEntry *find_entry(FiloTypesetter *setter, const char *key, const TextTable **table) {
    for (size_t i = setter->tables.count; i-- > 0;) {
        *table = setter->tables.uses[i].table;
        const TextEntry *entry = *table != NULL ? text_table_find(*table, key) : NULL;
        if (entry != NULL) return entry;
    }
    report_missing(setter, key);
    return NULL;
}

const char *filo_text_translate(FiloTypesetter *setter, const char *key) {
    if (key == NULL) key = "";
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned")) return key;
    const TextTable *table;
    const TextEntry *entry = find_entry(setter, key, &table);
    return entry != NULL ? table->strings.data + entry->forms[TEXT_PLURAL_OTHER] : key;
}

// ---- Arguments ------------------------------------------------------------------------------------------

typedef struct Output {
    char *text;
    size_t size, length; // `length` of the whole, whether it fits or not
    bool full;           // something did not fit: nothing more is written
    size_t written;
} Output;

static void write_bytes(Output *output, const char *bytes, size_t count) {
    size_t room = output->size > 0 ? output->size - 1 - output->written : 0;
    if (!output->full) {
        FiloString part = filo_utf8_cut(filo_string_from(bytes, count), FILO_MIN(room, count));
        if (part.length > 0) memcpy(output->text + output->written, part.data, part.length);
        output->written += part.length;
        output->full = part.length < count;
    }
    output->length += count;
}

static void write_argument(Output *output, const FiloTextArgument *argument) {
    if (argument->text != NULL) {
        write_bytes(output, argument->text, strlen(argument->text));
        return;
    }
    char number[64];
    double n = argument->number;
    bool whole = fabs(n) < 1e15 && floor(n) == n;
    int length = whole ? snprintf(number, sizeof number, "%lld", (long long)n)
                       : snprintf(number, sizeof number, "%.6g", n);
    if (length > 0) write_bytes(output, number, (size_t)length);
}

static const FiloTextArgument *find_argument(FiloString name, const FiloTextArgument *arguments,
                                             size_t count) {
    for (size_t i = 0; i < count; i++)
        if (arguments[i].name != NULL && filo_string_equal(name, filo_string(arguments[i].name)))
            return &arguments[i];
    uint32_t position;
    bool digits = name.length > 0 && name.data[0] >= '0' && name.data[0] <= '9';
    if (digits && filo_parse_uint32(name, &position).code == FILO_OK && position < count)
        return &arguments[position];
    return NULL;
}

static void write_format(Output *output, FiloString format, const FiloTextArgument *arguments, size_t count) {
    for (size_t i = 0; i < format.length;) {
        char c = format.data[i];
        char next = i + 1 < format.length ? format.data[i + 1] : '\0';
        if ((c == '{' || c == '}') && next == c) {
            write_bytes(output, &c, 1);
            i += 2;
            continue;
        }
        size_t end = i + 1;
        if (c == '{') {
            while (end < format.length && format.data[end] != '}' && format.data[end] != '{') end++;
            FiloString name = filo_string_slice(format, i + 1, end - i - 1);
            const FiloTextArgument *argument =
                end < format.length && format.data[end] == '}' ? find_argument(name, arguments, count) : NULL;
            if (argument != NULL) {
                write_argument(output, argument);
                i = end + 1;
                continue;
            }
        }
        while (end < format.length && format.data[end] != '{' && format.data[end] != '}') end++;
        write_bytes(output, format.data + i, end - i);
        i = end;
    }
}

static const char *choose_form(const TextTable *table, const TextEntry *entry,
                               const FiloTextArgument *arguments, size_t count) {
    const char *strings = table->strings.data;
    const FiloTextArgument *deciding = NULL;
    if (entry->argument != 0) {
        deciding = find_argument(filo_string(strings + entry->argument), arguments, count);
    } else {
        for (size_t i = 0; i < count && deciding == NULL; i++)
            if (arguments[i].text == NULL) deciding = &arguments[i];
    }
    TextPlural form = TEXT_PLURAL_OTHER;
    if (deciding != NULL && deciding->text == NULL)
        form = text_plural_form(strings + table->language, deciding->number);
    // "zero" may be given in any language.
    if (deciding != NULL && deciding->number == 0.0 && entry->forms[TEXT_PLURAL_ZERO] != 0)
        form = TEXT_PLURAL_ZERO;
    return strings + entry->forms[entry->forms[form] != 0 ? form : TEXT_PLURAL_OTHER];
}

size_t filo_text_translate_format(FiloTypesetter *setter, char *text, size_t size, const char *key,
                                  const FiloTextArgument *arguments, size_t count) {
    if (!FILO_CHECK(text != NULL || size == 0, "pass memory for the text")) size = 0;
    if (!FILO_CHECK(arguments != NULL || count == 0, "pass the arguments")) count = 0;
    if (size > 0) text[0] = '\0';
    if (key == NULL) key = "";
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned")) return 0;
    const TextTable *table;
    const TextEntry *entry = find_entry(setter, key, &table);
    const char *format = entry != NULL ? choose_form(table, entry, arguments, count) : key;
    Output output = { .text = text, .size = size };
    write_format(&output, filo_string(format), arguments, count);
    if (size > 0) text[output.written] = '\0';
    return output.length;
}
