// Vorbis in Ogg, by libvorbisfile. (libsndfile reads it too, but some of its seeks land elsewhere.)

#include "audio/audio.h"

#include <string.h>
#define OV_EXCLUDE_STATIC_CALLBACKS
#include <vorbis/vorbisfile.h>

static size_t read_bytes(void *to, size_t size, size_t count, void *user) {
    return size > 0 ? audio_file_read_bytes(user, to, size * count) / size : 0;
}

static int seek_bytes(void *user, ogg_int64_t offset, int whence) {
    (void)audio_file_seek_bytes(user, offset, whence);
    return 0;
}

static long tell_bytes(void *user) { return (long)((AudioFile *)user)->position; }

// A file may be several, one after the other.
static FiloResult check_parts(OggVorbis_File *handle, const char *name) {
    const vorbis_info *first = ov_info(handle, 0);
    for (int i = 1; i < ov_streams(handle); i++) {
        const vorbis_info *other = ov_info(handle, i);
        if (other->channels != first->channels || other->rate != first->rate)
            return filo_error(FILO_ERROR_UNSUPPORTED,
                              "%s: its rate or number of channels changes: make a file of each part", name);
    }
    return filo_ok();
}

static FiloResult open_handle(AudioFile *file, OggVorbis_File *handle, const char *name) {
    ov_callbacks callbacks = { read_bytes, seek_bytes, NULL, tell_bytes };
    int error = ov_open_callbacks(file, handle, NULL, 0, callbacks);
    if (error != 0)
        return filo_error(FILO_ERROR_DATA,
                          "%s: not a sound file: no Vorbis, Opus or FLAC in this Ogg file (%d)", name, error);
    FiloResult r = check_parts(handle, name);
    const vorbis_info *info = ov_info(handle, 0);
    ogg_int64_t frames = ov_pcm_total(handle, -1);
    file->source = (AudioFileHead){ .rate = (uint32_t)info->rate,
                                    .channels = (uint32_t)info->channels,
                                    .frames = frames > 0 ? (uint64_t)frames : 0 };
    if (r.code != FILO_OK) ov_clear(handle);
    return r;
}

static FiloResult open_file(AudioFile *file, const char *name) {
    OggVorbis_File *handle = filo_alloc_zero(NULL, sizeof *handle, 0);
    if (handle == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the sound", name);
    FiloResult r = open_handle(file, handle, name);
    if (r.code != FILO_OK) {
        filo_free(NULL, handle, sizeof *handle, 0);
        return r;
    }
    file->handle = handle;
    strcpy(file->speakers, audio_speakers(file->source.channels, true));
    return r;
}

static void close_file(AudioFile *file) {
    ov_clear(file->handle);
    filo_free(NULL, file->handle, sizeof(OggVorbis_File), 0);
}

static size_t read_frames(AudioFile *file, float *samples, size_t frames) {
    const size_t channels = file->source.channels;
    size_t done = 0;
    while (done < frames) {
        float **parts;
        int stream;
        long got = ov_read_float(file->handle, &parts, (int)FILO_MIN(frames - done, 4096), &stream);
        if (got == OV_HOLE) continue; // damaged: goes on behind it
        if (got <= 0) break;
        for (size_t i = 0; i < (size_t)got; i++, done++)
            for (size_t c = 0; c < channels; c++) samples[done * channels + c] = parts[c][i];
    }
    return done;
}

static bool seek_frame(AudioFile *file, uint64_t frame) {
    return ov_pcm_seek(file->handle, (ogg_int64_t)frame) == 0;
}

const AudioDecoder audio_vorbis = { open_file, close_file, read_frames, seek_frame };
