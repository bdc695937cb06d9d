// Pieces of a buffer. See ranges.h.

#include "gfx3d/meshes/ranges.h"

uint32_t gfx3d_ranges_take(Gfx3dRanges *ranges, uint32_t count) {
    for (size_t i = 0; i < ranges->free.count; i++) {
        Gfx3dRange *range = &ranges->free.items[i];
        if (range->count < count) continue;
        uint32_t first = range->first;
        range->first += count;
        range->count -= count;
        if (range->count == 0) filo_array_remove(&ranges->free, i);
        return first;
    }
    return UINT32_MAX;
}

void gfx3d_ranges_give(Gfx3dRanges *ranges, uint32_t first, uint32_t count) {
    if (count == 0) return;
    size_t at = 0;
    while (at < ranges->free.count && ranges->free.items[at].first < first) at++;
    Gfx3dRange *before = at > 0 ? &ranges->free.items[at - 1] : NULL;
    Gfx3dRange *after = at < ranges->free.count ? &ranges->free.items[at] : NULL;
    bool joins_before = before != NULL && before->first + before->count == first;
    bool joins_after = after != NULL && first + count == after->first;
    if (joins_before && joins_after) {
        before->count += count + after->count;
        filo_array_remove(&ranges->free, at);
    } else if (joins_before) {
        before->count += count;
    } else if (joins_after) {
        after->first = first;
        after->count += count;
    } else {
        (void)filo_array_insert(&ranges->free, at, (Gfx3dRange){ first, count });
    }
}

bool gfx3d_ranges_grow(Gfx3dRanges *ranges, uint32_t end) {
    if (!filo_array_reserve(&ranges->free, ranges->free.count + 1)) return false;
    gfx3d_ranges_give(ranges, ranges->end, end - ranges->end);
    ranges->end = end;
    return true;
}
