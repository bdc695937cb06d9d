// FLAC, alone or in Ogg, of 4 to 32 bits, by libFLAC.

#include "audio/audio.h"

#include <FLAC/stream_decoder.h>

#include <string.h>

typedef struct Flac {
    FLAC__StreamDecoder *decoder;
    AudioFile *file;
    float *block; // samples that are decoded and not read yet
    size_t begin, end, capacity;
    bool counts; // frames are counted, not kept
} Flac;

// ---- Bytes ----------------------------------------------------------------------------------------------------

static FLAC__StreamDecoderReadStatus read_bytes(const FLAC__StreamDecoder *decoder, FLAC__byte *to,
                                                size_t *count, void *user) {
    FILO_UNUSED(decoder);
    *count = audio_file_read_bytes(((Flac *)user)->file, to, *count);
    return *count > 0 ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
                      : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
}

static FLAC__StreamDecoderSeekStatus seek_bytes(const FLAC__StreamDecoder *decoder, FLAC__uint64 offset,
                                                void *user) {
    FILO_UNUSED(decoder);
    AudioFile *file = ((Flac *)user)->file;
    if (offset > (uint64_t)file->size) return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR;
    (void)audio_file_seek_bytes(file, (int64_t)offset, SEEK_SET);
    return FLAC__STREAM_DECODER_SEEK_STATUS_OK;
}

static FLAC__StreamDecoderTellStatus tell_bytes(const FLAC__StreamDecoder *decoder, FLAC__uint64 *position,
                                                void *user) {
    FILO_UNUSED(decoder);
    *position = (FLAC__uint64)((Flac *)user)->file->position;
    return FLAC__STREAM_DECODER_TELL_STATUS_OK;
}

static FLAC__StreamDecoderLengthStatus length_of(const FLAC__StreamDecoder *decoder, FLAC__uint64 *length,
                                                 void *user) {
    FILO_UNUSED(decoder);
    *length = (FLAC__uint64)((Flac *)user)->file->size;
    return FLAC__STREAM_DECODER_LENGTH_STATUS_OK;
}

static FLAC__bool is_at_end(const FLAC__StreamDecoder *decoder, void *user) {
    FILO_UNUSED(decoder);
    return ((Flac *)user)->file->position == ((Flac *)user)->file->size;
}

// ---- Blocks ---------------------------------------------------------------------------------------------------

static void take_head(const FLAC__StreamDecoder *decoder, const FLAC__StreamMetadata *metadata, void *user) {
    FILO_UNUSED(decoder);
    if (metadata->type != FLAC__METADATA_TYPE_STREAMINFO) return;
    const FLAC__StreamMetadata_StreamInfo *info = &metadata->data.stream_info;
    ((Flac *)user)->file->source = (AudioFileHead){ .rate = info->sample_rate,
                                                    .channels = info->channels,
                                                    .frames = info->total_samples };
}

static bool reserve(Flac *flac, size_t count) {
    if (count <= flac->capacity) return true;
    filo_free(NULL, flac->block, flac->capacity * sizeof *flac->block, 0);
    flac->block = filo_alloc(NULL, count * sizeof *flac->block, 0);
    flac->capacity = flac->block != NULL ? count : 0;
    return flac->block != NULL;
}

// A file whose rate or channels change ends there.
static FLAC__StreamDecoderWriteStatus take_block(const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame,
                                                 const FLAC__int32 *const samples[], void *user) {
    FILO_UNUSED(decoder);
    Flac *flac = user;
    AudioFileHead *source = &flac->file->source;
    const size_t channels = frame->header.channels, frames = frame->header.blocksize;
    if (channels != source->channels || frame->header.sample_rate != source->rate)
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    if (flac->counts) {
        source->frames += frames;
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
    }
    if (!reserve(flac, frames * channels)) return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    const float scale = 1 / (float)((uint32_t)1 << (frame->header.bits_per_sample - 1));
    for (size_t i = 0; i < frames; i++)
        for (size_t c = 0; c < channels; c++) flac->block[i * channels + c] = (float)samples[c][i] * scale;
    flac->begin = 0;
    flac->end = frames;
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

// The decoder goes on behind what is damaged.
static void ignore_error(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status,
                         void *user) {
    FILO_UNUSED(decoder);
    FILO_UNUSED(status);
    FILO_UNUSED(user);
}

// ---- Files ----------------------------------------------------------------------------------------------------

static void close_file(AudioFile *file) {
    Flac *flac = file->handle;
    if (flac->decoder != NULL) FLAC__stream_decoder_delete(flac->decoder);
    filo_free(NULL, flac->block, flac->capacity * sizeof *flac->block, 0);
    filo_free(NULL, flac, sizeof *flac, 0);
}

static bool open_decoder(AudioFile *file, Flac *flac) {
    bool is_ogg = memcmp(file->bytes, "OggS", 4) == 0;
    FLAC__StreamDecoderInitStatus status =
        is_ogg
            ? FLAC__stream_decoder_init_ogg_stream(flac->decoder, read_bytes, seek_bytes, tell_bytes,
                                                   length_of, is_at_end, take_block, take_head, ignore_error,
                                                   flac)
            : FLAC__stream_decoder_init_stream(flac->decoder, read_bytes, seek_bytes, tell_bytes, length_of,
                                               is_at_end, take_block, take_head, ignore_error, flac);
    return status == FLAC__STREAM_DECODER_INIT_STATUS_OK &&
           FLAC__stream_decoder_process_until_end_of_metadata(flac->decoder) && file->source.channels > 0;
}

// What was written to a pipe does not know its length.
static void count_frames(AudioFile *file, Flac *flac) {
    flac->counts = true;
    (void)FLAC__stream_decoder_process_until_end_of_stream(flac->decoder);
    flac->counts = false;
    (void)FLAC__stream_decoder_reset(flac->decoder);
    AudioFileHead source = file->source; // the head is read again, and says 0 again
    (void)FLAC__stream_decoder_process_until_end_of_metadata(flac->decoder);
    file->source = source;
}

static FiloResult open_file(AudioFile *file, const char *name) {
    Flac *flac = filo_alloc_zero(NULL, sizeof *flac, 0);
    if (flac != NULL) flac->decoder = FLAC__stream_decoder_new();
    if (flac == NULL || flac->decoder == NULL) {
        filo_free(NULL, flac, sizeof *flac, 0);
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the sound", name);
    }
    file->handle = flac;
    flac->file = file;
    if (!open_decoder(file, flac))
        return filo_error(FILO_ERROR_DATA, "%s: not a sound file: FLAC without a head", name);
    if (file->source.frames == 0) count_frames(file, flac);
    if (file->source.channels > 2) strcpy(file->speakers, audio_speakers(file->source.channels, false));
    return filo_ok();
}

static size_t read_frames(AudioFile *file, float *samples, size_t frames) {
    Flac *flac = file->handle;
    const size_t channels = file->source.channels;
    size_t done = 0;
    while (done < frames) {
        size_t count = FILO_MIN(frames - done, flac->end - flac->begin);
        if (count > 0)
            memcpy(samples + done * channels, flac->block + flac->begin * channels,
                   count * channels * sizeof *samples);
        done += count;
        flac->begin += count;
        if (flac->begin < flac->end) continue;
        FLAC__StreamDecoderState state = FLAC__stream_decoder_get_state(flac->decoder);
        if (state >= FLAC__STREAM_DECODER_END_OF_STREAM ||
            !FLAC__stream_decoder_process_single(flac->decoder))
            break;
    }
    return done;
}

static bool seek_frame(AudioFile *file, uint64_t frame) {
    Flac *flac = file->handle;
    flac->begin = flac->end = 0;
    if (FLAC__stream_decoder_seek_absolute(flac->decoder, frame)) return true;
    (void)FLAC__stream_decoder_flush(flac->decoder);
    return false;
}

const AudioDecoder audio_flac = { open_file, close_file, read_frames, seek_frame };
