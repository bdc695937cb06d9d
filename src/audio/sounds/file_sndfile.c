// WAV, Opus and other files, by libsndfile.

#include "audio/audio.h"

#include <sndfile.h>

#include <string.h>

// The state of an Opus decoder comes from what it has decoded, and is forgotten within a fraction of this.
#define OPUS_EARLIER_SECONDS 0.5

typedef struct Handle {
    SNDFILE *sound;
    AudioFile *file;
    uint64_t earlier; // frames that are decoded and discarded after a seek
    // A WAV file with 24 bits in 4 bytes is read as one with 32 bits.
    int64_t bits_at;              // the byte that is said to be 32; 0: none
    int64_t data_begin, data_end; // samples whose bytes are moved up by one
} Handle;

// ---- 24 bits in 4 bytes ---------------------------------------------------------------------------------------

static uint32_t number_at(const AudioFile *file, int64_t at, int bytes) {
    uint32_t number = 0;
    for (int i = 0; i < bytes; i++) number |= (uint32_t)file->bytes[at + i] << (8 * i);
    return number;
}

// Where the content of a chunk begins; its size is limited to the file. 0: there is none.
static int64_t find_chunk(const AudioFile *file, const char *id, int64_t *size) {
    if (file->size < 12 || memcmp(file->bytes, "RIFF", 4) != 0 || memcmp(file->bytes + 8, "WAVE", 4) != 0)
        return 0;
    for (int64_t at = 12; at + 8 <= file->size;) {
        int64_t length = number_at(file, at + 4, 4);
        *size = FILO_MIN(length, file->size - at - 8);
        if (memcmp(file->bytes + at, id, 4) == 0) return at + 8;
        at += 8 + length + (length & 1);
    }
    return 0;
}

static bool has_24_bits_in_4_bytes(const AudioFile *file, int64_t format, int64_t size) {
    if (format == 0 || size < 16) return false;
    uint32_t tag = number_at(file, format, 2), bits = number_at(file, format + 14, 2);
    if (number_at(file, format + 12, 2) != 4 * number_at(file, format + 2, 2)) return false;
    if (tag == 0xFFFE) // extensible: the bits that count, and the kind of samples
        return size >= 40 && bits >= 24 && number_at(file, format + 18, 2) == 24 &&
               number_at(file, format + 24, 2) == 1;
    return tag == 1 && bits == 24;
}

// They should be the upper three bytes; in files of some programs they are the lower ones, below zeros or the sign.
static bool uses_lower_bytes(const AudioFile *file, int64_t begin, int64_t end) {
    bool zeros = true, signs = true;
    for (int64_t i = begin; i + 4 <= end && (zeros || signs); i += 4) {
        uint8_t sign = (file->bytes[i + 2] & 0x80) != 0 ? 0xFF : 0;
        zeros = zeros && file->bytes[i + 3] == 0;
        signs = signs && file->bytes[i + 3] == sign;
    }
    return zeros || signs;
}

static void find_24_bits_in_4_bytes(Handle *handle) {
    const AudioFile *file = handle->file;
    int64_t size = 0, data_size = 0, format = find_chunk(file, "fmt ", &size);
    if (!has_24_bits_in_4_bytes(file, format, size)) return;
    int64_t data = find_chunk(file, "data", &data_size);
    handle->bits_at = format + 14;
    if (data == 0 || !uses_lower_bytes(file, data, data + data_size)) return;
    handle->data_begin = data;
    handle->data_end = data + data_size;
}

static void change_bytes(const Handle *handle, int64_t begin, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int64_t at = begin + (int64_t)i;
        if (at == handle->bits_at) bytes[i] = 32;
        if (at < handle->data_begin || at >= handle->data_end) continue;
        bytes[i] = (at - handle->data_begin) % 4 == 0 ? 0 : handle->file->bytes[at - 1];
    }
}

// ---- Bytes ----------------------------------------------------------------------------------------------------

static sf_count_t size_of(void *user) { return ((const Handle *)user)->file->size; }

static sf_count_t seek_bytes(sf_count_t offset, int whence, void *user) {
    return audio_file_seek_bytes(((Handle *)user)->file, offset, whence);
}

static sf_count_t read_bytes(void *to, sf_count_t count, void *user) {
    const Handle *handle = user;
    int64_t begin = handle->file->position;
    size_t got = count > 0 ? audio_file_read_bytes(handle->file, to, (size_t)count) : 0;
    if (handle->bits_at > 0) change_bytes(handle, begin, to, got);
    return (sf_count_t)got;
}

static sf_count_t write_bytes(const void *from, sf_count_t count, void *user) {
    FILO_UNUSED(from);
    FILO_UNUSED(count);
    FILO_UNUSED(user);
    return 0;
}

static sf_count_t tell_bytes(void *user) { return ((const Handle *)user)->file->position; }

// ---- Heads ----------------------------------------------------------------------------------------------------

// Loop points of a WAV file: its first loop.
static void read_loop(SNDFILE *sound, AudioFileHead *head) {
    SF_INSTRUMENT instrument;
    if (sf_command(sound, SFC_GET_INSTRUMENT, &instrument, sizeof instrument) != SF_TRUE) return;
    if (instrument.loop_count < 1 || instrument.loops[0].mode == SF_LOOP_NONE) return;
    uint64_t begin = instrument.loops[0].start, end = instrument.loops[0].end;
    head->has_bad_loop = begin >= end || end > head->frames;
    if (head->has_bad_loop) return;
    head->loop_begin = begin;
    head->loop_end = end;
}

static char speaker_of(int position) {
    switch (position) {
    case SF_CHANNEL_MAP_LEFT:
    case SF_CHANNEL_MAP_FRONT_LEFT:
    case SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER: return 'L';
    case SF_CHANNEL_MAP_RIGHT:
    case SF_CHANNEL_MAP_FRONT_RIGHT:
    case SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER: return 'R';
    case SF_CHANNEL_MAP_MONO:
    case SF_CHANNEL_MAP_CENTER:
    case SF_CHANNEL_MAP_FRONT_CENTER: return 'C';
    case SF_CHANNEL_MAP_REAR_LEFT:
    case SF_CHANNEL_MAP_SIDE_LEFT: return 'l';
    case SF_CHANNEL_MAP_REAR_RIGHT:
    case SF_CHANNEL_MAP_SIDE_RIGHT: return 'r';
    case SF_CHANNEL_MAP_LFE: return 'F';
    default: return 'c';
    }
}

static void read_speakers(SNDFILE *sound, AudioFile *file, bool opus) {
    const uint32_t channels = file->source.channels;
    int map[AUDIO_SPEAKERS];
    if (channels <= 2 || channels > AUDIO_SPEAKERS) return;
    strcpy(file->speakers, audio_speakers(channels, opus));
    if (sf_command(sound, SFC_GET_CHANNEL_MAP_INFO, map, (int)(channels * sizeof map[0])) != SF_TRUE) return;
    for (uint32_t i = 0; i < channels; i++) file->speakers[i] = speaker_of(map[i]);
}

// ---- Files ----------------------------------------------------------------------------------------------------

static void close_file(AudioFile *file) {
    Handle *handle = file->handle;
    if (handle->sound != NULL) sf_close(handle->sound);
    filo_free(NULL, handle, sizeof *handle, 0);
}

static bool open_sound(Handle *handle, SF_INFO *info) {
    SF_VIRTUAL_IO io = { size_of, seek_bytes, read_bytes, write_bytes, tell_bytes };
    handle->file->position = 0;
    *info = (SF_INFO){ 0 };
    handle->sound = sf_open_virtual(&io, SFM_READ, info, handle);
    return handle->sound != NULL;
}

static FiloResult open_file(AudioFile *file, const char *name) {
    SF_INFO info;
    Handle *handle = file->handle = filo_alloc_zero(NULL, sizeof *handle, 0);
    if (handle == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the sound", name);
    handle->file = file;
    find_24_bits_in_4_bytes(handle);
    if (!open_sound(handle, &info))
        return filo_error(FILO_ERROR_DATA, "%s: not a sound file: %s", name, sf_strerror(NULL));
    file->source = (AudioFileHead){ .rate = (uint32_t)info.samplerate,
                                    .channels = (uint32_t)info.channels,
                                    .frames = info.frames > 0 ? (uint64_t)info.frames : 0 };
    bool opus = (info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_OPUS;
    if (opus) handle->earlier = (uint64_t)(OPUS_EARLIER_SECONDS * info.samplerate);
    read_loop(handle->sound, &file->source);
    read_speakers(handle->sound, file, opus);
    return filo_ok();
}

// As floats, because libsndfile converts those of some formats to integers without a scale.
static size_t read_frames(AudioFile *file, float *samples, size_t frames) {
    SNDFILE *sound = ((Handle *)file->handle)->sound;
    sf_count_t got = sound != NULL ? sf_readf_float(sound, samples, (sf_count_t)frames) : 0;
    return got > 0 ? FILO_MIN((size_t)got, frames) : 0;
}

static bool discard(AudioFile *file, uint64_t frames) {
    float part[4096];
    const size_t most = FILO_COUNT_OF(part) / file->source.channels;
    while (frames > 0) {
        size_t wanted = (size_t)FILO_MIN(frames, most);
        if (read_frames(file, part, wanted) < wanted) return false;
        frames -= wanted;
    }
    return true;
}

// Some formats cannot be sought: they are decoded from the beginning.
static bool seek_frame(AudioFile *file, uint64_t frame) {
    Handle *handle = file->handle;
    uint64_t from = frame > handle->earlier ? frame - handle->earlier : 0;
    if (handle->sound == NULL) return false;
    if (sf_seek(handle->sound, (sf_count_t)from, SEEK_SET) == (sf_count_t)from)
        return discard(file, frame - from);
    SF_INFO info;
    sf_close(handle->sound);
    return open_sound(handle, &info) && discard(file, frame);
}

const AudioDecoder audio_sndfile = { open_file, close_file, read_frames, seek_frame };
