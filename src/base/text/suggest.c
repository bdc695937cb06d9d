// The nearest name by edit distance, and a table of what was reported: see suggest.h.

#include "base/suggest.h"

#include "base/atomic.h"

#include <filo/hash.h>

#include <stdio.h>

// ---- Nearest names ----------------------------------------------------------------------------------------

// Up to a third of a word may be wrong, and one letter of a short word.
BaseSuggestion base_suggest(FiloString wanted) {
    bool too_short = wanted.length < 2;
    return (BaseSuggestion){ .wanted = wanted,
                             .limit = too_short ? 0 : 1 + FILO_MAX(wanted.length / 3, (size_t)1) };
}

bool base_suggest_offer(BaseSuggestion *suggestion, FiloString candidate) {
    FiloString wanted = suggestion->wanted;
    // Of longer names only the first bytes would be compared.
    if (wanted.length > FILO_STRING_DISTANCE_LENGTH || candidate.length > FILO_STRING_DISTANCE_LENGTH)
        return false;
    size_t distance = filo_string_distance(wanted, candidate);
    if (wanted.length >= 3 && filo_string_starts_with(candidate, wanted))
        distance = FILO_MIN(distance, (size_t)1);
    if (candidate.length == 0 || distance >= suggestion->limit) return false;
    suggestion->best = candidate;
    suggestion->limit = distance;
    return true;
}

const char *base_suggest_print(const BaseSuggestion *suggestion, char text[BASE_SUGGEST_SIZE]) {
    text[0] = '\0';
    if (suggestion->best.length > 0)
        (void)snprintf(text, BASE_SUGGEST_SIZE, ": did you mean \"%.*s\"?", (int)suggestion->best.length,
                       suggestion->best.data);
    return text;
}

// ---- Once -------------------------------------------------------------------------------------------------

#define SLOTS 4096 // a power of two
#define TRIES 64

static BASE_ATOMIC(uint64_t) reported[SLOTS]; // hashes; 0: free

bool base_first_time(const char *about, FiloString what) {
    uint64_t key = filo_hash_combine(filo_hash_text(about), filo_hash(what.data, what.length));
    if (key == 0) key = 1;
    for (size_t i = 0; i < TRIES; i++) {
        BASE_ATOMIC(uint64_t) *slot = &reported[(key + i) % SLOTS];
        uint64_t found = base_load_relaxed(slot);
        if (found == 0 && base_cas_relaxed(slot, &found, key)) return true;
        if (found == key) return false;
    }
    return false;
}
