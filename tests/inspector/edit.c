// Editors made from descriptions: every kind of field has a widget, and what it changes is what the description says.

#include "stage.h"

typedef enum Mood { MOOD_CALM = 2, MOOD_ANGRY = 5, MOOD_SAD = 9 } Mood;
FILO_REFLECT_ENUM(Mood, FILO_VALUE(MOOD_CALM, "calm"), FILO_VALUE(MOOD_ANGRY, "angry"),
                  FILO_VALUE(MOOD_SAD, "sad"))

typedef enum Skills { SKILL_FLY = 1, SKILL_SWIM = 2, SKILL_DIG = 8 } Skills;
FILO_REFLECT_FLAGS(Skills, FILO_VALUE(SKILL_FLY, "fly"), FILO_VALUE(SKILL_SWIM, "swim"),
                   FILO_VALUE(SKILL_DIG, "dig"))

typedef struct Part {
    float length;
    int8_t level;
} Part;
FILO_REFLECT(Part, FILO_FIELD(float, length, .min = 0, .max = 10), FILO_FIELD(int8_t, level))

typedef struct All {
    bool on;
    float ranged, plain;
    double precise;
    int32_t whole;
    uint8_t small;
    uint64_t huge;
    Mood mood;
    uint8_t mood_byte;
    Skills skills;
    char text[12];
    FiloName name;
    FiloColor color;
    FiloVec2 place;
    FiloVec3 space;
    FiloEntity target;
    Part part;
    uint16_t list[3];
    float many[100];
    int32_t fixed, hidden;
} All;
FILO_REFLECT(All, FILO_FIELD(_Bool, on), FILO_FIELD(float, ranged, .min = 0, .max = 100, .step = 5),
             FILO_FIELD(float, plain, .help = "without a range"), FILO_FIELD(double, precise, .unit = "m"),
             FILO_FIELD(int32_t, whole, .min = -10, .max = 10), FILO_FIELD(uint8_t, small),
             FILO_FIELD(uint64_t, huge), FILO_FIELD(Mood, mood),
             FILO_FIELD(uint8_t, mood_byte, .choices = filo_type_Mood), FILO_FIELD(Skills, skills),
             FILO_FIELD(char, text), FILO_FIELD(FiloName, name), FILO_FIELD(FiloColor, color),
             FILO_FIELD(FiloVec2, place), FILO_FIELD(FiloVec3, space), FILO_FIELD(FiloEntity, target),
             FILO_FIELD(Part, part), FILO_FIELD(uint16_t, list), FILO_FIELD(float, many),
             FILO_FIELD(int32_t, fixed, .flags = FILO_FIELD_READ_ONLY),
             FILO_FIELD(int32_t, hidden, .flags = FILO_FIELD_HIDDEN))

static All all;
static bool changed;

static void show_all(void) {
    const FiloUiWindow window = { .position = { 10, 10 }, .size = { 600, 880 } };
    if (filo_ui_begin_window(ui, "All", &window)) {
        InspectorEdit edit = { .ui = ui, .world = world, .inspector = inspector };
        inspector_edit_struct(&edit, FILO_TYPE(All), &all);
        changed = edit.any;
    }
    filo_ui_end(ui);
}

static void begin(void) {
    open_stage(NULL);
    show = show_all;
    all = (All){ .mood = MOOD_CALM, .mood_byte = MOOD_CALM, .fixed = 3 };
    frames(3);
}

static void end(void) {
    close_stage();
    show = NULL;
}

FILO_TEST(every_field_has_a_widget_but_for_hidden_ones) {
    begin();
    for (size_t i = 0; i < FILO_TYPE(All)->field_count; i++) {
        const FiloField *field = &FILO_TYPE(All)->fields[i];
        const bool is_tree = field->type_function == filo_type_Part || strcmp(field->name, "list") == 0 ||
                             strcmp(field->name, "many") == 0;
        if (!is_tree) assert_int_equal(is_shown(field->name), strcmp(field->name, "hidden") != 0);
    }
    assert_true(is_shown("part.length") && is_shown("list[2]")); // short ones are open
    assert_false(is_shown("many[0]"));
    assert_false(changed);
    end();
}

FILO_TEST(check_boxes_and_sliders_change_values_in_steps) {
    begin();
    click_at(at("on", 0.02f));
    assert_true(all.on);
    const FiloRect slider = rect_of("ranged");
    drag(filo_vec2(slider.min.x + 1, (slider.min.y + slider.max.y) / 2), at("ranged", 0.7f));
    assert_true(all.ranged > 20 && all.ranged <= 100);
    assert_true(filo_abs(all.ranged - 5 * filo_round(all.ranged / 5)) < 1e-4f);
    drag(at("whole", 0.5f), at("whole", 1));
    assert_int_equal(all.whole, 10);
    end();
}

FILO_TEST(typed_numbers_stay_within_their_type) {
    begin();
    enter("small", "300");
    assert_int_equal(all.small, 255);
    enter("precise", "0.1");
    assert_true(all.precise == 0.1);
    enter("plain", "-2.5");
    assert_true(all.plain == -2.5f);
    enter("huge", "9007199254740993"); // which no double holds
    assert_int_equal(all.huge, 9007199254740993);
    all.huge = UINT64_MAX - 1;
    frames(2);
    enter("huge", "18446744073709551615");
    assert_true(all.huge == UINT64_MAX);
    enter("huge", "many");
    assert_true(all.huge == UINT64_MAX);
    end();
}

FILO_TEST(texts_and_names_are_typed) {
    begin();
    enter("text", "a text that is too long");
    assert_int_equal(strlen(all.text), sizeof all.text - 1);
    enter("name", "ship");
    assert_int_equal(all.name.id, filo_name("ship").id);
    enter("name", "");
    assert_int_equal(all.name.id, 0);
    end();
}

FILO_TEST(enums_are_drop_downs_of_their_names) {
    begin();
    choose("mood", 1);
    assert_int_equal(all.mood, MOOD_ANGRY);
    all.mood = (Mood)77; // not one of them
    frames(2);
    assert_int_equal(all.mood, 77);
    choose("mood_byte", 2);
    assert_int_equal(all.mood_byte, MOOD_SAD);
    end();
}

FILO_TEST(flags_are_check_boxes_in_a_drop_down) {
    begin();
    all.skills = SKILL_SWIM | 64; // with a bit that has no name
    choose("skills", 0);
    choose("skills", 1);
    choose("skills", 2);
    assert_int_equal(all.skills, SKILL_FLY | SKILL_DIG | 64);
    end();
}

FILO_TEST(an_entity_is_picked_from_the_world) {
    begin();
    FiloEntity ship = filo_entity_create(world), boat = filo_entity_create(world);
    filo_entity_set_name(world, boat, "boat");
    click_at(at("target", 0.9f));
    frames(2);
    type("BOAT"); // the search has the focus
    frames(14);
    assert_int_equal(inspector->picker.rows.count, 1);
    click("boat");
    assert_true(filo_entity_equal(all.target, boat));
    filo_entity_destroy(world, boat);
    frames(3);
    assert_true(filo_entity_equal(all.target, boat)); // is shown as destroyed
    assert_true(filo_entity_exists(world, ship));
    end();
}

FILO_TEST(read_only_fields_do_not_change) {
    begin();
    enter("fixed", "8");
    assert_int_equal(all.fixed, 3);
    end();
}

FILO_TEST(a_program_edits_its_own_structs) {
    open_stage(NULL);
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    Part part = { .length = 4 };
    for (int i = 0; i < 3; i++) {
        filo_ui_begin_frame(ui, &(FiloUiFrame){ .width = 800, .height = 600 });
        if (filo_ui_begin_window(ui, "Part", NULL)) {
            assert_false(filo_inspector_edit(ui, FILO_TYPE(Part), &part, NULL));
            assert_false(filo_inspector_edit_field(ui, FILO_TYPE(Part), &part, "length", NULL));
            assert_false(filo_inspector_edit_field(ui, FILO_TYPE(Part), &part, "width", NULL)); // an error
        }
        filo_ui_end(ui);
        filo_ui_end_frame(ui);
    }
    assert_true(part.length == 4);
    close_stage();
}

FILO_TEST(misuse_of_editors_is_reported) {
    open_stage(NULL);
    Part part = { 0 };
    expect_fault("pass a UI, the description of a struct, and a value",
                 assert_false(filo_inspector_edit(NULL, FILO_TYPE(Part), &part, NULL)));
    expect_fault("pass a UI, the description of a struct, and a value",
                 assert_false(filo_inspector_edit(ui, FILO_TYPE(float), &part, NULL)));
    expect_fault("pass a UI, the description of a struct, a value and a path",
                 assert_false(filo_inspector_edit_field(ui, FILO_TYPE(Part), &part, NULL, NULL)));
    close_stage();
}
