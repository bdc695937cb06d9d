// Buses.

#include "audio/audio.h"

static AudioBus *add(AudioBuses *buses, const char *name, int32_t parent) {
    AudioBus *bus = &buses->items[buses->count++];
    *bus = (AudioBus){
        .name = filo_name(name), .parent = parent, .volume = 1, .gain = 1, .gain_goal = 1, .ducked_by = -1
    };
    return bus;
}

void audio_buses_init(AudioBuses *buses) {
    *buses = (AudioBuses){ 0 };
    add(buses, "master", -1);
    add(buses, "sounds", AUDIO_BUS_MASTER)->flags = FILO_BUS_PAUSES;
    add(buses, "music", AUDIO_BUS_MASTER);
    add(buses, "ui", AUDIO_BUS_MASTER);
    audio_buses_step(buses, 0, false, 1);
}

int32_t audio_bus_find(const AudioBuses *buses, FiloName name) {
    if (name.id == 0) return -1;
    for (int32_t i = 0; i < buses->count; i++)
        if (buses->items[i].name.id == name.id) return i;
    return -1;
}

bool audio_bus_is_below(const AudioBuses *buses, int32_t bus, int32_t above) {
    for (; bus >= 0; bus = buses->items[bus].parent)
        if (bus == above) return true;
    return false;
}

// ---- In a step --------------------------------------------------------------------------------------------------

// The response of a simple filter with this cutoff at 5 kHz, where the filters of OpenAL are defined.
static float high_of(float low_pass) {
    if (low_pass <= 0) return 1;
    float ratio = 5000 / low_pass;
    return 1 / filo_sqrt(1 + ratio * ratio);
}

static void compute(AudioBuses *buses, AudioBus *bus, bool paused, float scale) {
    static const AudioBus none = { .level = 1, .high = 1, .pitch = 1 };
    const AudioBus *parent = bus->parent >= 0 ? &buses->items[bus->parent] : &none;
    float ducked = bus->ducked > 0 ? filo_decibels(-bus->ducked * bus->duck) : 1;
    bus->level = parent->level * bus->gain * ducked * bus->volume * bus->volume;
    bus->high = parent->high * high_of(bus->low_pass);
    bool slows = (bus->flags & FILO_BUS_SLOWS) != 0 && parent->pitch == 1;
    bus->pitch = slows ? filo_max(scale, 0.01f) : parent->pitch;
    bus->stands = parent->stands || (paused && (bus->flags & FILO_BUS_PAUSES) != 0);
}

void audio_buses_step(AudioBuses *buses, double seconds, bool paused, float scale) {
    for (int32_t i = 0; i < buses->count; i++) {
        AudioBus *bus = &buses->items[i];
        bus->gain = filo_approach(bus->gain, bus->gain_goal, bus->gain_step * (float)seconds);
        if (bus->ducked_by >= 0) {
            bool ducks = buses->items[bus->ducked_by].heard > 0;
            float time = ducks ? bus->duck_attack : bus->duck_release;
            bus->ducked = filo_approach(bus->ducked, ducks ? 1 : 0, (float)seconds / time);
        }
    }
    // A parent may have a higher index than its children, after a change.
    for (int32_t done = 0, depth = 0; done < buses->count && depth <= buses->count; depth++)
        for (int32_t i = 0; i < buses->count; i++) {
            int32_t levels = 0;
            for (int32_t at = buses->items[i].parent; at >= 0; at = buses->items[at].parent) levels++;
            if (levels != depth) continue;
            compute(buses, &buses->items[i], paused, scale);
            done++;
        }
}

// ---- Public -------------------------------------------------------------------------------------------------------

// The index of a bus that must exist; -1 after a mistake.
static int32_t bus_of(const FiloAudio *audio, const char *name) {
    if (!(AUDIO_CHECK(audio) && FILO_CHECK(name != NULL, "pass the name of a bus"))) return -1;
    int32_t index = audio_bus_find(&audio->buses, filo_name_find(filo_string(name)));
    FILO_CHECK(index >= 0, "there is no bus \"%s\": create it by filo_audio_set_bus", name);
    return index;
}

static bool is_same_room(const FiloReverb *a, const FiloReverb *b) {
    return a->decay == b->decay && a->gain == b->gain && a->damping == b->damping && a->delay == b->delay;
}

static void apply_desc(AudioBus *bus, const FiloBusDesc *given) {
    FiloBusDesc cleaned = *given, *desc = &cleaned;
    audio_bus_clean(bus->name, desc);
    bus->flags = desc->flags;
    bus->voice_limit = desc->voices;
    bus->gain = bus->gain_goal = audio_gain(bus->name, desc->gain);
    bus->gain_step = 0;
    bus->low_pass = filo_max(desc->low_pass, 0);
    if (!is_same_room(&bus->reverb, &desc->reverb)) bus->reverb_version++;
    bus->reverb = desc->reverb;
    bus->duck = desc->duck > 0 ? desc->duck : 9;
    bus->duck_attack = desc->duck_attack > 0 ? desc->duck_attack : 0.1f;
    bus->duck_release = desc->duck_release > 0 ? desc->duck_release : 0.5f;
}

bool filo_audio_set_bus(FiloAudio *audio, const char *name, const FiloBusDesc *desc) {
    if (!AUDIO_CHECK(audio) || !FILO_CHECK(name != NULL && name[0] != '\0' && desc != NULL,
                                           "pass the name of a bus, and a description"))
        return false;
    AudioBuses *buses = &audio->buses;
    int32_t index = audio_bus_find(buses, filo_name(name));
    int32_t parent = index == AUDIO_BUS_MASTER ? -1 : AUDIO_BUS_MASTER, ducked_by = -1;
    if (desc->parent != NULL && index != AUDIO_BUS_MASTER && (parent = bus_of(audio, desc->parent)) < 0)
        return false;
    if (desc->ducked_by != NULL && (ducked_by = bus_of(audio, desc->ducked_by)) < 0) return false;
    if (!FILO_CHECK(index < 0 || !audio_bus_is_below(buses, parent, index), "the bus \"%s\" is below itself",
                    name))
        return false;
    bool ducks_itself =
        ducked_by >= 0 && (ducked_by == index || audio_bus_is_below(buses, parent, ducked_by));
    if (!FILO_CHECK(!ducks_itself, "the bus \"%s\" is ducked by itself", name)) return false;
    if (index < 0) {
        if (!FILO_CHECK(buses->count < FILO_AUDIO_BUSES, "there are more than %d buses", FILO_AUDIO_BUSES))
            return false;
        index = buses->count;
        add(buses, name, parent);
    }
    AudioBus *bus = &buses->items[index];
    bus->parent = parent;
    bus->ducked_by = ducked_by;
    apply_desc(bus, desc);
    audio_buses_step(buses, 0, audio->paused, audio->scale);
    return true;
}

bool filo_audio_has_bus(const FiloAudio *audio, const char *name) {
    if (!(AUDIO_CHECK(audio) && FILO_CHECK(name != NULL, "pass the name of a bus"))) return false;
    return audio_bus_find(&audio->buses, filo_name_find(filo_string(name))) >= 0;
}

void filo_audio_set_volume(FiloAudio *audio, const char *name, float volume) {
    int32_t index = bus_of(audio, name);
    if (index < 0) return;
    // A key may raise the volume above 1, so that is no mistake; percents are.
    FILO_CHECK(volume >= -1 && volume <= 2, "a volume is between 0 and 1, not %g", (double)volume);
    audio->buses.items[index].volume = volume >= 0 ? filo_min(volume, 1) : 0;
}

float filo_audio_volume(const FiloAudio *audio, const char *name) {
    int32_t index = bus_of(audio, name);
    return index >= 0 ? audio->buses.items[index].volume : 0;
}

void filo_audio_fade_bus(FiloAudio *audio, const char *name, float gain, float fade) {
    int32_t index = bus_of(audio, name);
    if (index < 0) return;
    AudioBus *bus = &audio->buses.items[index];
    bus->gain_goal = audio_gain(bus->name, gain);
    bus->gain_step = fade > 0 ? filo_abs(bus->gain_goal - bus->gain) / fade : 0;
    if (!(fade > 0)) bus->gain = bus->gain_goal;
}
