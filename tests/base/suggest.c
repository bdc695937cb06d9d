// The nearest name, and reporting once.

#include "base/suggest.h"

#include "support/test.h"

#include <filo/files.h>
#include <filo/threads.h>

static const char *const candidates[] = { "fire", "move left", "move right", "jump", "quicksave" };

// What is printed about a name.
static const char *suggestion_for(const char *wanted) {
    static char text[BASE_SUGGEST_SIZE];
    BaseSuggestion suggestion = base_suggest(filo_string(wanted));
    for (size_t i = 0; i < FILO_COUNT_OF(candidates); i++)
        (void)base_suggest_offer(&suggestion, filo_string(candidates[i]));
    return base_suggest_print(&suggestion, text);
}

FILO_TEST(a_typing_error_leads_to_the_nearest_name) {
    assert_string_equal(suggestion_for("fier"), ": did you mean \"fire\"?");
    assert_string_equal(suggestion_for("Jump"), ": did you mean \"jump\"?");
    assert_string_equal(suggestion_for("move lfet"), ": did you mean \"move left\"?");
    assert_string_equal(suggestion_for("qick save"), ": did you mean \"quicksave\"?");
}

FILO_TEST(the_nearest_name_wins_and_of_equals_the_first) {
    assert_string_equal(suggestion_for("move rihgt"), ": did you mean \"move right\"?");
    BaseSuggestion suggestion = base_suggest(FILO_STRING("cat"));
    assert_true(base_suggest_offer(&suggestion, FILO_STRING("bat")));
    assert_false(base_suggest_offer(&suggestion, FILO_STRING("rat")));
    assert_true(filo_string_equal(suggestion.best, FILO_STRING("bat")));
}

FILO_TEST(the_beginning_of_a_name_is_as_near_as_one_error) {
    assert_string_equal(suggestion_for("quick"), ": did you mean \"quicksave\"?");
    assert_string_equal(suggestion_for("qu"), "");
}

FILO_TEST(nothing_is_suggested_if_no_name_is_near) {
    assert_string_equal(suggestion_for("inventory"), "");
    assert_string_equal(suggestion_for("f"), "");
    assert_string_equal(suggestion_for(""), "");
    BaseSuggestion suggestion = base_suggest(FILO_STRING("ab"));
    assert_false(base_suggest_offer(&suggestion, FILO_STRING("")));
    char longer[200];
    memset(longer, 'x', sizeof longer);
    suggestion = base_suggest(filo_string_from(longer, sizeof longer));
    assert_false(base_suggest_offer(&suggestion, filo_string_from(longer, sizeof longer - 1)));
}

FILO_TEST(the_nearest_file_is_found_in_the_folder_and_below) {
    char text[BASE_SUGGEST_SIZE];
    const char *folder = filo_test_folder();
    assert_ok(filo_file_write(filo_test_path("gold.material"), "", 0, NULL));
    assert_ok(filo_file_write(filo_test_path("golden.png"), "", 0, NULL));
    assert_ok(filo_folder_make(filo_test_path("ships")));
    assert_ok(filo_file_write(filo_test_path("ships/hull.png"), "", 0, NULL));
    assert_string_equal(base_suggest_file(folder, "golld", ".material", text),
                        ": did you mean \"gold.material\"?");
    assert_string_equal(base_suggest_file(folder, "golld.material", ".material", text),
                        ": did you mean \"gold.material\"?");
    assert_string_equal(base_suggest_file(folder, "golllden.png", "", text),
                        ": did you mean \"golden.png\"?");
    assert_string_equal(base_suggest_file(folder, "hull.png", "", text),
                        ": did you mean \"ships/hull.png\"?");
    assert_string_equal(base_suggest_file(folder, "steel", ".material", text), "");
    assert_string_equal(base_suggest_file("no such folder", "golld", "", text), "");
}

FILO_TEST(the_first_time_is_true_once_for_each_context_and_name) {
    assert_true(base_first_time("action", FILO_STRING("fire")));
    assert_false(base_first_time("action", FILO_STRING("fire")));
    assert_true(base_first_time("action", FILO_STRING("fires")));
    assert_true(base_first_time("clip", FILO_STRING("fire")));
}

static int firsts;

static void call_first_time(void *data) {
    FILO_UNUSED(data);
    for (int i = 0; i < 500; i++) {
        char text[16];
        int length = snprintf(text, sizeof text, "%d", i);
        if (base_first_time("threads", filo_string_from(text, (size_t)length)))
            __atomic_add_fetch(&firsts, 1, __ATOMIC_RELAXED);
    }
}

FILO_TEST(the_first_time_is_true_on_one_of_several_threads) {
    FiloThread threads[4];
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++)
        assert_ok(filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = call_first_time }));
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) filo_thread_join(&threads[i]);
    assert_int_equal(firsts, 500);
}

// The last test: afterwards the table is full.
FILO_TEST(what_does_not_fit_into_the_table_counts_as_reported) {
    size_t first = 0;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 20000; i++) {
            char text[16];
            int length = snprintf(text, sizeof text, "%d", i);
            first += base_first_time("full", filo_string_from(text, (size_t)length));
        }
    assert_in_range(first, 1000, 4096);
}
