// A history: the newest state whole, and for each older state its difference from the next newer one.
//
// So the oldest state can be dropped at once, and going back is applying differences one after the other. A
// difference has the list of the older state's sections, and its bytes as far as they differ. Each section is
// compared with the one of the same key in the newer state, in pieces of 4 KiB. A piece that differs is stored as the
// exclusive or of both, which is mostly zeroes, and all pieces are compressed together.
//
// The memory of a difference that is dropped is used for the next one, so a steady history does not allocate.

#include "ecs/snapshot/snapshot.h"

#include <zstd.h>

#define DEFAULT_LENGTH 600
#define PIECE          FILO_KIB(4)
#define LEVEL          1

// Turns a state into the one before it.
typedef struct Difference {
    uint8_t *bytes; // sections, bits of pieces, compressed pieces
    size_t size, capacity;
    size_t sections;   // of the older state
    size_t state_size; // bytes of the older state
    size_t pieces;     // bytes of the pieces that differ, before compression
    uint64_t tick;     // of the older state
} Difference;

struct FiloHistory {
    const FiloAllocator *allocator;
    size_t length, budget;
    FiloSnapshot *newest, *work; // `work`: for the next state, and for going back
    bool has_newest;
    Difference *differences; // a ring of length − 1
    size_t first, count;     // the oldest, and how many
    Difference spare;        // for the next one; swapped with the slot in the ring
    FiloMap keys;            // section key → index in the newer state
    uint8_t *pieces;         // scratch: those that differ, before compression
    size_t pieces_capacity;
    ZSTD_CCtx *compress;
    ZSTD_DCtx *decompress;
};

// ---- Creating and destroying ----------------------------------------------------------------------------

FiloResult filo_history_create(FiloHistory **out, const FiloHistoryDesc *desc) {
    if (out == NULL) return FILO_MISTAKE("pass where to put the history");
    FiloHistoryDesc zero = { 0 };
    if (desc == NULL) desc = &zero;
    *out = NULL;
    FiloResult no_memory = filo_error(FILO_ERROR_MEMORY, "no memory for a history");
    FiloHistory *history = filo_alloc_zero(desc->allocator, sizeof *history, 0);
    if (history == NULL) return no_memory;
    history->allocator = desc->allocator;
    history->length = desc->length > 0 ? desc->length : DEFAULT_LENGTH;
    history->budget = desc->memory_budget > 0 ? desc->memory_budget : SIZE_MAX;
    filo_map_init(&history->keys, sizeof(uint32_t), desc->allocator);
    history->newest = filo_snapshot_create(desc->allocator);
    history->work = filo_snapshot_create(desc->allocator);
    history->compress = ZSTD_createCCtx();
    history->decompress = ZSTD_createDCtx();
    bool ok = history->newest != NULL && history->work != NULL && history->compress != NULL &&
              history->decompress != NULL;
    size_t size;
    ok = ok && !__builtin_mul_overflow(history->length - 1, sizeof(Difference), &size);
    if (ok && history->length > 1) {
        history->differences = filo_alloc_zero(desc->allocator, size, 0);
        ok = history->differences != NULL;
    }
    if (!ok) {
        filo_history_destroy(history);
        return no_memory;
    }
    *out = history;
    return filo_ok();
}

void filo_history_destroy(FiloHistory *history) {
    if (history == NULL) return;
    const FiloAllocator *allocator = history->allocator;
    if (history->differences != NULL) {
        for (size_t i = 0; i + 1 < history->length; i++)
            filo_free(allocator, history->differences[i].bytes, history->differences[i].capacity, 0);
        filo_free(allocator, history->differences, (history->length - 1) * sizeof *history->differences, 0);
    }
    filo_snapshot_destroy(history->newest);
    filo_snapshot_destroy(history->work);
    filo_map_deinit(&history->keys);
    filo_free(allocator, history->spare.bytes, history->spare.capacity, 0);
    filo_free(allocator, history->pieces, history->pieces_capacity, ECS_SNAPSHOT_ALIGN);
    ZSTD_freeCCtx(history->compress);
    ZSTD_freeDCtx(history->decompress);
    filo_free(allocator, history, sizeof *history, 0);
}

void filo_history_clear(FiloHistory *history) {
    if (!FILO_CHECK(history != NULL, "pass a history")) return;
    history->has_newest = false;
    history->first = history->count = 0;
    ecs_snapshot_clear(history->newest);
}

// A slot of the ring, counted from the oldest difference.
static Difference *ring_at(const FiloHistory *history, size_t number) {
    size_t at = history->first + number, length = history->length - 1;
    return &history->differences[at < length ? at : at - length];
}

static void drop_oldest(FiloHistory *history) {
    history->first = history->first + 2 < history->length ? history->first + 1 : 0;
    history->count--;
}

// The difference that leads to the state `back` pushes before the newest; `back` from 1.
static Difference *difference_at(const FiloHistory *history, size_t back) {
    return ring_at(history, history->count - back);
}

// ---- Counting -------------------------------------------------------------------------------------------

size_t filo_history_count(const FiloHistory *history) {
    if (!FILO_CHECK(history != NULL, "pass a history")) return 0;
    return history->has_newest ? history->count + 1 : 0;
}

uint64_t filo_history_ticks(const FiloHistory *history, size_t back) {
    if (!FILO_CHECK(history != NULL, "pass a history")) return 0;
    if (back >= filo_history_count(history)) return 0;
    return back == 0 ? filo_snapshot_ticks(history->newest) : difference_at(history, back)->tick;
}

static size_t memory_of_differences(const FiloHistory *history) {
    size_t memory = history->spare.capacity;
    for (size_t i = 0; i + 1 < history->length; i++) memory += history->differences[i].capacity;
    return memory;
}

size_t filo_history_memory(const FiloHistory *history) {
    if (!FILO_CHECK(history != NULL, "pass a history")) return 0;
    return memory_of_differences(history) + history->newest->capacity + history->work->capacity +
           history->pieces_capacity;
}

static size_t free_difference(FiloHistory *history, Difference *difference) {
    size_t memory = difference->capacity;
    filo_free(history->allocator, difference->bytes, difference->capacity, 0);
    *difference = (Difference){ 0 };
    return memory;
}

// Frees the memory of empty slots first, then the oldest states.
static void enforce_budget(FiloHistory *history) {
    size_t memory = filo_history_memory(history);
    for (size_t i = history->count; i + 1 < history->length && memory > history->budget; i++)
        memory -= free_difference(history, ring_at(history, i));
    while (history->count > 0 && memory > history->budget) {
        memory -= free_difference(history, ring_at(history, 0));
        drop_oldest(history);
    }
}

// ---- Comparing ------------------------------------------------------------------------------------------

static size_t pieces_in(size_t size) { return (size + PIECE - 1) / PIECE; }

// Pieces of all sections. Each section begins a new piece.
static size_t count_pieces(const EcsSection *sections, size_t count) {
    size_t pieces = 0;
    for (size_t i = 0; i < count; i++) pieces += pieces_in(sections[i].size);
    return pieces;
}

static void exclusive_or(uint8_t *to, const uint8_t *a, const uint8_t *b, size_t size) {
    for (size_t i = 0; i < size; i++) to[i] = a[i] ^ b[i];
}

static bool index_keys(FiloHistory *history, const FiloSnapshot *state) {
    filo_map_clear(&history->keys);
    if (!filo_map_reserve(&history->keys, state->sections.count)) return false;
    for (size_t i = 0; i < state->sections.count; i++) {
        uint32_t number = (uint32_t)i;
        if (!filo_map_set(&history->keys, state->sections.items[i].key, &number)) return false;
    }
    return true;
}

// The section with the same key. Mostly it has the same index.
static const EcsSection *find_section(const FiloHistory *history, const FiloSnapshot *state, uint64_t key,
                                      size_t number) {
    if (number < state->sections.count && state->sections.items[number].key == key)
        return &state->sections.items[number];
    const uint32_t *found = filo_map_get(&history->keys, key);
    return found != NULL ? &state->sections.items[*found] : NULL;
}

static bool reserve_pieces(FiloHistory *history, size_t size) {
    if (size <= history->pieces_capacity) return true;
    size_t capacity = FILO_ALIGN_UP(size + size / 8, PIECE);
    uint8_t *pieces = filo_alloc(history->allocator, capacity, ECS_SNAPSHOT_ALIGN);
    if (pieces == NULL) return false;
    if (history->pieces_capacity > 0) memcpy(pieces, history->pieces, history->pieces_capacity);
    filo_free(history->allocator, history->pieces, history->pieces_capacity, ECS_SNAPSHOT_ALIGN);
    history->pieces = pieces;
    history->pieces_capacity = capacity;
    return true;
}

// Compares a section with that of the newer state (of size 0 if there is none), and adds what differs to the pieces.
static bool compare_section(FiloHistory *history, const uint8_t *older, size_t size, const uint8_t *newer,
                            size_t newer_size, uint64_t *bits, size_t first_piece, size_t *used) {
    for (size_t at = 0, piece = first_piece; at < size; at += PIECE, piece++) {
        size_t length = FILO_MIN(PIECE, size - at);
        size_t common = at < newer_size ? FILO_MIN(length, newer_size - at) : 0;
        if (common == length && memcmp(older + at, newer + at, length) == 0) continue;
        if (!reserve_pieces(history, *used + length)) return false;
        uint8_t *to = history->pieces + *used;
        exclusive_or(to, older + at, newer + at, common);
        memcpy(to + common, older + at + common, length - common);
        bits[piece / 64] |= UINT64_C(1) << piece % 64;
        *used += length;
    }
    return true;
}

static bool reserve_difference(FiloHistory *history, Difference *difference, size_t size) {
    if (size <= difference->capacity) return true;
    size_t capacity = FILO_ALIGN_UP(size + size / 8, (size_t)256);
    uint8_t *bytes = filo_resize(history->allocator, difference->bytes, difference->capacity, capacity, 0);
    if (bytes == NULL) return false;
    difference->bytes = bytes;
    difference->capacity = capacity;
    return true;
}

// Fills the difference that turns `newer` into `older`.
static bool make_difference(FiloHistory *history, Difference *difference, const FiloSnapshot *older,
                            const FiloSnapshot *newer) {
    size_t sections = older->sections.count, sections_size = sections * sizeof(EcsSection);
    size_t words = FILO_BITS_WORDS(count_pieces(older->sections.items, sections)), used = 0, piece = 0;
    size_t fixed = sections_size + words * sizeof(uint64_t);
    if (!index_keys(history, newer) || !reserve_difference(history, difference, fixed)) return false;
    memcpy(difference->bytes, older->sections.items, sections_size);
    uint64_t *bits = (uint64_t *)(void *)(difference->bytes + sections_size);
    memset(bits, 0, words * sizeof *bits);
    for (size_t i = 0; i < sections; i++) {
        const EcsSection *section = &older->sections.items[i];
        const EcsSection *other = find_section(history, newer, section->key, i);
        if (!compare_section(history, ecs_snapshot_bytes(older, section), section->size,
                             other != NULL ? ecs_snapshot_bytes(newer, other) : newer->bytes,
                             other != NULL ? other->size : 0, bits, piece, &used))
            return false;
        piece += pieces_in(section->size);
    }
    // Compressed behind the pieces and then copied, so that the difference takes no more memory than it needs.
    size_t bound = ZSTD_compressBound(used);
    if (!reserve_pieces(history, used + bound)) return false;
    size_t compressed = used == 0 ? 0
                                  : ZSTD_compressCCtx(history->compress, history->pieces + used, bound,
                                                      history->pieces, used, LEVEL);
    // The only possible error is that the library has no memory, which it does not report.
    if (ZSTD_isError(compressed)) filo_out_of_memory("history", bound, ZSTD_getErrorName(compressed));
    if (ZSTD_isError(compressed) || !reserve_difference(history, difference, fixed + compressed))
        return false;
    memcpy(difference->bytes + fixed, history->pieces + used, compressed);
    difference->size = fixed + compressed;
    difference->sections = sections;
    difference->state_size = older->size;
    difference->pieces = used;
    difference->tick = filo_snapshot_ticks(older);
    return true;
}

// ---- Going back -----------------------------------------------------------------------------------------

// Fills `older`: applies the difference to `newer`.
static bool apply_difference(FiloHistory *history, const Difference *difference, FiloSnapshot *older,
                             const FiloSnapshot *newer) {
    ecs_snapshot_clear(older);
    if (!index_keys(history, newer) ||
        !ecs_snapshot_reserve(older, difference->state_size, difference->sections) ||
        !reserve_pieces(history, difference->pieces))
        return false;
    size_t sections_size = difference->sections * sizeof(EcsSection);
    memcpy(older->sections.items, difference->bytes, sections_size);
    older->sections.count = difference->sections;
    older->size = difference->state_size;
    size_t words = FILO_BITS_WORDS(count_pieces(older->sections.items, difference->sections));
    const uint64_t *bits = (const uint64_t *)(const void *)(difference->bytes + sections_size);
    const uint8_t *compressed = difference->bytes + sections_size + words * sizeof *bits;
    size_t compressed_size = difference->size - sections_size - words * sizeof *bits;
    if (difference->pieces > 0 &&
        ZSTD_isError(ZSTD_decompressDCtx(history->decompress, history->pieces, difference->pieces, compressed,
                                         compressed_size)))
        return false;
    const uint8_t *piece_at = history->pieces;
    size_t piece = 0;
    for (size_t i = 0; i < difference->sections; i++) {
        const EcsSection *section = &older->sections.items[i];
        const EcsSection *other = find_section(history, newer, section->key, i);
        size_t other_size = other != NULL ? other->size : 0;
        const uint8_t *from = other != NULL ? ecs_snapshot_bytes(newer, other) : newer->bytes;
        uint8_t *to = older->bytes + section->offset;
        for (size_t at = 0; at < section->size; at += PIECE, piece++) {
            size_t length = FILO_MIN(PIECE, section->size - at);
            if ((bits[piece / 64] >> piece % 64 & 1) == 0) {
                memcpy(to + at, from + at, length);
                continue;
            }
            size_t common = at < other_size ? FILO_MIN(length, other_size - at) : 0;
            exclusive_or(to + at, piece_at, from + at, common);
            memcpy(to + at + common, piece_at + common, length - common);
            piece_at += length;
        }
        size_t end = FILO_ALIGN_UP(section->offset + section->size, (size_t)ECS_SNAPSHOT_ALIGN);
        memset(to + section->size, 0, end - section->offset - section->size);
    }
    return true;
}

static bool copy_state(FiloSnapshot *to, const FiloSnapshot *from) {
    ecs_snapshot_clear(to);
    if (!ecs_snapshot_reserve(to, from->size, from->sections.count)) return false;
    memcpy(to->bytes, from->bytes, from->size);
    memcpy(to->sections.items, from->sections.items, from->sections.count * sizeof(EcsSection));
    to->size = from->size;
    to->sections.count = from->sections.count;
    return true;
}

FiloResult filo_history_get(FiloHistory *history, size_t back, FiloSnapshot *snapshot) {
    if (history == NULL || snapshot == NULL) return FILO_MISTAKE("pass a history and a snapshot");
    size_t count = filo_history_count(history);
    if (count == 0) return filo_error(FILO_ERROR_NOT_FOUND, "the history is empty: push a state first");
    if (back >= count)
        return filo_error(FILO_ERROR_NOT_FOUND, "the history goes back by %zu states, not by %zu", count - 1,
                          back);
    // From the newest back: each state follows from the one after it. Two buffers alternate so that the last is
    // `snapshot`.
    FiloSnapshot *buffers[2] = { snapshot, history->work };
    const FiloSnapshot *state = history->newest;
    bool ok = back > 0 || copy_state(snapshot, state);
    for (size_t i = 1; i <= back && ok; i++) {
        FiloSnapshot *to = buffers[(back - i) % 2];
        ok = apply_difference(history, difference_at(history, i), to, state);
        state = to;
    }
    if (ok) return filo_ok();
    ecs_snapshot_clear(snapshot);
    return filo_error(FILO_ERROR_MEMORY, "no memory to go back in a history");
}

// ---- Pushing and rewinding ------------------------------------------------------------------------------

FiloResult filo_history_push(FiloHistory *history, FiloWorld *world) {
    if (history == NULL || world == NULL) return FILO_MISTAKE("pass a history and a world");
    FiloResult result = filo_snapshot_take(history->work, world);
    if (result.code != FILO_OK) return result;
    if (history->work->has_hooks)
        return filo_error(FILO_ERROR_UNSUPPORTED,
                          "a history cannot keep components with hooks; make them transient");
    if (history->has_newest && history->length > 1) {
        if (!make_difference(history, &history->spare, history->newest, history->work))
            return filo_error(FILO_ERROR_MEMORY, "no memory to keep another state in a history");
        if (history->count == history->length - 1) drop_oldest(history);
        Difference *slot = ring_at(history, history->count);
        Difference before = *slot;
        *slot = history->spare;
        history->spare = before;
        history->count++;
    }
    FiloSnapshot *before = history->newest;
    history->newest = history->work;
    history->work = before;
    history->has_newest = true;
    enforce_budget(history);
    return filo_ok();
}

FiloResult filo_history_rewind(FiloHistory *history, FiloWorld *world, size_t back) {
    if (history == NULL || world == NULL) return FILO_MISTAKE("pass a history and a world");
    if (back == 0 && filo_history_count(history) > 0) return filo_snapshot_restore(history->newest, world);
    FiloSnapshot *state = filo_snapshot_create(history->allocator);
    if (state == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to go back in a history");
    FiloResult result = filo_history_get(history, back, state);
    if (result.code == FILO_OK) result = filo_snapshot_restore(state, world);
    if (result.code == FILO_OK) {
        FiloSnapshot *newest = history->newest;
        history->newest = state;
        state = newest;
        history->count -= back;
    }
    filo_snapshot_destroy(state);
    return result;
}
