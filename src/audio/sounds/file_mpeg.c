// MP3 files, by libmpg123.
//
// A file without a Xing header says nothing of its length, and one that was cut says a wrong one, so its frames are
// counted. A frame needs bits of those before it: after a seek as many are decoded and discarded as its bits can be in.

#include "audio/audio.h"

#include <mpg123.h>

// A frame takes at most 255 bytes (of MPEG 1, 511) from before it, and at 8000 bits a second brings as few as 3.
#define EARLIER_FRAMES 90

static ssize_t read_bytes(void *user, void *to, size_t count) {
    return (ssize_t)audio_file_read_bytes(user, to, count);
}

static off_t seek_bytes(void *user, off_t offset, int whence) {
    return (off_t)audio_file_seek_bytes(user, offset, whence);
}

// Frames with another rate end the file; those with another number of channels are converted.
static int open_handle(AudioFile *file, mpg123_handle *handle) {
    long rate = 0;
    int channels = 0, encoding = 0;
    int flags = MPG123_QUIET | MPG123_FORCE_FLOAT | MPG123_SKIP_ID3V2;
    int error = mpg123_param(handle, MPG123_ADD_FLAGS, flags, 0);
    if (error == MPG123_OK) error = mpg123_param(handle, MPG123_PREFRAMES, EARLIER_FRAMES, 0);
    if (error == MPG123_OK) error = mpg123_replace_reader_handle(handle, read_bytes, seek_bytes, NULL);
    if (error == MPG123_OK) error = mpg123_open_handle(handle, file);
    if (error == MPG123_OK) error = mpg123_getformat(handle, &rate, &channels, &encoding);
    if (error == MPG123_OK) error = mpg123_format_none(handle);
    if (error == MPG123_OK) error = mpg123_format(handle, rate, channels, MPG123_ENC_FLOAT_32);
    if (error == MPG123_OK) error = mpg123_scan(handle);
    off_t frames = error == MPG123_OK ? mpg123_length(handle) : 0;
    if (error != MPG123_OK) return error;
    file->source = (AudioFileHead){ .rate = (uint32_t)rate, .channels = (uint32_t)channels };
    file->source.frames = frames > 0 ? (uint64_t)frames : 0;
    return error;
}

static FiloResult open_file(AudioFile *file, const char *name) {
    int error = MPG123_OK;
    mpg123_handle *handle = mpg123_new(NULL, &error);
    if (handle != NULL) error = open_handle(file, handle);
    if (error == MPG123_OK) {
        file->handle = handle;
        return filo_ok();
    }
    const char *message = error == MPG123_ERR && handle != NULL ? mpg123_strerror(handle) : "no MP3 in it";
    FiloResult r = filo_error(FILO_ERROR_DATA, "%s: not a sound file: %s", name, message);
    mpg123_delete(handle);
    return r;
}

static void close_file(AudioFile *file) { mpg123_delete(file->handle); }

static size_t read_frames(AudioFile *file, float *samples, size_t frames) {
    const size_t frame_size = file->source.channels * sizeof(float);
    size_t done = 0;
    int result = MPG123_OK;
    while (done < frames && (result == MPG123_OK || result == MPG123_NEW_FORMAT)) {
        size_t size = 0;
        float *to = samples + done * file->source.channels;
        result = mpg123_read(file->handle, (unsigned char *)to, (frames - done) * frame_size, &size);
        done += size / frame_size;
    }
    return done;
}

static bool seek_frame(AudioFile *file, uint64_t frame) {
    return mpg123_seek(file->handle, (off_t)frame, SEEK_SET) == (off_t)frame;
}

const AudioDecoder audio_mpeg = { open_file, close_file, read_frames, seek_frame };
