// Any text as a description for the synthesiser: it is refused with a message, or rendered to as many samples as it says.

#include "audio/synth/synth.h"
#include "audio/audio.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 4.0 // seconds of tones: more of them are valid, and take too long here

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AudioSynth synth;
    FiloResult r = audio_synth_read(&synth, data, size, "fuzz", NULL);
    if (r.code != FILO_OK) {
        if (r.message[0] == '\0') abort();
        return 0;
    }
    uint64_t frames = audio_synth_frames(&synth);
    if (frames == 0 || frames > (uint64_t)AUDIO_SYNTH_SECONDS_MAX * synth.rate) abort();
    if (audio_synth_work(&synth) < MOST && frames < (uint64_t)MOST * synth.rate) {
        AudioSound *sound;
        if (audio_synth_render(&synth, "fuzz", NULL, &sound).code != FILO_OK) abort();
        if (sound->frames != frames || sound->loop_begin >= sound->loop_end || sound->loop_end > frames)
            abort();
        audio_sound_release(sound);
    }
    audio_synth_deinit(&synth);
    return 0;
}
