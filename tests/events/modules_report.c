// What modules report: numbers for statistics, lines and panels for the debug view.

#include "events/modules_fixture.h"

// ---- Numbers ------------------------------------------------------------------------------------------------

static void count_drops(FiloStats *stats, void *user) {
    filo_stats_count(stats, "drops", *(uint64_t *)user);
    filo_stats_number(stats, "wind_ms", 1.5);
    filo_stats_text(stats, "sky", "grey");
}

static void log_stat(const FiloStat *stat, void *user) {
    FILO_UNUSED(user);
    if (stat->text != NULL)
        log_add(&history, "%s.%s=%s ", stat->module, stat->name, stat->text);
    else
        log_add(&history, stat->whole ? "%s.%s=%.0f " : "%s.%s=%g ", stat->module, stat->name, stat->number);
}

FILO_TEST(numbers_of_all_modules_are_reported_with_their_module) {
    FiloModules *modules = create();
    uint64_t drops = 1000000;
    add(modules, (FiloModuleDesc){ .name = "weather", .user = &drops, .stats = count_drops });
    filo_modules_stats(modules, log_stat, NULL);
    expect_log(&history, ""); // not loaded
    load_all(modules);
    filo_modules_stats(modules, log_stat, NULL);
    expect_log(&history, "weather.drops=1000000 weather.wind_ms=1.5 weather.sky=grey ");
    double value = 0;
    assert_true(filo_modules_stat(modules, "drops", &value) && value == 1e6);
    assert_false(filo_modules_stat(modules, "sky", &value)); // a text
    assert_false(filo_modules_stat(modules, "hail", &value));
    add(modules, (FiloModuleDesc){ .name = "storm", .user = &drops, .stats = count_drops });
    load_all(modules);
    expect_faults(3, "module \"storm\": there is a number \"drops\" already",
                  filo_modules_stats(modules, log_stat, NULL));
    expect_log(&history, "weather.drops=1000000 weather.wind_ms=1.5 weather.sky=grey ");
    filo_modules_destroy(modules);
}

static void count_badly(FiloStats *stats, void *user) { filo_stats_number(stats, user, 1); }

static void count_many(FiloStats *stats, void *user) {
    for (int i = 0; i < *(int *)user; i++) {
        char name[16];
        snprintf(name, sizeof name, "n_%d", i);
        filo_stats_number(stats, name, i);
    }
}

FILO_TEST(numbers_with_a_bad_name_or_too_many_are_caught) {
    const char *bad[] = { "", "Drops", "wind speed", "a\"b" };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        FiloModules *modules = create();
        add(modules,
            (FiloModuleDesc){ .name = "m", .user = (void *)(uintptr_t)bad[i], .stats = count_badly });
        load_all(modules);
        expect_fault("module \"m\": name a number with lower case letters, digits and _",
                     filo_modules_stats(modules, log_stat, NULL));
        filo_modules_destroy(modules);
    }
    FiloModules *modules = create();
    int count = 257;
    add(modules, (FiloModuleDesc){ .name = "m", .user = &count, .stats = count_many });
    load_all(modules);
    double value;
    expect_fault("module \"m\": there are 256 numbers already",
                 assert_true(filo_modules_stat(modules, "n_255", &value)));
    filo_modules_destroy(modules);
}

// ---- Lines --------------------------------------------------------------------------------------------------

static void describe(FiloLines *lines, void *user) {
    filo_lines_title(lines, "%s", (const char *)user);
    for (int i = 0; i < 3; i++) filo_lines_add(lines, "line %d", i);
}

FILO_TEST(lines_of_all_modules_are_collected_and_what_does_not_fit_is_counted) {
    FiloModules *modules = create();
    add(modules, (FiloModuleDesc){ .name = "a", .user = "A", .debug = describe });
    add(modules, (FiloModuleDesc){ .name = "b", .user = "B", .problems = describe });
    add(modules, (FiloModuleDesc){ .name = "c", .user = "C", .debug = describe });
    load_all(modules);
    FiloLine items[6];
    FiloLines page = { .items = items, .capacity = 6 };
    filo_modules_debug(modules, &page);
    assert_int_equal(page.count, 6);
    assert_int_equal(page.left_out, 2);
    assert_true(items[0].title && items[4].title && !items[5].title);
    assert_string_equal(items[0].text, "A");
    assert_string_equal(items[3].text, "line 2");
    assert_string_equal(items[4].text, "C");
    page = (FiloLines){ .items = items, .capacity = 6 };
    filo_modules_problems(modules, &page);
    assert_int_equal(page.count, 4);
    assert_string_equal(items[0].text, "B");
    filo_modules_destroy(modules);
}

static int panel_calls;
static void show_panel(struct FiloUi *ui, void *user) { panel_calls += ui != NULL && *(char *)user == 'A'; }

FILO_TEST(one_module_has_its_lines_and_its_panel) {
    FiloModules *modules = create();
    add(modules, (FiloModuleDesc){ .name = "a", .user = "A", .debug = describe, .panel = show_panel });
    add(modules, (FiloModuleDesc){ .name = "b", .user = "B" });
    struct FiloUi *ui = (struct FiloUi *)&panel_calls;       // any address
    assert_false(filo_modules_debug_of(modules, "a", NULL)); // it is not loaded yet
    assert_false(filo_modules_panel_of(modules, "a", ui));
    load_all(modules);
    FiloLine items[6];
    FiloLines page = { .items = items, .capacity = 6 };
    assert_true(filo_modules_debug_of(modules, "a", NULL));
    assert_true(filo_modules_debug_of(modules, "a", &page));
    assert_int_equal(page.count, 4);
    assert_true(filo_modules_panel_of(modules, "a", NULL));
    assert_int_equal(panel_calls, 0);
    assert_true(filo_modules_panel_of(modules, "a", ui));
    assert_int_equal(panel_calls, 1);
    assert_false(filo_modules_debug_of(modules, "b", &page));
    assert_false(filo_modules_panel_of(modules, "b", ui));
    assert_false(filo_modules_panel_of(modules, "nothing", ui));
    assert_false(filo_modules_panel_of(modules, NULL, ui));
    filo_modules_destroy(modules);
}

FILO_TEST(a_line_that_is_too_long_is_cut_between_characters) {
    FiloLine items[8];
    FiloLines page = { .items = items, .capacity = 8, .letters = 10 };
    filo_lines_add(&page, "%s", "0123456789");
    filo_lines_add(&page, "%s", "0123456789a");
    filo_lines_add(&page, "%s", "öäüöäüöäüö");
    filo_lines_add(&page, "%s", "öäüöäüöäüöä");
    filo_lines_add(&page, "one\ntwo");
    filo_lines_add(&page, "%s", "");
    assert_string_equal(items[0].text, "0123456789");
    assert_string_equal(items[1].text, "0123456...");
    assert_string_equal(items[2].text, "öäüöäüöäüö");
    assert_string_equal(items[3].text, "öäüöäüö...");
    assert_string_equal(items[4].text, "one...");
    assert_string_equal(items[5].text, "");
    // Without a limit of characters, the bytes are limited. A character of several bytes is never cut.
    char text[3 * FILO_LINE_BYTES] = "";
    for (int i = 0; i < FILO_LINE_BYTES; i++) strcat(text, "ü");
    for (int shift = 0; shift < 2; shift++) {
        page = (FiloLines){ .items = items, .capacity = 8 };
        filo_lines_add(&page, "%s%s", shift == 0 ? "" : "x", text);
        size_t length = strlen(items[0].text);
        assert_in_range(length, FILO_LINE_BYTES - 3, FILO_LINE_BYTES - 1);
        assert_string_equal(items[0].text + length - 3, "...");
        assert_true(filo_utf8_valid(filo_string(items[0].text)));
    }
    text[FILO_LINE_BYTES - 2] = '\0'; // the longest that fits: 254 bytes
    page = (FiloLines){ .items = items, .capacity = 8 };
    filo_lines_add(&page, "%sx", text);
    assert_int_equal(strlen(items[0].text), FILO_LINE_BYTES - 1);
    assert_true(items[0].text[FILO_LINE_BYTES - 2] == 'x');
}
