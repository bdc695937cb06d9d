// WAV files of 16 bits and two channels, written as they are rendered.

#include "audio/audio.h"

#include <filo/files.h>

#include <errno.h>

#define HEAD_SIZE  44
#define BYTES_MOST ((uint64_t)(UINT32_MAX - HEAD_SIZE) / 4 * 4) // of samples: its sizes have 32 bits

static void put16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *at, uint32_t value) {
    put16(at, value);
    put16(at + 2, value >> 16);
}

static void make_head(uint8_t *head, uint32_t rate, uint64_t bytes) {
    uint32_t size = (uint32_t)bytes;
    memcpy(head, "RIFF    WAVEfmt ", 16);
    put32(head + 4, size + HEAD_SIZE - 8);
    put32(head + 16, 16);
    put16(head + 20, 1); // integers
    put16(head + 22, 2);
    put32(head + 24, rate);
    put32(head + 28, rate * 4);
    put16(head + 32, 4);
    put16(head + 34, 16);
    memcpy(head + 36, "data", 4);
    put32(head + 40, size);
}

static void fail(AudioWav *wav) {
    if (wav->failed) return;
    wav->failed = true;
    wav->result = filo_error_from_errno(errno != 0 ? errno : EIO, wav->path);
}

FiloResult audio_wav_open(AudioWav *wav, const char *path, int rate) {
    *wav = (AudioWav){ 0 };
    char folder[FILO_PATH_SIZE];
    if (filo_path_folder(folder, sizeof folder, path) && folder[0] != '\0') {
        FiloResult r = filo_folder_make(folder);
        if (r.code != FILO_OK) return r;
    }
    filo_string_copy(filo_string(path), wav->path, sizeof wav->path);
    errno = 0;
    wav->file = fopen(path, "wbe");
    if (wav->file == NULL) return filo_error_from_errno(errno, path);
    uint8_t head[HEAD_SIZE];
    make_head(head, (uint32_t)rate, 0);
    if (fwrite(head, 1, sizeof head, wav->file) != sizeof head) fail(wav);
    return filo_ok();
}

// How many of the frames fit into the file. What does not fit is left out, and logged once.
static size_t fitting(AudioWav *wav, size_t frames) {
    uint64_t left = (BYTES_MOST - wav->bytes) / 4;
    if (frames <= left) return frames;
    if (!wav->full)
        filo_log_warn("audio", "%s: a WAV file has at most 4 GiB: the sound is not written from here on",
                      wav->path);
    wav->full = true;
    return (size_t)left;
}

void audio_wav_write(AudioWav *wav, const int16_t *samples, size_t frames) {
    if (wav->file == NULL || wav->failed) return;
    frames = fitting(wav, frames);
    errno = 0;
    uint8_t bytes[1024];
    size_t used = 0, count = frames * 2;
    for (size_t i = 0; i < count; i++) {
        put16(bytes + used, (uint16_t)samples[i]);
        used += 2;
        if (used < sizeof bytes && i + 1 < count) continue;
        if (fwrite(bytes, 1, used, wav->file) != used) fail(wav);
        used = 0;
    }
    wav->bytes += count * 2;
}

FiloResult audio_wav_close(AudioWav *wav) {
    if (wav->file == NULL) return filo_ok();
    uint8_t head[HEAD_SIZE];
    errno = 0;
    make_head(head, 0, wav->bytes);
    // The rate stays as it was written.
    bool ok = !wav->failed && fseek(wav->file, 4, SEEK_SET) == 0 && fwrite(head + 4, 1, 4, wav->file) == 4 &&
              fseek(wav->file, 40, SEEK_SET) == 0 && fwrite(head + 40, 1, 4, wav->file) == 4;
    if (!ok) fail(wav);
    if (fclose(wav->file) != 0) fail(wav);
    wav->file = NULL;
    return wav->failed ? wav->result : filo_ok();
}
