// Tables in use: a handler for each of their cues, which adds it to the record of the tick.
//
// Handlers run in a tick, possibly on another thread. They use a copy of the table, which is replaced between ticks. Their
// order is the last, so that they change nothing for the handlers of the game.

#include "audio/audio.h"
#include "base/suggest.h"

#include <limits.h>

struct AudioTableHandler {
    AudioTableUse *use;
    AudioTableCue cue;
};
typedef struct AudioTableHandler Handler;

// ---- In a tick ----------------------------------------------------------------------------------------------------------

// A field of the payload that may not exist. The payload is only read.
static bool find_field(const FiloEvent *event, const char *path, FiloValue *value) {
    if (event->type == NULL || event->payload == NULL) return false;
    return filo_reflect_find(value, event->type, (void *)(uintptr_t)event->payload, path).code == FILO_OK;
}

static bool number_of(const FiloValue *value, double *number) {
    const FiloType *type = value->type;
    if (value->count != 0) return false;
    switch (type->kind) {
    case FILO_KIND_BOOL: *number = *(const bool *)value->data; return true;
    case FILO_KIND_FLOAT:
        *number = type->size == 4 ? (double)*(const float *)value->data : *(const double *)value->data;
        return true;
    case FILO_KIND_INT:
    case FILO_KIND_UINT:
    case FILO_KIND_ENUM:
    case FILO_KIND_FLAGS: {
        bool is_signed = type->kind == FILO_KIND_INT || (type->kind == FILO_KIND_ENUM && type->is_signed);
        uint64_t bits = 0;
        memcpy(&bits, value->data, FILO_MIN(type->size, sizeof bits)); // little-endian, as all our machines
        unsigned unused = (unsigned)(64 - 8 * type->size);
        *number = is_signed ? (double)((int64_t)(bits << unused) >> unused) : (double)bits;
        return true;
    }
    case FILO_KIND_CHAR:
    case FILO_KIND_NAME:
    case FILO_KIND_ENTITY:
    case FILO_KIND_STRUCT: break;
    }
    return false;
}

// Says once that a field of a cue does not exist in its event, or has another type (`found`).
static void warn_field(const FiloEvent *event, const char *field, bool found, const char *wanted,
                       const char *result) {
    char both[256];
    snprintf(both, sizeof both, "%s %s", filo_name_text(event->name), field);
    if (!base_first_time("field of a cue", filo_string(both))) return;
    if (found) {
        filo_log_warn("audio", "the field \"%s\" of the event \"%s\" is no %s, so its sound is %s", field,
                      filo_name_text(event->name), wanted, result);
        return;
    }
    BaseSuggestion suggestion = base_suggest(filo_string(field));
    for (size_t i = 0; event->type != NULL && i < event->type->field_count; i++)
        base_suggest_offer(&suggestion, filo_string(event->type->fields[i].name));
    char meant[BASE_SUGGEST_SIZE];
    filo_log_warn("audio", "the event \"%s\" has no %s \"%s\", so its sound is %s%s",
                  filo_name_text(event->name), wanted, field, result, base_suggest_print(&suggestion, meant));
}

static bool applies(const AudioTableCue *cue, const FiloEvent *event) {
    if (cue->field[0] == '\0') return true;
    FiloValue value;
    double number;
    bool found = find_field(event, cue->field, &value);
    if (found && number_of(&value, &number)) return number >= cue->low && number <= cue->high;
    warn_field(event, cue->field, found, "number", "not played");
    return false;
}

static void place(const AudioTableCue *cue, const FiloEvent *event, FiloCue *to) {
    FiloValue value;
    if (cue->at[0] == '\0') return;
    bool found = find_field(event, cue->at, &value), single = found && value.count == 0;
    if (single && value.type->kind == FILO_KIND_ENTITY) {
        to->entity = *(const FiloEntity *)value.data;
    } else if (single && strcmp(value.type->name, "FiloVec3") == 0) {
        to->position = *(const FiloVec3 *)value.data;
        to->flags |= FILO_SOUND_PLACED;
    } else if (single && strcmp(value.type->name, "FiloVec2") == 0) {
        const FiloVec2 *at = value.data;
        to->position = filo_vec3(at->x, at->y, 0);
        to->flags |= FILO_SOUND_PLACED;
    } else {
        warn_field(event, cue->at, found, "position or entity", "in the middle");
    }
}

static void handle(const FiloEvent *event, void *user) {
    const Handler *handler = user;
    const AudioTableCue *cue = &handler->cue;
    AudioRecords *records = handler->use->audio->records;
    if (!applies(cue, event)) return;
    FiloRandom random = audio_records_random(records);
    bool plays = filo_random_chance(&random, cue->chance);
    uint32_t choice = filo_random_below(&random, cue->sound_count);
    FiloCue played = cue->cue;
    played.sound = cue->sounds[choice];
    played.pitch += (filo_random_float(&random) * 2 - 1) * played.variation;
    played.variation = 0;
    place(cue, event, &played);
    if (plays) audio_records_add(records, &played);
}

// ---- Between ticks --------------------------------------------------------------------------------------------------------

static void drop_handlers(FiloAudio *audio, AudioTableUse *use) {
    filo_events_unsubscribe_owner(audio->events, use);
    filo_free(audio->allocator, use->handlers, use->handler_count * sizeof(Handler), 0);
    use->handlers = NULL;
    use->handler_count = 0;
}

static bool add_handlers(FiloAudio *audio, AudioTableUse *use, const AudioTable *table) {
    if (table->count == 0) return true;
    use->handlers = filo_alloc_zero(audio->allocator, table->count * sizeof(Handler), 0);
    if (use->handlers == NULL) return false;
    use->handler_count = table->count;
    for (size_t i = 0; i < table->count; i++) {
        Handler *handler = &use->handlers[i];
        *handler = (Handler){ .use = use, .cue = table->cues[i] };
        filo_events_subscribe(audio->events, &(FiloHandlerDesc){ .event = handler->cue.event,
                                                                 .function = handle,
                                                                 .user = handler,
                                                                 .order = INT_MAX,
                                                                 .owner = use });
        for (uint32_t k = 0; k < handler->cue.sound_count; k++) { // so that the first cue need not wait
            const char *name = filo_name_text(handler->cue.sounds[k]);
            FiloAsset sound = filo_assets_find(audio->assets, handler->cue.sounds[k]);
            if (sound.id == 0) (void)filo_assets_load(audio->assets, name);
        }
    }
    return true;
}

void audio_tables_update(FiloAudio *audio) {
    for (size_t i = 0; i < audio->tables.count; i++) {
        AudioTableUse *use = audio->tables.items[i];
        uint32_t version = filo_asset_version(audio->assets, use->asset);
        if (version == use->version) continue;
        const AudioTable *table = filo_asset_data(audio->assets, use->asset);
        if (table == NULL) continue;
        use->version = version;
        drop_handlers(audio, use);
        if (!add_handlers(audio, use, table)) use->version = 0; // without memory: tried again
    }
}

static size_t find_use(const FiloAudio *audio, const char *table) {
    FiloAsset asset = filo_assets_find(audio->assets, filo_name_find(filo_string(table)));
    size_t i = 0;
    while (i < audio->tables.count && audio->tables.items[i]->asset.id != asset.id) i++;
    return asset.id != 0 ? i : audio->tables.count;
}

static void free_use(FiloAudio *audio, AudioTableUse *use) {
    drop_handlers(audio, use);
    filo_assets_unload(audio->assets, use->asset);
    filo_free(audio->allocator, use, sizeof *use, 0);
}

bool filo_audio_use_table(FiloAudio *audio, const char *table) {
    if (!AUDIO_CHECK(audio) || !FILO_CHECK(table != NULL, "pass the name of a table")) return false;
    if (!FILO_CHECK(audio->records != NULL && audio->events != NULL,
                    "a table needs a world with events: pass it to filo_audio_create"))
        return false;
    if (find_use(audio, table) < audio->tables.count) return true;
    FiloAsset asset = filo_assets_load_as(audio->assets, "cues", table);
    AudioTableUse *use = asset.id != 0 ? filo_alloc_zero(audio->allocator, sizeof *use, 0) : NULL;
    if (use == NULL || !filo_array_push(&audio->tables, use)) {
        filo_free(audio->allocator, use, sizeof *use, 0);
        filo_assets_unload(audio->assets, asset);
        return false;
    }
    *use = (AudioTableUse){ .asset = asset, .audio = audio };
    audio_tables_update(audio);
    return true;
}

void filo_audio_drop_table(FiloAudio *audio, const char *table) {
    if (!AUDIO_CHECK(audio) || !FILO_CHECK(table != NULL, "pass the name of a table")) return;
    size_t i = find_use(audio, table);
    if (i >= audio->tables.count) return;
    free_use(audio, audio->tables.items[i]);
    filo_array_remove(&audio->tables, i);
}

void audio_tables_free(FiloAudio *audio) {
    for (size_t i = 0; i < audio->tables.count; i++) free_use(audio, audio->tables.items[i]);
    filo_array_deinit(&audio->tables);
}
