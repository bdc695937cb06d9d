// Every public function with what the caller must not pass, and where it must not be called. Mistakes with buses, tables and
// components are in their own tests.

#include "audio/fixture.h"
#include "support/warnings.h"

#include <filo/query.h>
#include <filo/system.h>

// All functions of an audio. Each reports one mistake if the audio is NULL, and in a tick, and what it returns is harmless.
static const FiloVoice voice = { 1, 1 };
static void step(FiloAudio *audio) { filo_audio_step(audio, 0); }
static void set_time(FiloAudio *audio) { filo_audio_set_time(audio, true, 2); }
static void play(FiloAudio *audio) { assert_int_equal(filo_audio_play(audio, CUE("a.wav")).index, 0); }
static void play_together(FiloAudio *audio) {
    assert_int_equal(filo_audio_play_together(audio, CUE("a.wav"), 1, NULL), 0);
}
static void stop(FiloAudio *audio) { filo_audio_stop(audio, voice, 0); }
static void stop_bus(FiloAudio *audio) { filo_audio_stop_bus(audio, NULL, 0); }
static void playing(FiloAudio *audio) { assert_false(filo_audio_playing(audio, voice)); }
static void heard(FiloAudio *audio) { assert_false(filo_audio_heard(audio, voice)); }
static void time_of(FiloAudio *audio) { assert_near(filo_audio_time(audio, voice), 0, 0); }
static void seek(FiloAudio *audio) { filo_audio_seek(audio, voice, 1); }
static void pause_voice(FiloAudio *audio) { filo_audio_pause(audio, voice, true); }
static void set_gain(FiloAudio *audio) { filo_audio_set_gain(audio, voice, -9, 0); }
static void set_pitch(FiloAudio *audio) { filo_audio_set_pitch(audio, voice, 9); }
static void set_occlusion(FiloAudio *audio) { filo_audio_set_occlusion(audio, voice, 1); }
static void place(FiloAudio *audio) {
    filo_audio_place(audio, voice, filo_vec3(9, 9, 9), filo_vec3(0, 0, 0));
}
static void play_music(FiloAudio *audio) { assert_int_equal(filo_audio_music(audio, "a.wav", 0).index, 0); }
static void set_bus(FiloAudio *audio) { assert_false(filo_audio_set_bus(audio, "new", &(FiloBusDesc){ 0 })); }
static void has_bus(FiloAudio *audio) { assert_false(filo_audio_has_bus(audio, "master")); }
static void set_volume(FiloAudio *audio) { filo_audio_set_volume(audio, "master", 0); }
static void volume(FiloAudio *audio) { assert_near(filo_audio_volume(audio, "master"), 0, 0); }
static void fade_bus(FiloAudio *audio) { filo_audio_fade_bus(audio, "master", -9, 0); }
static void use_table(FiloAudio *audio) { assert_false(filo_audio_use_table(audio, "x.cues")); }
static void drop_table(FiloAudio *audio) { filo_audio_drop_table(audio, "x.cues"); }
static void set_listener2(FiloAudio *audio) { filo_audio_set_listener2(audio, (FiloVec2){ 9, 9 }, NULL); }
static void set_listener3(FiloAudio *audio) {
    filo_audio_set_listener3(audio, filo_vec3(9, 9, 9), (FiloQuat){ 0, 0, 0, 1 }, NULL);
}
static void stats(FiloAudio *audio) { assert_int_equal(filo_audio_stats(audio).voices, 0); }
static void device(FiloAudio *audio) { assert_string_equal(filo_audio_device(audio), ""); }
static void reopen(FiloAudio *audio) { filo_audio_reopen(audio); }

static void (*const calls[])(FiloAudio *audio) = {
    step,      set_time,   play,          play_together, stop,       stop_bus,  playing,
    heard,     time_of,    seek,          pause_voice,   set_gain,   set_pitch, set_occlusion,
    place,     play_music, set_bus,       has_bus,       set_volume, volume,    fade_bus,
    use_table, drop_table, set_listener2, set_listener3, stats,      device,    reopen,
};

FILO_TEST(no_audio_is_a_mistake_of_every_function) {
    for (size_t i = 0; i < FILO_COUNT_OF(calls); i++) expect_fault("pass the audio", calls[i](NULL));
    expect_mistake("pass the audio", filo_audio_finish(NULL));
    filo_audio_destroy(NULL); // is allowed
    expect_fault("pass a module", filo_audio_module(NULL));
}

typedef struct Caller {
    FiloAudio *audio;
    size_t call;
} Caller;

static void call_in_a_system(FiloIter *it) {
    const Caller *caller = it->user;
    calls[caller->call](caller->audio);
}

FILO_TEST(a_system_that_calls_the_audio_is_a_mistake_also_on_one_thread) {
#ifdef NDEBUG
    print_message("release builds do not know which threads are a part of a tick\n");
    skip();
#endif
    for (int threads = 1; threads <= 2; threads++) {
        Fixture f;
        fixture_begin_with(&f, threads, NULL);
        add_level(&f, "a.wav", RATE, 2);
        filo_audio_play(f.audio, CUE("a.wav"));
        Caller caller = { .audio = f.audio };
        filo_system_add(f.world,
                        &(FiloSystemDesc){ .name = "caller", .run = call_in_a_system, .user = &caller });
        for (; caller.call < FILO_COUNT_OF(calls); caller.call++)
            expect_fault(
                "use the audio on the main thread, and not in a tick: a system plays sounds by filo_cue",
                (void)filo_world_tick(f.world, 1.0f / 60));
        filo_audio_step(f.audio, 0);
        assert_true(filo_audio_playing(f.audio, voice)); // as it was
        assert_int_equal(filo_audio_stats(f.audio).voices, 1);
        assert_near(filo_audio_volume(f.audio, "master"), 1, 0);
        assert_near(heard_last(&f, 0), 0.5, 1e-5);
        assert_false(filo_audio_has_bus(f.audio, "new"));
        fixture_end(&f);
    }
}

FILO_TEST(descriptions_that_cannot_be_are_mistakes) {
    Fixture f;
    fixture_begin(&f);
    FiloAudio *audio = NULL;
    expect_mistake("pass a pointer for the audio",
                   filo_audio_create(NULL, &(FiloAudioDesc){ .assets = f.assets }));
    expect_mistake("pass a description with assets", filo_audio_create(&audio, NULL));
    expect_mistake("pass a description with assets", filo_audio_create(&audio, &(FiloAudioDesc){ 0 }));
    expect_mistake("a device has 1 to 240 sources, not 1000",
                   filo_audio_create(&audio, &(FiloAudioDesc){ .assets = f.assets, .sources = 1000 }));
    expect_mistake("a device has 1 to 240 sources, not -1",
                   filo_audio_create(&audio, &(FiloAudioDesc){ .assets = f.assets, .sources = -1 }));
    expect_mistake("sound is rendered at 8000 to 192000 Hz, not 11",
                   filo_audio_create(&audio, &(FiloAudioDesc){ .assets = f.assets, .rate = 11 }));
    assert_null(audio);
    fixture_end(&f);
}

FILO_TEST(nothing_to_play_is_a_mistake_and_no_sound_is_not) {
    Fixture f;
    fixture_begin(&f);
    expect_fault("pass a cue", filo_audio_play(f.audio, NULL));
    expect_fault("pass cues", filo_audio_play_together(f.audio, NULL, 2, NULL));
    expect_fault("pass the name of a bus", assert_false(filo_audio_has_bus(f.audio, NULL)));
    expect_fault("pass the name of a bus", filo_audio_set_volume(f.audio, NULL, 1));
    expect_fault("pass the name of a bus", assert_near(filo_audio_volume(f.audio, NULL), 0, 0));
    expect_fault("pass the name of a bus", filo_audio_fade_bus(f.audio, NULL, 0, 0));
    expect_fault("there is no bus \"musik\": create it by filo_audio_set_bus",
                 assert_near(filo_audio_volume(f.audio, "musik"), 0, 0));
    expect_fault("there is no bus \"musik\": create it by filo_audio_set_bus",
                 filo_audio_fade_bus(f.audio, "musik", 0, 0));
    expect_fault("pass the name of a bus, and a description",
                 assert_false(filo_audio_set_bus(f.audio, NULL, &(FiloBusDesc){ 0 })));
    expect_fault("pass the name of a bus, and a description",
                 assert_false(filo_audio_set_bus(f.audio, "", &(FiloBusDesc){ 0 })));
    expect_fault("pass the name of a bus, and a description",
                 assert_false(filo_audio_set_bus(f.audio, "new", NULL)));
    assert_int_equal(filo_audio_play(f.audio, &(FiloCue){ 0 }).index, 0);
    assert_int_equal(filo_audio_play_together(f.audio, NULL, 0, NULL), 0);
    assert_int_equal(filo_audio_music(f.audio, NULL, 1).index, 0);
    assert_int_equal(filo_audio_music(f.audio, "", 1).index, 0);
    fixture_end(&f);
}

FILO_TEST(no_assets_are_a_mistake_of_what_asks_about_sounds) {
    Fixture f;
    fixture_begin(&f);
    FiloAsset asset = add_level(&f, "a.wav", RATE, 2);
    FiloSoundInfo info;
    expect_fault("pass assets, and a place for the result",
                 assert_false(filo_sound_info(NULL, asset, &info)));
    expect_fault("pass assets, and a place for the result",
                 assert_false(filo_sound_info(f.assets, asset, NULL)));
    expect_fault("pass assets", assert_false(filo_sound_set_loop(NULL, asset, 0, 1)));
    expect_fault("pass assets", assert_near(filo_sound_seconds(NULL, filo_name("a.wav")), 0, 0));
    assert_false(filo_sound_info(f.assets, (FiloAsset){ 0 }, &info)); // not loaded
    assert_false(filo_sound_set_loop(f.assets, (FiloAsset){ 0 }, 0, 1));
    assert_near(filo_sound_seconds(f.assets, (FiloName){ 0 }), 0, 0);
    fixture_end(&f);
}

// ---- What has no effect is said once ------------------------------------------------------------------------

FILO_TEST(a_position_without_the_flag_is_said_once) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "unplaced.wav", RATE, 1);
    const char *text =
        "unplaced.wav: has a position, but not the flag FILO_SOUND_PLACED, so it is heard in the middle";
    expect_warning(text, filo_audio_play(f.audio, CUE("unplaced.wav", .position = { 0, 5, 0 })));
    expect_no_warning({
        filo_audio_play(f.audio, CUE("unplaced.wav", .position = { 0, 5, 0 }));
        filo_audio_play(f.audio, CUE("a.wav", .flags = FILO_SOUND_PLACED, .position = { 5, 0, 0 }));
        filo_audio_play(f.audio, CUE("b.wav", .flags = FILO_SOUND_FLAT, .position = { 5, 0, 0 }));
        filo_audio_play(f.audio, CUE("c.wav", .entity = { 1 }, .position = { 5, 0, 0 }));
    });
    const FiloCue layer = { .sound = filo_name("layer.wav"), .position = { 1, 0, 0 } };
    expect_warning("layer.wav: has a position", filo_audio_play_together(f.audio, &layer, 1, NULL));
    fixture_end(&f);
}

static void cue_without_the_flag(FiloIter *it) {
    filo_cue(it, &(FiloCue){ .sound = filo_name("system.wav"), .position = { 0, 0, 3 } });
}

FILO_TEST(a_position_without_the_flag_is_said_once_of_a_system_too) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "system.wav", RATE / 10, 1);
    filo_system_add(f.world, &(FiloSystemDesc){ .name = "cue", .run = cue_without_the_flag });
    expect_warning("system.wav: has a position, but not the flag FILO_SOUND_PLACED", run(&f, 3));
    fixture_end(&f);
}

static FiloSound siren(const char *name) {
    return (FiloSound){ .sound = filo_name(name), .flags = FILO_SOUND_DOPPLER };
}

// A system that moves one entity in each tick, by one unit.
static void move(FiloIter *it) {
    const FiloEntity *moved = it->user;
    FiloTransform2 *in_plane = filo_write(it, FiloTransform2);
    FiloTransform3 *in_space = filo_write(it, FiloTransform3);
    for (size_t i = 0; i < it->count; i++) {
        if (filo_iter_entity(it, i).id != moved->id) continue;
        if (in_plane != NULL) in_plane[i].position.y -= 1;
        if (in_space != NULL) in_space[i].position.z += 1;
    }
}

static void begin_with_move(Fixture *f, FiloEntity *moved) {
    fixture_begin_registered(f);
    filo_system_add(f->world, &(FiloSystemDesc){ .name = "move",
                                                 .run = move,
                                                 .query.terms = { FILO_OPTIONAL_WRITE(FiloTransform2),
                                                                  FILO_OPTIONAL_WRITE(FiloTransform3) },
                                                 .user = moved });
}

static void run_moving(Fixture *f, FiloEntity *moved, FiloEntity entity, int ticks) {
    *moved = entity;
    run(f, ticks);
}

FILO_TEST(doppler_of_what_moves_in_the_plane_without_a_speed_is_said_once) {
    Fixture f;
    FiloEntity moved = { 0 };
    begin_with_move(&f, &moved);
    add_sine(&f, "siren.wav", 1000, 4);
    FiloEntity ears = filo_create(f.world, FILO_SET(FiloTransform2, .position = { 0, 10 }),
                                  FILO_SET(FiloListener, .near = 1000, .speed_of_sound = 600));
    FiloEntity car =
        filo_create(f.world, FILO_SET(FiloTransform2, .position = { 0, 300 }), FILO_ADD(FiloSound));
    *filo_edit(f.world, car, FiloSound) = siren("siren.wav");
    expect_no_warning(run(&f, 3)); // neither moves
    expect_warning("siren.wav: moves with FILO_SOUND_DOPPLER, but its speed is not known: add a "
                   "FiloPreviousTransform2 to its entity",
                   run_moving(&f, &moved, car, 10));
    expect_warning("the listener moves, but its speed is not known for FILO_SOUND_DOPPLER: add a "
                   "FiloPreviousTransform2 to its entity",
                   run_moving(&f, &moved, ears, 10));
    size_t from = f.frames - 8 * TICK;
    assert_near(frequency(&f, from, f.frames, 0), 1000, 1); // has no effect
    filo_add(f.world, car, FiloPreviousTransform2);
    expect_no_warning(run_moving(&f, &moved, car, 30)); // 60 units a second
    from = f.frames - 20 * TICK;
    assert_near(frequency(&f, from, f.frames, 0), 1000 * 600.0 / 540, 2);
    fixture_end(&f);
}

FILO_TEST(doppler_of_what_moves_in_space_without_a_speed_is_said_once) {
    Fixture f;
    FiloEntity moved = { 0 };
    begin_with_move(&f, &moved);
    add_sine(&f, "jet.wav", 1000, 4);
    FiloEntity ears = filo_create(f.world, FILO_ADD(FiloTransform3), FILO_SET(FiloListener, .near = 1000));
    FiloEntity jet =
        filo_create(f.world, FILO_SET(FiloTransform3, .position = { 0, 0, -300 }), FILO_ADD(FiloSound));
    *filo_edit(f.world, jet, FiloSound) = siren("jet.wav");
    expect_warning("jet.wav: moves with FILO_SOUND_DOPPLER, but its speed is not known: add a "
                   "FiloPreviousTransform3 to its entity",
                   run_moving(&f, &moved, jet, 5));
    expect_warning("the listener moves, but its speed is not known for FILO_SOUND_DOPPLER: add a "
                   "FiloPreviousTransform3 to its entity",
                   run_moving(&f, &moved, ears, 5));
    // A child has a world transform, which has a speed.
    FiloEntity parent = filo_create(f.world, FILO_ADD(FiloTransform3));
    filo_entity_set_parent(f.world, jet, parent);
    run(&f, 2);
    *filo_edit(f.world, jet, FiloSound) = siren("child.wav");
    add_sine(&f, "child.wav", 1000, 4);
    expect_no_warning(run_moving(&f, &moved, parent, 5));
    fixture_end(&f);
}

FILO_TEST(a_listener_that_moves_without_a_speed_is_no_mistake_if_no_sound_needs_it) {
    Fixture f;
    FiloEntity moved = { 0 };
    begin_with_move(&f, &moved);
    add_sine(&f, "plain.wav", 1000, 1);
    FiloEntity ears = filo_create(f.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloListener));
    filo_create(f.world, FILO_ADD(FiloTransform2), FILO_SET(FiloSound, .sound = filo_name("plain.wav")));
    expect_no_warning(run_moving(&f, &moved, ears, 5));
    fixture_end(&f);
}
