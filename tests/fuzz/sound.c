// Any bytes as a sound file: it is refused with a message, or decoded, whole or in parts from anywhere.

#include "audio/audio.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// libsndfile 1.2.0 does not free what its decoders allocated for some files that it refuses.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libvorbis\nleak:libogg\nleak:libopus\nleak:libFLAC\nleak:libmpg123\nleak:libsndfile\n";
}

static void check(const AudioSound *sound) {
    if (sound->channels < 1 || sound->channels > 2 || sound->frames == 0) abort();
    if (sound->rate < AUDIO_RATE_MIN || sound->rate > AUDIO_RATE_MAX) abort();
    if (sound->loop_begin >= sound->loop_end || sound->loop_end > sound->frames) abort();
    if ((sound->samples == NULL) == (sound->bytes == NULL)) abort();
}

// As a stream does.
static void read_parts(const uint8_t *data, size_t size) {
    AudioFile file;
    int16_t part[2 * 256];
    if (audio_file_open(&file, data, size, "fuzz").code != FILO_OK) abort();
    for (int i = 0; i < 8; i++) {
        if (audio_file_read(&file, part, 256) > 256) abort();
        (void)audio_file_seek(&file, file.head.frames * (uint64_t)(i * 5 % 8) / 8);
    }
    audio_file_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AudioSound *sound;
    FiloResult r = audio_sound_decode(data, size, "fuzz", NULL, &sound);
    if ((r.code == FILO_OK) != (sound != NULL)) abort();
    if (r.code != FILO_OK && r.message[0] == '\0') abort();
    if (sound != NULL) {
        check(sound);
        read_parts(data, size);
    }
    audio_sound_release(sound);
    return 0;
}
