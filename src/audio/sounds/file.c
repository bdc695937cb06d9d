// Sound files in memory, decoded by libsndfile to 16 bits.
//
// A file may be damaged or hostile. Its head is checked before memory is allocated for what it promises, and what is
// decoded is bounded by FILO_SOUND_WHOLE or by the size of a part of a stream.

#include "audio/audio.h"
#include "base/suggest.h"

#include <sndfile.h>

#include <string.h>

// ---- libsndfile reads from memory -------------------------------------------------------------------------

static sf_count_t file_size(void *user) { return ((const AudioFile *)user)->size; }

static sf_count_t file_seek(sf_count_t offset, int whence, void *user) {
    AudioFile *file = user;
    sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->position : file->size;
    sf_count_t to = base + offset;
    file->position = FILO_CLAMP(to, 0, file->size);
    return file->position;
}

static sf_count_t file_read(void *to, sf_count_t count, void *user) {
    AudioFile *file = user;
    sf_count_t left = file->size - file->position;
    count = FILO_CLAMP(count, 0, left);
    if (count > 0) memcpy(to, file->bytes + file->position, (size_t)count);
    file->position += count;
    return count;
}

static sf_count_t file_write(const void *from, sf_count_t count, void *user) {
    FILO_UNUSED(from);
    FILO_UNUSED(count);
    FILO_UNUSED(user);
    return 0;
}

static sf_count_t file_tell(void *user) { return ((const AudioFile *)user)->position; }

// ---- Heads --------------------------------------------------------------------------------------------------

// Loop points of a WAV file: its first loop.
static void read_loop(SNDFILE *handle, AudioFileHead *head) {
    SF_INSTRUMENT instrument;
    if (sf_command(handle, SFC_GET_INSTRUMENT, &instrument, sizeof instrument) != SF_TRUE) return;
    if (instrument.loop_count < 1 || instrument.loops[0].mode == SF_LOOP_NONE) return;
    uint64_t begin = instrument.loops[0].start, end = instrument.loops[0].end;
    head->has_bad_loop = begin >= end || end > head->frames;
    if (head->has_bad_loop) return;
    head->loop_begin = begin;
    head->loop_end = end;
}

static FiloResult check_head(const SF_INFO *info, const char *name) {
    if (info->channels < 1 || info->channels > 2)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: has %d channels; sounds have 1 or 2", name,
                          info->channels);
    if (info->samplerate < AUDIO_RATE_MIN || info->samplerate > AUDIO_RATE_MAX)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: has %d samples a second; %d to %d are possible", name,
                          info->samplerate, AUDIO_RATE_MIN, AUDIO_RATE_MAX);
    if (info->frames <= 0) return filo_error(FILO_ERROR_DATA, "%s: has no samples", name);
    if ((uint64_t)info->frames > AUDIO_FRAMES_MAX)
        return filo_error(FILO_ERROR_LIMIT, "%s: is too long", name);
    return filo_ok();
}

FiloResult audio_file_open(AudioFile *file, const void *bytes, size_t size, const char *name) {
    *file = (AudioFile){ .bytes = bytes, .size = (int64_t)size };
    SF_VIRTUAL_IO io = { file_size, file_seek, file_read, file_write, file_tell };
    SF_INFO info = { 0 };
    SNDFILE *handle = sf_open_virtual(&io, SFM_READ, &info, file);
    if (handle == NULL)
        return filo_error(FILO_ERROR_DATA, "%s: not a sound file: %s", name, sf_strerror(NULL));
    FiloResult r = check_head(&info, name);
    if (r.code != FILO_OK) {
        sf_close(handle);
        return r;
    }
    file->handle = handle;
    file->head = (AudioFileHead){ .rate = (uint32_t)info.samplerate,
                                  .channels = (uint32_t)info.channels,
                                  .frames = (uint64_t)info.frames };
    read_loop(handle, &file->head);
    return filo_ok();
}

void audio_file_close(AudioFile *file) {
    if (file->handle != NULL) sf_close(file->handle);
    *file = (AudioFile){ 0 };
}

bool audio_file_seek(AudioFile *file, uint64_t frame) {
    return sf_seek(file->handle, (sf_count_t)frame, SEEK_SET) == (sf_count_t)frame;
}

// Read as floats, because libsndfile converts those of some formats to integers without a scale. Samples of 16 bits come
// back exactly.
size_t audio_file_read(AudioFile *file, int16_t *samples, size_t frames) {
    float part[2048];
    const size_t channels = file->head.channels, most = FILO_COUNT_OF(part) / 2;
    size_t done = 0;
    while (done < frames) {
        size_t wanted = FILO_MIN(frames - done, most);
        sf_count_t got = sf_readf_float(file->handle, part, (sf_count_t)wanted);
        if (got <= 0) break;
        size_t count = FILO_MIN((size_t)got, wanted) * channels;
        for (size_t i = 0; i < count; i++) {
            float x = filo_is_nan(part[i]) ? 0 : filo_clamp(part[i] * 32768, -32768, 32767);
            samples[done * channels + i] = (int16_t)filo_round_to_int(x);
        }
        done += count / channels;
        if ((size_t)got < wanted) break;
    }
    return done;
}

FiloResult audio_file_head(const void *bytes, size_t size, const char *name, AudioFileHead *head) {
    AudioFile file;
    FiloResult r = audio_file_open(&file, bytes, size, name);
    *head = r.code == FILO_OK ? file.head : (AudioFileHead){ 0 };
    if (r.code == FILO_OK) audio_file_close(&file);
    return r;
}

// ---- Sounds -------------------------------------------------------------------------------------------------

// A damaged file has fewer samples than its head says: the rest is silent, so that its length is that of the head.
static FiloResult decode_whole(AudioFile *file, const char *name, AudioSound *sound) {
    size_t got = audio_file_read(file, sound->samples, (size_t)sound->frames);
    if (got > 0) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "%s: no sample of it can be decoded", name);
}

static FiloResult copy_bytes(const void *bytes, size_t size, const char *name, AudioSound *sound) {
    sound->bytes = filo_alloc(sound->allocator, size, 0);
    if (sound->bytes == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the sound", name);
    memcpy(sound->bytes, bytes, size);
    sound->size = size;
    return filo_ok();
}

FiloResult audio_sound_decode(const void *bytes, size_t size, const char *name,
                              const FiloAllocator *allocator, AudioSound **sound_out) {
    *sound_out = NULL;
    AudioFile file;
    FiloResult r = audio_file_open(&file, bytes, size, name);
    if (r.code != FILO_OK) return r;
    const AudioFileHead *head = &file.head;
    if (head->has_bad_loop && base_first_time("loop points", filo_string(name)))
        filo_log_warn("audio", "%s: its loop points are not in order inside the sound, and not used", name);
    bool whole = head->frames * head->channels * sizeof(int16_t) <= FILO_SOUND_WHOLE;
    AudioSound *sound = audio_sound_create(allocator, head->rate, head->channels, whole ? head->frames : 0);
    if (sound == NULL) {
        r = filo_error(FILO_ERROR_MEMORY, "%s: no memory for the sound", name);
    } else {
        sound->frames = sound->loop_end = head->frames;
        if (head->loop_end > 0) {
            sound->loop_begin = head->loop_begin;
            sound->loop_end = head->loop_end;
        }
        r = whole ? decode_whole(&file, name, sound) : copy_bytes(bytes, size, name, sound);
    }
    audio_file_close(&file);
    if (r.code != FILO_OK) {
        audio_sound_release(sound);
        return r;
    }
    *sound_out = sound;
    return r;
}
