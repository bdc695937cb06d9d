// The sounds of Survival. Which event makes which sound is in assets/survival.cues, and what they sound like in
// assets/*.synth: the synthesiser makes all of them.

#include "survival.h"

#define VOLUME_STEP 0.1f

void survival_sounds_load(FiloApp *app) {
    FiloAudio *audio = filo_app_audio(app);
    filo_audio_use_table(audio, "survival.cues");
    filo_audio_music(audio, "music.synth", 3);
}

void survival_sounds_frame(FiloApp *app) {
    FiloAudio *audio = filo_app_audio(app);
    const Game *game = filo_get_global(filo_app_world(app), Game);
    const FiloInput *input = filo_app_input(app);
    float volume = filo_audio_volume(audio, "master");
    if (filo_input_pressed(input, FILO_KEY_MINUS))
        filo_audio_set_volume(audio, "master", volume - VOLUME_STEP);
    if (filo_input_pressed(input, FILO_KEY_EQUALS))
        filo_audio_set_volume(audio, "master", volume + VOLUME_STEP);
    filo_audio_set_listener2(audio, game->player, &(FiloListener){ .near = 120, .far = 900, .pan = 400 });
}
