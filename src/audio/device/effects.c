// Filters and rooms, by the effects extension of OpenAL (EFX).

#include "audio/audio.h"
#include "audio/device/openal.h"

void audio_effects_create(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    device->has_filters = alcIsExtensionPresent(device->device, "ALC_EXT_EFX") == ALC_TRUE;
    device->has_reverb = device->has_filters;
    device->has_loop_points = alIsExtensionPresent("AL_SOFT_loop_points") == AL_TRUE;
    device->has_direct_channels = alIsExtensionPresent("AL_SOFT_direct_channels") == AL_TRUE;
    for (int i = 0; i < FILO_AUDIO_BUSES; i++) device->reverbs[i] = (AudioReverbSlot){ 0 };
    device->filter = 0;
    if (!device->has_filters) return;
    alGetError();
    alGenFilters(1, &device->filter);
    alFilteri(device->filter, AL_FILTER_TYPE, AL_FILTER_LOWPASS);
    if (alGetError() != AL_NO_ERROR) device->has_filters = false;
}

static void free_slot(AudioReverbSlot *reverb) {
    if (reverb->slot != 0) alDeleteAuxiliaryEffectSlots(1, &reverb->slot);
    if (reverb->effect != 0) alDeleteEffects(1, &reverb->effect);
    *reverb = (AudioReverbSlot){ .version = reverb->version };
}

// When no source uses them.
void audio_effects_destroy(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    for (int i = 0; i < FILO_AUDIO_BUSES; i++) free_slot(&device->reverbs[i]);
    if (device->filter != 0) alDeleteFilters(1, &device->filter);
    device->filter = 0;
}

static bool make_slot(AudioReverbSlot *reverb) {
    if (reverb->slot != 0) return true;
    alGetError();
    alGenEffects(1, &reverb->effect);
    alEffecti(reverb->effect, AL_EFFECT_TYPE, AL_EFFECT_REVERB);
    alGenAuxiliaryEffectSlots(1, &reverb->slot);
    if (alGetError() == AL_NO_ERROR) return true;
    free_slot(reverb);
    return false;
}

static void set_reverb(const AudioReverbSlot *slot, const FiloReverb *reverb) {
    float damping = filo_clamp01(reverb->damping);
    alEffectf(slot->effect, AL_REVERB_DECAY_TIME,
              filo_clamp(reverb->decay, AL_REVERB_MIN_DECAY_TIME, AL_REVERB_MAX_DECAY_TIME));
    alEffectf(slot->effect, AL_REVERB_DECAY_HFRATIO, filo_lerp(1, AL_REVERB_MIN_DECAY_HFRATIO, damping));
    alEffectf(slot->effect, AL_REVERB_GAINHF, filo_lerp(1, 0.1f, damping));
    alEffectf(slot->effect, AL_REVERB_REFLECTIONS_DELAY,
              filo_clamp(reverb->delay, 0, AL_REVERB_MAX_REFLECTIONS_DELAY));
    alAuxiliaryEffectSlotf(slot->slot, AL_EFFECTSLOT_GAIN, filo_clamp01(filo_decibels(reverb->gain)));
    alAuxiliaryEffectSloti(slot->slot, AL_EFFECTSLOT_EFFECT, (ALint)slot->effect);
}

// A room that is switched off is silent, and is kept: sources may still send to it.
static void silence(const AudioReverbSlot *slot) {
    alAuxiliaryEffectSloti(slot->slot, AL_EFFECTSLOT_EFFECT, AL_EFFECT_NULL);
}

void audio_effects_update(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    for (int32_t i = 0; i < audio->buses.count && device->has_reverb; i++) {
        const AudioBus *bus = &audio->buses.items[i];
        AudioReverbSlot *slot = &device->reverbs[i];
        if (slot->version == bus->reverb_version) continue;
        slot->version = bus->reverb_version;
        if (bus->reverb.decay > 0 && make_slot(slot))
            set_reverb(slot, &bus->reverb);
        else if (slot->slot != 0)
            silence(slot);
    }
}

void audio_effects_sends(const FiloAudio *audio, int32_t bus, uint32_t sends[2]) {
    sends[0] = sends[1] = AL_EFFECTSLOT_NULL;
    for (int count = 0; bus >= 0 && count < 2; bus = audio->buses.items[bus].parent)
        if (audio->device.reverbs[bus].slot != 0 && audio->buses.items[bus].reverb.decay > 0)
            sends[count++] = audio->device.reverbs[bus].slot;
}
