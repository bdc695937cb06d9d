// Any text as a table of cues: it is refused with a message, or all of its cues can be played.

#include "audio/audio.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const AudioTableCue *cue) {
    if (cue->sound_count == 0 || cue->sound_count > AUDIO_TABLE_SOUNDS || cue->event.id == 0) abort();
    for (uint32_t i = 0; i < cue->sound_count; i++)
        if (cue->sounds[i].id == 0) abort();
    if (!(cue->chance >= 0 && cue->chance <= 1) || !(cue->cue.variation >= 0)) abort();
    if (!(cue->cue.gain >= -120 && cue->cue.gain <= 24) || cue->cue.falloff > FILO_FALLOFF_NONE) abort();
    if (cue->field[0] != '\0' && !(cue->low <= cue->high)) abort();
}

// The cues of an event come one after the other: no event is in the table twice.
static void check_order(const AudioTable *table) {
    for (size_t i = 1; i < table->count; i++) {
        if (table->cues[i].event.id == table->cues[i - 1].event.id) continue;
        for (size_t k = 0; k < i; k++)
            if (table->cues[k].event.id == table->cues[i].event.id) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AudioTable *table;
    FiloResult r = audio_table_decode(data, size, "fuzz", NULL, &table);
    if ((r.code == FILO_OK) != (table != NULL)) abort();
    if (r.code != FILO_OK && r.message[0] == '\0') abort();
    for (size_t i = 0; table != NULL && i < table->count; i++) check(&table->cues[i]);
    if (table != NULL) check_order(table);
    audio_table_free(table, NULL);
    return 0;
}
