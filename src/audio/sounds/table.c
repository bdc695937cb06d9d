// Tables of cues: JSON that says which events make which sounds. docs/audio.md has the format.

#include "audio/audio.h"

#include <string.h>

typedef struct Reader {
    FiloJsonReader json;
    FiloNameBatch names;
    const FiloAllocator *allocator;
    AudioTableCue *cues;
    size_t count;
} Reader;

// ---- Values -----------------------------------------------------------------------------------------------------------

static FiloResult wrong(Reader *reader, FiloJsonToken token, const char *what) {
    if (token.kind == FILO_JSON_ERROR) return reader->json.error;
    return filo_json_error_at(&reader->json, token, "%s, not %s", what, filo_json_kind_name(token.kind));
}

static FiloResult read_name(Reader *reader, FiloJsonToken token, const char *what, FiloName *name) {
    char text[256];
    if (token.kind != FILO_JSON_STRING && token.kind != FILO_JSON_KEY) return wrong(reader, token, what);
    size_t length = filo_json_as_text(token, text, sizeof text);
    if (length == 0 || length >= sizeof text)
        return filo_json_error_at(&reader->json, token, "a name has 1 to %zu bytes", sizeof text - 1);
    *name = filo_name_batch_add(&reader->names, filo_string_from(text, length));
    return reader->names.result;
}

static FiloResult read_text(Reader *reader, const char *what, char *text, size_t size) {
    FiloJsonToken token = filo_json_next(&reader->json);
    if (token.kind != FILO_JSON_STRING) return wrong(reader, token, what);
    if (filo_json_as_text(token, text, size) < size) return filo_ok();
    return filo_json_error_at(&reader->json, token, "a field has at most %zu bytes", size - 1);
}

static FiloResult number_of(Reader *reader, FiloJsonToken token, const char *what, double low, double high,
                            double *value) {
    if (!filo_json_as_double(token, value)) {
        char text[96];
        snprintf(text, sizeof text, "\"%s\" is a number", what);
        return wrong(reader, token, text);
    }
    if (*value >= low && *value <= high) return filo_ok();
    return filo_json_error_at(&reader->json, token, "\"%s\" is between %g and %g", what, low, high);
}

static FiloResult read_number(Reader *reader, const char *what, double low, double high, float *value) {
    double number = 0;
    FiloResult r = number_of(reader, filo_json_next(&reader->json), what, low, high, &number);
    if (r.code == FILO_OK) *value = (float)number;
    return r;
}

// A number, or [low, high].
static FiloResult read_range(Reader *reader, const char *what, double low, double high, double range[2]) {
    FiloJsonToken token = filo_json_next(&reader->json);
    if (token.kind != FILO_JSON_ARRAY_BEGIN) {
        FiloResult r = number_of(reader, token, what, low, high, &range[0]);
        range[1] = range[0];
        return r;
    }
    for (int i = 0; i < 2; i++) {
        FiloResult r = number_of(reader, filo_json_next(&reader->json), what, low, high, &range[i]);
        if (r.code != FILO_OK) return r;
    }
    token = filo_json_next(&reader->json);
    if (token.kind != FILO_JSON_ARRAY_END) return wrong(reader, token, "a range has two numbers");
    if (range[1] >= range[0]) return filo_ok();
    return filo_json_error_at(&reader->json, token, "the second number of \"%s\" is not less than the first",
                              what);
}

// ---- Members of a cue ---------------------------------------------------------------------------------------------------

static FiloResult read_sounds(Reader *reader, FiloJsonToken key, AudioTableCue *cue) {
    if (cue->sound_count > 0)
        return filo_json_error_at(&reader->json, key, "a cue has one \"sound\", or a list of \"sounds\"");
    FiloJsonToken token = filo_json_next(&reader->json);
    if (token.kind != FILO_JSON_ARRAY_BEGIN) {
        cue->sound_count = 1;
        return read_name(reader, token, "a sound is the name of an asset", &cue->sounds[0]);
    }
    while ((token = filo_json_next(&reader->json)).kind != FILO_JSON_ARRAY_END) {
        if (cue->sound_count == AUDIO_TABLE_SOUNDS)
            return filo_json_error_at(&reader->json, token, "a cue has at most %d sounds",
                                      AUDIO_TABLE_SOUNDS);
        FiloResult r =
            read_name(reader, token, "a sound is the name of an asset", &cue->sounds[cue->sound_count++]);
        if (r.code != FILO_OK) return r;
    }
    return filo_ok();
}

static FiloResult read_falloff(Reader *reader, uint8_t *falloff) {
    FiloJsonToken token = filo_json_next(&reader->json);
    const FiloType *type = FILO_TYPE(FiloFalloff);
    for (size_t i = 0; i < type->value_count; i++)
        if (token.kind == FILO_JSON_STRING && filo_json_equal(token, type->values[i].name)) {
            *falloff = (uint8_t)type->values[i].value;
            return filo_ok();
        }
    const char *what = "\"falloff\" is \"inverse\", \"linear\" or \"none\"";
    if (token.kind != FILO_JSON_STRING) return wrong(reader, token, what);
    char text[64];
    filo_json_as_text(token, text, sizeof text);
    return filo_json_error_at(&reader->json, token, "%s, not \"%s\"", what, text);
}

static FiloResult read_pitch(Reader *reader, FiloCue *cue) {
    double range[2] = { 0, 0 };
    FiloResult r = read_range(reader, "pitch", -96, 96, range);
    cue->pitch = (float)((range[0] + range[1]) / 2);
    cue->variation = (float)((range[1] - range[0]) / 2);
    return r;
}

static FiloResult read_flag(Reader *reader, const char *what, uint8_t flag, FiloCue *cue) {
    FiloJsonToken token = filo_json_next(&reader->json);
    if (token.kind != FILO_JSON_TRUE && token.kind != FILO_JSON_FALSE) {
        char text[64];
        snprintf(text, sizeof text, "\"%s\" is true or false", what);
        return wrong(reader, token, text);
    }
    if (token.kind == FILO_JSON_TRUE) cue->flags |= flag;
    return filo_ok();
}

static FiloResult read_whole(Reader *reader, const char *what, double low, double high, double *value) {
    FiloJsonToken token = filo_json_next(&reader->json);
    FiloResult r = number_of(reader, token, what, low, high, value);
    if (r.code == FILO_OK && *value != (double)(int64_t)*value)
        return filo_json_error_at(&reader->json, token, "\"%s\" is a whole number", what);
    return r;
}

// "when": { "field": "speed", "min": 10, "max": 99 }
static FiloResult read_when(Reader *reader, AudioTableCue *cue) {
    FiloJsonToken token = filo_json_next(&reader->json), begin = token;
    if (token.kind != FILO_JSON_OBJECT_BEGIN) return wrong(reader, token, "\"when\" is an object");
    FiloResult r = filo_ok();
    cue->low = -1e300;
    cue->high = 1e300;
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind == FILO_JSON_KEY) {
        if (filo_json_equal(token, "field"))
            r = read_text(reader, "a field is a text", cue->field, sizeof cue->field);
        else if (filo_json_equal(token, "min"))
            r = number_of(reader, filo_json_next(&reader->json), "min", -1e300, 1e300, &cue->low);
        else if (filo_json_equal(token, "max"))
            r = number_of(reader, filo_json_next(&reader->json), "max", -1e300, 1e300, &cue->high);
        else
            r = filo_json_error_at(&reader->json, token, "\"when\" has \"field\", \"min\" and \"max\"");
    }
    if (r.code != FILO_OK) return r;
    if (token.kind == FILO_JSON_ERROR) return reader->json.error;
    if (cue->field[0] == '\0') return filo_json_error_at(&reader->json, begin, "\"when\" has a \"field\"");
    if (cue->low <= cue->high) return r;
    return filo_json_error_at(&reader->json, begin, "\"max\" is not less than \"min\"");
}

static FiloResult read_member(Reader *reader, FiloJsonToken key, AudioTableCue *cue) {
    double whole = 0;
    FiloCue *c = &cue->cue;
    if (filo_json_equal(key, "sound") || filo_json_equal(key, "sounds")) return read_sounds(reader, key, cue);
    if (filo_json_equal(key, "bus"))
        return read_name(reader, filo_json_next(&reader->json), "a bus is a name", &c->bus);
    if (filo_json_equal(key, "gain")) return read_number(reader, "gain", -120, 24, &c->gain);
    if (filo_json_equal(key, "pitch")) return read_pitch(reader, c);
    if (filo_json_equal(key, "near")) return read_number(reader, "near", 0, 1e9, &c->near);
    if (filo_json_equal(key, "far")) return read_number(reader, "far", 0, 1e9, &c->far);
    if (filo_json_equal(key, "occlusion")) return read_number(reader, "occlusion", 0, 1, &c->occlusion);
    if (filo_json_equal(key, "fade_in")) return read_number(reader, "fade_in", 0, 3600, &c->fade_in);
    if (filo_json_equal(key, "start")) return read_number(reader, "start", 0, 36000, &c->start);
    if (filo_json_equal(key, "chance")) return read_number(reader, "chance", 0, 1, &cue->chance);
    if (filo_json_equal(key, "falloff")) return read_falloff(reader, &c->falloff);
    if (filo_json_equal(key, "flat")) return read_flag(reader, "flat", FILO_SOUND_FLAT, c);
    if (filo_json_equal(key, "at")) return read_text(reader, "\"at\" is a text", cue->at, sizeof cue->at);
    if (filo_json_equal(key, "when")) return read_when(reader, cue);
    if (filo_json_equal(key, "priority")) {
        FiloResult r = read_whole(reader, "priority", INT16_MIN, INT16_MAX, &whole);
        if (r.code == FILO_OK) c->priority = (int16_t)whole;
        return r;
    }
    if (filo_json_equal(key, "limit")) {
        FiloResult r = read_whole(reader, "limit", 0, UINT16_MAX, &whole);
        if (r.code == FILO_OK) c->limit = (uint16_t)whole;
        return r;
    }
    char text[64];
    filo_json_as_text(key, text, sizeof text);
    return filo_json_error_at(&reader->json, key, "a cue has no \"%s\"", text);
}

// ---- Tables ---------------------------------------------------------------------------------------------------------------

static FiloResult read_cue(Reader *reader, FiloJsonToken begin, FiloName event) {
    if (begin.kind != FILO_JSON_OBJECT_BEGIN) return wrong(reader, begin, "a cue is an object");
    if (reader->count == AUDIO_TABLE_CUES)
        return filo_json_error_at(&reader->json, begin, "a table has at most %d cues", AUDIO_TABLE_CUES);
    AudioTableCue *cue = &reader->cues[reader->count++];
    *cue = (AudioTableCue){ .event = event, .chance = 1 };
    FiloJsonToken token;
    FiloResult r = filo_ok();
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind == FILO_JSON_KEY)
        r = read_member(reader, token, cue);
    if (r.code != FILO_OK) return r;
    if (token.kind == FILO_JSON_ERROR) return reader->json.error;
    if (cue->sound_count == 0) return filo_json_error_at(&reader->json, begin, "a cue has a \"sound\"");
    return r;
}

static bool has_event(const Reader *reader, FiloName event) {
    for (size_t i = 0; i < reader->count; i++)
        if (reader->cues[i].event.id == event.id) return true;
    return false;
}

static FiloResult twice(Reader *reader, FiloJsonToken key) {
    char text[128];
    filo_json_as_text(key, text, sizeof text);
    return filo_json_error_at(&reader->json, key, "the event \"%s\" is here twice: give it a list of cues",
                              text);
}

static FiloResult read_event(Reader *reader, FiloJsonToken key) {
    FiloName event;
    FiloResult r = read_name(reader, key, "an event is a name", &event);
    if (r.code != FILO_OK) return r;
    if (has_event(reader, event)) return twice(reader, key);
    FiloJsonToken token = filo_json_next(&reader->json);
    if (token.kind != FILO_JSON_ARRAY_BEGIN) return read_cue(reader, token, event);
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind != FILO_JSON_ARRAY_END)
        r = read_cue(reader, token, event);
    return r;
}

static FiloResult read_table(Reader *reader) {
    FiloJsonToken token = filo_json_next(&reader->json);
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return wrong(reader, token, "a table is an object with the names of events");
    FiloResult r = filo_ok();
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind == FILO_JSON_KEY)
        r = read_event(reader, token);
    if (r.code != FILO_OK) return r;
    if (token.kind == FILO_JSON_ERROR) return reader->json.error;
    token = filo_json_next(&reader->json);
    return token.kind == FILO_JSON_END ? r : reader->json.error;
}

void audio_table_free(AudioTable *table, const FiloAllocator *allocator) {
    if (table == NULL) return;
    filo_free(allocator, table->cues, table->count * sizeof *table->cues, 0);
    filo_free(allocator, table, sizeof *table, 0);
}

// A table of exactly these cues. NULL without memory.
static AudioTable *make_table(const AudioTableCue *cues, size_t count, const FiloAllocator *allocator) {
    AudioTable *table = filo_alloc_zero(allocator, sizeof *table, 0);
    if (table == NULL || count == 0) return table;
    table->cues = filo_alloc(allocator, count * sizeof *cues, 0);
    if (table->cues == NULL) {
        filo_free(allocator, table, sizeof *table, 0);
        return NULL;
    }
    memcpy(table->cues, cues, count * sizeof *cues);
    table->count = count;
    return table;
}

FiloResult audio_table_decode(const void *bytes, size_t size, const char *name,
                              const FiloAllocator *allocator, AudioTable **table) {
    const size_t reserved = AUDIO_TABLE_CUES * sizeof(AudioTableCue);
    *table = NULL;
    Reader reader = { .allocator = allocator, .cues = filo_alloc(allocator, reserved, 0) };
    if (reader.cues == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the table", name);
    filo_json_reader_init(&reader.json, bytes, size, name);
    FiloResult r = read_table(&reader);
    if (r.code == FILO_OK && (*table = make_table(reader.cues, reader.count, allocator)) == NULL)
        r = filo_error(FILO_ERROR_MEMORY, "%s: no memory for the table", name);
    filo_name_batch_end(&reader.names, r.code == FILO_OK);
    filo_free(allocator, reader.cues, reserved, 0);
    return r;
}

// ---- As an asset ------------------------------------------------------------------------------------------------------------

static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    AudioTable *table = NULL;
    FiloResult r = audio_table_decode(bytes->bytes, bytes->size, bytes->name, bytes->allocator, &table);
    *data = table;
    return r;
}

static void free_table(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    audio_table_free(data, allocator);
}

FiloAssetType audio_table_type(void) {
    return (FiloAssetType){ .name = "cues", .extensions = { "cues" }, .decode = decode, .free = free_table };
}
