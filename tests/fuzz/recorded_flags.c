// Any text as the flags of a recording: it sets flags that recordings hold, to values that they may have, or it is
// refused with a message. Flags that are not recorded, and flags that name files, keep their values.

#include "app/app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char save_default[] = "own.sav";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    static AppFlags flags;
    static const char *const moods[] = { "calm", "wild", NULL };
    bool fast = false, panel = false;
    int bombs = 3, mood = -1;
    uint64_t count = 7;
    float speed = 1;
    const char *level = "sea", *save = save_default, *sound = NULL;
    const FiloFlag own[] = {
        { "bombs", NULL, .integer = &bombs, .min = 1, .max = 20 },
        { "count", NULL, .unsigned_integer = &count },
        { "speed", NULL, .real = &speed },
        { "fast", NULL, .letter = 'f', .on = &fast },
        { "level", NULL, .string = &level },
        { "mood", NULL, .choice = &mood, .choices = moods },
        { "save", NULL, .path = &save },
        { "sound", NULL, .path = &sound, .unrecorded = true },
        { "panel", NULL, .on = &panel, .unrecorded = true },
    };
    const FiloAppDesc desc = { .flags = own, .flag_count = FILO_COUNT_OF(own) };
    if (app_flags_collect(&flags, &desc, NULL).code != FILO_OK) abort();
    size_t length = FILO_MIN(size, sizeof flags.recorded - 1);
    if (length > 0) memcpy(flags.recorded, data, length);
    flags.recorded[length] = '\0';
    FiloResult result = app_flags_apply(&flags, "game", "recording");
    if (result.code != FILO_OK && result.message[0] == '\0') abort();
    if (save != save_default || sound != NULL || panel) abort();
    if (bombs < 1 || bombs > 20 || !isfinite(speed) || mood < -1 || mood > 1 || level[0] == '\0') abort();
    if (result.code != FILO_OK && (fast || bombs != 3 || count != 7 || speed != 1 || mood != -1)) abort();
    return 0;
}
