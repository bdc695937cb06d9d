// Sets of bits, in words of 64. Bits of the last word at and beyond the count are always 0, so that counting, comparing
// and searching need not test the count.

#include <filo/check.h>
#include <filo/containers.h>

#include <string.h>

#define WORD 64

static size_t word_count(const FiloBits *bits) { return FILO_BITS_WORDS(bits->count); }

// The lowest `count` bits, `count` from 0 to 64.
static uint64_t low_bits(size_t count) { return count < WORD ? (UINT64_C(1) << count) - 1 : UINT64_MAX; }

static void clear_beyond_count(FiloBits *bits) {
    if (bits->words != NULL && bits->count % WORD != 0)
        bits->words[bits->count / WORD] &= low_bits(bits->count % WORD);
}

// ---- Memory -------------------------------------------------------------------------------------------

void filo_bits_init(FiloBits *bits, const FiloAllocator *allocator) {
    *bits = (FiloBits){ .allocator = allocator };
}

void filo_bits_deinit(FiloBits *bits) {
    if (bits->capacity > 0)
        filo_free(bits->allocator, bits->words, bits->capacity * sizeof *bits->words, sizeof *bits->words);
    filo_bits_init(bits, bits->allocator);
}

FiloBits filo_bits_over(uint64_t *words, size_t count) {
    FiloBits bits = { .words = words, .count = count };
    clear_beyond_count(&bits);
    return bits;
}

static bool set_capacity(FiloBits *bits, size_t words) {
    // It doubles, so that growing one by one does not copy each time.
    size_t capacity = FILO_MAX(words, bits->capacity * 2);
    uint64_t *memory = filo_resize(bits->allocator, bits->words, bits->capacity * sizeof *memory,
                                   capacity * sizeof *memory, sizeof *memory);
    if (memory == NULL) return false;
    bits->words = memory;
    bits->capacity = capacity;
    return true;
}

bool filo_bits_resize(FiloBits *bits, size_t count) {
    size_t before = word_count(bits), after = count / WORD + (count % WORD != 0);
    bool owned = bits->words == NULL || bits->capacity > 0;
    if (!FILO_CHECK(owned || after <= before, "this set lies on memory of yours and cannot be made larger"))
        return false;
    if (owned && after > bits->capacity && !set_capacity(bits, after)) return false;
    if (after > before) memset(bits->words + before, 0, (after - before) * sizeof *bits->words);
    bits->count = count;
    clear_beyond_count(bits);
    return true;
}

bool filo_bits_copy(FiloBits *bits, const FiloBits *other) {
    if (!filo_bits_resize(bits, other->count)) return false;
    if (bits->count > 0) memmove(bits->words, other->words, word_count(bits) * sizeof *bits->words);
    return true;
}

// ---- Ranges -------------------------------------------------------------------------------------------

bool filo_bits_check_failed(size_t index, size_t count) {
    return FILO_CHECK(index < count, "bit %zu is outside the set: use one below %zu, or resize it", index,
                      count);
}

static bool check_range(const FiloBits *bits, size_t first, size_t count) {
    return FILO_CHECK(first <= bits->count && count <= bits->count - first,
                      "%zu bits from %zu are not all in a set of %zu bits", count, first, bits->count);
}

// One word of a range: which, and which of its bits.
typedef struct Piece {
    size_t word;
    uint64_t mask;
} Piece;

// Removes the first piece from a range that is not empty.
static Piece next_piece(size_t *first, size_t *count) {
    size_t shift = *first % WORD, length = FILO_MIN(*count, WORD - shift);
    Piece piece = { *first / WORD, low_bits(length) << shift };
    *first += length;
    *count -= length;
    return piece;
}

void filo_bits_set_range(FiloBits *bits, size_t first, size_t count) {
    if (!check_range(bits, first, count)) return;
    while (count > 0) {
        Piece piece = next_piece(&first, &count);
        bits->words[piece.word] |= piece.mask;
    }
}

void filo_bits_clear_range(FiloBits *bits, size_t first, size_t count) {
    if (!check_range(bits, first, count)) return;
    while (count > 0) {
        Piece piece = next_piece(&first, &count);
        bits->words[piece.word] &= ~piece.mask;
    }
}

size_t filo_bits_count_range(const FiloBits *bits, size_t first, size_t count) {
    size_t set = 0;
    if (!check_range(bits, first, count)) return 0;
    while (count > 0) {
        Piece piece = next_piece(&first, &count);
        set += (size_t)__builtin_popcountll(bits->words[piece.word] & piece.mask);
    }
    return set;
}

// ---- All ----------------------------------------------------------------------------------------------

void filo_bits_set_all(FiloBits *bits) {
    if (bits->count == 0) return;
    memset(bits->words, 0xFF, word_count(bits) * sizeof *bits->words);
    clear_beyond_count(bits);
}

void filo_bits_clear_all(FiloBits *bits) {
    if (bits->count > 0) memset(bits->words, 0, word_count(bits) * sizeof *bits->words);
}

size_t filo_bits_count_set(const FiloBits *bits) {
    size_t set = 0;
    for (size_t i = 0, end = word_count(bits); i < end; i++)
        set += (size_t)__builtin_popcountll(bits->words[i]);
    return set;
}

bool filo_bits_any(const FiloBits *bits) { return filo_bits_next_word(bits, 0) != FILO_BITS_NONE; }

size_t filo_bits_next_word(const FiloBits *bits, size_t word) {
    for (size_t end = word_count(bits); word < end; word++)
        if (bits->words[word] != 0) return word * WORD + (size_t)__builtin_ctzll(bits->words[word]);
    return FILO_BITS_NONE;
}

size_t filo_bits_next_clear(const FiloBits *bits, size_t from) {
    if (from >= bits->count) return FILO_BITS_NONE;
    uint64_t word = ~bits->words[from / WORD] & ~low_bits(from % WORD);
    for (size_t i = from / WORD, end = word_count(bits);;) {
        if (word != 0) {
            size_t found = i * WORD + (size_t)__builtin_ctzll(word);
            return found < bits->count ? found : FILO_BITS_NONE;
        }
        if (++i == end) return FILO_BITS_NONE;
        word = ~bits->words[i];
    }
}

// ---- Two sets -----------------------------------------------------------------------------------------

static bool check_same_count(const FiloBits *bits, const FiloBits *other) {
    return FILO_CHECK(bits->count == other->count,
                      "resize the sets to the same count first: they have %zu and %zu", bits->count,
                      other->count);
}

void filo_bits_and(FiloBits *bits, const FiloBits *other) {
    if (!check_same_count(bits, other)) return;
    for (size_t i = 0, end = word_count(bits); i < end; i++) bits->words[i] &= other->words[i];
}

void filo_bits_or(FiloBits *bits, const FiloBits *other) {
    if (!check_same_count(bits, other)) return;
    for (size_t i = 0, end = word_count(bits); i < end; i++) bits->words[i] |= other->words[i];
}

void filo_bits_and_not(FiloBits *bits, const FiloBits *other) {
    if (!check_same_count(bits, other)) return;
    for (size_t i = 0, end = word_count(bits); i < end; i++) bits->words[i] &= ~other->words[i];
}

bool filo_bits_equal(const FiloBits *a, const FiloBits *b) {
    if (a->count != b->count) return false;
    return a->count == 0 || memcmp(a->words, b->words, word_count(a) * sizeof *a->words) == 0;
}
