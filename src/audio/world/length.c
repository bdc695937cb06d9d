// Lengths of sounds for ticks, which must not depend on what has been loaded.
//
// A sound that is ready has its length. Otherwise the head of its file is read in the tick that needs it, once: the
// records of the world keep what was read. (As for sheets: filo_assets_sheet_now.) That is also so for a sound that failed
// to load: its head may be good and its samples damaged, and before it failed it had the length of its head.

#include "audio/audio.h"
#include "audio/synth/synth.h"
#include "base/file_system.h"
#include "base/suggest.h"

#include <filo/files.h>

static AudioLength length_of(uint32_t rate, uint64_t frames, uint64_t loop_begin, uint64_t loop_end) {
    double hz = (double)rate;
    return (AudioLength){ (double)frames / hz, (double)loop_begin / hz,
                          (double)(loop_end > 0 ? loop_end : frames) / hz };
}

static FiloResult read_synth(const FiloFileData *file, const char *name, AudioLength *length) {
    AudioSynth synth;
    FiloResult r = audio_synth_read(&synth, file->bytes, file->size, name, NULL);
    if (r.code != FILO_OK) return r;
    AudioSynthLoop loop = audio_synth_loop(&synth);
    *length = length_of(synth.rate, audio_synth_frames(&synth), loop.begin, loop.end);
    audio_synth_deinit(&synth);
    return r;
}

static bool is_type_of_sounds(const char *type) {
    return type != NULL && (strcmp(type, "sound") == 0 || strcmp(type, "synth") == 0);
}

// Whether the asset system would load it as a sound: by its extension, or because the program has said so. The types need
// not be registered, so that the result is the same without the module "audio".
static bool is_sound(const FiloAssets *assets, FiloName name) {
    FiloAsset asset = filo_assets_find(assets, name);
    if (asset.id != 0 && is_type_of_sounds(filo_asset_type(assets, asset))) return true;
    const FiloAssetType types[] = { audio_sound_type(), audio_synth_type() };
    for (size_t i = 0; i < FILO_COUNT_OF(types); i++)
        for (size_t e = 0; e < FILO_COUNT_OF(types[i].extensions) && types[i].extensions[e] != NULL; e++)
            if (filo_path_has_extension(filo_name_text(name), types[i].extensions[e])) return true;
    return false;
}

// The path of an asset, by the rule of the asset system: what lies outside of its folder is never played.
static FiloResult path_of(const FiloAssets *assets, const char *name, char path[FILO_PATH_SIZE]) {
    char normalised[FILO_PATH_SIZE];
    const char *folder = filo_assets_folder(assets);
    if (filo_path_normalise(normalised, sizeof normalised, name) &&
        filo_path_join(path, FILO_PATH_SIZE, folder, normalised) && filo_path_is_inside(path, folder))
        return filo_ok();
    return filo_error(FILO_ERROR_DENIED, "\"%s\" is not the name of a sound: it must be a path inside %s",
                      name, folder);
}

static FiloResult read_length(const FiloAssets *assets, const char *name, AudioLength *length) {
    char path[FILO_PATH_SIZE];
    FiloFileData file;
    FiloResult r = path_of(assets, name, path);
    if (r.code == FILO_OK) r = base_fs_check_inside(path, filo_assets_folder(assets));
    if (r.code == FILO_OK) r = filo_file_read(&file, path, NULL);
    if (r.code != FILO_OK) return r;
    if (filo_path_has_extension(name, "synth")) {
        r = read_synth(&file, name, length);
    } else {
        AudioFileHead head;
        r = audio_file_head(file.bytes, file.size, name, &head);
        if (r.code == FILO_OK) *length = length_of(head.rate, head.frames, head.loop_begin, head.loop_end);
    }
    filo_file_free(&file);
    return r;
}

static bool has_failed(const FiloAssets *assets, FiloAsset asset) {
    return asset.id != 0 && filo_asset_state(assets, asset) == FILO_ASSET_FAILED &&
           filo_asset_version(assets, asset) == 0;
}

// {0} if the head cannot be read. The log says so, unless it has said why the asset failed.
static AudioLength read_or_warn(const FiloAssets *assets, FiloName name) {
    AudioLength length = { 0 };
    const char *text = filo_name_text(name);
    FiloResult r =
        is_sound(assets, name)
            ? read_length(assets, text, &length)
            : filo_error(FILO_ERROR_KIND,
                         "\"%s\" is not the name of a sound: no type of sounds has the extension \"%s\"",
                         text, filo_path_extension(text));
    if (r.code != FILO_OK && !has_failed(assets, filo_assets_find(assets, name)) &&
        base_first_time("length of a sound", filo_string(text)))
        filo_log_warn("audio", "%s", r.message);
    return length;
}

// The length of an asset that is ready. False if it is not.
static bool loaded_length(const FiloAssets *assets, FiloName name, AudioLength *length) {
    *length = (AudioLength){ 0 };
    if (assets == NULL || name.id == 0) return true;
    FiloAsset asset = filo_assets_find(assets, name);
    FiloSoundInfo info;
    if (asset.id == 0 || has_failed(assets, asset) || !filo_sound_info(assets, asset, &info)) return false;
    *length = (AudioLength){ info.seconds, info.loop_begin, info.loop_end };
    return true;
}

AudioLength audio_length(AudioRecords *records, FiloName name) {
    AudioLength length;
    if (loaded_length(records->assets, name, &length)) return length;
    filo_mutex_lock(&records->length_lock);
    AudioLength *cached = filo_map_get(&records->lengths, name.id);
    if (cached == NULL) {
        length = read_or_warn(records->assets, name);
        // The program may load any file as a sound yet.
        if (is_sound(records->assets, name)) (void)filo_map_set(&records->lengths, name.id, &length);
    } else {
        length = *cached;
    }
    filo_mutex_unlock(&records->length_lock);
    return length;
}

double filo_sound_seconds(FiloAssets *assets, FiloName sound) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return 0;
    AudioLength length;
    return loaded_length(assets, sound, &length) ? length.seconds : read_or_warn(assets, sound).seconds;
}
