// Chooses the voices that are heard.
//
// Voices that stay together come first, then higher priorities, then louder ones, then older ones. A voice that is heard
// already counts as 3 dB louder, so that two of equal level do not take turns. Voices that are not heard at all (silent,
// too far away, paused) need no source.

#include "audio/audio.h"

#include <stdlib.h>

#define AUDIBLE 0.0001f // −80 dB
#define LOYALTY 1.4f    // 3 dB

bool audio_voice_is_audible(const AudioVoice *voice) {
    if (voice->group != 0) return true;
    bool fades_in = voice->fade_step > 0 && voice->fade < 1;
    return (voice->level > AUDIBLE || fades_in) && !voice->stands;
}

static float rank_level(const AudioVoice *voice) {
    return voice->source >= 0 ? voice->level * LOYALTY : voice->level;
}

// Whether `a` comes before `b`. No two voices are equal.
static bool comes_before(const AudioVoice *a, const AudioVoice *b) {
    if ((a->group != 0) != (b->group != 0)) return a->group != 0;
    if (a->cue.priority != b->cue.priority) return a->cue.priority > b->cue.priority;
    float level_a = rank_level(a), level_b = rank_level(b);
    if (level_a != level_b) return level_a > level_b;
    return a->order < b->order;
}

// Heap sort: without recursion, without memory, and the same everywhere.
static void sift(const AudioVoices *voices, size_t root, size_t count) {
    uint16_t *order = voices->order;
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && comes_before(&voices->items[order[child]], &voices->items[order[child + 1]]))
            child++;
        if (!comes_before(&voices->items[order[root]], &voices->items[order[child]])) return;
        uint16_t swap = order[root];
        order[root] = order[child];
        order[child] = swap;
    }
}

static void sort(const AudioVoices *voices, size_t count) {
    for (size_t i = count / 2; i-- > 0;) sift(voices, i, count);
    for (size_t end = count; end-- > 1;) {
        uint16_t swap = voices->order[0];
        voices->order[0] = voices->order[end];
        voices->order[end] = swap;
        sift(voices, 0, end);
    }
}

// Whether a bus and all above it have room for one more; counts it.
static bool take_room(AudioBuses *buses, int32_t bus) {
    for (int32_t at = bus; at >= 0; at = buses->items[at].parent) {
        const AudioBus *limited = &buses->items[at];
        if (limited->voice_limit > 0 && limited->heard >= limited->voice_limit) return false;
    }
    for (; bus >= 0; bus = buses->items[bus].parent) buses->items[bus].heard++;
    return true;
}

void audio_voices_choose(FiloAudio *audio) {
    AudioVoices *voices = &audio->voices;
    size_t count = 0;
    for (uint32_t i = 0; i < voices->end; i++) {
        AudioVoice *voice = &voices->items[i];
        voice->wanted = false;
        if (voice->sound != NULL && voice->state >= AUDIO_VOICE_PLAYS && audio_voice_is_audible(voice))
            voices->order[count++] = (uint16_t)i;
    }
    for (int32_t i = 0; i < audio->buses.count; i++) audio->buses.items[i].heard = 0;
    bool limited = count > voices->sources;
    for (int32_t i = 0; i < audio->buses.count; i++)
        limited = limited || audio->buses.items[i].voice_limit > 0;
    if (limited) sort(voices, count);
    for (size_t i = 0, left = voices->sources; i < count && left > 0; i++) {
        AudioVoice *voice = &voices->items[voices->order[i]];
        voice->wanted = take_room(&audio->buses, voice->bus);
        if (voice->wanted) left--;
    }
}
