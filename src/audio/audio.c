// The audio as a whole: creating it, and a step.

#include "audio/audio.h"
#include "base/suggest.h"

#include <filo/profile.h>
#include <filo/time.h>

#define SOURCES_DEFAULT 64

// ---- Types of assets ------------------------------------------------------------------------------------------------------

static const char *const type_names[] = { "sound", "synth", "cues" };

static FiloResult register_types(FiloAssets *assets) {
    const FiloAssetType types[] = { audio_sound_type(), audio_synth_type(), audio_table_type() };
    for (size_t i = 0; i < FILO_COUNT_OF(types); i++) {
        FiloResult r = filo_assets_register(assets, &types[i]);
        if (r.code == FILO_OK) continue;
        while (i-- > 0) (void)filo_assets_unregister(assets, types[i].name);
        return r;
    }
    return filo_ok();
}

AudioSound *audio_sound_for(FiloAudio *audio, FiloName name, bool *failed) {
    FiloAsset asset = filo_assets_find(audio->assets, name);
    if (asset.id == 0 && !filo_map_has(&audio->refused, name.id)) {
        asset = filo_assets_load(audio->assets, filo_name_text(name));
        if (asset.id == 0) (void)filo_map_put(&audio->refused, name.id);
    }
    *failed = asset.id == 0;
    if (asset.id == 0) return NULL;
    // What is rendered must not depend on the disk.
    bool loading = filo_asset_state(audio->assets, asset) == FILO_ASSET_LOADING;
    if (loading && audio->output == FILO_AUDIO_OFFLINE) (void)filo_assets_wait(audio->assets, asset);
    FiloSoundInfo info;
    if (filo_sound_info(audio->assets, asset, &info))
        return audio_sound_retain((AudioSound *)(uintptr_t)filo_asset_data(audio->assets, asset));
    FiloAssetState state = filo_asset_state(audio->assets, asset);
    *failed = state != FILO_ASSET_LOADING;
    if (state == FILO_ASSET_READY && base_first_time("no sound", filo_string(filo_name_text(name))))
        filo_log_warn("audio", "%s is no sound, but an asset of type \"%s\"", filo_name_text(name),
                      filo_asset_type(audio->assets, asset));
    return NULL;
}

// ---- Creating -------------------------------------------------------------------------------------------------------------

static FiloResult check_desc(const FiloAudioDesc *desc) {
    if (desc == NULL || desc->assets == NULL) return FILO_MISTAKE("pass a description with assets");
    if (desc->sources < 0 || desc->sources > FILO_AUDIO_SOURCES)
        return FILO_MISTAKE("a device has 1 to %d sources, not %d", FILO_AUDIO_SOURCES, desc->sources);
    if (desc->rate != 0 && (desc->rate < 8000 || desc->rate > 192000))
        return FILO_MISTAKE("sound is rendered at 8000 to 192000 Hz, not %d", desc->rate);
    return filo_ok();
}

static FiloResult init(FiloAudio *audio, const FiloAudioDesc *desc) {
    int sources = desc->sources > 0 ? desc->sources : SOURCES_DEFAULT;
    audio_buses_init(&audio->buses);
    audio_listener_fill(&audio->listener, NULL);
    if (!audio_voices_init(&audio->voices, sources, audio->allocator))
        return filo_error(FILO_ERROR_MEMORY, "no memory for audio");
    if (audio->world != NULL) {
        audio->records = audio_records_of(audio->world, audio->assets);
        if (audio->records == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for audio");
        audio->records->listening = audio->output != FILO_AUDIO_NONE;
    }
    if (audio->events != NULL)
        (void)filo_events_declare(audio->events, filo_name(FILO_EVENT_SOUND_ENDED),
                                  FILO_TYPE(FiloSoundEnded));
    return audio_device_init(audio, desc);
}

FiloResult filo_audio_create(FiloAudio **out, const FiloAudioDesc *desc) {
    if (out == NULL) return FILO_MISTAKE("pass a pointer for the audio");
    *out = NULL;
    FiloResult r = check_desc(desc);
    if (r.code != FILO_OK) return r;
    FiloAudio *audio = filo_alloc_zero(desc->allocator, sizeof *audio, 0);
    if (audio == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for audio");
    *audio = (FiloAudio){ .allocator = desc->allocator,
                          .assets = desc->assets,
                          .jobs = filo_assets_jobs(desc->assets),
                          .world = desc->world,
                          .events = desc->events,
                          .output = desc->output,
                          .scale = 1,
                          .tick_seconds = 1.0 / 60 };
    if (audio->events == NULL && audio->world != NULL) audio->events = filo_world_events(audio->world);
    filo_array_init(&audio->tables, audio->allocator);
    filo_map_init(&audio->refused, sizeof(bool), audio->allocator);
    r = register_types(audio->assets);
    if (r.code != FILO_OK) {
        filo_free(audio->allocator, audio, sizeof *audio, 0);
        return r;
    }
    r = init(audio, desc);
    if (r.code != FILO_OK) {
        filo_audio_destroy(audio);
        return r;
    }
    *out = audio;
    return r;
}

void filo_audio_destroy(FiloAudio *audio) {
    if (audio == NULL) return;
    FiloResult r = filo_audio_finish(audio);
    if (r.code != FILO_OK) filo_log_error("audio", "%s", r.message);
    if (audio->records != NULL) {
        audio->records->listening = false;
        audio->records->assets = NULL;
        audio_records_clear(audio->records, true);
    }
    audio_tables_free(audio);
    audio_device_deinit(audio);
    audio_voices_deinit(&audio->voices, audio->allocator);
    for (size_t i = FILO_COUNT_OF(type_names); i-- > 0;)
        (void)filo_assets_unregister(audio->assets, type_names[i]);
    filo_map_deinit(&audio->refused);
    filo_free(audio->allocator, audio, sizeof *audio, 0);
}

FiloResult filo_audio_finish(FiloAudio *audio) {
    if (audio == NULL) return FILO_MISTAKE("pass the audio");
    return audio_offline_finish(audio);
}

// ---- Steps ------------------------------------------------------------------------------------------------------------------

// Lets time pass, and everything be heard that happens in it.
static void pass(FiloAudio *audio, double seconds) {
    audio_buses_step(&audio->buses, seconds, audio->paused, audio->scale);
    audio_voices_fade(audio, seconds);
    audio_voices_prepare(audio);
    audio_sources_sync(audio);
    if (audio->output == FILO_AUDIO_OFFLINE && audio_device_enter(audio))
        audio_offline_render(audio, seconds);
    audio_sources_collect(audio);
    audio_voices_advance(audio, seconds);
}

// Offline, time passes with each tick: as long as it was heard, so longer than the tick in slow motion.
static void take_records(FiloAudio *audio) {
    AudioRecords *records = audio->records;
    size_t cue = 0, sound = 0;
    for (size_t i = 0; i < records->ticks.count; i++) {
        const AudioTick *tick = &records->ticks.items[i];
        if (tick->seconds > 0) audio->tick_seconds = tick->seconds;
        audio_voices_record(audio, tick, cue, sound);
        cue = tick->cue_end;
        sound = tick->sound_end;
        if (audio->output == FILO_AUDIO_OFFLINE) pass(audio, tick->seconds / (double)audio->scale);
    }
    if (audio->paused) audio_voices_cues(audio, cue, records->cues.count); // no tick comes
    audio_records_clear(records, audio->paused);
}

// Voices that were started by calls since the last step.
static void place_voices(FiloAudio *audio) {
    for (uint32_t i = 0; i < audio->voices.end && audio->world != NULL; i++) {
        AudioVoice *voice = &audio->voices.items[i];
        if (voice->state != AUDIO_VOICE_WAITS || voice->placed) continue;
        audio_cue_place(&voice->cue, audio->world);
        voice->placed = (voice->cue.flags & FILO_SOUND_PLACED) != 0;
        voice->position = voice->cue.position;
    }
}

static bool is_paused(const FiloAudio *audio) { return audio->paused; }

// A component that is registered without the system that plays it would be silent.
static void check_registered(const FiloAudio *audio) {
    if (audio->records == NULL || audio->records->has_components) return;
    bool has = filo_component_of(audio->world, FILO_TYPE(FiloSound)).id != 0 ||
               filo_component_of(audio->world, FILO_TYPE(FiloListener)).id != 0;
    FILO_CHECK(!has, "the world has FiloSound or FiloListener: register both by filo_audio_register");
}

void filo_audio_step(FiloAudio *audio, double seconds) {
    if (!AUDIO_CHECK(audio)) return;
    if (!(seconds >= 0)) seconds = 0;
    FILO_ZONE("audio");
    int64_t start = filo_time_ns();
    check_registered(audio);
    audio_tables_update(audio);
    audio_device_watch(audio, seconds);
    place_voices(audio);
    if (audio->records != NULL) take_records(audio);
    if (audio->output != FILO_AUDIO_OFFLINE || audio->records == NULL || is_paused(audio))
        pass(audio, seconds);
    audio->stats.step_ms = (double)(filo_time_ns() - start) / 1e6;
}

void filo_audio_set_time(FiloAudio *audio, bool paused, float scale) {
    if (!AUDIO_CHECK(audio)) return;
    audio->paused = paused || !(scale > 0);
    audio->scale = filo_is_nan(scale) ? 1 : filo_clamp(scale, 0.01f, 100);
}

// ---- The listener and numbers -------------------------------------------------------------------------------------------------

static void set_listener(FiloAudio *audio, AudioListener listener, const FiloListener *component) {
    if (!AUDIO_CHECK(audio)) return;
    audio_listener_fill(&listener, component);
    if (audio_listener_is_valid(&listener)) audio->listener = listener;
}

void filo_audio_set_listener2(FiloAudio *audio, FiloVec2 position, const FiloListener *listener) {
    set_listener(audio, (AudioListener){ .position = filo_vec3(position.x, position.y, 0) }, listener);
}

void filo_audio_set_listener3(FiloAudio *audio, FiloVec3 position, FiloQuat rotation,
                              const FiloListener *listener) {
    set_listener(audio, (AudioListener){ .position = position, .rotation = rotation, .in_space = true },
                 listener);
}

FiloAudioStats filo_audio_stats(const FiloAudio *audio) {
    if (!AUDIO_CHECK(audio)) return (FiloAudioStats){ 0 };
    FiloAudioStats stats = audio->stats;
    for (uint32_t i = 0; i < audio->voices.end; i++) {
        const AudioVoice *voice = &audio->voices.items[i];
        if (voice->state == AUDIO_VOICE_FREE) continue;
        stats.voices++;
        stats.heard += voice->source >= 0;
        stats.streams += voice->source >= 0 && audio->device.sources[voice->source].stream != NULL;
    }
    return stats;
}
