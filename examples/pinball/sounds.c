// The sounds of Pinball. Which event makes which sound is in assets/pinball.cues, and what they sound like in
// assets/*.synth: the synthesiser makes all of them. The volume is one of the settings (shared/settings.h).

#include "menu.h"

void pinball_sounds_load(FiloApp *app) {
    FiloAudio *audio = filo_app_audio(app);
    if (audio == NULL) return;
    filo_audio_use_table(audio, "pinball.cues");
    filo_audio_set_listener2(audio, filo_vec2(0, 8), &(FiloListener){ .near = 40, .far = 100, .pan = 9 });
    filo_audio_music(audio, "music.synth", 2);
}
