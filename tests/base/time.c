#include <filo/time.h>

#include "support/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

// Central European time, by rule, so that no time zone files are needed.
static void use_zone(const char *zone) {
    setenv("TZ", zone, 1);
    tzset();
}
#define BERLIN "CET-1CEST,M3.5.0,M10.5.0/3"

static void assert_date(const FiloDate *date, int year, int month, int day, int hour, int minute,
                        int second) {
    char text[FILO_DATE_SIZE], expected[96];
    filo_date_print(date, text, sizeof text);
    snprintf(expected, sizeof expected, "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, hour, minute,
             second);
    if (strncmp(text, expected, strlen(expected)) != 0) fail_msg("got %s, not %s", text, expected);
}

static FiloDate parsed(const char *text) {
    FiloDate date = { 0 };
    assert_ok(filo_date_parse(&date, text));
    return date;
}

static int64_t ns_of(const char *text) {
    FiloDate date = parsed(text);
    int64_t ns = 0;
    assert_ok(filo_date_to_ns(&date, &ns));
    return ns;
}

static void assert_prints(const FiloDate *date, const char *expected) {
    char text[FILO_DATE_SIZE];
    assert_int_equal(filo_date_print(date, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
}

// ---- Clocks and sleeping ------------------------------------------------------------------------------

FILO_TEST(the_clock_never_goes_back) {
    int64_t last = filo_time_ns();
    for (int i = 0; i < 100000; i++) {
        int64_t now = filo_time_ns();
        assert_true(now >= last);
        last = now;
    }
}

FILO_TEST(the_calendar_agrees_with_the_systems) {
    time_t before = time(NULL);
    int64_t seconds = filo_calendar_ns() / FILO_SECOND;
    time_t after = time(NULL);
    assert_true(seconds >= before - 1 && seconds <= after + 1);
}

FILO_TEST(a_sleep_never_ends_early) {
    for (int i = 0; i < 40; i++) {
        int64_t duration = 37 * FILO_MICROSECOND * i, begin = filo_time_ns(); // below and above the spinning
        filo_sleep_ns(duration);
        assert_true(filo_time_ns() - begin >= duration);
        int64_t moment = filo_time_ns() + duration;
        filo_sleep_until_ns(moment);
        assert_true(filo_time_ns() >= moment);
    }
}

FILO_TEST(a_moment_that_has_passed_does_not_wait) {
    // Were any of these to sleep, it would be for years.
    filo_sleep_until_ns(0);
    filo_sleep_until_ns(-1);
    filo_sleep_until_ns(INT64_MIN);
    filo_sleep_until_ns(filo_time_ns());
    filo_sleep_ns(0);
    filo_sleep_ns(-FILO_SECOND);
    filo_sleep_ns(INT64_MIN);
}

static void on_signal(int number) { FILO_UNUSED(number); }

static void *disturb(void *sleeper) {
    for (int i = 0; i < 20; i++) {
        struct timespec pause = { 0, 1000000 };
        nanosleep(&pause, NULL);
        pthread_kill(*(pthread_t *)sleeper, SIGUSR1);
    }
    return NULL;
}

FILO_TEST(a_signal_does_not_interrupt_a_sleep) {
    struct sigaction action = { .sa_handler = on_signal }; // without SA_RESTART
    sigaction(SIGUSR1, &action, NULL);
    pthread_t self = pthread_self(), thread;
    assert_int_equal(pthread_create(&thread, NULL, disturb, &self), 0);
    int64_t begin = filo_time_ns();
    filo_sleep_ns(15 * FILO_MILLISECOND);
    assert_true(filo_time_ns() - begin >= 15 * FILO_MILLISECOND);
    pthread_join(thread, NULL);
}

// ---- Moments to dates ---------------------------------------------------------------------------------

FILO_TEST(well_known_moments_have_their_dates) {
    FiloDate date = filo_date_utc(0);
    assert_date(&date, 1970, 1, 1, 0, 0, 0);
    assert_int_equal(date.weekday, 4);
    date = filo_date_utc(INT64_C(2147483647) * FILO_SECOND);
    assert_date(&date, 2038, 1, 19, 3, 14, 7);
    assert_int_equal(date.weekday, 2);
    date = filo_date_utc(INT64_C(2147483648) * FILO_SECOND);
    assert_date(&date, 2038, 1, 19, 3, 14, 8);
    date = filo_date_utc(INT64_C(951782400) * FILO_SECOND);
    assert_date(&date, 2000, 2, 29, 0, 0, 0);
    date = filo_date_utc(INT64_C(4107542400) * FILO_SECOND);
    assert_date(&date, 2100, 3, 1, 0, 0, 0); // the day after 28 February
    date = filo_date_utc((INT64_C(4107542400)) * FILO_SECOND - 1);
    assert_date(&date, 2100, 2, 28, 23, 59, 59);
}

FILO_TEST(times_before_1970_count_backwards) {
    FiloDate date = filo_date_utc(-1);
    assert_date(&date, 1969, 12, 31, 23, 59, 59);
    assert_int_equal(date.nanosecond, 999999999);
    assert_int_equal(date.weekday, 3);
    date = filo_date_utc(-FILO_SECOND);
    assert_date(&date, 1969, 12, 31, 23, 59, 59);
    assert_int_equal(date.nanosecond, 0);
    date = filo_date_utc(-86400 * FILO_SECOND);
    assert_date(&date, 1969, 12, 31, 0, 0, 0);
}

FILO_TEST(the_ends_of_the_range_come_back) {
    static const int64_t ends[] = { INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX };
    for (size_t i = 0; i < FILO_COUNT_OF(ends); i++) {
        FiloDate date = filo_date_utc(ends[i]);
        int64_t ns = 0;
        assert_ok(filo_date_to_ns(&date, &ns));
        assert_int_equal(ns, ends[i]);
    }
    FiloDate first = filo_date_utc(INT64_MIN), last = filo_date_utc(INT64_MAX);
    assert_prints(&first, "1677-09-21T00:12:43.145224192Z");
    assert_prints(&last, "2262-04-11T23:47:16.854775807Z");
}

FILO_TEST(every_day_of_the_range_agrees_with_the_c_library) {
    for (int64_t seconds = -9223372036; seconds <= 9223372036; seconds += 86399) {
        time_t moment = (time_t)seconds;
        struct tm tm;
        gmtime_r(&moment, &tm);
        FiloDate date = filo_date_utc(seconds * FILO_SECOND);
        int weekday = tm.tm_wday == 0 ? 7 : tm.tm_wday;
        if (date.year != tm.tm_year + 1900 || date.month != tm.tm_mon + 1 || date.day != tm.tm_mday ||
            date.hour != tm.tm_hour || date.minute != tm.tm_min || date.second != tm.tm_sec ||
            date.weekday != weekday)
            fail_msg("%lld: %d-%d-%d", (long long)seconds, date.year, date.month, date.day);
        int64_t ns = 0;
        assert_ok(filo_date_to_ns(&date, &ns));
        assert_int_equal(ns, seconds * FILO_SECOND);
    }
}

FILO_TEST(dates_from_year_0_to_9999_survive_print_and_parse) {
    // 0000-01-01 is 719528 days before 1970, 9999-12-31 is 2932896 after.
    for (int64_t day = -719528; day <= 2932896; day += 37) {
        time_t moment = (time_t)(day * 86400 + 45296);
        struct tm tm;
        gmtime_r(&moment, &tm);
        char text[96], again[FILO_DATE_SIZE];
        snprintf(text, sizeof text, "%04d-%02d-%02dT12:34:56Z", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
        FiloDate date = parsed(text);
        assert_int_equal(date.weekday, tm.tm_wday == 0 ? 7 : tm.tm_wday);
        filo_date_print(&date, again, sizeof again);
        assert_string_equal(again, text);
    }
}

// ---- Dates to moments ---------------------------------------------------------------------------------

FILO_TEST(leap_years_follow_the_rule_of_four_hundred) {
    static const char *const leap[] = { "2024-02-29", "2000-02-29", "1600-02-29", "0000-02-29",
                                        "2400-02-29" };
    static const char *const common[] = { "2023-02-29", "1900-02-29", "2100-02-29", "0001-02-29",
                                          "2024-02-30" };
    FiloDate date;
    for (size_t i = 0; i < FILO_COUNT_OF(leap); i++) assert_ok(filo_date_parse(&date, leap[i]));
    for (size_t i = 0; i < FILO_COUNT_OF(common); i++)
        assert_error(filo_date_parse(&date, common[i]), FILO_ERROR_DATA, "that month has fewer days");
    assert_int_equal(ns_of("2024-03-01T00:00Z") - ns_of("2024-02-28T00:00Z"), 172800 * FILO_SECOND);
    assert_int_equal(ns_of("2100-03-01T00:00Z") - ns_of("2100-02-28T00:00Z"), 86400 * FILO_SECOND);
}

FILO_TEST(the_year_1_is_a_date_but_has_no_nanoseconds) {
    FiloDate date = parsed("0001-01-01T00:00:00Z");
    assert_int_equal(date.weekday, 1); // a Monday
    assert_prints(&date, "0001-01-01T00:00:00Z");
    int64_t ns = 77;
    assert_error(filo_date_to_ns(&date, &ns), FILO_ERROR_LIMIT, "0001-01-01: nanoseconds reach only");
    date = parsed("2262-04-11T23:47:16.854775808Z");
    assert_error(filo_date_to_ns(&date, &ns), FILO_ERROR_LIMIT, "2262-04-11");
    date = parsed("1677-09-21T00:12:43.145224191Z");
    assert_error(filo_date_to_ns(&date, &ns), FILO_ERROR_LIMIT, "1677-09-21");
    assert_int_equal(ns, 77);
}

FILO_TEST(the_offset_moves_the_moment_not_the_fields) {
    assert_int_equal(ns_of("2024-02-29T14:30:00+02:00"), ns_of("2024-02-29T12:30:00Z"));
    assert_int_equal(ns_of("2024-02-29T00:15:00-05:30"), ns_of("2024-02-29T05:45:00Z"));
    assert_int_equal(ns_of("1970-01-01T00:30:00+01:00"), -1800 * FILO_SECOND);
    FiloDate date = parsed("2024-02-29T14:30:00+02:00");
    assert_int_equal(date.hour, 14);
    assert_int_equal(date.utc_offset_s, 7200);
    assert_int_equal(date.weekday, 4);
}

FILO_TEST(a_date_is_checked_field_by_field) {
    const FiloDate valid = { .year = 2024, .month = 2, .day = 29 };
    int64_t ns = 5;
    assert_ok(filo_date_to_ns(&valid, &ns)); // the weekday is ignored
    assert_int_equal(ns, INT64_C(1709164800) * FILO_SECOND);
    struct {
        FiloDate date;
        const char *fault;
    } cases[] = {
        { valid, "the year must be" },   { valid, "the year must be" },
        { valid, "the month must be" },  { valid, "the month must be" },
        { valid, "the day must be" },    { valid, "the day must be" },
        { valid, "the hour must be" },   { valid, "the minute must be" },
        { valid, "no leap seconds" },    { valid, "the nanosecond must" },
        { valid, "the offset must be" }, { valid, "that month has fewer days" },
    };
    cases[0].date.year = -1;
    cases[1].date.year = 10000;
    cases[2].date.month = 0;
    cases[3].date.month = 13;
    cases[4].date.day = 0;
    cases[5].date.day = 32;
    cases[6].date.hour = 24;
    cases[7].date.minute = -1;
    cases[8].date.second = 60;
    cases[9].date.nanosecond = 1000000000;
    cases[10].date.utc_offset_s = 86400;
    cases[11].date.day = 30;
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        ns = 5;
        assert_error(filo_date_to_ns(&cases[i].date, &ns), FILO_ERROR_DATA, cases[i].fault);
        assert_int_equal(ns, 5);
        char text[FILO_DATE_SIZE] = "before";
        expect_fault(cases[i].fault, assert_int_equal(filo_date_print(&cases[i].date, text, sizeof text), 0));
        assert_string_equal(text, "");
    }
}

// ---- Local time ---------------------------------------------------------------------------------------

FILO_TEST(local_time_has_the_offset_of_its_season) {
    use_zone(BERLIN);
    FiloDate winter = filo_date_local(ns_of("2024-01-15T12:00:00Z"));
    FiloDate summer = filo_date_local(ns_of("2024-07-15T22:30:00.5Z"));
    assert_prints(&winter, "2024-01-15T13:00:00+01:00");
    assert_prints(&summer, "2024-07-16T00:30:00.500+02:00");
    assert_int_equal(winter.weekday, 1);
    assert_int_equal(summer.weekday, 2); // it is already tomorrow there
    int64_t ns = 0;
    assert_ok(filo_date_to_ns(&summer, &ns));
    assert_int_equal(ns, ns_of("2024-07-15T22:30:00.5Z"));
}

FILO_TEST(local_time_before_1970_and_west_of_utc) {
    use_zone("XXX+03:30");
    FiloDate date = filo_date_local(-1);
    assert_prints(&date, "1969-12-31T20:29:59.999999999-03:30");
    int64_t ns = 0;
    assert_ok(filo_date_to_ns(&date, &ns));
    assert_int_equal(ns, -1);
}

FILO_TEST(every_local_hour_of_a_year_comes_back) {
    use_zone(BERLIN);
    int64_t begin = ns_of("2024-01-01T00:30:00Z"), previous = 0;
    for (int hour = 0; hour < 366 * 24; hour++) {
        int64_t ns = begin + 3600 * FILO_SECOND * hour, back = 0;
        FiloDate date = filo_date_local(ns), by_hand = date;
        assert_ok(filo_date_to_ns(&date, &back));
        assert_int_equal(back, ns);
        by_hand.utc_offset_s = 12345;
        by_hand.weekday = 0;
        assert_ok(filo_date_set_local(&by_hand));
        assert_ok(filo_date_to_ns(&by_hand, &back));
        // The hour that comes twice is the first of the two.
        assert_true(back == ns || (back == previous && date.month == 10));
        assert_int_equal(by_hand.weekday, date.weekday);
        previous = ns;
    }
}

FILO_TEST(a_local_time_that_occurs_twice_is_the_first) {
    use_zone(BERLIN);
    FiloDate date = parsed("2024-10-27T02:30:00");
    assert_prints(&date, "2024-10-27T02:30:00+02:00");
    date = parsed("2024-10-27T03:00:00");
    assert_prints(&date, "2024-10-27T03:00:00+01:00");
}

FILO_TEST(a_local_time_that_is_skipped_has_the_offset_from_before) {
    use_zone(BERLIN);
    FiloDate date = parsed("2024-03-31T02:30:00");
    assert_prints(&date, "2024-03-31T02:30:00+01:00");
    int64_t ns = 0;
    assert_ok(filo_date_to_ns(&date, &ns));
    FiloDate shown = filo_date_local(ns);
    assert_prints(&shown, "2024-03-31T03:30:00+02:00");
    date = parsed("2024-03-31T03:00:00");
    assert_prints(&date, "2024-03-31T03:00:00+02:00");
}

// ---- ISO 8601 -----------------------------------------------------------------------------------------

FILO_TEST(print_shows_no_more_decimals_than_are_needed) {
    FiloDate date = { .year = 2024, .month = 2, .day = 29, .hour = 12, .minute = 30 };
    assert_prints(&date, "2024-02-29T12:30:00Z");
    date.nanosecond = 250000000;
    assert_prints(&date, "2024-02-29T12:30:00.250Z");
    date.nanosecond = 250001000;
    assert_prints(&date, "2024-02-29T12:30:00.250001Z");
    date.nanosecond = 1;
    assert_prints(&date, "2024-02-29T12:30:00.000000001Z");
    date.nanosecond = 1000;
    assert_prints(&date, "2024-02-29T12:30:00.000001Z");
    date.nanosecond = 0;
    date.utc_offset_s = 1172; // Amsterdam until 1937
    assert_prints(&date, "2024-02-29T12:30:00+00:19:32");
    date.utc_offset_s = -60;
    assert_prints(&date, "2024-02-29T12:30:00-00:01");
}

FILO_TEST(the_longest_date_fits_and_a_shorter_buffer_is_not_overrun) {
    FiloDate date = { 9999, 12, 31, 23, 59, 59, 999999999, 0, -86399 };
    assert_prints(&date, "9999-12-31T23:59:59.999999999-23:59:59");
    char text[FILO_DATE_SIZE];
    for (size_t size = 0; size <= sizeof text; size++) {
        memset(text, 'x', sizeof text);
        size_t length = filo_date_print(&date, text, size);
        assert_true(size == 0 ? length == 0 : length < size && text[length] == '\0');
        for (size_t i = size; i < sizeof text; i++) assert_int_equal(text[i], 'x');
    }
}

FILO_TEST(parse_reads_all_usual_forms) {
    use_zone("UTC0");
    static const struct {
        const char *text, *printed;
    } cases[] = {
        { "2024-02-29", "2024-02-29T00:00:00Z" },
        { "2024-02-29T12:30", "2024-02-29T12:30:00Z" },
        { "2024-02-29 12:30:15", "2024-02-29T12:30:15Z" },
        { "2024-02-29t12:30:15z", "2024-02-29T12:30:15Z" },
        { "2024-02-29T12:30Z", "2024-02-29T12:30:00Z" },
        { "2024-02-29T12:30:15.5Z", "2024-02-29T12:30:15.500Z" },
        { "2024-02-29T12:30:15,123456789Z", "2024-02-29T12:30:15.123456789Z" },
        { "2024-02-29T12:30:15.9999999999999Z", "2024-02-29T12:30:15.999999999Z" },
        { "2024-02-29T12:30:15+02", "2024-02-29T12:30:15+02:00" },
        { "2024-02-29T12:30:15-0230", "2024-02-29T12:30:15-02:30" },
        { "2024-02-29T12:30:15-00:00", "2024-02-29T12:30:15Z" },
        { "2024-02-29T12:30:15+00:19:32", "2024-02-29T12:30:15+00:19:32" },
        { "0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z" },
        { "9999-12-31T23:59:59.999999999+23:59", "9999-12-31T23:59:59.999999999+23:59" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloDate date = parsed(cases[i].text);
        assert_prints(&date, cases[i].printed);
    }
}

FILO_TEST(bad_texts_are_refused_with_a_reason_and_change_nothing) {
    static const struct {
        const char *text, *reason;
    } cases[] = {
        { "", "begin with year" },
        { "today", "begin with year" },
        { "24-02-29", "begin with year" },
        { "2024-2-29", "begin with year" },
        { "2024/02/29", "begin with year" },
        { "20240229", "begin with year" },
        { "-2024-02-29", "begin with year" },
        { " 2024-02-29", "begin with year" },
        { "2024-02-", "begin with year" },
        { "2024-13-01", "the month must be" },
        { "2024-00-01", "the month must be" },
        { "2024-04-31", "fewer days" },
        { "2024-01-00", "the day must be" },
        { "2024-02-29T", "the time has to" },
        { "2024-02-29T1:30", "the time has to" },
        { "2024-02-29T12", "the time has to" },
        { "2024-02-29T12:3", "the time has to" },
        { "2024-02-29T12:30:", "the time has to" },
        { "2024-02-29T12:30:5", "the time has to" },
        { "2024-02-29T12:30:15.", "the time has to" },
        { "2024-02-29T12:30:15.Z", "the time has to" },
        { "2024-02-29T24:00:00Z", "the hour must be" },
        { "2024-02-29T12:60:00Z", "the minute must be" },
        { "2016-12-31T23:59:60Z", "leap seconds" },
        { "2024-02-29T12:30:15+", "after the time" },
        { "2024-02-29T12:30:15+2", "after the time" },
        { "2024-02-29T12:30:15+02:", "after the time" },
        { "2024-02-29T12:30:15+02:0", "after the time" },
        { "2024-02-29T12:30:15+24:00", "after the time" },
        { "2024-02-29T12:30:15+02:60", "after the time" },
        { "2024-02-29T12:30:15 Europe", "after the time" },
        { "2024-02-29T12:30:15Z ", "something after its end" },
        { "2024-02-29T12:30:15+020", "something after its end" },
        { "2024-02-29Z", "something after its end" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloDate date = { .year = 42 };
        FiloResult result = filo_date_parse(&date, cases[i].text);
        assert_error(result, FILO_ERROR_DATA, cases[i].reason);
        assert_contains(result.message, cases[i].text);
        assert_int_equal(date.year, 42);
        assert_int_equal(date.month, 0);
    }
}

FILO_TEST(every_cut_or_changed_text_is_read_or_refused_without_harm) {
    const char *text = "2024-02-29T12:30:15.123456789+02:00";
    for (size_t length = 0; length <= strlen(text); length++) {
        for (int c = 1; c < 256; c++) {
            char *changed =
                calloc(1, length + 1); // exactly as long, so that the sanitizer sees a step beyond
            assert_non_null(changed);
            memcpy(changed, text, length);
            if (length > 0) changed[length - 1] = (char)c;
            FiloDate date;
            if (filo_date_parse(&date, changed).code == FILO_OK) {
                char printed[FILO_DATE_SIZE];
                assert_true(filo_date_print(&date, printed, sizeof printed) >= 20);
            }
            free(changed);
        }
    }
}

FILO_TEST(null_is_a_mistake_that_harms_nothing) {
    FiloDate date = { .year = 2024, .month = 1, .day = 1 };
    int64_t ns = 3;
    char text[FILO_DATE_SIZE] = "before";
    expect_mistake("pass the date", filo_date_to_ns(NULL, &ns));
    expect_mistake("where the time goes", filo_date_to_ns(&date, NULL));
    expect_mistake("pass the date", filo_date_set_local(NULL));
    expect_mistake("pass the text", filo_date_parse(&date, NULL));
    expect_mistake("where the date goes", filo_date_parse(NULL, "2024-01-01"));
    expect_fault("pass the date to print", assert_int_equal(filo_date_print(NULL, text, sizeof text), 0));
    assert_string_equal(text, "");
    expect_fault("pass the memory", assert_int_equal(filo_date_print(&date, NULL, 10), 0));
    assert_int_equal(filo_date_print(&date, NULL, 0), 0);
    assert_int_equal(ns, 3);
    assert_int_equal(date.year, 2024);
}
