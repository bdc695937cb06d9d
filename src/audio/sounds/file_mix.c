// More than two channels are mixed to two, and rates that are too low or too high are changed by a whole factor: to a
// multiple, on lines between the samples, or to a part, by the mean of samples. So each frame that is read has its place
// in the file, from which it can be read again.

#include "audio/audio.h"

// ---- Planning -------------------------------------------------------------------------------------------------

const char *audio_speakers(uint32_t channels, bool vorbis) {
    static const char *const orders[2][AUDIO_SPEAKERS] = {
        { "C", "LR", "LRC", "LRlr", "LRClr", "LRCFlr", "LRCFclr", "LRCFlrlr" },
        { "C", "LR", "LCR", "LRlr", "LCRlr", "LCRlrF", "LCRlrcF", "LCRlrlrF" },
    };
    return channels >= 1 && channels <= AUDIO_SPEAKERS ? orders[vorbis][channels - 1] : "";
}

// As ITU-R BS.775: what is beside or behind, and the middle, 3 dB lower; low frequencies alone are left out.
static void weigh(char speaker, float weights[2]) {
    const float lower = 0.70710678f;
    switch (speaker) {
    case 'L': weights[0] = 1; break;
    case 'R': weights[1] = 1; break;
    case 'l': weights[0] = lower; break;
    case 'r': weights[1] = lower; break;
    case 'C': weights[0] = weights[1] = lower; break;
    case 'c': weights[0] = weights[1] = lower * lower; break;
    default: break;
    }
}

// Scaled so that nothing is clipped. Speakers that are not known are all heard in the middle.
static void plan_mix(AudioFile *file) {
    uint32_t channels = file->source.channels;
    float left = 0, right = 0;
    for (uint32_t i = 0; i < channels && i < AUDIO_SPEAKERS && file->speakers[i] != '\0'; i++) {
        weigh(file->speakers[i], file->weights[i]);
        left += file->weights[i][0];
        right += file->weights[i][1];
    }
    float sum = FILO_MAX(left, right);
    for (int i = 0; i < AUDIO_SPEAKERS; i++)
        for (int side = 0; side < 2; side++)
            file->weights[i][side] = sum > 0 ? file->weights[i][side] / sum : 1 / (float)channels;
}

void audio_file_plan(AudioFile *file) {
    const AudioFileHead *source = &file->source;
    file->up = file->down = 1;
    file->head = *source;
    if (source->rate == 0 || source->channels == 0) return;
    if (source->channels > 2) plan_mix(file);
    if (source->rate < AUDIO_RATE_MIN) file->up = (AUDIO_RATE_MIN + source->rate - 1) / source->rate;
    if (source->rate > AUDIO_RATE_MAX) file->down = (source->rate - 1) / AUDIO_RATE_MAX + 1;
    file->head.channels = FILO_MIN(source->channels, 2);
    file->head.rate = (source->rate * file->up + file->down / 2) / file->down;
    uint64_t frames = FILO_MIN(source->frames, (uint64_t)1 << 50); // still too long
    file->head.frames = (frames * file->up + file->down - 1) / file->down;
    file->head.loop_begin = source->loop_begin * file->up / file->down;
    file->head.loop_end = source->loop_end * file->up / file->down;
    if (file->head.loop_begin >= file->head.loop_end) file->head.loop_begin = file->head.loop_end = 0;
    if (file->up > 1) (void)audio_file_seek_mixed(file, 0);
}

// ---- Reading --------------------------------------------------------------------------------------------------

static void mix(const AudioFile *file, const float *from, float *to, size_t frames) {
    const size_t channels = file->source.channels;
    for (size_t i = 0; i < frames; i++, from += channels, to += 2) {
        to[0] = to[1] = 0;
        for (size_t c = 0; c < channels; c++) {
            const float *weights = file->weights[FILO_MIN(c, AUDIO_SPEAKERS - 1)];
            to[0] += from[c] * weights[0];
            to[1] += from[c] * weights[1];
        }
    }
}

// With one or two channels, at the rate of the file.
static size_t read_source(AudioFile *file, float *samples, size_t frames) {
    float part[4096];
    const size_t channels = file->source.channels, most = FILO_COUNT_OF(part) / channels;
    if (channels <= 2) return file->decoder->read(file, samples, frames);
    size_t done = 0;
    while (done < frames) {
        size_t wanted = FILO_MIN(frames - done, most), got = file->decoder->read(file, part, wanted);
        mix(file, part, samples + 2 * done, got);
        done += got;
        if (got < wanted) break;
    }
    return done;
}

static size_t read_down(AudioFile *file, float *samples, size_t frames) {
    const uint32_t channels = file->head.channels, down = file->down;
    size_t done = 0;
    for (uint32_t got = down; done < frames && got == down; done += got > 0) {
        float sum[2] = { 0 }, frame[2];
        for (got = 0; got < down && read_source(file, frame, 1) == 1; got++)
            for (uint32_t c = 0; c < channels; c++) sum[c] += frame[c];
        for (uint32_t c = 0; c < channels && got > 0; c++) samples[done * channels + c] = sum[c] / (float)got;
    }
    return done;
}

// Goes to the next frame of the file. After the last one, its level stays.
static void step_up(AudioFile *file) {
    for (int c = 0; c < 2; c++) file->now[c] = file->next[c];
    file->has_now = file->has_next;
    file->has_next = read_source(file, file->next, 1) == 1;
    file->phase = 0;
}

static size_t read_up(AudioFile *file, float *samples, size_t frames) {
    const uint32_t channels = file->head.channels;
    size_t i = 0;
    for (; i < frames && file->has_now; i++) {
        float t = (float)file->phase / (float)file->up;
        for (uint32_t c = 0; c < channels; c++)
            samples[i * channels + c] = file->now[c] + (file->next[c] - file->now[c]) * t;
        if (++file->phase == file->up) step_up(file);
    }
    return i;
}

size_t audio_file_read_mixed(AudioFile *file, float *samples, size_t frames) {
    if (file->up > 1) return read_up(file, samples, frames);
    return file->down > 1 ? read_down(file, samples, frames) : read_source(file, samples, frames);
}

bool audio_file_seek_mixed(AudioFile *file, uint64_t frame) {
    if (!file->decoder->seek(file, frame * file->down / file->up)) return false;
    if (file->up == 1) return true;
    step_up(file);
    step_up(file);
    file->phase = (uint32_t)(frame % file->up);
    return true;
}
