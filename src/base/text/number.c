// Numbers as text: see number.h.

#include "base/text/number.h"

#include <filo/threads.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static FiloOnce once = FILO_ONCE_INIT;
static locale_t c_locale;
static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); } // cannot fail for "C"

static locale_t plain_locale(void) {
    filo_once(&once, make_locale);
    return c_locale;
}

static size_t print_special(char *text, double value) {
    const char *name = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return (size_t)snprintf(text, BASE_NUMBER_TEXT, "%s", name);
}

size_t base_number_print_float(char *text, float value) {
    if (!isfinite(value)) return print_special(text, (double)value);
    locale_t before = uselocale(plain_locale());
    int length = 0;
    // A normal float preserves any 6 digits, so 6 digits (%g drops trailing zeros) are the shortest if they read back.
    for (int digits = isnormal(value) ? 6 : 1; digits <= 9; digits++) { // 9 always suffice
        length = snprintf(text, BASE_NUMBER_TEXT, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) break;
    }
    uselocale(before);
    return (size_t)length;
}

size_t base_number_print_double(char *text, double value) {
    if (!isfinite(value)) return print_special(text, value);
    locale_t before = uselocale(plain_locale());
    int length = 0;
    for (int digits = isnormal(value) ? 15 : 1; digits <= 17; digits++) { // 17 always suffice
        length = snprintf(text, BASE_NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    uselocale(before);
    return (size_t)length;
}
