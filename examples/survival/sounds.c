// The sounds of Survival. Which event makes which sound is in assets/survival.cues, and what they sound like in
// assets/*.synth: the synthesiser makes all of them. The volume is one of the settings (shared/settings.h).

#include "survival.h"

void survival_sounds_load(FiloApp *app) {
    FiloAudio *audio = filo_app_audio(app);
    if (audio == NULL) return;
    filo_audio_use_table(audio, "survival.cues");
    filo_audio_music(audio, "music.synth", 3);
}

void survival_sounds_frame(FiloApp *app) {
    FiloAudio *audio = filo_app_audio(app);
    const Game *game = filo_get_global(filo_app_world(app), Game);
    if (audio == NULL) return;
    filo_audio_set_listener2(audio, game->player, &(FiloListener){ .near = 120, .far = 900, .pan = 400 });
}
