// Sounds that are decoded while they play.

#include "audio/audio.h"
#include "audio/device/openal.h"

// ---- On the async pool ------------------------------------------------------------------------------------------------

// Fills a part. A stream that loops goes back at the end of its loop, inside a part.
static void decode_part(AudioStream *stream) {
    const AudioSound *sound = stream->sound;
    const uint64_t end = stream->end;
    bool went_back = false;
    while (stream->count < stream->capacity) {
        if (stream->position >= end) {
            if (!stream->loops || !audio_file_seek(&stream->file, stream->loop_begin)) break;
            stream->position = stream->loop_begin;
        }
        size_t wanted = FILO_MIN(stream->capacity - stream->count, (size_t)(end - stream->position));
        size_t got =
            audio_file_read(&stream->file, stream->samples + stream->count * sound->channels, wanted);
        stream->count += got;
        stream->position += got;
        if (got == wanted) continue;
        // The file ends before its head says.
        if (!stream->loops || (got == 0 && went_back)) break;
        went_back = true;
        stream->position = end;
    }
    stream->at_end = stream->count < stream->capacity;
}

static FiloResult decode(FiloAsyncCall *call, void *user) {
    FILO_UNUSED(call);
    AudioStream *stream = user;
    if (!stream->opened) {
        FiloResult r = audio_file_open(&stream->file, stream->sound->bytes, stream->sound->size, "a stream");
        stream->opened = r.code == FILO_OK;
        stream->failed =
            !stream->opened || (stream->position > 0 && !audio_file_seek(&stream->file, stream->position));
    }
    stream->count = 0;
    if (stream->failed)
        stream->at_end = true;
    else
        decode_part(stream);
    return filo_ok();
}

// ---- On the main thread -------------------------------------------------------------------------------------------------

static void request(AudioStream *stream) {
    if (stream->requested || stream->ended) return;
    stream->request =
        filo_async_run(stream->jobs, decode, stream, &(FiloAsyncOptions){ .name = "decode music" });
    stream->requested = stream->request.id != 0;
}

AudioStream *audio_stream_open(FiloAudio *audio, const AudioVoice *voice) {
    AudioSound *sound = voice->sound;
    AudioStream *stream = filo_alloc_zero(audio->allocator, sizeof *stream, 0);
    if (stream == NULL) return NULL;
    stream->capacity = (size_t)(AUDIO_PART_SECONDS * sound->rate);
    stream->samples = filo_alloc(audio->allocator, stream->capacity * sound->channels * sizeof(int16_t), 0);
    stream->sound = audio_sound_retain(sound);
    stream->loops = (voice->cue.flags & FILO_SOUND_LOOP) != 0;
    stream->loop_begin = voice->loop_begin;
    stream->end = stream->loops ? voice->loop_end : sound->frames;
    stream->position = FILO_MIN((uint64_t)(voice->time * sound->rate + 0.5), sound->frames);
    stream->jobs = audio->jobs;
    stream->allocator = audio->allocator;
    alGetError();
    alGenBuffers(AUDIO_STREAM_PARTS, stream->buffers);
    stream->has_buffers = alGetError() == AL_NO_ERROR;
    if (stream->samples == NULL || !stream->has_buffers) {
        audio_stream_close(stream);
        return NULL;
    }
    for (int i = 0; i < AUDIO_STREAM_PARTS; i++) stream->free[stream->free_count++] = stream->buffers[i];
    request(stream);
    return stream;
}

// The source has been stopped and has no buffers.
void audio_stream_close(AudioStream *stream) {
    if (stream == NULL) return;
    if (stream->requested) {
        filo_async_cancel(stream->jobs, stream->request);
        filo_async_wait(stream->jobs, stream->request);
        filo_async_release(stream->jobs, stream->request);
    }
    if (stream->opened) audio_file_close(&stream->file);
    if (stream->has_buffers) alDeleteBuffers(AUDIO_STREAM_PARTS, stream->buffers);
    if (stream->samples != NULL)
        filo_free(stream->allocator, stream->samples,
                  stream->capacity * stream->sound->channels * sizeof(int16_t), 0);
    audio_sound_release(stream->sound);
    filo_free(stream->allocator, stream, sizeof *stream, 0);
}

// Queues the part of a request that has ended. False while it is running.
static bool take_part(AudioStream *stream, ALuint source, bool wait) {
    if (!stream->requested) return false;
    if (wait) filo_async_wait(stream->jobs, stream->request);
    FiloRequestState state = filo_async_state(stream->jobs, stream->request);
    if (state == FILO_REQUEST_WAITING || state == FILO_REQUEST_RUNNING) return false;
    filo_async_release(stream->jobs, stream->request);
    stream->requested = false;
    stream->ended = stream->at_end;
    if (stream->count == 0 || stream->free_count == 0) return true;
    ALuint buffer = stream->free[--stream->free_count];
    ALenum format = stream->sound->channels == 2 ? AL_FORMAT_STEREO16 : AL_FORMAT_MONO16;
    size_t size = stream->count * stream->sound->channels * sizeof(int16_t);
    alBufferData(buffer, format, stream->samples, (ALsizei)size, (ALsizei)stream->sound->rate);
    alSourceQueueBuffers(source, 1, &buffer);
    stream->count = 0;
    return true;
}

void audio_stream_feed(AudioStream *stream, uint32_t source, bool wait) {
    ALint processed = 0;
    alGetSourcei(source, AL_BUFFERS_PROCESSED, &processed);
    for (; processed > 0 && stream->free_count < AUDIO_STREAM_PARTS; processed--)
        alSourceUnqueueBuffers(source, 1, &stream->free[stream->free_count++]);
    while (stream->free_count > 0 && (!stream->ended || stream->requested)) {
        request(stream);
        if (!take_part(stream, source, wait)) return;
    }
}
