// Many voices: which of them are heard, stealing, and running out.

#include "audio/audio.h"
#include "audio/fixture.h"

FILO_TEST(the_loudest_are_heard_and_the_others_come_back) {
    Fixture f;
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_OFFLINE, .sources = 4 });
    add_level(&f, "long.wav", 5 * RATE, 2);
    FiloVoice voices[8];
    for (int i = 0; i < 8; i++)
        voices[i] = filo_audio_play(f.audio, CUE("long.wav", .gain = (float)(-40 - 3 * ((i * 5) % 8))));
    run(&f, 2);
    for (int i = 0; i < 8; i++) assert_int_equal(filo_audio_heard(f.audio, voices[i]), (i * 5) % 8 < 4);
    assert_int_equal(filo_audio_stats(f.audio).heard, 4);
    // A louder one takes the source of the quietest, which comes back afterwards, where it would be.
    FiloVoice loud = filo_audio_play(f.audio, CUE("long.wav", .gain = -10));
    run(&f, 3);
    assert_true(filo_audio_heard(f.audio, loud));
    assert_int_equal(filo_audio_stats(f.audio).heard, 4);
    assert_int_equal(filo_audio_stats(f.audio).stolen, 1);
    filo_audio_stop(f.audio, loud, 0);
    run(&f, 5);
    for (int i = 0; i < 8; i++) assert_int_equal(filo_audio_heard(f.audio, voices[i]), (i * 5) % 8 < 4);
    for (int i = 0; i < 8; i++) assert_near(filo_audio_time(f.audio, voices[i]), 10.0 / 60, 1e-6);
    fixture_end(&f);
}

FILO_TEST(priority_counts_more_than_level) {
    Fixture f;
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_OFFLINE, .sources = 2 });
    add_level(&f, "long.wav", RATE, 2);
    FiloVoice loud = filo_audio_play(f.audio, CUE("long.wav"));
    FiloVoice quiet[2];
    for (int i = 0; i < 2; i++)
        quiet[i] = filo_audio_play(f.audio, CUE("long.wav", .gain = -40, .priority = 5));
    run(&f, 2);
    assert_false(filo_audio_heard(f.audio, loud));
    assert_true(filo_audio_heard(f.audio, quiet[0]) && filo_audio_heard(f.audio, quiet[1]));
    fixture_end(&f);
}

FILO_TEST(equal_voices_do_not_take_turns) {
    Fixture f;
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_OFFLINE, .sources = 3 });
    add_level(&f, "long.wav", 5 * RATE, 1);
    FiloVoice voices[6];
    for (int i = 0; i < 6; i++)
        voices[i] =
            filo_audio_play(f.audio, CUE("long.wav", .flags = FILO_SOUND_PLACED, .position = { 1, 0, 0 }));
    run(&f, 2);
    for (int tick = 0; tick < 30; tick++) { // their levels change a little
        for (int i = 0; i < 6; i++) {
            float x = 1.5f + 0.1f * (float)((i * 7 + tick * 3) % 5);
            filo_audio_place(f.audio, voices[i], filo_vec3(x, 0, 0), filo_vec3(0, 0, 0));
        }
        run(&f, 1);
        for (int i = 0; i < 6; i++) assert_int_equal(filo_audio_heard(f.audio, voices[i]), i < 3);
    }
    assert_int_equal(filo_audio_stats(f.audio).stolen, 0);
    fixture_end(&f);
}

FILO_TEST(a_stolen_source_does_not_click) {
    Fixture f;
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_OFFLINE, .sources = 1 });
    add_level(&f, "level.wav", RATE, 2);
    add_sine(&f, "sine.wav", 100, 1);
    filo_audio_play(f.audio, CUE("level.wav"));
    run(&f, 3);
    filo_audio_play(f.audio, CUE("sine.wav", .priority = 1));
    run(&f, 5);
    for (size_t i = 2 * TICK; i + 1 < f.frames; i++)
        assert_near(heard_at(&f, i + 1, 0), heard_at(&f, i, 0), 0.02);
    fixture_end(&f);
}

FILO_TEST(silent_and_distant_voices_take_no_source) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "long.wav", RATE, 1);
    FiloVoice silent = filo_audio_play(f.audio, CUE("long.wav", .gain = FILO_SILENT));
    FiloVoice distant =
        filo_audio_play(f.audio, CUE("long.wav", .flags = FILO_SOUND_PLACED, .position = { 1e6f, 0, 0 }));
    run(&f, 10);
    assert_true(filo_audio_playing(f.audio, silent) && !filo_audio_heard(f.audio, silent));
    assert_true(filo_audio_playing(f.audio, distant) && !filo_audio_heard(f.audio, distant));
    filo_audio_place(f.audio, distant, filo_vec3(0, 0, 0), filo_vec3(0, 0, 0));
    run(&f, 1);
    assert_true(filo_audio_heard(f.audio, distant));
    run(&f, 60);
    assert_int_equal(filo_audio_stats(f.audio).voices, 0); // they end all the same
    fixture_end(&f);
}

FILO_TEST(voices_run_out_and_lower_priorities_give_way) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "long.wav", RATE, 1);
    for (int i = 0; i < FILO_AUDIO_VOICES; i++)
        assert_int_not_equal(filo_audio_play(f.audio, CUE("long.wav", .gain = -60)).index, 0);
    assert_int_equal(filo_audio_play(f.audio, CUE("long.wav")).index, 0);
    assert_int_equal(filo_audio_stats(f.audio).lost, 1);
    assert_int_not_equal(filo_audio_play(f.audio, CUE("long.wav", .priority = 1)).index, 0);
    run(&f, 3);
    assert_int_equal(filo_audio_stats(f.audio).voices, FILO_AUDIO_VOICES);
    assert_int_equal(filo_audio_stats(f.audio).heard, 64);
    FiloCue cues[2] = { { .sound = filo_name("long.wav") }, { .sound = filo_name("long.wav") } };
    FiloVoice voices[2] = { { 1, 1 }, { 1, 1 } };
    assert_int_equal(filo_audio_play_together(f.audio, cues, 2, voices), 0);
    assert_int_equal(voices[0].index, 0);
    run(&f, 70);
    assert_int_equal(filo_audio_stats(f.audio).voices, 0);
    fixture_end(&f);
}

FILO_TEST(thousands_of_components_are_followed) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "long.wav", 10 * RATE, 1);
    FiloEntity ears = filo_create(f.world, FILO_ADD(FiloTransform2), FILO_SET(FiloListener, .near = 10));
    FiloEntity entities[3000];
    for (int i = 0; i < 3000; i++)
        entities[i] = filo_create(f.world, FILO_SET(FiloTransform2, .position = { (float)i, 0 }),
                                  FILO_SET(FiloSound, .sound = filo_name("long.wav"), .gain = -40));
    run(&f, 3);
    assert_int_equal(filo_audio_stats(f.audio).heard, 64);
    // The last ones had no room for a voice. When the listener is there, they are heard.
    assert_int_equal(filo_audio_stats(f.audio).lost, 3000 - FILO_AUDIO_VOICES);
    filo_edit(f.world, ears, FiloTransform2)->position.x = 2990;
    size_t moved = f.frames;
    run(&f, 6);
    assert_int_equal(filo_audio_stats(f.audio).heard, 64);
    assert_int_equal(filo_audio_stats(f.audio).lost, 3000 - FILO_AUDIO_VOICES);
    assert_true(last_level(&f) > 0.9 * level(&f, moved - TICK, moved, 0));
    for (int i = 0; i < 3000; i++) filo_entity_destroy(f.world, entities[i]);
    run(&f, 3);
    assert_int_equal(filo_audio_stats(f.audio).voices, 0);
    fixture_end(&f);
}

FILO_TEST(a_steady_step_allocates_nothing) {
    Fixture f;
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_OFFLINE, .sources = 16 });
    filo_audio_register(f.world, f.assets);
    add_level(&f, "music.wav", 8 * RATE, 2); // streamed
    add_sine(&f, "blip.wav", 800, 0.05);
    filo_audio_music(f.audio, "music.wav", 1);
    filo_create(f.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloListener));
    for (int i = 0; i < 100; i++)
        filo_create(f.world, FILO_SET(FiloTransform2, .position = { (float)i, 0 }),
                    FILO_SET(FiloSound, .sound = filo_name("blip.wav"), .flags = FILO_SOUND_LOOP));
    uint64_t before = 0;
    for (int i = 0; i < 300; i++) {
        if (i == 150) before = filo_memory_system_calls();
        if (i % 10 == 0) filo_audio_play(f.audio, CUE("blip.wav", .priority = 1));
        run(&f, 1);
    }
    assert_int_equal(filo_memory_system_calls() - before, 0);
    fixture_end(&f);
}

// Without memory, what cannot be played is not heard, and nothing breaks.
FILO_TEST(without_memory_nothing_breaks) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    int created = 0;
    for (size_t budget = 1000; budget < FILO_MIB(4); budget = budget * 4 / 3) {
        FiloHeap heap;
        filo_heap_init(&heap, "scarce audio", budget);
        FiloAssets *assets;
        FiloAudio *audio;
        assert_ok(
            filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = jobs, .folder = filo_test_folder() }));
        FiloResult r = filo_audio_create(
            &audio,
            &(FiloAudioDesc){ .assets = assets, .output = FILO_AUDIO_OFFLINE, .allocator = &heap.allocator });
        assert_true(r.code == FILO_OK || r.code == FILO_ERROR_MEMORY);
        if (r.code == FILO_OK) {
            created++;
            const char text[] = "{\"layers\":[{\"seconds\":0.1}]}";
            filo_assets_add_bytes(assets, "synth", "a.synth", text, sizeof text - 1);
            filo_assets_wait_all(assets);
            for (int i = 0; i < 20; i++) {
                filo_audio_play(audio, CUE("a.synth"));
                filo_audio_step(audio, 1.0 / 60);
            }
        }
        filo_audio_destroy(audio);
        filo_assets_destroy(assets);
        filo_heap_deinit(&heap);
    }
    assert_true(created > 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
