// Sound files in memory, read as samples of 16 bits by the library that is made for each format.

#include "audio/audio.h"

#include <stdio.h>
#include <string.h>

// ---- Bytes ----------------------------------------------------------------------------------------------------

int64_t audio_file_seek_bytes(AudioFile *file, int64_t offset, int whence) {
    int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->position : file->size;
    int64_t to = FILO_CLAMP(offset, -base, file->size - base);
    file->position = base + to;
    return file->position;
}

size_t audio_file_read_bytes(AudioFile *file, void *to, size_t count) {
    count = FILO_MIN(count, (size_t)(file->size - file->position));
    if (count > 0) memcpy(to, file->bytes + file->position, count);
    file->position += (int64_t)count;
    return count;
}

// ---- Formats --------------------------------------------------------------------------------------------------

static bool has_text_at(const AudioFile *file, int64_t at, const char *text) {
    int64_t length = (int64_t)strlen(text);
    return at >= 0 && at + length <= file->size && memcmp(file->bytes + at, text, (size_t)length) == 0;
}

// Where the file begins behind a tag of ID3v2.
static int64_t after_tag(const AudioFile *file) {
    const uint8_t *bytes = file->bytes;
    if (file->size < 10 || !has_text_at(file, 0, "ID3")) return 0;
    int64_t size =
        ((bytes[6] & 0x7F) << 21) | ((bytes[7] & 0x7F) << 14) | ((bytes[8] & 0x7F) << 7) | bytes[9];
    return FILO_MIN(10 + size + ((bytes[5] & 0x10) != 0 ? 10 : 0), file->size);
}

static const AudioDecoder *decoder_in_ogg(const AudioFile *file) {
    int64_t packet =
        file->size > 26 ? 27 + file->bytes[26] : file->size; // the first, behind the head of the page
    if (has_text_at(file, packet,
                    "\x7F"
                    "FLAC"))
        return &audio_flac;
    return has_text_at(file, packet, "OpusHead") ? &audio_sndfile : &audio_vorbis;
}

static const AudioDecoder *find_decoder(const AudioFile *file) {
    int64_t begin = after_tag(file);
    const uint8_t *bytes = file->bytes + begin;
    if (has_text_at(file, begin, "fLaC")) return &audio_flac;
    if (has_text_at(file, 0, "OggS")) return decoder_in_ogg(file);
    bool is_frame = file->size - begin >= 2 && bytes[0] == 0xFF && (bytes[1] & 0xE0) == 0xE0;
    return begin > 0 || is_frame ? &audio_mpeg : &audio_sndfile;
}

// ---- Opening --------------------------------------------------------------------------------------------------

static FiloResult check_head(const AudioFileHead *head, const char *name) {
    if (head->rate < AUDIO_RATE_MIN || head->channels == 0)
        return filo_error(FILO_ERROR_DATA, "%s: not a sound file: no rate or no channels", name);
    if (head->frames == 0) return filo_error(FILO_ERROR_DATA, "%s: has no samples", name);
    if (head->frames > AUDIO_FRAMES_MAX) return filo_error(FILO_ERROR_LIMIT, "%s: is too long", name);
    return filo_ok();
}

FiloResult audio_file_open(AudioFile *file, const void *bytes, size_t size, const char *name) {
    *file = (AudioFile){ .bytes = bytes, .size = (int64_t)size };
    file->decoder = find_decoder(file);
    FiloResult r = file->decoder->open(file, name);
    if (r.code == FILO_OK) {
        audio_file_plan(file);
        r = check_head(&file->head, name);
    }
    if (r.code != FILO_OK) audio_file_close(file);
    return r;
}

void audio_file_close(AudioFile *file) {
    if (file->handle != NULL) file->decoder->close(file);
    *file = (AudioFile){ 0 };
}

FiloResult audio_file_head(const void *bytes, size_t size, const char *name, AudioFileHead *head) {
    AudioFile file;
    FiloResult r = audio_file_open(&file, bytes, size, name);
    *head = r.code == FILO_OK ? file.head : (AudioFileHead){ 0 };
    audio_file_close(&file);
    return r;
}

// ---- Samples --------------------------------------------------------------------------------------------------

bool audio_file_seek(AudioFile *file, uint64_t frame) { return audio_file_seek_mixed(file, frame); }

// Decoders give floats, from which samples of 16 bits come back exactly.
size_t audio_file_read(AudioFile *file, int16_t *samples, size_t frames) {
    float part[2048];
    const size_t channels = file->head.channels, most = FILO_COUNT_OF(part) / 2;
    size_t done = 0;
    while (done < frames) {
        size_t wanted = FILO_MIN(frames - done, most);
        size_t got = audio_file_read_mixed(file, part, wanted);
        for (size_t i = 0; i < got * channels; i++) {
            float x = filo_clamp(filo_select(filo_is_nan(part[i]), 0, part[i]) * 32768, -32768, 32767);
            samples[done * channels + i] = (int16_t)filo_round_to_int(x);
        }
        done += got;
        if (got < wanted) break;
    }
    return done;
}
