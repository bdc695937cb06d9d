#include "support/creature.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

// ---- Descriptions -------------------------------------------------------------------------------------

FILO_TEST(a_description_has_names_offsets_counts_and_attributes) {
    const FiloType *type = FILO_TYPE(Creature);
    assert_string_equal(type->name, "Creature");
    assert_int_equal(type->size, sizeof(Creature));
    const FiloField *health = filo_type_field(type, "health");
    assert_int_equal(health->offset, offsetof(Creature, health));
    assert_int_equal(health->count, 0);
    assert_string_equal(health->unit, "hp");
    assert_true(health->max == 100);
    assert_ptr_equal(filo_type_field(type, "life"), health); // its older name
    const FiloField *loot = filo_type_field(type, "loot");
    assert_int_equal(loot->count, 4);
    assert_ptr_equal(filo_field_type(loot), FILO_TYPE(uint16_t));
    assert_null(filo_type_field(type, "nothing"));
    assert_true(FILO_TYPE(Weather)->is_signed);
    assert_false(FILO_TYPE(Mood)->is_signed);
    assert_string_equal(FILO_TYPE(bool)->name, "bool");
}

typedef struct OneElement {
    float list[1];
} OneElement;
FILO_REFLECT(OneElement, FILO_FIELD(float, list))

FILO_TEST(an_array_of_one_is_an_array) { assert_int_equal(FILO_TYPE(OneElement)->fields[0].count, 1); }

FILO_TEST(a_description_can_be_printed) {
    char text[4096];
    filo_type_describe(FILO_TYPE(Creature), text, sizeof text);
    assert_contains(text, "health           float             0 … 100  [hp]  (was life)  dies at 0\n");
    assert_contains(text, "loot             uint16_t[4]");
    assert_contains(text, "transient");
    size_t length = filo_type_describe(FILO_TYPE(Mood), text, 20);
    assert_int_equal(length, 19);
    assert_int_equal(strlen(text), 19);
}

// ---- Comparing and hashing ----------------------------------------------------------------------------

static uint64_t hash_of(const Creature *creature) {
    return filo_reflect_hash(FILO_TYPE(Creature), creature, 0);
}

FILO_TEST(equal_values_have_equal_hashes_whatever_the_padding) {
    Creature a, b;
    memset(&a, 0xAA, sizeof a);
    memset(&b, 0x55, sizeof b);
    Creature sample = creature_sample();
    for (size_t i = 0; i < FILO_TYPE(Creature)->field_count; i++) {
        const FiloField *field = &FILO_TYPE(Creature)->fields[i];
        size_t size = filo_field_type(field)->size * FILO_MAX(field->count, (size_t)1);
        memcpy((char *)&a + field->offset, (char *)&sample + field->offset, size);
        memcpy((char *)&b + field->offset, (char *)&sample + field->offset, size);
    }
    strcpy(a.name, "same"), memset(a.name + 5, 'x', 11); // what follows the text's end does not count
    strcpy(b.name, "same"), memset(b.name + 5, 'y', 11);
    a.cache = 1, b.cache = 2;
    assert_true(filo_reflect_equal(FILO_TYPE(Creature), &a, &b));
    assert_int_equal(hash_of(&a), hash_of(&b));
}

FILO_TEST(zeros_are_equal_and_nans_are_equal) {
    Creature a = { 0 }, b = { 0 };
    a.health = 0.0f, b.health = -0.0f;
    a.mass = NAN, b.mass = -NAN;
    assert_true(filo_reflect_equal(FILO_TYPE(Creature), &a, &b));
    assert_int_equal(hash_of(&a), hash_of(&b));
}

FILO_TEST(every_single_field_shows_in_comparison_and_hash) {
    Creature sample = creature_sample();
    const FiloType *type = FILO_TYPE(Creature);
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        Creature other = sample;
        char *byte = (char *)&other + field->offset;
        if (filo_field_type(field)->kind == FILO_KIND_NAME)
            other.kind = filo_name("spider");
        else
            *byte = (char)(*byte ^ 1);
        bool transient = (field->flags & FILO_FIELD_TRANSIENT) != 0;
        assert_true(filo_reflect_equal(type, &sample, &other) == transient);
        assert_true((hash_of(&sample) == hash_of(&other)) == transient);
    }
}

FILO_TEST(the_hash_is_the_same_on_every_machine) {
    Creature sample = creature_sample();
    assert_int_equal(hash_of(&sample), UINT64_C(0xb22923e47f9c70fb));
}

FILO_TEST(the_first_difference_is_named_by_its_path) {
    char path[64];
    Creature a = creature_sample(), b = a;
    assert_false(filo_reflect_difference(FILO_TYPE(Creature), &a, &b, path, sizeof path));
    assert_string_equal(path, "");
    b.limbs[1].joints[0].y = 9;
    assert_true(filo_reflect_difference(FILO_TYPE(Creature), &a, &b, path, sizeof path));
    assert_string_equal(path, "limbs[1].joints[0].y");
    b.loot[2] = 9;
    filo_reflect_difference(FILO_TYPE(Creature), &a, &b, path, sizeof path);
    assert_string_equal(path, "loot[2]");
}

static void count_and_shift(FiloEntity *entity, void *user) {
    entity->id += 100;
    ++*(int *)user;
}

FILO_TEST(entity_references_are_all_visited) {
    Creature creature = creature_sample();
    int count = 0;
    filo_reflect_entities(FILO_TYPE(Creature), &creature, count_and_shift, &count);
    assert_int_equal(count, 3);
    assert_int_equal(creature.target.id, 177);
    assert_int_equal(creature.friends[1].id, 106);
}

// ---- Paths, printing, parsing -------------------------------------------------------------------------

static Creature creature;

static FiloValue at(const char *path) {
    FiloValue value;
    assert_ok(filo_reflect_find(&value, FILO_TYPE(Creature), &creature, path));
    return value;
}

static const char *printed(const char *path) {
    static char text[2048];
    filo_reflect_print(at(path), text, sizeof text);
    return text;
}

FILO_TEST(values_are_printed_readably) {
    creature = creature_sample();
    assert_string_equal(printed("position.x"), "1.5");
    assert_string_equal(printed("position"), "{\"x\":1.5,\"y\":-2}");
    assert_string_equal(printed("mood"), "angry");
    assert_string_equal(printed("small_mood"), "asleep");
    assert_string_equal(printed("weather"), "fog");
    assert_string_equal(printed("traits"), "[\"solid\",\"loud\"]");
    assert_string_equal(printed("loot"), "[1,2,3,65535]");
    assert_string_equal(printed("loot[3]"), "65535");
    assert_string_equal(printed("u64"), "18446744073709551615");
    assert_string_equal(printed("name"), "Ada \"Grün\"");
    assert_string_equal(printed("kind"), "beetle");
    assert_string_equal(printed("awake"), "true");
    assert_string_equal(printed("letter"), "k");
    assert_string_equal(printed("target"), "77");
    assert_string_equal(printed("limbs[1].label"), "right");
    creature.mood = (Mood)99;
    assert_string_equal(printed("mood"), "99");
    creature.health = NAN;
    assert_string_equal(printed("health"), "nan");
    char small[4];
    assert_int_equal(filo_reflect_print(at("name"), small, sizeof small), 11);
    assert_string_equal(small, "Ada");
}

FILO_TEST(what_is_printed_can_be_parsed_back) {
    static const char *const paths[] = { "position", "health",  "mass",   "awake",      "mood",
                                         "weather",  "traits",  "i8",     "i64",        "loot",
                                         "loot[1]",  "u64",     "letter", "name",       "kind",
                                         "target",   "friends", "limbs",  "small_mood", "" };
    Creature sample = creature_sample();
    for (size_t i = 0; i < FILO_COUNT_OF(paths); i++) {
        char text[2048];
        creature = sample;
        filo_reflect_print(at(paths[i]), text, sizeof text);
        memset(&creature, 0, sizeof creature);
        assert_ok(filo_reflect_parse(at(paths[i]), text));
        char again[2048];
        filo_reflect_print(at(paths[i]), again, sizeof again);
        assert_string_equal(text, again);
    }
    creature.cache = sample.cache;
    assert_true(filo_reflect_equal(FILO_TYPE(Creature), &creature, &sample)); // the last path was the whole
    assert_ok(filo_reflect_parse(at("health"), "-inf"));
    assert_true(isinf(creature.health));
}

FILO_TEST(a_text_that_does_not_fit_leaves_the_value_as_it_was) {
    static const struct {
        const char *path, *text, *message;
    } cases[] = {
        { "health", "many", "health: \"many\" is not a number" },
        { "health", "1e99", "health: 1e99 does not fit into float" },
        { "health", "3 4", "health: \"3 4\" is not a number" },
        { "i8", "", "i8: \"\" is not a whole number" },
        { "i8", "128", "i8: 128 does not fit into int8_t" },
        { "i8", "1.5", "i8: 1.5 is not whole, as int8_t needs" },
        { "u64", "-1", "u64: -1 does not fit into uint64_t" },
        { "u64", "18446744073709551616", "does not fit into uint64_t" },
        { "mood", "furious", "mood: \"furious\" is none of: calm, angry, asleep" },
        { "mood", "", "\"\" is none of" },
        { "small_mood", "300", "300 does not fit into uint8_t" },
        { "traits", "[\"solid\", \"holy\"]", "\"holy\" is none of: solid, visible, loud" },
        { "traits", "7.5", "traits: 7.5 is not whole" },
        { "awake", "yes", "awake: \"yes\" is not true or false" },
        { "awake", "1", "awake: expected true or false, found a number" },
        { "name", "more than fifteen bytes", "name: 23 bytes of text, there is room for 15" },
        { "letter", "ab", "letter: 2 bytes of text, there is room for 1" },
        { "loot", "[1, 2, 3, 4, 5]", "loot: 5 elements, there is room for 4" },
        { "loot", "[1, \"x\"]", "loot[1]: expected a whole number, found a string" },
        { "loot", "7", "loot: expected a list, found a number" },
        { "position", "{\"x\": 5, \"z\": 6}", "position: Point has no field \"z\"" },
        { "position", "{\"x\": 5", "but the text ends here" },
        { "position", "[1, 2]", "position: expected an object, found a list" },
    };
    Creature sample = creature_sample();
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        creature = sample;
        assert_error(filo_reflect_parse(at(cases[i].path), cases[i].text), FILO_ERROR_DATA, cases[i].message);
        assert_memory_equal(&creature, &sample, sizeof sample);
    }
}

FILO_TEST(the_error_of_a_wrong_path_names_the_part_that_is_wrong) {
    static const struct {
        const char *path, *message;
    } cases[] = {
        { "speed", "speed: Creature has no field speed" },
        { "position.z", "position.z: Point has no field z" },
        { "health.x", "health.x: there is nothing called x inside a float" },
        { "loot.x", "there is nothing called x inside a uint16_t list" },
        { "loot[4]", "loot[4]: the list has 4 elements, counted from 0" },
        { "loot[99999999999999999999]", "the list has 4 elements" },
        { "loot[-1]", "expected a number after [" },
        { "loot[", "expected a number after [" },
        { "loot[1", "expected a ]" },
        { "health[0]", "health[0]: health is not a list" },
        { "name[0]", "name is not a list" },
        { "position.", "a name is missing" },
        { ".x", "a name is missing" },
        { "position..x", "a name is missing" },
    };
    FiloValue value;
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        assert_error(filo_reflect_find(&value, FILO_TYPE(Creature), &creature, cases[i].path),
                     FILO_ERROR_NOT_FOUND, cases[i].message);
        assert_null(value.data);
    }
}

FILO_TEST(misuse_is_named) {
    FiloValue none = { 0 };
    char text[8];
    expect_fault("print a value that filo_reflect_find found", filo_reflect_print(none, text, sizeof text));
    assert_string_equal(text, "");
    expect_mistake("parse into a value that filo_reflect_find found", filo_reflect_parse(none, "1"));
    expect_mistake("find needs a type, data and a path", filo_reflect_find(&none, NULL, NULL, ""));
    FiloJsonReader reader;
    filo_json_reader_init(&reader, "{}", 2, NULL);
    expect_mistake("read JSON with a reader, a type and its data",
                   filo_reflect_read_json(FILO_TYPE(Creature), NULL, &reader, NULL));
}

// ---- JSON ---------------------------------------------------------------------------------------------

static struct {
    int count;
    FiloProblemKind kinds[64];
    char messages[64][512];
} problems;

static void note_problem(const FiloProblem *problem, void *user) {
    (void)user;
    assert_true(problems.count < 64);
    problems.kinds[problems.count] = problem->kind;
    snprintf(problems.messages[problems.count++], sizeof problems.messages[0], "%s", problem->message);
}

static FiloResult read_creature(Creature *into, const char *text, bool partial) {
    FiloJsonReader reader;
    problems.count = 0;
    filo_json_reader_init(&reader, text, strlen(text), "file.json");
    FiloReadOptions options = { .problem = note_problem, .partial = partial };
    return filo_reflect_read_json(FILO_TYPE(Creature), into, &reader, &options);
}

FILO_TEST(json_round_trips_every_kind_of_field) {
    for (int indent = 0; indent <= 4; indent += 4) {
        Creature sample = creature_sample(), back = { 0 };
        FiloJsonWriter writer;
        filo_json_writer_init(&writer, &(FiloJsonWriterDesc){ .indent = indent });
        filo_reflect_write_json(FILO_TYPE(Creature), &sample, &writer);
        assert_true(filo_json_writer_ok(&writer));
        assert_ok(read_creature(&back, filo_json_writer_text(&writer), false));
        assert_int_equal(problems.count, 0);
        assert_true(filo_reflect_equal(FILO_TYPE(Creature), &sample, &back));
        filo_json_writer_deinit(&writer);
    }
}

FILO_TEST(json_is_readable) {
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, &(FiloJsonWriterDesc){ .indent = 4 });
    Limb limb = { { { 1, 2 }, { 3, 4.5f } }, "left" };
    filo_reflect_write_json(FILO_TYPE(Limb), &limb, &writer);
    assert_string_equal(filo_json_writer_text(&writer), "{\n"
                                                        "    \"joints\": [\n"
                                                        "        {\"x\": 1, \"y\": 2},\n"
                                                        "        {\"x\": 3, \"y\": 4.5}\n"
                                                        "    ],\n"
                                                        "    \"label\": \"left\"\n"
                                                        "}");
    filo_json_writer_deinit(&writer);
}

FILO_TEST(flags_without_a_name_survive_json) {
    Creature sample = { .traits = (Trait)(TRAIT_VISIBLE | 64) }, back = { 0 };
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, NULL);
    filo_reflect_write_json(FILO_TYPE(Creature), &sample, &writer);
    assert_contains(filo_json_writer_text(&writer), "\"traits\":[\"visible\",64]");
    assert_ok(read_creature(&back, filo_json_writer_text(&writer), true));
    assert_int_equal(back.traits, sample.traits);
    filo_json_writer_deinit(&writer);
}

FILO_TEST(problems_are_reported_with_position_and_path_and_do_not_stop_the_reading) {
    Creature sample = creature_sample(), back = sample;
    assert_ok(read_creature(&back,
                            "{\n"
                            "  \"colour\": {\"r\": [1, 2]},\n"
                            "  \"health\": 150,\n"
                            "  \"mood\": \"furious\",\n"
                            "  \"i8\": 1000,\n"
                            "  \"position\": {\"x\": \"left\", \"y\": 8},\n"
                            "  \"name\": 12,\n"
                            "  \"mass\": 2, \"mass\": 3,\n"
                            "  \"target\": null,\n"
                            "  \"limbs\": [{}, {}, {}]\n"
                            "}",
                            true));
    static const struct {
        FiloProblemKind kind;
        const char *message;
    } expected[] = {
        { FILO_PROBLEM_UNKNOWN_FIELD, "file.json:2:3: Creature has no field \"colour\"" },
        { FILO_PROBLEM_OUT_OF_RANGE, "file.json:3:13: health: 150 is outside 0 … 100" },
        { FILO_PROBLEM_UNKNOWN_VALUE, "file.json:4:11: mood: \"furious\" is none of: calm, angry, asleep" },
        { FILO_PROBLEM_DOES_NOT_FIT, "file.json:5:9: i8: 1000 does not fit into int8_t" },
        { FILO_PROBLEM_WRONG_KIND, "file.json:6:21: position.x: expected a number, found a string" },
        { FILO_PROBLEM_WRONG_KIND, "file.json:7:11: name: expected text in quotes, found a number" },
        { FILO_PROBLEM_REPEATED_FIELD, "file.json:8:14: mass: given more than once, the last one holds" },
        { FILO_PROBLEM_WRONG_KIND, "file.json:9:13: target: expected a whole number, found null" },
        { FILO_PROBLEM_DOES_NOT_FIT, "file.json:10:12: limbs: 3 elements, there is room for 2" },
    };
    assert_int_equal(problems.count, FILO_COUNT_OF(expected));
    for (size_t i = 0; i < FILO_COUNT_OF(expected); i++) {
        assert_string_equal(problems.messages[i], expected[i].message);
        assert_int_equal(problems.kinds[i], expected[i].kind);
    }
    assert_true(back.health == 150); // a value outside its range is stored
    assert_int_equal(back.mood, sample.mood);
    assert_int_equal(back.i8, sample.i8);
    assert_true(back.position.x == sample.position.x && back.position.y == 8);
    assert_true(back.mass == 3);
}

typedef struct Loudness {
    float music, plain;
    double exact;
    int32_t steps;
    uint8_t level;
    float levels[2];
} Loudness;

FILO_REFLECT(Loudness, FILO_FIELD(float, music, .min = 0, .max = 1, .flags = FILO_FIELD_CLAMPED),
             FILO_FIELD(float, plain, .min = 0, .max = 1),
             FILO_FIELD(double, exact, .min = -1, .max = 1, .flags = FILO_FIELD_CLAMPED),
             FILO_FIELD(int32_t, steps, .min = -3, .max = 3, .flags = FILO_FIELD_CLAMPED),
             FILO_FIELD(uint8_t, level, .min = 1, .max = 9, .flags = FILO_FIELD_CLAMPED),
             FILO_FIELD(float, levels, .min = 0, .max = 1, .flags = FILO_FIELD_CLAMPED))

FILO_TEST(a_field_that_says_so_is_clamped_to_its_range_on_reading) {
    Loudness loudness = { .music = 0.5f };
    problems.count = 0;
    FiloReadOptions options = { .problem = note_problem, .partial = true };
    FiloJsonReader reader;
    const char text[] = "{\"music\": 7, \"plain\": 7, \"exact\": -1.5, \"steps\": -4, \"level\": 10, "
                        "\"levels\": [-2, 0.25]}";
    filo_json_reader_init(&reader, text, strlen(text), "s");
    assert_ok(filo_reflect_read_json(FILO_TYPE(Loudness), &loudness, &reader, &options));
    assert_true(loudness.music == 1 && loudness.plain == 7 && loudness.exact == -1);
    assert_true(loudness.steps == -3 && loudness.level == 9);
    assert_true(loudness.levels[0] == 0 && loudness.levels[1] == 0.25f);
    assert_int_equal(problems.count, 6);
    assert_string_equal(problems.messages[0], "s:1:11: music: 7 is outside 0 … 1, becomes 1");
    assert_string_equal(problems.messages[1], "s:1:23: plain: 7 is outside 0 … 1");
    const char none[] = "{\"music\": \"nan\", \"steps\": 2}";
    loudness.music = 0.5f;
    filo_json_reader_init(&reader, none, strlen(none), "s");
    assert_ok(filo_reflect_read_json(FILO_TYPE(Loudness), &loudness, &reader, &options));
    assert_true(loudness.music == 0.5f && loudness.steps == 2);
    assert_int_equal(problems.count, 7);
    assert_string_equal(problems.messages[6], "s:1:11: music: nan is outside 0 … 1, keeps its value");
}

FILO_TEST(missing_fields_are_reported_unless_the_text_is_partial) {
    Creature back = creature_sample();
    assert_ok(read_creature(&back, "{\"limbs\": [{\"label\": \"x\"}], \"loot\": [9]}", false));
    bool found_nested = false, found_list = false, found_transient = false;
    for (int i = 0; i < problems.count; i++) {
        assert_int_equal(problems.kinds[i], FILO_PROBLEM_MISSING_FIELD);
        found_nested |= strstr(problems.messages[i], "limbs[0].joints: missing, keeps its value") != NULL;
        found_list |=
            strstr(problems.messages[i], "loot: 1 of 4 elements, the others keep their values") != NULL;
        found_transient |= strstr(problems.messages[i], "cache") != NULL;
    }
    assert_true(found_nested && found_list && !found_transient);
    assert_int_equal(back.loot[0], 9);
    assert_int_equal(back.loot[1], 2);
    assert_ok(read_creature(&back, "{}", true));
    assert_int_equal(problems.count, 0);
}

FILO_TEST(text_ends_at_a_zero_byte_which_is_reported) {
    Creature back = creature_sample();
    assert_ok(read_creature(&back, "{\"name\": \"ab\\u0000cd\"}", true));
    assert_int_equal(problems.count, 1);
    assert_contains(problems.messages[0], "name: the text has a zero byte in it, and ends there");
    assert_string_equal(back.name, "ab");
}

FILO_TEST(an_older_name_is_accepted) {
    Creature back = { 0 };
    assert_ok(read_creature(&back, "{\"life\": 12}", true));
    assert_int_equal(problems.count, 0);
    assert_true(back.health == 12);
}

FILO_TEST(text_that_is_not_json_changes_nothing) {
    Creature sample = creature_sample(), back = sample;
    assert_error(read_creature(&back, "{\"health\": 1, \"mass\": }", false), FILO_ERROR_DATA,
                 "file.json:1:23: expected a value");
    assert_memory_equal(&back, &sample, sizeof back);
    assert_error(read_creature(&back, "", false), FILO_ERROR_DATA, "the text ends here");
    assert_error(read_creature(&back, "{\"name\": \"\\u0000\xff\"}", false), FILO_ERROR_DATA, "not UTF-8");
    assert_memory_equal(&back, &sample, sizeof back);
}

FILO_TEST(reading_stops_after_one_value_so_that_streams_can_be_read) {
    FiloJsonReader reader;
    Point points[2] = { { 0 } };
    const char *text = "[{\"x\": 1, \"y\": 2}, {\"x\": 3, \"y\": 4}]";
    filo_json_reader_init(&reader, text, strlen(text), NULL);
    filo_json_next(&reader);
    for (int i = 0; i < 2; i++)
        assert_ok(filo_reflect_read_json(FILO_TYPE(Point), &points[i], &reader, NULL));
    assert_true(points[1].y == 4);
    assert_int_equal(filo_json_next(&reader).kind, FILO_JSON_ARRAY_END);
    assert_error(filo_reflect_read_json(FILO_TYPE(Point), &points[0], &reader, NULL), FILO_ERROR_DATA,
                 "expected a value, found the end of the text");
}

// ---- At run time --------------------------------------------------------------------------------------

FILO_TEST(a_type_made_at_run_time_is_laid_out_as_c_would) {
    typedef struct Same {
        uint8_t a;
        double b;
        Point c[3];
        char d[5];
    } Same;
    const FiloField fields[] = { { .name = "a", .type_function = filo_type_uint8_t },
                                 { .name = "b", .type = FILO_TYPE(double), .unit = "kg" },
                                 { .name = "c", .type = FILO_TYPE(Point), .count = 3 },
                                 { .name = "d", .type = FILO_TYPE(char), .count = 5 } };
    FiloHeap heap;
    filo_heap_init(&heap, "types", 0);
    const FiloType *type;
    assert_ok(filo_type_create(&type, "Same", fields, FILO_COUNT_OF(fields), &heap.allocator));
    assert_int_equal(type->size, sizeof(Same));
    assert_int_equal(type->align, _Alignof(Same));
    assert_int_equal(type->fields[1].offset, offsetof(Same, b));
    assert_int_equal(type->fields[2].offset, offsetof(Same, c));
    assert_int_equal(type->fields[3].offset, offsetof(Same, d));
    assert_string_equal(type->fields[1].unit, "kg");
    assert_ptr_not_equal(type->fields[1].unit, fields[1].unit);

    Same value = { .b = 2.5, .d = "hey" };
    FiloValue found;
    char text[256];
    assert_ok(filo_reflect_find(&found, type, &value, "c[2].y"));
    assert_ok(filo_reflect_parse(found, "7"));
    assert_true(value.c[2].y == 7);
    assert_ok(filo_reflect_find(&found, type, &value, ""));
    filo_reflect_print(found, text, sizeof text);
    assert_contains(text, "\"b\":2.5");
    filo_type_destroy(type, &heap.allocator);
    filo_heap_deinit(&heap);
}

FILO_TEST(a_bad_run_time_type_is_refused_by_name) {
    const FiloType *type;
    const FiloField twice[] = { { .name = "a", .type_function = filo_type_int },
                                { .name = "a", .type_function = filo_type_int } };
    assert_error(filo_type_create(&type, "T", twice, 2, NULL), FILO_ERROR_EXISTS,
                 "type T: two fields are called a");
    assert_null(type);
    const FiloField no_type[] = { { .name = "a" } };
    assert_error(filo_type_create(&type, "T", no_type, 1, NULL), FILO_ERROR_DATA,
                 "type T: field a has no type");
    const FiloField no_name[] = { { .name = "", .type_function = filo_type_int } };
    assert_error(filo_type_create(&type, "T", no_name, 1, NULL), FILO_ERROR_DATA,
                 "type T: field 0 has no name");
    const FiloField dotted[] = { { .name = "a.b", .type_function = filo_type_int } };
    assert_error(filo_type_create(&type, "T", dotted, 1, NULL), FILO_ERROR_DATA, "\"a.b\" has one of");
    const FiloField huge[] = { { .name = "a", .type_function = filo_type_int, .count = SIZE_MAX / 2 } };
    assert_error(filo_type_create(&type, "T", huge, 1, NULL), FILO_ERROR_LIMIT, "larger than 1 GiB");
    assert_error(filo_type_create(&type, "T", twice, 0, NULL), FILO_ERROR_LIMIT,
                 "give it 1 to 256 fields, not 0");
    FiloHeap heap;
    filo_heap_init(&heap, "types", 16);
    FiloResult result;
    expect_fault("types: cannot allocate", result = filo_type_create(&type, "T", twice, 1, &heap.allocator));
    assert_error(result, FILO_ERROR_MEMORY, "type T: no memory");
    filo_heap_deinit(&heap);
}
