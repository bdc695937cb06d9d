// The flags that every program has.

#include "base/args/args.h"

#include <string.h>

static const char *const backends[] = { "gl", "cpu", "null", NULL };

void base_common_flags_init(BaseCommonFlags *common, const FiloArgsDesc *desc) {
    memset(common, 0, sizeof *common);
    common->values = desc->defaults;
    common->backend = (int)desc->defaults.backend - 1;
    common->first = desc->own_flags_only ? BASE_ARGS_COMMON_COUNT - 1 : 0;
    FiloCommonArgs *values = &common->values;
    // A program that never has a window cannot be closed.
    const char *frames_help = (desc->ignores & FILO_ARGS_HEADLESS) != 0
                                  ? "run N ticks"
                                  : "stop after N ticks; 0: go on until closed";
    // In the order of the bits FILO_ARGS_HEADLESS to FILO_ARGS_STRICT; help has no bit.
    const FiloFlag flags[BASE_ARGS_COMMON_COUNT] = {
        { "headless", "run without a window", .on = &values->headless },
        { "backend", "what draws", .choice = &common->backend, .choices = backends },
        { "frames", frames_help, .unsigned_integer = &values->frames },
        { "threads", "threads to use; 0: all that the hardware has", .integer = &values->threads,
          .max = 256 },
        { "seed", "seed of all random numbers", .value_name = "S", .unsigned_integer = &values->seed },
        { "shot", "write a picture of the last state", .value_name = "FILE.png", .path = &values->shot },
        { "hash", "print the hash of the world at the end", .on = &values->hash },
        { "stats", "print statistics as one line of JSON at the end", .on = &values->stats },
        { "record", "write all input to FILE", .path = &values->record },
        { "replay", "take all input from FILE", .path = &values->replay },
        { "trace", "write a profile as Chrome trace", .path = &values->trace },
        { "size", "width and height of the window, in points", .size = values->size, .min = 1, .max = 16384 },
        { "strict", "fail at the end if a check has failed", .on = &values->strict },
        { "help", "show this text", .letter = 'h', .on = &common->help },
    };
    memcpy(common->flags, flags, sizeof flags);
}
