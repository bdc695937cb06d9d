// Tables from events to sounds.

#include "audio/fixture.h"
#include "support/warnings.h"

typedef struct Hit {
    FiloVec2 position;
    float speed;
    int16_t kind;
    FiloEntity target;
} Hit;
FILO_REFLECT(Hit, FILO_FIELD(FiloVec2, position), FILO_FIELD(float, speed), FILO_FIELD(int16_t, kind),
             FILO_FIELD(FiloEntity, target))

static FiloAsset add_table(Fixture *f, const char *name, const char *text) {
    FiloAsset asset = filo_assets_add_bytes(f->assets, "cues", name, text, strlen(text));
    filo_assets_wait_all(f->assets);
    return asset;
}

static void use_table(Fixture *f, const char *text) {
    add_table(f, "game.cues", text);
    assert_true(filo_audio_use_table(f->audio, "game.cues"));
}

static void emit_hit(Fixture *f, Hit hit) {
    assert_true(filo_events_emit(f->events, filo_name("hit"), FILO_TYPE(Hit), &hit));
}

FILO_TEST(an_event_makes_a_sound_in_its_tick) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "hit.wav", 400, 2);
    use_table(&f, "{ \"hit\": { \"sound\": \"hit.wav\", \"gain\": -20 } }");
    assert_true(filo_audio_use_table(f.audio, "game.cues")); // changes nothing
    run(&f, 3);
    emit_hit(&f, (Hit){ 0 });
    run(&f, 3);
    assert_int_equal(first_heard(&f, 0), 3 * TICK);
    assert_near(heard_at(&f, 3 * TICK + 100, 0), 0.05, 1e-4);
    filo_audio_drop_table(f.audio, "game.cues");
    emit_hit(&f, (Hit){ 0 });
    run(&f, 2);
    assert_int_equal(first_heard(&f, 5 * TICK), SIZE_MAX);
    fixture_end(&f);
}

FILO_TEST(a_cue_is_at_a_position_or_an_entity_of_the_payload) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "hit.wav", 400, 1);
    use_table(&f,
              "{ \"hit\": [ { \"sound\": \"hit.wav\", \"at\": \"position\", \"when\": { \"field\": \"kind\", "
              "\"max\": 0 } },"
              "             { \"sound\": \"hit.wav\", \"at\": \"target\", \"when\": { \"field\": \"kind\", "
              "\"min\": 1 } } ] }");
    filo_create(f.world, FILO_ADD(FiloTransform2), FILO_SET(FiloListener, .near = 500, .pan = 100));
    FiloEntity left = filo_create(f.world, FILO_SET(FiloTransform2, .position = { -100, 0 }));
    run(&f, 1);
    emit_hit(&f, (Hit){ .position = { 100, 0 }, .kind = -3, .target = left });
    run(&f, 1);
    assert_near(heard_at(&f, TICK + 100, 0), 0, 1e-6);
    assert_near(heard_at(&f, TICK + 100, 1), 0.5, 1e-6);
    emit_hit(&f, (Hit){ .position = { 100, 0 }, .kind = 1, .target = left });
    run(&f, 1);
    assert_near(heard_at(&f, 2 * TICK + 100, 0), 0.5, 1e-6);
    assert_near(heard_at(&f, 2 * TICK + 100, 1), 0, 1e-6);
    fixture_end(&f);
}

FILO_TEST(choices_chances_and_pitches_are_the_same_in_every_run) {
    uint64_t played[2] = { 0 };
    float *heard[2];
    for (int round = 0; round < 2; round++) {
        Fixture f;
        fixture_begin_with(&f, round == 0 ? 1 : 4, NULL);
        add_sine(&f, "a.wav", 500, 0.1);
        add_sine(&f, "b.wav", 900, 0.1);
        use_table(&f,
                  "{\"hit\":{\"sounds\":[\"a.wav\",\"b.wav\"],\"pitch\":[-3,3],\"chance\":0.5,\"limit\":3}}");
        for (int i = 0; i < 100; i++) {
            emit_hit(&f, (Hit){ 0 });
            run(&f, 1);
        }
        played[round] = filo_audio_stats(f.audio).played;
        heard[round] = f.heard;
        f.heard = NULL;
        fixture_end(&f);
    }
    assert_int_equal(played[0], played[1]);
    assert_true(played[0] > 30 && played[0] < 70);
    assert_memory_equal(heard[0], heard[1], 100 * TICK * 2 * sizeof(float));
    free(heard[0]);
    free(heard[1]);
}

FILO_TEST(a_changed_table_is_used_and_an_invalid_one_is_not) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "a.wav", 400, 2);
    FiloAsset asset = add_table(&f, "game.cues", "{\"hit\":{\"sound\":\"a.wav\"}}");
    filo_audio_use_table(f.audio, "game.cues");
    emit_hit(&f, (Hit){ 0 });
    run(&f, 1);
    assert_near(heard_at(&f, 100, 0), 0.5, 1e-5);
    add_table(&f, "game.cues", "{\"hit\":{\"sound\":\"a.wav\",\"gain\":-20}}");
    run(&f, 1);
    emit_hit(&f, (Hit){ 0 });
    run(&f, 1);
    assert_near(heard_at(&f, 2 * TICK + 100, 0), 0.05, 1e-5);
    add_table(&f, "game.cues", "{\"hit\":{\"sond\":\"a.wav\"}}");
    assert_error(*filo_asset_error(f.assets, asset), FILO_ERROR_DATA, "game.cues:1:9: a cue has no \"sond\"");
    run(&f, 1);
    emit_hit(&f, (Hit){ 0 });
    run(&f, 1);
    assert_near(heard_at(&f, 4 * TICK + 100, 0), 0.05, 1e-5);
    fixture_end(&f);
}

FILO_TEST(events_while_paused_are_heard) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "click.wav", 400, 2);
    use_table(&f, "{\"click\":{\"sound\":\"click.wav\",\"bus\":\"ui\"}}");
    run(&f, 2);
    filo_audio_set_time(f.audio, true, 1);
    filo_events_emit_now(f.events, filo_name("click"), NULL, NULL);
    filo_audio_step(f.audio, 1.0 / 60);
    assert_int_equal(first_heard(&f, 0), 2 * TICK);
    fixture_end(&f);
}

FILO_TEST(mistakes_in_tables_have_line_and_column) {
    static const struct {
        const char *text, *message;
    } tables[] = {
        { "[]", "x.cues:1:1: a table is an object with the names of events, not a list" },
        { "{\"a\":1}", "x.cues:1:6: a cue is an object, not a number" },
        { "{\"a\":{}}", "x.cues:1:6: a cue has a \"sound\"" },
        { "{\"a\":{\"sound\":1}}", "a sound is the name of an asset, not a number" },
        { "{\"a\":{\"sound\":\"\"}}", "a name has 1 to 255 bytes" },
        { "{\"a\":{\"sound\":\"x\",\"gain\":true}}", "\"gain\" is a number, not true" },
        { "{\"a\":{\"sound\":\"x\",\"gain\":99}}", "\"gain\" is between -120 and 24" },
        { "{\"a\":{\"sound\":\"x\",\"pitch\":[1]}}", "\"pitch\" is a number, not the end of a list" },
        { "{\"a\":{\"sound\":\"x\",\"pitch\":[2,1]}}",
          "the second number of \"pitch\" is not less than the first" },
        { "{\"a\":{\"sound\":\"x\",\"falloff\":\"cubic\"}}",
          "x.cues:1:29: \"falloff\" is \"inverse\", \"linear\" or \"none\", not \"cubic\"" },
        { "{\"a\":{\"sound\":\"x\",\"falloff\":1}}",
          "\"falloff\" is \"inverse\", \"linear\" or \"none\", not a number" },
        { "{\"a\":{\"sound\":\"x\",\"sounds\":[\"y\"]}}",
          "x.cues:1:19: a cue has one \"sound\", or a list of \"sounds\"" },
        { "{\"a\":{\"sound\":\"x\"},\n\"a\":{\"sound\":\"y\"}}",
          "x.cues:2:1: the event \"a\" is here twice: give it a list of cues" },
        { "{\"a\":{\"sound\":\"x\",\"when\":{\"min\":1}}}", "x.cues:1:26: \"when\" has a \"field\"" },
        { "{\"a\":{\"sound\":\"x\",\"when\":{\"field\":\"\"}}}", "x.cues:1:26: \"when\" has a \"field\"" },
        { "{\"a\":{\"sound\":\"x\",\"when\":{\"field\":\"f\",\"min\":2,\"max\":1}}}",
          "x.cues:1:26: \"max\" is not less than \"min\"" },
        { "{\"a\":{\"sound\":\"x\",\"limit\":1.5}}", "\"limit\" is a whole number" },
        { "{\"a\":{\"sound\":\"x\",\"when\":{\"fild\":1}}}", "\"when\" has \"field\", \"min\" and \"max\"" },
        { "{\"a\":{\"sound\":\"x\"}", "x.cues:1:19: expected a comma or }" },
    };
    Fixture f;
    fixture_begin(&f);
    for (size_t i = 0; i < FILO_COUNT_OF(tables); i++) {
        FiloAsset asset = add_table(&f, "x.cues", tables[i].text);
        assert_error(*filo_asset_error(f.assets, asset), FILO_ERROR_DATA, tables[i].message);
    }
    fixture_end(&f);
}

FILO_TEST(fields_that_an_event_does_not_have_are_said_once_with_the_one_that_was_meant) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "a.wav", 400, 1);
    use_table(&f, "{ \"hit\": { \"sound\": \"a.wav\", \"at\": \"positon\" } }");
    run(&f, 1);
    emit_hit(&f, (Hit){ 0 });
    expect_warning(
        "the event \"hit\" has no position or entity \"positon\", so its sound is in the middle: did you "
        "mean \"position\"?",
        run(&f, 2));
    assert_int_equal(first_heard(&f, 0), TICK);
    emit_hit(&f, (Hit){ 0 });
    expect_no_warning(run(&f, 1));
    add_table(&f, "game.cues", "{ \"hit\": { \"sound\": \"a.wav\", \"at\": \"speed\" } }");
    run(&f, 1);
    emit_hit(&f, (Hit){ 0 });
    expect_warning(
        "the field \"speed\" of the event \"hit\" is no position or entity, so its sound is in the middle",
        run(&f, 1));
    add_table(&f, "game.cues",
              "{ \"hit\": { \"sound\": \"a.wav\", \"when\": { \"field\": \"position\" } } }");
    run(&f, 1);
    emit_hit(&f, (Hit){ 0 });
    expect_warning("the field \"position\" of the event \"hit\" is no number, so its sound is not played",
                   run(&f, 1));
    add_table(&f, "game.cues",
              "{ \"hit\": { \"sound\": \"a.wav\", \"when\": { \"field\": \"sped\", \"min\": 0 } } }");
    run(&f, 1);
    emit_hit(&f, (Hit){ 0 });
    uint64_t played = filo_audio_stats(f.audio).played;
    expect_warning(
        "the event \"hit\" has no number \"sped\", so its sound is not played: did you mean \"speed\"?",
        run(&f, 1));
    assert_int_equal(filo_audio_stats(f.audio).played, played);
    add_table(&f, "game.cues", "{ \"bang\": { \"sound\": \"a.wav\", \"when\": { \"field\": \"speed\" } } }");
    run(&f, 1);
    filo_events_emit(f.events, filo_name("bang"), NULL, NULL); // has no payload
    expect_warning("the event \"bang\" has no number \"speed\", so its sound is not played", run(&f, 1));
    fixture_end(&f);
}

FILO_TEST(mistakes_with_tables_are_reported) {
    Fixture f;
    fixture_begin(&f);
    expect_fault("pass the name of a table", filo_audio_use_table(f.audio, NULL));
    expect_fault("pass the name of a table", filo_audio_drop_table(f.audio, NULL));
    expect_fault("pass the audio", filo_audio_use_table(NULL, "x.cues"));
    expect_fault("pass the audio", filo_audio_drop_table(NULL, "x.cues"));
    assert_false(filo_audio_use_table(f.audio, "../x.cues"));
    filo_audio_drop_table(f.audio, "x.cues"); // is not in use
    FiloAssets *assets;
    FiloAudio *audio;
    assert_ok(filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = f.jobs, .folder = filo_test_folder() }));
    assert_ok(filo_audio_create(&audio, &(FiloAudioDesc){ .assets = assets, .output = FILO_AUDIO_NONE }));
    expect_fault("a table needs a world with events: pass it to filo_audio_create",
                 assert_false(filo_audio_use_table(audio, "x.cues")));
    filo_audio_destroy(audio);
    filo_assets_destroy(assets);
    fixture_end(&f);
}
