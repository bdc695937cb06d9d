// Clocks, sleeping and calendar dates.
//
// Dates are computed here rather than by libc, whose functions have no nanoseconds; only the local offset comes from
// libc. Internally a date is a 64-bit count of seconds since 1970, which no year overflows.

#include <filo/check.h>
#include <filo/time.h>

#include "base/atomic.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define DAY_S INT64_C(86400)

static int64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * FILO_SECOND + now.tv_nsec;
}

int64_t filo_time_ns(void) { return read_clock(CLOCK_MONOTONIC); }
int64_t filo_calendar_ns(void) { return read_clock(CLOCK_REALTIME); }

// ---- Sleeping -----------------------------------------------------------------------------------------

void filo_sleep_until_ns(int64_t moment_ns) {
    int64_t now = filo_time_ns();
    if (moment_ns > now && moment_ns - now > FILO_SLEEP_SPIN_NS) {
        int64_t wake_ns = moment_ns - FILO_SLEEP_SPIN_NS;
        struct timespec wake = { (time_t)(wake_ns / FILO_SECOND), (long)(wake_ns % FILO_SECOND) };
        // The time is absolute, so that sleeping again after a signal does not lengthen the sleep.
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL) == EINTR) {}
    }
    while (filo_time_ns() < moment_ns) base_cpu_relax();
}

void filo_sleep_ns(int64_t duration_ns) {
    int64_t moment_ns;
    if (__builtin_add_overflow(filo_time_ns(), duration_ns, &moment_ns)) moment_ns = INT64_MAX;
    filo_sleep_until_ns(moment_ns);
}

// ---- The calendar -------------------------------------------------------------------------------------

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

static bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int32_t days_in_month(int32_t year, int32_t month) {
    static const int32_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

// Days from 1 January 1970. The year is counted from March, so that the leap day is its last day; the months from
// March on then repeat the pattern 31 30 31 30 31, of 153 days.
static int64_t days_of_date(const FiloDate *date) {
    int64_t year = date->month > 2 ? date->year : date->year - 1;
    int64_t month = date->month > 2 ? date->month - 3 : date->month + 9;
    int64_t day_of_year = (153 * month + 2) / 5 + date->day - 1;
    int64_t leap_days = floor_divide(year, 4) - floor_divide(year, 100) + floor_divide(year, 400);
    return 365 * year + leap_days + day_of_year - 719468; // from 1 March of the year 0 to 1970
}

// The inverse of days_of_date. 400 years always have 146,097 days; within them, the number of leap days before a day
// determines its year.
static void set_day(FiloDate *date, int64_t days) {
    int64_t since_march_0 = days + 719468;
    int64_t era = floor_divide(since_march_0, 146097);
    int64_t day = since_march_0 - era * 146097;
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    int64_t day_of_year = day - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    date->day = (int32_t)(day_of_year - (153 * month + 2) / 5 + 1);
    date->month = (int32_t)(month < 10 ? month + 3 : month - 9);
    date->year = (int32_t)(year + 400 * era + (date->month <= 2));
    date->weekday = (int32_t)(((days + 3) % 7 + 7) % 7 + 1); // day 0 was a Thursday
}

// Seconds since 1970, ignoring the date's offset.
static int64_t wall_seconds(const FiloDate *date) {
    return days_of_date(date) * DAY_S + (date->hour * INT64_C(60) + date->minute) * 60 + date->second;
}

static FiloDate date_at(int64_t seconds, int64_t nanosecond, int32_t utc_offset_s) {
    int64_t wall = seconds + utc_offset_s;
    int64_t days = floor_divide(wall, DAY_S);
    int32_t second_of_day = (int32_t)(wall - days * DAY_S);
    FiloDate date = { .hour = second_of_day / 3600,
                      .minute = second_of_day / 60 % 60,
                      .second = second_of_day % 60,
                      .nanosecond = (int32_t)nanosecond,
                      .utc_offset_s = utc_offset_s };
    set_day(&date, days);
    return date;
}

// The offset of local time from UTC at a moment. 0 in a year that libc cannot represent.
static int32_t local_offset(int64_t seconds) {
    time_t moment = (time_t)seconds;
    struct tm local;
    return localtime_r(&moment, &local) != NULL ? (int32_t)local.tm_gmtoff : 0;
}

FiloDate filo_date_utc(int64_t calendar_ns) {
    int64_t seconds = floor_divide(calendar_ns, FILO_SECOND);
    return date_at(seconds, (calendar_ns % FILO_SECOND + FILO_SECOND) % FILO_SECOND, 0);
}

FiloDate filo_date_local(int64_t calendar_ns) {
    int64_t seconds = floor_divide(calendar_ns, FILO_SECOND);
    return date_at(seconds, (calendar_ns % FILO_SECOND + FILO_SECOND) % FILO_SECOND, local_offset(seconds));
}

// ---- Checking dates -----------------------------------------------------------------------------------

static bool within(int32_t value, int32_t low, int32_t high) { return value >= low && value <= high; }

// The error in a date; NULL if it is valid.
static const char *fault_of_date(const FiloDate *date) {
    if (!within(date->year, 0, 9999)) return "the year must be from 0 to 9999";
    if (!within(date->month, 1, 12)) return "the month must be from 1 to 12";
    if (!within(date->day, 1, 31)) return "the day must be from 1 to 31";
    if (date->day > days_in_month(date->year, date->month)) return "that month has fewer days";
    if (!within(date->hour, 0, 23)) return "the hour must be from 0 to 23";
    if (!within(date->minute, 0, 59)) return "the minute must be from 0 to 59";
    if (!within(date->second, 0, 59)) return "the second must be from 0 to 59 (there are no leap seconds)";
    if (!within(date->nanosecond, 0, 999999999)) return "the nanosecond must be from 0 to 999999999";
    if (!within(date->utc_offset_s, 1 - (int)DAY_S, (int)DAY_S - 1))
        return "the offset must be less than a day";
    return NULL;
}

static FiloResult check_date(const FiloDate *date) {
    const char *fault = fault_of_date(date);
    if (fault == NULL) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "%04d-%02d-%02dT%02d:%02d:%02d: %s", date->year, date->month,
                      date->day, date->hour, date->minute, date->second, fault);
}

FiloResult filo_date_to_ns(const FiloDate *date, int64_t *calendar_ns) {
    if (date == NULL || calendar_ns == NULL) return FILO_MISTAKE("pass the date, and where the time goes");
    FiloResult result = check_date(date);
    if (result.code != FILO_OK) return result;
    int64_t seconds = wall_seconds(date) - date->utc_offset_s, nanosecond = date->nanosecond, ns;
    if (seconds < 0) { // towards 0, or the product below would overflow in the first second of the range
        seconds++;
        nanosecond -= FILO_SECOND;
    }
    if (__builtin_mul_overflow(seconds, FILO_SECOND, &ns) || __builtin_add_overflow(ns, nanosecond, &ns))
        return filo_error(FILO_ERROR_LIMIT,
                          "%04d-%02d-%02d: nanoseconds reach only from the year 1677 to 2262", date->year,
                          date->month, date->day);
    *calendar_ns = ns;
    return filo_ok();
}

FiloResult filo_date_set_local(FiloDate *date) {
    if (date == NULL) return FILO_MISTAKE("pass the date to be taken as local time");
    FiloDate local = *date;
    local.utc_offset_s = 0;
    FiloResult result = check_date(&local);
    if (result.code != FILO_OK) return result;
    int64_t wall = wall_seconds(&local);
    // The offsets a day before and after that time differ if the clocks are changed in between. An offset is correct if
    // local time has that offset at the resulting moment.
    int32_t before = local_offset(wall - DAY_S), after = local_offset(wall + DAY_S);
    bool before_fits = local_offset(wall - before) == before,
         after_fits = local_offset(wall - after) == after;
    local.utc_offset_s = before_fits || !after_fits ? before : after;
    set_day(&local, floor_divide(wall, DAY_S));
    *date = local;
    return filo_ok();
}

// ---- ISO 8601 -----------------------------------------------------------------------------------------

static int print_offset(char *text, size_t size, int32_t offset) {
    int32_t seconds = offset < 0 ? -offset : offset;
    char sign = offset < 0 ? '-' : '+';
    int hours = seconds / 3600, minutes = seconds / 60 % 60;
    if (offset == 0) return snprintf(text, size, "Z");
    if (seconds % 60 == 0) return snprintf(text, size, "%c%02d:%02d", sign, hours, minutes);
    // Historical local times. ISO 8601 has no seconds in offsets, but without them the text would be another moment.
    return snprintf(text, size, "%c%02d:%02d:%02d", sign, hours, minutes, seconds % 60);
}

size_t filo_date_print(const FiloDate *date, char *text, size_t size) {
    if (!FILO_CHECK(text != NULL || size == 0, "pass the memory for the text")) return 0;
    if (size == 0) return 0;
    text[0] = '\0';
    if (!FILO_CHECK(date != NULL, "pass the date to print")) return 0;
    const char *fault = fault_of_date(date);
    if (!FILO_CHECK(fault == NULL, "cannot print this date: %s", fault)) return 0;
    char fraction[16] = "", offset[16], whole[96];
    if (date->nanosecond != 0) {
        snprintf(fraction, sizeof fraction, ".%09d", date->nanosecond);
        while (strcmp(fraction + strlen(fraction) - 3, "000") == 0) fraction[strlen(fraction) - 3] = '\0';
    }
    print_offset(offset, sizeof offset, date->utc_offset_s);
    snprintf(whole, sizeof whole, "%04d-%02d-%02dT%02d:%02d:%02d%s%s", date->year, date->month, date->day,
             date->hour, date->minute, date->second, fraction, offset);
    size_t length = FILO_MIN(strlen(whole), size - 1);
    memcpy(text, whole, length);
    text[length] = '\0';
    return length;
}

// Reads exactly `digits` digits and advances; false if there are fewer.
static bool read_digits(const char **text, int digits, int32_t *value) {
    int32_t number = 0;
    for (int i = 0; i < digits; i++) {
        char c = (*text)[i];
        if (c < '0' || c > '9') return false;
        number = number * 10 + (c - '0');
    }
    *text += digits;
    *value = number;
    return true;
}

// Advances if the next character is one of `choices`.
static bool read_one_of(const char **text, const char *choices) {
    if (**text == '\0' || strchr(choices, **text) == NULL) return false;
    ++*text;
    return true;
}

static bool read_fraction(const char **text, int32_t *nanosecond) {
    int32_t digit, unit = 100000000;
    if (!read_digits(text, 1, &digit)) return false;
    do {
        *nanosecond += digit * unit;
        unit /= 10;
    } while (read_digits(text, 1, &digit));
    return true;
}

static bool read_time(const char **text, FiloDate *date) {
    if (!read_digits(text, 2, &date->hour) || !read_one_of(text, ":") || !read_digits(text, 2, &date->minute))
        return false;
    if (!read_one_of(text, ":")) return true;
    if (!read_digits(text, 2, &date->second)) return false;
    return !read_one_of(text, ".,") || read_fraction(text, &date->nanosecond);
}

// "Z", "+02", "+0200", "+02:00" or "+02:00:00".
static bool read_offset(const char **text, int32_t *offset) {
    int32_t sign = **text == '-' ? -1 : 1, hours = 0, minutes = 0, seconds = 0;
    if (read_one_of(text, "Zz")) return true;
    if (!read_one_of(text, "+-") || !read_digits(text, 2, &hours)) return false;
    bool colon = read_one_of(text, ":");
    bool has_minutes = read_digits(text, 2, &minutes);
    if (colon && !has_minutes) return false;
    if (colon && read_one_of(text, ":") && !read_digits(text, 2, &seconds)) return false;
    if (hours > 23 || minutes > 59 || seconds > 59) return false;
    *offset = sign * (hours * 3600 + minutes * 60 + seconds);
    return true;
}

static FiloResult bad_text(const char *text, const char *fault) {
    return filo_error(FILO_ERROR_DATA, "\"%.60s\" is not an ISO 8601 date: %s", text, fault);
}

FiloResult filo_date_parse(FiloDate *date, const char *text) {
    if (date == NULL || text == NULL) return FILO_MISTAKE("pass the text to read, and where the date goes");
    FiloDate read = { 0 };
    const char *cursor = text;
    bool local = true;
    if (!read_digits(&cursor, 4, &read.year) || !read_one_of(&cursor, "-") ||
        !read_digits(&cursor, 2, &read.month) || !read_one_of(&cursor, "-") ||
        !read_digits(&cursor, 2, &read.day))
        return bad_text(text, "it has to begin with year, month and day, as 2024-02-29");
    if (read_one_of(&cursor, "Tt ")) {
        if (!read_time(&cursor, &read))
            return bad_text(text, "the time has to look like 23:59 or 23:59:59.999");
        local = *cursor == '\0';
        if (!local && !read_offset(&cursor, &read.utc_offset_s))
            return bad_text(text, "after the time there may be Z or an offset such as +02:00");
    }
    if (*cursor != '\0') return bad_text(text, "there is something after its end");
    const char *fault = fault_of_date(&read);
    if (fault != NULL) return bad_text(text, fault);
    if (local) {
        FiloResult result = filo_date_set_local(&read);
        if (result.code != FILO_OK) return result;
    }
    set_day(&read, days_of_date(&read));
    *date = read;
    return filo_ok();
}
