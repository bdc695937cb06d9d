// Lengths of sounds for ticks, which must not depend on what has been loaded.
//
// A sound that is ready has its length. Otherwise the head of its file is read in the tick that needs it, once: the
// records of the world keep what was read. (As for sheets: filo_assets_sheet_now.) That is also so for a sound that failed
// to load: its head may be good and its samples damaged, and before it failed it had the length of its head.

#include "audio/audio.h"
#include "audio/synth/synth.h"
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

static FiloResult read_length(const FiloAssets *assets, const char *name, AudioLength *length) {
    char path[FILO_PATH_SIZE];
    FiloFileData file;
    if (!filo_path_join(path, sizeof path, filo_assets_folder(assets), name))
        return filo_error(FILO_ERROR_LIMIT, "%s: the path is too long", name);
    FiloResult r = filo_file_read(&file, path, NULL);
    if (r.code != FILO_OK) return r;
    if (strcmp(filo_path_extension(name), "synth") == 0) {
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
    FiloResult r = read_length(assets, filo_name_text(name), &length);
    if (r.code != FILO_OK && !has_failed(assets, filo_assets_find(assets, name)) &&
        base_first_time("length of a sound", filo_string(filo_name_text(name))))
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
        (void)filo_map_set(&records->lengths, name.id, &length);
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
