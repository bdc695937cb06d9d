// Entities of a query in the order of a key: a radix sort by bytes, least significant first. It is stable, and skips
// bytes that are equal in all keys.

#include "ecs/query/iter.h"

typedef struct Item {
    uint64_t key;
    FiloEntity entity;
} Item;

uint64_t filo_sort_key_float(float number) {
    if (number != number) return UINT64_MAX;
    if (number == 0) number = 0; // also for −0
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 31 != 0 ? ~bits : bits | 1u << 31;
}

static void radix_sort(Item *items, Item *spare, size_t count) {
    uint64_t all_and = UINT64_MAX, all_or = 0;
    for (size_t i = 0; i < count; i++) all_and &= items[i].key, all_or |= items[i].key;
    Item *from = items, *to = spare;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (((all_and ^ all_or) >> shift & 0xFF) == 0) continue;
        size_t starts[257] = { 0 };
        for (size_t i = 0; i < count; i++) starts[(from[i].key >> shift & 0xFF) + 1]++;
        for (size_t i = 0; i < 256; i++) starts[i + 1] += starts[i];
        for (size_t i = 0; i < count; i++) to[starts[from[i].key >> shift & 0xFF]++] = from[i];
        Item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, count * sizeof *items);
}

size_t filo_query_sorted(FiloQuery *query, FiloKeyFunction key, void *user, FiloEntity *entities,
                         size_t capacity) {
    if (!FILO_CHECK_MADE(query != NULL && key != NULL, "pass a query and a function that makes keys") ||
        !ecs_query_may_access(query, FILO_ACCESS_READ))
        return 0;
    size_t count = filo_query_count(query), filled = 0;
    if (count == 0) return 0;
    Item *items = ecs_sort_scratch_acquire(query->world, 2 * count * sizeof *items);
    if (items == NULL) return 0;
    FiloIter it;
    ecs_iter_begin_read_only(&it, query);
    while (filo_iter_next(&it))
        for (size_t i = 0; i < it.count && filled < count; i++)
            items[filled++] = (Item){ key(&it, i, user), filo_iter_entity(&it, i) };
    radix_sort(items, items + count, filled);
    for (size_t i = 0; i < FILO_MIN(filled, capacity); i++) entities[i] = items[i].entity;
    ecs_sort_scratch_release(query->world, items);
    return filled;
}
