// States whose bytes are not what a network wrote: a step goes on with something, reads nothing outside of the state, and passes
// functions bools that are 0 or 1.

#include "support/damage.h"

#include <filo/random.h>

typedef struct Flags {
    bool up, down;
} Flags;
FILO_REFLECT(Flags, FILO_FIELD(bool, up), FILO_FIELD(bool, down))

static uint8_t worst_bool; // that a function has got

static void look(const Flags *flags) {
    uint8_t bytes[sizeof *flags];
    memcpy(bytes, flags, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) worst_bool = bytes[i] > worst_bool ? bytes[i] : worst_bool;
}

FILO_SF_FUNCTION2(add, float, float, a, float, b) { return a + b; }
FILO_SF_FUNCTION2(either, Flags, Flags, a, Flags, b) {
    look(&a);
    return (Flags){ a.up || b.up, a.down || b.down };
}

static FiloSfBuilder *builder(void) { return filo_sf_builder_create(&(FiloSfBuilderDesc){ .name = "test" }); }

// Starts a row, fills its state behind the first word with a word again and again, and makes one step.
static void run(FiloSfBuilder *b, FiloSf output, uint64_t word, const void *input, void *result) {
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, output, NULL));
    size_t size = filo_network_state_size(network);
    uint8_t *state = calloc(1, size);
    FiloSfRows rows = {
        .count = 1, .states = state, .inputs = { input }, .outputs = { result }, .delta = 0.25f
    };
    assert_ok(filo_network_step(network, &rows));
    for (size_t i = 8; i < size; i += 8) memcpy(state + i, &word, sizeof word);
    (void)filo_network_step(network, &rows);
    free(state);
    filo_network_destroy(network);
    filo_sf_builder_destroy(b);
}

FILO_TEST(a_list_in_a_state_has_no_more_values_than_there_is_room_for) {
    FiloSfBuilder *b = builder();
    float seconds[] = { 0, 0 }, values[] = { 1, 2 };
    FiloSf lists = filo_sf_after_each_cat(b, seconds, FILO_TYPE(float), values, 2);
    FiloSf before = filo_sf_from_event(
        filo_sf_fold(filo_sf_i_pre(lists, FILO_SF_NONE), FILO_SF(float, 0), &add), FILO_SF(float, -1));
    float result = 0;
    run(b, before, UINT64_C(0x4040404040404040), NULL, &result);
    assert_true(result >= 6 && result < 6.1f); // two values, which are damaged too
}

FILO_TEST(functions_get_bools_that_are_0_or_1) {
    FiloSfBuilder *b = builder();
    Flags result;
    worst_bool = 0;
    run(b,
        filo_sf_sscan(filo_sf_constant(b, FILO_SF(Flags, false, true)), FILO_SF(Flags, false, false),
                      &either),
        UINT64_MAX, NULL, &result);
    assert_int_equal(worst_bool, 1);
}

FILO_TEST(a_bool_in_a_state_is_0_or_1) {
    FiloSfBuilder *b = builder();
    uint8_t result = 0;
    FiloSf held = filo_sf_hold(filo_sf_now(b, FILO_SF(bool, true)), FILO_SF(bool, false));
    run(b, held, UINT64_MAX, NULL, &result);
    assert_int_equal(result, 1);
}

FILO_TEST(a_time_that_is_none_begins_again) {
    static const double times[] = { INFINITY, -INFINITY, NAN, 1e308 };
    for (size_t i = 0; i < FILO_COUNT_OF(times); i++) {
        FiloSfBuilder *b = builder();
        uint64_t word;
        memcpy(&word, &times[i], sizeof word);
        uint8_t result = 2;
        run(b, filo_sf_is_event(filo_sf_repeatedly(b, 0.25f, FILO_SF_NONE)), word, NULL, &result);
        assert_int_equal(result, 1);
    }
}

FILO_TEST(a_list_of_the_caller_has_no_more_values_than_there_is_room_for) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){
        .name = "test", .inputs = { { .name = "list", .type = FILO_TYPE(float), .capacity = 2 } } });
    struct {
        FiloSfList list;
        float values[2];
    } input = { { .count = 1000000, .capacity = 2 }, { 3, 4 } };
    float result = 0;
    run(b, filo_sf_fold(filo_sf_input(b), FILO_SF(float, 0), &add), 0, &input, &result);
    assert_true(result == 7);
    assert_int_equal(input.list.count, 1000000); // it is const
}

static uint32_t from_random(void *user) { return filo_random_u32(user); }

FILO_TEST(random_networks_go_on_from_damaged_states) {
    size_t problems = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        FiloRandom random = filo_random_keyed(18, seed, 0, 0);
        problems += damage_run(seed, 24, from_random, &random);
    }
    assert_in_range(problems, 1, 500 * 24);
    value_free();
}
