// Tables of translations: keys, arguments, plural forms, several tables, files that change.

#include "text/fixture.h"

#include "support/warnings.h"

#include <math.h>

#define GERMAN                                                                                               \
    "{\"language\": \"de\", \"texts\": {\"hello\": \"Hallo, {name}!\", \"only\": \"nur\","                   \
    " \"coins\": {\"zero\": \"keine Münze\", \"one\": \"{count} Münze\", \"other\": \"{count} Münzen\"}}}"

static FiloTypesetter *open_german(void) {
    FiloTypesetter *setter = open_setter();
    assert_ok(filo_text_add_translations(setter, "de", filo_string(GERMAN)));
    return setter;
}

static const char *format(FiloTypesetter *setter, const char *key, const FiloTextArgument *arguments,
                          size_t count) {
    static char text[128];
    size_t length = filo_text_translate_format(setter, text, sizeof text, key, arguments, count);
    assert_int_equal(length, strlen(text));
    return text;
}

#define FORMAT(setter, key, ...)                                                                             \
    format(setter, key, (const FiloTextArgument[]){ __VA_ARGS__ },                                           \
           sizeof((const FiloTextArgument[]){ __VA_ARGS__ }) / sizeof(FiloTextArgument))

FILO_TEST(keys_become_texts) {
    FiloTypesetter *setter = open_german();
    assert_string_equal(filo_text_translate(setter, "only"), "nur");
    assert_string_equal(filo_text_translate(setter, "coins"), "{count} Münzen");
    expect_warning("no table of translations has \"missing\"",
                   assert_string_equal(filo_text_translate(setter, "missing"), "missing"));
    expect_no_warning(filo_text_translate(setter, "missing")); // once
    filo_typesetter_destroy(setter);
}

FILO_TEST(arguments_are_replaced_by_name_and_position) {
    FiloTypesetter *setter = open_german();
    assert_string_equal(FORMAT(setter, "hello", filo_text_string("name", "Ada")), "Hallo, Ada!");
    assert_string_equal(format(setter, "hello", NULL, 0), "Hallo, {name}!");
    assert_ok(filo_text_add_translations(
        setter, "x",
        FILO_STRING("{\"texts\": {\"p\": \"{1} {0} {{0}} {2} {\", \"n\": \"{0} {1} {2} {3}\"}}")));
    assert_string_equal(FORMAT(setter, "p", filo_text_string(NULL, "a"), filo_text_string(NULL, "b")),
                        "b a {0} {2} {");
    assert_string_equal(FORMAT(setter, "n", filo_text_number(NULL, 3), filo_text_number(NULL, -2.5),
                               filo_text_number(NULL, 1e15), filo_text_number(NULL, -0.0)),
                        "3 -2.5 1e+15 0");
    filo_typesetter_destroy(setter);
}

FILO_TEST(numbers_choose_the_form) {
    FiloTypesetter *setter = open_german();
    assert_string_equal(FORMAT(setter, "coins", filo_text_number("count", 1)), "1 Münze");
    assert_string_equal(FORMAT(setter, "coins", filo_text_number("count", 2)), "2 Münzen");
    assert_string_equal(FORMAT(setter, "coins", filo_text_number("count", 0)), "keine Münze");
    assert_string_equal(FORMAT(setter, "coins", filo_text_number("count", 1.5)), "1.5 Münzen");
    assert_ok(filo_text_add_translations(
        setter, "ru",
        FILO_STRING("{\"language\": \"ru\", \"texts\": {\"in\": {\"plural\": \"days\", \"one\": \"{days} "
                    "день\", \"few\": \"{days} дня\", \"many\": \"{days} дней\", \"other\": \"?\"}}}")));
    FiloTextArgument arguments[] = { filo_text_number("other", 1), filo_text_number("days", 21) };
    assert_string_equal(format(setter, "in", arguments, 2), "21 день");
    arguments[1].number = 3;
    assert_string_equal(format(setter, "in", arguments, 2), "3 дня");
    arguments[1].number = 12;
    assert_string_equal(format(setter, "in", arguments, 2), "12 дней");
    filo_typesetter_destroy(setter);
}

FILO_TEST(plural_forms_follow_the_rules_of_languages) {
    const struct {
        const char *language;
        double number;
        TextPlural form;
    } cases[] = {
        { "en", 1, TEXT_PLURAL_ONE },     { "en", 0, TEXT_PLURAL_OTHER },
        { "fr", 0, TEXT_PLURAL_ONE },     { "fr", 1.5, TEXT_PLURAL_ONE },
        { "ja", 1, TEXT_PLURAL_OTHER },   { "pl", 22, TEXT_PLURAL_FEW },
        { "pl", 12, TEXT_PLURAL_MANY },   { "pl", 21, TEXT_PLURAL_MANY },
        { "ru", 21, TEXT_PLURAL_ONE },    { "ru", 11, TEXT_PLURAL_MANY },
        { "cs", 4, TEXT_PLURAL_FEW },     { "cs", 5, TEXT_PLURAL_OTHER },
        { "ar", 0, TEXT_PLURAL_ZERO },    { "ar", 2, TEXT_PLURAL_TWO },
        { "ar", 103, TEXT_PLURAL_FEW },   { "ar", 11, TEXT_PLURAL_MANY },
        { "ar", 100, TEXT_PLURAL_OTHER }, { "sl", 102, TEXT_PLURAL_TWO },
        { "lt", 21, TEXT_PLURAL_ONE },    { "lt", 11, TEXT_PLURAL_OTHER },
        { "lv", 10, TEXT_PLURAL_ZERO },   { "ro", 19, TEXT_PLURAL_FEW },
        { "ro", 20, TEXT_PLURAL_OTHER },  { "he", 2, TEXT_PLURAL_TWO },
        { "ga", 7, TEXT_PLURAL_MANY },    { "cy", 3, TEXT_PLURAL_FEW },
        { "pt-BR", 0, TEXT_PLURAL_ONE },  { "pt-PT", 0, TEXT_PLURAL_OTHER },
        { "sr_RS", 3, TEXT_PLURAL_FEW },  { "", 1, TEXT_PLURAL_ONE },
        { "fry", 0, TEXT_PLURAL_OTHER },  { "en", (double)NAN, TEXT_PLURAL_OTHER },
        { "ru", -1, TEXT_PLURAL_ONE },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++)
        if (text_plural_form(cases[i].language, cases[i].number) != cases[i].form)
            fail_msg("%s %g", cases[i].language, cases[i].number);
}

FILO_TEST(later_tables_are_asked_first) {
    FiloTypesetter *setter = open_german();
    uint32_t version = filo_text_translations_version(setter);
    assert_ok(filo_text_add_translations(setter, "it", FILO_STRING("{\"texts\": {\"hello\": \"Ciao\"}}")));
    assert_true(filo_text_translations_version(setter) > version);
    assert_string_equal(filo_text_translate(setter, "hello"), "Ciao");
    assert_string_equal(filo_text_translate(setter, "only"), "nur");
    assert_ok(filo_text_add_translations(setter, "de", filo_string(GERMAN))); // again: now it is the last one
    assert_string_equal(filo_text_translate(setter, "hello"), "Hallo, {name}!");
    filo_text_clear_translations(setter);
    assert_string_equal(filo_text_translate(setter, "hello"), "hello");
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_text_that_does_not_fit_is_cut_between_characters) {
    FiloTypesetter *setter = open_german();
    char text[5];
    FiloTextArgument count = filo_text_number("count", 1);
    assert_int_equal(filo_text_translate_format(setter, text, sizeof text, "coins", &count, 1),
                     strlen("1 Münze"));
    assert_string_equal(text, "1 M");
    assert_int_equal(filo_text_translate_format(setter, NULL, 0, "coins", &count, 1), strlen("1 Münze"));
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_wrong_table_is_refused_with_its_place) {
    FiloTypesetter *setter = open_german();
    const struct {
        const char *json, *message;
    } wrong[] = {
        { "", "de:1:1: " },
        { "[]", "de:1:1: a table of translations is an object" },
        { "{}", "de: a table of translations has \"texts\"" },
        { "{\"texts\": []}", "de:1:11: texts must be an object" },
        { "{\"texts\": {\"a\": 1}}", "de:1:17: expected a text, or an object of its plural forms" },
        { "{\"texts\": {\"a\": {\"one\": \"x\"}}}", "de:1:17: a text needs the form other" },
        { "{\"texts\": {\"a\": {\"some\": \"x\"}}}",
          "de:1:18: a text has zero, one, two, few, many, other and plural" },
        { "{\"texts\": {\"a\": {\"one\": 3}}}", "de:1:25: expected a string, not a number" },
        { "{\"language\": 3, \"texts\": {}}", "de:1:14: language must be a string" },
        { "{\"texts\": {\"a\": \"x\", \"b\": \"y\", \"a\": \"z\"}}", "de:1:32: \"a\" is there twice" },
        { "{\"texts\": {\"a\": {\"other\": \"x\", \"other\": \"y\"}}}", "de:1:32: \"other\" is there twice" },
        { "{\"texts\": {}, \"texts\": {}}", "de:1:15: \"texts\" is there twice" },
        { "{\"language\": \"de\", \"language\": \"pl\", \"texts\": {}}",
          "de:1:20: \"language\" is there twice" },
        { "{\"texts\": {}} x", "de:1:15: " },
        { "{\"texts\": {\"a\"", "de:1:" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(wrong); i++)
        assert_error(filo_text_add_translations(setter, "de", filo_string(wrong[i].json)), FILO_ERROR_DATA,
                     wrong[i].message);
    assert_string_equal(filo_text_translate(setter, "only"), "nur"); // the last good one stays
    filo_typesetter_destroy(setter);
}

FILO_TEST(there_is_a_limit_of_16_tables) {
    FiloTypesetter *setter = open_setter();
    for (int i = 0; i < 17; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        FiloResult r = filo_text_add_translations(setter, name, FILO_STRING("{\"texts\": {}}"));
        if (i < 16)
            assert_ok(r);
        else
            assert_error(r, FILO_ERROR_LIMIT, "16: 16 tables of translations are in use already");
    }
    filo_typesetter_destroy(setter);
}
