// The audio as a module: see filo/modules.h.

#include "audio/audio.h"

#include <filo/files.h>

#include <strings.h>

static FiloResult check_file(const char *file) {
    const char *extension = filo_path_extension(file);
    if (extension[0] == '\0' || strcasecmp(extension, "wav") == 0) return filo_ok();
    return filo_error(FILO_ERROR_UNSUPPORTED, "%s: sound is written as WAV: let the name end in .wav", file);
}

static FiloResult load(FiloModules *modules, void *user) {
    FiloAudioModule *module = user;
    FiloAudioDesc desc = module->desc;
    desc.assets = FILO_OBJECT(modules, FiloAssets);
    if (desc.assets == NULL) { // there can be no sounds
        if (module->file == NULL) return filo_ok();
        return filo_error(FILO_ERROR_UNSUPPORTED, "--sound: this game has no assets, and so no sounds");
    }
    FiloResult r = module->file != NULL ? check_file(module->file) : filo_ok();
    if (r.code != FILO_OK) return r;
    filo_heap_init(&module->heap, "audio", 0);
    desc.world = FILO_OBJECT(modules, FiloWorld);
    desc.events = filo_modules_events(modules);
    desc.allocator = &module->heap.allocator;
    desc.file = module->file;
    desc.output = module->file != NULL                    ? FILO_AUDIO_OFFLINE
                  : filo_modules_frame(modules)->headless ? FILO_AUDIO_NONE
                                                          : FILO_AUDIO_DEVICE;
    r = filo_audio_create(&module->audio, &desc);
    if (r.code != FILO_OK) {
        filo_heap_deinit(&module->heap);
        return r;
    }
    filo_audio_set_volume(module->audio, "master", (float)module->volume / 100);
    FILO_SET_OBJECT(modules, FiloAudio, module->audio);
    return r;
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloAudioModule *module = user;
    if (module->audio == NULL) return filo_ok();
    filo_audio_destroy(module->audio);
    filo_heap_deinit(&module->heap);
    module->audio = NULL;
    return filo_ok();
}

// ---- Hooks of the frame -----------------------------------------------------------------------------------------------------

// Games need not register sounds. Without assets they have no length.
static FiloResult define(FiloFrame *frame, void *user) {
    FILO_UNUSED(user);
    FiloWorld *world = FILO_OBJECT(frame->modules, FiloWorld);
    if (world == NULL || filo_audio_register(world, FILO_OBJECT(frame->modules, FiloAssets)))
        return filo_ok();
    return filo_error(FILO_ERROR_MEMORY, "cannot register the components of sounds");
}

static FiloResult step(FiloFrame *frame, void *user) {
    FiloAudioModule *module = user;
    if (module->audio == NULL) return filo_ok();
    filo_audio_set_time(module->audio, frame->paused, frame->time_scale);
    filo_audio_step(module->audio, frame->seconds);
    return filo_ok();
}

// What the last tick has recorded is rendered too.
static FiloResult finish(FiloFrame *frame, void *user) {
    FiloAudioModule *module = user;
    if (module->audio == NULL) return filo_ok();
    filo_audio_set_time(module->audio, false, frame->time_scale);
    filo_audio_step(module->audio, 0);
    if (module->file != NULL && filo_audio_stats(module->audio).played == 0)
        filo_log_warn("audio", "%s is silent: the game has played no sound", module->file);
    return filo_audio_finish(module->audio);
}

// ---- Stats and debug view -----------------------------------------------------------------------------------------------------

static void report_stats(FiloStats *stats, void *user) {
    const FiloAudio *audio = ((FiloAudioModule *)user)->audio;
    if (audio == NULL) return;
    const FiloAudioStats now = filo_audio_stats(audio);
    filo_stats_count(stats, "voices", now.voices);
    filo_stats_count(stats, "voices_heard", now.heard);
    filo_stats_count(stats, "voices_played", now.played);
    filo_stats_number(stats, "audio_ms", now.step_ms);
}

static void describe(FiloLines *lines, void *user) {
    const FiloAudio *audio = ((FiloAudioModule *)user)->audio;
    if (audio == NULL) return;
    const FiloAudioStats now = filo_audio_stats(audio);
    filo_lines_add(lines, "sound: %s  %zu of %zu voices heard  %zu streams", filo_audio_device(audio),
                   now.heard, now.voices, now.streams);
}

// ---- The description ------------------------------------------------------------------------------------------------------------

FiloModuleDesc filo_audio_module(FiloAudioModule *module) {
    static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld), FILO_OPTIONAL_OBJECT(FiloAssets) };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloAudio) };
    if (!FILO_CHECK(module != NULL, "pass a module")) return (FiloModuleDesc){ 0 };
    module->volume = 100;
    module->flags[0] = (FiloFlag){ .name = "sound",
                                   .help = "write what would be heard to a WAV file",
                                   .value_name = "FILE.wav",
                                   .path = &module->file,
                                   .unrecorded = true };
    module->flags[1] = (FiloFlag){ .name = "volume",
                                   .help = "of all sounds, in percent",
                                   .value_name = "PERCENT",
                                   .integer = &module->volume,
                                   .max = 100,
                                   .unrecorded = true };
    return (FiloModuleDesc){ .name = "audio",
                             .version = FILO_VERSION(0, 1, 0),
                             .needs = needs,
                             .need_count = FILO_COUNT_OF(needs),
                             .provides = provides,
                             .provide_count = FILO_COUNT_OF(provides),
                             .load = load,
                             .unload = unload,
                             .user = module,
                             .backend = true,
                             .frame = { .before_ticks = step, .define = define, .finish = finish },
                             .flags = module->flags,
                             .flag_count = FILO_COUNT_OF(module->flags),
                             .stats = report_stats,
                             .debug = describe };
}
