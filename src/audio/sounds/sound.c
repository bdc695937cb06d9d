// Sounds as assets: counting references, and the types "sound" and "synth".

#include "audio/audio.h"
#include "audio/synth/synth.h"

static BASE_ATOMIC(uint64_t) serials;

AudioSound *audio_sound_create(const FiloAllocator *allocator, uint32_t rate, uint32_t channels,
                               uint64_t frames) {
    AudioSound *sound = filo_alloc_zero(allocator, sizeof *sound, 0);
    size_t size = (size_t)frames * channels * sizeof(int16_t);
    int16_t *samples = sound != NULL && size > 0 ? filo_alloc_zero(allocator, size, 0) : NULL;
    if (sound == NULL || (size > 0 && samples == NULL)) {
        filo_free(allocator, sound, sizeof *sound, 0);
        return NULL;
    }
    *sound = (AudioSound){ .references = 1,
                           .rate = rate,
                           .channels = channels,
                           .frames = frames,
                           .loop_end = frames,
                           .serial = base_add_relaxed(&serials, 1) + 1,
                           .samples = samples,
                           .size = size,
                           .allocator = allocator };
    return sound;
}

AudioSound *audio_sound_retain(AudioSound *sound) {
    base_add_relaxed(&sound->references, 1);
    return sound;
}

void audio_sound_release(AudioSound *sound) {
    if (sound == NULL) return;
    // Release and acquire: pairs with itself on another thread, whose last use happens before the memory is freed.
    if (base_sub_acq_rel(&sound->references, 1) > 1) return;
    const FiloAllocator *allocator = sound->allocator;
    filo_free(allocator, sound->samples, sound->size, 0);
    if (sound->samples == NULL) filo_free(allocator, sound->bytes, sound->size, 0);
    filo_free(allocator, sound, sizeof *sound, 0);
}

double audio_sound_seconds(const AudioSound *sound) {
    return sound->rate > 0 ? (double)sound->frames / (double)sound->rate : 0;
}

// ---- Types of assets ------------------------------------------------------------------------------------

static FiloResult decode_file(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    AudioSound *sound = NULL;
    FiloResult r = audio_sound_decode(bytes->bytes, bytes->size, bytes->name, bytes->allocator, &sound);
    *data = sound;
    return r;
}

static FiloResult decode_synth(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    AudioSound *sound = NULL;
    FiloResult r = audio_synth_decode(bytes->bytes, bytes->size, bytes->name, bytes->allocator, &sound);
    *data = sound;
    return r;
}

static void free_sound(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(allocator);
    FILO_UNUSED(user);
    audio_sound_release(data);
}

static size_t sound_size(const void *data, void *user) {
    FILO_UNUSED(user);
    return sizeof(AudioSound) + ((const AudioSound *)data)->size;
}

FiloAssetType audio_sound_type(void) {
    return (FiloAssetType){ .name = "sound",
                            .extensions = { "wav", "ogg", "oga", "opus", "flac", "mp3" },
                            .decode = decode_file,
                            .free = free_sound,
                            .size = sound_size };
}

FiloAssetType audio_synth_type(void) {
    return (FiloAssetType){ .name = "synth",
                            .extensions = { "synth" },
                            .decode = decode_synth,
                            .free = free_sound,
                            .size = sound_size };
}

// ---- Queries ----------------------------------------------------------------------------------------------

static AudioSound *sound_of(const FiloAssets *assets, FiloAsset asset) {
    const char *type = filo_asset_type(assets, asset);
    if (type == NULL || (strcmp(type, "sound") != 0 && strcmp(type, "synth") != 0)) return NULL;
    return (AudioSound *)(uintptr_t)filo_asset_data(assets, asset);
}

bool filo_sound_info(const FiloAssets *assets, FiloAsset asset, FiloSoundInfo *info) {
    if (!FILO_CHECK(assets != NULL && info != NULL, "pass assets, and a place for the result")) return false;
    *info = (FiloSoundInfo){ 0 };
    if (filo_asset_state(assets, asset) == FILO_ASSET_NONE) return false;
    const AudioSound *sound = sound_of(assets, asset);
    if (sound == NULL) return false;
    double rate = (double)sound->rate;
    *info = (FiloSoundInfo){ .seconds = audio_sound_seconds(sound),
                             .rate = sound->rate,
                             .channels = sound->channels,
                             .loop_begin = (double)sound->loop_begin / rate,
                             .loop_end = (double)sound->loop_end / rate,
                             .streamed = sound->samples == NULL };
    return true;
}

bool filo_sound_set_loop(FiloAssets *assets, FiloAsset asset, double begin, double end) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return false;
    if (filo_asset_state(assets, asset) == FILO_ASSET_NONE) return false;
    AudioSound *sound = sound_of(assets, asset);
    if (sound == NULL || !(begin >= 0) || !(end > begin) || !(end <= audio_sound_seconds(sound)))
        return false;
    uint64_t from = (uint64_t)(begin * sound->rate + 0.5), to = (uint64_t)(end * sound->rate + 0.5);
    if (to <= from || to > sound->frames) return false;
    sound->loop_begin = from;
    sound->loop_end = to;
    // The device has a buffer with the old points.
    sound->serial = base_add_relaxed(&serials, 1) + 1;
    return true;
}
