// Sound files in memory: one way to read them all, and the libraries behind it.

#ifndef FILO_AUDIO_SOUNDS_FILE_H
#define FILO_AUDIO_SOUNDS_FILE_H

#include <filo/types.h>

// What the rest of the module knows of a file: 1 or 2 channels, at AUDIO_RATE_MIN to AUDIO_RATE_MAX.
typedef struct AudioFileHead {
    uint32_t rate, channels;
    uint64_t frames, loop_begin, loop_end; // loop_end 0: no loop points
    bool has_bad_loop;                     // its points are not in order inside the sound, and not used
} AudioFileHead;

#define AUDIO_SPEAKERS 8

// A file in memory that is decoded in parts. One thread at a time.
typedef struct AudioFile {
    const struct AudioDecoder *decoder;
    void *handle; // the decoder's
    const uint8_t *bytes;
    int64_t size, position;
    AudioFileHead source; // as it is in the file
    // A letter for each channel, if there are more than two: L and R in front, l and r behind or beside, C and c in the
    // middle, in front and behind, F only low frequencies. "": not known.
    char speakers[AUDIO_SPEAKERS + 1];
    AudioFileHead head;               // as it is read
    float weights[AUDIO_SPEAKERS][2]; // of the channels of the file, if they are mixed
    uint32_t up, down;                // the factors between the rates of the file and of what is read
    // Where `up` is not 1: the frames of the file around the next one that is read, and how many parts are behind it.
    float now[2], next[2];
    bool has_now, has_next;
    uint32_t phase;
} AudioFile;

// ---- file.c ----

// The head of a sound file. Any thread.
FiloResult audio_file_head(const void *bytes, size_t size, const char *name, AudioFileHead *head);
// `file` must not move until it is closed. The bytes must outlive it.
FiloResult audio_file_open(AudioFile *file, const void *bytes, size_t size, const char *name);
void audio_file_close(AudioFile *file);
// What is read next are the samples that reading from the beginning would give.
bool audio_file_seek(AudioFile *file, uint64_t frame);
// Decodes up to `frames` frames; returns how many. Fewer at the end of the file, or where it is damaged.
size_t audio_file_read(AudioFile *file, int16_t *samples, size_t frames);

// For libraries that read by callbacks.
size_t audio_file_read_bytes(AudioFile *file, void *to, size_t count);
int64_t audio_file_seek_bytes(AudioFile *file, int64_t offset, int whence); // returns the new position

// ---- file_mix.c ----

// How the channels and the rate of the file become those of its head.
void audio_file_plan(AudioFile *file);
// As audio_file_read, in floats from -1 to 1.
size_t audio_file_read_mixed(AudioFile *file, float *samples, size_t frames);
bool audio_file_seek_mixed(AudioFile *file, uint64_t frame);

// ---- Libraries ----

typedef struct AudioDecoder {
    FiloResult (*open)(AudioFile *file, const char *name); // fills in handle, source and speakers
    void (*close)(AudioFile *file);                        // frees the handle
    // As the functions of files, with the channels and the rate of the file.
    size_t (*read)(AudioFile *file, float *samples, size_t frames);
    bool (*seek)(AudioFile *file, uint64_t frame);
} AudioDecoder;

extern const AudioDecoder audio_flac;    // libFLAC: alone, or in Ogg
extern const AudioDecoder audio_mpeg;    // libmpg123: MP3
extern const AudioDecoder audio_sndfile; // libsndfile: WAV, Opus, and others
extern const AudioDecoder audio_vorbis;  // libvorbisfile

// The order of channels in files that do not say another: in WAV and FLAC, or in Vorbis and Opus. "": more than 8.
const char *audio_speakers(uint32_t channels, bool vorbis);

#endif
