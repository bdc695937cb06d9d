// See claims.h.

#include "placement/claims.h"

#include <string.h>

void placement_margins(const FiloPlacement *p, uint32_t wanted, double margins[FILO_PLACEMENT_FOOTPRINTS]) {
    for (int f = 0; f < p->footprint_count; f++) margins[f] = wanted >> f & 1 ? 0 : -1;
    for (int later = p->footprint_count - 1; later >= 0; later--) {
        if (margins[later] < 0) continue;
        for (int earlier = 0; earlier < later; earlier++) {
            float reach = p->footprints[later].reach[earlier];
            if (reach > 0) margins[earlier] = FILO_MAX(margins[earlier], margins[later] + (double)reach);
        }
    }
}

// ---- Bins ---------------------------------------------------------------------------------------------------

static size_t bin_count(int32_t width, int32_t height, int shift) {
    return ((size_t)(width >> shift) + 1) * ((size_t)(height >> shift) + 1);
}

// Bins of one to two times the reach: smaller ones have fewer items that are too far, and cost more to fill and visit.
// Where objects are few for that, bins are larger: memory depends on the number of objects, not on the area.
static int shift_for(size_t count, int32_t width, int32_t height, int32_t reach) {
    int shift = 0;
    while (shift < 20 && (int32_t)1 << shift <= reach) shift++;
    while (shift < 30 && bin_count(width, height, shift) > 4 * count + 64) shift++;
    return shift;
}

size_t placement_bins_size(size_t count, int32_t width, int32_t height, int32_t reach) {
    size_t bins = bin_count(width, height, shift_for(count, width, height, reach)) + 1;
    return FILO_ALIGN_UP(bins * sizeof(uint32_t), (size_t)16) + count * sizeof(PlacementClaim);
}

static uint32_t bin_of(const PlacementClaimBins *bins, int32_t x, int32_t y) {
    int32_t column = FILO_CLAMP((x - bins->x) >> bins->shift, 0, bins->columns - 1);
    int32_t row = FILO_CLAMP((y - bins->y) >> bins->shift, 0, bins->rows - 1);
    return (uint32_t)(row * bins->columns + column);
}

void placement_bins_build(PlacementClaimBins *bins, const PlacementClaim *items, size_t count, int32_t x,
                          int32_t y, int32_t width, int32_t height, int32_t reach, void *memory) {
    int shift = shift_for(count, width, height, reach);
    *bins = (PlacementClaimBins){ .x = x,
                                  .y = y,
                                  .shift = shift,
                                  .columns = (width >> shift) + 1,
                                  .rows = (height >> shift) + 1,
                                  .most = -1,
                                  .count = count };
    size_t total = bin_count(width, height, shift);
    bins->first = memory;
    bins->items = (PlacementClaim *)(void *)((char *)memory +
                                             FILO_ALIGN_UP((total + 1) * sizeof(uint32_t), (size_t)16));
    for (size_t i = 0; i < count; i++) bins->most = FILO_MAX(bins->most, items[i].radius);
    // A counting sort. first[b + 1] is the end of bin b, until the items have been moved down one by one.
    memset(bins->first, 0, (total + 1) * sizeof(uint32_t));
    for (size_t i = 0; i < count; i++) bins->first[bin_of(bins, items[i].x, items[i].y)]++;
    uint32_t sum = 0;
    for (size_t b = 0; b <= total; b++) sum += bins->first[b], bins->first[b] = sum;
    for (size_t i = count; i-- > 0;)
        bins->items[--bins->first[bin_of(bins, items[i].x, items[i].y)]] = items[i];
}

// All items of the bins around a point: those of neighbouring bins in a row follow each other.
#define EACH_NEAR(bins, px, py, reach, item)                                                                 \
    for (int32_t row_ = FILO_MAX(((py) - (reach) - (bins)->y) >> (bins)->shift, 0),                          \
                 last_row_ = FILO_MIN(((py) + (reach) - (bins)->y) >> (bins)->shift, (bins)->rows - 1),      \
                 column_ = FILO_MAX(((px) - (reach) - (bins)->x) >> (bins)->shift, 0),                       \
                 last_ = FILO_MIN(((px) + (reach) - (bins)->x) >> (bins)->shift, (bins)->columns - 1);       \
         row_ <= last_row_ && column_ <= last_; row_++)                                                      \
        for (const PlacementClaim *item = (bins)->items + (bins)->first[row_ * (bins)->columns + column_],   \
                                  *end_ = (bins)->items + (bins)->first[row_ * (bins)->columns + last_ + 1]; \
             item < end_; item++)

// The squared distance; UINT32_MAX if it is further than any reach.
static inline uint32_t squared_distance(const PlacementClaim *item, int32_t x, int32_t y) {
    int32_t dx = item->x - x, dy = item->y - y;
    if (dx < -32767 || dx > 32767 || dy < -32767 || dy > 32767) return UINT32_MAX;
    return (uint32_t)(dx * dx) + (uint32_t)(dy * dy);
}

bool placement_blocked(const PlacementClaims *claims, int32_t x, int32_t y, int32_t radius) {
    if (radius < 0) return false;
    for (int e = 0; e < claims->count; e++) {
        const PlacementClaimBins *bins = &claims->bins[e];
        if (bins->count == 0) continue;
        EACH_NEAR(bins, x, y, radius + bins->most, item) {
            uint32_t least = (uint32_t)(item->radius + radius);
            if (item->radius >= 0 && squared_distance(item, x, y) < least * least) return true;
        }
    }
    return false;
}

uint32_t placement_nearest(const PlacementClaims *claims, int32_t x, int32_t y, const PlacementNear *near) {
    uint32_t nearest = UINT32_MAX, limit = (uint32_t)near->within_units * (uint32_t)near->within_units;
    for (int e = 0; e < claims->count; e++) {
        const PlacementClaimBins *bins = &claims->bins[e];
        if (bins->count == 0) continue;
        EACH_NEAR(bins, x, y, near->within_units, item) {
            if ((near->layers[item->layer / 32] >> (item->layer % 32) & 1) == 0) continue;
            uint32_t d = squared_distance(item, x, y);
            if (d < limit && d < nearest) nearest = d;
        }
    }
    return nearest;
}
