// Numbers instead of words of a state: what bytes of a file may have where a program has written something else.

#ifndef FILO_TEST_DAMAGE_WORD_H
#define FILO_TEST_DAMAGE_WORD_H

#include <stdint.h>

// `choice` says which.
static inline uint32_t damage_word(uint32_t choice, uint32_t word) {
    static const uint32_t words[] = {
        0,          1,          2,          3,          UINT32_MAX, 0x7FF00000,
        0xFFF00000, 0x7FC00000, 0x01010101, 0x02020202, 0x0000FFFF, 0x80000000
    };
    uint32_t kind = choice % 16, rest = choice >> 4;
    if (kind < 12) return words[kind];
    if (kind == 12) return word ^ 1u << rest % 32;
    if (kind == 13) return word + 1;
    return kind == 14 ? rest % 100 : rest * 2654435761u;
}

#endif
