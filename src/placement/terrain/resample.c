// Grids of half and of twice the resolution.

#include "placement/terrain/noise.h"
#include "placement/terrain/terrain.h"

typedef struct Resampling {
    PlacementGrid to, from;
    float distance; // of warping
    uint32_t seed;
} Resampling;

// ---- Halving --------------------------------------------------------------------------------------------

static void halve_rows(size_t begin, size_t end, void *user) {
    const Resampling *r = user;
    int last_x = r->from.width - 1, last_y = r->from.height - 1;
    for (int y = (int)begin; y < (int)end; y++) {
        const float *a = r->from.data + (size_t)(2 * y) * (size_t)r->from.width;
        const float *b = r->from.data + (size_t)FILO_MIN(2 * y + 1, last_y) * (size_t)r->from.width;
        float *to = r->to.data + (size_t)y * (size_t)r->to.width;
        for (int x = 0; x < r->to.width; x++) {
            int left = 2 * x, right = FILO_MIN(left + 1, last_x);
            to[x] = ((a[left] + a[right]) + (b[left] + b[right])) * 0.25f;
        }
    }
}

void placement_terrain_halve(const PlacementTerrain *terrain, PlacementGrid to, PlacementGrid from) {
    placement_terrain_for(terrain, (size_t)to.height, halve_rows, &(Resampling){ .to = to, .from = from });
}

// ---- Enlarging ------------------------------------------------------------------------------------------

// The weights of four texels, the second and third of which are around the position.
typedef struct Weights {
    int index[4];
    float weight[4];
} Weights;

static float position_in(int i, int to_size, int from_size) {
    return ((float)i + 0.5f) * (float)from_size / (float)to_size - 0.5f;
}

static Weights weights_at(float position, int from_size) {
    int whole = filo_floor_to_int(position);
    float t = position - (float)whole, s = 1.0f - t;
    Weights w;
    for (int k = 0; k < 4; k++) w.index[k] = FILO_CLAMP(whole - 1 + k, 0, from_size - 1);
    w.weight[0] = s * s * s * (1.0f / 6.0f);
    w.weight[1] = (4.0f - 6.0f * t * t + 3.0f * t * t * t) * (1.0f / 6.0f);
    w.weight[2] = (4.0f - 6.0f * s * s + 3.0f * s * s * s) * (1.0f / 6.0f);
    w.weight[3] = t * t * t * (1.0f / 6.0f);
    return w;
}

static void enlarge_rows(size_t begin, size_t end, void *user) {
    const Resampling *r = user;
    for (size_t y = begin; y < end; y++) {
        Weights wy = weights_at(position_in((int)y, r->to.height, r->from.height), r->from.height);
        const float *rows[4];
        for (int k = 0; k < 4; k++) rows[k] = r->from.data + (size_t)wy.index[k] * (size_t)r->from.width;
        float *to = r->to.data + y * (size_t)r->to.width, columns[4];
        for (int x = 0; x < r->to.width; x++) {
            Weights wx = weights_at(position_in(x, r->to.width, r->from.width), r->from.width);
            for (int k = 0; k < 4; k++) {
                int i = wx.index[k];
                columns[k] = (rows[0][i] * wy.weight[0] + rows[1][i] * wy.weight[1]) +
                             (rows[2][i] * wy.weight[2] + rows[3][i] * wy.weight[3]);
            }
            to[x] = (columns[0] * wx.weight[0] + columns[1] * wx.weight[1]) +
                    (columns[2] * wx.weight[2] + columns[3] * wx.weight[3]);
        }
    }
}

void placement_terrain_enlarge(const PlacementTerrain *terrain, PlacementGrid to, PlacementGrid from) {
    placement_terrain_for(terrain, (size_t)to.height, enlarge_rows, &(Resampling){ .to = to, .from = from });
}

// ---- Warping --------------------------------------------------------------------------------------------

static float sample(PlacementGrid from, float x, float y) {
    Weights wx = weights_at(x, from.width), wy = weights_at(y, from.height);
    float sum = 0.0f;
    for (int j = 0; j < 4; j++) {
        const float *row = from.data + (size_t)wy.index[j] * (size_t)from.width;
        float columns = (row[wx.index[0]] * wx.weight[0] + row[wx.index[1]] * wx.weight[1]) +
                        (row[wx.index[2]] * wx.weight[2] + row[wx.index[3]] * wx.weight[3]);
        sum += columns * wy.weight[j];
    }
    return sum;
}

static void warp_rows(size_t begin, size_t end, void *user) {
    const Resampling *r = user;
    const float frequency = 0.27f; // waves in a texel of `from`
    for (size_t j = begin; j < end; j++) {
        float y = position_in((int)j, r->to.height, r->from.height);
        float *to = r->to.data + j * (size_t)r->to.width;
        for (int i = 0; i < r->to.width; i++) {
            float x = position_in(i, r->to.width, r->from.width);
            float dx = placement_noise(x * frequency, y * frequency, r->seed);
            float dy = placement_noise(x * frequency, y * frequency, r->seed + 1);
            to[i] = sample(r->from, x + dx * r->distance, y + dy * r->distance);
        }
    }
}

void placement_terrain_enlarge_warped(const PlacementTerrain *terrain, PlacementGrid to, PlacementGrid from,
                                      float distance, uint32_t seed) {
    placement_terrain_for(terrain, (size_t)to.height, warp_rows, &(Resampling){ to, from, distance, seed });
}
