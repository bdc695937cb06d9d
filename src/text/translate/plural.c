// Plural forms of numbers, by the rules of the Unicode Common Locale Data Repository. Languages that are not listed have
// "one" for 1 and "other" for the rest.

#include "text/translate/tables.h"

#include <math.h>

typedef TextPlural (*Rule)(uint64_t n);

// Each is asked for whole numbers only.
static TextPlural none(uint64_t n) {
    FILO_UNUSED(n);
    return TEXT_PLURAL_OTHER;
}
static TextPlural one(uint64_t n) { return n == 1 ? TEXT_PLURAL_ONE : TEXT_PLURAL_OTHER; }
static TextPlural zero_one(uint64_t n) { return n <= 1 ? TEXT_PLURAL_ONE : TEXT_PLURAL_OTHER; }
static TextPlural one_two(uint64_t n) {
    return n == 1 ? TEXT_PLURAL_ONE : n == 2 ? TEXT_PLURAL_TWO : TEXT_PLURAL_OTHER;
}

static bool is_few(uint64_t n) { return n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14); }

static TextPlural east_slavic(uint64_t n) {
    if (n % 10 == 1 && n % 100 != 11) return TEXT_PLURAL_ONE;
    return is_few(n) ? TEXT_PLURAL_FEW : TEXT_PLURAL_MANY;
}
static TextPlural south_slavic(uint64_t n) {
    if (n % 10 == 1 && n % 100 != 11) return TEXT_PLURAL_ONE;
    return is_few(n) ? TEXT_PLURAL_FEW : TEXT_PLURAL_OTHER;
}
static TextPlural polish(uint64_t n) {
    if (n == 1) return TEXT_PLURAL_ONE;
    return is_few(n) ? TEXT_PLURAL_FEW : TEXT_PLURAL_MANY;
}
static TextPlural czech(uint64_t n) {
    if (n == 1) return TEXT_PLURAL_ONE;
    return n >= 2 && n <= 4 ? TEXT_PLURAL_FEW : TEXT_PLURAL_OTHER;
}
static TextPlural slovenian(uint64_t n) {
    if (n % 100 == 1) return TEXT_PLURAL_ONE;
    if (n % 100 == 2) return TEXT_PLURAL_TWO;
    return n % 100 == 3 || n % 100 == 4 ? TEXT_PLURAL_FEW : TEXT_PLURAL_OTHER;
}
static TextPlural lithuanian(uint64_t n) {
    bool teen = n % 100 >= 11 && n % 100 <= 19;
    if (n % 10 == 1 && !teen) return TEXT_PLURAL_ONE;
    return n % 10 >= 2 && !teen ? TEXT_PLURAL_FEW : TEXT_PLURAL_OTHER;
}
static TextPlural latvian(uint64_t n) {
    if (n % 10 == 0 || (n % 100 >= 11 && n % 100 <= 19)) return TEXT_PLURAL_ZERO;
    return n % 10 == 1 ? TEXT_PLURAL_ONE : TEXT_PLURAL_OTHER;
}
static TextPlural romanian(uint64_t n) {
    if (n == 1) return TEXT_PLURAL_ONE;
    return n == 0 || (n % 100 >= 1 && n % 100 <= 19) ? TEXT_PLURAL_FEW : TEXT_PLURAL_OTHER;
}
static TextPlural arabic(uint64_t n) {
    if (n <= 2) return n == 0 ? TEXT_PLURAL_ZERO : n == 1 ? TEXT_PLURAL_ONE : TEXT_PLURAL_TWO;
    if (n % 100 >= 3 && n % 100 <= 10) return TEXT_PLURAL_FEW;
    return n % 100 >= 11 ? TEXT_PLURAL_MANY : TEXT_PLURAL_OTHER;
}
static TextPlural irish(uint64_t n) {
    if (n == 1 || n == 2) return n == 1 ? TEXT_PLURAL_ONE : TEXT_PLURAL_TWO;
    return n >= 3 && n <= 6 ? TEXT_PLURAL_FEW : n >= 7 && n <= 10 ? TEXT_PLURAL_MANY : TEXT_PLURAL_OTHER;
}
static TextPlural welsh(uint64_t n) {
    static const TextPlural forms[] = { TEXT_PLURAL_ZERO, TEXT_PLURAL_ONE,   TEXT_PLURAL_TWO,
                                        TEXT_PLURAL_FEW,  TEXT_PLURAL_OTHER, TEXT_PLURAL_OTHER,
                                        TEXT_PLURAL_MANY };
    return n < FILO_COUNT_OF(forms) ? forms[n] : TEXT_PLURAL_OTHER;
}

static const struct {
    const char *languages; // of two letters each
    Rule rule;
} rules[] = {
    { "ja zh ko th vi id ms lo my", none },
    { "fr pt hi bn fa am zu gu kn", zero_one },
    { "ru uk be", east_slavic },
    { "sr hr bs", south_slavic },
    { "pl", polish },
    { "cs sk", czech },
    { "sl", slovenian },
    { "lt", lithuanian },
    { "lv", latvian },
    { "ro", romanian },
    { "ar", arabic },
    { "he", one_two },
    { "ga", irish },
    { "cy", welsh },
};

static Rule find_rule(const char *language) {
    if (language == NULL || language[0] == '\0' || language[1] == '\0') return one;
    if (language[2] != '\0' && language[2] != '-' && language[2] != '_') return one;
    if (strcmp(language, "pt-PT") == 0) return one;
    for (size_t i = 0; i < FILO_COUNT_OF(rules); i++)
        for (const char *at = rules[i].languages; *at != '\0'; at += at[2] != '\0' ? 3 : 2)
            if (at[0] == language[0] && at[1] == language[1]) return rules[i].rule;
    return one;
}

TextPlural text_plural_form(const char *language, double number) {
    double size = fabs(number);
    if (!(size < 1e15)) return TEXT_PLURAL_OTHER; // NaN, too
    // Fractions are "other", except where everything below 2 is "one".
    Rule rule = find_rule(language);
    if (floor(size) != size) return rule == zero_one && size < 2.0 ? TEXT_PLURAL_ONE : TEXT_PLURAL_OTHER;
    return rule((uint64_t)size);
}
