// Slope, aspect and curvature, from the eight texels around each.
//
// Derivatives are Horn's: central differences, with the rows beside counted half. At the border of the values that are in
// memory they are one-sided.

#include "placement/terrain/terrain.h"

#define BLOCK 256 // columns that are read at once

// Heights in metres of some columns of three rows, with one more column at each end.
typedef struct Block {
    float rows[3][BLOCK + 2];
} Block;

typedef struct Stencil {
    float h[3][3]; // by row and column, metres
    float dx, dy;  // metres between the outer columns and rows; 0: there is only one
} Stencil;

static void read_block(Block *block, const PlacementTerrain *t, int x, int y, int columns) {
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < columns + 2; i++)
            block->rows[j][i] = placement_terrain_value(&t->map, x + i - 1, y + j - 1) * t->range;
    }
}

// Around column `i` of the block, which is (x, y).
static Stencil stencil_of(const Block *block, const PlacementTerrain *t, int i, int x, int y) {
    Stencil s;
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) s.h[j][k] = block->rows[j][i + k];
    s.dx = t->dx * (float)(FILO_MIN(x + 1, t->width - 1) - FILO_MAX(x - 1, 0));
    s.dy = t->dy * (float)(FILO_MIN(y + 1, t->height - 1) - FILO_MAX(y - 1, 0));
    return s;
}

// Where all nine texels are on the map, if it is large enough: beside (x, y) at the border.
static Stencil stencil_inside(const Stencil *s, const PlacementTerrain *t, int x, int y) {
    int inner_x = FILO_CLAMP(x, FILO_MIN(1, t->width - 1), FILO_MAX(t->width - 2, 0));
    int inner_y = FILO_CLAMP(y, FILO_MIN(1, t->height - 1), FILO_MAX(t->height - 2, 0));
    if (inner_x == x && inner_y == y) return *s;
    Block block;
    read_block(&block, t, inner_x, inner_y, 1);
    return stencil_of(&block, t, 0, inner_x, inner_y);
}

static FiloVec2 gradient(const Stencil *s) {
    float right = (s->h[0][2] + s->h[2][2]) + 2.0f * s->h[1][2];
    float left = (s->h[0][0] + s->h[2][0]) + 2.0f * s->h[1][0];
    float up = (s->h[2][0] + s->h[2][2]) + 2.0f * s->h[2][1];
    float down = (s->h[0][0] + s->h[0][2]) + 2.0f * s->h[0][1];
    return filo_vec2(s->dx > 0.0f ? (right - left) * 0.25f / s->dx : 0.0f,
                     s->dy > 0.0f ? (up - down) * 0.25f / s->dy : 0.0f);
}

static uint16_t slope_of(const Stencil *s, const PlacementTerrain *t, int x, int y) {
    FILO_UNUSED(t);
    FILO_UNUSED(x);
    FILO_UNUSED(y);
    FiloVec2 g = gradient(s);
    return placement_terrain_u16(filo_atan(filo_sqrt(g.x * g.x + g.y * g.y)) * (1.0f / FILO_HALF_PI));
}

static uint16_t aspect_of(const Stencil *s, const PlacementTerrain *t, int x, int y) {
    FILO_UNUSED(t);
    FILO_UNUSED(x);
    FILO_UNUSED(y);
    FiloVec2 g = gradient(s);
    if (g.x == 0.0f && g.y == 0.0f) return 0;
    return placement_terrain_turn(filo_atan2(-g.y, -g.x));
}

// Of three values in a row.
static float bend(float a, float b, float c) { return (a - b) + (c - b); }

static uint16_t curvature_of(const Stencil *at, const PlacementTerrain *t, int x, int y) {
    Stencil s = stencil_inside(at, t, x, y);
    float bend_x = (bend(s.h[0][0], s.h[0][1], s.h[0][2]) + bend(s.h[2][0], s.h[2][1], s.h[2][2])) +
                   2.0f * bend(s.h[1][0], s.h[1][1], s.h[1][2]);
    float bend_y = (bend(s.h[0][0], s.h[1][0], s.h[2][0]) + bend(s.h[0][2], s.h[1][2], s.h[2][2])) +
                   2.0f * bend(s.h[0][1], s.h[1][1], s.h[2][1]);
    float curvature = 0.125f * (bend_x / (t->dx * t->dx) + bend_y / (t->dy * t->dy));
    float unit = filo_clamp(curvature * (1.0f / FILO_TERRAIN_CURVATURE), -1.0f, 1.0f);
    return (uint16_t)(32768 + filo_round_to_int(unit * 32767.0f));
}

// ---- Loops ----------------------------------------------------------------------------------------------

typedef struct Baking {
    const PlacementTerrain *terrain;
    uint16_t *values;
    uint16_t (*value)(const Stencil *stencil, const PlacementTerrain *terrain, int x, int y);
} Baking;

static void bake_block(const Baking *b, const Block *block, int x, int y, int columns) {
    const PlacementTerrain *t = b->terrain;
    uint16_t *to = b->values + (size_t)y * (size_t)t->width + (size_t)x;
    for (int i = 0; i < columns; i++) {
        Stencil stencil = stencil_of(block, t, i, x + i, y);
        to[i] = b->value(&stencil, t, x + i, y);
    }
}

static void bake_rows(size_t begin, size_t end, void *user) {
    const Baking *b = user;
    Block block;
    for (int y = (int)begin; y < (int)end; y++)
        for (int x = 0; x < b->terrain->width; x += BLOCK) {
            int columns = FILO_MIN(BLOCK, b->terrain->width - x);
            read_block(&block, b->terrain, x, y, columns);
            bake_block(b, &block, x, y, columns);
        }
}

static FiloResult bake(uint16_t *values, const FiloTerrainDesc *desc,
                       uint16_t (*value)(const Stencil *stencil, const PlacementTerrain *terrain, int x,
                                         int y)) {
    PlacementTerrain terrain;
    FiloResult result = placement_terrain_open(&terrain, desc, true);
    if (result.code != FILO_OK) return result;
    if (values == NULL) return FILO_MISTAKE("pass where the values go");
    result = placement_terrain_report(&terrain, 0.0f);
    if (result.code == FILO_OK) result = placement_terrain_heights(&terrain, NULL);
    if (result.code != FILO_OK) return result;
    placement_terrain_for(&terrain, (size_t)terrain.height, bake_rows, &(Baking){ &terrain, values, value });
    return placement_terrain_report(&terrain, 1.0f);
}

FiloResult filo_terrain_bake_slope(uint16_t *slope, const FiloTerrainDesc *terrain) {
    return bake(slope, terrain, slope_of);
}

FiloResult filo_terrain_bake_aspect(uint16_t *aspect, const FiloTerrainDesc *terrain) {
    return bake(aspect, terrain, aspect_of);
}

FiloResult filo_terrain_bake_curvature(uint16_t *curvature, const FiloTerrainDesc *terrain) {
    return bake(curvature, terrain, curvature_of);
}
