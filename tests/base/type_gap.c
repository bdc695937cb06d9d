// Bytes of a struct that its description leaves out.

#include "base/reflect_value.h"

#include "support/test.h"

#include <filo/vector.h>

// The gaps of a type as text: "offset+size ".
static const char *gaps(const FiloType *type) {
    static char text[256];
    size_t length = 0, offset = 0, size;
    text[0] = '\0';
    for (; base_type_gap(type, &offset, &size); offset += size)
        length += (size_t)snprintf(text + length, sizeof text - length, "%zu+%zu ", offset, size);
    return text;
}

typedef struct Padded {
    uint8_t small;
    double large;
    uint16_t last;
} Padded;
FILO_REFLECT(Padded, FILO_FIELD(uint8_t, small), FILO_FIELD(double, large), FILO_FIELD(uint16_t, last))

FILO_TEST(padding_is_no_gap) {
    assert_string_equal(gaps(FILO_TYPE(Padded)), "");
    assert_string_equal(gaps(FILO_TYPE(FiloVec3)), "");
    assert_string_equal(gaps(FILO_TYPE(float)), "");
}

typedef struct Forgetful {
    float seen;
    float forgotten[2];
    float described;
    void *pointer;
} Forgetful;
FILO_REFLECT(Forgetful, FILO_FIELD(float, seen), FILO_FIELD(float, described))

FILO_TEST(fields_that_are_not_described_are_found) {
    assert_string_equal(gaps(FILO_TYPE(Forgetful)), "4+8 16+8 ");
}

typedef struct Nest {
    uint8_t kind;
    Forgetful eggs[2];
    Padded nest[2];
} Nest;
FILO_REFLECT(Nest, FILO_FIELD(uint8_t, kind), FILO_FIELD(Forgetful, eggs), FILO_FIELD(Padded, nest))

FILO_TEST(gaps_inside_described_structs_count) {
    size_t first = offsetof(Nest, eggs), second = first + sizeof(Forgetful);
    char expected[256];
    snprintf(expected, sizeof expected, "%zu+8 %zu+8 %zu+8 %zu+8 ", first + 4, first + 16, second + 4,
             second + 16);
    assert_string_equal(gaps(FILO_TYPE(Nest)), expected);
}

typedef struct Backwards {
    double first;
    uint8_t second;
    float third;
} Backwards;
FILO_REFLECT(Backwards, FILO_FIELD(float, third), FILO_FIELD(double, first), FILO_FIELD(uint8_t, second))

FILO_TEST(the_order_of_the_description_does_not_matter) {
    assert_string_equal(gaps(FILO_TYPE(Backwards)), "");
}

typedef struct Crowd {
    bool a, b, c; // one byte of padding follows
    Padded all[3];
    char name[5];
    float last;
} Crowd;
FILO_REFLECT(Crowd, FILO_FIELD(bool, a), FILO_FIELD(bool, b), FILO_FIELD(bool, c), FILO_FIELD(Padded, all),
             FILO_FIELD(char, name), FILO_FIELD(float, last))

FILO_TEST(padding_around_and_inside_arrays_is_no_gap) { assert_string_equal(gaps(FILO_TYPE(Crowd)), ""); }

FILO_TEST(types_made_at_run_time_have_no_gaps) {
    const FiloField fields[] = { { .name = "kind", .type = FILO_TYPE(uint8_t) },
                                 { .name = "weight", .type = FILO_TYPE(double) },
                                 { .name = "flag", .type = FILO_TYPE(_Bool) } };
    const FiloType *type;
    assert_ok(filo_type_create(&type, "Made", fields, FILO_COUNT_OF(fields), NULL));
    assert_string_equal(gaps(type), "");
    filo_type_destroy(type, NULL);
}
