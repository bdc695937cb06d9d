// From events to values: hold, and accumulators.

#include "support/embed.h"

FILO_SF_FUNCTION2(mix, float, float, accumulator, float, x) { return 10 * accumulator + x; }
FILO_SF_FUNCTION2(longer, int32_t, int32_t, accumulator, float, x) { return accumulator + (x > 2 ? 1 : 0); }
FILO_SF_MAYBE2(even_sum, float, float, accumulator, float, x, result) {
    *result = accumulator + 100 * x;
    return ((int)accumulator & 1) == 0;
}

FILO_TEST(hold_shows_the_last_event_and_d_hold_one_sample_later) {
    FiloSfBuilder *b = embed_builder("F");
    FiloSf e = filo_sf_input(b);
    FiloSf all[] = { filo_sf_hold(e, FILO_SF(float, -1)), filo_sf_d_hold(e, FILO_SF(float, -1)),
                     filo_sf_track_and_hold(e, FILO_SF(float, -1)),
                     filo_sf_d_track_and_hold(e, FILO_SF(float, -1)) };
    embed(
        b, filo_sf_tuple(b, all, 4),
        &(Embed){ .delta = T(0, 1, 1, 1, 1),
                  .in = { E(NO, 2, NO, 4, 5) },
                  .out = { V(-1, 2, 2, 4, 5), V(-1, -1, 2, 2, 4), V(-1, 2, 2, 4, 5), V(-1, -1, 2, 2, 4) } });
}

FILO_TEST(hold_shows_an_event_at_time_zero_at_once) {
    FiloSfBuilder *b = embed_builder("V");
    FiloSf e = filo_sf_input(b);
    embed(b,
          filo_sf_pair(filo_sf_hold(e, FILO_SF(FiloVec2, 7, 8)), filo_sf_d_hold(e, FILO_SF(FiloVec2, 7, 8))),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { E(1, 2, NO, NO, 3, 4) },
                    .out = { V(1, 2, 1, 2, 3, 4), V(7, 8, 1, 2, 1, 2) } });
}

FILO_TEST(accumulators_are_updated_by_each_event) {
    // 1, then 10·1 + 2, then 10·12 + 4
    FiloSfBuilder *b = embed_builder("F");
    FiloSf e = filo_sf_input(b);
    FiloSf all[] = {
        filo_sf_accum(e, FILO_SF(float, 1), &mix),        filo_sf_accum_by(e, FILO_SF(float, 1), &mix),
        filo_sf_accum_hold(e, FILO_SF(float, 1), &mix),   filo_sf_accum_hold_by(e, FILO_SF(float, 1), &mix),
        filo_sf_d_accum_hold(e, FILO_SF(float, 1), &mix), filo_sf_d_accum_hold_by(e, FILO_SF(float, 1), &mix)
    };
    embed(b, filo_sf_tuple(b, all, 6),
          &(Embed){ .delta = T(0, 1, 1, 1, 1),
                    .in = { E(NO, 2, NO, 4, NO) },
                    .out = { E(NO, 12, NO, 124, NO), E(NO, 12, NO, 124, NO), V(1, 12, 12, 124, 124),
                             V(1, 12, 12, 124, 124), V(1, 1, 12, 12, 124), V(1, 1, 12, 12, 124) } });
}

FILO_TEST(accumulators_count_an_event_at_time_zero) {
    FiloSfBuilder *b = embed_builder("F");
    FiloSf e = filo_sf_input(b);
    FiloSf all[] = { filo_sf_accum(e, FILO_SF(float, 1), &mix),
                     filo_sf_accum_hold(e, FILO_SF(float, 1), &mix),
                     filo_sf_d_accum_hold(e, FILO_SF(float, 1), &mix), filo_sf_count(e) };
    embed(b, filo_sf_tuple(b, all, 4),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { E(3, NO, 5) },
                    .out = { E(13, NO, 135), V(13, 13, 135), V(1, 13, 13), E(1, NO, 2) } });
}

FILO_TEST(the_accumulator_may_have_another_type_than_the_event) {
    FiloSfBuilder *b = embed_builder("F");
    embed(b, filo_sf_accum_hold(filo_sf_input(b), FILO_SF(int32_t, 100), &longer),
          &(Embed){ .delta = T(0, 1, 1, 1), .in = { E(1, 5, NO, 7) }, .out = { V(100, 101, 101, 102) } });
}

FILO_TEST(accum_filter_updates_always_and_occurs_only_with_a_result) {
    // Accumulators: 2, 25, 254, of which the even ones have a result.
    FiloSfBuilder *b = embed_builder("F");
    embed(b, filo_sf_accum_filter(filo_sf_input(b), FILO_SF(float, 0), &mix, &even_sum),
          &(Embed){ .delta = T(0, 1, 1, 1), .in = { E(2, 5, NO, 4) }, .out = { E(202, NO, NO, 654) } });
}

FILO_TEST(count_counts_events_of_any_kind) {
    FiloSfBuilder *b = embed_builder("UF");
    embed(b, filo_sf_pair(filo_sf_count(filo_sf_in(b, 0)), filo_sf_count(filo_sf_in(b, 1))),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { U(1, NO, 1, 1), E(NO, 7, NO, 8) },
                    .out = { E(1, NO, 2, 3), E(NO, 1, NO, 2) } });
}
