// The picture of the ground: every pixel is computed from the soil there, and the pixels are kept in tiles.
//
// A tile is an image of 256 × 256 pixels. On level 0 a pixel is 1/8 m wide, on each further level twice as much. Tiles of
// the level that fits the zoom are made when they become visible, and replace those that were not drawn for longest. Until
// they are made, the coarsest level is seen.

#include "placement_map.h"

#include <stdio.h>

#define TILE     256 // pixels
#define TILES    200 // in memory
#define LEVELS   6
#define FINEST   0.125f // metres of a pixel on level 0
#define NOISE    256    // values a side of the noise, which repeats
#define SNOWLINE 215.0f
#define SHORE    2.0f

typedef struct Tile {
    int level, x, y;
    int64_t used; // when it was drawn last; 0: never
    bool made, stale;
    FiloName name;
} Tile;

struct Ground {
    Tile tiles[TILES];
    int64_t time;
    FiloPixels pixels; // of the tile that is made
    float noise[NOISE * NOISE];
};

// ---- Colours ------------------------------------------------------------------------------------------------

static FiloVec3 mix(FiloVec3 a, FiloVec3 b, float t) { return filo_vec3_lerp(a, b, filo_clamp01(t)); }

static FiloVec3 hex(uint32_t rgb) {
    return filo_vec3((float)(rgb >> 16 & 255) / 255, (float)(rgb >> 8 & 255) / 255, (float)(rgb & 255) / 255);
}

static float noise_at(const float *noise, float x, float y) {
    float fx = filo_floor(x), fy = filo_floor(y), across = x - fx, along = y - fy;
    int x0 = (int)fx & (NOISE - 1), y0 = (int)fy & (NOISE - 1), x1 = (x0 + 1) & (NOISE - 1),
        y1 = (y0 + 1) & (NOISE - 1);
    float a = noise[y0 * NOISE + x0], b = noise[y0 * NOISE + x1], c = noise[y1 * NOISE + x0],
          d = noise[y1 * NOISE + x1];
    float lower = a + (b - a) * across, upper = c + (d - c) * across;
    return lower + (upper - lower) * along;
}

// Noise at three sizes, each −½ to ½.
typedef struct Grain {
    float fine, middle, large;
} Grain;

// How deep the water is; below 0 there is none. Rivers are where the map of distances says so.
static float depth_of(const Soil *soil, const Grain *grain) {
    return filo_max(-soil->height, 0.25f * (2.6f + grain->middle - soil->water));
}

static FiloVec3 water_color(const Soil *soil, const Grain *grain, float depth) {
    FiloVec3 color = mix(hex(0x86B9AE), hex(0x4E93A0), depth / 3);
    color = mix(color, hex(0x2A6482), (depth - 2) / 13);
    color = filo_vec3_scale(color, 1 + 0.10f * grain->middle + 0.05f * grain->fine);
    float calm = filo_smoothstep(0.5f, 3, soil->height); // there is no surf in rivers
    return mix(color, hex(0xE6F2EA), 0.55f * (1 - calm) * (1 - filo_smoothstep(0.05f, 0.45f, depth)));
}

static FiloVec3 land_color(const Soil *soil, const Grain *grain, float steep) {
    float moist = soil->wet + 0.30f * grain->middle + 0.45f * grain->large;
    FiloVec3 color = mix(hex(0xB0AA74), hex(0x87A05A), filo_smoothstep(0.20f, 0.55f, moist));
    color = mix(color, hex(0x9BA463), 0.5f + grain->large);
    color = mix(color, hex(0x9A9468),
                filo_smoothstep(110, 190, soil->height + 50 * grain->middle)); // above the trees
    color =
        mix(color, hex(0x55603A), 0.85f * filo_smoothstep(0.25f, 0.75f, soil->woods + 0.5f * grain->middle));
    float rock = filo_smoothstep(0.62f, 0.92f, steep + 0.35f * grain->middle + 0.12f * grain->fine);
    FiloVec3 stone = mix(hex(0x7C746A), hex(0xB4AA9B), 0.5f + 1.6f * grain->fine + 0.9f * grain->middle);
    color = mix(color, stone, rock);
    float snow =
        soil->height - SNOWLINE + 70 * grain->middle + 30 * grain->large - 70 * filo_max(steep - 0.6f, 0);
    color = mix(color, hex(0xDCE1E8), filo_smoothstep(-4, 5, snow) * (1 - 0.45f * rock));
    float shore = filo_min(soil->height / SHORE, (soil->water - 2) / 3);
    color = mix(hex(0xD9C998), color, filo_smoothstep(0.25f, 1, shore + 0.7f * grain->middle));
    return filo_vec3_scale(color, 1 + 0.22f * grain->fine);
}

static FiloVec3 road_over(FiloVec3 color, const Soil *soil, const Grain *grain) {
    float edge = soil->road - 4.2f + 1.4f * grain->middle;
    if (edge > 1.5f) return color;
    FiloVec3 dust = mix(hex(0xC4B08A), hex(0xAF9A74), 0.5f + 2 * grain->fine);
    color = mix(color, hex(0x7D7048), 0.55f * (1 - filo_smoothstep(-0.5f, 1.5f, edge)));
    return mix(color, dust, 1 - filo_smoothstep(-1.0f, -0.1f, edge));
}

static FiloColor color_at(const Land *land, const float *noise, FiloVec2 at, float metres) {
    // Moved by a few metres to and fro, so that shores and roads do not show the texels of their maps.
    FiloVec2 warp = { 5 * (noise_at(noise, at.x * 1.3f, at.y * 1.3f) - 0.5f),
                      5 * (noise_at(noise, at.x * 1.3f + 130, at.y * 1.3f + 70) - 0.5f) };
    Soil soil = land_soil_at(land, filo_vec2_add(at, warp));
    Grain grain = { (noise_at(noise, at.x * 7, at.y * 7) - 0.5f) * filo_clamp01(1.3f - metres * 0.5f) +
                        (noise_at(noise, at.x * 31, at.y * 31) - 0.5f) * filo_clamp01(0.9f - metres * 2),
                    noise_at(noise, at.x * 1.1f + 40, at.y * 1.1f) - 0.5f,
                    noise_at(noise, at.x * 0.16f, at.y * 0.16f + 90) - 0.5f };
    float steep = filo_sqrt(soil.slope_x * soil.slope_x + soil.slope_y * soil.slope_y);
    float depth = depth_of(&soil, &grain);
    if (depth > 0) {
        FiloVec3 water = filo_vec3_scale(water_color(&soil, &grain, depth), 0.85f + 0.15f * soil.light);
        return filo_color_from_straight(filo_vec4(water.x, water.y, water.z, 1));
    }
    FiloVec3 color = road_over(land_color(&soil, &grain, steep), &soil, &grain);
    // Light from the upper left, and more of the sky on ridges than in hollows.
    float rough = 0.9f * grain.fine + 0.35f * grain.middle;
    float uneven = 0.25f + 0.8f * filo_min(steep, 1); // rock more than meadows
    soil.slope_x -= uneven * rough, soil.slope_y += uneven * rough;
    float sun = land_sun(&soil);
    float sky = 1 - 0.25f * soil.hollow;
    FiloVec3 light = filo_vec3_add(filo_vec3_scale(filo_vec3(0.60f, 0.58f, 0.52f), sun),
                                   filo_vec3_scale(filo_vec3(0.40f, 0.43f, 0.47f), sky));
    return filo_color_from_straight(filo_vec4(color.x * light.x, color.y * light.y, color.z * light.z, 1));
}

// ---- Tiles --------------------------------------------------------------------------------------------------

typedef struct Making {
    const Ground *ground;
    const Land *land;
    const Tile *tile;
} Making;

static float pixel_of(int level) { return FINEST * (float)(1 << level); }

static void make_rows(size_t first, size_t end, void *user) {
    const Making *making = user;
    float metres = pixel_of(making->tile->level);
    for (size_t row = first; row < end; row++)
        for (int x = 0; x < TILE; x++) { // row 0 is the upper one, with the largest y
            FiloVec2 at = { ((float)(making->tile->x * TILE + x) + 0.5f) * metres,
                            ((float)(making->tile->y * TILE + TILE - 1 - (int)row) + 0.5f) * metres };
            *filo_pixels_at(&making->ground->pixels, x, (int)row) =
                color_at(making->land, making->ground->noise, at, metres);
        }
}

static Tile *find(Ground *ground, int level, int x, int y) {
    for (size_t i = 0; i < TILES; i++) {
        Tile *tile = &ground->tiles[i];
        if (tile->made && tile->level == level && tile->x == x && tile->y == y) return tile;
    }
    return NULL;
}

static void make(Ground *ground, FiloGfx2d *gfx, const Land *land, Tile *tile) {
    tile->used = ground->time;
    tile->stale = false;
    filo_jobs_for(land->jobs, TILE, make_rows, &(Making){ ground, land, tile });
    tile->made = filo_gfx2d_add_image(gfx, tile->name, &ground->pixels).code == FILO_OK;
}

static Tile *oldest(Ground *ground) {
    Tile *tile = &ground->tiles[0];
    for (size_t i = 1; i < TILES; i++)
        if (ground->tiles[i].used < tile->used) tile = &ground->tiles[i];
    return tile;
}

// The tiles of a level that a rectangle touches: up to and including `max`.
static FiloRect tiles_of(int level, FiloRect metres) {
    float size = pixel_of(level) * TILE, last = filo_floor(LAND_METRES / size - 0.5f);
    return filo_rect(filo_vec2(filo_clamp(filo_floor(metres.min.x / size), 0, last),
                               filo_clamp(filo_floor(metres.min.y / size), 0, last)),
                     filo_vec2(filo_clamp(filo_floor(metres.max.x / size), 0, last),
                               filo_clamp(filo_floor(metres.max.y / size), 0, last)));
}

static float count_of(FiloRect tiles) {
    return (tiles.max.x - tiles.min.x + 1) * (tiles.max.y - tiles.min.y + 1);
}

static int level_for(const View *view, FiloVec2 size) {
    int level = 0;
    while (level + 1 < LEVELS && pixel_of(level) * 1.42f < view->metres) level++;
    while (level + 1 < LEVELS && count_of(tiles_of(level, map_visible(view, size))) > TILES - 8) level++;
    return level;
}

// Makes up to `limit` tiles of a level, first of all those that there are not.
static int update_level(Ground *ground, FiloGfx2d *gfx, const Land *land, int level, FiloRect tiles,
                        int limit) {
    int made = 0;
    for (int again = 0; again < 2; again++)
        for (int y = (int)tiles.min.y; y <= (int)tiles.max.y; y++)
            for (int x = (int)tiles.min.x; x <= (int)tiles.max.x; x++) {
                Tile *tile = find(ground, level, x, y);
                if (tile != NULL) tile->used = ground->time;
                if (made >= limit || (tile != NULL && (!tile->stale || again == 0))) continue;
                if (tile == NULL) {
                    tile = oldest(ground);
                    tile->level = level, tile->x = x, tile->y = y;
                }
                make(ground, gfx, land, tile);
                made++;
            }
    return made;
}

int ground_update(Ground *ground, FiloGfx2d *gfx, const Land *land, const View *view, FiloVec2 size,
                  int limit) {
    ground->time++;
    int level = level_for(view, size);
    FiloRect world = { { 0, 0 }, { LAND_METRES, LAND_METRES } };
    FiloRect coarse = tiles_of(LEVELS - 1, world), fine = tiles_of(level, map_visible(view, size));
    bool begins = find(ground, LEVELS - 1, 0, 0) == NULL, all = count_of(fine) <= (float)limit;
    int made = update_level(ground, gfx, land, LEVELS - 1, coarse, begins && !all ? TILES : 0);
    made += update_level(ground, gfx, land, level, fine, limit);
    if (made == 0 && !all) made = update_level(ground, gfx, land, LEVELS - 1, coarse, 1);
    return made;
}

static void draw_level(Ground *ground, FiloDraw *draw, const View *view, FiloVec2 size, int level) {
    FiloRect tiles = tiles_of(level, map_visible(view, size));
    float metres = pixel_of(level) * TILE;
    for (int y = (int)tiles.min.y; y <= (int)tiles.max.y; y++)
        for (int x = (int)tiles.min.x; x <= (int)tiles.max.x; x++) {
            const Tile *tile = find(ground, level, x, y);
            if (tile == NULL) continue;
            FiloVec2 from = map_to_pixel(view, size, filo_vec2((float)x * metres, (float)(y + 1) * metres));
            FiloVec2 to = map_to_pixel(view, size, filo_vec2((float)(x + 1) * metres, (float)y * metres));
            filo_draw_sprite(draw, &(FiloDrawSprite){ .image = tile->name,
                                                      .position = from,
                                                      .pivot = { -0.5f, 0.5f },
                                                      .size = filo_vec2_sub(to, from),
                                                      .flags = FILO_SPRITE_LINEAR });
        }
}

void ground_draw(Ground *ground, FiloDraw *draw, const View *view, FiloVec2 size) {
    int level = level_for(view, size);
    if (level + 1 < LEVELS) draw_level(ground, draw, view, size, LEVELS - 1);
    draw_level(ground, draw, view, size, level);
}

void ground_forget(Ground *ground, const FiloRect *metres) {
    for (size_t i = 0; i < TILES; i++) {
        Tile *tile = &ground->tiles[i];
        float size = pixel_of(tile->level) * TILE;
        FiloRect covers = filo_rect_from_size(filo_vec2((float)tile->x * size, (float)tile->y * size),
                                              filo_vec2(size, size));
        if (metres == NULL)
            tile->made = false, tile->used = 0;
        else if (filo_rect_overlaps(covers, *metres))
            tile->stale = true;
    }
}

// ---- Setup --------------------------------------------------------------------------------------------------

Ground *ground_create(void) {
    Ground *ground = filo_alloc_zero(NULL, sizeof *ground, 0);
    if (ground == NULL) return NULL;
    if (!filo_pixels_create(&ground->pixels, TILE, TILE, NULL)) {
        ground_destroy(ground);
        return NULL;
    }
    for (int i = 0; i < TILES; i++) {
        char name[32];
        snprintf(name, sizeof name, "ground %d", i);
        ground->tiles[i].name = filo_name(name);
    }
    float weight = 0.5f;
    for (uint32_t size = 16; size >= 1; size /= 2, weight *= 0.55f)
        for (uint32_t y = 0; y < NOISE; y++)
            for (uint32_t x = 0; x < NOISE; x++) {
                uint32_t n = NOISE / size, cx = x / size, cy = y / size;
                float fx = filo_smoothstep(0, 1, (float)(x % size) / (float)size),
                      fy = filo_smoothstep(0, 1, (float)(y % size) / (float)size), corners[4];
                for (uint32_t i = 0; i < 4; i++)
                    corners[i] = filo_random_float_at(size, 0, 9, (cy + i / 2) % n * n + (cx + i % 2) % n, 0);
                float value = filo_lerp(filo_lerp(corners[0], corners[1], fx),
                                        filo_lerp(corners[2], corners[3], fx), fy);
                ground->noise[y * NOISE + x] += weight * value;
            }
    for (int i = 0; i < NOISE * NOISE; i++) ground->noise[i] = filo_clamp01(ground->noise[i] / 1.06f);
    return ground;
}

void ground_destroy(Ground *ground) {
    if (ground == NULL) return;
    filo_pixels_free(&ground->pixels, NULL);
    filo_free(NULL, ground, sizeof *ground, 0);
}
