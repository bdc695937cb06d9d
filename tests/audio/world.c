// Sounds in the world: components, cues, the end of sounds; and that the world does not depend on what is heard.

#include "audio/fixture.h"
#include "support/warnings.h"

#include <filo/snapshot.h>

// ---- The end of sounds ------------------------------------------------------------------------------------

typedef struct Ends {
    int count;
    uint64_t ticks[8];
    FiloSoundEnded last;
} Ends;

static void count_end(const FiloEvent *event, void *user) {
    Ends *ends = user;
    ends->last = *(const FiloSoundEnded *)event->payload;
    ends->ticks[ends->count++ % 8] = event->tick;
}

static void listen_to_ends(Fixture *f, Ends *ends) {
    *ends = (Ends){ 0 };
    filo_events_subscribe(f->events, &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_SOUND_ENDED),
                                                         .type = FILO_TYPE(FiloSoundEnded),
                                                         .function = count_end,
                                                         .user = ends });
}

static void begin_with_ends(Fixture *f, Ends *ends) {
    fixture_begin_registered(f);
    listen_to_ends(f, ends);
}

// The first end is in the tick after these.
static void expect_end_after(Fixture *f, const Ends *ends, int ticks) {
    run(f, ticks);
    assert_int_equal(ends->count, 0);
    run(f, 1);
    assert_int_equal(ends->count, 1);
}

static FiloEntity create_sound(Fixture *f, FiloSound sound) {
    FiloEntity entity = filo_create(f->world, FILO_ADD(FiloSound));
    *filo_edit(f->world, entity, FiloSound) = sound;
    return entity;
}

FILO_TEST(a_component_plays_and_emits_its_end_counted_in_ticks) {
    Fixture f;
    Ends ends;
    begin_with_ends(&f, &ends);
    add_sine(&f, "half.wav", 1000, 0.5);
    run(&f, 2);
    FiloEntity entity = create_sound(&f, (FiloSound){ .sound = filo_name("half.wav") });
    expect_end_after(&f, &ends, 30);
    assert_int_equal(first_heard(&f, 0), 2 * TICK + 1); // the first sample of a sine is 0
    assert_int_equal(ends.ticks[0], 32);                // 30 ticks after its first
    assert_int_equal(ends.last.entity.id, entity.id);
    assert_int_equal(ends.last.sound.id, filo_name("half.wav").id);
    assert_true(filo_get(f.world, entity, FiloSound)->ended);
    run(&f, 5);
    assert_int_equal(ends.count, 1);
    assert_near(last_heard(&f), 2 * TICK + 23999, 2);
    // Again, an octave higher.
    filo_edit(f.world, entity, FiloSound)->pitch = 12;
    filo_sound_play(filo_edit(f.world, entity, FiloSound), filo_name("half.wav"));
    run(&f, 20);
    assert_int_equal(ends.count, 2);
    assert_int_equal(ends.ticks[1], 38 + 15);
    fixture_end(&f);
}

FILO_TEST(an_entity_can_end_with_its_sound) {
    Fixture f;
    fixture_begin_registered(&f);
    add_sine(&f, "short.wav", 1000, 0.1);
    FiloEntity entity =
        create_sound(&f, (FiloSound){ .sound = filo_name("short.wav"), .flags = FILO_SOUND_DESTROY });
    run(&f, 6);
    assert_true(filo_entity_exists(f.world, entity));
    run(&f, 2);
    assert_false(filo_entity_exists(f.world, entity));
    fixture_end(&f);
}

FILO_TEST(a_component_can_be_paused_changed_and_destroyed) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "long.wav", 10 * RATE, 2);
    FiloEntity entity = create_sound(&f, (FiloSound){ .sound = filo_name("long.wav") });
    run(&f, 10);
    filo_edit(f.world, entity, FiloSound)->paused = true;
    run(&f, 10);
    double time = filo_get(f.world, entity, FiloSound)->time;
    assert_near(time, 9.0 / 60, 1e-3);
    assert_int_equal(first_heard(&f, 12 * TICK), SIZE_MAX);
    FiloSound *sound = filo_edit(f.world, entity, FiloSound);
    sound->paused = false;
    sound->gain = -20;
    run(&f, 5);
    assert_near(heard_last(&f, 0), 0.05, 1e-3);
    filo_entity_destroy(f.world, entity);
    run(&f, 3);
    assert_int_equal(filo_audio_stats(f.audio).voices, 0);
    assert_near(heard_last(&f, 0), 0, 0);
    fixture_end(&f);
}

FILO_TEST(a_loop_never_ends_and_its_time_stays_inside) {
    Fixture f;
    Ends ends;
    begin_with_ends(&f, &ends);
    FiloAsset asset = add_level(&f, "loop.wav", 4800, 1);
    assert_true(filo_sound_set_loop(f.assets, asset, 0.05, 0.09));
    FiloEntity entity =
        create_sound(&f, (FiloSound){ .sound = filo_name("loop.wav"), .flags = FILO_SOUND_LOOP });
    for (int i = 0; i < 100; i++) {
        run(&f, 1);
        double time = filo_get(f.world, entity, FiloSound)->time;
        assert_true(time < 0.09 && (i < 10 || time >= 0.05));
    }
    assert_int_equal(ends.count, 0);
    assert_true(heard_last(&f, 0) > 0.2f);
    fixture_end(&f);
}

FILO_TEST(a_missing_sound_ends_in_its_first_tick) {
    Fixture f;
    Ends ends;
    begin_with_ends(&f, &ends);
    create_sound(&f, (FiloSound){ .sound = filo_name("missing.wav") });
    create_sound(&f, (FiloSound){ .sound = filo_name("missing.wav"), .flags = FILO_SOUND_LOOP });
    run(&f, 3);
    assert_int_equal(ends.count, 2);
    assert_int_equal(ends.ticks[0], 0);
    fixture_end(&f);
}

FILO_TEST(the_length_of_a_sound_that_is_not_loaded_is_read_in_the_tick) {
    Fixture f;
    Ends ends;
    begin_with_ends(&f, &ends);
    int16_t samples[2400] = { 0 };
    size_t size;
    uint8_t *bytes = wav_bytes(samples, 2400, 1, RATE, &size);
    write_file("disk.wav", bytes, size);
    free(bytes);
    const char *synth = "{ \"layers\": [ { \"seconds\": 0.1, \"release\": 0.1 } ] }";
    write_file("disk.synth", synth, strlen(synth));
    assert_near(filo_sound_seconds(f.assets, filo_name("disk.wav")), 0.05, 1e-9);
    assert_near(filo_sound_seconds(f.assets, filo_name("disk.synth")), 0.2, 1e-4);
    assert_near(filo_sound_seconds(f.assets, filo_name("none.wav")), 0, 0);
    create_sound(&f, (FiloSound){ .sound = filo_name("disk.wav") });
    create_sound(&f, (FiloSound){ .sound = filo_name("disk.synth") });
    for (int i = 0; i < 20; i++)
        assert_ok(filo_world_tick(f.world, 1.0f / 60)); // nothing is loaded by voices
    assert_int_equal(ends.count, 2);
    assert_int_equal(ends.ticks[0], 3);
    assert_int_equal(ends.ticks[1], 12);
    fixture_end(&f);
}

FILO_TEST(a_file_that_is_no_sound_of_the_assets_is_a_missing_sound) {
    Fixture f;
    fixture_begin(&f);
    int16_t samples[2400] = { 0 };
    size_t size;
    uint8_t *bytes = wav_bytes(samples, 2400, 1, RATE, &size);
    assert_ok(filo_folder_make(filo_test_path("inside")));
    write_file("outside.wav", bytes, size);
    write_file("inside/in.wav", bytes, size);
    write_file("inside/IN.WAV", bytes, size);
    write_file("inside/in.dat", bytes, size);
    free(bytes);
    FiloAssets *assets;
    assert_ok(
        filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = f.jobs, .folder = filo_test_path("inside") }));
    assert_near(filo_sound_seconds(assets, filo_name("x/..//in.wav")), 0.05, 1e-9);
    FiloName absolute = filo_name(filo_test_path("outside.wav"));
    expect_warnings(1, "\"../outside.wav\" is not the name of a sound: it must be a path inside ",
                    assert_near(filo_sound_seconds(assets, filo_name("../outside.wav")), 0, 0));
    expect_warnings(1, "outside.wav\" is not the name of a sound",
                    assert_near(filo_sound_seconds(assets, absolute), 0, 0));
    // What the asset system would not load as a sound by its extension.
    expect_warnings(1, "\"in.dat\" is not the name of a sound: no type of sounds has the extension \"dat\"",
                    assert_near(filo_sound_seconds(assets, filo_name("in.dat")), 0, 0));
    assert_near(filo_sound_seconds(assets, filo_name("IN.WAV")), 0.05, 1e-9);
    // In a tick, too: it ends in its first.
    FiloWorld *world;
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = f.jobs }));
    assert_true(filo_audio_register(world, assets));
    FiloEntity in = filo_create(world, FILO_SET(FiloSound, .sound = filo_name("in.wav")));
    FiloEntity out = filo_create(world, FILO_SET(FiloSound, .sound = filo_name("../outside.wav")));
    FiloEntity away = filo_create(world, FILO_SET(FiloSound, .sound = absolute));
    FiloEntity data = filo_create(world, FILO_SET(FiloSound, .sound = filo_name("in.dat")));
    assert_ok(filo_world_tick(world, 1.0f / 60));
    assert_false(filo_get(world, in, FiloSound)->ended);
    assert_true(filo_get(world, out, FiloSound)->ended && filo_get(world, away, FiloSound)->ended);
    assert_true(filo_get(world, data, FiloSound)->ended);
    filo_world_destroy(world);
    filo_assets_destroy(assets);
    // A program may load what it likes as a sound.
    assert_near(filo_sound_seconds(f.assets, filo_name("inside/in.dat")), 0, 0);
    FiloAsset loaded = filo_assets_load_as(f.assets, "sound", "inside/in.dat");
    assert_near(filo_sound_seconds(f.assets, filo_name("inside/in.dat")), 0.05,
                1e-9); // while it is loading, too
    assert_ok(filo_assets_wait(f.assets, loaded));
    assert_near(filo_sound_seconds(f.assets, filo_name("inside/in.dat")), 0.05, 1e-9);
    fixture_end(&f);
}

// ---- Cues -------------------------------------------------------------------------------------------------

typedef struct Script {
    FiloCue cue;
    uint64_t tick;
    int count;
} Script;

static void play_cues(FiloIter *it) {
    const Script *script = it->user;
    if (it->tick != script->tick) return;
    for (int i = 0; i < script->count; i++) filo_cue(it, &script->cue);
}

static void add_script(Fixture *f, Script *script) {
    filo_system_add(f->world, &(FiloSystemDesc){ .name = "play cues", .run = play_cues, .user = script });
}

FILO_TEST(a_cue_of_a_system_starts_in_its_tick_and_can_notify) {
    Fixture f;
    Ends ends;
    begin_with_ends(&f, &ends);
    add_level(&f, "level.wav", 24000, 1);
    Script script = { .cue = { .sound = filo_name("level.wav"), .flags = FILO_SOUND_NOTIFY },
                      .tick = 4,
                      .count = 1 };
    add_script(&f, &script);
    expect_end_after(&f, &ends, 34);
    assert_int_equal(first_heard(&f, 0), 4 * TICK);
    assert_int_equal(ends.ticks[0], 34); // 30 ticks after its own, as a component
    fixture_end(&f);
}

static void play_again(FiloIter *it, const FiloEvent *event) {
    const FiloSoundEnded *ended = event->payload;
    filo_cue(it, &(FiloCue){ .sound = ended->sound, .flags = FILO_SOUND_NOTIFY });
}

// The event comes in the tick in which the time has reached the length, and what answers it is heard in the next.
FILO_TEST(a_chain_of_sounds_takes_one_tick_more_for_each) {
    Fixture f;
    Ends ends;
    begin_with_ends(&f, &ends);
    add_level(&f, "level.wav", 6 * TICK, 2);
    filo_world_handle(f.world, &(FiloWorldHandlerDesc){ .event = filo_name(FILO_EVENT_SOUND_ENDED),
                                                        .type = FILO_TYPE(FiloSoundEnded),
                                                        .run = play_again });
    Script script = { .cue = { .sound = filo_name("level.wav"), .flags = FILO_SOUND_NOTIFY }, .count = 1 };
    add_script(&f, &script);
    run(&f, 30);
    assert_int_equal(ends.ticks[0], 6);
    assert_int_equal(ends.ticks[1], 6 + 7);
    assert_int_equal(ends.ticks[2], 6 + 7 + 7);
    assert_near(heard_at(&f, 6 * TICK - 1, 0), 0.5, 1e-5);
    assert_int_equal(first_heard(&f, 6 * TICK), 7 * TICK); // a tick of silence
    fixture_end(&f);
}

FILO_TEST(a_call_can_notify_too) {
    Fixture f;
    fixture_begin(&f);
    Ends ends;
    listen_to_ends(&f, &ends);
    add_level(&f, "level.wav", 24000, 1);
    filo_audio_play(f.audio, CUE("level.wav", .flags = FILO_SOUND_NOTIFY));
    expect_end_after(&f, &ends, 30);
    fixture_end(&f);
}

FILO_TEST(sounds_that_play_together_can_notify) {
    Fixture f;
    fixture_begin(&f);
    Ends ends;
    listen_to_ends(&f, &ends);
    add_level(&f, "level.wav", 24000, 1);
    FiloCue cues[] = { { .sound = filo_name("level.wav"), .flags = FILO_SOUND_NOTIFY },
                       { .sound = filo_name("level.wav") } };
    assert_int_equal(filo_audio_play_together(f.audio, cues, 2, NULL), 2);
    expect_end_after(&f, &ends, 30);
    fixture_end(&f);
}

FILO_TEST(cues_are_heard_where_their_entity_is) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "level.wav", 800, 1);
    FiloEntity ship = filo_create(f.world, FILO_SET(FiloTransform2, .position = { 500, 0 }));
    FiloEntity gun = filo_create(f.world, FILO_SET(FiloTransform2, .position = { 500, 0 }));
    filo_entity_set_parent(f.world, gun, ship);
    filo_create(f.world, FILO_SET(FiloTransform2, .position = { 900, 0 }),
                FILO_SET(FiloListener, .near = 1000, .pan = 100));
    Script script = { .cue = { .sound = filo_name("level.wav"), .entity = gun }, .count = 1 };
    add_script(&f, &script);
    run(&f, 2); // the gun is at 1000, 100 to the right
    assert_near(heard_at(&f, 400, 0), 0, 1e-6);
    assert_near(heard_at(&f, 400, 1), 0.5, 1e-6);
    fixture_end(&f);
}

FILO_TEST(a_call_with_an_entity_is_where_the_entity_is_when_it_starts) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "level.wav", RATE, 1);
    FiloEntity gun = filo_create(f.world, FILO_SET(FiloTransform2, .position = { -100, 0 }));
    FiloEntity plain = filo_create(f.world, FILO_SET(FiloListener, .priority = 9));
    filo_create(f.world, FILO_ADD(FiloTransform2), FILO_SET(FiloListener, .near = 1000, .pan = 100));
    expect_warning("the listener has no transform, and is not used: add a FiloTransform2 or FiloTransform3",
                   run(&f, 1));
    expect_no_warning(run(&f, 1));
    FiloVoice voice = filo_audio_play(f.audio, CUE("level.wav", .entity = gun));
    filo_edit(f.world, gun, FiloTransform2)->position.x = 100;
    run(&f, 2);
    assert_near(heard_last(&f, 0), 0, 1e-5);
    assert_near(heard_last(&f, 1), 0.5, 1e-5);
    filo_edit(f.world, gun, FiloTransform2)->position.x = -100; // it stays where it started
    run(&f, 2);
    assert_near(heard_last(&f, 1), 0.5, 1e-5);
    filo_audio_stop(f.audio, voice, 0);
    run(&f, 3);
    // Without a transform, and of an entity that is gone, it is in the middle; flat, too.
    FiloEntity gone = filo_create(f.world, FILO_ADD(FiloTransform2));
    filo_entity_destroy(f.world, gone);
    const FiloCue cues[] = { { .entity = plain },
                             { .entity = gone },
                             { .entity = gun, .flags = FILO_SOUND_FLAT } };
    for (size_t i = 0; i < FILO_COUNT_OF(cues); i++) {
        FiloCue cue = cues[i];
        cue.sound = filo_name("level.wav");
        voice = filo_audio_play(f.audio, &cue);
        run(&f, 2);
        assert_true(heard_last(&f, 0) > 0.29f);
        assert_near(heard_last(&f, 0), heard_last(&f, 1), 1e-5);
        filo_audio_stop(f.audio, voice, 0);
        run(&f, 3);
    }
    fixture_end(&f);
}

FILO_TEST(a_cue_without_registering_is_a_mistake) {
    Fixture f;
    fixture_begin(&f);
    Script script = { .cue = { .sound = filo_name("level.wav") }, .count = 1 };
    add_script(&f, &script);
    expect_fault("call filo_audio_register before the first tick that uses filo_cue", run(&f, 1));
    expect_fault("pass the iterator of a system, and a cue", filo_cue(NULL, &script.cue));
    expect_fault("pass a world", filo_audio_register(NULL, f.assets));
    expect_fault("pass a sound", filo_sound_play(NULL, filo_name("x")));
    fixture_end(&f);
}

FILO_TEST(a_component_without_what_plays_it_is_a_mistake) {
    Fixture f;
    fixture_begin(&f);
    run(&f, 1);
    filo_component(f.world, FiloSound);
    expect_fault("the world has FiloSound or FiloListener: register both by filo_audio_register", run(&f, 1));
    assert_true(filo_audio_register(f.world, f.assets));
    run(&f, 1);
    fixture_end(&f);
}

// ---- Without what is heard ------------------------------------------------------------------------------------

FILO_TEST(with_no_output_only_calls_make_voices) {
    Fixture f;
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_NONE });
    assert_true(filo_audio_register(f.world, f.assets));
    add_level(&f, "level.wav", RATE, 1);
    Script script = { .cue = { .sound = filo_name("level.wav") }, .count = 1 };
    add_script(&f, &script);
    create_sound(&f, (FiloSound){ .sound = filo_name("level.wav") });
    run(&f, 2);
    assert_int_equal(filo_audio_stats(f.audio).played, 0);
    filo_audio_play(f.audio, CUE("level.wav"));
    run(&f, 2);
    assert_int_equal(filo_audio_stats(f.audio).voices, 1);
    fixture_end(&f);
}

// ---- Listeners ----------------------------------------------------------------------------------------------

FILO_TEST(components_are_heard_where_they_are_and_move) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "level.wav", 10 * RATE, 1);
    FiloEntity source = filo_create(f.world, FILO_SET(FiloTransform2, .position = { 200, 0 }),
                                    FILO_SET(FiloSound, .sound = filo_name("level.wav")));
    FiloEntity ears = filo_create(f.world, FILO_SET(FiloTransform2, .position = { 100, 0 }),
                                  FILO_SET(FiloListener, .near = 1000, .pan = 100));
    run(&f, 3);
    assert_near(heard_last(&f, 0), 0, 1e-5);
    assert_near(heard_last(&f, 1), 0.5, 1e-5);
    filo_edit(f.world, source, FiloTransform2)->position.x = 0;
    run(&f, 3);
    assert_near(heard_last(&f, 0), 0.5, 1e-5);
    assert_near(heard_last(&f, 1), 0, 1e-5);
    // A listener of a higher priority takes over, and a flat sound is in the middle.
    filo_create(f.world, FILO_SET(FiloTransform2, .position = { -100, 0 }),
                FILO_SET(FiloListener, .near = 1000, .pan = 100, .priority = 1));
    run(&f, 3);
    assert_near(heard_last(&f, 1), 0.5, 1e-5);
    filo_edit(f.world, source, FiloSound)->flags = FILO_SOUND_FLAT;
    run(&f, 3);
    assert_near(heard_last(&f, 0), heard_last(&f, 1), 1e-5);
    filo_entity_destroy(f.world, ears);
    run(&f, 1);
    fixture_end(&f);
}

FILO_TEST(a_listener_in_space_hears_directions_through_parents) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "level.wav", 10 * RATE, 1);
    FiloEntity body =
        filo_create(f.world, FILO_SET(FiloTransform3,
                                      .rotation = filo_quat_from_axis_angle(filo_vec3(0, 1, 0), FILO_PI)));
    FiloEntity head =
        filo_create(f.world, FILO_ADD(FiloTransform3), FILO_SET(FiloListener, .near = 1, .far = 1e6f));
    filo_entity_set_parent(f.world, head, body);
    filo_create(f.world, FILO_SET(FiloTransform3, .position = { 10, 0, 0 }),
                FILO_SET(FiloSound, .sound = filo_name("level.wav"), .falloff = FILO_FALLOFF_NONE));
    run(&f, 4);
    assert_true(heard_last(&f, 0) > 0.4f); // turned round, it is on the left
    assert_near(heard_last(&f, 1), 0, 0.05);
    fixture_end(&f);
}

// ---- Snapshots ------------------------------------------------------------------------------------------------

FILO_TEST(rewinding_the_world_rewinds_its_sounds) {
    Fixture f;
    Ends ends;
    begin_with_ends(&f, &ends);
    static int16_t samples[2 * RATE];
    for (int i = 0; i < 2 * RATE; i++) samples[i] = (int16_t)(i / 4);
    add_samples(&f, "ramp.wav", samples, 2 * RATE, 1, RATE);
    FiloEntity entity = create_sound(&f, (FiloSound){ .sound = filo_name("ramp.wav") });
    run(&f, 30);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, f.world));
    uint64_t hash = filo_world_hash(f.world);
    float before = heard_last(&f, 0);
    run(&f, 60);
    assert_ok(filo_snapshot_restore(snapshot, f.world));
    assert_int_equal(filo_world_hash(f.world), hash);
    assert_near(filo_get(f.world, entity, FiloSound)->time, 29.0 / 60, 1e-6);
    run(&f, 3);
    assert_near(heard_last(&f, 0), before, 0.02); // heard from there again
    run(&f, 60 + 30);
    assert_int_equal(ends.count, 1);
    filo_snapshot_destroy(snapshot);
    fixture_end(&f);
}

// ---- The world does not depend on what is heard -----------------------------------------------------------------

static void wander(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        transform[i].position.x += filo_random_float_range(&random, -20, 20);
        if (filo_random_chance(&random, 0.02f))
            filo_cue(it, &(FiloCue){ .sound = filo_name("a.synth"),
                                     .variation = 3,
                                     .limit = 6,
                                     .flags = FILO_SOUND_NOTIFY,
                                     .entity = filo_iter_entity(it, i) });
    }
}

static void answer(FiloIter *it, const FiloEvent *event) {
    const FiloSoundEnded *ended = event->payload;
    if (!filo_entity_exists(it->world, ended->entity)) return;
    filo_create(
        it->changes, FILO_SET(FiloTransform2, .position = { 5, 5 }),
        FILO_SET(FiloSound, .sound = filo_name("b.synth"), .variation = 2, .flags = FILO_SOUND_DESTROY));
}

// A world in which sounds cause sounds. Returns its hash, and the samples that were heard.
static uint64_t busy_world(int threads, FiloAudioOutput output, float **heard, size_t *frames) {
    Fixture f;
    fixture_begin_with(&f, threads, &(FiloAudioDesc){ .output = output, .sources = 12 });
    filo_audio_register(f.world, f.assets);
    add_synth(&f, "a.synth", "{\"layers\":[{\"wave\":\"square\",\"frequency\":700,\"seconds\":0.1}]}");
    add_synth(&f, "b.synth", "{\"layers\":[{\"wave\":\"noise\",\"seconds\":0.3,\"low_pass\":900}]}");
    filo_system_add(f.world, &(FiloSystemDesc){ .name = "wander",
                                                .run = wander,
                                                .parallel = true,
                                                .query.terms = { FILO_WRITE(FiloTransform2) } });
    filo_world_handle(f.world, &(FiloWorldHandlerDesc){ .event = filo_name(FILO_EVENT_SOUND_ENDED),
                                                        .type = FILO_TYPE(FiloSoundEnded),
                                                        .run = answer });
    filo_create(f.world, FILO_ADD(FiloTransform2), FILO_SET(FiloListener, .near = 40, .far = 900));
    for (int i = 0; i < 300; i++) {
        FiloRandom random = filo_random_keyed(1, 2, 3, (uint64_t)i);
        float x = filo_random_float_range(&random, -800, 800);
        filo_create(f.world, FILO_SET(FiloTransform2, .position = { x, (float)i }));
    }
    run(&f, 240);
    uint64_t hash = filo_world_hash(f.world);
    if (frames != NULL) *frames = f.frames;
    if (heard != NULL) {
        *heard = f.heard;
        f.heard = NULL;
    }
    fixture_end(&f);
    return hash;
}

FILO_TEST(the_world_is_the_same_with_and_without_sound_and_so_is_the_sound_on_any_number_of_threads) {
    float *first, *other;
    size_t frames, other_frames;
    uint64_t hash = busy_world(1, FILO_AUDIO_OFFLINE, &first, &frames);
    assert_int_equal(frames, 240 * TICK);
    double sum = 0;
    for (size_t i = 0; i < frames * 2; i++) sum += fabs((double)first[i]);
    assert_true(sum / (double)frames > 0.01); // there is something to compare
    const int threads[] = { 2, 4, 8 };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(busy_world(threads[i], FILO_AUDIO_OFFLINE, &other, &other_frames), hash);
        assert_int_equal(other_frames, frames);
        assert_memory_equal(first, other, frames * 2 * sizeof(float));
        free(other);
    }
    assert_int_equal(busy_world(2, FILO_AUDIO_NONE, NULL, NULL), hash);
    free(first);
}
