// Temporal logic of the past, as signal functions. Each is a scan: it needs to know one value of the instant before.

#include <filo/embed.h>

FILO_SF_FUNCTION2(both_true, bool, bool, before, bool, now) { return before && now; }
FILO_SF_FUNCTION2(one_true, bool, bool, before, bool, now) { return before || now; }

FiloSf filo_sf_so_far(FiloSf x) { return filo_sf_sscan(x, FILO_SF(bool, true), &both_true); }
FiloSf filo_sf_ever(FiloSf x) { return filo_sf_sscan(x, FILO_SF(bool, false), &one_true); }
FiloSf filo_sf_last(FiloSf x, bool initial) { return filo_sf_i_pre(x, FILO_SF(bool, initial)); }
FiloSf filo_sf_implies(FiloSf x, FiloSf y) { return filo_sf_or(filo_sf_not(x), y); }

// Two bools as one number, because the function of a scan has one input.
enum { FIRST = 1, SECOND = 2 };
FILO_SF_FUNCTION2(as_bits, int32_t, bool, x, bool, y) { return (x ? FIRST : 0) | (y ? SECOND : 0); }

FILO_SF_FUNCTION2(since_step, bool, bool, before, int32_t, now) {
    return (now & SECOND) != 0 || (before && (now & FIRST) != 0);
}

FiloSf filo_sf_since(FiloSf x, FiloSf y) {
    return filo_sf_sscan(filo_sf_arr2(x, y, &as_bits), FILO_SF(bool, false), &since_step);
}

// The states of filo_sf_until.
enum { UNTIL_WAITING, UNTIL_REACHED, UNTIL_FAILED };
FILO_SF_FUNCTION2(until_step, int32_t, int32_t, state, int32_t, now) {
    if (state == UNTIL_FAILED) return UNTIL_FAILED;
    if ((now & SECOND) != 0) return UNTIL_REACHED;
    return state == UNTIL_WAITING && (now & FIRST) != 0 ? UNTIL_WAITING : UNTIL_FAILED;
}
FILO_SF_PREDICATE(is_not_failed, int32_t, state) { return state != UNTIL_FAILED; }

FiloSf filo_sf_until(FiloSf x, FiloSf y) {
    FiloSf state = filo_sf_sscan(filo_sf_arr2(x, y, &as_bits), FILO_SF(int32_t, UNTIL_WAITING), &until_step);
    return filo_sf_arr(state, &is_not_failed);
}
