// What placement is compared with: the sequential form of the thesis, and dart throwing.

#include "placement.h"

#include <stdlib.h>
#include <string.h>

// ---- The site -----------------------------------------------------------------------------------------------

// Smooth noise, from 0 to 1.
static float noise(float x, float y, uint32_t seed) {
    float total = 0, weight = 0.5f;
    for (int octave = 0; octave < 4; octave++, x *= 2, y *= 2, weight *= 0.5f) {
        int32_t ix = filo_floor_to_int(x), iy = filo_floor_to_int(y);
        float fx = filo_smoothstep(0, 1, x - (float)ix), fy = filo_smoothstep(0, 1, y - (float)iy), corner[4];
        for (int c = 0; c < 4; c++) {
            uint64_t key = (uint64_t)(uint32_t)(ix + c % 2) << 32 | (uint32_t)(iy + c / 2);
            corner[c] = (float)(filo_hash_u64(key ^ (uint64_t)seed << 17) >> 40) / 16777216.0f;
        }
        total +=
            weight * filo_lerp(filo_lerp(corner[0], corner[1], fx), filo_lerp(corner[2], corner[3], fx), fy);
    }
    return total / 0.9375f;
}

PlacementSite *placement_site_create(double side) {
    PlacementSite *site = calloc(1, sizeof *site);
    bench_expect(site != NULL, "there is memory for a site");
    if (site == NULL) return NULL;
    site->side = side;
    for (int y = 0; y < PLACEMENT_MAP_SIDE; y++)
        for (int x = 0; x < PLACEMENT_MAP_SIDE; x++) {
            int at = y * PLACEMENT_MAP_SIDE + x;
            float u = (float)x / 64, v = (float)y / 64;
            site->heights[at] = (uint16_t)(noise(u, v, 99) * 65535);
            for (uint32_t l = 0; l < PLACEMENT_LAYERS; l++) {
                float density = filo_clamp01((noise(u, v, l) - 0.25f) * 0.5f);
                site->densities[l][at] = (uint8_t)(density * 255);
            }
        }
    FiloPattern pattern = filo_pattern(8, 0);
    FiloFootprint *footprint = &site->desc.footprints[0];
    site->desc.size = filo_vec3((float)side, (float)side, 200);
    site->desc.height = (FiloTerrainMap){ .data = site->heights,
                                          .format = FILO_MAP_U16,
                                          .width = PLACEMENT_MAP_SIDE,
                                          .height = PLACEMENT_MAP_SIDE };
    footprint->footprint = PLACEMENT_CELL / pattern.size;
    footprint->pattern = pattern;
    for (int l = 0; l < PLACEMENT_LAYERS; l++) {
        footprint->layers[l].density.filter = FILO_MAP_NEAREST;
        footprint->layers[l].density.map = (FiloTerrainMap){ .data = site->densities[l],
                                                             .format = FILO_MAP_U8,
                                                             .width = PLACEMENT_MAP_SIDE,
                                                             .height = PLACEMENT_MAP_SIDE };
    }
    site->request.area = (FiloPlacementArea){ 0, 0, side, side };
    bench_expect(filo_placement_create(&site->placement, &site->desc).code == FILO_OK,
                 "a placement is created");
    FiloResult r = filo_placement_compute(site->placement, &site->request, &site->result);
    bench_expect(r.code == FILO_OK, "objects are placed");
    site->placed = site->result.count;
    site->candidates = site->result.candidates;
    return site;
}

void placement_site_destroy(PlacementSite *site) {
    filo_placement_result_free(&site->result);
    filo_placement_destroy(site->placement);
    free(site);
}

// ---- Sampling as a plain program does it --------------------------------------------------------------------

static float density_at(const PlacementSite *site, int layer, float u, float v) {
    int x = FILO_CLAMP((int)(u * PLACEMENT_MAP_SIDE), 0, PLACEMENT_MAP_SIDE - 1);
    int y = FILO_CLAMP((int)(v * PLACEMENT_MAP_SIDE), 0, PLACEMENT_MAP_SIDE - 1);
    return (float)site->densities[layer][y * PLACEMENT_MAP_SIDE + x] / 255.0f;
}

static float height_at(const PlacementSite *site, float u, float v) {
    float x = u * PLACEMENT_MAP_SIDE - 0.5f, y = v * PLACEMENT_MAP_SIDE - 0.5f;
    int x0 = filo_floor_to_int(x), y0 = filo_floor_to_int(y);
    float fx = x - (float)x0, fy = y - (float)y0, value[4];
    for (int c = 0; c < 4; c++) {
        int cx = FILO_CLAMP(x0 + c % 2, 0, PLACEMENT_MAP_SIDE - 1),
            cy = FILO_CLAMP(y0 + c / 2, 0, PLACEMENT_MAP_SIDE - 1);
        value[c] = (float)site->heights[cy * PLACEMENT_MAP_SIDE + cx] / 65535.0f;
    }
    float low = value[0] + (value[1] - value[0]) * fx, high = value[2] + (value[3] - value[2]) * fx;
    return (low + (high - low) * fy) * site->desc.size.z;
}

// ---- The sequential form ------------------------------------------------------------------------------------

typedef struct Candidate {
    float x, y, z, density;
    int32_t layer; // −1: none
    float threshold;
} Candidate;

static int by_layer(const void *a, const void *b) {
    const Candidate *left = a, *right = b;
    if (left->layer != right->layer) return left->layer < right->layer ? -1 : 1;
    return 0;
}

static int bayer(int x, int y) {
    int value = 0;
    for (int bit = 0; bit < 3; bit++) {
        int bx = x >> bit & 1, by = y >> bit & 1;
        value = value * 4 + (by == 0 ? (bx == 0 ? 0 : 2) : (bx == 0 ? 3 : 1));
    }
    return value;
}

size_t placement_reference(const PlacementSite *site) {
    const FiloFootprint *footprint = &site->desc.footprints[0];
    float h = footprint->footprint, l = footprint->pattern.size, side = (float)site->side;
    int last = (int)(site->side / (double)(l * h)) + 1;
    size_t cells = (size_t)(last + 2) * (size_t)(last + 2), count = 0;
    Candidate *candidates = malloc(cells * 64 * sizeof *candidates);
    if (candidates == NULL) return 0;
    // Generation.
    for (int gy = -1; gy <= last; gy++)
        for (int gx = -1; gx <= last; gx++)
            for (int i = 0; i < 64; i++) {
                Candidate *c = &candidates[count++];
                c->x = (l * (float)gx + footprint->pattern.points[i].x) * h;
                c->y = (l * (float)gy + footprint->pattern.points[i].y) * h;
                c->z = height_at(site, c->x / side, c->y / side);
                c->threshold = (float)bayer((i % 8 + gx) & 7, (i / 8 + gy) & 7) / 64.0f;
                c->density = 0;
                c->layer = -1;
            }
    // Evaluation.
    for (int layer = 0; layer < PLACEMENT_LAYERS; layer++)
        for (size_t i = 0; i < count; i++) {
            Candidate *c = &candidates[i];
            if (c->layer >= 0 || c->x < 0 || c->y < 0 || c->x >= side || c->y >= side) continue;
            c->density += density_at(site, layer, c->x / side, c->y / side);
            if (c->density > c->threshold) c->layer = layer;
        }
    // Indexing.
    size_t claimed = 0;
    for (size_t i = 0; i < count; i++)
        if (candidates[i].layer >= 0) candidates[claimed++] = candidates[i];
    qsort(candidates, claimed, sizeof *candidates, by_layer);
    // Copying.
    FiloPlaced *objects = malloc((claimed + 1) * sizeof *objects);
    if (objects != NULL)
        for (size_t i = 0; i < claimed; i++)
            objects[i] = (FiloPlaced){
                candidates[i].x, candidates[i].y, candidates[i].z, (uint16_t)candidates[i].layer, 0, 0
            };
    bench_use(objects);
    bench_clobber();
    free(objects);
    free(candidates);
    return claimed;
}

// ---- Darts --------------------------------------------------------------------------------------------------

// A set of points as dense as the pattern, by throwing: the last ones take most of the time. So it ends at four fifths of the
// pattern's density. The densities then decide which of them are objects.
size_t placement_darts(const PlacementSite *site) {
    float h = site->desc.footprints[0].footprint, side = (float)site->side;
    float bin = h / 1.41421356f; // a bin has at most one point
    int bins = (int)(side / bin) + 1;
    size_t enough = site->candidates * 4 / 5, count = 0, placed = 0;
    int32_t *grid = malloc((size_t)bins * (size_t)bins * sizeof *grid);
    FiloPlaced *objects = malloc((enough + 1) * sizeof *objects);
    if (grid == NULL || objects == NULL) goto end;
    memset(grid, 255, (size_t)bins * (size_t)bins * sizeof *grid);
    FiloRandom random = filo_random_sequence(1);
    for (size_t thrown = 0; count < enough && thrown < site->candidates * 100; thrown++) {
        float x = filo_random_float(&random) * side, y = filo_random_float(&random) * side;
        int bx = (int)(x / bin), by = (int)(y / bin);
        bool free_ground = true;
        for (int cy = FILO_MAX(by - 2, 0); free_ground && cy <= FILO_MIN(by + 2, bins - 1); cy++)
            for (int cx = FILO_MAX(bx - 2, 0); free_ground && cx <= FILO_MIN(bx + 2, bins - 1); cx++) {
                int32_t other = grid[cy * bins + cx];
                if (other < 0) continue;
                float dx = objects[other].x - x, dy = objects[other].y - y;
                free_ground = dx * dx + dy * dy >= h * h;
            }
        if (!free_ground) continue;
        grid[by * bins + bx] = (int32_t)count;
        objects[count++] = (FiloPlaced){ .x = x, .y = y };
    }
    for (size_t i = 0; i < count; i++) {
        float u = objects[i].x / side, v = objects[i].y / side, threshold = filo_random_float(&random),
              sum = 0;
        int layer = 0;
        while (layer < PLACEMENT_LAYERS && (sum += density_at(site, layer, u, v)) <= threshold) layer++;
        if (layer == PLACEMENT_LAYERS) continue;
        objects[placed++] =
            (FiloPlaced){ objects[i].x, objects[i].y, height_at(site, u, v), (uint16_t)layer, 0, 0 };
    }
end:
    bench_use(objects);
    bench_clobber();
    free(grid);
    free(objects);
    return placed;
}
