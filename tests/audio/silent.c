// A build without FILO_AUDIO: voices are counted, and nothing is heard.

#include "audio/fixture.h"
#include "support/warnings.h"

FILO_TEST(voices_and_components_are_counted_without_sound) {
    Fixture f;
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_DEVICE });
    assert_string_equal(filo_audio_device(f.audio), "none");
    filo_audio_register(f.world, f.assets);
    add_synth(&f, "beep", "{\"layers\":[{\"seconds\":0.05,\"release\":0.05}]}");
    FiloVoice voice = filo_audio_play(f.audio, CUE("beep"));
    FiloEntity entity = filo_create(f.world, FILO_SET(FiloSound, .sound = filo_name("beep")));
    run(&f, 6);
    assert_false(filo_get(f.world, entity, FiloSound)->ended);
    assert_false(filo_audio_heard(f.audio, voice));
    run(&f, 1);
    assert_true(filo_get(f.world, entity, FiloSound)->ended);
    run(&f, 1);
    assert_false(filo_audio_playing(f.audio, voice));
    filo_audio_reopen(f.audio);
    fixture_end(&f);
}

FILO_TEST(files_are_silent_and_rendering_is_an_error) {
    Fixture f;
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_NONE });
    expect_warning("a.wav and other sound files are silent, and end at once: built without FILO_AUDIO",
                   add_level(&f, "a.wav", 100, 1));
    expect_no_warning(add_level(&f, "b.wav", 100, 1));
    assert_near(filo_sound_seconds(f.assets, filo_name("b.wav")), 1.0 / 44100, 1e-9);
    FiloAssets *assets;
    FiloAudio *audio;
    assert_ok(filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = f.jobs, .folder = filo_test_folder() }));
    assert_error(
        filo_audio_create(&audio, &(FiloAudioDesc){ .assets = assets, .output = FILO_AUDIO_OFFLINE }),
        FILO_ERROR_UNSUPPORTED, "this Filo was built without sound (FILO_AUDIO)");
    filo_assets_destroy(assets);
    fixture_end(&f);
}
